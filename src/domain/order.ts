import { shares } from './money.ts'
import type { Text } from './text.ts'

export const orderKinds = {
  visitor: ['到店付款', 'Visitor'], bulks: ['团购', 'Group-buy'], roll_buy: ['拼团', 'Multi-person buy'], card: ['卡券', 'Card'], voucher: ['代金券', 'Voucher'],
  goods: ['商品', 'Goods'], elist: ['电商', 'E-commerce'], raise: ['众筹', 'Crowd presale'], combo: ['组合', 'Combo'], points: ['积分', 'Points'], ecard: ['电子卡', 'E-card'],
  film: ['电影', 'Film'], vip_card: ['会员卡', 'Member card'],
} as const satisfies Record<string, Text>
export type OrderKind = keyof typeof orderKinds

export const fulfilStates = {
  none: ['无', 'None'], waiting_group: ['待成团', 'Waiting for the group'], waiting_ship: ['待发货', 'To ship'], part_shipped: ['部分发货', 'Partly shipped'], shipped: ['待收货', 'Shipped'],
  waiting_pickup: ['待提货', 'To pick up'], delivering: ['配送中', 'On its way'], waiting_use: ['待使用', 'To use'], part_used: ['部分使用', 'Partly used'],
  issuing: ['发放中', 'Issuing'], issue_failed: ['发放失败', 'Issue failed'], finished: ['已完成', 'Finished'], expired: ['已过期', 'Expired'],
} as const satisfies Record<string, Text>
export type FulfilState = keyof typeof fulfilStates

export const orderStatuses = {
  pending_payment: ['待付款', 'To pay'], waiting_group: ['待成团', 'Waiting for the group'], pending_ship: ['待发货', 'To ship'], part_shipped: ['部分发货', 'Partly shipped'],
  shipped: ['待收货', 'Shipped'], pending_use: ['待使用', 'To use'], part_used: ['部分使用', 'Partly used'], issuing: ['发放中', 'Issuing'], finished: ['已完成', 'Finished'],
  expired: ['已过期', 'Expired'], refunding: ['退款中', 'Refunding'], refunded: ['已退款', 'Refunded'], cancelled: ['已取消', 'Cancelled'], freezing: ['冻结订单', 'Frozen order'],
} as const satisfies Record<string, Text>
export type OrderStatus = keyof typeof orderStatuses

export const codeStates = {
  locked: ['未生效', 'Locked'], unused: ['未使用', 'Unused'], part_used: ['部分使用', 'Partly used'], used: ['已使用', 'Used'], refunding: ['退款中', 'Refunding'],
  refunded: ['已退款', 'Refunded'], expired: ['已过期', 'Expired'], void: ['已作废', 'Void'],
} as const satisfies Record<string, Text>
export type CodeState = keyof typeof codeStates

export const refundStates = {
  applied: ['待处理', 'Applied'], second_audit: ['待复审', 'Second audit'], wait_return: ['待退货', 'To return'], returning: ['退货中', 'Returning'], paying: ['打款中', 'Paying'],
  pay_failed: ['打款失败', 'Payment failed'], done: ['已退款', 'Refunded'], rejected: ['已拒绝', 'Rejected'], closed: ['已关闭', 'Closed'],
} as const satisfies Record<string, Text>
export type RefundState = keyof typeof refundStates

export type OrderFacts = {
  pay_state: 'unpaid' | 'part_paid' | 'paid' | 'closed'
  balance_due: boolean
  fulfil_state: FulfilState
  refund_state: 'none' | 'refunding' | 'part_refunded' | 'refunded'
  frozen: boolean
}
const byFulfilment: Partial<Record<FulfilState, OrderStatus>> = {
  waiting_ship: 'pending_ship', waiting_use: 'pending_use', waiting_pickup: 'pending_use', delivering: 'shipped', issue_failed: 'issuing', none: 'finished',
}
/** The status an order shows, derived from its facts; the first that matches wins. Nothing else ever sets it. */
export const statusOf = (facts: OrderFacts): OrderStatus => {
  if (facts.pay_state === 'closed') return 'cancelled'
  if (facts.pay_state === 'unpaid') return 'pending_payment'
  if (facts.refund_state === 'refunded') return 'refunded'
  if (facts.frozen) return 'freezing'
  if (facts.refund_state === 'refunding') return 'refunding'
  if (facts.pay_state === 'part_paid' && facts.balance_due) return 'pending_payment'
  return byFulfilment[facts.fulfil_state] ?? (facts.fulfil_state as OrderStatus)
}

export type Units = { total: number; used: number; refunded: number; expired: number }
/** Fulfilment of an order of codes, from its units; undefined when all were refunded (refund_state tells that). */
export const fulfilOf = ({ total, used, refunded, expired }: Units): FulfilState | undefined => {
  const left = total - used - refunded - expired
  if (total === refunded) return undefined
  if (left > 0) return used > 0 ? 'part_used' : 'waiting_use'
  return used > 0 ? 'finished' : 'expired'
}

/** What one unit settles to the merchant: its shares of what the member and the platform paid, less the commission (rounded half up). */
export const settleOf = (pay_cents: number, platform_cents: number, commission_bp: number): number => {
  const gross = pay_cents + platform_cents
  return gross - Math.round((gross * commission_bp) / 10_000)
}

/** Splits a payment over `qty` equal units; the parts sum to it exactly and differ by at most a cent. */
export const unitShares = (pay_cents: number, qty: number): number[] => shares(pay_cents, Array.from({ length: qty }, () => 1))

/** True, or why an order can't be frozen: only one that is paid and not yet through can be held up. */
export const canFreeze = (facts: OrderFacts): true | Text => {
  const status = statusOf(facts)
  if (status === 'freezing') return ['订单已被冻结', 'It is frozen already']
  if (facts.pay_state === 'unpaid') return ['订单尚未付款，没有可冻结的款项', 'It is not paid: there is nothing to hold']
  if (['finished', 'expired', 'refunded', 'cancelled'].includes(status)) { const [zh, en] = orderStatuses[status]; return [`订单${zh}，不能冻结`, `${en}: it can’t be frozen any more`] }
  return true
}
