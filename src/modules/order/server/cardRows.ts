import { and, desc, eq, sql } from 'drizzle-orm'
import { ecard_move, ecard_request } from '#src/areas/ecard/cardOrder.table.ts'
import { ecard_channel, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { partOf } from '#src/areas/order/orderMoney.ts'
import { admin } from '#src/areas/people/people.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import type { Named } from '#src/server/db/together.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { Beside } from './beside.ts'
import type { Listed } from './listed.ts'

const c = ecard_code
const n = (where: ReturnType<typeof sql>) => sql<number>`count(*) filter (where ${where})::int`
/** Reads what stands beside orders of e-cards: their codes, what suppliers owe, their channel. */
export const cardReads = (db: Db, ids: Named<'ecards'>['ecards']) => ({
  cardSums:
    ids &&
    db
      .select({
        order_id: c.order_id,
        issued: n(sql`${c.state} <> 'held'`),
        givable: n(
          sql`${c.state} = 'sold' and ${c.shown_at} is null and ${c.holder_id} is null and ${c.gift_state} in ('none', 'returned')`,
        ),
        back: n(sql`${c.state} in ('refunding', 'refunded')`),
        freezable: n(sql`${c.state} in ('sold', 'active')`),
        frozen: n(sql`${c.state} = 'frozen'`),
        extendable: n(
          sql`${c.state} in ('sold', 'active', 'expired') and ${c.valid_until} is not null`,
        ),
        movable: n(sql`${c.state} = 'active'`),
        gifts_sent: n(sql`${c.gift_state} = 'sent'`),
        gifts_received: n(sql`${c.gift_state} = 'received'`),
        gifts_returned: n(sql`${c.gift_state} = 'returned'`),
        spent: sql<number>`coalesce(sum(${c.face_cents} - ${c.balance_cents}) filter (where ${c.activated_at} is not null), 0)::float8`,
        valid_until: sql<number | null>`max(${c.valid_until})::float8`,
        balance: sql<number>`coalesce(sum(${c.balance_cents}), 0)::float8`,
      })
      .from(c)
      .where(oneOf(c.order_id, ids))
      .groupBy(c.order_id),
  cardWaits:
    ids &&
    db
      .select({
        order_id: ecard_request.order_id,
        waiting: n(sql`${ecard_request.state} = 'pending'`),
      })
      .from(ecard_request)
      .where(oneOf(ecard_request.order_id, ids))
      .groupBy(ecard_request.order_id),
  cardMoves:
    ids &&
    db
      .select({
        order_id: ecard_move.order_id,
        id: ecard_move.id,
        tail: sql<string>`right(${c.card_no}, 4)`,
        from_name: sql<string>`(select m.nickname from member m where m.id = ${ecard_move.from_id})`,
        to_name: sql<string>`(select m.nickname from member m where m.id = ${ecard_move.to_id})`,
        first_by: ecard_move.first_by,
        first_name: admin.name,
        reason: ecard_move.reason,
        at: ecard_move.created_at,
      })
      .from(ecard_move)
      .innerJoin(c, eq(c.id, ecard_move.code_id))
      .innerJoin(admin, eq(admin.id, ecard_move.first_by))
      .where(and(oneOf(ecard_move.order_id, ids), eq(ecard_move.state, 'asked')))
      .orderBy(desc(ecard_move.id)),
  cardTakers:
    ids &&
    db
      .select({
        order_id: order.id,
        channel_name: ecard_channel.name,
        invoice: sql<
          'none' | 'asked' | 'issued'
        >`case when ${order.invoice} is null then 'none' when ${order.invoice}->>'issued' is null then 'asked' else 'issued' end`,
      })
      .from(order)
      .leftJoin(ecard_channel, eq(ecard_channel.id, order.ecard_channel_id))
      .where(oneOf(order.id, ids)),
})
type Item = Beside['items'][number]
type Sums = Omit<Beside['cardSums'][number], 'order_id'>
type Kept = { card_face_cents?: number; refund_rule?: string }
const nothing: Sums = {
  issued: 0,
  givable: 0,
  back: 0,
  freezable: 0,
  frozen: 0,
  extendable: 0,
  movable: 0,
  gifts_sent: 0,
  gifts_received: 0,
  gifts_returned: 0,
  spent: 0,
  balance: 0,
  valid_until: null,
}
/** Units that nobody issued: without a code, neither under way nor given back. */
const failedOf = (item: Item, of: Sums, waiting: number): number => {
  const gone = item.refunded_qty + item.refunding_qty - of.back
  return Math.max(0, item.qty - of.issued - waiting - gone)
}
/** What so many more units of an item are worth, beside those that went back or are about to. */
const worthOf = (item: Item, n: number): number => {
  const gone = item.refunded_qty + item.refunding_qty
  const rest = item.pay_cents - partOf(item.pay_cents, item.qty, gone)
  return partOf(rest, item.qty - gone, n)
}
/** What orders of e-cards show, and what of them may go back (cents), by what was read beside them. */
export const cardsFrom = (read: Beside) => {
  const sums = new Map(read.cardSums.map(({ order_id, ...one }) => [order_id, one]))
  const waits = new Map(read.cardWaits.map(one => [one.order_id, one.waiting]))
  const moves = new Map(read.cardMoves.map(({ order_id, ...move }) => [order_id, move]))
  const takers = new Map(read.cardTakers.map(({ order_id, ...one }) => [order_id, one]))
  return (
    row: Listed,
    own: readonly Item[],
  ): { left_cents: number; cards: NonNullable<OrderRow['cards']> } => {
    const [item] = own
    const kept = (item?.snapshot ?? {}) as Kept
    const of = sums.get(row.id) ?? nothing
    const waiting = waits.get(row.id) ?? 0
    const failed = item && row.pay_state === 'paid' ? failedOf(item, of, waiting) : 0
    const givable = kept.refund_rule === 'none' ? 0 : of.givable
    const { spent, balance, back: _, ...counts } = of
    return {
      left_cents: item ? worthOf(item, givable + failed) : 0,
      cards: {
        ...(takers.get(row.id) ?? { channel_name: null, invoice: 'none' }),
        ...counts,
        face_cents: kept.card_face_cents ?? 0,
        waiting,
        failed,
        givable,
        move: moves.get(row.id) ?? null,
        spent_cents: spent,
        balance_cents: balance,
      },
    }
  }
}
