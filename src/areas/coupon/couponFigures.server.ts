import { eq, sql, type SQL } from 'drizzle-orm'
import { dayStart, DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { coupon, coupon_grant } from './coupon.table.ts'
import type { CouponPiece } from './couponWords.ts'

const DAYS_SHOWN = 30
const PLACES_SHOWN = 10
type Counted = { name: string; claimed: number; used: number; cost_cents: number }
const none: Record<CouponPiece, number> = { unused: 0, locked: 0, used: 0, expired: 0, revoked: 0 }

/** What a coupon's used pieces brought: the orders paid with it, and what it took off them. */
const broughtBy = async (db: Db, coupon_id: number) => {
  const { rows } = await db.execute<Record<string, string>>(sql`
    select count(*) orders, coalesce(sum(o.pay_cents), 0) gmv, coalesce(sum(g.discount_cents), 0) cost, coalesce(sum(g.platform_cents), 0) platform, coalesce(sum(g.merchant_cents), 0) merchant,
      count(*) filter (where not exists (select 1 from "order" p where p.member_id = o.member_id and p.pay_state = 'paid' and p.id < o.id)) fresh
    from coupon_grant g join "order" o on o.order_no = g.order_no where g.coupon_id = ${coupon_id} and g.status = 'used'`)
  const of = rows[0]!
  return {
    orders: Number(of['orders']),
    gmv_cents: Number(of['gmv']),
    cost_cents: Number(of['cost']),
    platform_cents: Number(of['platform']),
    merchant_cents: Number(of['merchant']),
    new_buyers: Number(of['fresh']),
  }
}
const byKind = async (db: Db, coupon_id: number): Promise<Counted[]> =>
  (
    await db.execute<Counted>(
      sql`select grant_kind name, count(*)::int claimed, count(*) filter (where status = 'used')::int used, coalesce(sum(discount_cents) filter (where status = 'used'), 0)::float8 cost_cents from coupon_grant where coupon_id = ${coupon_id} group by 1 order by 2 desc, 1`,
    )
  ).rows
/** Used pieces by where they were used or their order came from; those that cost most. */
const usedBy = async (db: Db, coupon_id: number, name: SQL): Promise<Counted[]> =>
  (
    await db.execute<Counted>(
      sql`select coalesce(${name}, '') name, count(*)::int claimed, count(*)::int used, coalesce(sum(g.discount_cents), 0)::float8 cost_cents from coupon_grant g left join store s on s.id = g.store_id left join "order" o on o.order_no = g.order_no left join mall m on m.id = o.mall_id where g.coupon_id = ${coupon_id} and g.status = 'used' group by 1 order by 4 desc, 1 limit ${PLACES_SHOWN}`,
    )
  ).rows
/** Claims and uses of each of the last days, those without either too. */
const byDay = async (db: Db, coupon_id: number, now: number) => {
  const last = dayStart(now)
  const first = last - (DAYS_SHOWN - 1) * DAY
  const { rows } = await db.execute<{ day: number; claimed: number; used: number }>(sql`
    select d.day::int "day", coalesce(c.n, 0)::int claimed, coalesce(u.n, 0)::int used from generate_series(${first}::bigint, ${last}::bigint, ${DAY}::bigint) d(day)
      left join (select (created_at - ${first}) / ${DAY}::int k, count(*) n from coupon_grant where coupon_id = ${coupon_id} and created_at >= ${first} group by 1) c on c.k = (d.day - ${first}) / ${DAY}::int
      left join (select (used_at - ${first}) / ${DAY}::int k, count(*) n from coupon_grant where coupon_id = ${coupon_id} and status = 'used' and used_at >= ${first} group by 1) u on u.k = (d.day - ${first}) / ${DAY}::int
    order by 1`)
  return rows
}
/** The figures of a coupon; the cost is the sum over its used pieces, as the list has them. */
export const couponFigures = async (db: Db, of: typeof coupon.$inferSelect, now: number) => {
  const states = await db
    .select({ status: coupon_grant.status, n: sql<number>`count(*)::int` })
    .from(coupon_grant)
    .where(eq(coupon_grant.coupon_id, of.id))
    .groupBy(coupon_grant.status)
  return {
    coupon_id: of.id,
    name: of.name,
    scope: of.scope,
    total: of.total,
    claimed: of.claimed_count,
    pieces: { ...none, ...Object.fromEntries(states.map(one => [one.status, one.n])) },
    ...(await broughtBy(db, of.id)),
    by_kind: await byKind(db, of.id),
    by_mall: await usedBy(db, of.id, sql`m.name`),
    by_store: await usedBy(db, of.id, sql`s.name`),
    by_channel: await usedBy(db, of.id, sql`o.source`),
    by_day: await byDay(db, of.id, now),
  }
}
