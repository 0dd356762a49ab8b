import type { Text } from '#src/domain/text.ts'
import { daysLeft, type OpenedBy } from './subscription.ts'

export const vipOrderStates = {
  unpaid: ['待支付', 'To pay'],
  paid: ['已支付', 'Paid'],
  failed: ['开通失败', 'Not opened'],
  refunding: ['退款中', 'Refunding'],
  partly_refunded: ['部分退款', 'Partly refunded'],
  refunded: ['已退款', 'Refunded'],
  closed: ['已关闭', 'Closed'],
} as const satisfies Record<string, Text>
export type VipOrderState = keyof typeof vipOrderStates

/** How long a purchase waits to be paid, in seconds. */
export const PAY_IN = 1800

type Facts = {
  status: string
  refund_state: string
  fulfil_state: string
}
/** How a purchase stands, by the facts of its order; one that cost nothing has none and is paid. */
export const vipOrderState = (of: Facts | null): VipOrderState => {
  if (of === null) return 'paid'
  if (of.status === 'cancelled') return 'closed'
  if (of.status === 'pending_payment') return 'unpaid'
  if (of.status === 'refunded') return 'refunded'
  if (of.refund_state === 'refunding') return 'refunding'
  if (of.fulfil_state === 'issue_failed') return 'failed'
  return of.refund_state === 'part_refunded' ? 'partly_refunded' : 'paid'
}

/** What a buyer hears of an order that they place. */
export const buyStates = {
  unpaid: ['待支付', 'To pay'],
  paid: ['已开通', 'Opened'],
  sold_out: ['已售罄', 'Sold out'],
  limit: ['已达限购次数', 'Bought as often as it may be'],
  off: ['已下架', 'Not on sale'],
  refused: ['暂不能购买，请联系客服', 'Not to be bought: ask the service'],
} as const satisfies Record<string, Text>
export type BuyState = keyof typeof buyStates

export type Running = {
  id: number
  card_id: number
  /** The price of its plan (cents). */
  price_cents: number
  kind: OpenedBy
  days: number
  start_at: number
  end_at: number
  pay_cents: number
  refunded_cents: number
  refunding: boolean
}
/**
 * What the rest of a running purchase pays of a dearer plan, in cents: its whole days by what was
 * paid for a day. Nothing of a gift, of what is being refunded, or towards a plan that is not
 * dearer; never more than the price.
 */
export const creditOf = (
  of: Running | undefined,
  to: { card_id: number; price_cents: number; list_cents: number },
  now: number,
): number => {
  if (!of || of.refunding || of.card_id === to.card_id || to.list_cents <= of.price_cents) return 0
  const days = Math.min(daysLeft(of, now), of.days)
  const left = of.pay_cents - of.refunded_cents
  const worth = Math.min(left, Math.floor((of.pay_cents * days) / of.days))
  return Math.max(0, Math.min(to.price_cents, worth))
}

/**
 * How many whole days go back for so much money: all that are left for all of it, a part of them in
 * proportion, rounded up.
 */
export const daysFor = (
  cents: number,
  of: { most_cents: number; days: number; left: number },
): number =>
  cents >= of.most_cents ? of.left : Math.min(of.left, Math.ceil((cents * of.days) / of.most_cents))

export type VipOrderLook = {
  kind: OpenedBy
  state: VipOrderState
  has_order: boolean
  refundable: { cents: number; why?: Text | undefined }
  /** Coupons that its member did not get. */
  gifts_missing: number
  ended_at: number | null
  open_refund: { state: string; first_by: number | null } | null
}
export type VipOrderVerb =
  | 'refund'
  | 'approveRefund'
  | 'rejectRefund'
  | 'retryRefund'
  | 'closeUnpaid'
  | 'syncPay'
  | 'resendGift'
  | 'addNote'
const unpaidOnly: Text = ['只有待支付订单可操作', 'Only for unpaid orders']
/** Whether a person may do that with a purchase as it stands, or why not. */
export const vipOrderCan = (verb: VipOrderVerb, of: VipOrderLook, me: number = 0): true | Text => {
  switch (verb) {
    case 'refund':
      return canRefund(of)
    case 'approveRefund':
    case 'rejectRefund':
      return canDecide(of, me)
    case 'retryRefund':
      return (
        of.open_refund?.state === 'pay_failed' || ['没有打款失败的退款', 'No refund has failed']
      )
    case 'closeUnpaid':
      return of.state === 'unpaid' || unpaidOnly
    case 'syncPay':
      return (
        (of.has_order && ['unpaid', 'closed'].includes(of.state)) || [
          '支付结果已确认，无需同步',
          'Its payment is known',
        ]
      )
    case 'resendGift':
      return canGive(of)
    case 'addNote':
      return true
  }
}
const canRefund = (of: VipOrderLook): true | Text => {
  if (of.kind === 'code')
    return ['卡号或兑换码开通，实付为 0，不能退款', 'A number or code cost nothing']
  if (of.kind === 'gift') return ['赠送未收款，不能退款', 'It was given: nothing was paid']
  if (of.state === 'refunding')
    return ['上一笔退款正在处理，请等待结果', 'A refund of it is on its way']
  if (of.state === 'unpaid' || of.state === 'closed') return ['未支付，没有可退金额', 'Not paid']
  return of.refundable.cents > 0 || (of.refundable.why ?? ['没有可退金额', 'Nothing to refund'])
}
const canDecide = ({ open_refund: back }: VipOrderLook, me: number): true | Text => {
  if (back?.state !== 'second_audit' && back?.state !== 'applied')
    return ['没有待复核的退款', 'No refund awaits a second approval']
  return (
    back.first_by !== me || [
      '申请人不能复核自己的退款，请由他人处理',
      'Whoever asked can’t decide: let somebody else',
    ]
  )
}
const canGive = (of: VipOrderLook): true | Text => {
  if (of.state === 'unpaid' || of.state === 'closed') return ['订单未支付', 'It is not paid']
  if (of.state === 'refunding' || of.ended_at !== null)
    return ['已退款或退款中，不能补发礼券', 'It is being refunded, or was']
  return of.gifts_missing > 0 || ['礼券已全部发放', 'All its coupons were given']
}
