import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { verify_record } from '#src/areas/code/code.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { DAY, HOUR, HOURS, dayStart, hoursBegun, hoursOfDay } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'

type Flow = {
  from: typeof order | typeof verify_record | typeof refund
  value: SQL
  at: AnyPgColumn
  where: SQL | undefined
}
/** The merchant's BD, to whom a row belongs. */
const ownerByStore = (store: AnyPgColumn) =>
  sql`(select m.bd_admin_id from store s join merchant m on m.id = s.merchant_id where s.id = ${store})`
/** What is paid, used and given back inside a person's data, and the orders that are paid. */
export const flowsOf = (
  { scope }: Pick<Staff, 'scope'>,
  city_id: number | undefined,
): Record<'gmv' | 'orders' | 'verified' | 'refunded', Flow> => {
  const inCity = (column: AnyPgColumn) => (city_id === undefined ? undefined : eq(column, city_id))
  const orders = {
    from: order,
    at: order.paid_at,
    where: and(
      within(scope, {
        city: order.city_id,
        mall: order.mall_id,
        owner: ownerByStore(order.store_id),
      }),
      inCity(order.city_id),
    ),
  }
  return {
    gmv: { ...orders, value: sql`${order.paid_cents}` },
    orders: { ...orders, value: sql`1` },
    verified: {
      from: verify_record,
      value: sql`${verify_record.pay_cents} + ${verify_record.platform_cents}`,
      at: verify_record.verified_at,
      where: and(
        eq(verify_record.state, 'valid'),
        within(scope, {
          city: verify_record.city_id,
          mall: verify_record.mall_id,
          owner: ownerByStore(verify_record.store_id),
        }),
        inCity(verify_record.city_id),
      ),
    },
    refunded: {
      from: refund,
      value: sql`${refund.amount_cents}`,
      at: refund.done_at,
      where: and(
        eq(refund.state, 'done'),
        within(scope, {
          city: refund.city_id,
          mall: refund.mall_id,
          owner: sql`(select m.bd_admin_id from "order" o join merchant m on m.id = o.merchant_id where o.id = ${refund.order_id})`,
        }),
        inCity(refund.city_id),
      ),
    },
  }
}

/** Today until now, beside the same stretch of yesterday and of a week ago. */
export const compared = async (
  db: Db,
  of: Flow,
  now: number,
): Promise<{ now: number; yesterday: number; last_week: number }> => {
  const start = dayStart(now)
  const during = (days: number) =>
    sql`${of.at} >= ${start - days * DAY} and ${of.at} <= ${now - days * DAY}`
  const sum = (days: number) =>
    sql<string>`coalesce(sum(${of.value}) filter (where ${during(days)}), 0)`
  const [row] = await db
    .select({ now: sum(0), yesterday: sum(1), last_week: sum(7) })
    .from(of.from)
    .where(and(sql`((${during(0)}) or (${during(1)}) or (${during(7)}))`, of.where))
  return {
    now: Number(row!.now),
    yesterday: Number(row!.yesterday),
    last_week: Number(row!.last_week),
  }
}

/** Today hour by hour until now, beside all of yesterday and of the same weekday a week ago. */
export const byHour = async (
  db: Db,
  of: Flow,
  now: number,
): Promise<{ today: number[]; yesterday: number[]; last_week: number[] }> => {
  const start = dayStart(now)
  const during = (days: number) =>
    sql`(${of.at} >= ${start - days * DAY} and ${of.at} < ${days === 0 ? now + 1 : start - days * DAY + DAY})`
  const rows = await db
    .select({
      hour: sql<number>`((${of.at} - ${start - 7 * DAY}) / ${HOUR})::int`,
      sum: sql<string>`sum(${of.value})`,
    })
    .from(of.from)
    .where(and(sql`(${during(0)} or ${during(1)} or ${during(7)})`, of.where))
    .groupBy(sql`1`)
  const sums = new Map(rows.map(row => [row.hour, Number(row.sum)]))
  const sumsOf = (days: number, hours: readonly number[]) =>
    hours.map(hour => sums.get((7 - days) * HOURS + hour) ?? 0)
  return {
    today: sumsOf(0, hoursBegun(now)),
    yesterday: sumsOf(1, hoursOfDay),
    last_week: sumsOf(7, hoursOfDay),
  }
}
