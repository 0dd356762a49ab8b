import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { dist_commission, dist_product } from '#src/areas/commission/commission.table.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { distStoreDetail as calls } from '#src/modules/distribution/contract/distStoreDetail.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { sellerNow, sellerOf, storeOf } from '../../help/bindings.ts'

type What = Parameters<typeof send>[1]
let database: Database
let app: App
let token: string
const reason = '跨店合作调整'
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['distribution.index.distStoreDetail.*'] })).token
}, 120_000)
const call = (what: What, input: object) => send(app, what, input, { token })
const done = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object) => {
  const said = await call(what, input)
  return [said.status, said.data.rule]
}
const shopOf = async (of: Partial<typeof store.$inferInsert> = {}) => {
  const shop = await storeOf(database, of)
  const seller = await sellerOf(database, { kind: 'store', store_id: shop.id })
  return { shop, seller }
}
/** A distributing store in a mall of the test's own. */
const inMall = async (of: Partial<typeof store.$inferInsert>) => {
  const name = `排他商场${unixNow()}`
  const [place] = await database.db
    .insert(mall)
    .values({
      name,
      short_name: name,
      pinyin: name,
      kind: 'mall',
      status: 'online',
      open_hours: [],
      city_id: 1,
      district: '',
      address: '',
    })
    .returning()
  return { ...(await shopOf({ mall_id: place!.id, ...of })), mall_id: place!.id }
}
const held = async (id: number) => ({ id, version: (await sellerNow(database, id)).version })
/** Distributed goods of some merchant, which another may sell. */
const distributed = async () => {
  const { rows } = await database.db.execute<{ id: number; merchant_id: number }>(
    sql`select p.id, p.merchant_id from ${dist_product} d join product p on p.id = d.ref_id where d.ref_kind = 'product' and d.status = 'on' order by p.id limit 1`,
  )
  return rows[0]!
}

it('a store may sell distributed goods of other merchants alone, or all of them', async () => {
  const goods = await distributed()
  const { seller: own } = await shopOf({ merchant_id: goods.merchant_id })
  const of = { product_ids: [goods.id] }
  expect(await rule(calls.setProducts, { ...(await held(own.id)), ...of })).toEqual([
    422,
    'not_sellable',
  ])
  const { rows } = await database.db.execute<{ id: number }>(
    sql`select id from merchant where id <> ${goods.merchant_id} order by id limit 1`,
  )
  const { seller: other } = await shopOf({ merchant_id: rows[0]!.id })
  await done(calls.setProducts, { ...(await held(other.id)), ...of })
  expect((await sellerNow(database, other.id)).product_ids).toEqual([goods.id])
  const { row } = await done(calls.detail, { id: other.id })
  expect(Object.keys(row.product_names)).toEqual([String(goods.id)])
  await done(calls.setProducts, { ...(await held(other.id)), product_ids: [] })
  expect((await sellerNow(database, other.id)).product_ids).toBeNull()
})
it('a store of a mall sells nothing of a rival of the mall, and is not offered it', async () => {
  const goods = await distributed()
  const { rows } = await database.db.execute<{ id: number }>(
    sql`select id from merchant where id <> ${goods.merchant_id} order by id limit 1`,
  )
  const { seller, mall_id } = await inMall({ merchant_id: rows[0]!.id })
  const rivals = (rival_ids: number[]) =>
    database.db.update(mall).set({ rival_ids }).where(eq(mall.id, mall_id))
  const offered = async () =>
    (await done(calls.products, { of_id: seller.id, keyword: String(goods.id) })).list.map(
      (one: { id: number }) => one.id,
    )
  expect(await offered()).toContain(goods.id)
  await rivals([goods.merchant_id])
  const of = { product_ids: [goods.id] }
  const [status, what] = await rule(calls.setProducts, { ...(await held(seller.id)), ...of })
  expect([status, what]).toEqual([422, 'rival'])
  expect(await offered()).not.toContain(goods.id)
  await rivals([])
  await done(calls.setProducts, { ...(await held(seller.id)), ...of })
})
it('settles what is past its hold alone, to the merchant, once', async () => {
  const { seller } = await shopOf()
  expect(await rule(calls.settleNow, await held(seller.id))).toEqual([422, 'nothing_due'])
  const line = {
    distributor_id: seller.id,
    role: 'store' as const,
    base_cents: 0,
    rate_bp: 0,
    amount_cents: 0,
  }
  await database.db.insert(dist_commission).values([
    { ...line, status: 'settleable' },
    { ...line, status: 'frozen', frozen_until: unixNow() + 1000 },
    { ...line, status: 'settleable', held: true },
  ])
  expect(await done(calls.settleNow, await held(seller.id))).toMatchObject({ lines: 1 })
  expect(await rule(calls.settleNow, await held(seller.id))).toEqual([422, 'nothing_due'])
})
it('pauses by hand and by itself, and resumes while its store is open', async () => {
  const { shop, seller } = await shopOf()
  await done(calls.pause, { ...(await held(seller.id)), reason })
  expect(await sellerNow(database, seller.id)).toMatchObject({ paused: true, reason })
  expect(await rule(calls.pause, { ...(await held(seller.id)), reason })).toEqual([
    422,
    'wrong_state',
  ])
  await done(calls.resume, await held(seller.id))
  await database.db.update(store).set({ status: 'resting' }).where(eq(store.id, shop.id))
  await timerNamed('distribution.stores')({ database, now: unixNow() } as never)
  expect((await sellerNow(database, seller.id)).paused).toBe(true)
  expect(await rule(calls.resume, await held(seller.id))).toEqual([422, 'store_not_open'])
  await database.db.update(store).set({ status: 'open' }).where(eq(store.id, shop.id))
  await done(calls.resume, await held(seller.id))
  expect((await sellerNow(database, seller.id)).paused).toBe(false)
})
it('is told with its guides, and only a distributing store', async () => {
  const { shop, seller } = await shopOf()
  const guide = await sellerOf(database, { kind: 'guide', store_id: shop.id })
  const { row, guides } = await done(calls.detail, { id: seller.id })
  expect(row).toMatchObject({ id: seller.id, store_status: 'open', product_ids: null })
  expect(guides).toEqual([{ id: guide.id, name: guide.name, customer_count: 0 }])
  expect((await call(calls.detail, { id: guide.id })).status).toBe(404)
  const back = { ...(await held(seller.id)), reason, rate_bp: 400 }
  await done(calls.setRate, back)
  const [after] = await database.db.select().from(distributor).where(eq(distributor.id, seller.id))
  expect(after!.rate_bp).toBe(400)
})
