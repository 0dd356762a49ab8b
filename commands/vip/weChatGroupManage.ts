import { groupCan, roomOf, type GroupTab, type GroupVerb } from '#src/areas/wecom/groups.ts'
import { aside, say, type Lang } from '#src/domain/text.ts'
import {
  groupRow,
  groupsPage as calls,
  type GroupRow,
} from '#src/modules/vip/contract/weChatGroupManage.ts'
import { ask, to, type Action, type Told } from '../command.ts'
import { groupPage, groupsPage as at } from '../pages/vip.ts'
import { mallAsk } from '../places.ts'
import { asking, exportAction, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(at, groupRow)
export const canGroup = (verb: GroupVerb) => (of: GroupRow) => groupCan(verb, of)
const owner = ask.entity({
  label: ['新群主', 'New owner'],
  find: calls.owners,
  given: ([of]: readonly GroupRow[]) => ({
    ...(of?.owner && { but: of.owner.id }),
    ...(of?.mall_id && { mall_id: of.mall_id }),
  }),
  labelOf: (of: { name: string; place: string; group_count: number }, lang: Lang) =>
    `${of.name}${say(aside, lang, { it: `${of.place && `${of.place} · `}${of.group_count}` })}`,
  by: ['姓名或企微账号', 'name or WeCom account'],
  field: 'owner',
  none: ['没有可接任的成员', 'No one can take it over'],
  hint: [
    '在职且已开通客户联系；括号内为商场与现有群数，同商场在前；每人每日最多接收 300 个群',
    'Active staff with customer contact; mall and current groups in brackets, same mall first. At most 300 groups a day per person',
  ],
})
const ownerNow = ([of]: readonly GroupRow[]): Told | undefined =>
  of && [
    ['“{name}”{n} 人，现群主 {who}', '{name}: {n} people, owner {who}'],
    { name: of.name, n: of.member_count, who: of.owner?.name ?? '—' },
  ]
const roomNow = ([of]: readonly GroupRow[]): Told | undefined =>
  of && [
    [
      '本群还可加入 {n} 人；剩 10 个空位时自动切换到接续群',
      'Room for {n} more; with 10 places left the code switches to the next group',
    ],
    { n: roomOf(of) },
  ]
const massesNow = ([of]: readonly GroupRow[]): Told | undefined =>
  of && [
    [
      '“{name}”本月已群发 {n} 次；每群每月最多为当月天数',
      '{name} had {n} mass messages this month; at most one per day of the month',
    ],
    { name: of.name, n: of.mass_count },
  ]

/** What is done with group chats: the remedy of what is wrong with each comes first. */
export const groupActions = {
  inherit: row.row(calls.inherit, ['离职群继承', 'Reassign the group'], {
    key: 'i',
    also: [groupPage],
    main: true,
    when: canGroup('inherit'),
    tells: ownerNow,
    asks: { to_staff_id: owner },
    input: asking(asked => asked),
  }),
  bindMall: row.row(calls.bindMall, ['关联商场', 'Link a mall'], {
    key: 'b',
    also: [groupPage],
    main: true,
    when: canGroup('bindMall'),
    asks: {
      mid: mallAsk({
        field: 'mall_id',
        initial: ([of]) => of?.mall_id ?? undefined,
        hint: [
          '未关联商场的群仅总部可见',
          'Groups without a mall are visible to headquarters only',
        ],
      }),
    },
    input: asking(asked => asked),
  }),
  setJoinCode: row.row(calls.setJoinCode, ['配置入群活码', 'Set the join code'], {
    key: 'q',
    also: [groupPage],
    main: true,
    when: canGroup('setJoinCode'),
    tells: roomNow,
    asks: {
      next_ids: ask.entities({
        label: ['接续群', 'Next groups'],
        max: 4,
        optional: true,
        find: calls.nexts,
        given: rows => ({ of: rows[0]?.id }),
        labelOf: (of: { name: string; member_count: number; max_members: number }, lang: Lang) =>
          `${of.name}${say(aside, lang, { it: `${of.member_count}/${of.max_members}` })}`,
        field: 'join_code',
        initial: ([of]: readonly GroupRow[]) =>
          of?.join?.chats.filter(one => one.id !== of.id).map(one => one.id),
        named: ([of]: readonly GroupRow[]) =>
          Object.fromEntries(of?.join?.chats.map(one => [one.id, one.name]) ?? []),
        hint: [
          '本群将满后按此顺序切换，最多 4 个；仅同商场、有空位的群',
          'Switched to in this order as groups fill up; at most 4, same mall, with room',
        ],
        none: ['同商场没有其他可接续的群', 'No other group of the mall has room'],
      }),
      auto_create: ask.flag({
        label: ['全部满员后由企微自动建群', 'WeCom creates new groups once all are full'],
        initial: ([of]: readonly GroupRow[]) => of?.join?.auto_create ?? false,
      }),
      room_base_name: ask.text({
        label: ['新群名称', 'New group name'],
        max: 20,
        shown: ({ auto_create }: { auto_create?: boolean }) => auto_create === true,
        initial: ([of]: readonly GroupRow[]) => of?.join?.base_name || of?.name.slice(0, 20),
        hint: ['企微在名称后自动编号', 'WeCom numbers them automatically'],
      }),
    },
    input: asking(({ next_ids, auto_create, room_base_name }) => ({
      auto_create,
      next_ids: next_ids ?? [],
      ...(auto_create && { room_base_name }),
    })),
  }),
  sendMass: row.row(calls.sendMass, ['群发到群', 'Message the group'], {
    key: 'p',
    also: [groupPage],
    main: true,
    when: canGroup('sendMass'),
    tells: massesNow,
    asks: {
      content: ask.text({ label: ['内容', 'Text'], max: 1000, lines: 4, field: 'mass' }),
      schedule_at: ask.time({
        label: ['发送时间', 'Send time'],
        optional: true,
        field: 'send_at',
        hint: [
          '留空为立即；由群主在企微确认后发出',
          'Empty: now; sent once the owner confirms in WeCom',
        ],
      }),
    },
    input: asking(({ content, schedule_at }) => ({
      content,
      ...(schedule_at && { schedule_at }),
    })),
  }),
  open: row.row('vip.weChatGroupManage.open', ['打开社群', 'Open the group'], {
    key: 'o',
    main: true,
    permit: groupPage.permit,
    to: rows => to(groupPage, { id: rows[0]!.id }),
    takenBack: 'nothing',
  }),
  changeOwner: row.row(calls.changeOwner, ['更换群主', 'Change owner'], {
    key: 'c',
    also: [groupPage],
    when: canGroup('changeOwner'),
    tells: ownerNow,
    asks: { to_staff_id: owner, reason },
    input: asking(asked => asked),
  }),
  tagGroup: row.row(calls.tagGroup, ['设置群标签', 'Tag the group'], {
    key: 't',
    also: [groupPage],
    when: canGroup('tagGroup'),
    asks: {
      tag_ids: ask.entities({
        label: ['群标签', 'Tags'],
        max: 20,
        optional: true,
        find: calls.tags,
        labelOf: (of: { name: string; group: string }) => `${of.group} / ${of.name}`,
        field: 'group_tags',
        initial: ([of]: readonly GroupRow[]) => of?.tags.map(tag => tag.id),
        named: ([of]: readonly GroupRow[]) =>
          Object.fromEntries(of?.tags.map(tag => [tag.id, tag.name]) ?? []),
      }),
    },
    input: asking(({ tag_ids }) => ({ tag_ids: tag_ids ?? [] })),
  }),
  sync: pageAction(calls.sync, ['同步客户群', 'Sync groups'], at, {
    key: 's',
    input: () => ({}),
    takenBack: 'again',
    alias: ['刷新客户群', 'sync group chats'],
  }),
  export: exportAction(calls.export, ['导出社群', 'Export the groups'], at),
}
/** Those that the page of one chat offers too. */
export const sharedGroupActions: readonly Action[] = [
  groupActions.inherit,
  groupActions.bindMall,
  groupActions.setJoinCode,
  groupActions.sendMass,
  groupActions.changeOwner,
  groupActions.tagGroup,
]
/** What mends each thing that may be wrong with a chat. */
export const remedies: Readonly<Record<GroupTab, Action>> = {
  owner_left: groupActions.inherit,
  full: groupActions.setJoinCode,
  silent: groupActions.sendMass,
  unbound: groupActions.bindMall,
}
