import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart, UNIX_MOST } from '#src/domain/time.ts'

/** What figures of film tickets are told for. */
export const statBy = {
  day: ['按日', 'By day'],
  film: ['按影片', 'By film'],
  cinema: ['按影院', 'By cinema'],
  city: ['按城市', 'By city'],
  mall: ['按商场', 'By mall'],
  provider: ['按渠道', 'By provider'],
} as const satisfies Record<string, Text>
export type StatBy = keyof typeof statBy
/** The day that a refund counts for: the one it was paid back on, or the one of its order. */
export const statBases = {
  refund: ['按退款日', 'By day of refund'],
  pay: ['按支付日', 'By day of payment'],
} as const satisfies Record<string, Text>
export type StatBasis = keyof typeof statBases
/** Thirteen months. */
export const STAT_DAYS = 396

/** Sums that add up over rows. */
export type StatSums = {
  orders: number
  seats: number
  /** Tickets and service fee at our price. */
  box_cents: number
  coupon_cents: number
  subsidy_cents: number
  profit_cents: number
  ticketed: number
  /** Seconds from payment to ticket, of all that were issued. */
  waited_s: number
  refunds: number
  refunded_cents: number
  /** Whoever paid their first film order with it. */
  new_buyers: number
}
const noSums: StatSums = {
  orders: 0,
  seats: 0,
  box_cents: 0,
  coupon_cents: 0,
  subsidy_cents: 0,
  profit_cents: 0,
  ticketed: 0,
  waited_s: 0,
  refunds: 0,
  refunded_cents: 0,
  new_buyers: 0,
}
export const addSums = (all: readonly StatSums[]): StatSums =>
  all.reduce(
    (sum, one) =>
      Object.fromEntries(
        (Object.keys(noSums) as (keyof StatSums)[]).map(key => [key, sum[key] + one[key]]),
      ) as StatSums,
    noSums,
  )
const bpOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part * 10_000) / whole)
/** Rates and averages of sums; null where nothing was sold. Money in cents, rates in basis points. */
export const ratesOf = (of: StatSums) => ({
  /** For one seat. */
  average_cents: of.seats === 0 ? null : Math.round(of.box_cents / of.seats),
  success_bp: bpOf(of.ticketed, of.orders),
  wait_s: of.ticketed === 0 ? null : Math.round(of.waited_s / of.ticketed),
  refund_bp: bpOf(of.refunds, of.orders),
})
/** The days that a span touches, whole: from the first's beginning to before the last's end. */
export const wholeDays = (span: { from: number; to: number }) => ({
  from: Math.max(0, dayStart(span.from)),
  to: Math.min(UNIX_MOST, dayStart(span.to) + DAY),
})
/** The period of the same length that ended before another began (unix seconds). */
export const periodBefore = ({ from, to }: { from: number; to: number }) => ({
  from: from - (to - from),
  to: from,
})
/** What a row is opened into: the next finer view; cinemas and providers into their orders. */
export const finer: Readonly<Record<StatBy, StatBy | null>> = {
  day: 'film',
  film: 'cinema',
  city: 'cinema',
  mall: 'cinema',
  cinema: null,
  provider: null,
}
