import { and, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { verify_record } from '#src/areas/code/code.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { OrderKind, OrderStatus } from '#src/areas/order/order.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db, Scope } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import type { TodoCount } from '#src/server/call/todos.ts'
import { between, drillOf, inFilter, tells } from './drills.server.ts'
import { bucketOf, type Metric, type OrderBucket, type Period } from './overview.ts'
import { daily_stat } from './stat.table.ts'

export type OverviewFilter = {
  city_id?: number | undefined
  mid?: number | undefined
  kind?: OrderKind | undefined
}

/**
 * What happened from `from` until `to` (unix seconds), by day, city, mall and kind: the rows of
 * `daily_stat`.
 */
const happened = (from: number, to: number): SQL => {
  const day = (at: SQL | AnyPgColumn) =>
    sql`to_char(to_timestamp(${at} + 28800) at time zone 'UTC', 'YYYY-MM-DD')`
  const during = (at: AnyPgColumn) => sql`${at} >= ${from} and ${at} < ${to}`
  return sql`
    select date, city_id, mall_id, kind, sum(orders)::int orders, sum(paid_orders)::int paid_orders, sum(gmv_cents)::bigint gmv_cents, sum(verified_count)::int verified_count, sum(verified_cents)::bigint verified_cents,
      sum(refunded_count)::int refunded_count, sum(refunded_cents)::bigint refunded_cents, sum(new_members)::int new_members
    from (
      select ${day(order.created_at)} date, ${order.city_id} city_id, ${order.mall_id} mall_id, ${order.kind} kind, 1 orders, 0 paid_orders, 0 gmv_cents, 0 verified_count, 0 verified_cents, 0 refunded_count, 0 refunded_cents, 0 new_members from ${order} where ${during(order.created_at)}
      union all select ${day(order.paid_at)}, ${order.city_id}, ${order.mall_id}, ${order.kind}, 0, 1, ${order.paid_cents}, 0, 0, 0, 0, 0 from ${order} where ${during(order.paid_at)}
      union all select ${day(verify_record.verified_at)}, ${verify_record.city_id}, ${verify_record.mall_id}, ${verify_record.kind}, 0, 0, 0, 1, ${verify_record.pay_cents} + ${verify_record.platform_cents}, 0, 0, 0 from ${verify_record} where ${verify_record.state} = 'valid' and ${during(verify_record.verified_at)}
      union all select ${day(refund.done_at)}, ${refund.city_id}, ${refund.mall_id}, ${refund.order_kind}, 0, 0, 0, 0, 0, 1, ${refund.amount_cents}, 0 from ${refund} where ${refund.state} = 'done' and ${during(refund.done_at)}
      union all select ${day(member.register_at)}, ${member.city_id}, 0, 'member', 0, 0, 0, 0, 0, 0, 0, 1 from ${member} where ${during(member.register_at)}
    ) events group by 1, 2, 3, 4`
}

/**
 * Counts the days from `from` to `to` (both included) anew and keeps them; whoever reads meanwhile
 * sees the old figures or the new.
 */
export const computeDays = async (tx: Db, { from, to }: Period, now: number): Promise<void> => {
  await tx
    .delete(daily_stat)
    .where(sql`${daily_stat.date} >= ${from} and ${daily_stat.date} <= ${to}`)
  await tx.execute(sql`
    insert into daily_stat (date, city_id, mall_id, kind, orders, paid_orders, gmv_cents, verified_count, verified_cents, refunded_count, refunded_cents, new_members, computed_at)
    select counted.*, ${now} from (${happened(momentNamed(from)!, momentNamed(to)! + DAY)}) counted`)
}

/**
 * Days of past months as they were counted at night, and today as it is: one relation with the
 * columns of `daily_stat`.
 */
const figures = (period: Period, now: number): SQL => {
  const today = dateOf(now)
  const kept = sql`select date, city_id, mall_id, kind, orders, paid_orders, gmv_cents, verified_count, verified_cents, refunded_count, refunded_cents, new_members from daily_stat where date >= ${period.from} and date <= ${period.to} and date < ${today}`
  return period.to < today
    ? kept
    : sql`${kept} union all ${happened(dayStart(now), dayStart(now) + DAY)}`
}
const ofFigures = (filter: OverviewFilter, scope: Scope) =>
  and(
    filter.city_id === undefined ? undefined : sql`f.city_id = ${filter.city_id}`,
    filter.mid === undefined ? undefined : sql`f.mall_id = ${filter.mid}`,
    // New members order nothing: with a kind of order chosen they are not counted at all.
    filter.kind === undefined ? undefined : sql`f.kind = ${filter.kind}`,
    within(scope, { city: sql`f.city_id`, mall: sql`f.mall_id` }),
  ) ?? sql`true`

export type DayFigures = {
  gmv_cents: number
  verified_cents: number
  refunded_cents: number
  new_members: number
  paid_orders: number
  verified_count: number
  refunded_count: number
}
const sums = sql`coalesce(sum(f.gmv_cents), 0)::bigint gmv_cents, coalesce(sum(f.verified_cents), 0)::bigint verified_cents, coalesce(sum(f.refunded_cents), 0)::bigint refunded_cents, coalesce(sum(f.new_members), 0)::int new_members,
  coalesce(sum(f.paid_orders), 0)::int paid_orders, coalesce(sum(f.verified_count), 0)::int verified_count, coalesce(sum(f.refunded_count), 0)::int refunded_count`
const numbers = <T extends Record<string, unknown>>(row: T) => ({
  ...row,
  gmv_cents: Number(row['gmv_cents']),
  verified_cents: Number(row['verified_cents']),
  refunded_cents: Number(row['refunded_cents']),
})

/** Where figures are read, and what of them the reader may see. */
type Reading = { db: Db; scope: Scope }
/**
 * What happened on each day of a period, or for each of another column. Days without anything are
 * not there.
 */
export const figuresBy = async (
  { db, scope, now }: Reading & { now: number },
  by: 'date' | 'kind' | 'city_id' | 'mall_id',
  period: Period,
  filter: OverviewFilter,
): Promise<(DayFigures & { key: string })[]> => {
  const { rows } = await db.execute<DayFigures & { key: string }>(
    sql`select f.${sql.identifier(by)}::text as key, ${sums} from (${figures(period, now)}) f where ${ofFigures(filter, scope)} group by 1 order by 1`,
  )
  return rows.map(numbers)
}
/** How many days of a period were counted at night, and when the oldest of them was. */
export const countedDays = async (
  db: Db,
  period: Period,
): Promise<{ days: number; oldest: number | null }> => {
  const { rows } = await db.execute<{ days: number; oldest: string | null }>(
    sql`select count(distinct date)::int days, min(computed_at) oldest from daily_stat where date >= ${period.from} and date <= ${period.to}`,
  )
  return { days: rows[0]!.days, oldest: rows[0]!.oldest === null ? null : Number(rows[0]!.oldest) }
}

export type Counted = { count: number; cents: number }
/** One number: how many and how much. */
export const countMetric = async (
  { db, scope }: Reading,
  metric: Metric,
  period: Period,
  filter: OverviewFilter,
): Promise<Counted | null> => {
  if (!tells(metric, filter)) return null
  const { from, where, cents } = drillOf(metric, period, filter, scope)
  const { rows } = await db.execute<{ count: number; cents: string }>(
    sql`select count(*)::int count, coalesce(sum(${cents}), 0)::bigint cents from ${from} where ${where ?? sql`true`}`,
  )
  return { count: rows[0]!.count, cents: Number(rows[0]!.cents) }
}
/** Withdrawals that wait, as the list behind their figure counts them, and since when. */
export const countWithdrawals = async (
  { db, scope }: Reading,
  filter: OverviewFilter,
): Promise<TodoCount> => {
  const { from, where } = drillOf('pending', { from: '', to: '' }, filter, scope)
  const { rows } = await db.execute<{ count: number; oldest: string | null; cents: string }>(
    sql`select count(*)::int count, min(${withdrawal.applied_at}) oldest, coalesce(sum(${withdrawal.amount_cents}), 0)::bigint cents from ${from} where ${where ?? sql`true`}`,
  )
  const { count, oldest, cents } = rows[0]!
  return {
    count,
    oldest_at: oldest === null ? null : Number(oldest),
    over_sla: 0,
    amount_cents: Number(cents),
  }
}
/** The order overview: its six parts in one scan, and their sum. */
export const countBuckets = async (
  { db, scope }: Reading,
  period: Period,
  filter: OverviewFilter,
): Promise<Record<OrderBucket, Counted> & { total: Counted }> => {
  const { rows } = await db.execute<{ status: OrderStatus; count: number; cents: string }>(
    sql`select ${order.status} status, count(*)::int count, coalesce(sum(${order.pay_cents}), 0)::bigint cents from ${order} where ${and(between(order.created_at, period), inFilter(order, filter, scope))} group by 1`,
  )
  const found = Object.fromEntries(
    [...new Set<OrderBucket>(Object.values(bucketOf)), 'total' as const].map(key => [
      key,
      { count: 0, cents: 0 },
    ]),
  ) as Record<OrderBucket, Counted> & { total: Counted }
  for (const { status, count, cents } of rows) {
    for (const key of [bucketOf[status], 'total'] as const) {
      found[key].count += count
      found[key].cents += Number(cents)
    }
  }
  return found
}

export type DrillRow = {
  id: number
  no: string
  title: string
  state: string
  city_id: number
  mid: number | null
  cents: number
  at: number | null
}
/** The rows behind a number, the newest first (balances: the largest first). */
export const drillRows = async (
  { db, scope }: Reading,
  metric: Metric,
  { period, filter }: { period: Period; filter: OverviewFilter },
  { page, pageSize }: { page: number; pageSize: number },
): Promise<DrillRow[]> => {
  if (!tells(metric, filter)) return []
  const one = drillOf(metric, period, filter, scope)
  const { rows } = await db.execute<Record<keyof DrillRow, unknown>>(sql`
    select ${one.id} id, ${one.no} "no", ${one.title} title, ${one.state} state, ${one.city_id} city_id, ${one.mid} mid, ${one.cents} cents, ${one.at} "at" from ${one.from} where ${one.where ?? sql`true`} order by ${one.index} desc, ${one.id} desc limit ${pageSize} offset ${(page - 1) * pageSize}`)
  return rows.map(row => ({
    id: Number(row.id),
    no: String(row.no),
    title: String(row.title ?? ''),
    state: String(row.state),
    city_id: Number(row.city_id),
    mid: row.mid === null ? null : Number(row.mid),
    cents: Number(row.cents),
    at: row.at === null ? null : Number(row.at),
  }))
}

/** Stores by what members paid in a period, the best first. */
export const storeRanking = async (
  { db, scope }: Reading,
  period: Period,
  filter: OverviewFilter,
  limit: number,
): Promise<{ key: string; name: string; gmv_cents: number; paid_orders: number }[]> => {
  const { rows } = await db.execute<{
    key: string
    name: string
    gmv_cents: string
    paid_orders: number
  }>(sql`
    select ranked.store_id::text as key, s.name, ranked.gmv_cents, ranked.paid_orders from (
      select ${order.store_id} store_id, sum(${order.paid_cents})::bigint gmv_cents, count(*)::int paid_orders from ${order} where ${and(between(order.paid_at, period), inFilter(order, filter, scope))} group by 1 order by 2 desc, 1 limit ${limit}
    ) ranked join store s on s.id = ranked.store_id order by ranked.gmv_cents desc, ranked.store_id`)
  return rows.map(row => ({ ...row, gmv_cents: Number(row.gmv_cents) }))
}
