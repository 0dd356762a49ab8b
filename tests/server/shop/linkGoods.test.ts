import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { codeRefusal } from '#src/areas/code/verifier.ts'
import { findCode } from '#src/areas/code/verify.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { product, product_store, store_stock } from '#src/areas/product/product.table.ts'
import { datesFault, datesOf } from '#src/areas/product/storeLink.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { linkGoods as calls } from '#src/modules/shop/contract/storeGoods.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant, freshOffer, freshStore, sellAt, soldCode } from '../../help/merchants.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
})
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
const linked = async (store_id: number) => (await call(calls.linked, { store_id })).data
const ids = async (store_id: number): Promise<number[]> =>
  (await linked(store_id)).list.map((row: { id: number }) => row.id)
const productOf = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!
const link = (store_id: number, product_id: number) => call(calls.link, { store_id, product_id })
const versionOf = async (store_id: number, product_id: number) => {
  const [row] = await database.db
    .select()
    .from(product_store)
    .where(and(eq(product_store.store_id, store_id), eq(product_store.product_id, product_id)))
  return row!.version
}
const unlink = async (store_id: number, product_id: number) =>
  call(calls.unlink, {
    store_id,
    product_id,
    version: await versionOf(store_id, product_id),
    reason: '门店调整',
  })
const limit = async (store_id: number, product_id: number, more: object) =>
  call(calls.setLimit, {
    store_id,
    product_id,
    version: await versionOf(store_id, product_id),
    unavailable_dates: [],
    ...more,
  })
const setProduct = (id: number, values: Partial<typeof product.$inferInsert>) =>
  database.db.update(product).set(values).where(eq(product.id, id))
const pin = (id: number, lng_e6: number) =>
  database.db.update(store).set({ lng_e6, lat_e6: 31_000_000 }).where(eq(store.id, id))
/** A merchant with two stores; the product is sold at both. */
const pair = async () => {
  const own = await freshMerchant(database)
  const { id: b } = await freshStore(database, own)
  const a = own.store_id
  return { own, a, b, of: await sellAt(database, own, [a, b]) }
}

describe('linking a product to a store', () => {
  it('puts it last there, names the store at the product, and is done once', async () => {
    const own = await freshMerchant(database)
    const { id: b } = await freshStore(database, own)
    const [first, second] = [
      await sellAt(database, own, [own.store_id]),
      await sellAt(database, own, [own.store_id]),
    ]
    expect((await link(b, second)).status).toBe(200)
    expect((await link(b, first)).status).toBe(200)
    expect(await ids(b)).toEqual([second, first])
    expect((await productOf(first)).store_ids).toEqual([own.store_id, b])
    expect((await link(b, first)).data.rule).toBe('already')
  })
  it('offers what the merchant sells at stores and nothing of another, or that nobody approved', async () => {
    const own = await freshMerchant(database)
    const other = await freshMerchant(database)
    const mine = await sellAt(database, own, [own.store_id])
    const { id: b } = await freshStore(database, own)
    const foreign = await sellAt(database, other, [other.store_id])
    const fresh = await freshOffer(database, { merchant_id: own.id, store_id: b }, 'auditing')
    await setProduct(fresh.id, { live_version: 0 })
    const sent = await freshOffer(database, { merchant_id: own.id, store_id: b })
    await setProduct(sent.id, { kind: 'elist' })
    const free = (await call(calls.free, { store_id: b })).data.list
    expect(free.map((row: { id: number }) => row.id)).toEqual([mine, fresh.id])
    expect((await link(b, foreign)).status).toBe(404)
    expect((await link(b, sent.id)).status).toBe(404)
    expect((await link(b, fresh.id)).data.rule).toBe('never_approved')
    const all = [mine, fresh.id, foreign]
    const said = await call(calls.batchLink, { store_id: b, product_ids: all })
    expect(said.data.ok).toEqual([mine])
    expect(said.data.failed).toHaveLength(2)
  })
  it('brings back on sale what no open store took, where this one is open', async () => {
    const { own, a, b, of } = await pair()
    await database.db.update(store).set({ status: 'resting' }).where(eq(store.merchant_id, own.id))
    await setProduct(of, { state: 'off_sale', taken_off: ['no_open_store'] })
    const { id: c } = await freshStore(database, own)
    expect((await link(c, of)).data.given_back).toBe(1)
    expect((await productOf(of)).state).toBe('on_sale')
    expect((await unlink(c, of)).data.taken_off).toBe(1)
    expect((await productOf(of)).taken_off).toEqual(['no_open_store'])
    expect([a, b]).toEqual((await productOf(of)).store_ids)
  })
  it('is refused to a closed store', async () => {
    const { a, of } = await pair()
    await database.db.update(store).set({ status: 'closed' }).where(eq(store.id, a))
    expect((await unlink(a, of)).data.rule).toBe('wrong_state')
  })
})

describe('unlinking a product', () => {
  it('is refused at the last store of a product on sale, also of one that comes back', async () => {
    const { a, b, of } = await pair()
    expect((await unlink(a, of)).status).toBe(200)
    expect((await productOf(of)).store_ids).toEqual([b])
    expect((await unlink(b, of)).data.rule).toBe('last_store')
    await setProduct(of, { state: 'off_sale', taken_off: ['merchant_frozen'] })
    expect((await unlink(b, of)).data.rule).toBe('last_store')
    await setProduct(of, { state: 'off_sale', taken_off: [] })
    expect((await unlink(b, of)).status).toBe(200)
  })
  it('with unused codes needs a store within 3 km, or that buyers may ask their money back', async () => {
    const { a, b, of } = await pair()
    await soldCode(database, of)
    await setProduct(of, { refund_policy: 'none' })
    // Nobody knows how far it is.
    expect((await unlink(a, of)).data.rule).toBe('codes_unused')
    await pin(a, 121_000_000)
    await pin(b, 121_060_000)
    expect((await unlink(a, of)).data.rule).toBe('codes_unused')
    await setProduct(of, { refund_policy: 'anytime' })
    const row = (await linked(a)).list[0]
    expect(row).toMatchObject({ unused_codes: 1, other_stores: 1, refundable: true })
    expect(row.nearest_m).toBeGreaterThan(3000)
    await setProduct(of, { refund_policy: 'none' })
    await pin(b, 121_020_000)
    expect((await unlink(a, of)).status).toBe(200)
  })
  it('by somebody who was late is told so', async () => {
    const { a, of } = await pair()
    const version = await versionOf(a, of)
    await limit(a, of, { unavailable_dates: ['2026-10-01'] })
    const input = { store_id: a, product_id: of, version, reason: '门店调整' }
    expect((await call(calls.unlink, input)).status).toBe(409)
  })
})

describe('the order of a store’s products', () => {
  it('is saved whole, and refused from another order', async () => {
    const own = await freshMerchant(database)
    const at = own.store_id
    const [x, y] = [await sellAt(database, own, [at]), await sellAt(database, own, [at])]
    const { list_version } = await linked(at)
    const sort = (order: number[]) => call(calls.sort, { store_id: at, order, list_version })
    expect((await sort([y, x])).status).toBe(200)
    expect(await ids(at)).toEqual([y, x])
    expect((await sort([x, y])).status).toBe(409)
  })
})

describe('the limits of a product at a store', () => {
  it('keep a code from being redeemed there on an excluded day, and only there', async () => {
    const { a, b, of } = await pair()
    const { code } = await soldCode(database, of)
    const said = await limit(a, of, { unavailable_dates: [dateOf(now)] })
    expect(said.status, said.message).toBe(200)
    const refusal = async (id: number) =>
      codeRefusal((await findCode(database.db, code, id))!, now)?.rule
    expect([await refusal(a), await refusal(b)]).toEqual(['excluded_day', undefined])
    await database.db
      .update(order_code)
      .set({ valid_until: now + 3 * DAY })
      .where(eq(order_code.code, code))
    const tomorrow = codeRefusal((await findCode(database.db, code, a))!, now + DAY)
    expect(tomorrow).toBeUndefined()
  })
  it('say how many are sold there, and no more is sold', async () => {
    const { a, of } = await pair()
    await setProduct(of, { stock: 50, held: 0 })
    expect(Object.keys((await limit(a, of, { stock: 51 })).data.fields)).toEqual(['stock'])
    expect((await limit(a, of, { stock: 1 })).status).toBe(200)
    const [member] = (await database.db.execute<{ id: number }>(sql`select id from member limit 1`))
      .rows
    const buy = () =>
      database.transaction(tx =>
        placeOrder(tx, {
          kind: 'bulks',
          member_id: member!.id,
          lines: [{ product_id: of, qty: 1 }],
          store_id: a,
          now,
        } as never),
      )
    await buy()
    const [left] = await database.db
      .select()
      .from(store_stock)
      .where(and(eq(store_stock.product_id, of), eq(store_stock.store_id, a)))
    expect([left!.stock, left!.held]).toEqual([1, 1])
    await expect(buy()).rejects.toMatchObject({ data: { rule: 'no_store_stock' } })
    // What is held stays covered.
    expect((await limit(a, of, { stock: 0 })).status).toBe(200)
    expect((await linked(a)).list[0].store_stock).toBe(0)
  })
  it('are days that there are', () => {
    expect(datesOf('2026-10-01，2026/10/2 2026.10.3；2026年10月4日')).toEqual([
      '2026-10-01',
      '2026-10-02',
      '2026-10-03',
      '2026-10-04',
    ])
    expect(datesOf('2026-02-30')).toBeUndefined()
    expect(datesFault('明天')).toBeDefined()
    expect(datesOf('')).toEqual([])
  })
})

describe('copying to another store', () => {
  it('adds what is missing there with its days, and is refused to another merchant’s', async () => {
    const { own, a, b, of } = await pair()
    const more = await sellAt(database, own, [a])
    await limit(a, more, { unavailable_dates: ['2026-10-01'] })
    const copy = (to_store_id: number) => call(calls.copyToStore, { store_id: a, to_store_id })
    expect((await copy(b)).data.copied).toBe(1)
    expect(await ids(b)).toEqual([of, more])
    expect((await linked(b)).list[1].unavailable_dates).toEqual(['2026-10-01'])
    expect((await copy(b)).data.rule).toBe('nothing_new')
    const other = await freshMerchant(database)
    expect((await copy(other.store_id)).data.rule).toBe('other_merchant')
    expect((await copy(a)).data.rule).toBe('other_merchant')
    const { list } = (await call(calls.siblings, { store_id: a })).data
    expect(list.map((row: { id: number }) => row.id)).toEqual([b])
  })
})

it('a store outside a person’s places shows and changes nothing', async () => {
  const { a, of } = await pair()
  const role = { scope_type: 'city' as const, scope_ids: [2] }
  const other = await addStaff(database, { perms: ['*'], role })
  for (const said of [
    await call(calls.linked, { store_id: a }, other.token),
    await call(calls.free, { store_id: a }, other.token),
    await call(calls.link, { store_id: a, product_id: of }, other.token),
  ])
    expect(said.status).toBe(404)
})
