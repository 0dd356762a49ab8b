import { and, eq, gte, inArray, lte, or, sql, type SQL } from 'drizzle-orm'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { mobileOf } from '#src/domain/phone.ts'
import type { Db } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { begins } from '#src/server/db/like.ts'
import type { VipOrder } from './orderHooks.server.ts'
import type { OpenedBy } from './subscription.ts'
import { vip_card, vip_card_order as v } from './vipCard.table.ts'
import { vipOrderFacts } from './vipFacts.server.ts'
import type { VipOrderState } from './vipOrder.ts'

const cityOf = sql`(select m.city_id from member m where m.id = ${v.member_id})`
/** Purchases as rows: they stand where their members do. */
export const vipOrderRecord = record(v, {
  object: 'vip_card_order',
  label: row => row.order_no,
  keys: ['note'],
  places: ({ scope }) => within(scope, { city: cityOf }),
})
export type VipOrderWhere = {
  keyword?: string | undefined
  member_id?: number | undefined
  card_id?: number | undefined
  kind?: OpenedBy | undefined
  status?: VipOrderState | undefined
  city_id?: number | undefined
  from?: number | undefined
  to?: number | undefined
}
/** True of the orders that show a state: what `vipOrderState` says, for an index. */
const orderIs: Readonly<Record<VipOrderState, SQL>> = {
  unpaid: sql`o.status = 'pending_payment'`,
  closed: sql`o.status = 'cancelled'`,
  refunded: sql`o.status = 'refunded'`,
  refunding: sql`o.status = 'refunding'`,
  failed: sql`o.status = 'issuing'`,
  partly_refunded: sql`o.status = 'finished' and o.refund_state = 'part_refunded'`,
  paid: sql`o.status = 'finished' and o.refund_state = 'none'`,
}
const inState = (state: VipOrderState): SQL => {
  const ordered = sql`${v.order_id} in (select o.id from "order" o where o.kind = 'vip_card'
    and ${orderIs[state]})`
  return state === 'paid' ? sql`(${v.order_id} is null or ${ordered})` : ordered
}
/** A member by phone, number, or how the nickname begins. */
export const memberFound = (keyword: string): SQL => {
  const phone = mobileOf(keyword.replace(/[\s-]/g, ''))
  return phone
    ? sql`(select m.id from member m where m.phone = ${phone})`
    : sql`(select m.id from member m where m.uid = ${keyword} or m.nickname like ${begins(keyword)})`
}
export const vipOrderWhere = (of: VipOrderWhere): SQL | undefined =>
  and(
    of.member_id === undefined ? undefined : eq(v.member_id, of.member_id),
    of.card_id === undefined ? undefined : eq(v.card_id, of.card_id),
    of.kind && eq(v.kind, of.kind),
    of.status && inState(of.status),
    of.city_id === undefined
      ? undefined
      : sql`${v.member_id} in (select m.id from member m where m.city_id = ${of.city_id})`,
    of.from === undefined ? undefined : gte(v.created_at, of.from),
    of.to === undefined ? undefined : lte(v.created_at, of.to),
    of.keyword
      ? or(
          eq(v.order_no, of.keyword.trim().toUpperCase()),
          sql`${v.member_id} in ${memberFound(of.keyword.trim())}`,
        )
      : undefined,
  )
const namesBeside = async (db: Db, rows: readonly VipOrder[]) => {
  const found = await db
    .select({
      id: v.id,
      card_name: vip_card.name,
      member_name: member.nickname,
      phone: member.phone,
      city_name: sql<string>`coalesce(${city.city_name}, '')`,
      distributor: sql<string>`coalesce(${distributor.name}, '')`,
    })
    .from(v)
    .innerJoin(vip_card, eq(vip_card.id, v.card_id))
    .innerJoin(member, eq(member.id, v.member_id))
    .leftJoin(city, eq(city.id, member.city_id))
    .leftJoin(distributor, eq(distributor.id, v.distributor_id))
    .where(
      inArray(
        v.id,
        rows.map(row => row.id),
      ),
    )
  return new Map(found.map(one => [one.id, one]))
}
/** Purchases as they are shown at a moment, in the order given. Money in cents. */
export const shownVipOrders = async (db: Db, rows: readonly VipOrder[], now: number) => {
  if (rows.length === 0) return []
  const facts = await vipOrderFacts(
    db,
    rows.map(row => row.id),
    now,
  )
  const names = await namesBeside(db, rows)
  return rows.map(row => ({ ...row, ...facts.get(row.id)!, ...names.get(row.id)! }))
}
/** How many purchases there are in each state, of those that a condition is true of. */
export const countVipOrders = async (
  db: Db,
  where: SQL | undefined,
): Promise<Record<string, number>> => {
  const state = sql<VipOrderState>`case when o.id is null then 'paid'
    when o.status = 'pending_payment' then 'unpaid' when o.status = 'cancelled' then 'closed'
    when o.status = 'issuing' then 'failed' when o.status <> 'finished' then o.status
    when o.refund_state = 'part_refunded' then 'partly_refunded' else 'paid' end`
  const rows = await db
    .select({ state, n: sql<number>`count(*)::int` })
    .from(v)
    .leftJoin(sql`"order" o`, sql`o.id = ${v.order_id}`)
    .where(where)
    .groupBy(state)
  return Object.fromEntries(rows.map(row => [row.state, row.n]))
}
/** What came in for purchases and went back of them (cents). */
export const sumVipOrders = async (db: Db, where: SQL | undefined) => {
  const [row] = await db
    .select({
      orders: sql<number>`count(*)::int`,
      paid_cents: sql<number>`coalesce(sum(o.paid_cents), 0)::float8`,
      refunded_cents: sql<number>`coalesce(sum(o.refunded_cents), 0)::float8`,
    })
    .from(v)
    .leftJoin(sql`"order" o`, sql`o.id = ${v.order_id}`)
    .where(where)
  return { ...row!, net_cents: row!.paid_cents - row!.refunded_cents }
}
