import type { OrderStatus } from '#src/areas/order/order.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'

/**
 * Where an order stands in the overview: a partition of its status, so that the parts always add up
 * to the total.
 */
export const orderBuckets = {
  pending_payment: ['待付款', 'Pending payment'],
  pending_tickets: ['待使用与履约中', 'In fulfilment'],
  settled: ['已完成', 'Completed'],
  refunded: ['已退款', 'Refunded'],
  canceled: ['已取消', 'Cancelled'],
  freezing: ['冻结订单', 'Frozen orders'],
} as const satisfies Record<string, Text>
export type OrderBucket = keyof typeof orderBuckets

/** The bucket of every status; a new status does not compile without one. */
export const bucketOf: Readonly<Record<OrderStatus, OrderBucket>> = {
  pending_payment: 'pending_payment',
  waiting_group: 'pending_tickets',
  pending_ship: 'pending_tickets',
  part_shipped: 'pending_tickets',
  shipped: 'pending_tickets',
  pending_use: 'pending_tickets',
  part_used: 'pending_tickets',
  issuing: 'pending_tickets',
  refunding: 'pending_tickets',
  finished: 'settled',
  expired: 'settled',
  refunded: 'refunded',
  cancelled: 'canceled',
  freezing: 'freezing',
}
/** The statuses of a bucket. */
export const statusesOf = (bucket: OrderBucket): OrderStatus[] =>
  (Object.keys(bucketOf) as OrderStatus[]).filter(status => bucketOf[status] === bucket)

/** What happened on a day, by the day of its own event. */
export const flows = {
  gmv: ['成交额（按支付时间）', 'GMV (by payment)'],
  verified: ['核销额（按核销时间）', 'Redeemed (by use)'],
  refunded_flow: ['退款额（按退款时间）', 'Refunded (by refund)'],
  new_members: ['新增会员（按注册时间）', 'New members (by sign-up)'],
} as const satisfies Record<string, Text>
type Flow = keyof typeof flows

/** Where merchants' money stands. `balance` and `pending` are of now, the others of the period. */
export const moneyFigures = {
  not_settled: ['未结算', 'Not settled'],
  freezing_settle: ['冻结中（结算）', 'On hold (settlement)'],
  settle_done: ['已结算', 'Settled'],
  balance: ['余额', 'Balance'],
  pending: ['提现待处理', 'Withdrawal pending'],
  refund: ['退款', 'Refund'],
  withdrawal: ['提现', 'Withdrawal'],
  wechat_fee: ['微信手续费', 'WeChat fee'],
} as const satisfies Record<string, Text>
export type MoneyFigure = keyof typeof moneyFigures

export type Metric = 'total' | OrderBucket | Flow | MoneyFigure
export const metrics = [
  'total',
  ...Object.keys(orderBuckets),
  ...Object.keys(flows),
  ...Object.keys(moneyFigures),
] as [Metric, ...Metric[]]
export const metricName = (metric: Metric): Text =>
  metric === 'total'
    ? ['全部订单', 'All orders']
    : ({ ...orderBuckets, ...flows, ...moneyFigures } as Record<string, Text>)[metric]!

const SPAN_MAX_DAYS = 366
export const RECOMPUTE_MAX_DAYS = 31

export type Period = { from: string; to: string }
/**
 * What is wrong with a period of whole days, both ends included; undefined when it may be asked
 * for.
 */
export const periodProblem = (
  { from, to }: Period,
  now: number,
): { field: 'from' | 'to'; text: Text } | undefined => {
  const [start, last] = [momentNamed(from), momentNamed(to)]
  if (start === undefined)
    return {
      field: 'from',
      text: ['没有这一天，请按 2026-11-20 填写', 'No such day; write it as 2026-11-20'],
    }
  if (last === undefined)
    return {
      field: 'to',
      text: ['没有这一天，请按 2026-11-20 填写', 'No such day; write it as 2026-11-20'],
    }
  if (start > last)
    return {
      field: 'to',
      text: ['结束日期不能早于开始日期', 'The end may not be before the start'],
    }
  if ((last - start) / DAY + 1 > SPAN_MAX_DAYS)
    return {
      field: 'to',
      text: ['一次最多查看 366 天，请缩小范围', 'At most 366 days at a time, narrow the period'],
    }
  if (last > dayStart(now))
    return { field: 'to', text: ['结束日期不能晚于今天', 'The end may not be after today'] }
  return undefined
}
/** How many days a period has. */
export const daysIn = ({ from, to }: Period): number =>
  (momentNamed(to)! - momentNamed(from)!) / DAY + 1
/** All its days, the earliest first. */
export const daysOf = (period: Period): string[] =>
  Array.from({ length: daysIn(period) }, (_, at) => dateOf(momentNamed(period.from)! + at * DAY))

export const compareModes = {
  none: ['不对比', 'No comparison'],
  previous: ['上一周期', 'Period before'],
  last_week: ['上周同期', 'A week earlier'],
  last_year: ['去年同期', 'A year earlier'],
} as const satisfies Record<string, Text>
export type CompareMode = keyof typeof compareModes
/** The period that one is compared with; of equal length, except for none. */
export const comparedWith = (period: Period, mode: CompareMode): Period | undefined => {
  const back = {
    none: 0,
    previous: daysIn(period),
    last_week: 7 * Math.ceil(daysIn(period) / 7),
    last_year: 364,
  }[mode]
  const shift = (day: string) => dateOf(momentNamed(day)! - back * DAY)
  return back === 0 ? undefined : { from: shift(period.from), to: shift(period.to) }
}

/** Refunds against sales in basis points; undefined where nothing was sold. */
export const refundRate = (refunded_cents: number, gmv_cents: number): number | undefined =>
  gmv_cents > 0 ? Math.round((refunded_cents * 10_000) / gmv_cents) : undefined
