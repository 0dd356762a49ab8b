import { eq } from 'drizzle-orm'
import { holdOrder, noteOrder, type Order } from '#src/areas/order/orderFacts.server.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import {
  approveRefund,
  changeAmount,
  rejectRefund,
  retryPay,
  secondApprove,
  secondReject,
} from '#src/areas/refund/refundCases.server.ts'
import type { Refund } from '#src/areas/refund/refundFacts.server.ts'
import { pay } from '#src/areas/refund/refundPay.server.ts'
import { saveCase, type Step } from '#src/areas/refund/refundStep.server.ts'
import { changedCase, pastCase } from '#src/areas/refund/refundWho.server.ts'
import { yuan } from '#src/domain/money.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { filmRefundCan, lossOf, type FilmRefundVerb } from './filmRefund.ts'
import { isSettled } from './refund.server.ts'
import {
  givesSeats,
  holdPart,
  holdTickets,
  keepProfit,
  savePart,
  type FilmOrder,
  type FilmRefund,
} from './tickets.server.ts'

type Held = { held: Order; row: Refund; part: FilmRefund; film: FilmOrder }
/** A refund of tickets with its order, both held. Throws 404 where there is none. */
const hold = async (tx: Db, id: number): Promise<Held> => {
  const [known] = await tx
    .select({ order_id: refund.order_id })
    .from(refund)
    .where(eq(refund.id, id))
  if (!known) throw missing()
  const held = await holdOrder(tx, known.order_id)
  const [row] = await tx.select().from(refund).where(eq(refund.id, id)).for('update')
  const part = await holdPart(tx, id)
  const film = await holdTickets(tx, held.id)
  if (!part || !film) throw missing()
  return { held, row: row!, part, film }
}
/** Whether issued tickets go back with a refund. */
const hasTickets = async (tx: Db, { row, film }: Held): Promise<boolean> =>
  film.provider_no !== null && (await givesSeats(tx, row.id))
/**
 * Refuses a step that the tickets do not allow; whoever read an older case is told who was quicker.
 */
const allow = async (tx: Db, verb: FilmRefundVerb, of: Held, step: Step): Promise<void> => {
  const { row, part, held } = of
  const look = {
    ...row,
    frozen: held.frozen,
    provider_state: part.provider_state,
    has_tickets: await hasTickets(tx, of),
  }
  const may = filmRefundCan(verb, look, { id: step.by.id, now: step.now })
  if (may === true) return
  const stale = row.version !== step.version
  if (stale) throw await pastCase(tx, row, true)
  throw ruled('stage', may)
}

/** What was settled while its refund waited needs a second person all the same. */
const needSecond = async (tx: Db, { row, part, held }: Held, now: number): Promise<void> => {
  if (row.state !== 'applied' || part.after_settled || !(await isSettled(tx, held.id))) return
  await savePart(tx, part, { after_settled: true }, now)
  await tx.update(refund).set({ policy_override: true }).where(eq(refund.id, row.id))
}
/**
 * Agrees to a refund of tickets: the first person, or the second one where it waits for another.
 * Issued tickets are given back before the money leaves. Throws 409 or 422 as the refunds of all
 * orders do.
 */
export const approveFilm = async (tx: Db, of: Step & { batch?: boolean }): Promise<Refund> => {
  const found = await hold(tx, of.id)
  const { row } = found
  await needSecond(tx, found, of.now)
  return row.state === 'second_audit' && !of.batch ? secondApprove(tx, of) : approveRefund(tx, of)
}
/** Refuses it, or sends it back to whoever agreed first; never once the provider has the tickets. */
export const rejectFilm = async (
  tx: Db,
  of: Step & { reason: string; name: string },
): Promise<Refund> => {
  const found = await hold(tx, of.id)
  if (found.part.provider_state === 'returned') await allow(tx, 'reject', found, of)
  return found.row.state === 'second_audit'
    ? secondReject(tx, of)
    : rejectRefund(tx, { ...of, reason_code: 'other' })
}
/** Another amount, within what is left: what is not paid of a buyer's own refund is its charge. */
export const editFilmAmount = async (
  tx: Db,
  of: Step & { amount_cents: number; reason: string; name: string },
): Promise<Refund> => {
  const { part } = await hold(tx, of.id)
  const after = await changeAmount(tx, { ...of, consent: { name: of.name, text: of.reason } })
  await savePart(
    tx,
    part,
    {
      ...(part.kind === 'user' && { charge_cents: after.cap_cents - after.amount_cents }),
      loss_cents: lossOf({ ...part, amount_cents: after.amount_cents }),
    },
    of.now,
  )
  return after
}
/** Sends what the payment channel refused once more, under the same number. */
export const retryFilm = (tx: Db, of: Step): Promise<Refund> => retryPay(tx, of)

/**
 * Staff write down what the provider gave back of the cost (cents; nothing: it refused), told on the
 * phone or after it had refused: the loss and the profit follow, and money that waited for the
 * answer leaves. Throws 422 above the cost, or where no tickets go back.
 */
export const confirmReturn = async (
  tx: Db,
  of: Step & { cost_return_cents: number },
): Promise<Refund> => {
  const found = await hold(tx, of.id)
  await allow(tx, 'confirmProvider', found, of)
  const { row, part, film, held } = found
  if (row.version !== of.version) throw await changedCase(tx, row)
  const { cost_return_cents } = of
  if (cost_return_cents > film.cost_cents)
    throw ruled(
      'above_cost',
      ['渠道退回金额不能超过成本 {max} 元', 'The provider was paid ¥{max}: no more comes back'],
      { max: yuan(film.cost_cents) },
    )
  const memo = joined([
    `人工登记渠道退回 ¥${yuan(cost_return_cents)}`,
    `Booked by hand: the provider gave back ¥${yuan(cost_return_cents)}`,
  ])
  await savePart(
    tx,
    part,
    {
      provider_state: cost_return_cents > 0 ? 'returned' : 'refused',
      provider_answer: memo,
      cost_return_cents,
      loss_cents: lossOf({ amount_cents: row.amount_cents, cost_return_cents }),
      answered_at: of.now,
      ask_at: null,
    },
    of.now,
  )
  await noteOrder(tx, {
    order_id: held.id,
    event: 'refund_decide',
    actor: { type: 'staff', id: of.by.id },
    at: of.now,
    memo,
    data: { refund_id: row.id, verb: 'ticketReturn', state: row.state },
  })
  const after = await saveCase(tx, row, of.now, {})
  const waited = part.provider_state === 'returning' && row.state === 'paying'
  const last = waited ? await pay(tx, after, held, of.now) : after
  await keepProfit(tx, held.id, of.now)
  return last
}
/** Gives a refund to a member of staff; nobody else is kept from it. */
export const assignFilm = async (tx: Db, of: Step & { admin_id: number }): Promise<Refund> => {
  const found = await hold(tx, of.id)
  await allow(tx, 'assign', found, of)
  if (found.row.version !== of.version) throw await changedCase(tx, found.row)
  await savePart(tx, found.part, { assignee_id: of.admin_id }, of.now)
  return saveCase(tx, found.row, of.now, {})
}
