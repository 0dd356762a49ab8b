import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { PullFlag, PullRecordState, PullState } from './pull.ts'

/** A scan counts for whoever was scanned last within so long before the first ticket. */
export const SCAN_S = 7 * DAY
/** A second purchase counts within so long after the first. */
export const SECOND_S = 30 * DAY
/** A device with more accounts than this is marked. */
const ACCOUNTS_A_DEVICE = 3
export const QUOTA_MOST = 100_000

type Costs = { quota: number; subsidy_cents: number; reward_cents: number }
/** budget = quota × (subsidy + reward): the most that a campaign can cost (cents). */
export const budgetOf = ({ quota, subsidy_cents, reward_cents }: Costs): number =>
  quota * (subsidy_cents + reward_cents)
/** What a campaign says in one sentence. */
export const pullSentence = (of: Costs & { price_cents: number; quota_day: number }): Text => {
  const [price, subsidy, reward, budget] = [
    of.price_cents,
    of.subsidy_cents,
    of.reward_cents,
    budgetOf(of),
  ].map(yuan)
  return [
    `新客首张影票 ${price} 元，平台每张最多补 ${subsidy} 元；每带来一位有效新客奖励推广人 ${reward} 元；共 ${of.quota} 个名额、每天最多 ${of.quota_day} 个，最多花费 ${budget} 元`,
    `New buyers pay ¥${price} for a first ticket, subsidised by up to ¥${subsidy}; referrers get ¥${reward}; ${of.quota} places, up to ${of.quota_day} a day, for ¥${budget} at most`,
  ]
}

export type PullVerb =
  | 'edit'
  | 'submit'
  | 'approve'
  | 'reject'
  | 'start'
  | 'pause'
  | 'end'
  | 'addQuota'
  | 'addPromoters'
  | 'genCodes'
const from: Readonly<Record<PullVerb, readonly PullState[]>> = {
  edit: ['draft', 'rejected', 'waiting', 'running', 'paused'],
  submit: ['draft', 'rejected'],
  approve: ['auditing'],
  reject: ['auditing'],
  start: ['waiting', 'paused'],
  pause: ['running'],
  end: ['running', 'paused'],
  addQuota: ['waiting', 'running', 'paused'],
  addPromoters: ['draft', 'rejected', 'waiting', 'running', 'paused'],
  genCodes: ['waiting', 'running', 'paused'],
}
const whyNot: Readonly<Record<PullVerb, Text>> = {
  edit: ['审核中或已结束的活动不能修改', 'What is being approved or over is not changed'],
  submit: ['只有草稿或已驳回的活动可以提交', 'Only a draft or a rejected one is submitted'],
  approve: ['只有待审核的活动可以通过', 'Only what waits for approval is approved'],
  reject: ['只有待审核的活动可以驳回', 'Only what waits for approval is rejected'],
  start: ['只有待开始或已暂停的活动可以开始', 'Only what waits or is paused is started'],
  pause: ['只有进行中的活动可以暂停', 'Only a running one is paused'],
  end: ['只有进行中或已暂停的活动可以结束', 'Only what runs or is paused is ended'],
  addQuota: ['通过审核后才能追加名额', 'Places are added once it is approved'],
  addPromoters: ['审核中或已结束的活动不能加推广人', 'Nobody joins what is being approved or over'],
  genCodes: ['通过审核后才能生成推广码', 'Codes are made once it is approved'],
}
/** True, or why a campaign of this state can't have it. */
export const pullCan = (verb: PullVerb, { status }: { status: PullState }): true | Text =>
  from[verb].includes(status) || whyNot[verb]

/** Why a referral looks made up. `accounts`: how many members used its device. */
export const flagsOf = (of: {
  member_id: number | null
  promoter_member_id: number | null
  accounts: number
}): PullFlag[] => [
  ...(of.member_id !== null && of.member_id === of.promoter_member_id
    ? (['self_scan'] as const)
    : []),
  ...(of.accounts > ACCOUNTS_A_DEVICE ? (['same_device'] as const) : []),
]

/** What a record went through, whatever became of it since. */
export type PullSteps = {
  register_at: number | null
  ticketed_at: number | null
  valid_at: number | null
  second_paid_at: number | null
  status: PullRecordState
}
/** The steps that a record counts for: each is a part of the one before, so a funnel only narrows. */
export const stepsOf = (of: PullSteps) => {
  const registered = of.register_at !== null
  const ticketed = registered && of.ticketed_at !== null
  const valid = ticketed && of.valid_at !== null && of.status !== 'void'
  const second =
    valid && of.second_paid_at !== null && of.second_paid_at <= of.ticketed_at! + SECOND_S
  return { registered, ticketed, valid, second }
}
