import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { order_item } from '#src/areas/order/order.table.ts'
import { noteOrder, recount, type Actor, type Order } from '#src/areas/order/orderFacts.server.ts'
import { phoneOf, queueMessage } from '#src/areas/order/orderMessages.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { feeOfPayment } from '#src/areas/settle/orderBook.ts'
import { comma, joined, keptAsSaid, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import { film_order, film_request, film_seat } from './film.table.ts'
import { profitOf, seatName, ticketProviders, type TicketProviderKey } from './film.ts'
import type { FilmTerms } from './filmSettings.ts'

/** What is said of a number whose tickets are there. */
export const issuedText: Text = ['出票成功', 'Issued']
export type FilmOrder = typeof film_order.$inferSelect
export type TicketRequest = typeof film_request.$inferSelect
/** What an order of films has beside the order, held with it. Throws 404 of an order of other goods. */
export const holdFilm = async (tx: Db, order_id: number): Promise<FilmOrder> => {
  const [row] = await tx
    .select()
    .from(film_order)
    .where(eq(film_order.order_id, order_id))
    .for('update')
  if (!row) throw missing()
  return row
}
export const requestsOf = (tx: Db, order_id: number): Promise<TicketRequest[]> =>
  tx
    .select()
    .from(film_request)
    .where(eq(film_request.order_id, order_id))
    .orderBy(asc(film_request.id))
export const saveFilm = (
  tx: Db,
  { id }: Pick<FilmOrder, 'id'>,
  set: Partial<typeof film_order.$inferInsert>,
  now: number,
) =>
  tx
    .update(film_order)
    .set({ ...set, version: sql`${film_order.version} + 1`, updated_at: now })
    .where(eq(film_order.id, id))
export const saveRequest = (
  tx: Db,
  { id }: Pick<TicketRequest, 'id'>,
  set: Partial<typeof film_request.$inferInsert>,
  now: number,
) =>
  tx
    .update(film_request)
    .set({ ...set, version: sql`${film_request.version} + 1`, updated_at: now })
    .where(eq(film_request.id, id))
/** The first provider of the terms that is on and was not asked yet. */
export const nextProvider = (
  terms: Pick<FilmTerms, 'providers'>,
  asked: readonly TicketProviderKey[],
): TicketProviderKey | undefined =>
  terms.providers.find(one => one.on && !asked.includes(one.key))?.key

/**
 * Asks a provider for the tickets of an order under a number of its own. The order and its tickets
 * are held, and no other number is under way.
 */
export const askProvider = async (
  tx: Db,
  film: FilmOrder,
  of: { provider: TicketProviderKey; by?: { admin_id: number; reason: string }; now: number },
): Promise<void> => {
  const n = film.try_count + 1
  await tx.insert(film_request).values({
    order_id: film.order_id,
    provider: of.provider,
    out_no: `FT${film.order_id}-${n}`,
    state: 'pending',
    ask_at: of.now,
    asked_by: of.by?.admin_id ?? null,
    reason: of.by?.reason ?? '',
    created_at: of.now,
    updated_at: of.now,
  })
  await saveFilm(
    tx,
    film,
    {
      ticket_state: 'issuing',
      provider: of.provider,
      try_count: n,
      provider_status: joined([
        `等待${ticketProviders[of.provider][0]}出票`,
        `Waits for ${ticketProviders[of.provider][1]}`,
      ]),
    },
    of.now,
  )
  await setItem(tx, film.order_id, { issue_state: 'issuing', issue_note: null })
}
/** An order of films has one item. */
const setItem = (
  tx: Db,
  order_id: number,
  set: Pick<typeof order_item.$inferInsert, 'issue_state' | 'issue_note'>,
) =>
  tx
    .update(order_item)
    .set({ ...set, version: sql`${order_item.version} + 1` })
    .where(eq(order_item.order_id, order_id))
/** The fee of the channels by which an order was paid (cents). */
const feeOf = async (tx: Db, order_id: number): Promise<number> =>
  (
    await tx
      .select()
      .from(payment)
      .where(
        and(
          eq(payment.order_id, order_id),
          eq(payment.direction, 'in'),
          eq(payment.state, 'success'),
        ),
      )
  ).reduce((sum, one) => sum + feeOfPayment({ ...one, at: 0 }), 0)
/**
 * The tickets of an order that was just paid are asked for: of the first provider of its terms. The
 * order is held and counted anew afterwards.
 */
export const issueTickets = async (tx: Db, row: Order, now: number): Promise<void> => {
  const film = await holdFilm(tx, row.id)
  const wechat_fee_cents = await feeOf(tx, row.id)
  const profit_cents = profitOf({
    pay_cents: row.pay_cents,
    cost_cents: film.cost_cents,
    wechat_fee_cents,
    refunded_cents: 0,
    cost_return_cents: 0,
  })
  await saveFilm(tx, film, { waiting_since: now, wechat_fee_cents, profit_cents }, now)
  await askProvider(tx, film, { provider: film.provider, now })
}

/** The seats of an order are free again: it was not paid, or its tickets came to nothing. */
export const releaseTickets = async (tx: Db, order_id: number, now: number): Promise<void> => {
  await tx
    .update(film_seat)
    .set({ freed_at: now, version: sql`${film_seat.version} + 1`, updated_at: now })
    .where(and(eq(film_seat.order_id, order_id), isNull(film_seat.freed_at)))
  const film = await holdFilm(tx, order_id)
  await saveFilm(tx, film, { ticket_state: 'released' }, now)
}

/** Tells the buyer the code, at once or again. False where nobody knows a phone. */
export const tellTickets = async (
  tx: Db,
  row: Order,
  of: { film: FilmOrder; once?: string; admin_id?: number; now: number },
): Promise<boolean> => {
  const { film, now, ...by } = of
  const phone = await phoneOf(tx, row)
  if (!phone) return false
  const seats = film.seats.map(seat => seatName(seat)[0]).join(comma[0])
  await queueMessage(tx, {
    order_id: row.id,
    kind: 'code',
    phone,
    text: `取票码 ${film.ticket_code}。《${film.film_name}》${timeFull(film.show_at).slice(0, 16)} ${film.cinema_name} ${film.hall} ${seats}。订单 ${row.order_no}`,
    ...by,
    now,
  })
  await saveFilm(tx, film, { code_sent_at: now, code_sent_n: film.code_sent_n + 1 }, now)
  return true
}
/** The tickets are there: the order has its code, which is sent to its buyer. The order is held. */
export const takeTickets = async (
  tx: Db,
  row: Order,
  of: { request: TicketRequest; provider_no: string; ticket_code: string; now: number },
): Promise<void> => {
  const { request, provider_no, ticket_code, now } = of
  const film = await holdFilm(tx, row.id)
  const set = {
    ticket_state: 'issued' as const,
    provider: request.provider,
    provider_no,
    ticket_code,
    provider_status: joined(issuedText),
    ticketed_at: now,
  }
  await saveFilm(tx, film, set, now)
  await setItem(tx, row.id, { issue_state: 'issued', issue_note: null })
  await tellTickets(tx, row, { film: { ...film, ...set }, once: 'tickets', now })
  await recount(tx, row, {
    event: 'issue',
    actor: { type: 'channel' },
    now,
    memo: joined(ticketProviders[request.provider]),
    data: { out_no: request.out_no },
  })
}
/** No provider is left that could be asked. The order is held. */
export const failTickets = async (
  tx: Db,
  row: Order,
  of: { film: FilmOrder; text: string; actor: Actor; now: number },
): Promise<void> => {
  const text = keptAsSaid(of.text)
  await saveFilm(tx, of.film, { ticket_state: 'issue_failed', provider_status: text }, of.now)
  await setItem(tx, row.id, { issue_state: 'failed', issue_note: text })
  await recount(tx, row, {
    event: 'issue_failed',
    actor: of.actor,
    now: of.now,
    memo: text,
  })
}
/** What a provider did, in both languages (`unjoined`), is in the order's own log. */
export const noteTickets = (
  tx: Db,
  of: { order_id: number; memo: string; out_no: string; now: number },
) =>
  noteOrder(tx, {
    order_id: of.order_id,
    event: 'issue',
    actor: { type: 'channel' },
    at: of.now,
    memo: keptAsSaid(of.memo),
    data: { out_no: of.out_no },
  })
