import { JOIN_GROUPS_MOST, ROOM_LOW } from '#src/areas/wecom/groups.ts'
import {
  BASE_ID_MOST,
  joinCan,
  mayTurnTo,
  ROOM_LOW_MOST,
  type JoinFault,
  type JoinVerb,
} from '#src/areas/wecom/joinCodes.ts'
import { aside, say, type Lang } from '#src/domain/text.ts'
import {
  joinCodes as calls,
  joinRow,
  type JoinChat,
  type JoinRow,
} from '#src/modules/channel/contract/customerGroup.ts'
import { ask, byKeyword, recordFinder, to, type Action, type Told } from '../command.ts'
import { joinCodePage, joinCodesPage as at } from '../pages/channel.ts'
import { asking, exportAction, idsOf, one, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(at, joinRow)
export const canJoin = (verb: JoinVerb) => (of: JoinRow) => joinCan(verb, of)
const MOST = 100
type Pick = { name: string; member_count: number; max_members: number; mall_name: string }
const fillOf = ({ name, member_count, max_members }: Omit<Pick, 'mall_name'>): string =>
  `${name} · ${member_count}/${max_members}`
const chatLabel = ({ mall_name, ...of }: Pick) => `${fillOf(of)}${mall_name && ` · ${mall_name}`}`

type OnPage = JoinRow & { chosen_id?: number }
/**
 * The chat of a code that an action is about: the one that its page has chosen where that `fits`,
 * else the first that does.
 */
export const ownChat = (fits: (chat: JoinChat, of: JoinRow) => boolean = () => true) => {
  const begun = ([of]: readonly OnPage[]): JoinChat | undefined => {
    const fit = of?.chats.filter(chat => fits(chat, of)) ?? []
    return fit.find(chat => chat.id === of!.chosen_id) ?? fit[0]
  }
  return ask.entity({
    label: ['群', 'Chat'],
    find: calls.chats,
    given: ([of]: readonly JoinRow[]) => ({ way_id: of?.id, inside: true }),
    labelOf: chatLabel,
    field: 'join_current',
    initial: (rows: readonly OnPage[]) => begun(rows)?.id,
    named: (rows: readonly OnPage[]) => {
      const chat = begun(rows)
      return chat && fillOf(chat)
    },
  })
}
const mayTurn = (to: JoinChat, { chats, room_low }: JoinRow): boolean => {
  const current = chats.find(chat => chat.is_current)?.id ?? 0
  return mayTurnTo(chats, { to, current, room_low }) === true
}
const currentOf = (of: JoinRow | undefined) => of?.chats.find(chat => chat.is_current)
const leadsNow = ([of]: readonly JoinRow[]): Told | undefined => {
  const chat = currentOf(of)
  return (
    chat && [
      ['当前指向“{name}”，{n}/{most} 人', 'It leads to {name} now, {n} of {most}'],
      { name: chat.name, n: chat.member_count, most: chat.max_members },
    ]
  )
}
/** The questions of a code that its two forms have in common. */
const rules = {
  auto_create: ask.flag({
    label: ['全部满员后由企微自动建群', 'WeCom makes further chats once all are full'],
    initial: ([of]: readonly JoinRow[]) => of?.auto_create ?? false,
  }),
  base_name: ask.text({
    label: ['新群名称', 'Name of further chats'],
    max: 20,
    shown: ({ auto_create }: { auto_create?: boolean }) => auto_create === true,
    initial: ([of]: readonly JoinRow[]) => of?.base_name || undefined,
    hint: ['企微在名称后加编号，如“会员群3”', 'WeCom puts the number behind it'],
  }),
  base_id: ask.number({
    label: ['起始编号', 'Their next number'],
    min: 1,
    max: BASE_ID_MOST,
    shown: ({ auto_create }: { auto_create?: boolean }) => auto_create === true,
    initial: ([of]: readonly JoinRow[]) => of?.base_id ?? 1,
    hint: ['逐个递增，已用过的编号不再使用', 'It grows by one; none is used twice'],
  }),
  room_low: ask.number({
    label: ['切换线（剩余空位）', 'Switch at (places left)'],
    min: 0,
    max: ROOM_LOW_MOST,
    initial: ([of]: readonly JoinRow[]) => of?.room_low ?? ROOM_LOW,
    hint: [
      '空位不多于此数时切换到下一个群；都到线后仍用完剩余空位',
      'It turns once so few are left; when all chats are there it fills what is left',
    ],
  }),
}
type Offered = { name: string; mall_name: string }
const staffCode = (withChat: boolean) =>
  ask.entity({
    label: ['满员时引导的渠道活码', 'Offered once all are full'],
    optional: true,
    find: calls.staffCodes,
    given: ([of]: readonly JoinRow[], answers: { chat_ids?: readonly number[] }) => ({
      ...(of && !withChat && { way_id: of.id }),
      ...(withChat && answers.chat_ids?.[0] && { with_id: answers.chat_ids[0] }),
    }),
    labelOf: ({ name, mall_name }: Offered, lang: Lang) =>
      mall_name ? `${name}${say(aside, lang, { it: mall_name })}` : name,
    initial: ([of]: readonly JoinRow[]) =>
      withChat ? undefined : (of?.staff_code_id ?? undefined),
    named: ([of]: readonly JoinRow[]) => (of?.offer?.is_chosen ? of.offer.name : undefined),
    none: ['没有渠道活码', 'There is no live code'],
    hint: ['留空则用同商场最早启用的渠道活码', 'Empty: the oldest live code of the same mall'],
  })
type Rules = {
  name: string
  auto_create: boolean
  base_name?: string
  base_id?: number
  room_low: number
  staff_code_id?: number
}
const bodyOf = (of: Rules) => ({
  name: of.name,
  auto_create: of.auto_create,
  room_low: of.room_low,
  staff_code_id: of.staff_code_id ?? null,
  ...(of.auto_create && { base_name: of.base_name ?? '', base_id: of.base_id ?? 1 }),
})

/** What is done with join codes: made, given more room, turned, paused, taken away as pictures. */
export const joinActions = {
  create: pageAction(calls.create, ['新增群活码', 'New join code'], at, {
    key: 'c',
    main: true,
    asks: {
      name: ask.text({ label: ['名称', 'Name'], max: 40, field: 'name' }),
      chat_ids: ask.entities({
        label: ['轮换群', 'Chats'],
        max: JOIN_GROUPS_MOST,
        find: calls.chats,
        given: (_: readonly unknown[], { chat_ids }: { chat_ids?: readonly number[] }) =>
          chat_ids?.[0] ? { with_id: chat_ids[0] } : {},
        labelOf: chatLabel,
        field: 'join_chats',
        none: ['没有可用的群：都已由其他群活码使用', 'Every chat serves another code'],
        hint: [
          '1–5 个同商场的群，按所选顺序切换；一个群只能用于一个启用的活码',
          'One to five of one mall, in this order; a chat serves one code in use',
        ],
      }),
      ...rules,
      staff_code_id: staffCode(true),
    },
    input: (_, asked) => ({ ...bodyOf(asked), chat_ids: asked.chat_ids }),
    alias: ['新增入群活码', 'new group code'],
  }),
  addChat: row.row(calls.addChat, ['追加群', 'Add chats'], {
    key: 'a',
    also: [joinCodePage],
    main: true,
    when: canJoin('addChat'),
    tells: ([of]) =>
      of && [
        ['已有 {n} 个群，还可追加 {m} 个', 'It has {n} chats and takes {m} more'],
        { n: of.chats.length, m: JOIN_GROUPS_MOST - of.chats.length },
      ],
    asks: {
      chat_ids: ask.entities({
        label: ['追加的群', 'Further chats'],
        max: JOIN_GROUPS_MOST - 1,
        find: calls.chats,
        given: ([of]: readonly JoinRow[]) => ({ way_id: of?.id }),
        labelOf: chatLabel,
        field: 'join_chats',
        none: ['同商场没有其他可用的群', 'No other chat of the mall is free'],
        hint: ['排在现有群之后，按此顺序切换', 'They come behind the others, in this order'],
      }),
    },
    input: asking(asked => asked),
  }),
  switchNow: row.row(calls.switchNow, ['立即切换', 'Switch now'], {
    key: 't',
    also: [joinCodePage],
    main: true,
    when: canJoin('switchNow'),
    tells: leadsNow,
    asks: { chat_id: ownChat(mayTurn) },
    input: asking(asked => asked),
  }),
  open: row.row('channel.customerGroup.open', ['打开群活码', 'Open the join code'], {
    key: 'o',
    main: true,
    permit: joinCodePage.permit,
    to: ([of]) => to(joinCodePage, { id: of!.id }),
    takenBack: 'nothing',
  }),
  download: row.row('channel.customerGroup.download', ['下载二维码', 'Download QR codes'], {
    key: 'd',
    also: [joinCodePage],
    main: 'plain',
    takes: 'rows',
    most: MOST,
    permit: calls.pictures.permit,
    when: canJoin('download'),
  }),
  edit: row.row(calls.edit, ['编辑群活码', 'Edit the join code'], {
    key: 'e',
    main: true,
    also: [joinCodePage],
    when: canJoin('edit'),
    asks: {
      name: ask.text({
        label: ['名称', 'Name'],
        max: 40,
        initial: ([of]: readonly JoinRow[]) => of?.name,
      }),
      ...rules,
      staff_code_id: staffCode(false),
    },
    input: asking(bodyOf),
  }),
  sortChat: row.row(calls.sortChat, ['调整切换顺序', 'Reorder chats'], {
    key: 's',
    also: [joinCodePage],
    when: canJoin('sortChat'),
    asks: {
      order: ask.order({
        label: ['从先到后（Alt+↑ Alt+↓ 移动）', 'First to last (Alt+↑ Alt+↓ moves)'],
        field: 'join_chats',
        initial: ([of]: readonly JoinRow[]) =>
          of?.chats.map((chat, n) => `${n + 1}. ${fillOf(chat)}`),
      }),
    },
    input: (rows, { order }) => ({
      ...one(rows),
      ids: order.flatMap(line => rows[0]!.chats[Number.parseInt(line, 10) - 1]?.id ?? []),
    }),
  }),
  pause: row.row(calls.pause, ['暂停', 'Pause'], {
    key: 'p',
    also: [joinCodePage],
    when: canJoin('pause'),
    tells: ([of]) =>
      of && [
        [
          '近 7 天入群 {n} 人；暂停后扫码只看到“暂停入群”，其中的群可用于其他活码',
          '{n} joined in 7 days; a scan will only say that it is paused, and its chats are free',
        ],
        { n: of.joins_7d },
      ],
    input: one,
    takenBack: 'opposite',
  }),
  resume: row.row(calls.resume, ['恢复', 'Resume'], {
    key: 'u',
    also: [joinCodePage],
    when: canJoin('resume'),
    input: one,
    takenBack: 'opposite',
  }),
  sync: row.row(calls.sync, ['同步群数据', 'Read its chats anew'], {
    key: 'y',
    also: [joinCodePage],
    takes: 'rows',
    most: MOST,
    when: canJoin('sync'),
    tells: rows => [
      ['从企微重新读取 {n} 个群活码的群与人数', 'The chats of {n} codes are read from WeCom anew'],
      { n: rows.length },
    ],
    input: idsOf,
    takenBack: 'again',
    alias: ['刷新群人数', 'sync group chats'],
  }),
  archive: row.row(calls.archive, ['归档', 'Archive'], {
    also: [joinCodePage],
    danger: true,
    when: canJoin('archive'),
    tells: ([of]) =>
      of && [
        [
          '近 7 天入群 {n} 人；归档后已印的码不能再用，不能恢复',
          '{n} joined in 7 days; what is printed will lead nowhere, and this can’t be undone',
        ],
        { n: of.joins_7d },
      ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  export: exportAction(calls.export, ['导出群活码', 'Export join codes'], at),
}
/** Those that the page of one code offers too. */
export const sharedJoinActions: readonly Action[] = [
  joinActions.switchNow,
  joinActions.addChat,
  joinActions.sortChat,
  joinActions.edit,
  joinActions.download,
  joinActions.sync,
  joinActions.pause,
  joinActions.resume,
  joinActions.archive,
]
/** What mends each thing that may be wrong with a code, where its list can mend it. */
export const joinRemedies: Readonly<Record<JoinFault, Action>> = {
  full: joinActions.addChat,
  owner_left: joinActions.open,
  dismissed: joinActions.addChat,
  refused: joinActions.edit,
}
export const joinFound = recordFinder({
  pages: [joinCodePage],
  hint: ['群活码名称或编号', 'By name or number'],
  find: calls.lst,
  asked: byKeyword,
  given: of => ({ type: 'wecom_join_way', id: of.id, row: of }),
  title: of => of.name,
  more: of => [of.mall_name || '未关联商场', of.mall_name || 'No mall'],
  byId: 'wecom_join_way',
})
