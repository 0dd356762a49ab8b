import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { film_order, film_refund, film_seat } from '#src/areas/film/film.table.ts'
import { profitOf } from '#src/areas/film/film.ts'
import { openFilmRefund, type AskedFilm } from '#src/areas/filmRefund/refund.server.ts'
import { merchants } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { approveRefund, secondApprove } from '#src/areas/refund/refundCases.server.ts'
import type { Refund } from '#src/areas/refund/refundFacts.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { settledLines } from '../../help/filmBooks.ts'
import { anOwner, showOver, soldFilm, type Owner, type Sold } from '../../help/filmOrders.ts'
import { brokenBooks } from '../../help/ledgerInvariants.ts'
import { finishPayouts } from '../../help/orders.ts'

let database: Database
let owner: Owner
let people: number[]
beforeAll(async () => {
  database = await openCopy()
  owner = await anOwner(database)
  people = []
  for (let n = 0; n < 2; n++) people.push((await addStaff(database, { perms: ['*'] })).id)
})
const sold = (of: Omit<Sold, 'owner'> = {}) => soldFilm(database, { owner, ...of })
const opened = (order_id: number, more: Partial<AskedFilm> = {}): Promise<Refund> =>
  database.transaction(tx =>
    openFilmRefund(tx, {
      order_id,
      kind: 'user',
      reason: '临时有事',
      source: 'staff',
      admin_id: people[0],
      now: unixNow(),
      ...more,
    }),
  )
const refusal = async (what: Promise<unknown>) => {
  const error = await what.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Refusal)
  return { status: (error as Refusal).status, ...((error as Refusal).data as { rule: string }) }
}
const rule = async (what: Promise<unknown>) => (await refusal(what)).rule
const partOf = async ({ id }: Pick<Refund, 'id'>) =>
  (await database.db.select().from(film_refund).where(eq(film_refund.refund_id, id)))[0]!
const filmOf = async (id: number) =>
  (await database.db.select().from(film_order).where(eq(film_order.order_id, id)))[0]!
const orderOf = async (id: number) =>
  (await database.db.select().from(order).where(eq(order.id, id)))[0]!
const by = (n: number) => ({ id: people[n]!, limit_cents: 1e9 })
const approved = (made: Pick<Refund, 'id' | 'version'>, n = 0) =>
  database.transaction(tx => approveRefund(tx, { ...made, by: by(n), now: unixNow() }))

describe('a refund of film tickets', () => {
  it('by its buyer keeps the charge of the day of sale and waits for an audit', async () => {
    const row = await sold()
    const made = await opened(row.id)
    expect([made.state, made.amount_cents, made.cap_cents]).toEqual(['applied', 77_40, 86_00])
    const part = await partOf(made)
    expect([part.kind, part.charge_cents, part.provider_state, part.loss_cents]).toEqual([
      'user',
      8_60,
      'none',
      77_40,
    ])
    expect((await orderOf(row.id)).status).toBe('refunding')
  })
  it('is refused by the terms: the cinema, the time, the times of the month', async () => {
    expect(await rule(opened((await sold({ refundable: false })).id))).toBe('cinema_keeps')
    expect(await rule(opened((await sold({ begins_in: 3000 })).id))).toBe('too_near')
    const terms = { refund_monthly_times: 1 }
    const first = await sold({ terms })
    await opened(first.id)
    const second = await sold({ terms, member_id: first.member_id! })
    expect(await rule(opened(second.id))).toBe('monthly_times')
    expect((await opened(second.id, { kind: 'complaint' })).state).toBe('applied')
  })
  it('is one at a time: the second is told whose the first is', async () => {
    const row = await sold()
    const first = await opened(row.id)
    const said = await refusal(opened(row.id, { kind: 'complaint' }))
    expect(said).toMatchObject({ rule: 'refund_open', refund_id: first.id })
  })
  it('is refused of a frozen order, one that is not paid, and of other goods', async () => {
    const row = await sold()
    await database.db.update(order).set({ frozen: true }).where(eq(order.id, row.id))
    expect(await rule(opened(row.id))).toBe('frozen')
    expect(await rule(opened((await sold({ ticket_state: 'locked' })).id))).toBe('not_refundable')
    const [other] = await database.db.select().from(order).where(eq(order.kind, 'elist')).limit(1)
    expect(await refusal(opened(other!.id))).toMatchObject({ status: 404 })
  })
  it('of what was not issued is paid in full at once, and once however often it is asked for', async () => {
    const row = await sold({ ticket_state: 'issue_failed' })
    const system = { kind: 'ticket_failed', source: 'system', admin_id: undefined } as const
    const made = await opened(row.id, system)
    expect([made.state, made.amount_cents]).toEqual(['paying', 86_00])
    await finishPayouts(database, unixNow())
    expect((await opened(row.id, system)).id).toBe(made.id)
    const film = await filmOf(row.id)
    expect([film.ticket_state, film.profit_cents]).toEqual(['released', -film.wechat_fee_cents])
    const seats = await database.db.select().from(film_seat).where(eq(film_seat.order_id, row.id))
    expect(seats.every(seat => seat.freed_at !== null)).toBe(true)
    expect((await orderOf(row.id)).status).toBe('refunded')
  })
  it('of a complaint pays what was agreed and leaves the tickets; never more than is left', async () => {
    const row = await sold()
    expect(await rule(opened(row.id, { kind: 'complaint', amount_cents: 86_01 }))).toBe('above_cap')
    expect(await rule(opened(row.id, { kind: 'complaint', amount_cents: 0 }))).toBe('above_cap')
    const made = await opened(row.id, { kind: 'complaint', amount_cents: 20_00 })
    expect((await approved(made)).state).toBe('paying')
    await finishPayouts(database, unixNow())
    const [film, held, part] = [await filmOf(row.id), await orderOf(row.id), await partOf(made)]
    expect([film.ticket_state, held.refunded_cents, held.status]).toEqual([
      'issued',
      20_00,
      'finished',
    ])
    expect(part.loss_cents).toBe(20_00)
    expect(film.profit_cents).toBe(
      profitOf({ ...film, pay_cents: 86_00, refunded_cents: 20_00, cost_return_cents: 0 }),
    )
    const rest = await opened(row.id, { kind: 'complaint' })
    expect(rest.amount_cents).toBe(66_00)
  })
  it('after settlement needs a second person, and its owner gives the money back', async () => {
    const row = await sold()
    await showOver(database, row.id)
    const cents = await settledLines(database, row.id)
    expect(cents).toBeGreaterThan(0)
    const balance = () => balanceOf(database.db, merchants('merchant_balance', owner.merchant_id))
    const before = await balance()
    const made = await opened(row.id, { kind: 'complaint' })
    expect((await partOf(made)).after_settled).toBe(true)
    const first = await approved(made)
    expect(first.state).toBe('second_audit')
    const again = (n: number) =>
      database.transaction(tx =>
        secondApprove(tx, { id: made.id, version: first.version, by: by(n), now: unixNow() }),
      )
    expect(await rule(again(0))).toBe('stage')
    expect((await again(1)).state).toBe('paying')
    await finishPayouts(database, unixNow())
    expect((await balance()) - before).toBe(cents)
    const lines = await database.db
      .select()
      .from(settle_line)
      .where(eq(settle_line.order_id, row.id))
    expect(lines.every(line => line.status === 'refunded')).toBe(true)
    const [done] = await database.db.select().from(refund).where(eq(refund.id, made.id))
    expect(done!.state).toBe('done')
    expect(await brokenBooks(database)).toEqual({})
  })
})
