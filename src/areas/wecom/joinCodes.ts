import type { Text } from '#src/domain/text.ts'
import {
  closedBy,
  JOIN_GROUPS_MOST,
  roomOf,
  type GroupState,
  type JoinState,
  type SwitchReason,
} from './groups.ts'

/** Places that may be left at most when a code turns to the next chat. */
export const ROOM_LOW_MOST = 100
/** Numbers of chats that WeCom makes end here. */
export const BASE_ID_MOST = 99_999

/** What is wrong with a code; its list has a tab for each. */
export const joinFaults = {
  full: ['全部已满', 'All are full'],
  owner_left: ['群主离职', 'Owner left'],
  dismissed: ['群已解散', 'Dismissed'],
  refused: ['企微拒绝', 'Rejected by WeCom'],
} as const satisfies Record<string, Text>
export type JoinFault = keyof typeof joinFaults

type Chat = { id: number; member_count: number; max_members: number; status: GroupState }
/** Chats from one of them on, and round at the end. */
const turned = <C extends { id: number }>(chats: readonly C[], from: number): C[] => {
  const at = Math.max(
    0,
    chats.findIndex(one => one.id === from),
  )
  return [...chats.slice(at), ...chats.slice(0, at)]
}
type Turn = { current: number; room_low: number }
/**
 * The chats that people may be led into, the one whose turn it is first: those with more than
 * `room_low` places left, and where none has, those with any.
 */
export const openChats = <C extends Chat>(
  chats: readonly C[],
  { current, room_low }: Turn,
): C[] => {
  const open = turned(chats, current).filter(one => closedBy(one, 0) === undefined)
  const above = open.filter(one => roomOf(one) > room_low)
  return above.length > 0 ? above : open
}
/**
 * The chat that a code leads to: from its current one on, in their order and round at the end, the
 * first that has more than `room_low` places left, and where none has, the first with any. Undefined
 * where all are full, without an owner or dismissed.
 */
export const leadsTo = <C extends Chat>(chats: readonly C[], turn: Turn): C | undefined =>
  openChats(chats, turn)[0]
/** Why a code may not be turned to one of its chats by hand, or true. */
export const mayTurnTo = <C extends Chat>(
  chats: readonly C[],
  { to, current, room_low }: Turn & { to: C },
): true | Text => {
  if (to.id === current) return ['活码已指向该群', 'The code leads there already']
  const closed = closedBy(to, 0)
  if (closed === 'dismissed') return ['群已解散，不能切换', 'It was dismissed']
  if (closed === 'owner_left')
    return ['群主已离职，请先转让群主', 'Its owner has left: give it a new one first']
  if (closed) return ['群已满员，不能切换', 'The chat is full']
  return (
    leadsTo(chats, { current: to.id, room_low })?.id === to.id || [
      `群只剩 ${roomOf(to)} 个空位，已到切换线；请选空位更多的群`,
      `Only ${roomOf(to)} places are left, so it would turn away at once: choose one with more room`,
    ]
  )
}

type Facts = {
  status: JoinState
  work: 'waiting' | 'done' | 'failed'
  chats: readonly { status: GroupState }[]
}
/** What is wrong with a code, the worst first; nothing is with one that is archived. */
export const joinFaultsOf = ({ status, work, chats }: Facts): JoinFault[] => {
  if (status === 'archived') return []
  const any = (state: GroupState) => chats.some(one => one.status === state)
  return (
    [
      ['full', status === 'full'],
      ['owner_left', any('owner_left')],
      ['dismissed', any('dismissed')],
      ['refused', work === 'failed'],
    ] as const
  ).flatMap(([fault, is]) => (is ? [fault] : []))
}

/** The number of a chat that WeCom made by a name; undefined for any other name. */
const numberIn = (base: string, name: string): number | undefined => {
  const rest = base !== '' && name.startsWith(base) ? name.slice(base.length).trim() : ''
  return /^\d{1,5}$/.test(rest) ? Number(rest) : undefined
}
/**
 * The number of the next chat that WeCom makes: above every one that a chat of that name had, and
 * never below what it was.
 */
export const nextBaseId = (
  { base_name, base_id }: { base_name: string; base_id: number },
  names: readonly string[],
): number =>
  names.reduce((next, name) => Math.max(next, (numberIn(base_name, name) ?? 0) + 1), base_id)
/**
 * The chats of a code once WeCom has made further ones, five at most: what is closed and is not
 * the current one gives way first, then the oldest. The new ones come last.
 */
export const withRooms = <C extends Chat>(
  chats: readonly C[],
  { fresh, current }: { fresh: readonly C[]; current: number },
): C[] => {
  const all = [...chats, ...fresh.filter(one => chats.every(own => own.id !== one.id))]
  let over = all.length - JOIN_GROUPS_MOST
  const drops = (one: C) => over > 0 && one.id !== current && over-- > 0
  const open = all.filter(one => !(closedBy(one, 0) !== undefined && drops(one)))
  return open.filter(one => !drops(one))
}

const joinVerbs = [
  'edit',
  'addChat',
  'sortChat',
  'switchNow',
  'removeChat',
  'pause',
  'resume',
  'archive',
  'download',
  'sync',
] as const
export type JoinVerb = (typeof joinVerbs)[number]
type Standing = { status: JoinState; has_qr: boolean; chats: readonly unknown[] }
const archived: Text = ['活码已归档，不能再修改', 'It is archived and stays as it is']
const used = ({ status }: Standing): boolean => status === 'enabled' || status === 'full'
const several = ({ chats }: Standing): true | Text =>
  chats.length > 1 || ['只有一个群，请先追加群', 'There is one chat only: add another first']
const rules: Partial<Readonly<Record<JoinVerb, (of: Standing) => true | Text>>> = {
  addChat: ({ chats }) =>
    chats.length < JOIN_GROUPS_MOST || [
      '已有 5 个群，请先移出一个',
      'It has five chats: take one out first',
    ],
  sortChat: several,
  removeChat: several,
  switchNow: of =>
    used(of) ? several(of) : ['活码已暂停，请先恢复', 'It is paused: resume it first'],
  pause: of => used(of) || ['活码已暂停', 'It is paused already'],
  resume: ({ status }) =>
    status === 'paused' || ['只有已暂停的活码可以恢复', 'Only a paused code can be resumed'],
  download: ({ has_qr }) =>
    has_qr || ['二维码生成中，请稍候', 'WeCom is making the code: wait for it'],
}
/** Whether that can be done with a code now: true, or why not. */
export const joinCan = (verb: JoinVerb, of: Standing): true | Text => {
  if (of.status === 'archived') return archived
  return rules[verb]?.(of) ?? true
}
/** Why a code turned away from a chat that took no more people. */
export const turnedBy = (current: Chat | undefined): SwitchReason => {
  const closed = current ? closedBy(current, 0) : 'dismissed'
  return closed ?? 'full'
}
