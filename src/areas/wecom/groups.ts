import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { staffStates, type groupStates, type StaffState } from './wecom.ts'

export type GroupState = keyof typeof groupStates
/** A chat that has room for so many or fewer is nearly full: its code leads to the next one. */
export const ROOM_LOW = 10
/** A chat in which nobody wrote for so long is silent (seconds). */
export const SILENT_AFTER = 7 * DAY
/** Days of the past that joins and leaves are kept for. */
export const STAT_DAYS = 180
/** Chats that one join code leads to, which is WeCom's own limit. */
export const JOIN_GROUPS_MOST = 5

/** What is wrong with a chat; a list has a tab for each. */
export const groupTabs = {
  owner_left: ['群主已离职', 'Owner left'],
  full: ['满员或将满', 'Full or nearly'],
  silent: ['7 天无消息', 'Silent 7 days'],
  unbound: ['未关联商场', 'No mall'],
} as const satisfies Record<string, Text>
export type GroupTab = keyof typeof groupTabs

/** Parts of the people of a chat. */
export const memberTabs = {
  customers: ['客户', 'Customers'],
  staff: ['员工', 'Colleagues'],
  unmatched: ['未关联会员', 'No member'],
  several: ['多群重复', 'In several'],
  suspect: ['疑似广告', 'Suspected spam'],
  left: ['已退群', 'Left'],
} as const satisfies Record<string, Text>
export type MemberTab = keyof typeof memberTabs
/** Somebody who is nobody's contact and sits in so many chats is looked at as an advertiser. */
export const SUSPECT_GROUPS = 3

export const joinStates = {
  enabled: ['使用中', 'In use'],
  full: ['全部已满', 'All are full'],
  paused: ['已暂停', 'Paused'],
  archived: ['已归档', 'Archived'],
} as const satisfies Record<string, Text>
export type JoinState = keyof typeof joinStates
/** Why a join code turned to another chat. */
export const switchReasons = {
  set: ['设置活码', 'Set'],
  full: ['群将满', 'Nearly full'],
  owner_left: ['群主离职', 'Owner left'],
  dismissed: ['群已解散', 'Dismissed'],
  manual: ['手动切换', 'Manual'],
  removed: ['移出轮换', 'Taken out'],
  created: ['企微自动建群', 'Made by WeCom'],
} as const satisfies Record<string, Text>
export type SwitchReason = keyof typeof switchReasons

type Fill = { member_count: number; max_members: number }
export const roomOf = ({ member_count, max_members }: Fill): number => max_members - member_count
/**
 * Why no more people should be led into a chat, which has so many places left or fewer; undefined
 * while it takes them.
 */
export const closedBy = (
  of: Fill & { status: GroupState },
  room_low: number = ROOM_LOW,
): 'dismissed' | 'owner_left' | 'full' | undefined => {
  if (of.status === 'dismissed') return 'dismissed'
  if (of.status === 'owner_left') return 'owner_left'
  return roomOf(of) <= room_low ? 'full' : undefined
}

type Facts = Fill & {
  status: GroupState
  mall_id: number | null
  last_active_at: number | null
}
/** What is wrong with a chat at a moment (unix seconds), the worst first; none of a dismissed one. */
export const faultsOf = (of: Facts, now: number): GroupTab[] => {
  if (of.status === 'dismissed') return []
  return (
    [
      ['owner_left', of.status === 'owner_left'],
      ['full', roomOf(of) <= ROOM_LOW],
      ['silent', (of.last_active_at ?? 0) < now - SILENT_AFTER],
      ['unbound', of.mall_id === null],
    ] as const
  ).flatMap(([fault, is]) => (is ? [fault] : []))
}

const groupVerbs = [
  'inherit',
  'changeOwner',
  'setJoinCode',
  'bindMall',
  'sendMass',
  'tagGroup',
  'editNotice',
  'matchMembers',
  'markDuplicate',
  'removeRemind',
] as const
export type GroupVerb = (typeof groupVerbs)[number]
type Asked = {
  status: GroupState
  owner: { status: StaffState } | null
  /** People in it who are no colleagues. */
  customer_count?: number
  join?: { work: 'waiting' | 'done' | 'failed' } | null
}
const unknownOwner: Text = [
  '群主不在通讯录中，请先同步通讯录',
  'The owner is not in the directory: sync that first',
]
const handed = ({ owner, status }: Asked): true | Text => {
  if (status === 'transferring') return ['群正在转接中', 'The chat is being handed over']
  return owner !== null || unknownOwner
}
const inService = ({ owner }: Asked): true | Text => {
  if (owner === null) return unknownOwner
  return (
    owner.status === 'active' || [
      `群主${staffStates[owner.status][0]}，请先更换群主`,
      'The owner is not in service: change the owner first',
    ]
  )
}
const anyCustomer = ({ customer_count = 1 }: Asked): true | Text =>
  customer_count > 0 || ['群内没有客户', 'No customer is in the chat']
const free = (): true => true
const rules: Readonly<Record<GroupVerb, (of: Asked) => true | Text>> = {
  inherit: of => {
    const may = handed(of)
    if (may !== true) return may
    return (
      of.owner!.status === 'left' || [
        '群主在职，请使用更换群主',
        'The owner is in service: change the owner instead',
      ]
    )
  },
  changeOwner: of => {
    const may = handed(of)
    if (may !== true) return may
    return (
      of.owner!.status !== 'left' || [
        '群主已离职，请使用离职群继承',
        'The owner has left: hand the chat down instead',
      ]
    )
  },
  setJoinCode: of => {
    if (of.status === 'owner_left') return ['群主已离职，请先继承', 'Hand the chat down first']
    return of.join?.work !== 'waiting' || ['活码正在写入企微', 'The code is on its way to WeCom']
  },
  bindMall: free,
  sendMass: inService,
  tagGroup: free,
  editNotice: free,
  matchMembers: anyCustomer,
  markDuplicate: anyCustomer,
  removeRemind: of => {
    const may = anyCustomer(of)
    return may === true ? inService(of) : may
  },
}
/** Whether that can be done with a chat now: true, or why not. A dismissed one is only looked at. */
export const groupCan = (verb: GroupVerb, of: Asked): true | Text =>
  of.status === 'dismissed' ? ['群已解散，仅可查看', 'The chat was dismissed'] : rules[verb](of)
