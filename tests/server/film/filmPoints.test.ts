import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { film_order } from '#src/areas/film/film.table.ts'
import { payOf } from '#src/areas/film/film.ts'
import { openFilmRefund, type AskedFilm } from '#src/areas/filmRefund/refund.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { receivePayment } from '#src/areas/payment/payments.server.ts'
import { adjustPoints } from '#src/areas/points/points.server.ts'
import { points_ledger } from '#src/areas/points/points.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { approveRefund } from '#src/areas/refund/refundCases.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { buyTickets, placeTickets, ticketsOf } from '../../help/films.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'

let database: Database
let clerk: number
beforeAll(async () => {
  database = await openCopy()
  clerk = (await addStaff(database, { perms: ['*'] })).id
})
const HAS = 1000
const asked = { n: 500, cents: 500 }
/** A member with a thousand points. */
const collector = async () => {
  const { id } = await aBuyer(database)
  const of = { member_id: id, delta: HAS, biz_no: `TFP${id}`, reason: '活动补发' }
  await database.transaction(tx => adjustPoints(tx, { ...of, operator_id: clerk, now: unixNow() }))
  return id
}
const pointsOf = async (id: number) => {
  const [row] = await database.db.select().from(member).where(eq(member.id, id))
  return [row!.points, row!.points_frozen]
}
const movesOf = async (order_id: number) =>
  (
    await database.db
      .select()
      .from(points_ledger)
      .where(eq(points_ledger.order_id, order_id))
      .orderBy(points_ledger.id)
  ).map(one => [one.kind, one.delta, one.frozen_delta])
const placed = async (points = asked) => {
  const member_id = await collector()
  return { member_id, row: await placeTickets(database, { member_id, points }) }
}
const bought = async () => {
  const member_id = await collector()
  return { member_id, row: await buyTickets(database, { member_id, points: asked }) }
}
const refunded = async (order_id: number, of: Pick<AskedFilm, 'kind' | 'amount_cents'>) => {
  const more = { reason: '影厅设备故障', source: 'staff', admin_id: clerk } as const
  const made = await database.transaction(tx =>
    openFilmRefund(tx, { order_id, ...of, ...more, now: unixNow() }),
  )
  if (made.state === 'applied')
    await database.transaction(tx =>
      approveRefund(tx, {
        id: made.id,
        version: made.version,
        by: { id: clerk, limit_cents: 1e9 },
        now: unixNow(),
      }),
    )
  await finishPayouts(database, unixNow())
  return (await database.db.select().from(refund).where(eq(refund.id, made.id)))[0]!
}

describe('points that pay a part of film tickets', () => {
  it('are frozen with the lock of the seats and lower what is paid', async () => {
    const { member_id, row } = await placed()
    const kept = await ticketsOf(database, row.id)
    expect([kept.points_cents, row.points_used, row.pay_cents]).toEqual([
      500,
      500,
      row.total_cents - 500,
    ])
    expect(row.pay_cents).toBe(payOf(kept))
    const [due] = await database.db.select().from(payment).where(eq(payment.order_id, row.id))
    expect(due!.amount_cents).toBe(row.pay_cents)
    expect(await pointsOf(member_id)).toEqual([HAS - 500, 500])
    expect(await movesOf(row.id)).toEqual([['freeze', -500, 500]])
  })
  it('are spent once the order is paid', async () => {
    const { member_id, row } = await bought()
    expect([row.pay_state, row.paid_cents]).toEqual(['paid', row.total_cents - 500])
    expect(await pointsOf(member_id)).toEqual([HAS - 500, 0])
    expect(await movesOf(row.id)).toEqual([
      ['freeze', -500, 500],
      ['spend', 0, -500],
    ])
  })
  it('are free again when the lock ends unpaid, and stay so when the money comes too late', async () => {
    const { member_id, row } = await placed()
    const now = row.expire_pay_at + 1
    const close = () => database.transaction(tx => closeUnpaid(tx, row.id, now))
    expect([await close(), await close()]).toEqual([true, false])
    expect(await pointsOf(member_id)).toEqual([HAS, 0])
    const paid = { state: 'success', channel_no: `E${row.id}`, at: now } as const
    const late = await database.transaction(tx =>
      receivePayment(tx, {
        out_no: row.order_no,
        answer: { ...paid, amount_cents: row.pay_cents },
        now,
      }),
    )
    expect(late).toBe('late')
    await finishPayouts(database, now)
    expect(await pointsOf(member_id)).toEqual([HAS, 0])
    expect((await movesOf(row.id)).map(([kind]) => kind)).toEqual(['freeze', 'unfreeze'])
  })
  it('come back whole with tickets that were never issued', async () => {
    const { member_id, row } = await bought()
    await database.db
      .update(film_order)
      .set({ ticket_state: 'issue_failed' })
      .where(eq(film_order.order_id, row.id))
    const done = await refunded(row.id, { kind: 'ticket_failed' })
    expect([done.state, done.amount_cents, done.points_back]).toEqual(['done', row.pay_cents, 500])
    expect(await pointsOf(member_id)).toEqual([HAS, 0])
  })
  it('come back with each part of the money, together never more than were spent', async () => {
    const { member_id, row } = await bought()
    const part = Math.floor(row.pay_cents / 3)
    const first = await refunded(row.id, { kind: 'complaint', amount_cents: part })
    const share = Math.floor((500 * part) / row.pay_cents)
    expect([first.state, first.points_back]).toEqual(['done', share])
    expect(await pointsOf(member_id)).toEqual([HAS - 500 + share, 0])
    const rest = await refunded(row.id, { kind: 'complaint', amount_cents: row.pay_cents - part })
    expect([rest.state, rest.points_back]).toEqual(['done', 500 - share])
    expect(await pointsOf(member_id)).toEqual([HAS, 0])
  })
  it('that are worth more than the tickets are taken for what they pay alone', async () => {
    const { member_id, row } = await placed({ n: 900, cents: 1_000_000 })
    expect([row.pay_cents, (await ticketsOf(database, row.id)).points_cents]).toEqual([
      1,
      row.total_cents - 1,
    ])
    const taken = Math.ceil((900 * (row.total_cents - 1)) / 1_000_000)
    expect(row.points_used).toBe(taken)
    expect(await pointsOf(member_id)).toEqual([HAS - taken, taken])
  })
  it('that the member has not are refused, and no seat is held', async () => {
    const member_id = await collector()
    const points = { n: HAS + 1, cents: 500 }
    const said = await placeTickets(database, { member_id, points }).catch(
      (error: unknown) => error,
    )
    expect((said as Refusal).data['rule']).toBe('points_short')
    expect(await database.db.$count(order, eq(order.member_id, member_id))).toBe(0)
  })
  it('leave every invariant of orders, points and books whole', async () => {
    expect(await broken(database)).toEqual({})
  })
})
