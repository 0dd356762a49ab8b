import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { film_order, film_refund, film_seat } from '#src/areas/film/film.table.ts'
import { profitOf } from '#src/areas/film/film.ts'
import { silentText } from '#src/areas/film/provider.channel.ts'
import { noProviders, type ReturnAnswer } from '#src/areas/film/provider.channel.ts'
import { openFilmRefund } from '#src/areas/filmRefund/refund.server.ts'
import { sendReturns, settleReturn } from '#src/areas/filmRefund/returning.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { approveRefund } from '#src/areas/refund/refundCases.server.ts'
import { joined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { anOwner, soldFilm, type Owner, type Sold } from '../../help/filmOrders.ts'
import { brokenBooks } from '../../help/ledgerInvariants.ts'
import { finishPayouts } from '../../help/orders.ts'

let database: Database
let owner: Owner
let admin_id: number
beforeAll(async () => {
  database = await openCopy()
  owner = await anOwner(database)
  admin_id = (await addStaff(database, { perms: ['*'] })).id
})
/** An order whose buyer gives it back, as staff agreed. */
const agreed = async (of: Omit<Sold, 'owner'> = {}) => {
  const row = await soldFilm(database, { owner, ...of })
  const now = unixNow()
  const made = await database.transaction(tx =>
    openFilmRefund(tx, {
      order_id: row.id,
      kind: 'user',
      reason: '行程有变',
      source: 'staff',
      admin_id,
      now,
    }),
  )
  await database.transaction(tx =>
    approveRefund(tx, { ...made, by: { id: admin_id, limit_cents: 1e9 }, now }),
  )
  return { order_id: row.id, refund_id: made.id }
}
type Asked = { refund_id: number; order_id: number }
const read = async ({ refund_id, order_id }: Asked) => ({
  part: (
    await database.db.select().from(film_refund).where(eq(film_refund.refund_id, refund_id))
  )[0]!,
  row: (await database.db.select().from(refund).where(eq(refund.id, refund_id)))[0]!,
  film: (await database.db.select().from(film_order).where(eq(film_order.order_id, order_id)))[0]!,
  held: (await database.db.select().from(order).where(eq(order.id, order_id)))[0]!,
  seats: await database.db.select().from(film_seat).where(eq(film_seat.order_id, order_id)),
  outs: (await database.db.select().from(payment).where(eq(payment.order_id, order_id))).filter(
    one => one.direction === 'out',
  ),
})
const says = (answer: () => ReturnAnswer) => {
  const asked: string[] = []
  const provider_a = {
    ...noProviders.provider_a,
    giveBack: async ({ provider_no }: { provider_no: string }) => {
      asked.push(provider_no)
      return answer()
    },
  }
  return { asked, tickets: { ...noProviders, provider_a } }
}
const returned = (cents = 70_00): ReturnAnswer => ({ state: 'returned', cost_return_cents: cents })
const refused: ReturnAnswer = {
  state: 'refused',
  text: joined(['影院不支持退票', 'The cinema takes no tickets back']),
}
const silent: ReturnAnswer = { state: 'unknown', text: '' }

describe('issued tickets that go back', () => {
  it('are asked of their provider before any money leaves', async () => {
    const of = await agreed()
    const before = await read(of)
    expect([before.part.provider_state, before.row.state, before.outs]).toEqual([
      'returning',
      'paying',
      [],
    ])
    const { asked, tickets } = says(() => returned())
    await sendReturns({ database, tickets, now: unixNow() })
    expect(asked).toContain(before.film.provider_no)
    const after = await read(of)
    expect([
      after.part.provider_state,
      after.part.cost_return_cents,
      after.part.loss_cents,
    ]).toEqual(['returned', 70_00, 7_40])
    expect(after.outs.map(one => one.amount_cents)).toEqual([77_40])
    await finishPayouts(database, unixNow())
    const done = await read(of)
    expect([done.row.state, done.film.ticket_state, done.held.status]).toEqual([
      'done',
      'released',
      'refunded',
    ])
    expect(done.seats.every(seat => seat.freed_at !== null)).toBe(true)
    expect(done.film.profit_cents).toBe(
      profitOf({ ...done.film, pay_cents: 86_00, refunded_cents: 77_40, cost_return_cents: 70_00 }),
    )
  })
  it('that a provider refuses are paid all the same, at a loss, and their seats stay taken', async () => {
    const of = await agreed()
    const { tickets } = says(() => refused)
    await sendReturns({ database, tickets, now: unixNow() })
    await finishPayouts(database, unixNow())
    const { part, row, seats, film } = await read(of)
    expect([part.provider_state, part.provider_answer, part.loss_cents, row.state]).toEqual([
      'refused',
      joined(['影院不支持退票', 'The cinema takes no tickets back']),
      77_40,
      'done',
    ])
    expect(seats.every(seat => seat.freed_at === null)).toBe(true)
    expect(film.profit_cents).toBe(86_00 - 70_00 - film.wechat_fee_cents - 77_40)
  })
  it('are asked for again by the same number after a silence, ever later', async () => {
    const of = await agreed()
    const { asked, tickets } = says(() => silent)
    const now = unixNow()
    await sendReturns({ database, tickets, now })
    const first = await read(of)
    expect([first.part.provider_state, first.part.provider_answer]).toEqual([
      'returning',
      joined(silentText),
    ])
    expect(first.part.ask_at).toBeGreaterThan(now)
    await sendReturns({ database, tickets, now: first.part.ask_at! })
    const own = asked.filter(no => no === first.film.provider_no)
    expect(own).toHaveLength(2)
    expect((await read(of)).part.ask_at! - first.part.ask_at!).toBeGreaterThan(
      first.part.ask_at! - now,
    )
  })
  it('of an order that was frozen meanwhile wait', async () => {
    const of = await agreed()
    await database.db.update(order).set({ frozen: true }).where(eq(order.id, of.order_id))
    const { asked, tickets } = says(() => returned())
    await sendReturns({ database, tickets, now: unixNow() })
    expect(asked).not.toContain((await read(of)).film.provider_no)
  })
})

describe('whatever a provider says, and however often', () => {
  const answers = fc.constantFrom<ReturnAnswer>(returned(), returned(30_00), refused, silent, {
    state: 'pending',
  })
  it('the money leaves once, the first word stands, and the order ends refunded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answers, { minLength: 1, maxLength: 5 }), async said => {
        const of = await agreed()
        for (const answer of [...said, refused])
          await database.transaction(tx =>
            settleReturn(tx, { refund_id: of.refund_id, answer, now: unixNow() }),
          )
        await finishPayouts(database, unixNow())
        const first = [...said, refused].find(
          one => one.state === 'returned' || one.state === 'refused',
        )!
        const { part, row, film, held, outs } = await read(of)
        const back = first.state === 'returned' ? first.cost_return_cents : 0
        expect([part.provider_state, part.cost_return_cents]).toEqual([first.state, back])
        expect(part.loss_cents).toBe(row.amount_cents - back)
        expect(outs.map(one => one.amount_cents)).toEqual([row.amount_cents])
        expect([row.state, held.refund_state]).toEqual(['done', 'refunded'])
        expect(film.profit_cents).toBe(
          profitOf({
            ...film,
            pay_cents: held.pay_cents,
            refunded_cents: held.refunded_cents,
            cost_return_cents: back,
          }),
        )
      }),
      { numRuns: 12 },
    )
    expect(await brokenBooks(database)).toEqual({})
  })
})
