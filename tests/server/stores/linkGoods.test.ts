import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { submitOffer } from '#src/areas/audit/decision.server.ts'
import { liveBody } from '#src/areas/audit/submission.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { product, product_store, store_stock } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { product as productQueue } from '#src/modules/audit/contract.ts'
import { linkGoods as calls } from '#src/modules/stores/contract/linkGoods.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant } from '../../help/merchants.ts'
import { freshGoods } from '../../help/shipped.ts'
import { freshECategory, freshShop } from '../../help/shops.ts'

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
const call = (what: Parameters<typeof send>[1], input: object, who: Person = anna) =>
  send(app, what, input as never, { token: who.token })
const done = async (what: Parameters<typeof send>[1], input: object, who: Person = anna) => {
  const said = await call(what, input, who)
  expect(said.status, JSON.stringify(said)).toBe(200)
  return said.data
}
const contract = { contract_start_at: unixNow() - 100, contract_end_at: unixNow() + 10_000 }
/** Goods on the shelf of one shop, and another open shop that may sell their category. */
const pair = async (of: Parameters<typeof freshShop>[2] = {}) => {
  const goods = await freshGoods(database)
  await database.db.update(merchant).set(contract).where(eq(merchant.id, goods.own.id))
  const other = await freshShop(database, goods.own, {
    status: 'open',
    category_id: goods.shop.category_id,
    category_ids: [goods.shop.category_id],
    ...of,
  })
  return { ...goods, other }
}
/** A shop of a kind that belongs to another merchant and may sell the category of the goods. */
const foreign = async (
  goods: { shop: { category_id: number } },
  shop_type: 'flagship' | 'mall' = 'mall',
) => {
  const own = await freshMerchant(database)
  const { category_id } = goods.shop
  const of = { status: 'open' as const, category_id, category_ids: [category_id], shop_type }
  return freshShop(database, own, of)
}
const shelf = async (store_id: number, who = anna) =>
  (await done(calls.linked, { store_id }, who)) as {
    list: any[]
    list_version: number
  }
const ids = async (store_id: number) => (await shelf(store_id)).list.map(row => row.id)
const pool = async (store_id: number, more: object = {}): Promise<number[]> =>
  (await done(calls.free, { store_id, pageSize: 100, ...more })).list.map(
    (row: { id: number }) => row.id,
  )
const link = (store_id: number, product_id: number) => call(calls.link, { store_id, product_id })
const held = async (store_id: number, product_id: number) => {
  const [row] = await database.db
    .select({ version: product_store.version })
    .from(product_store)
    .where(and(eq(product_store.store_id, store_id), eq(product_store.product_id, product_id)))
  return { store_id, product_id, version: row!.version }
}
const buy = async (product_id: number, store_id: number, sku_id: number, qty = 1) => {
  const [buyer] = await database.db
    .select({ id: member.id })
    .from(member)
    .where(eq(member.account_state, 'normal'))
    .limit(1)
  const made = await database.transaction(tx =>
    placeOrder(tx, {
      member_id: buyer!.id,
      proved: true,
      lines: [{ product_id, sku_id, qty }],
      freight_cents: 0,
      store_id,
      now: unixNow(),
    }),
  )
  const where = eq(order_item.order_id, made.id)
  const [item] = await database.db.select().from(order_item).where(where)
  return { ...made, price_cents: item!.price_cents }
}
const close = (id: number) =>
  database.db.update(order).set({ pay_state: 'closed' }).where(eq(order.id, id))

describe('what a shop may sell', () => {
  it('stands once on its shelf, at the end, from the pool', async () => {
    const { id, other } = await pair()
    expect(await pool(other.id)).toContain(id)
    await done(calls.link, { store_id: other.id, product_id: id })
    expect([await ids(other.id), (await pool(other.id)).includes(id)]).toEqual([[id], false])
    expect((await link(other.id, id)).data.rule).toBe('already')
    const [row] = (await shelf(other.id)).list
    // It sells for 100 yuan and costs 80.
    expect(row).toMatchObject({ other_shops: 1, margin_bp: 2000, shop_stock: null, source: 'own' })
    expect(row.other_names).toHaveLength(1)
  })
  it('is of a category that it was approved for', async () => {
    const { id, other } = await pair({ category_ids: [await freshECategory(database)] })
    expect((await link(other.id, id)).data.rule).toBe('unlicensed')
  })
  it('is its merchant’s; a mall’s shop also sells what others supply under a contract', async () => {
    const goods = await pair()
    const [flagship, mall] = [await foreign(goods, 'flagship'), await foreign(goods)]
    expect((await link(flagship.id, goods.id)).data.rule).toBe('other_merchant')
    expect(await pool(flagship.id)).not.toContain(goods.id)
    const supply = { source: 'supply', keyword: String(goods.id) }
    expect(await pool(mall.id, supply)).toEqual([goods.id])
    const end = (contract_end_at: number) =>
      database.db.update(merchant).set({ contract_end_at }).where(eq(merchant.id, goods.own.id))
    await end(unixNow() - 1)
    expect(await pool(mall.id, supply)).toEqual([])
    expect((await link(mall.id, goods.id)).data.rule).toBe('no_contract')
    await end(unixNow() + 1000)
    expect((await link(mall.id, goods.id)).status).toBe(200)
  })
  it('stays there when its merchant’s next edit is approved, which knows nothing of it', async () => {
    const goods = await pair()
    const mall = await foreign(goods)
    await done(calls.link, { store_id: mall.id, product_id: goods.id })
    const task = await database.transaction(async tx =>
      submitOffer(tx, {
        product_id: goods.id,
        body: { ...(await liveBody(tx, goods.id))!, buy_notes: '改了须知' },
        submit_type: 'edit',
        now: unixNow(),
      }),
    )
    const { version } = await done(productQueue.claim, { id: task.id })
    await done(productQueue.approve, { id: task.id, version })
    expect(await ids(mall.id)).toEqual([goods.id])
    const [sold] = await database.db.select().from(product).where(eq(product.id, goods.id))
    expect(sold!.store_ids).toEqual([goods.shop.id, mall.id])
  })
})

describe('the price of a shop', () => {
  it('lies between the cost and the list price, and orders there pay it', async () => {
    const { id, shop, small, large } = await pair()
    const set = async (price_cents: number | null) =>
      call(calls.setPrice, { ...(await held(shop.id, id)), price_cents })
    for (const bad of [7999, 15_001])
      expect(Object.keys((await set(bad)).data.fields)).toEqual(['price_cents'])
    expect((await set(9000)).status).toBe(200)
    const prices = [await buy(id, shop.id, small.id), await buy(id, shop.id, large.id)]
    // The larger variant is 20 yuan more, here as everywhere.
    expect(prices.map(one => one.price_cents)).toEqual([9000, 11_000])
    expect((await shelf(shop.id)).list[0]).toMatchObject({ shop_price_cents: 9000 })
    expect((await set(null)).status).toBe(200)
    expect((await buy(id, shop.id, small.id)).price_cents).toBe(10_000)
  })
  it('of two people who set it at once only one is heard', async () => {
    const { id, shop } = await pair()
    const read = await held(shop.id, id)
    const both = await Promise.all([
      call(calls.setPrice, { ...read, price_cents: 9000 }),
      call(calls.setPrice, { ...read, price_cents: 9500 }, ben),
    ])
    expect(both.map(said => said.status).sort()).toEqual([200, 409])
  })
})

describe('the share of a shop', () => {
  const share = async (store_id: number, id: number, stock: number) =>
    call(calls.setStock, { ...(await held(store_id, id)), stock })
  it('and those of other shops are together at most what is left', async () => {
    const { id, shop, other } = await pair()
    await done(calls.link, { store_id: other.id, product_id: id })
    expect((await share(shop.id, id, 15)).status).toBe(200)
    expect((await share(other.id, id, 6)).data.fields.stock).toContain('5')
    expect((await share(other.id, id, 5)).status).toBe(200)
  })
  it('is held and sold by orders of any variant there, and no more is sold', async () => {
    const { id, shop, small, large } = await pair()
    await share(shop.id, id, 2)
    await buy(id, shop.id, small.id)
    await buy(id, shop.id, large.id)
    await expect(buy(id, shop.id, small.id)).rejects.toMatchObject({
      data: { rule: 'no_store_stock' },
    })
    const [row] = await database.db
      .select()
      .from(store_stock)
      .where(and(eq(store_stock.product_id, id), eq(store_stock.store_id, shop.id)))
    expect(row).toMatchObject({ stock: 2, held: 2 })
  })
  it('of two shops that take the rest at once only one has it', async () => {
    const { id, shop, other } = await pair()
    await done(calls.link, { store_id: other.id, product_id: id })
    const both = await Promise.all([share(shop.id, id, 12), share(other.id, id, 12)])
    expect(both.map(said => said.status).sort()).toEqual([200, 400])
  })
})

describe('taking off the shelf', () => {
  const unlink = async (store_id: number, id: number) =>
    call(calls.unlink, { ...(await held(store_id, id)), reason: '调整货架' })
  it('waits for orders of this shop that are unpaid, and leaves goods on sale a shop', async () => {
    const { id, shop, other, small } = await pair()
    expect((await unlink(shop.id, id)).data.rule).toBe('last_shop')
    await done(calls.link, { store_id: other.id, product_id: id })
    const made = await buy(id, shop.id, small.id)
    expect((await unlink(shop.id, id)).data.rule).toBe('unpaid')
    await close(made.id)
    expect((await unlink(shop.id, id)).status).toBe(200)
    expect([await ids(shop.id), await ids(other.id)]).toEqual([[], [id]])
  })
})

describe('the order of a shelf and its copy', () => {
  it('is kept whole, and refused where it was made from another', async () => {
    const { id, other } = await pair()
    const second = await pair()
    await database.db
      .update(product)
      .set({ merchant_id: other.merchant_id, category_id: other.category_id })
      .where(eq(product.id, second.id))
    for (const one of [id, second.id])
      await done(calls.link, { store_id: other.id, product_id: one })
    const { list_version } = await shelf(other.id)
    const sort = (order: number[]) => call(calls.sort, { store_id: other.id, order, list_version })
    expect((await sort([second.id])).status).toBe(400)
    expect((await sort([second.id, id])).status).toBe(200)
    expect(await ids(other.id)).toEqual([second.id, id])
    expect((await sort([id, second.id])).status).toBe(409)
  })
  it('copies what the shop may sell, and tells what it leaves out and why', async () => {
    const [a, b] = [await pair(), await pair()]
    // Both stand on one shelf; the other shop is approved for the category of the first alone.
    await database.db.insert(product_store).values({ product_id: b.id, store_id: a.shop.id })
    const copy = () => done(calls.copyShelf, { store_id: a.other.id, from_store_id: a.shop.id })
    const { copied, skipped } = await copy()
    expect(copied).toBe(1)
    expect(skipped).toMatchObject([{ id: b.id }])
    expect(skipped[0].text).toContain('旗舰店')
    expect(await ids(a.other.id)).toEqual([a.id])
    expect((await copy()).copied).toBe(0)
    const self = { store_id: a.shop.id, from_store_id: a.shop.id }
    expect((await call(calls.copyShelf, self)).status).toBe(400)
  })
  it('a batch puts on what it can', async () => {
    const [a, b] = [await pair(), await pair()]
    const { ok, failed } = await done(calls.batchLink, {
      store_id: a.other.id,
      product_ids: [a.id, b.id],
    })
    expect([ok, failed.map((row: { code: string }) => row.code)]).toEqual([
      [a.id],
      ['other_merchant'],
    ])
  })
})

it('a shop outside a person’s places shows and changes nothing', async () => {
  const { id, shop, other } = await pair()
  const role = { scope_type: 'city' as const, scope_ids: [2] }
  const away = await addStaff(database, { perms: ['*'], role })
  for (const said of [
    await call(calls.linked, { store_id: shop.id }, away),
    await call(calls.free, { store_id: shop.id }, away),
    await call(calls.link, { store_id: other.id, product_id: id }, away),
    await call(calls.copyShelf, { store_id: other.id, from_store_id: shop.id }, away),
  ])
    expect(said.status).toBe(404)
})
