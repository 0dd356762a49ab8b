import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

export const refundStates = {
  applied: ['待处理', 'Applied'],
  second_audit: ['待复审', 'Second audit'],
  wait_return: ['待退货', 'To return'],
  returning: ['退货中', 'Returning'],
  paying: ['打款中', 'Paying'],
  pay_failed: ['打款失败', 'Payment failed'],
  done: ['已退款', 'Refunded'],
  rejected: ['已拒绝', 'Rejected'],
  closed: ['已关闭', 'Closed'],
} as const satisfies Record<string, Text>
export type RefundState = keyof typeof refundStates
export const refundTypes = {
  refund_only: ['仅退款', 'Refund only'],
  return_refund: ['退货退款', 'Return and refund'],
  resend: ['换货补发', 'Send again'],
} as const satisfies Record<string, Text>
export type RefundType = keyof typeof refundTypes
export const refundSources = {
  member: ['顾客申请', 'By the member'],
  merchant: ['商户发起', 'By the merchant'],
  staff: ['后台发起', 'By staff'],
  system: ['系统', 'System'],
} as const satisfies Record<string, Text>
export type RefundSource = keyof typeof refundSources
export const refundCauses = {
  apply: ['申请退款', 'Asked for'],
  expired: ['过期自动退', 'Expired'],
  group_fail: ['拼团失败', 'Group not formed'],
  leader_free: ['团长免单', 'Leader goes free'],
  raise_fail: ['众筹失败', 'Target not met'],
  late_pay: ['关闭后到账', 'Paid too late'],
  pickup_timeout: ['逾期未提', 'Not picked up'],
  balance_timeout: ['尾款超时退定金', 'Balance not paid'],
  compensate: ['补偿', 'Compensation'],
  channel_back: ['渠道退卡', 'Returned by a channel'],
  ticket_failed: ['影票出票失败', 'Tickets not issued'],
  show_canceled: ['场次取消', 'Show cancelled'],
} as const satisfies Record<string, Text>
export type RefundCause = keyof typeof refundCauses

/** Why a buyer asks, as the mini-program offers it. */
export const refundReasons = {
  changed_mind: ['不想要了', 'Changed my mind'],
  too_many: ['多拍、错拍', 'Ordered by mistake'],
  not_as_described: ['与描述不符', 'Not as described'],
  damaged: ['破损、变质', 'Damaged or spoiled'],
  missing: ['少件、漏发', 'Something is missing'],
  wrong_item: ['发错货', 'The wrong item'],
  late: ['未按时送达', 'Late'],
  not_received: ['未收到货', 'Never arrived'],
  no_slot: ['预约不上、排队太久', 'No slot'],
  other: ['其他', 'Other'],
} as const satisfies Record<string, Text>
/** Why a case is refused; the buyer reads it with the words beside it. */
export const refundRejects = {
  too_late: ['已超过售后期限', 'Past the after-sale period'],
  used: ['已使用、影响再售', 'Used, or can’t be sold again'],
  no_evidence: ['凭证不足', 'Too little evidence'],
  not_our_fault: ['非商品质量问题', 'No fault of the goods'],
  agreed: ['已与买家协商一致', 'Agreed otherwise with the buyer'],
  shipped: ['已发货，须退货', 'Already sent: return it on arrival'],
  abuse: ['疑似恶意退款', 'Looks like abuse'],
  other: ['其他', 'Other'],
} as const satisfies Record<string, Text>
export type RefundReject = keyof typeof refundRejects
/**
 * Kinds of order whose goods are posted and may come back: of e-commerce every case is in the queue
 * of after-sales, of the others what is to be returned.
 */
export const postedKinds = ['elist', 'roll_buy', 'raise', 'combo'] as const
export type PostedKind = (typeof postedKinds)[number]
/** In what state returned goods came back: only sound ones go on sale again. */
export const returnConditions = {
  good: ['完好', 'Sound'],
  opened: ['已拆封', 'Opened'],
  damaged: ['破损', 'Damaged'],
} as const satisfies Record<string, Text>
export type ReturnCondition = keyof typeof returnConditions

/** Open: its units are locked. The rest is final. */
export const openRefunds = [
  'applied',
  'second_audit',
  'wait_return',
  'returning',
  'paying',
  'pay_failed',
] as const satisfies readonly RefundState[]
export const isOpen = (state: RefundState): boolean =>
  (openRefunds as readonly RefundState[]).includes(state)

export type RefundVerb =
  | 'claim'
  | 'approve'
  | 'approvePartial'
  | 'approveReturn'
  | 'takeBack'
  | 'secondApprove'
  | 'secondReject'
  | 'reject'
  | 'fillReturnTracking'
  | 'confirmReceive'
  | 'refuseReceive'
  | 'changeAmount'
  | 'retryPay'
  | 'offlinePay'
  | 'intervene'
  | 'extendDeadline'
  | 'reply'
  | 'close'
  | 'remark'
/** From which states each verb may come: handlers, menus and tests all read this table. */
export const refundFrom: Readonly<Record<RefundVerb, readonly RefundState[]>> = {
  claim: ['applied', 'second_audit', 'returning', 'pay_failed'],
  approve: ['applied'],
  approvePartial: ['applied'],
  approveReturn: ['applied'],
  /** The goods are there already, though nobody was asked to agree to that. */ takeBack: [
    'applied',
  ],
  secondApprove: ['second_audit'],
  secondReject: ['second_audit'],
  reject: ['applied'],
  fillReturnTracking: ['wait_return'],
  confirmReceive: ['returning'],
  refuseReceive: ['returning'],
  changeAmount: ['applied'],
  retryPay: ['pay_failed'],
  offlinePay: ['pay_failed'],
  intervene: ['applied', 'returning'],
  extendDeadline: ['applied', 'wait_return'],
  reply: ['applied', 'second_audit', 'wait_return', 'returning', 'paying', 'pay_failed'],
  close: ['applied', 'wait_return', 'returning'],
  remark: Object.keys(refundStates) as RefundState[],
}
export type RefundLook = {
  state: RefundState
  type: RefundType
  amount_cents: number
  intervened?: boolean
  offline?: boolean
  frozen?: boolean
  first_by: number | null
  claimed_by?: number | null
  claim_until?: number | null
}
type Asker = { id: number; now: number }
/** Why a rule refuses a step of a case, or undefined. */
type RefundRule = (verb: RefundVerb, of: RefundLook, by?: Asker) => Text | undefined
/** Refuses some verbs where the case is as `refuses` says. */
const refuseVerbs =
  (
    verbs: readonly RefundVerb[],
    refuses: (of: RefundLook, by?: Asker) => boolean,
    why: Text,
  ): RefundRule =>
  (verb, of, by) =>
    verbs.includes(verb) && refuses(of, by) ? why : undefined
const allVerbs = Object.keys(refundFrom) as RefundVerb[]
const allBut = (...verbs: readonly RefundVerb[]): RefundVerb[] =>
  allVerbs.filter(verb => !verbs.includes(verb))
/** Seconds for which a claimed case is its claimer's. */
export const CLAIM_S = 900
/** True where a colleague has claimed the case and may still work on it. */
export const isClaimedByAnother = (
  of: Pick<RefundLook, 'claimed_by' | 'claim_until'>,
  by?: Asker,
): boolean =>
  by !== undefined &&
  Boolean(of.claimed_by) &&
  of.claimed_by !== by.id &&
  (of.claim_until ?? 0) > by.now
/** What the steps of a case ask of it, in turn: the first rule that refuses says why. */
const refundRules: readonly RefundRule[] = [
  (verb, of) => {
    if (refundFrom[verb].includes(of.state)) return undefined
    return isOpen(of.state)
      ? ['当前阶段不能这样处理', 'Not at this stage']
      : ['已经处理完毕', 'It is decided already']
  },
  refuseVerbs(allBut('claim', 'reply', 'remark'), of => of.frozen === true, [
    '订单已冻结，解冻后才能处理退款',
    'The order is frozen: unfreeze it first',
  ]),
  refuseVerbs(allBut('reply', 'remark'), isClaimedByAnother, [
    '正由他人处理',
    'Somebody else is working on it',
  ]),
  refuseVerbs(
    ['secondApprove', 'secondReject'],
    (of, by) => by !== undefined && of.first_by === by.id,
    ['初审与复审不能是同一人', 'The second person must be another'],
  ),
  refuseVerbs(['approve'], of => of.type === 'return_refund', [
    '退货退款请先同意退货',
    'Agree to the return first',
  ]),
  refuseVerbs(['approveReturn', 'takeBack'], of => of.type !== 'return_refund', [
    '不是退货退款',
    'Nothing is to be returned',
  ]),
  refuseVerbs(['intervene'], of => of.intervened === true, [
    '平台已介入',
    'The platform decides already',
  ]),
  refuseVerbs(['changeAmount'], of => of.type === 'resend', [
    '换货补发不退款',
    'Nothing is paid back for what is sent again',
  ]),
  refuseVerbs(['retryPay'], of => of.offline === true, [
    '已转线下打款，不能再走渠道',
    'It is being paid by hand',
  ]),
]
/** Whether a case may take a step now, by whoever asks, or why not. */
export const refundCan = (verb: RefundVerb, of: RefundLook, by?: Asker): true | Text => {
  for (const rule of refundRules) {
    const why = rule(verb, of, by)
    if (why) return why
  }
  return true
}

/** Where an approved amount goes: above the person's own limit another person must agree. */
export const afterApproval = (
  amount_cents: number,
  limit_cents: number,
): 'paying' | 'second_audit' => (amount_cents > limit_cents ? 'second_audit' : 'paying')

/**
 * Splits a refund over the payments it came from, in proportion to what is left on each and never
 * above it. `left` must hold it.
 */
export const overPayments = (amount_cents: number, left: readonly number[]): number[] => {
  const total = left.reduce((a, b) => a + b, 0)
  if (total < amount_cents) throw new RangeError(`${amount_cents} cents do not fit into ${total}`)
  if (total === 0) return left.map(() => 0)
  const floors = left.map(one => Number((BigInt(amount_cents) * BigInt(one)) / BigInt(total)))
  let rest = amount_cents - floors.reduce((a, b) => a + b, 0)
  // What was cut off by rounding goes where there is room, the largest remainder first.
  const order = left
    .map((one, at) => ({ at, part: (amount_cents * one) % total }))
    .sort((a, b) => b.part - a.part || a.at - b.at)
  for (const { at } of order) {
    if (rest > 0 && floors[at]! < left[at]!) {
      floors[at]! += 1
      rest--
    }
  }
  return floors
}

/**
 * Why a refund can't go back through its channel any more: an old payment, or too many parts (the
 * channel's own limits).
 */
export const channelLimit = (
  of: { paid_at: number; parts: number },
  now: number,
  limits: { days: number; parts: number },
): Text | undefined => {
  if (now - of.paid_at > limits.days * DAY)
    return [
      '支付已超过可退期限，请转线下打款',
      'The payment is too old for its channel: pay by hand',
    ]
  return of.parts >= limits.parts
    ? [
        '该支付已达部分退款次数上限，请转线下打款',
        'The payment was refunded in too many parts: pay by hand',
      ]
    : undefined
}

/**
 * The numbers of refunds: the platform's own where it set some (row `refund` of `setting`). Days
 * and parts are what a channel takes back, `fails` how often it must have refused before money goes
 * by hand.
 */
export const refundSettings = { days: 365, parts: 50, fails: 2 }
export type RefundSettings = typeof refundSettings
/**
 * Whether a refund may be paid by hand, or why not: the channel has its chances first, unless it
 * can't take the payment back any more; and what it may still pay is never paid twice.
 */
export const offlineCan = (
  of: { fails: number; paid_at: number; parts: number; pending: boolean },
  now: number,
  limits: RefundSettings,
): true | Text => {
  if (of.pending)
    return [
      '有一笔渠道打款还没有结果，请稍候',
      'The channel has not answered for one part yet: wait for it',
    ]
  return of.fails >= limits.fails || channelLimit(of, now, limits)
    ? true
    : [
        `渠道失败满 ${limits.fails} 次，或支付超过 ${limits.days} 天，才能转线下打款`,
        `Only after the channel failed ${limits.fails} times, or for a payment older than ${limits.days} days`,
      ]
}

/** Refund-only of goods that arrived: somebody must have shown why. */
export const needsEvidence = (of: {
  type: RefundType
  received: boolean
  pictures: number
  /** So many at least. */
  least: number
}): boolean => of.type === 'refund_only' && of.received && of.pictures < of.least
/**
 * Why a case can't be agreed to among many, or true: only what was never sent, is only refunded,
 * and lies within the person's own limit.
 */
export const batchCan = (
  of: { type: RefundType; shipped: boolean; amount_cents: number },
  limit_cents: number,
): true | Text => {
  if (of.type !== 'refund_only') return ['只能批量同意仅退款', 'Refund-only cases alone']
  if (of.shipped) return ['已发货，须逐单处理', 'It was sent: decide it by itself']
  return of.amount_cents > limit_cents
    ? ['超过你的审批额度，须逐单处理', 'Above your limit: decide it by itself']
    : true
}

/**
 * Used points that go back with a refund, in proportion to what was paid: `before` is what earlier
 * refunds of the order gave back (cents). Counted from the sum, so that parts meet the whole to the
 * point.
 */
export const pointsBack = (
  points_used: number,
  paid_cents: number,
  before: number,
  amount: number,
): number => {
  if (points_used === 0) return 0
  const upTo = (cents: number) =>
    paid_cents <= 0
      ? points_used
      : Number((BigInt(points_used) * BigInt(Math.min(cents, paid_cents))) / BigInt(paid_cents))
  return upTo(before + amount) - (paid_cents <= 0 ? 0 : upTo(before))
}
