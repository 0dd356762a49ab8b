import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { gramsOf, searchable } from '#src/domain/search.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { goods as calls } from '#src/modules/shop/contract/goods.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant, sellAt, soldCode } from '../../help/merchants.ts'

let database: Database
let app: App
let token: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['*'] })).token
})
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object = {}, as = token) =>
  send(app, what, input as never, { token: as })
const of = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!
const set = (id: number, values: Partial<typeof product.$inferInsert>) =>
  database.db.update(product).set(values).where(eq(product.id, id))
const one = async (id: number) => ({ id, version: (await of(id)).version })
const fresh = async (values: Partial<typeof product.$inferInsert> = {}) => {
  const own = await freshMerchant(database)
  const id = await sellAt(database, own, [own.store_id])
  await set(id, { stock: 50, held: 5, sold: 0, ...values })
  return { own, id }
}
const listed = async (filters: object): Promise<number[]> =>
  (await call(calls.lst, { pageSize: 200, ...filters })).data.list.map(
    (row: { id: number }) => row.id,
  )

describe('putting on sale and taking off', () => {
  it('takes one off with a reason and puts it on again, as it was read', async () => {
    const { id } = await fresh()
    const read = await one(id)
    expect((await call(calls.offShelf, { ...read, reason: '门店要求下架' })).status).toBe(200)
    expect(await of(id)).toMatchObject({ state: 'off_sale', off_reason: '门店要求下架' })
    const late = await call(calls.onShelf, read)
    expect(late.status).toBe(409)
    expect((await call(calls.onShelf, await one(id))).status).toBe(200)
    expect(await of(id)).toMatchObject({ state: 'on_sale', off_reason: null })
    expect((await call(calls.onShelf, await one(id))).data.rule).toBe('wrong_state')
  })
  it('puts nothing on sale whose merchant’s contract is over, or that may not trade', async () => {
    const { id, own } = await fresh({ state: 'off_sale' })
    const setSeller = (values: Partial<typeof merchant.$inferInsert>) =>
      database.db.update(merchant).set(values).where(eq(merchant.id, own.id))
    await setSeller({ contract_end_at: now - 10 })
    expect((await call(calls.onShelf, await one(id))).data.rule).toBe('contract_ended')
    await setSeller({ contract_end_at: now + DAY, status: 'frozen' })
    expect((await call(calls.onShelf, await one(id))).data.rule).toBe('merchant_inactive')
    await setSeller({ status: 'active' })
    expect((await call(calls.onShelf, await one(id))).status).toBe(200)
  })
  it('nor what nobody approved, whose sale is over, that comes back by itself, or no open store takes', async () => {
    const { id, own } = await fresh({ state: 'off_sale', live_version: 0 })
    const rule = async () => (await call(calls.onShelf, await one(id))).data.rule
    expect(await rule()).toBe('never_approved')
    await set(id, { live_version: 1, sale_end_at: now - 10 })
    expect(await rule()).toBe('sale_ended')
    await set(id, { sale_end_at: now + DAY, taken_off: ['merchant_frozen'] })
    expect(await rule()).toBe('comes_back')
    await set(id, { taken_off: [] })
    await database.db.update(store).set({ status: 'resting' }).where(eq(store.merchant_id, own.id))
    expect(await rule()).toBe('no_open_store')
  })
  it('a product that was forced off is not put on sale again by hand', async () => {
    const { id } = await fresh()
    const done = await call(calls.forceOff, { ...(await one(id)), reason: '虚假宣传' })
    expect(done.status).toBe(200)
    expect(await of(id)).toMatchObject({ state: 'forced_off', off_reason: '虚假宣传' })
    expect((await call(calls.onShelf, await one(id))).data.rule).toBe('wrong_state')
    expect((await call(calls.forceOff, { ...(await one(id)), reason: '' })).status).toBe(400)
  })
  it('takes many off, each by itself, 500 at most', async () => {
    const [a, b] = [await fresh(), await fresh({ state: 'ended' })]
    const ids = [a.id, b.id, 1_900_000_000]
    const { data } = await call(calls.batchOff, { ids, reason: '活动结束' })
    expect(data.ok).toEqual([a.id])
    expect(data.failed.map((row: { code: string }) => row.code)).toEqual(['wrong_state', '404'])
    const many = Array.from({ length: 501 }, (_, at) => at + 1)
    expect((await call(calls.batchOff, { ids: many, reason: '活动结束' })).status).toBe(400)
  })
})

describe('stock, order and distribution', () => {
  it('sets what may still be sold, and keeps what orders hold', async () => {
    const { id } = await fresh()
    await call(calls.editStock, { ...(await one(id)), stock: 8, reason: '临时补货' })
    expect(await of(id)).toMatchObject({ stock: 13, held: 5 })
    const low = await call(calls.editStock, { ...(await one(id)), stock: -1, reason: '临时补货' })
    expect(low.status).toBe(400)
  })
  it('what is sold out sells again by itself when stock is added', async () => {
    const { id } = await fresh({ stock: 0, held: 0 })
    const {
      rows: [buyer],
    } = await database.db.execute<{ id: number }>(sql`select id from member order by id limit 1`)
    const buy = () =>
      database.transaction(tx =>
        placeOrder(tx, {
          kind: 'bulks',
          member_id: buyer!.id,
          lines: [{ product_id: id, qty: 1 }],
          now: unixNow(),
        } as never),
      )
    await expect(buy()).rejects.toThrow()
    expect(await listed({ sold_out: true })).toContain(id)
    await call(calls.editStock, { ...(await one(id)), stock: 3, reason: '商户补货' })
    expect(await listed({ sold_out: true })).not.toContain(id)
    expect((await of(id)).state).toBe('on_sale')
    await expect(buy()).resolves.toBeTruthy()
  })
  it('the highest in order is listed first', async () => {
    const { id } = await fresh()
    expect((await call(calls.setSort, { ...(await one(id)), sort: 999_999 })).status).toBe(200)
    expect((await listed({}))[0]).toBe(id)
  })
  it('is distributed for no more than the platform takes', async () => {
    const { id } = await fresh({ commission_bp: 800 })
    const give = async (rate_bp: number | null) =>
      call(calls.setDistribution, { ...(await one(id)), rate_bp })
    expect((await give(900)).data.fields.rate_bp).toContain('8%')
    expect((await give(300)).status).toBe(200)
    expect((await of(id)).distribution_bp).toBe(300)
    expect((await give(null)).status).toBe(200)
    expect((await of(id)).distribution_bp).toBeNull()
  })
})

describe('the list', () => {
  it('finds by place, store, category, end of sale and codes that outlive redeeming', async () => {
    const { id, own } = await fresh({ group_need: 3, group_price_cents: 100 })
    const { category_id, city_id, mall_id, title } = await of(id)
    const code = await soldCode(database, id)
    await set(id, { check_end_at: code.valid_until - 60, grams: gramsOf(searchable(title)) })
    for (const filter of [
      { store_id: own.store_id },
      { keyword: title },
      { keyword: String(id) },
      { store_id: own.store_id, category_id },
      { store_id: own.store_id, city_id },
      { store_id: own.store_id, mid: mall_id },
      { store_id: own.store_id, ending: true },
      { store_id: own.store_id, short_redeem: true },
      { store_id: own.store_id, group: true },
      { store_id: own.store_id, state: 'on_sale' },
    ])
      expect([filter, await listed(filter)]).toEqual([filter, [id]])
    expect(await listed({ store_id: own.store_id, group: false })).toEqual([])
    const [row] = (await call(calls.lst, { store_id: own.store_id })).data.list
    expect(row).toMatchObject({
      unused_codes: 1,
      promised_until: code.valid_until,
      stock_left: 45,
      merchant_name: own.name,
    })
    await set(id, { check_end_at: code.valid_until, sale_end_at: now + 8 * DAY })
    expect(await listed({ store_id: own.store_id, short_redeem: true })).toEqual([])
    expect(await listed({ store_id: own.store_id, ending: true })).toEqual([])
  })
  it('shows a person their own city alone, and a merchant’s owner what it sells', async () => {
    const { id, own } = await fresh()
    const elsewhere = await addStaff(database, {
      perms: ['shop.goods.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    const see = async (as: string) =>
      (await call(calls.lst, { store_id: own.store_id }, as)).data.list.length
    expect(await see(elsewhere.token)).toBe(0)
    expect(
      (await call(calls.offShelf, { ...(await one(id)), reason: '越权' }, elsewhere.token)).status,
    ).toBe(404)
    expect(
      (await call(calls.batchOff, { ids: [id], reason: '越权' }, elsewhere.token)).data.ok ?? [],
    ).toEqual([])
  })
  it('leaves out what whoever looks may not see: prices of settlement', async () => {
    const { own } = await fresh()
    const blind = await addStaff(database, {
      perms: ['shop.goods.*'],
      role: { field_rules: { 'product.settle_price_cents': 'hide' } },
    })
    const [row] = (await call(calls.lst, { store_id: own.store_id }, blind.token)).data.list
    expect(row.settle_price_cents).toBeUndefined()
  })
})
