import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { film_order, film_refund } from '#src/areas/film/film.table.ts'
import type { ReturnState } from '#src/areas/film/film.ts'
import {
  silentText,
  type ReturnAnswer,
  type TicketProviders,
} from '#src/areas/film/provider.channel.ts'
import { order } from '#src/areas/order/order.table.ts'
import { holdOrder, noteOrder } from '#src/areas/order/orderFacts.server.ts'
import { askAgainIn } from '#src/areas/payment/askAgain.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { pay } from '#src/areas/refund/refundPay.server.ts'
import { yuan } from '#src/domain/money.ts'
import { joined, keptAsSaid } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne, type Failed } from '#src/server/db/oneByOne.ts'
import { lossOf } from './filmRefund.ts'
import { holdPart, keepProfit, savePart, type FilmRefund } from './tickets.server.ts'

const HOLD_S = 120
type Given = Extract<ReturnAnswer, { state: 'returned' | 'refused' }>
const saidOf = (answer: Given) =>
  answer.state === 'returned'
    ? joined([
        `已退票，退回成本 ¥${yuan(answer.cost_return_cents)}`,
        `Taken back, ¥${yuan(answer.cost_return_cents)} of the cost came back`,
      ])
    : keptAsSaid(answer.text) || joined(['渠道拒绝退票', 'The provider refused'])

/**
 * Writes down what the provider says to tickets that come back, once however often it says so, and
 * lets the money go: it was agreed to, and what the provider keeps is the house's loss. Silence
 * changes nothing but what was said last. Answers how far the return is; undefined for no refund.
 */
export const settleReturn = async (
  tx: Db,
  of: { refund_id: number; answer: ReturnAnswer; now: number },
): Promise<ReturnState | undefined> => {
  const { answer, now } = of
  const [known] = await tx
    .select({ order_id: film_refund.order_id })
    .from(film_refund)
    .where(eq(film_refund.refund_id, of.refund_id))
  if (!known) return undefined
  const held = await holdOrder(tx, known.order_id)
  const [row] = await tx.select().from(refund).where(eq(refund.id, of.refund_id)).for('update')
  const part = (await holdPart(tx, of.refund_id))!
  if (part.provider_state !== 'returning') return part.provider_state
  if (answer.state === 'pending' || answer.state === 'unknown') {
    const text =
      answer.state === 'pending'
        ? joined(['渠道处理中', 'The provider is at it'])
        : keptAsSaid(answer.text)
    await savePart(tx, part, { provider_answer: text || joined(silentText) }, now)
    return 'returning'
  }
  const cost_return_cents = answer.state === 'returned' ? answer.cost_return_cents : 0
  await savePart(
    tx,
    part,
    {
      provider_state: answer.state,
      provider_answer: saidOf(answer),
      cost_return_cents,
      loss_cents: lossOf({ amount_cents: row!.amount_cents, cost_return_cents }),
      answered_at: now,
      ask_at: null,
    },
    now,
  )
  await noteOrder(tx, {
    order_id: held.id,
    event: 'refund_decide',
    actor: { type: 'channel' },
    at: now,
    memo: saidOf(answer),
    data: { refund_id: row!.id, verb: 'ticketReturn', state: row!.state },
  })
  if (row!.state === 'paying') await pay(tx, row!, held, now)
  await keepProfit(tx, held.id, now)
  return answer.state
}

const takeDue = (database: Pick<Database, 'transaction'>, now: number, limit: number) =>
  database.transaction(async (tx): Promise<FilmRefund[]> => {
    const rows = await tx
      .select({ id: film_refund.id })
      .from(film_refund)
      .innerJoin(order, eq(order.id, film_refund.order_id))
      .where(
        and(
          eq(film_refund.provider_state, 'returning'),
          lte(film_refund.ask_at, now),
          eq(order.frozen, false),
        ),
      )
      .orderBy(asc(film_refund.ask_at), asc(film_refund.id))
      .limit(limit)
      .for('update', { of: film_refund, skipLocked: true })
    return rows.length === 0
      ? []
      : tx
          .update(film_refund)
          .set({ ask_at: now + HOLD_S, tries: sql`${film_refund.tries} + 1` })
          .where(
            inArray(
              film_refund.id,
              rows.map(row => row.id),
            ),
          )
          .returning()
  })
/**
 * Gives tickets back to their providers, each refund taken for two minutes by one process; the
 * provider is asked outside any transaction, and again by the same number after its silence.
 * Answers how many were asked for.
 */
export const sendReturns = async (of: {
  database: Pick<Database, 'db' | 'transaction'>
  tickets: TicketProviders
  now: number
  limit?: number
  failed?: Failed
}): Promise<number> => {
  const { database, now } = of
  const due = await takeDue(database, now, of.limit ?? 50)
  await oneByOne(
    due,
    async part => {
      const [film] = await database.db
        .select()
        .from(film_order)
        .where(eq(film_order.order_id, part.order_id))
      const { provider, provider_no, cost_cents } = film!
      const answer = await of.tickets[provider].giveBack({
        provider_no: provider_no!,
        cost_cents,
      })
      const state = await database.transaction(tx =>
        settleReturn(tx, { refund_id: part.refund_id, answer, now }),
      )
      if (state === 'returning')
        await database.db
          .update(film_refund)
          .set({ ask_at: now + askAgainIn(part.tries) })
          .where(and(eq(film_refund.id, part.id), eq(film_refund.provider_state, 'returning')))
    },
    of.failed,
  )
  return due.length
}
