import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { film_order, film_request } from '#src/areas/film/film.table.ts'
import { filmStages, STUCK_S, type FilmStage } from '#src/areas/film/film.ts'
import type { TicketProviders } from '#src/areas/film/provider.channel.ts'
import { sendTicketRequests } from '#src/areas/film/ticketing.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { HOUR, unixNow } from '#src/domain/time.ts'
import { filmOrderDetail } from '#src/modules/film/contract/detail.ts'
import { filmOrders } from '#src/modules/film/contract/index.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, seesNumbers, send } from '../../help/app.ts'
import { orderOf } from '../../help/cardOrders.ts'
import { aShow, buyTickets, heldBy, placeTickets, ticketsOf } from '../../help/films.ts'
import { finishPayouts } from '../../help/orders.ts'
import { askedFor, othersWait, providersOf, type Fate } from '../../help/ticketClock.ts'

let database: Database
let app: App
let token: string
let fate: Fate = 'success'
const tickets: TicketProviders = providersOf(() => fate)
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { tickets })
  token = (await addStaff(database, { perms: ['*'], role: { field_rules: seesNumbers } })).token
})
const calls = { ...filmOrders, ...filmOrderDetail }
const ask = async (name: keyof typeof calls, input: object = {}) => {
  const said = await send(app, calls[name], input, { token })
  return said.http === 200 ? said.data : (said.data?.rule ?? said.status)
}
const issue = async (id: number) => {
  await othersWait(database, id)
  await sendTicketRequests({ database, tickets, now: unixNow() + 1 })
}
const issued = async (of: Parameters<typeof buyTickets>[1] = {}) => {
  fate = 'success'
  const row = await buyTickets(database, of)
  await issue(row.id)
  return orderOf(database, row.id)
}
/** Paid six minutes ago, and its provider says nothing yet. */
const stuck = async () => {
  fate = 'unknown'
  const row = await buyTickets(database)
  await issue(row.id)
  const waiting_since = unixNow() - STUCK_S - 60
  await database.db.update(film_order).set({ waiting_since }).where(eq(film_order.order_id, row.id))
  await database.db
    .update(film_request)
    .set({ created_at: waiting_since })
    .where(eq(film_request.order_id, row.id))
  await database.db.update(order).set({ paid_at: waiting_since }).where(eq(order.id, row.id))
  return orderOf(database, row.id)
}
const one = (row: { id: number; version: number }) => ({ id: row.id, version: row.version })
const why = { reason: '顾客要求处理' }

describe('the list of film orders', () => {
  it('has in each stage what the overview counts there, and both are all of them', async () => {
    await issued()
    const { stages } = await ask('overview')
    for (const stage of Object.keys(filmStages) as FilmStage[]) {
      const counted = stages.find((two: { stage: string }) => two.stage === stage)
      const { list, total } = await ask('lst', { stage, pageSize: 200 })
      expect([stage, total]).toEqual([stage, counted?.count ?? 0])
      expect(list.every((row: { stage: string }) => row.stage === stage)).toBe(true)
      if (total <= 200)
        expect(
          list.reduce((sum: number, row: { pay_cents: number }) => sum + row.pay_cents, 0),
        ).toBe(counted?.pay_cents ?? 0)
    }
    const all = stages.reduce((sum: number, two: { count: number }) => sum + two.count, 0)
    expect((await ask('lst')).total).toBe(all)
  })
  it('shows what waits longest first where it is what must be rescued', async () => {
    const row = await stuck()
    const later = await buyTickets(database)
    const { list } = await ask('lst', { stuck: true, pageSize: 200 })
    const ids = list.map((two: { id: number }) => two.id)
    expect([ids.includes(row.id), ids.includes(later.id)]).toEqual([true, false])
    const waited = list.map((two: { waiting_since: number }) => two.waiting_since)
    expect(waited).toEqual(waited.toSorted((a: number, b: number) => a - b))
  })
  it('is found by number, phone, film, cinema, provider and the day of its show', async () => {
    const show = await aShow(database, { start_at: unixNow() + 900 * HOUR })
    const row = await placeTickets(database, { show_id: show.id })
    const kept = await ticketsOf(database, row.id)
    const phone = (await ask('revealPhone', { id: row.id, ...why })).phone
    for (const filter of [
      { keyword: row.order_no },
      { keyword: row.order_no.toLowerCase() },
      { keyword: phone },
      { keyword: kept.film_name.slice(0, -1) },
      { cinema_id: kept.cinema_id },
      { show_from: show.start_at, show_to: show.start_at },
    ])
      expect([
        filter,
        (await ask('lst', filter)).list.map((two: { id: number }) => two.id),
      ]).toEqual([filter, [row.id]])
    expect((await ask('lst', { keyword: row.order_no, provider: 'direct' })).total).toBe(0)
  })
})

describe('a stuck order', () => {
  it('is asked about, and issued anew from the next provider once the first has failed', async () => {
    const row = await stuck()
    expect((await ask('syncTicket', { id: row.id })).outcome).toBe('silent')
    expect((await ask('reTicket', { id: row.id, ...why })).outcome).toBe('same')
    expect(await askedFor(database, row.id)).toHaveLength(1)
    fate = 'failed'
    const anew = await ask('reTicket', { id: row.id, provider: 'provider_b', ...why })
    expect([anew.outcome, anew.provider]).toEqual(['new', 'provider_b'])
    fate = 'success'
    await issue(row.id)
    expect((await ticketsOf(database, row.id)).provider).toBe('provider_b')
    expect(await ask('reTicket', { id: row.id, ...why })).toBe('film_reTicket')
    const logs = await database.db.select().from(op_log).where(eq(op_log.object_id, row.id))
    expect(logs.map(two => `${two.action} ${two.result}`)).toContain('film.index.reTicket ok')
  })
  it('of several each is asked about, and what is refused says why', async () => {
    const [first, second] = [await stuck(), await issued()]
    fate = 'success'
    const said = await ask('batchSync', { ids: [first.id, second.id] })
    expect([said.ok, said.failed.map((two: { id: number; code: string }) => two.code)]).toEqual([
      [first.id],
      ['film_syncTicket'],
    ])
  })
})

describe('a refund', () => {
  it('of what was not issued goes out at once, of what was waits for another person', async () => {
    const waiting = await stuck()
    const said = await ask('refund', { ...one(waiting), kind: 'ticket_failed', ...why })
    expect([said.state, said.amount_cents]).toEqual(['paying', waiting.pay_cents])
    const done = await issued()
    expect(await ask('refund', { ...one(done), kind: 'ticket_failed', ...why })).toBe('kind')
    expect(await ask('refund', { ...one(done), kind: 'show_canceled', ...why })).toBe('kind')
    const asked = await ask('refund', { ...one(done), kind: 'complaint', ...why })
    expect(asked.state).toBe('applied')
    expect(
      await ask('refund', { id: done.id, version: done.version + 1, kind: 'user', ...why }),
    ).toBe('film_refund')
  })
  it('of several is told row by row', async () => {
    const [first, second] = [await stuck(), await placeTickets(database)]
    const said = await ask('batchRefund', { ids: [first.id, second.id], ...why })
    expect([said.ok, said.failed.map((two: { code: string }) => two.code)]).toEqual([
      [first.id],
      ['film_refund'],
    ])
  })
})

describe('the code', () => {
  it('is masked, shown with a reason, sent three times a day, and not once it goes back', async () => {
    const row = await issued()
    const kept = await ticketsOf(database, row.id)
    const shown = await ask('revealCode', { id: row.id, ...why })
    expect(shown.code).toBe(kept.ticket_code)
    expect([
      (await ask('resendCode', { id: row.id })).sent,
      (await ask('resendCode', { id: row.id })).sent,
      (await ask('resendCode', { id: row.id })).sent,
      await ask('resendCode', { id: row.id }),
    ]).toEqual([2, 3, 4, 'too_often'])
    await ask('refund', { ...one(await orderOf(database, row.id)), kind: 'complaint', ...why })
    expect(await ask('revealCode', { id: row.id, ...why })).toBe('film_revealCode')
  })
})

describe('settlement', () => {
  it('of a frozen order waits, and what is settled can’t be frozen', async () => {
    const row = await issued()
    const frozen = await ask('freeze', { ...one(row), ...why })
    expect((await orderOf(database, row.id)).frozen).toBe(true)
    expect(await ask('freeze', { ...one(frozen), ...why })).toBe('film_freeze')
    const free = await ask('unfreeze', { ...one(frozen), ...why })
    await database.db
      .update(film_order)
      .set({ shown_at: unixNow() })
      .where(eq(film_order.order_id, row.id))
    await database.db
      .update(settle_line)
      .set({ status: 'settled' })
      .where(eq(settle_line.order_id, row.id))
    expect(await ask('freeze', { ...one(free), ...why })).toBe('film_freeze')
  })
})

describe('an order', () => {
  it('that is not paid is cancelled once, and its seats are free', async () => {
    const row = await placeTickets(database)
    const said = await Promise.all([1, 2].map(() => ask('cancelUnpaid', { ...one(row), ...why })))
    expect(said.filter(two => two === 'stale' || two === 'film_cancelUnpaid')).toHaveLength(1)
    expect(await heldBy(database, row.id)).toEqual([])
  })
  it('shows its hall with the seats of others, its price, requests and the member’s others', async () => {
    const show = await aShow(database)
    const row = await issued({ show_id: show.id })
    const { member_id } = row
    await placeTickets(database, { show_id: show.id, seats: [{ row: 8, col: 10 }] })
    const again = await placeTickets(database, { member_id: member_id! })
    const detail = await ask('detail', { id: row.id })
    expect(detail.hall).toMatchObject({ rows: 8, cols: 10, taken: [{ row: 8, col: 10 }] })
    expect(detail.requests.map((two: { state: string }) => two.state)).toEqual(['success'])
    expect(detail.others.map((two: { id: number }) => two.id)).toEqual([again.id])
    const { row: shown, price } = detail
    expect(shown.pay_cents).toBe(
      shown.sale_cents + shown.service_fee_cents - shown.coupon_cents - shown.points_cents,
    )
    expect(shown.profit_cents).toBe(
      shown.pay_cents - shown.cost_cents - price.wechat_fee_cents - shown.refunded_cents,
    )
    await ask('addNote', { id: row.id, note: '顾客在影院等候' })
    const after = await ask('detail', { id: row.id })
    expect(after.log).toContainEqual(
      expect.objectContaining({ event: 'remark', memo: '顾客在影院等候' }),
    )
  })
  it('is made up for with a coupon once, whoever of two is quicker', async () => {
    const row = await issued()
    const [given] = await database.db
      .update(coupon)
      .set({ total: 1_000_000 })
      .where(eq(coupon.status, 'active'))
      .returning({ id: coupon.id })
    const { list } = await ask('coupons')
    expect(list.length).toBeGreaterThan(0)
    const coupon_id = list.find((two: { id: number }) => two.id === given!.id)?.id ?? list[0].id
    const said = await Promise.all(
      [1, 2].map(() => ask('compensate', { id: row.id, coupon_id, ...why })),
    )
    expect(said.filter(two => two === 'film_compensate')).toHaveLength(1)
  })
  it('that was refunded is neither frozen nor issued anew', async () => {
    const row = await stuck()
    await ask('refund', { ...one(row), kind: 'ticket_failed', ...why })
    await finishPayouts(database, unixNow() + 5)
    const after = await orderOf(database, row.id)
    expect(after.status).toBe('refunded')
    expect([
      await ask('freeze', { ...one(after), ...why }),
      await ask('reTicket', { id: row.id, ...why }),
      await ask('refund', { ...one(after), kind: 'complaint', ...why }),
    ]).toEqual(['film_freeze', 'film_reTicket', 'film_refund'])
  })
})
