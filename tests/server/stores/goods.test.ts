import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { combo } from '#src/areas/combo/combo.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { product, product_sku } from '#src/areas/product/product.table.ts'
import { gramsOf, searchable } from '#src/domain/search.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { goods as calls } from '#src/modules/stores/contract/goods.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshGoods } from '../../help/shipped.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let anna: Person
let ben: Person
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  anna = await addStaff(database, { perms: ['*'] })
  ben = await addStaff(database, { perms: ['*'] })
})
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object = {}, who: Person = anna) =>
  send(app, what, input as never, { token: who.token })
const done = async (what: Parameters<typeof send>[1], input: object, who: Person = anna) => {
  const said = await call(what, input, who)
  expect(said.status, JSON.stringify(said)).toBe(200)
  return said.data
}
const of = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!
const one = async (id: number) => ({ id, version: (await of(id)).version })
const set = (id: number, values: Partial<typeof product.$inferInsert>) =>
  database.db.update(product).set(values).where(eq(product.id, id))
const skuOf = async (id: number) =>
  (await database.db.select().from(product_sku).where(eq(product_sku.id, id)))[0]!
const fresh = (values: Partial<typeof product.$inferInsert> = {}) => freshGoods(database, values)
const listed = async (filters: object, who = anna): Promise<any[]> =>
  (await done(calls.lst, { pageSize: 200, ...filters }, who)).list
const buy = async (product_id: number, sku_id: number, qty: number, member_id?: number) => {
  const [buyer] = await database.db
    .select({ id: member.id })
    .from(member)
    .where(eq(member.account_state, 'normal'))
    .limit(1)
  return database.transaction(tx =>
    placeOrder(tx, {
      member_id: member_id ?? buyer!.id,
      proved: true,
      lines: [{ product_id, sku_id, qty }],
      freight_cents: 0,
      now: unixNow(),
    }),
  )
}

describe('putting shipped goods on sale', () => {
  it('asks for an open shop and for stock of a variant', async () => {
    const { id, shop, small, large } = await fresh({ state: 'off_sale' })
    const rule = async () => (await call(calls.onShelf, await one(id))).data?.rule
    await database.db.update(store).set({ status: 'resting' }).where(eq(store.id, shop.id))
    expect(await rule()).toBe('no_open_shop')
    await database.db.update(store).set({ status: 'open' }).where(eq(store.id, shop.id))
    for (const sku of [small, large])
      await database.db.update(product_sku).set({ stock: 0 }).where(eq(product_sku.id, sku.id))
    expect(await rule()).toBe('no_stock')
    await database.db.update(product_sku).set({ stock: 1 }).where(eq(product_sku.id, small.id))
    expect(await rule()).toBeUndefined()
    expect((await of(id)).state).toBe('on_sale')
  })
  it('is refused to what is forced off: it comes back by an audit alone', async () => {
    const { id } = await fresh()
    await done(calls.forceOff, { ...(await one(id)), reason: '投诉属实' })
    expect((await call(calls.onShelf, await one(id))).data.rule).toBe('forced_off')
  })
  it('is refused to what nobody approved, and to whom may not trade', async () => {
    const { id, own } = await fresh({ state: 'off_sale', live_version: 0 })
    expect((await call(calls.onShelf, await one(id))).data.rule).toBe('never_approved')
    await set(id, { live_version: 1 })
    await database.db.update(merchant).set({ status: 'frozen' }).where(eq(merchant.id, own.id))
    expect((await call(calls.onShelf, await one(id))).data.rule).toBe('merchant_inactive')
  })
  it('a batch takes off what it can, and tells of each that it can’t', async () => {
    const [a, b] = [await fresh(), await fresh({ state: 'off_sale' })]
    const { ok, failed } = await done(calls.batchOff, { ids: [a.id, b.id], reason: '集中下架' })
    expect([ok, failed.map((row: { id: number }) => row.id)]).toEqual([[a.id], [b.id]])
  })
})

describe('the stock of a variant', () => {
  it('is what may still be sold, beside what orders hold; the product counts with it', async () => {
    const { id, small } = await fresh()
    await buy(id, small.id, 3)
    await done(calls.editStock, { ...(await one(id)), sku_id: small.id, stock: 2 })
    expect(await skuOf(small.id)).toMatchObject({ stock: 5, held: 3 })
    expect(await of(id)).toMatchObject({ stock: 15, held: 3 })
  })
  it('is never so low that all together are fewer than unpaid orders hold', async () => {
    const { id, small, large } = await fresh({ stock: 20, held: 12 })
    await done(calls.editStock, { ...(await one(id)), sku_id: small.id, stock: 2 })
    const said = await call(calls.editStock, { ...(await one(id)), sku_id: large.id, stock: 0 })
    expect(said.data.rule).toBe('held')
    expect((await of(id)).stock).toBe(12)
  })
  it('names the variant, or is told to choose one', async () => {
    const { id } = await fresh()
    const none = await call(calls.editStock, { ...(await one(id)), stock: 1 })
    expect(Object.keys(none.data.fields)).toEqual(['sku_id'])
    const { small: foreign } = await fresh()
    const other = { ...(await one(id)), sku_id: foreign.id, stock: 1 }
    expect((await call(calls.editStock, other)).status).toBe(404)
  })
  it('and the price stay as they are while an activity or a bundle holds them', async () => {
    const { id, small } = await fresh({ in_activity: true })
    const edits = async () => [
      (await call(calls.editStock, { ...(await one(id)), sku_id: small.id, stock: 1 })).data.rule,
      (
        await call(calls.editPrice, {
          ...(await one(id)),
          sku_id: small.id,
          price_cents: 9900,
          reason: '调价',
        })
      ).data.rule,
    ]
    expect(await edits()).toEqual(['locked', 'locked'])
    await set(id, { in_activity: false })
    const [bundle] = await database.db
      .insert(combo)
      .values({
        name: '套餐',
        policy: 'part',
        price_cents: 100,
        parts: [{ product_id: id, qty: 1 }],
        status: 'on',
      })
      .returning()
    expect(await edits()).toEqual(['locked', 'locked'])
    expect((await listed({ keyword: String(id) }))[0].lock).toBe('combo')
    await database.db.update(combo).set({ status: 'off' }).where(eq(combo.id, bundle!.id))
    expect(await edits()).toEqual([undefined, undefined])
  })
  it('two people who change it meet: the second is told who was first', async () => {
    const { id, small, large } = await fresh()
    const read = await one(id)
    const both = await Promise.all([
      call(calls.editStock, { ...read, sku_id: small.id, stock: 4 }),
      call(calls.editStock, { ...read, sku_id: large.id, stock: 5 }, ben),
    ])
    expect(both.map(said => said.status).sort()).toEqual([200, 409])
    const late = both.find(said => said.status === 409)!
    expect([anna.account, ben.account]).toContain(late.data.by.name)
  })
})

describe('a limit for a buyer', () => {
  it('counts what they ordered before, and not what was closed', async () => {
    const { id, small } = await fresh()
    await done(calls.setLimit, { ...(await one(id)), limit_per_member: 2 })
    const first = await buy(id, small.id, 1)
    await expect(buy(id, small.id, 2)).rejects.toMatchObject({ data: { rule: 'over_limit' } })
    await buy(id, small.id, 1)
    await expect(buy(id, small.id, 1)).rejects.toMatchObject({ data: { rule: 'over_limit' } })
    await database.db.update(order).set({ pay_state: 'closed' }).where(eq(order.id, first.id))
    await buy(id, small.id, 1)
    await done(calls.setLimit, { ...(await one(id)), limit_per_member: null })
    await buy(id, small.id, 3)
  })
  it('lets only one of two orders at once through', async () => {
    const { id, small, large } = await fresh({ limit_per_member: 1 })
    const both = await Promise.allSettled([buy(id, small.id, 1), buy(id, large.id, 1)])
    expect(both.filter(one => one.status === 'fulfilled')).toHaveLength(1)
  })
})

describe('the list', () => {
  it('finds by shop, category, price and low stock, with 30 days of sales beside', async () => {
    const { id, shop, small } = await fresh()
    const { title, category_id } = await of(id)
    await set(id, { grams: gramsOf(searchable(title)) })
    const made = await buy(id, small.id, 2)
    await database.db
      .update(order)
      .set({ pay_state: 'paid', paid_at: now, refund_state: 'refunding' })
      .where(eq(order.id, made.id))
    const store_id = shop.id
    const found = async (filters: object) =>
      (await listed({ store_id, ...filters })).map(row => row.id)
    for (const filter of [
      {},
      { keyword: title },
      { keyword: String(id) },
      { category_id },
      { price: 'p300' },
      { state: 'on_sale' },
      { city_id: (await of(id)).city_id },
    ])
      expect([filter, await found(filter)]).toEqual([filter, [id]])
    expect(await found({ price: 'p100' })).toEqual([])
    expect(await found({ low_stock: true })).toEqual([])
    await done(calls.editStock, { ...(await one(id)), sku_id: small.id, stock: 1 })
    expect(await found({ low_stock: true })).toEqual([id])
    const [row] = await listed({ store_id })
    expect(row).toMatchObject({
      sold_30d: 2,
      refund_bp: 10_000,
      is_low: true,
      has_open_shop: true,
      lock: null,
      stock_left: 11,
    })
    await database.db
      .update(order_item)
      .set({ created_at: now - 31 * DAY })
      .where(eq(order_item.order_id, made.id))
    expect((await listed({ store_id }))[0]).toMatchObject({ sold_30d: 0, refund_bp: null })
  })
  it('shows a person their own city alone', async () => {
    const { id, shop } = await fresh({ city_id: 1 })
    const role = { scope_type: 'city' as const, scope_ids: [2] }
    const other = await addStaff(database, { perms: ['stores.goods.*'], role })
    expect(await listed({ store_id: shop.id }, other)).toEqual([])
    const said = await call(calls.offShelf, { ...(await one(id)), reason: '越权' }, other)
    expect(said.status).toBe(404)
    const tried = await call(calls.skus, { product_id: id }, other)
    expect(tried.status).toBe(404)
  })
})
