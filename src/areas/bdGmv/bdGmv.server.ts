import { and, eq, sql, type SQL } from 'drizzle-orm'
import { monthOf } from '#src/areas/merchant/bd.ts'
import type { Db } from '#src/server/call/implement.ts'
import { bd_month } from './bdGmv.table.ts'
import { noSums, type GmvPeriod, type GmvSums } from './bdGmv.ts'

export type OwnedSums = GmvSums & { admin_id: number | null }
/** Whoever had an order's store when the order was paid; null where nobody had. */
const owner = sql`(select b.admin_id from bd_assignment b where b.store_id = o.store_id and b.start_at <= o.paid_at and (b.end_at is null or o.paid_at < b.end_at))`
const monthOfPayment = sql`to_char(to_timestamp(o.paid_at) at time zone 'Asia/Shanghai', 'YYYYMM')::int`
/**
 * All that moved money within a period, one row each: what was paid, what went back, what was
 * redeemed. `also` is a condition on the order `o` and its store `s`.
 */
const moved = ({ from, until }: GmvPeriod, also: SQL): SQL => sql`
  select ${owner} owner, o.store_id, o.paid_cents paid, 0::bigint redeemed, 0::bigint refunded, 0::bigint adjust, o.store_discount_cents + o.platform_discount_cents discount, o.total_cents list, 1 orders
    from "order" o join store s on s.id = o.store_id where o.paid_at >= ${from} and o.paid_at < ${until} and ${also}
  union all
  select ${owner}, o.store_id, 0, 0, r.amount_cents, case when o.paid_at < ${from} and exists (select 1 from bd_month m where m.state = 'locked' and m.month = ${monthOfPayment}) then r.amount_cents else 0 end, 0, 0, 0
    from refund r join "order" o on o.id = r.order_id join store s on s.id = o.store_id where r.state = 'done' and r.done_at >= ${from} and r.done_at < ${until} and o.paid_at is not null and ${also}
  union all
  select ${owner}, o.store_id, 0, v.pay_cents, 0, 0, 0, 0, 0
    from verify_record v join "order" o on o.id = v.order_id join store s on s.id = o.store_id where v.state = 'valid' and v.verified_at >= ${from} and v.verified_at < ${until} and o.paid_at is not null and ${also}`
const sums = sql`sum(paid)::bigint paid_cents, sum(redeemed)::bigint redeemed_cents, sum(refunded)::bigint refunded_cents, sum(adjust)::bigint adjust_cents, sum(discount)::bigint discount_cents, sum(list)::bigint list_cents, sum(orders)::int orders`
type Told = Record<keyof GmvSums, string | number>
const numbers = (row: Told): GmvSums =>
  Object.fromEntries(
    Object.keys(noSums).map(key => [key, Number(row[key as keyof GmvSums] ?? 0)]),
  ) as GmvSums

/** The result of each person within a period as it stands now; `also` is a condition on stores `s`. */
export const gmvOf = async (db: Db, period: GmvPeriod, also: SQL): Promise<OwnedSums[]> => {
  const { rows } = await db.execute<Told & { admin_id: number | null }>(sql`
    select owner admin_id, ${sums}, count(distinct store_id) filter (where orders > 0)::int active_stores from (${moved(period, also)}) m group by owner`)
  const opened = await db.execute<{ admin_id: number | null; n: number }>(sql`
    select (select b.admin_id from bd_assignment b where b.store_id = s.id order by b.start_at, b.id limit 1) admin_id, count(*)::int n from store s where s.status <> 'draft' and s.created_at >= ${period.from} and s.created_at < ${period.until} and ${also} group by 1`)
  const all = new Map(
    rows.map(({ admin_id, ...row }) => [admin_id, { ...numbers(row as Told), admin_id }]),
  )
  for (const { admin_id, n } of opened.rows)
    all.set(admin_id, { ...(all.get(admin_id) ?? { ...noSums, admin_id }), opened: n })
  return [...all.values()]
}
export type StoreSums = GmvSums & { id: number; name: string }
/** The same for each store that somebody had when its orders were paid; null: that nobody had. */
export const storesOf = async (
  db: Db,
  period: GmvPeriod,
  of: { admin_id: number | null; also: SQL },
): Promise<StoreSums[]> => {
  const { rows } = await db.execute<Told & { id: number; name: string }>(sql`
    select m.store_id id, t.name, ${sums} from (${moved(period, of.also)}) m join store t on t.id = m.store_id where m.owner is not distinct from ${of.admin_id}::int group by m.store_id, t.name order by sum(paid) - sum(refunded) desc, m.store_id`)
  return rows.map(({ id, name, ...row }) => ({ ...numbers(row as Told), id, name }))
}
type PaidOrder = { id: number; order_no: string; kind: string; paid_at: number; paid_cents: number }
/** Orders of a store that were paid within a period while somebody had it, the newest first. */
export const ordersOf = async (
  db: Db,
  period: GmvPeriod,
  of: { admin_id: number | null; store_id: number; also: SQL },
): Promise<PaidOrder[]> => {
  const { rows } = await db.execute<Record<keyof PaidOrder, string>>(sql`
    select o.id, o.order_no, o.kind, o.paid_at, o.paid_cents from "order" o join store s on s.id = o.store_id where o.store_id = ${of.store_id} and o.paid_at >= ${period.from} and o.paid_at < ${period.until} and ${owner} is not distinct from ${of.admin_id}::int and ${of.also} order by o.paid_at desc, o.id desc`)
  return rows.map(row => ({
    id: Number(row.id),
    order_no: row.order_no,
    kind: row.kind,
    paid_at: Number(row.paid_at),
    paid_cents: Number(row.paid_cents),
  }))
}
/** The month of a period where it is locked. */
export const lockedMonth = async (db: Db, { kind, from }: GmvPeriod) => {
  if (kind !== 'month') return undefined
  const [row] = await db
    .select()
    .from(bd_month)
    .where(and(eq(bd_month.month, monthOf(from)), eq(bd_month.state, 'locked')))
  return row
}
