import { and, desc, eq, gte, inArray, lt, ne, notInArray } from 'drizzle-orm'
import { film_cinema, film_refund } from '#src/areas/film/film.table.ts'
import type { FilmRefundKind } from '#src/areas/film/film.ts'
import { holdOrder, type Order } from '#src/areas/order/orderFacts.server.ts'
import { lastLogged, system } from '#src/areas/order/orderWho.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import {
  openRefunds,
  refundStates,
  type RefundCause,
  type RefundSource,
} from '#src/areas/refund/refund.ts'
import type { Refund } from '#src/areas/refund/refundFacts.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { yuan } from '#src/domain/money.ts'
import { say } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { chargeOf, isOwed, monthOf, userRefusal } from './filmRefund.ts'
import { holdTickets, type FilmOrder } from './tickets.server.ts'

export type AskedFilm = {
  order_id: number
  kind: FilmRefundKind
  /** Cents, of a complaint alone; the other kinds say themselves what goes back. */
  amount_cents?: number | undefined
  reason: string
  source: RefundSource
  /** The member of staff who asks for it. */
  admin_id?: number | undefined
  now: number
}

/** The second of two refunds at once waits for the first, and is told whose it is. */
const refuseOpen = async (tx: Db, order_id: number): Promise<void> => {
  const [open] = await tx
    .select()
    .from(refund)
    .where(
      and(
        eq(refund.order_id, order_id),
        inArray(refund.state, [...openRefunds]),
        ne(refund.cause, 'late_pay'),
      ),
    )
    .orderBy(desc(refund.id))
    .limit(1)
  if (!open) return
  const move = await lastLogged(tx, order_id, { refund_id: open.id })
  const [zh, en] = move?.who ?? system
  const at = move?.at ?? open.updated_at
  throw ruled(
    'refund_open',
    [
      '退款单 {no} 还在进行（{zh}于 {when} 处理，「{state_zh}」），结束后才能再发起',
      'Refund {no} is open: {en} dealt with it at {when}, it is “{state_en}”. Ask again once it has ended',
    ],
    {
      no: open.refund_no,
      zh,
      en,
      when: timeFull(at),
      state_zh: say(refundStates[open.state], 'zh'),
      state_en: say(refundStates[open.state], 'en'),
    },
    { refund_id: open.id, by: { name: zh, at } },
  )
}
/** How often a buyer gave tickets back in the month of a moment; what was refused counts not. */
const userTimes = async (tx: Db, member_id: number, now: number): Promise<number> => {
  const { from, until } = monthOf(now)
  return tx.$count(
    tx
      .select({ id: film_refund.id })
      .from(film_refund)
      .innerJoin(refund, eq(refund.id, film_refund.refund_id))
      .where(
        and(
          eq(refund.member_id, member_id),
          gte(refund.created_at, from),
          lt(refund.created_at, until),
          eq(film_refund.kind, 'user'),
          notInArray(refund.state, ['rejected', 'closed']),
        ),
      )
      .as('theirs'),
  )
}
const refuseUser = async (tx: Db, film: FilmOrder, now: number): Promise<void> => {
  const [cinema] = await tx
    .select({ refundable: film_cinema.refundable })
    .from(film_cinema)
    .where(eq(film_cinema.id, film.cinema_id))
  const why = userRefusal({
    refundable: cinema!.refundable,
    show_at: film.show_at,
    times: await userTimes(tx, film.member_id, now),
    terms: film.terms,
    now,
  })
  if (why) throw ruled(why.rule, why.text, why.values)
}
/** Whether money of an order is in its owner's balance already. */
export const isSettled = async (tx: Db, order_id: number): Promise<boolean> =>
  (await tx.$count(
    settle_line,
    and(eq(settle_line.order_id, order_id), eq(settle_line.status, 'settled')),
  )) > 0
/** The payment that money alone goes back to: the one that brought most. */
const mainPayment = async (tx: Db, order_id: number): Promise<number> =>
  (
    await tx
      .select({ id: payment.id })
      .from(payment)
      .where(
        and(
          eq(payment.order_id, order_id),
          eq(payment.direction, 'in'),
          eq(payment.state, 'success'),
        ),
      )
      .orderBy(desc(payment.amount_cents), payment.id)
      .limit(1)
  )[0]!.id

/** Cents that go back, and those that are kept; `money`: the buyer keeps the tickets. */
const amountOf = (
  { kind, amount_cents }: AskedFilm,
  of: { left: number; film: FilmOrder },
): { amount: number; charge: number; money: boolean } => {
  const { left, film } = of
  if (kind === 'user') {
    const charge = chargeOf(left, film.terms.refund_charge_bp)
    return { amount: left - charge, charge, money: false }
  }
  const amount = kind === 'complaint' ? (amount_cents ?? left) : left
  if (amount > left || (amount < 1 && left > 0))
    throw ruled('above_cap', ['退款金额须在 0.01 至 {max} 元之间', 'Between ¥0.01 and ¥{max}'], {
      max: yuan(left),
    })
  return { amount, charge: 0, money: amount < left }
}
const causeOf = (kind: FilmRefundKind): RefundCause => (isOwed(kind) ? kind : 'apply')
/** What the house owes is opened once, however often the clock or a person asks. */
const keyOf = ({ kind, order_id }: AskedFilm): string | undefined =>
  isOwed(kind) ? `film:${kind}:${order_id}` : undefined
const openedBefore = async (tx: Db, of: AskedFilm): Promise<Refund | undefined> => {
  const key = keyOf(of)
  if (!key) return undefined
  return (await tx.select().from(refund).where(eq(refund.idem_key, key)))[0]
}

/**
 * Opens a refund of film tickets, through the refunds of all orders and by the terms that the order
 * was sold under. `ticket_failed` and `show_canceled` give all of it back and are paid without an
 * audit; a buyer (`user`) gives tickets back by the terms and pays their charge; a complaint says
 * its own amount, and below what is left the buyer keeps the tickets. What was settled needs a
 * second person. Throws 404 where it is no film order, 422 where a rule refuses: frozen, not paid,
 * a refund is open, above what is left, or against the terms. The order is held.
 */
export const openFilmRefund = async (tx: Db, of: AskedFilm): Promise<Refund> => {
  const row: Order = await holdOrder(tx, of.order_id)
  const film = await holdTickets(tx, row.id)
  if (!film) throw missing()
  const before = await openedBefore(tx, of)
  if (before) return before
  await refuseOpen(tx, row.id)
  const paid = row.pay_state === 'paid' && !row.frozen
  if (paid && of.kind === 'user') await refuseUser(tx, film, of.now)
  const left = row.paid_cents - row.refunded_cents
  const { amount, charge, money } = paid
    ? amountOf(of, { left, film })
    : { amount: left, charge: 0, money: false }
  const after_settled = await isSettled(tx, row.id)
  return openRefund(tx, {
    order_id: row.id,
    wanted: 'all',
    source: of.source,
    cause: causeOf(of.kind),
    reason: of.reason,
    amount_cents: amount,
    ...(money && { money: { cents: left, payment_id: await mainPayment(tx, row.id) } }),
    override: after_settled && !isOwed(of.kind),
    actor: of.admin_id ? { type: 'staff', id: of.admin_id } : actorOf(of),
    ...(isOwed(of.kind) && { idem_key: keyOf(of)! }),
    film: { kind: of.kind, charge_cents: charge, after_settled },
    now: of.now,
  })
}
const actorOf = ({ source }: AskedFilm) =>
  source === 'member' ? ({ type: 'member' } as const) : ({ type: 'system' } as const)
