import { home as calls } from '#src/modules/home/contract.ts'
import { warningLogs } from '#src/modules/system/contract/warning.ts'
import { action, ask, page } from './command.ts'

export const home = page('/manage', '工作台', 'Workbench home', { menu: false, keys: 'g h', keepAlive: true, permit: 'signed-in', file: 'home/pages/index.tsx' })

export const refresh = action('home.refresh', { title: '刷新待办', en: 'Refresh', key: 'shift+r', at: home })
export const openTodo = action('home.openTodo', { title: '打开待办列表', en: 'Open to-do', at: home })
export const claimNext = action(calls.claimNext, {
  title: '领取下一条审核', en: 'Claim the next audit', key: 'n', at: home, main: true,
  asks: { queue: ask.choice({ label: ['队列', 'Queue'], optional: true, options: { bulks: ['团购', 'Group-buy'], card: ['卡券', 'Card'], voucher: ['代金券', 'Voucher'], product: ['商品', 'Product'] } }) },
  input: (_, asked) => ({ queue: asked.queue as 'bulks' | undefined }),
})
export const arrangeCards = action('home.arrangeCards', { title: '调整卡片顺序', en: 'Arrange cards', at: home })
/** Of whichever page is in front. */
export const pinPage = action('home.pinPage', { title: '固定常用页面', en: 'Pin this page', key: 'w f', at: home, alias: ['收藏', 'favourite'] })
export const unpinPage = action('home.unpinPage', { title: '取消固定', en: 'Unpin', key: 'w shift+f', at: home })
/** Of the alarms that wait, on the workbench itself. */
export const ackWarning = action('home.ackWarning', { title: '确认预警', en: 'Acknowledge an alarm', key: 'a', at: home, permit: warningLogs.ack.permit })
