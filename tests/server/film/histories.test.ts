import { and, eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { film_order } from '#src/areas/film/film.table.ts'
import { filmStages, profitOf, type FilmStage } from '#src/areas/film/film.ts'
import { filmStage } from '#src/areas/film/filmStage.server.ts'
import { filmStageOf } from '#src/areas/film/filmStage.ts'
import type { TicketProviders } from '#src/areas/film/provider.channel.ts'
import { finishShows, giveUpTickets, reTicket } from '#src/areas/film/rescue.server.ts'
import { sendTicketRequests, settleTickets, syncTickets } from '#src/areas/film/ticketing.server.ts'
import { openFilmRefund } from '#src/areas/filmRefund/refund.server.ts'
import { sendReturns } from '#src/areas/filmRefund/returning.server.ts'
import { freezeOrder, unfreezeOrder } from '#src/areas/order/freeze.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { settle_batch } from '#src/areas/settle/batch.table.ts'
import { ensureTerms, generateBatch, settleBatch } from '#src/areas/settle/batches.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { dateOf, DAY, HOUR, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { aBuyer, orderOf } from '../../help/cardOrders.ts'
import { aShow, heldBy, placeTickets, seatsOf, ticketsOf, type Show } from '../../help/films.ts'
import { broken } from '../../help/invariants.ts'
import { mortal } from '../../help/mortal.ts'
import { finishPayouts } from '../../help/orders.ts'
import { askedFor, othersWait, providersOf } from '../../help/ticketClock.ts'

let database: Database
let admin_id: number
let other_id: number
beforeAll(async () => {
  database = await openCopy()
  admin_id = (await addStaff(database)).id
  other_id = (await addStaff(database)).id
})
const fates = ['success', 'failed', 'pending', 'unknown'] as const
const verbs = [
  'pay',
  'pay',
  'send',
  'send',
  'send',
  'late',
  'sync',
  'anew',
  'freeze',
  'unfreeze',
  'refund',
  'return',
  'payout',
  'giveUp',
  'close',
  'wait',
  'show',
  'settle',
] as const
const step = fc.record({
  verb: fc.constantFrom(...verbs),
  fate: fc.constantFrom(...fates),
  at: fc.nat(9),
  /** The process ends at its n-th step; mostly it lives. */
  dies: fc.option(fc.nat(5), { freq: 3 }),
})
type Step = { verb: (typeof verbs)[number]; fate: (typeof fates)[number]; at: number }
type Of = { on: Database; order_id: number; show: Show; now: number; outside: TicketProviders }
const quietly = async (run: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Refusal) return error.data['rule'] ?? error.status
    throw error
  }
}
const hold = (of: Of) => ({
  order_id: of.order_id,
  by: 'staff' as const,
  actor: { type: 'staff' as const, id: admin_id },
  reason: '核实',
  now: of.now,
})
/** Settles whatever of the order's owner may be settled, as the cashier does. */
const settle = (on: Database, of: Of) =>
  on.transaction(async tx => {
    const row = await orderOf({ db: tx }, of.order_id)
    const made = await generateBatch(tx, {
      merchant_id: row.merchant_id,
      period_from: dateOf(of.now - 60 * DAY),
      period_to: dateOf(of.now),
      maker_id: admin_id,
      now: of.now,
    })
    if (!made.batch) return
    await settleBatch(tx, made.batch, {
      poster_id: other_id,
      place: { city_id: row.city_id, mall_id: row.mall_id },
      now: of.now,
    })
    await tx
      .update(settle_batch)
      .set({ status: 'posted' })
      .where(eq(settle_batch.id, made.batch.id))
  })
const open = (of: Of, kind: 'ticket_failed' | 'user') => (tx: Db, order_id: number) =>
  openFilmRefund(tx, {
    order_id,
    kind,
    reason: '测试',
    source: kind === 'user' ? 'member' : 'system',
    now: of.now,
  })
const doStep = async ({ verb, at }: Step, of: Of): Promise<unknown> => {
  const { on, order_id, now, outside } = of
  const work = { database: on, tickets: outside, now }
  switch (verb) {
    case 'pay':
      return on.transaction(tx => payOrder(tx, order_id, now))
    case 'send':
      return sendTicketRequests(work)
    case 'late': {
      const all = await askedFor(database, order_id)
      const one = all[at % Math.max(1, all.length)]
      return (
        one &&
        on.transaction(tx =>
          settleTickets(tx, {
            out_no: one.out_no,
            answer: { state: 'success', provider_no: `N${one.out_no}`, ticket_code: '88' },
            now,
          }),
        )
      )
    }
    case 'sync':
      return syncTickets(work, order_id)
    case 'anew':
      return reTicket(work, order_id, { admin_id, reason: '测试' })
    case 'freeze':
      return on.transaction(tx => freezeOrder(tx, hold(of)))
    case 'unfreeze':
      return on.transaction(tx => unfreezeOrder(tx, hold(of)))
    case 'refund':
      return on.transaction(tx => open(of, 'user')(tx, order_id))
    case 'return':
      return sendReturns(work)
    case 'payout':
      return finishPayouts(on, now)
    case 'giveUp':
      return giveUpTickets({ database: on, now, open: open(of, 'ticket_failed') })
    case 'close':
      return tickOrders(on, now)
    case 'show':
      return finishShows({ database: on, now })
    case 'settle':
      return settle(on, of)
    default:
      return undefined
  }
}
/** A step is a minute and a half after the one before; who waits, waits for minutes or days. */
const passing = ({ verb, at }: Step): number => {
  if (verb !== 'wait') return 90
  return at % 2 ? 2 * DAY : 40 * 60
}
const stageBy = async (order_id: number): Promise<FilmStage> =>
  (
    await database.db
      .select({ is: filmStage })
      .from(film_order)
      .innerJoin(order, eq(order.id, film_order.order_id))
      .where(eq(film_order.order_id, order_id))
  )[0]!.is
/** What holds of an order at any time. */
const checked = async (order_id: number) => {
  const [row, film] = [await orderOf(database, order_id), await ticketsOf(database, order_id)]
  const lines = await database.db
    .select()
    .from(settle_line)
    .where(eq(settle_line.order_id, order_id))
  const live = lines.filter(line => line.status !== 'refunded')
  const settled = live.length > 0 && live.every(line => line.status === 'settled')
  const requests = await askedFor(database, order_id)
  const bought = requests.filter(one => one.state === 'success')
  expect(bought.length).toBeLessThanOrEqual(1)
  expect(bought.length === 1).toBe(film.provider_no !== null)
  expect(await stageBy(order_id)).toBe(filmStageOf({ ...row, ...film, settled }))
  // Seats are held by an order that may still have them, and by no other.
  const seats = await heldBy(database, order_id)
  if (film.ticket_state !== 'released') expect(seats).toEqual(['3-4', '3-5'])
  if (row.pay_state === 'closed') expect(seats).toEqual([])
  if (row.pay_state === 'paid' && row.refunded_cents === 0)
    expect(film.profit_cents + 0).toBeLessThanOrEqual(
      profitOf({ ...row, ...film, cost_return_cents: film.cost_cents }),
    )
  return { row, film, settled }
}

it('over any history, also of processes that die, a paid order ends ticketed, settled or refunded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 22 }), async steps => {
      const show = await aShow(database)
      let now = unixNow()
      await ensureTerms(database.db)
      const { id: member_id } = await aBuyer(database)
      const { id } = await placeTickets(database, { member_id, show_id: show.id, now })
      await othersWait(database, id)
      const tickets = (fate: Step['fate']) => providersOf(() => fate)
      for (const { dies, ...one } of steps) {
        now += passing(one)
        const process = mortal(database, dies ?? Infinity)
        const before = await orderOf(database, id)
        const was = await checked(id)
        await process.lived(() =>
          quietly(() =>
            doStep(one, {
              on: process.database,
              order_id: id,
              show,
              now,
              outside: tickets(one.fate),
            }),
          ),
        )
        const after = await checked(id)
        // A frozen or refunding order is never settled (invariant 26 of domain B).
        if (before.frozen || before.refund_state === 'refunding')
          expect(after.settled && !was.settled).toBe(false)
      }
      // In the end the clock brings every paid order to its end, whoever died.
      const end = { on: database, order_id: id, show, outside: tickets('failed') }
      await quietly(() => database.transaction(tx => unfreezeOrder(tx, hold({ ...end, now }))))
      for (let turn = 1; turn <= 4; turn++) {
        const at = Math.max(now, show.end_at) + turn * HOUR
        for (const verb of ['send', 'close', 'giveUp', 'return', 'payout', 'show'] as const)
          await quietly(() => doStep({ verb, fate: 'failed', at: 0 }, { ...end, now: at }))
      }
      const { row } = await checked(id)
      const stage = await stageBy(id)
      expect(
        row.pay_state === 'paid' ? ['ticketed', 'settled', 'refunded', 'refunding'] : ['cancelled'],
      ).toContain(stage)
      expect((await askedFor(database, id)).filter(one => one.state === 'pending')).toEqual([])
    }),
    { numRuns: 12 },
  )
  expect(await broken(database)).toEqual({})
}, 240_000)

it('orders stand in one stage each, in the database as by the rule', async () => {
  const { rows } = await database.db.execute<{ stage: FilmStage; n: number }>(sql`
    select s.stage, count(*)::int n from (select ${filmStage} stage from ${film_order} join ${order} on ${order.id} = ${film_order.order_id}) s group by 1`)
  const all = await database.db.$count(film_order)
  expect(rows.every(one => one.stage in filmStages)).toBe(true)
  expect(rows.reduce((sum, one) => sum + one.n, 0)).toBe(all)
  const frozen = await database.db
    .select({ id: order.id, stage: filmStage })
    .from(film_order)
    .innerJoin(order, eq(order.id, film_order.order_id))
    .where(and(eq(order.frozen, true), inArray(order.refund_state, ['none', 'refunding'])))
  for (const one of frozen) expect(one.stage).toBe('freezing')
})
it('of two orders for a seat that was given back the second has it', async () => {
  const show = await aShow(database)
  const now = unixNow()
  const first = await placeTickets(database, { show_id: show.id, now })
  await tickOrders(database, first.expire_pay_at)
  const said = await Promise.all(
    [1, 2].map(() =>
      quietly(() =>
        placeTickets(database, { show_id: show.id, seats: seatsOf('3-4'), now: now + 900 }),
      ),
    ),
  )
  expect(said.filter(one => one === 'seat_taken')).toHaveLength(1)
})
