import { and, eq, isNull, notInArray, sql } from 'drizzle-orm'
import { film_order, film_refund, film_seat } from '#src/areas/film/film.table.ts'
import { profitOf, type FilmRefundKind } from '#src/areas/film/film.ts'
import { voidByRefund } from '#src/areas/filmPull/rewards.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { refund_item, refund } from '#src/areas/refund/refund.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { expectedReturn, isReturnable, lossOf } from './filmRefund.ts'

type Refund = typeof refund.$inferSelect
export type FilmRefund = typeof film_refund.$inferSelect
export type FilmOrder = typeof film_order.$inferSelect
/** What a refund of tickets says beside the refund itself. */
export type FilmPart = {
  kind: FilmRefundKind
  charge_cents: number
  after_settled: boolean
}

/** The tickets of an order, held; undefined where it is of other goods. */
export const holdTickets = async (tx: Db, order_id: number): Promise<FilmOrder | undefined> =>
  (await tx.select().from(film_order).where(eq(film_order.order_id, order_id)).for('update'))[0]
/** The film part of a refund, held. */
export const holdPart = async (tx: Db, refund_id: number): Promise<FilmRefund | undefined> =>
  (await tx.select().from(film_refund).where(eq(film_refund.refund_id, refund_id)).for('update'))[0]
/** Whether a refund gives the seats back, and not money alone. */
export const givesSeats = async (tx: Db, refund_id: number): Promise<boolean> =>
  (await tx.$count(refund_item, eq(refund_item.refund_id, refund_id))) > 0
export const savePart = (
  tx: Db,
  { id }: Pick<FilmRefund, 'id'>,
  set: Partial<typeof film_refund.$inferInsert>,
  now: number,
) =>
  tx
    .update(film_refund)
    .set({ ...set, version: sql`${film_refund.version} + 1`, updated_at: now })
    .where(eq(film_refund.id, id))

/** Writes what a refund of tickets says beside itself; called once its lines stand. */
export const noteFilmRefund = async (tx: Db, made: Refund, part: FilmPart): Promise<void> => {
  const film = (await holdTickets(tx, made.order_id))!
  // What was never issued was never bought: its cost comes back by itself.
  const cost_return_cents =
    film.ticket_state === 'issued'
      ? 0
      : expectedReturn({ ...film, seats: await givesSeats(tx, made.id) }, made.created_at)
  await tx.insert(film_refund).values({
    refund_id: made.id,
    order_id: made.order_id,
    city_id: made.city_id,
    mall_id: made.mall_id,
    ...part,
    cost_return_cents,
    loss_cents: lossOf({ amount_cents: made.amount_cents, cost_return_cents }),
    show_at: film.show_at,
    created_at: made.created_at,
    updated_at: made.created_at,
  })
}

/**
 * Whether money must wait until the provider has answered: issued tickets are given back before
 * they are paid for. Asked whenever a refund is about to be paid; the first time it begins the
 * return, which the clock sends.
 */
export const awaitsReturn = async (
  tx: Db,
  row: Refund,
  held: Pick<Order, 'kind'>,
  now: number,
): Promise<boolean> => {
  if (held.kind !== 'film') return false
  const part = await holdPart(tx, row.id)
  if (!part || part.provider_state !== 'none') return part?.provider_state === 'returning'
  const film = (await holdTickets(tx, row.order_id))!
  if (!(await givesSeats(tx, row.id)) || film.provider_no === null || !isReturnable(film, now))
    return false
  await savePart(
    tx,
    part,
    {
      provider_state: 'returning',
      ask_at: now,
      cost_return_cents: 0,
      loss_cents: row.amount_cents,
    },
    now,
  )
  return true
}

/** Counts the profit of a film order anew, from what was refunded and what its provider gave back. */
export const keepProfit = async (tx: Db, order_id: number, now: number): Promise<void> => {
  const film = await holdTickets(tx, order_id)
  if (!film) return
  const [row] = await tx
    .select({ pay_cents: order.pay_cents, refunded_cents: order.refunded_cents })
    .from(order)
    .where(eq(order.id, order_id))
  const [back] = await tx
    .select({
      cents: sql<number>`coalesce(sum(${film_refund.cost_return_cents}), 0)::float8`,
    })
    .from(film_refund)
    .innerJoin(refund, eq(refund.id, film_refund.refund_id))
    .where(
      and(
        eq(film_refund.order_id, order_id),
        notInArray(refund.state, ['applied', 'second_audit', 'rejected', 'closed']),
      ),
    )
  const profit_cents = profitOf({ ...film, ...row!, cost_return_cents: back!.cents })
  if (profit_cents !== film.profit_cents)
    await tx
      .update(film_order)
      .set({ profit_cents, version: film.version + 1, updated_at: now })
      .where(eq(film_order.id, film.id))
}

/** Seats whose cinema has them again, or never sold them, can be sold to somebody else. */
const freeSeats = (tx: Db, order_id: number, now: number) =>
  tx
    .update(film_seat)
    .set({ freed_at: now, updated_at: now })
    .where(and(eq(film_seat.order_id, order_id), isNull(film_seat.freed_at)))
/**
 * The money of a refund is with its payer: its tickets are released, and their seats free unless the
 * provider kept them. Its order must be held and have been counted anew.
 */
export const endTickets = async (
  tx: Db,
  done: Refund,
  held: Pick<Order, 'kind'>,
  now: number,
): Promise<void> => {
  if (held.kind !== 'film') return
  const part = await holdPart(tx, done.id)
  if (!part) return
  const film = (await holdTickets(tx, done.order_id))!
  await savePart(
    tx,
    part,
    { loss_cents: lossOf({ ...part, amount_cents: done.amount_cents }), ask_at: null },
    now,
  )
  if (await givesSeats(tx, done.id)) {
    if (part.provider_state === 'returned' || film.ticket_state !== 'issued')
      await freeSeats(tx, done.order_id, now)
    await tx
      .update(film_order)
      .set({ ticket_state: 'released', version: film.version + 1, updated_at: now })
      .where(eq(film_order.id, film.id))
    await voidByRefund(tx, done.order_id, now)
  }
  await keepProfit(tx, done.order_id, now)
}
