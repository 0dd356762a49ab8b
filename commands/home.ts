import { home as calls } from '#src/modules/home/contract.ts'
import { layouts } from '#src/modules/workbench/contract.ts'
import { action, ask } from './command.ts'
import { claimableQueues } from './pages/audit.ts'
import { home } from './pages/home.ts'

export const refresh = action('home.refresh', {
  title: '刷新待办',
  en: 'Refresh',
  key: 'shift+r',
  at: home,
})
export const openTodo = action('home.openTodo', {
  title: '打开待办列表',
  en: 'Open to-do',
  at: home,
})
export const claimNext = action(calls.claimNext, {
  title: '领取下一条审核',
  en: 'Claim the next audit',
  key: 'n',
  at: home,
  main: true,
  offered: me =>
    claimableQueues(me.can).length > 0 || ['没有可领取的审核队列', 'You may claim from no queue'],
  asks: {
    queue: ask.choice({
      label: ['队列', 'Queue'],
      optional: true,
      options: {
        bulks: ['团购', 'Group-buy'],
        card: ['卡券', 'Card'],
        voucher: ['代金券', 'Voucher'],
        product: ['商品', 'Product'],
      },
    }),
  },
  input: (_, asked) => ({ queue: asked.queue as 'bulks' | undefined }),
})
export const arrangeCards = action('home.arrangeCards', {
  title: '调整卡片顺序',
  en: 'Arrange cards',
  at: home,
})
/** Pins whichever page is in front. */
export const pinPage = action('home.pinPage', {
  title: '固定常用页面',
  en: 'Pin this page',
  key: 'w f',
  at: home,
  alias: ['收藏', 'favourite'],
})
export const unpinPage = action('home.unpinPage', {
  title: '取消固定',
  en: 'Unpin',
  key: 'w shift+f',
  at: home,
})
/** Acknowledges the alarms that wait, on the workbench itself. */
export const ackWarning = action('home.ackWarning', {
  title: '确认预警',
  en: 'Acknowledge an alarm',
  key: 'a',
  at: home,
  permit: 'system.warning.logs.ack',
})

/** The layout that stands, for others: whoever may publish is a matter of roles. */
const layoutName = ask.text({
  label: ['布局名称', 'Name'],
  max: 32,
  initial: rows => (rows[0] as { name?: string } | undefined)?.name,
})
type Standing = { state: never; recommended: Readonly<Record<number, number>> }
export const publishLayout = action(layouts.publish, {
  title: '发布为团队布局',
  en: 'Publish the layout to the team',
  at: home,
  asks: { name: layoutName },
  input: ([now], { name }) => ({ name, state: (now as Standing).state }),
})
/**
 * `recommended` are the versions of the layouts that roles have now: one that changed meanwhile is
 * not put away unseen.
 */
export const recommendLayout = action(layouts.recommend, {
  title: '设为角色推荐布局',
  en: 'Recommend the layout to a role',
  at: home,
  asks: {
    role: ask.entity({
      label: ['角色', 'Role'],
      hint: [
        '该角色从未有过布局的人由此开始；已有的推荐布局会被替换',
        'Who never had a layout begins with it; the one recommended now gives way',
      ],
      find: layouts.roles,
      labelOf: row => row.name,
    }),
    name: layoutName,
  },
  input: ([now], { role, name }) => {
    const { state, recommended } = now as Standing
    return { role_id: role, name, state, version: recommended[role] }
  },
})
