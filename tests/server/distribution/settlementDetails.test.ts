import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { releaseDue } from '#src/areas/commission/settling.server.ts'
import { distributors, lineOf, ours, type AccountKind } from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { commissionDetails as calls } from '#src/modules/distribution/contract/settlementDetails.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { brokenBooks } from '../../help/ledgerInvariants.ts'
import { bind, commissionOf, freshSeller } from '../../help/sellers.ts'
import { openSales, type Sales } from '../../help/sellerSales.ts'

let database: Database
let app: App
let sales: Sales
let boss: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  sales = await openSales(database)
  boss = await addStaff(database, { perms: ['distribution.settlementDetails.*'] })
}, 120_000)
type What = Parameters<typeof send>[1]
let keys = 0
const call = (what: What, input: object) =>
  send(app, what, input, { token: boss.token, key: `commission-${++keys}` })
const done = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const read = async (id: number) =>
  (await database.db.select().from(dist_commission).where(eq(dist_commission.id, id)))[0]!
const one = async (id: number) => ({ id, version: (await read(id)).version })
const reason = '买家投诉'
const held = (kind: AccountKind, id: number) => balanceOf(database.db, distributors(kind, id))
/** What one seller earns of one unit that was used, with its hold over. */
const due = async (release = true) => {
  const { expert, member_id } = await sales.team()
  const order_id = await sales.bought(member_id, sales.coupons, 1)
  await sales.used(order_id)
  const [row] = await commissionOf(database, order_id)
  if (release) await database.transaction(tx => releaseDue(tx, row!.frozen_until!))
  return { expert, order_id, id: row!.id, cents: row!.amount_cents }
}
const withdrawn = (id: number, cents: number) =>
  database.transaction(tx =>
    post(tx, {
      biz: 'withdraw_paid',
      biz_id: 0,
      biz_no: 'TX',
      idem_key: `withdrawn:${id}:${++keys}`,
      at: unixNow(),
      lines: [
        ...lineOf(distributors('distributor_balance', id), cents),
        ...lineOf(ours('bank_cash'), -cents),
      ],
    }),
  )
const sound = async () => expect(await brokenBooks(database)).toEqual({})

describe('a commission', () => {
  it('is settled before its time with a reason, unless its order can still be refunded', async () => {
    const { id, expert, cents } = await due(false)
    await done(calls.settleNow, { ...(await one(id)), reason })
    expect(await read(id)).toMatchObject({ status: 'settled', reason })
    expect(await held('distributor_balance', expert.id)).toBe(-cents)
    const again = await call(calls.settleNow, { ...(await one(id)), reason })
    expect([again.status, again.data.rule]).toEqual([422, 'commission_settleNow'])
    const { member_id } = await sales.team()
    const order_id = await sales.bought(member_id, sales.goods, 1)
    const [estimate] = await commissionOf(database, order_id)
    const early = await call(calls.settleNow, { ...(await one(estimate!.id)), reason })
    expect(early.message).toContain('核销或收货')
    await sales.received(order_id)
    const open = await call(calls.settleNow, { ...(await one(estimate!.id)), reason })
    expect([open.status, open.message]).toEqual([422, expect.stringContaining('售后期')])
    await sound()
  })
  it('that is held is not settled, and says who holds it and why', async () => {
    const { id } = await due()
    await done(calls.hold, { ids: [id], reason })
    const now = await call(calls.settleNow, { ...(await one(id)), reason })
    expect(now.message).toContain(`${boss.account}暂缓：${reason}`)
    const many = await done(calls.batchSettle, { ids: [id] })
    expect(many).toMatchObject({ ok: [], failed: [{ id }] })
    expect((await done(calls.hold, { ids: [id], reason })).failed).toHaveLength(1)
    await done(calls.release, { ids: [id] })
    expect((await done(calls.release, { ids: [id] })).failed).toHaveLength(1)
    expect(await done(calls.batchSettle, { ids: [id] })).toMatchObject({ ok: [id], failed: [] })
    await sound()
  })
  it('that is cancelled leaves its hold, and the platform bears it no more', async () => {
    const { id, expert } = await due()
    await done(calls.cancel, { ...(await one(id)), reason })
    expect(await read(id)).toMatchObject({ status: 'cancelled', reason })
    expect(await held('distributor_frozen', expert.id)).toBe(0)
    const again = await call(calls.cancel, { ...(await one(id)), reason })
    expect(again.status).toBe(422)
    await sound()
  })
  it('of a guide that is cancelled goes back to the merchant', async () => {
    const guide = await freshSeller(database, {
      kind: 'guide',
      store_id: sales.coupons.store_ids[0]!,
    })
    const { id: member_id } = await aBuyer(database)
    await bind(database, { member_id, distributor_id: guide.id, role: 'guide' })
    const order_id = await sales.bought(member_id)
    const [first, second] = await commissionOf(database, order_id)
    await sales.used(order_id)
    const line = async (id: number) =>
      (await database.db.select().from(settle_line).where(eq(settle_line.id, id)))[0]!
    for (const row of [first!, second!]) {
      const before = await line(row.line_id!)
      await done(calls.cancel, { ...(await one(row.id)), reason })
      expect(await line(row.line_id!)).toMatchObject({
        merchant_cents: before.merchant_cents + row.amount_cents,
        distributor_cents: 0,
      })
    }
    await sound()
    // The second one was not used yet: its use earns the guide nothing now.
    await sales.used(order_id)
    expect(await held('distributor_frozen', guide.id)).toBe(0)
    await sound()
  })
  it('that was settled is clawed back, off the balance and then as debt, and never beyond itself', async () => {
    const { id, expert, cents } = await due()
    await done(calls.batchSettle, { ids: [id] })
    await withdrawn(expert.id, cents - 5)
    const much = await call(calls.clawBack, {
      ...(await one(id)),
      amount_cents: cents + 1,
      reason,
    })
    expect([much.status, much.data.rule]).toEqual([422, 'too_much'])
    await done(calls.clawBack, { ...(await one(id)), amount_cents: 8, reason })
    expect(await read(id)).toMatchObject({ status: 'settled', reversed_cents: 8 })
    expect(await held('distributor_debt', expert.id)).toBe(3)
    await sound()
    await done(calls.clawBack, { ...(await one(id)), amount_cents: cents - 8, reason })
    expect(await read(id)).toMatchObject({ status: 'clawed_back', reversed_cents: cents })
    expect(await held('distributor_debt', expert.id)).toBe(cents - 5)
    await sound()
    const stale = await call(calls.clawBack, { id, version: 1, amount_cents: 1, reason })
    expect(stale.status).toBe(409)
  })
  it('is explained by its formula, its binding and its postings', async () => {
    const { id, cents } = await due()
    await done(calls.batchSettle, { ids: [id] })
    const told = await done(calls.explain, { id })
    expect(told).toMatchObject({
      goods_bp: 500,
      plus_bp: 20,
      amount_cents: cents,
      bearer: 'platform',
      binding: { role: 'expert', source: 'link' },
    })
    expect(
      told.entries.map((of: { biz: string; amount_cents: number }) => [of.biz, of.amount_cents]),
    ).toEqual([
      ['verify', -cents],
      ['commission', cents],
    ])
  })
})

describe('the list', () => {
  it('sums by state what it shows, whatever it is filtered by', async () => {
    const { expert, order_id } = await due()
    const [row] = await commissionOf(database, order_id)
    const filters = [
      {},
      { status: 'settleable' },
      { role: 'leader' },
      { distributor_id: expert.id },
      { order_no: row!.order_no },
      { product_id: sales.coupons.id },
      { seller: expert.name },
      { cut: true },
      { held: true },
      { city_id: row!.city_id },
      { paid_from: unixNow() - 86_400 },
      { settled_from: unixNow() - 3600 },
    ]
    for (const filter of filters) {
      const pages = []
      let total = 1
      for (let page = 1; (page - 1) * 100 < total; page++) {
        const data = await done(calls.lst, { page, pageSize: 100, ...filter })
        total = data.total
        pages.push(data)
      }
      const rows = pages.flatMap(one => one.list)
      const sums: Record<string, number> = {}
      for (const one of rows) sums[one.status] = (sums[one.status] ?? 0) + one.left_cents
      expect(sums, JSON.stringify(filter)).toEqual(pages[0].sums)
    }
    const own = await done(calls.lst, { distributor_id: expert.id, page: 1, pageSize: 10 })
    expect(own.list).toMatchObject([{ id: row!.id, seller: expert.name, status: 'settleable' }])
  })
})

onlyOn('postgres')('two people at once', () => {
  it('claw back once, and the other is told who was first', async () => {
    const { id, expert, cents } = await due()
    await done(calls.batchSettle, { ids: [id] })
    const asked = { ...(await one(id)), amount_cents: cents, reason }
    const said = await Promise.all([call(calls.clawBack, asked), call(calls.clawBack, asked)])
    expect(said.map(of => of.status).sort()).toEqual([200, 409])
    expect(said.find(of => of.status === 409)!.message).toContain(boss.account)
    expect(await held('distributor_balance', expert.id)).toBe(0)
    await sound()
  })
  it('settle and cancel: one of the two', async () => {
    const { id, expert } = await due()
    const of = await one(id)
    await Promise.all([
      call(calls.cancel, { ...of, reason }),
      call(calls.settleNow, { ...of, reason }),
    ])
    const after = await read(id)
    expect(['cancelled', 'settled']).toContain(after.status)
    expect(await held('distributor_frozen', expert.id)).toBe(0)
    await sound()
  })
})
