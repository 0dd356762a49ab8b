import {
  alphabets,
  CODE_MAX,
  CODE_MIN,
  SPACE_PER_CODE,
  strengthOf,
  type Alphabet,
} from '#src/areas/secret/secretCode.ts'
import { yuan } from '#src/domain/money.ts'
import { joined, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { cardFaults, type RewardCard } from './card.ts'
import { goodsFaults } from './goods.ts'
import { membershipFaults, type RewardPlan } from './membership.ts'
import type { CardPromise } from './promises.ts'

export const codeKinds = {
  once: ['一次性码', 'One-time'],
  shared: ['通用码', 'Shared'],
  per_phone: ['一号一码', 'Per-phone'],
} as const satisfies Record<string, Text>
export type CodeKind = keyof typeof codeKinds
export const bearers = {
  platform: ['平台', 'Platform'],
  partner: ['合作方', 'Partner'],
  merchant: ['商户', 'Merchant'],
} as const satisfies Record<string, Text>
export type Bearer = keyof typeof bearers
/** How a batch stands; that it has not begun or is over is told by its period. */
export const batchStates = {
  draft: ['草稿', 'Draft'],
  auditing: ['待审核', 'In audit'],
  running: ['启用', 'Running'],
  paused: ['已停用', 'Paused'],
  ended: ['已结束', 'Ended'],
} as const satisfies Record<string, Text>
export type BatchState = keyof typeof batchStates
export const codeStates = {
  unused: ['未使用', 'Unused'],
  redeemed: ['已兑换', 'Redeemed'],
  voided: ['已作废', 'Void'],
} as const satisfies Record<string, Text>
export type CodeState = keyof typeof codeStates
export const runKinds = {
  generate: ['生成', 'Generated'],
  import: ['导入', 'Imported'],
  void: ['作废', 'Voided'],
} as const satisfies Record<string, Text>
export const redeemResults = {
  ok: ['成功', 'Redeemed'],
  unknown: ['码不存在', 'No such code'],
  used: ['已使用', 'Used'],
  voided: ['已作废', 'Void'],
  expired: ['已过期', 'Expired'],
  not_started: ['未开始', 'Not begun'],
  stopped: ['批次停用', 'Batch stopped'],
  wrong_mall: ['商场不符', 'Wrong mall'],
  limit: ['超出限制', 'Beyond a limit'],
  locked: ['已锁定', 'Locked'],
  no_reward: ['奖励不足', 'No reward left'],
} as const satisfies Record<string, Text>
export type RedeemResult = keyof typeof redeemResults
/** Where a try came from. */
export const redeemWays = {
  mini: ['小程序', 'Mini-program'],
  desk: ['核验台', 'Desk'],
  api: ['合作方接口', 'Partner API'],
} as const satisfies Record<string, Text>
export type RedeemWay = keyof typeof redeemWays
/** What rewards there are; draws have no home in the product yet. */
export const rewardKinds = {
  coupon: ['优惠券', 'Coupon'],
  points: ['积分', 'Points'],
  goods: ['实物奖品', 'Prize'],
  card: ['电子卡', 'E-card'],
  film: ['影票', 'Film ticket'],
  membership: ['会员时长', 'Membership days'],
} as const satisfies Record<string, Text>
export type RewardKind = keyof typeof rewardKinds
export const QUANTITY_MAX = 1_000_000
/** Codes in one encrypted file. */
export const EXPORT_MOST = 100_000
export const PASTED_MOST = 500
/** Codes that one person looks up in a minute. */
export const LOOKUPS_A_MINUTE = 1200
export const UNDO_S = 600
export const WRONG_MAX = 5
/** A partner's server passes on what all its customers type: its address may be wrong more often. */
export const WRONG_OF_PARTNER_MAX = 50
export const WRONG_WINDOW_S = 600
export const LOCK_S = 3600
/** What a point costs whoever bears it, in cents. */
const POINT_CENTS = 1
/** Points of a whole batch that finance has to agree to. */
export const FINANCE_POINTS = 1_000_000

/** What an audit has to let through once more. */
export type Amendment = {
  by: number
  at: number
  reason: string
  set: Partial<Pick<BatchTerms, 'name' | 'note' | 'end_at' | 'quantity' | 'budget_cents' | Limit>>
}
type Limit = 'use_limit' | 'limit_member' | 'limit_phone' | 'limit_device'
export type BatchTerms = {
  name: string
  partner: string
  contract_no: string
  code_kind: CodeKind
  alphabet: Alphabet
  length: number
  prefix: string
  quantity: number
  start_at: number
  end_at: number
  use_limit: number | null
  limit_member: number | null
  limit_phone: number | null
  limit_device: number | null
  new_only: boolean
  mall_ids: number[]
  bearer: Bearer
  coupon_ids: number[]
  points: number
  points_days: number
  /** What the counter hands over, one a code; '' for no prize. */
  goods: string
  goods_cents: number
  /** A plan of which every code gives so many days; null and 0 for none. */
  vip_card_id: number | null
  vip_days: number
  /** The cost of these days, as the plan cost when the batch was submitted. */
  vip_cents: number
  /** A face of an e-card of which every code gives one; null for none. */
  ecard_attr_id: number | null
  /** What one costs, as it did when the batch was submitted. */
  ecard_cents: number
  budget_cents: number
  note: string
}
/** A coupon as a batch promises it. */
export type RewardCoupon = {
  id: number
  name: string
  status: string
  cost_cents: number
  /** What it pays of a film ticket at most; null where it is no film ticket. */
  film_cents: number | null
  /** So many of it can still be claimed. */ left: number
  /** Its own end of use; null where it counts from the day it is claimed. */ use_end_at:
    | number
    | null
}
export type Faults<K extends string = string> = Partial<Record<K, Text>>

/** What all rewards of one code cost, in cents. */
export const unitCost = (
  {
    points,
    goods_cents,
    vip_cents,
    ecard_cents,
  }: Pick<BatchTerms, 'points' | 'goods_cents' | 'vip_cents' | 'ecard_cents'>,
  coupons: readonly RewardCoupon[],
): number =>
  points * POINT_CENTS +
  goods_cents +
  vip_cents +
  ecard_cents +
  coupons.reduce((sum, one) => sum + one.cost_cents, 0)
/** How often all codes of a batch can give their reward. */
export const rewardTimes = (of: Pick<BatchTerms, 'code_kind' | 'quantity' | 'use_limit'>): number =>
  of.quantity * (of.code_kind === 'shared' ? (of.use_limit ?? 1) : 1)

/** The faults of the form of the codes themselves. */
export const formFaults = (of: BatchTerms): Faults<keyof BatchTerms> => ({
  ...(of.length < CODE_MIN || of.length > CODE_MAX
    ? { length: [`码长 ${CODE_MIN} 至 ${CODE_MAX} 位`, `${CODE_MIN} to ${CODE_MAX} signs`] }
    : strengthOf(of, of.quantity) < SPACE_PER_CODE && {
        length: [
          '码空间不足数量的 100 万倍，容易被猜中：请增加码长或减少数量',
          'Fewer than a million codes for each that is: make them longer, or fewer',
        ],
      }),
  ...(![...of.prefix].every(sign => alphabets[of.alphabet].includes(sign)) && {
    prefix: [
      `前缀只能用 ${alphabets[of.alphabet]}，不含易混的 0 O 1 I L`,
      `A prefix is made of ${alphabets[of.alphabet]}, without 0 O 1 I L`,
    ],
  }),
})
const atCoupons = (one: RewardCoupon | undefined, zh: string, en: string): Faults<'coupon_ids'> =>
  one ? { coupon_ids: [`「${one.name}」${zh}`, `“${one.name}” ${en}`] } : {}
/** A coupon with an end of its own outlives the codes that give it. */
export const outliveFaults = (
  coupons: readonly RewardCoupon[],
  end_at: number,
): Faults<'coupon_ids'> =>
  atCoupons(
    coupons.find(one => one.use_end_at !== null && one.use_end_at < end_at),
    '在兑换码到期前就不能用了',
    'ends before the codes do',
  )
/** The faults of the coupons of a batch of which `gone` redemptions can't come any more. */
const couponFaults = (
  of: BatchTerms,
  coupons: readonly RewardCoupon[],
  gone: number,
): Faults<'coupon_ids'> => {
  const times = rewardTimes(of) - gone
  return {
    ...outliveFaults(coupons, of.end_at),
    ...atCoupons(
      coupons.find(one => one.left < times),
      '剩余张数不足以覆盖全部兑换',
      'does not suffice for all codes',
    ),
    ...atCoupons(
      coupons.find(one => one.status !== 'active'),
      '已不在发放，请更换',
      'is not given out any more: replace it',
    ),
  }
}
const givesNothing = (of: BatchTerms, coupons: readonly RewardCoupon[]): boolean =>
  coupons.length === 0 &&
  of.points === 0 &&
  of.goods === '' &&
  of.vip_card_id === null &&
  of.ecard_attr_id === null
type Promises = {
  now: number
  gone?: number
  plan?: RewardPlan | undefined
  card?: RewardCard | undefined
  /** Other batches that give the same card. */
  others?: readonly CardPromise[] | undefined
}
/**
 * The faults that keep a batch from being submitted, by field; `gone` is how many redemptions there
 * were or can't be any more.
 */
export const batchFaults = (
  of: BatchTerms,
  coupons: readonly RewardCoupon[],
  { now, gone = 0, plan, card, others }: Promises,
): Faults<keyof BatchTerms> => {
  const cost = unitCost(of, coupons) * rewardTimes(of)
  return {
    ...formFaults(of),
    ...(of.end_at <= of.start_at && { end_at: ['结束须晚于开始', 'Must be after the start'] }),
    ...(of.end_at > of.start_at &&
      of.end_at <= now && { end_at: ['结束时间已过', 'Its end has passed'] }),
    ...(of.code_kind === 'shared' &&
      !of.use_limit && { use_limit: ['通用码须填可用次数', 'A shared code needs a use limit'] }),
    ...(givesNothing(of, coupons) && {
      coupon_ids: [
        '请至少设置一项奖励：优惠券、影票、积分、电子卡、会员时长或实物奖品',
        'Give something: a coupon, a film ticket, points, an e-card, membership days or a prize',
      ],
    }),
    ...goodsFaults(of),
    ...membershipFaults(of, plan),
    ...cardFaults(of, card, { times: rewardTimes(of) - gone, others }),
    ...couponFaults(of, coupons, gone),
    ...(cost > of.budget_cents && {
      budget_cents: [
        `预计成本 ${yuan(cost)} 元，超出预算`,
        `It may cost ${yuan(cost)}, beyond the budget`,
      ],
    }),
  }
}
/** Points over the threshold wait for finance beside the audit. */
export const needsFinance = (
  of: Pick<BatchTerms, 'points' | 'code_kind' | 'quantity' | 'use_limit'>,
): boolean => of.points * rewardTimes(of) > FINANCE_POINTS

const looser = (was: number | null, next: number | null | undefined): boolean =>
  next === undefined || next === null || (was !== null && next >= was)
/** The faults of a change of an approved batch: it never becomes stricter, shorter or smaller. */
export const amendFaults = (
  was: BatchTerms & { generated: number },
  set: Amendment['set'],
): Faults => ({
  ...(set.end_at !== undefined &&
    set.end_at < was.end_at && { end_at: ['只能延后', 'It only becomes later'] }),
  ...(set.quantity !== undefined &&
    set.quantity < was.quantity && { quantity: ['只能增加', 'It only grows'] }),
  ...Object.fromEntries(
    (['use_limit', 'limit_member', 'limit_phone', 'limit_device'] as const)
      .filter(key => key in set && !looser(was[key], set[key]))
      .map(key => [key, ['只能放宽', 'It only becomes looser'] as const]),
  ),
})

/** A code and its batch as a redemption sees them. */
export type CodeFacts = {
  state: CodeState
  end_at: number | null
  redeemed_at: number | null
  redeemed_by: string | null
  holder: string | null
  void_reason: string | null
  batch: Pick<BatchTerms, 'start_at' | 'end_at' | 'mall_ids'> & {
    status: BatchState
    reason: string
  }
}
export type RedeemRefusal = {
  result: Exclude<RedeemResult, 'ok'>
  text: Text
  values?: Record<string, string | number>
}
const minute = (at: number) => timeFull(at).slice(0, 16)
export const usedText = (
  of: Pick<CodeFacts, 'redeemed_at' | 'redeemed_by' | 'holder'>,
): RedeemRefusal => ({
  result: 'used',
  text: [
    '已于 {when} 由 {who} 兑换，持有人 {holder}',
    'Redeemed at {when} by {who}, held by {holder}',
  ],
  values: {
    when: of.redeemed_at === null ? '—' : minute(of.redeemed_at),
    who: of.redeemed_by ?? joined(['会员本人', 'the member']),
    holder: of.holder ?? '—',
  },
})
export const unknownCode: RedeemRefusal = {
  result: 'unknown',
  text: ['没有这个兑换码，请核对后重试', 'There is no such code: check it'],
}
/** Why a code can't be redeemed now, the first reason that holds; undefined when it can. */
export const redeemRefusal = (
  code: CodeFacts,
  { now, mall_id }: { now: number; mall_id: number },
): RedeemRefusal | undefined => {
  const { batch } = code
  if (code.state === 'voided')
    return {
      result: 'voided',
      text: ['已作废：{why}', 'Void: {why}'],
      values: { why: code.void_reason ?? '' },
    }
  if (code.state === 'redeemed') return usedText(code)
  if (batch.status === 'ended')
    return {
      result: 'expired',
      text: ['活动已结束，兑换码已失效', 'Its batch has ended: it is no longer good'],
    }
  const end = code.end_at ?? batch.end_at
  if (end <= now)
    return {
      result: 'expired',
      text: ['已于 {when} 过期', 'It expired at {when}'],
      values: { when: minute(end) },
    }
  if (batch.status !== 'running')
    return {
      result: 'stopped',
      text: ['所属批次已停用：{why}', 'Its batch is stopped: {why}'],
      values: { why: batch.reason },
    }
  if (batch.start_at > now)
    return {
      result: 'not_started',
      text: ['{when} 起才能兑换', 'It is good from {when}'],
      values: { when: minute(batch.start_at) },
    }
  if (batch.mall_ids.length > 0 && !batch.mall_ids.includes(mall_id))
    return { result: 'wrong_mall', text: ['不能在本商场兑换', 'It is not for this mall'] }
  return undefined
}
