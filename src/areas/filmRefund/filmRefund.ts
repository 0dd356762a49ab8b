import type { FilmRefundKind, ReturnState, TicketState } from '#src/areas/film/film.ts'
import type { FilmTerms } from '#src/areas/film/filmSettings.ts'
import { isOpen, refundCan, type RefundLook, type RefundState } from '#src/areas/refund/refund.ts'
import type { Text } from '#src/domain/text.ts'
import { SHANGHAI, timeFull } from '#src/domain/time.ts'

/** What the house owes its buyer: it is paid in full, and nobody audits it. */
export const isOwed = (kind: FilmRefundKind): kind is 'ticket_failed' | 'show_canceled' =>
  kind === 'ticket_failed' || kind === 'show_canceled'
/** What is kept of an amount (cents) by a rate (basis points), half a cent rounded up. */
export const chargeOf = (cents: number, bp: number): number =>
  Math.floor((cents * bp + 5000) / 10_000)
/** loss = refund - what the provider gives back (cents): below zero where that is more. */
export const lossOf = (of: { amount_cents: number; cost_return_cents: number }): number =>
  of.amount_cents - of.cost_return_cents

/** What becomes of the coupon of an order whose tickets go back. */
export const couponFates = {
  none: ['未使用优惠券', 'None used'],
  will: ['退款完成后退回', 'Goes back once it is refunded'],
  back: ['已退回', 'Went back'],
  kept: ['不退回', 'Does not go back'],
} as const satisfies Record<string, Text>
export type CouponFate = keyof typeof couponFates
/**
 * How the coupon of an order stands with a refund: `back` only once that is done. A refund that was
 * refused or closed gives none back, whatever was planned; `coupon_back` is the plan until it is done.
 */
export const couponFate = (of: {
  coupon_grant_id: number | null
  coupon_back: boolean
  state: RefundState
}): CouponFate => {
  if (of.coupon_grant_id === null) return 'none'
  if (!of.coupon_back || of.state === 'rejected' || of.state === 'closed') return 'kept'
  return of.state === 'done' ? 'back' : 'will'
}

export type Tickets = {
  ticket_state: TicketState
  show_at: number
  cost_cents: number
}
/** Whether a provider can still be asked to take the tickets back: not once the show has begun. */
export const isReturnable = (of: Tickets, now: number): boolean =>
  of.ticket_state === 'issued' && of.show_at > now
/**
 * What will be had back of the cost (cents), if the provider agrees: all of it before the show, and
 * of tickets that were never issued, for nothing was bought. Money alone brings nothing back.
 */
export const expectedReturn = (of: Tickets & { seats: boolean }, now: number): number => {
  if (!of.seats) return 0
  return of.ticket_state !== 'issued' || isReturnable(of, now) ? of.cost_cents : 0
}

/** The first second of the month in Shanghai that a moment is in, and of the next one. */
export const monthOf = (at: number): { from: number; until: number } => {
  const day = new Date((at + SHANGHAI) * 1000)
  const first = (month: number) => Date.UTC(day.getUTCFullYear(), month, 1) / 1000 - SHANGHAI
  return { from: first(day.getUTCMonth()), until: first(day.getUTCMonth() + 1) }
}

export type ByUser = {
  /** Whether the cinema takes tickets back. */
  refundable: boolean
  show_at: number
  /** Refunds of their own that the buyer had this month. */
  times: number
  terms: Pick<FilmTerms, 'refund_before_minutes' | 'refund_monthly_times'>
  now: number
}
/** Why a buyer can't give tickets back by the terms of the day of sale, or undefined. */
export const userRefusal = (
  of: ByUser,
): { rule: string; text: Text; values: Record<string, string | number> } | undefined => {
  const { refund_before_minutes, refund_monthly_times } = of.terms
  if (!of.refundable)
    return {
      rule: 'cinema_keeps',
      text: [
        '该影院不支持退票；场次取消或投诉请选择相应原因',
        'This cinema takes no tickets back: choose the cause, if its show is cancelled or it is a complaint',
      ],
      values: {},
    }
  if (of.show_at - of.now <= refund_before_minutes * 60)
    return {
      rule: 'too_near',
      text: [
        '{show} 开场，距开场须超过 {n} 分钟才能退票',
        'It begins at {show}: tickets go back until {n} minutes before',
      ],
      values: { n: refund_before_minutes, show: timeFull(of.show_at).slice(0, 16) },
    }
  if (of.times >= refund_monthly_times)
    return {
      rule: 'monthly_times',
      text: [
        '该用户本月已退票 {n} 次，达到每月 {max} 次的上限',
        'The buyer gave tickets back {n} times this month, of {max}',
      ],
      values: { n: of.times, max: refund_monthly_times },
    }
  return undefined
}

/** The tabs of the queue; `open` is all that is not over. */
export const filmRefundTabs = {
  open: ['未结束', 'Open'],
  applied: ['待处理', 'To decide'],
  second_audit: ['待复审', 'Second audit'],
  returning: ['渠道退票中', 'At the provider'],
  paying: ['打款中', 'Paying'],
  pay_failed: ['打款失败', 'Payment failed'],
  done: ['已退款', 'Refunded'],
  rejected: ['已拒绝', 'Rejected'],
} as const satisfies Record<string, Text>
export type FilmRefundTab = keyof typeof filmRefundTabs

/** What a person reads of a refund before they do something about it. */
export type FilmCase = RefundLook & {
  provider_state: ReturnState
  /** Its tickets were issued, and go back with it. */
  has_tickets: boolean
}
export type FilmRefundVerb =
  | 'approve'
  | 'reject'
  | 'editAmount'
  | 'retry'
  | 'confirmProvider'
  | 'assign'
type Asker = { id: number; now: number }
const frozen: Text = ['订单已冻结，解冻后才能处理退款', 'The order is frozen: unfreeze it first']
const ofCase = (verb: FilmRefundVerb, of: FilmCase, by?: Asker): true | Text => {
  switch (verb) {
    case 'approve':
      return refundCan(of.state === 'second_audit' ? 'secondApprove' : 'approve', of, by)
    case 'reject':
      return refundCan(of.state === 'second_audit' ? 'secondReject' : 'reject', of, by)
    case 'editAmount':
      return refundCan('changeAmount', of, by)
    case 'retry':
      return refundCan('retryPay', of, by)
    case 'assign':
      return isOpen(of.state) || ['已经处理完毕', 'It is decided already']
    case 'confirmProvider':
      if (of.frozen) return frozen
      return of.state === 'rejected' || of.state === 'closed'
        ? ['退款未通过，没有退票', 'It was refused: no tickets went back']
        : true
  }
}
/** Whether a refund of tickets may take a step now, by whoever asks, or why not. */
export const filmRefundCan = (verb: FilmRefundVerb, of: FilmCase, by?: Asker): true | Text => {
  const may = ofCase(verb, of, by)
  if (may !== true) return may
  if (verb === 'reject' && of.provider_state === 'returned')
    return ['渠道已退票，不能驳回', 'The provider has the tickets back: it can’t be refused']
  if (verb !== 'confirmProvider') return true
  if (!of.has_tickets) return ['没有需要渠道退回的票', 'No tickets of it go back to a provider']
  return of.provider_state !== 'returned' || ['渠道已退票', 'The provider has them back already']
}
