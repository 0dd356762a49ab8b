import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { film_order, film_refund } from '#src/areas/film/film.table.ts'
import { noProviders } from '#src/areas/film/provider.channel.ts'
import { openFilmRefund, type AskedFilm } from '#src/areas/filmRefund/refund.server.ts'
import { sendReturns } from '#src/areas/filmRefund/returning.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { filmRefunds as calls, type FilmRefundRow } from '#src/modules/film/contract/refund.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { settledLines } from '../../help/filmBooks.ts'
import { anOwner, showOver, soldFilm, type Owner, type Sold } from '../../help/filmOrders.ts'
import { channelOf, finishPayouts } from '../../help/orders.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
type What = Parameters<typeof send>[1]
let database: Database
let app: App
let owner: Owner
let first: Person
let second: Person
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  owner = await anOwner(database)
  const perms = ['film.refund.*']
  first = await addStaff(database, { perms, role: { refund_limit_cents: 1_000_00 } })
  second = await addStaff(database, { perms, role: { refund_limit_cents: 1_000_00 } })
})
const call = (what: What, input: object, by = first) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = first) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object, by = first) => {
  const said = await call(what, input, by)
  expect(said.status, said.message).toBe(422)
  return said.data.rule
}
/** A case of a buyer's own, with what it is known by on the page. */
const opened = async (of: Omit<Sold, 'owner'> = {}, more: Partial<AskedFilm> = {}) => {
  const row = await soldFilm(database, { owner, ...of })
  const made = await database.transaction(tx =>
    openFilmRefund(tx, {
      order_id: row.id,
      kind: 'user',
      reason: '临时有事',
      source: 'member',
      now: unixNow(),
      ...more,
    }),
  )
  const [part] = await database.db
    .select()
    .from(film_refund)
    .where(eq(film_refund.refund_id, made.id))
  return { id: part!.id, refund_id: made.id, order_id: row.id, order_no: row.order_no }
}
const shown = async (of: { order_no: string }, state = 'open'): Promise<FilmRefundRow> => {
  const { list } = await done(calls.lst, { state, keyword: of.order_no, page: 1, pageSize: 10 })
  return list[0]
}
const held = async (of: { id: number; refund_id: number }) => {
  const [row] = await database.db.select().from(refund).where(eq(refund.id, of.refund_id))
  return { id: of.id, version: row!.version }
}
const stateOf = async (of: { refund_id: number }) =>
  (await database.db.select().from(refund).where(eq(refund.id, of.refund_id)))[0]!.state
const refuse = () =>
  sendReturns({
    database,
    tickets: {
      ...noProviders,
      provider_a: {
        ...noProviders.provider_a,
        giveBack: async () => ({ state: 'refused', text: '影院不支持退票' }),
      },
    },
    now: unixNow(),
  })

describe('the queue', () => {
  it('shows the soonest show first, and the loss before anybody decides', async () => {
    const late = await opened({ begins_in: 9000 })
    const soon = await opened({ begins_in: 5000 })
    const city_id = owner.city_id
    const { list } = await done(calls.lst, {
      state: 'applied',
      mall_id: owner.mall_id,
      city_id,
      page: 1,
      pageSize: 50,
    })
    const ids = list.map((one: FilmRefundRow) => one.id)
    expect(ids.indexOf(soon.id)).toBeLessThan(ids.indexOf(late.id))
    const row = await shown(soon)
    expect([row.give_back_cents, row.loss_cents, row.returnable]).toEqual([70_00, 7_40, true])
    expect(row.coupon).toBe('none')
  })
  it('counts each tab as its list does', async () => {
    const filters = { mall_id: owner.mall_id }
    const { tabs } = await done(calls.totals, filters)
    for (const { state, count } of tabs) {
      const { total } = await done(calls.lst, { ...filters, state, page: 1, pageSize: 10 })
      expect([state, total]).toEqual([state, count])
    }
  })
})
describe('a decision', () => {
  it('agrees, gives the tickets back first, and tells the loss that a refusal leaves', async () => {
    const one = await opened()
    await done(calls.approve, await held(one))
    expect((await shown(one, 'returning')).provider_state).toBe('returning')
    await refuse()
    await finishPayouts(database, unixNow())
    const row = await shown(one, 'done')
    expect([row.provider_state, row.loss_cents, row.give_back_cents]).toEqual(['refused', 77_40, 0])
    await done(calls.confirmProvider, { ...(await held(one)), cost_return_cents: 50_00 })
    const after = await shown(one, 'done')
    expect([after.provider_state, after.loss_cents]).toEqual(['returned', 27_40])
    const [film] = await database.db
      .select()
      .from(film_order)
      .where(eq(film_order.order_id, one.order_id))
    expect(film!.profit_cents).toBe(86_00 - 70_00 - film!.wechat_fee_cents - 77_40 + 50_00)
  })
  it('above the limit of one person waits for another, who may send it back', async () => {
    const poor = await addStaff(database, {
      perms: ['film.refund.*'],
      role: { refund_limit_cents: 10_00 },
    })
    const one = await opened()
    await done(calls.approve, await held(one), poor)
    expect(await stateOf(one)).toBe('second_audit')
    expect(await rule(calls.approve, await held(one), poor)).toBe('stage')
    await done(calls.reject, { ...(await held(one)), reason: '请核对金额' })
    expect(await stateOf(one)).toBe('applied')
    await done(calls.approve, await held(one), poor)
    await done(calls.approve, await held(one), second)
    expect(await stateOf(one)).toBe('paying')
  })
  it('of what was settled meanwhile waits for a second person', async () => {
    const one = await opened({}, { kind: 'complaint' })
    await showOver(database, one.order_id)
    await settledLines(database, one.order_id)
    await done(calls.approve, await held(one))
    expect(await stateOf(one)).toBe('second_audit')
    expect((await shown(one)).after_settled).toBe(true)
    await done(calls.approve, await held(one), second)
    expect(await stateOf(one)).toBe('paying')
  })
  it('is one person’s: the other is told who was quicker', async () => {
    const one = await opened()
    const read = await held(one)
    await done(calls.approve, read)
    const late = await call(calls.approve, read, second)
    expect(late.status).toBe(409)
    expect(late.data.by.name).toBe(first.account)
  })
  it('refuses with a reason, and never once the provider has the tickets', async () => {
    const one = await opened()
    await done(calls.confirmProvider, { ...(await held(one)), cost_return_cents: 70_00 })
    expect(await rule(calls.reject, { ...(await held(one)), reason: '不符合条件' })).toBe('stage')
    const other = await opened()
    await done(calls.reject, { ...(await held(other)), reason: '不符合条件' })
    expect((await shown(other, 'rejected')).reject_reason).toBe('不符合条件')
    expect(await rule(calls.approve, await held(other))).toBe('stage')
  })
  it('changes the amount within what is left, and the charge with it', async () => {
    const one = await opened()
    const said = await call(calls.editAmount, {
      ...(await held(one)),
      amount_cents: 86_01,
      reason: '会员投诉',
    })
    expect([said.status, said.data.rule]).toEqual([422, 'above_cap'])
    await done(calls.editAmount, { ...(await held(one)), amount_cents: 86_00, reason: '会员投诉' })
    const row = await shown(one)
    expect([row.amount_cents, row.charge_cents, row.loss_cents]).toEqual([86_00, 0, 16_00])
  })
  it('writes down no more than the provider was paid', async () => {
    const one = await opened()
    expect(
      await rule(calls.confirmProvider, { ...(await held(one)), cost_return_cents: 70_01 }),
    ).toBe('above_cost')
    const money = await opened({}, { kind: 'complaint', amount_cents: 5_00 })
    expect(
      await rule(calls.confirmProvider, { ...(await held(money)), cost_return_cents: 1 }),
    ).toBe('stage')
  })
  it('pays again what the channel refused, once', async () => {
    const one = await opened({ ticket_state: 'issue_failed' }, { kind: 'ticket_failed' })
    await finishPayouts(
      database,
      unixNow(),
      channelOf({
        refund: async () => ({ state: 'failed', code: 'NOTENOUGH', text: '余额不足' }) as never,
      }),
    )
    expect((await shown(one, 'pay_failed')).fail_code).toBe('NOTENOUGH')
    await done(calls.retry, await held(one))
    await finishPayouts(database, unixNow())
    expect(await stateOf(one)).toBe('done')
    const outs = await database.db
      .select()
      .from(payment)
      .where(eq(payment.refund_id, one.refund_id))
    expect(outs.map(out => out.state)).toEqual(['success'])
  })
  it('is given to a colleague who may decide it, and to nobody else', async () => {
    const one = await opened()
    const viewer = await addStaff(database, { perms: ['film.refund.view'] })
    expect(await rule(calls.assign, { ...(await held(one)), admin_id: viewer.id })).toBe(
      'no_rights',
    )
    await done(calls.assign, { ...(await held(one)), admin_id: second.id })
    expect((await shown(one)).assignee_id).toBe(second.id)
  })
  it('agrees to several, and tells of each that is refused', async () => {
    const [fine, settled] = [await opened(), await opened()]
    await database.db
      .update(refund)
      .set({ state: 'closed' })
      .where(eq(refund.id, settled.refund_id))
    const { ok, failed } = await done(calls.batchApprove, {
      tasks: [await held(fine), await held(settled)],
    })
    expect([ok, failed.map((one: { id: number }) => one.id)]).toEqual([[fine.id], [settled.id]])
  })
})
