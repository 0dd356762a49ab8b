import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { dist_commission, dist_product } from '#src/areas/commission/commission.table.ts'
import { dist_adjust } from '#src/areas/distribution/sellers.table.ts'
import { distributors } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { expertDetail as calls } from '#src/modules/distribution/contract/expertDetail.ts'
import { sellersPage } from '#src/modules/distribution/contract/index.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { addSeller, giveMoney, sellerOf } from '../../help/distribution.ts'

type What = Parameters<typeof send>[1]
let database: Database
let app: App
let maker: Awaited<ReturnType<typeof addStaff>>
let checker: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  maker = await addStaff(database, { perms: ['distribution.*'] })
  checker = await addStaff(database, { perms: ['distribution.*'] })
})
const call = (what: What, input: object, as = maker) => send(app, what, input, { token: as.token })
const done = async (what: What, input: object, as = maker) => {
  const said = await call(what, input, as)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object, as = maker) => {
  const said = await call(what, input, as)
  return [said.status, said.data?.rule]
}
const one = ({ id, version }: { id: number; version: number }) => ({ id, version })
const reason = '推广奖励'
const moneyIn = async (id: number) => ({
  balance: 0 - (await balanceOf(database.db, distributors('distributor_balance', id))),
  debt: await balanceOf(database.db, distributors('distributor_debt', id)),
})
const waiting = async (id: number) =>
  (await database.db.select().from(dist_adjust).where(eq(dist_adjust.distributor_id, id)))[0]!

describe('an adjustment of commission', () => {
  it('up to what one person may do is posted at once, and stands among the commission', async () => {
    const row = await addSeller(database)
    expect(
      await done(calls.adjustCommission, { ...one(row), amount_cents: 100_000, reason }),
    ).toMatchObject({ waits: false })
    expect(await moneyIn(row.id)).toEqual({ balance: 100_000, debt: 0 })
    const lines = await database.db
      .select()
      .from(dist_commission)
      .where(eq(dist_commission.distributor_id, row.id))
    expect(lines).toMatchObject([{ role: 'adjust', amount_cents: 100_000, status: 'settled' }])
    expect(lines[0]!.txn_id).not.toBeNull()
  })
  it('less than the balance holds becomes a debt, which later money pays off first', async () => {
    const row = await addSeller(database)
    await giveMoney(database, row.id, 'distributor_balance', 300)
    const less = await done(calls.adjustCommission, { ...one(row), amount_cents: -1000, reason })
    expect(await moneyIn(row.id)).toEqual({ balance: 0, debt: 700 })
    await done(calls.adjustCommission, { ...one(less), amount_cents: 900, reason })
    expect(await moneyIn(row.id)).toEqual({ balance: 200, debt: 0 })
  })
  it('above it waits for another person than asked, by the page and by the table', async () => {
    const row = await addSeller(database)
    const asked = { ...one(row), amount_cents: 100_001, reason }
    expect(await done(calls.adjustCommission, asked)).toMatchObject({ waits: true })
    expect(await moneyIn(row.id)).toEqual({ balance: 0, debt: 0 })
    const again = await sellerOf(database, row.id)
    expect(await rule(calls.adjustCommission, { ...asked, ...one(again) })).toEqual([
      422,
      'adjust_waits',
    ])
    const waits = await waiting(row.id)
    expect(await rule(calls.approveAdjust, one(waits))).toEqual([422, 'not_decidable'])
    await expect(
      database.db
        .update(dist_adjust)
        .set({ state: 'posted', decided_at: 1, checker_id: maker.id })
        .where(eq(dist_adjust.id, waits.id)),
    ).rejects.toThrow()
    await expect(
      database.db
        .update(dist_adjust)
        .set({ state: 'posted', decided_at: 1 })
        .where(eq(dist_adjust.id, waits.id)),
    ).rejects.toThrow()
    await done(calls.approveAdjust, one(waits), checker)
    expect(await moneyIn(row.id)).toEqual({ balance: 100_001, debt: 0 })
  })
  it('that two decide at once is decided by one, and posted once', async () => {
    const third = await addStaff(database, { perms: ['distribution.*'] })
    const row = await addSeller(database)
    await done(calls.adjustCommission, { ...one(row), amount_cents: 500_000, reason })
    const waits = await waiting(row.id)
    const both = await Promise.all([
      call(calls.approveAdjust, one(waits), checker),
      call(calls.rejectAdjust, { ...one(waits), reason }, third),
    ])
    expect(both.filter(said => said.status === 200)).toHaveLength(1)
    const after = await waiting(row.id)
    const { balance } = await moneyIn(row.id)
    expect(balance).toBe(after.state === 'posted' ? 500_000 : 0)
  })
  it('of a store is refused: its commission lies with its merchant', async () => {
    const { rows } = await database.db.execute<{ id: number }>(
      sql`select max(id) id from store s where not exists (select 1 from distributor d where d.store_id = s.id)`,
    )
    const row = await addSeller(database, { kind: 'store', store_id: rows[0]!.id })
    expect(await rule(calls.adjustCommission, { ...one(row), amount_cents: 5, reason })).toEqual([
      422,
      'of_merchant',
    ])
  })
})

describe('the page of a seller', () => {
  it('tells its commission by state, its sales by day, and that the balance is their sum', async () => {
    const row = await addSeller(database)
    const [goods] = await database.db.select({ id: product.id }).from(product).limit(1)
    const now = unixNow()
    const line = {
      distributor_id: row.id,
      city_id: 1,
      role: 'direct' as const,
      base_cents: 10_000,
      rate_bp: 500,
      amount_cents: 500,
      product_id: goods!.id,
      paid_at: now - DAY,
      status: 'estimated' as const,
    }
    await database.db
      .insert(dist_commission)
      .values([
        line,
        { ...line, reversed_cents: 250 },
        { ...line, role: 'leader' as const, base_cents: 70_000 },
      ])
    const told = await done(calls.detail, { id: row.id })
    expect(told.states).toEqual([{ status: 'estimated', count: 3, sum_cents: 1250 }])
    expect(told.row.estimated_cents).toBe(1250)
    const { points, products } = await done(calls.trend, { id: row.id })
    expect(points).toHaveLength(30)
    expect(points[28]).toMatchObject({ gmv_cents: 20_000, refunded_cents: 5000 })
    expect(products).toMatchObject([{ id: goods!.id, n: 2, gmv_cents: 20_000 }])
    const weeks = await done(calls.trend, { id: row.id, by: 'week' })
    expect(weeks.points.at(-1)).toMatchObject({ gmv_cents: 20_000 })
  })
  it('tells the levels that it had, and who gave them', async () => {
    const row = await addSeller(database)
    await done(sellersPage.setLevel, { ...one(row), level_no: 3, reason })
    const { levels } = await done(calls.detail, { id: row.id })
    expect(levels).toMatchObject([{ before: 1, after: 3, by: maker.account, reason }])
  })
  it('changes its phone to one that no other seller has', async () => {
    const [row, other] = [await addSeller(database), await addSeller(database)]
    const input = { ...one(row), reason }
    expect(await rule(calls.changePhone, { ...input, phone: other.phone })).toEqual([
      422,
      'phone_taken',
    ])
    await done(calls.changePhone, { ...input, phone: `155${other.phone.slice(3)}` })
    expect((await sellerOf(database, row.id)).phone).toBe(`155${other.phone.slice(3)}`)
  })
  it('makes a poster with a code of a product that is distributed, and of no other', async () => {
    const row = await addSeller(database)
    const [goods] = await database.db
      .select({ id: product.id, city_id: product.city_id, title: product.title })
      .from(product)
      .where(eq(product.state, 'on_sale'))
      .limit(1)
    await database.db
      .insert(dist_product)
      .values({
        ref_kind: 'product',
        ref_id: goods!.id,
        city_id: goods!.city_id,
        start_at: 0,
        status: 'on',
      })
      .onConflictDoUpdate({
        target: [dist_product.ref_kind, dist_product.ref_id],
        set: { status: 'on' },
      })
    const made = await done(calls.genPoster, { id: row.id, product_id: goods!.id })
    expect(made.link).toContain(row.invite_code)
    expect(made.svg.startsWith('<svg')).toBe(true)
    expect(made.svg).toContain('<path')
    await database.db
      .update(dist_product)
      .set({ status: 'off' })
      .where(eq(dist_product.ref_id, goods!.id))
    expect((await call(calls.genPoster, { id: row.id, product_id: goods!.id })).status).toBe(404)
  })
})
