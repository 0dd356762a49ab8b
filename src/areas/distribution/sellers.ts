import type { Text } from '#src/domain/text.ts'

/** The kinds of people and stores that sell for the mall (domain B, distributor). */
export const sellerKinds = {
  expert: ['达人', 'Expert'],
  guide: ['导购', 'Store guide'],
  store: ['分销门店', 'Distributing store'],
} as const satisfies Record<string, Text>
export type SellerKind = keyof typeof sellerKinds

export const sellerStates = {
  pending: ['待审核', 'Applied'],
  active: ['正常', 'Active'],
  frozen: ['已冻结', 'Frozen'],
  quit: ['已清退', 'Quit'],
  rejected: ['已驳回', 'Rejected'],
} as const satisfies Record<string, Text>
export type SellerState = keyof typeof sellerStates

export const groupStates = {
  active: ['正常', 'Active'],
  dissolved: ['已解散', 'Dissolved'],
  merged: ['已合并', 'Merged'],
} as const satisfies Record<string, Text>
export type GroupState = keyof typeof groupStates

export const inviteStates = {
  active: ['待使用', 'Open'],
  used: ['已使用', 'Used'],
  stopped: ['已停用', 'Stopped'],
  expired: ['已过期', 'Expired'],
} as const satisfies Record<string, Text>
export type InviteState = keyof typeof inviteStates

/** The levels of sellers; level n counts from 1. */
export const LEVELS = 5

/** What is done with a seller. */
export type SellerVerb =
  | 'approve'
  | 'reject'
  | 'setLevel'
  | 'setGroup'
  | 'freeze'
  | 'unfreeze'
  | 'quit'
  | 'change'
const from: Readonly<Record<SellerVerb, readonly SellerState[]>> = {
  approve: ['pending'],
  reject: ['pending'],
  setLevel: ['active', 'frozen'],
  setGroup: ['active'],
  freeze: ['active'],
  unfreeze: ['frozen'],
  quit: ['active', 'frozen'],
  change: ['active', 'frozen'],
}
const whyNot: Readonly<Record<SellerVerb, Text>> = {
  approve: ['只有待审核的申请可以通过', 'Only an application is approved'],
  reject: ['只有待审核的申请可以驳回', 'Only an application is rejected'],
  setLevel: ['只有正常或已冻结的分销员有等级', 'Only an active or frozen seller has a level'],
  setGroup: ['只有正常的分销员可以加入团队', 'Only an active seller joins a team'],
  freeze: ['只有正常的分销员可以冻结', 'Only an active seller is frozen'],
  unfreeze: ['只有已冻结的分销员可以恢复', 'Only a frozen seller is given back'],
  quit: ['只有正常或已冻结的分销员可以清退', 'Only an active or frozen seller quits'],
  change: ['只有正常或已冻结的分销员可以修改', 'Only an active or frozen seller is changed'],
}
type Facts = { kind: SellerKind; status: SellerState; is_leader: boolean; quitting: boolean }
/** True, or why a seller of this state can't have it. */
export const sellerCan = (verb: SellerVerb, row: Facts): true | Text => {
  if (!from[verb].includes(row.status)) return whyNot[verb]
  if (row.quitting && verb !== 'freeze' && verb !== 'unfreeze')
    return ['正在等待清退', 'It waits to quit']
  if (verb === 'setGroup' && row.kind !== 'expert')
    return ['只有达人可以加入团队', 'Only an expert joins a team']
  if (verb === 'setGroup' && row.is_leader)
    return [
      '团长不能调到其他团队，请先更换团长',
      'A leader sits in no other team: name another leader first',
    ]
  if (verb === 'quit' && row.is_leader)
    return [
      '团长须先更换团长或解散团队才能清退',
      'A leader quits once the team has another leader, or none',
    ]
  return true
}
/** Whether a seller earns of orders made now, and whether customers are bound to it. */
export const sells = (row: { status: SellerState; quitting: boolean; paused: boolean }): boolean =>
  row.status === 'active' && !row.quitting && !row.paused

/** Sales stopped for so long: what the list calls idle. */
export const IDLE_DAYS = 30
/** From this share of what was sold on, refunds are many (percent). */
export const REFUNDS_MANY_PERCENT = 20
/** What refunds are of sales, in basis points; 0 before the first sale. */
export const refundBp = (row: { gmv_cents: number; refunded_cents: number }): number =>
  row.gmv_cents > 0 ? Math.round((row.refunded_cents * 10_000) / row.gmv_cents) : 0

export const adjustStates = {
  pending: ['待复核', 'Waits'],
  posted: ['已入账', 'Posted'],
  rejected: ['已驳回', 'Rejected'],
} as const satisfies Record<string, Text>
export type AdjustState = keyof typeof adjustStates
/** An adjustment of commission beyond so many cents needs a second person. */
export const ADJUST_ALONE_CENTS = 100_000

/** What became of an invitation's message to a phone. */
export const smsStates = {
  none: ['未发送', 'None'],
  queued: ['待发送', 'Queued'],
  sent: ['已发送', 'Sent'],
  failed: ['发送失败', 'Failed'],
} as const satisfies Record<string, Text>
export type SmsState = keyof typeof smsStates

/** The levels in words, by their number. */
export const levels: Readonly<Record<string, Text>> = Object.fromEntries(
  Array.from({ length: LEVELS }, (_, at) => [String(at + 1), [`${at + 1} 级`, `Level ${at + 1}`]]),
)
/** The most that a seller of a level earns on top of what goods pay, in basis points. */
const plusMost = [50, 100, 150, 200, 300]
export const plusMostBp = (level_no: number): number => plusMost[level_no - 1] ?? 0
type AdjustFacts = { state: AdjustState; maker_id: number; maker?: string | undefined }
/** True, or why a person can't decide on an adjustment: another than its maker does. */
export const mayDecideAdjust = (row: AdjustFacts | null, staff_id: number): true | Text => {
  if (row === null || row.state !== 'pending')
    return ['没有待复核的佣金调整', 'No adjustment of commission waits']
  if (row.maker_id === staff_id)
    return ['这是你提交的调整，须由另一人复核', 'You asked for it: another person decides on it']
  return true
}

/** The most members that a team has whose leader is of a level. */
const teamMost = [30, 50, 80, 120, 200]
export const teamMostOf = (leader_level: number): number => teamMost[leader_level - 1] ?? 0
/** The most that a leader earns of its members' sales, in basis points. */
export const LEADER_MOST_BP = 1000

/** True, or why a team can't have it. */
export const teamCan = (row: { status: GroupState }): true | Text => {
  if (row.status === 'merged') return ['团队已合并', 'The team is merged']
  return row.status === 'active' || ['团队已解散', 'The team is dissolved']
}
