import type { Text } from './text.ts'

export const refundStates = {
  applied: ['待处理', 'Applied'], second_audit: ['待复审', 'Second audit'], wait_return: ['待退货', 'To return'], returning: ['退货中', 'Returning'], paying: ['打款中', 'Paying'],
  pay_failed: ['打款失败', 'Payment failed'], done: ['已退款', 'Refunded'], rejected: ['已拒绝', 'Rejected'], closed: ['已关闭', 'Closed'],
} as const satisfies Record<string, Text>
export type RefundState = keyof typeof refundStates
export const refundTypes = { refund_only: ['仅退款', 'Refund only'], return_refund: ['退货退款', 'Return and refund'], resend: ['换货补发', 'Send again'] } as const satisfies Record<string, Text>
export type RefundType = keyof typeof refundTypes
export const refundSources = { member: ['顾客申请', 'By the member'], merchant: ['商户发起', 'By the merchant'], staff: ['后台发起', 'By staff'], system: ['系统', 'System'] } as const satisfies Record<string, Text>
export type RefundSource = keyof typeof refundSources
export const refundCauses = {
  apply: ['申请退款', 'Asked for'], expired: ['过期自动退', 'Expired'], group_fail: ['拼团失败', 'Group not formed'], raise_fail: ['众筹失败', 'Target not met'], late_pay: ['关闭后到账', 'Paid too late'],
  pickup_timeout: ['逾期未提', 'Not picked up'], compensate: ['补偿', 'Compensation'],
} as const satisfies Record<string, Text>
export type RefundCause = keyof typeof refundCauses

/** Open: its units are locked. The rest is final. */
export const openRefunds = ['applied', 'second_audit', 'wait_return', 'returning', 'paying', 'pay_failed'] as const satisfies readonly RefundState[]
export const isOpen = (state: RefundState): boolean => (openRefunds as readonly RefundState[]).includes(state)

export type RefundVerb = 'claim' | 'approve' | 'approveReturn' | 'secondApprove' | 'secondReject' | 'reject' | 'fillReturnTracking' | 'confirmReceive' | 'refuseReceive' | 'changeAmount' | 'retryPay' | 'offlinePay' | 'intervene' | 'extendDeadline' | 'reply' | 'close' | 'remark'
/** From which states each verb may come: handlers, menus and tests all read this table. */
export const refundFrom: Readonly<Record<RefundVerb, readonly RefundState[]>> = {
  claim: ['applied', 'second_audit', 'returning', 'pay_failed'], approve: ['applied'], approveReturn: ['applied'], secondApprove: ['second_audit'], secondReject: ['second_audit'], reject: ['applied'],
  fillReturnTracking: ['wait_return'], confirmReceive: ['returning'], refuseReceive: ['returning'], changeAmount: ['applied'], retryPay: ['pay_failed'], offlinePay: ['pay_failed'], intervene: ['applied', 'returning'],
  extendDeadline: ['applied', 'wait_return'], reply: ['applied', 'second_audit', 'wait_return', 'returning', 'paying', 'pay_failed'], close: ['applied', 'wait_return', 'returning'],
  remark: Object.keys(refundStates) as RefundState[],
}
export type RefundLook = { state: RefundState; type: RefundType; amount_cents: number; intervened?: boolean; first_by: number | null; claimed_by?: number | null; claim_until?: number | null }
/** Whether a case may take a step now, by whoever asks, or why not. */
export const refundCan = (verb: RefundVerb, of: RefundLook, by?: { id: number; now: number }): true | Text => {
  if (!refundFrom[verb].includes(of.state)) return isOpen(of.state) ? ['当前阶段不能这样处理', 'Not at this stage'] : ['已经处理完毕', 'It is decided already']
  if (by && of.claimed_by && of.claimed_by !== by.id && (of.claim_until ?? 0) > by.now && !['reply', 'remark'].includes(verb)) return ['正由他人处理', 'Somebody else is working on it']
  if (by && (verb === 'secondApprove' || verb === 'secondReject') && of.first_by === by.id) return ['初审与复审不能是同一人', 'The second person must be another']
  if (verb === 'approve' && of.type === 'return_refund') return ['退货退款请先同意退货', 'Agree to the return first']
  if (verb === 'approveReturn' && of.type !== 'return_refund') return ['不是退货退款', 'Nothing is to be returned']
  if (verb === 'intervene' && of.intervened) return ['平台已介入', 'The platform decides already']
  return true
}

/** Where an approved amount goes: above the person's own limit another person must agree. */
export const afterApproval = (amount_cents: number, limit_cents: number): 'paying' | 'second_audit' => (amount_cents > limit_cents ? 'second_audit' : 'paying')

/** Splits a refund over the payments it came from, in proportion to what is left on each and never above it. `left` must hold it. */
export const overPayments = (amount_cents: number, left: readonly number[]): number[] => {
  const total = left.reduce((a, b) => a + b, 0)
  if (total < amount_cents) throw new RangeError(`${amount_cents} cents do not fit into ${total}`)
  if (total === 0) return left.map(() => 0)
  const floors = left.map(one => Number((BigInt(amount_cents) * BigInt(one)) / BigInt(total)))
  let rest = amount_cents - floors.reduce((a, b) => a + b, 0)
  // What was cut off by rounding goes where there is room, the largest remainder first.
  const order = left.map((one, at) => ({ at, part: (amount_cents * one) % total })).sort((a, b) => b.part - a.part || a.at - b.at)
  for (const { at } of order) { if (rest > 0 && floors[at]! < left[at]!) { floors[at]! += 1; rest-- } }
  return floors
}

/** Why a refund can't go back through its channel any more: an old payment, or too many parts (the channel's own limits). */
export const channelLimit = (of: { paid_at: number; parts: number }, now: number, limits: { days: number; parts: number }): Text | undefined =>
  now - of.paid_at > limits.days * 86_400 ? ['支付已超过可退期限，请转线下打款', 'The payment is too old for its channel: pay by hand'] : of.parts >= limits.parts ? ['该支付已达部分退款次数上限，请转线下打款', 'The payment was refunded in too many parts: pay by hand'] : undefined
