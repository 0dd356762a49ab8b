import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { brand_authorisation } from '#src/areas/brand/authorisation.table.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { brands } from '#src/modules/brand/contract/index.ts'
import { shopBrand as calls } from '#src/modules/shop/contract/brand.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant, freshStore } from '../../help/merchants.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let anna: Person
let own: Awaited<ReturnType<typeof freshMerchant>>
beforeAll(async () => {
  database = await openCopy({ poolSize: 10 })
  app = await openApp(database)
  anna = await addStaff(database, { perms: ['*'] })
  own = await freshMerchant(database)
})
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object, who = anna) =>
  send(app, what, input, { token: who.token })
const done = async (what: Parameters<typeof send>[1], input: object, who = anna) => {
  const said = await call(what, input, who)
  expect(said.status, said.message).toBe(200)
  return said.data
}
let made = 0
const letters = '天地玄黄宇宙洪荒日月'
/** A name of eight letters that no other is like. */
const freshName = () =>
  [...String(++made).padStart(4, '0')].map(digit => letters[Number(digit)]!.repeat(2)).join('')
const addBrand = async (more: Partial<typeof brand.$inferInsert> = {}) => {
  const [row] = await database.db
    .insert(brand)
    .values({ name: freshName(), initial: 'T', category_id: 1, state: 'on', ...more })
    .returning()
  return row!
}
const addStore = (name: string, more: Partial<typeof store.$inferInsert> = {}) =>
  freshStore(database, own, { name, ...more })
const one = ({ id, version }: { id: number; version: number }) => ({ id, version })
const storeNow = async ({ id }: { id: number }) =>
  (await database.db.select().from(store).where(eq(store.id, id)))[0]!
const listed = async (name: string, more: object = {}) =>
  (await done(calls.stores, { keyword: name, ...more })).list

describe('a suggestion', () => {
  it('is the brand whose name the store has before its mall and number', async () => {
    const of = await addBrand()
    for (const name of [`${of.name}（测试广场店）`, `${of.name} 2号店`, `${of.name}·`]) {
      const shop = await addStore(name)
      const row = (await listed(name)).find((line: { id: number }) => line.id === shop.id)
      expect(row.suggestion).toEqual({ id: of.id, name: of.name, percent: 100 })
      expect((await storeNow(shop)).brand_id).toBeNull()
    }
  })
  it('stands above 85 percent only', async () => {
    const of = await addBrand()
    const like = await addStore(`${of.name.slice(0, 7)}好（店）`)
    const more = await addStore(`${of.name}好（店）`)
    expect((await listed(like.name))[0].suggestion).toMatchObject({ id: of.id, percent: 87 })
    expect((await listed(more.name))[0].suggestion).toMatchObject({ id: of.id, percent: 88 })
    const far = await addStore(`${of.name.slice(0, 6)}好人（店）`)
    expect((await listed(far.name))[0].suggestion).toBeNull()
  })
  it('is of no brand that is off, put aside, or not allowed to the merchant', async () => {
    const off = await addBrand({ state: 'off' })
    await addStore(off.name)
    expect((await listed(off.name))[0].suggestion).toBeNull()
    const kept = await addBrand({ auth_category_ids: [1] })
    await addStore(kept.name)
    expect((await listed(kept.name))[0].suggestion).toBeNull()
    const of = await addBrand()
    const shop = await addStore(of.name)
    await done(calls.ignoreSuggestion, { id: shop.id, brand_id: of.id })
    expect((await listed(of.name))[0].suggestion).toBeNull()
    await done(calls.recall, { id: shop.id, brand_id: of.id })
    expect((await listed(of.name))[0].suggestion).toMatchObject({ id: of.id })
  })
  it('is accepted as it was seen, and taken back', async () => {
    const of = await addBrand()
    const shop = await addStore(of.name)
    const other = await addBrand()
    const wrong = await call(calls.acceptSuggestion, { ...one(shop), brand_id: other.id })
    expect([wrong.status, wrong.data.rule]).toEqual([422, 'not_suggested'])
    const said = await done(calls.acceptSuggestion, { ...one(shop), brand_id: of.id })
    expect(await storeNow(shop)).toMatchObject({ brand_id: of.id, version: said.version })
    expect((await call(calls.acceptSuggestion, { ...one(shop), brand_id: of.id })).status).not.toBe(
      200,
    )
    await done(calls.takeBack, { stores: [{ id: shop.id, brand_id: of.id }] })
    expect((await storeNow(shop)).brand_id).toBeNull()
  })
  it('of many are accepted at once, each by itself, and taken back within ten minutes', async () => {
    const of = await addBrand()
    const shops = [await addStore(`${of.name}（一）`), await addStore(`${of.name}（二）`)]
    const plain = await addStore('没有建议的门店')
    const asked = [...shops, plain].map(shop => ({ ...one(shop), brand_id: of.id }))
    const said = await done(calls.batchAccept, { stores: asked })
    expect(said.ok).toEqual(shops.map(shop => shop.id))
    expect(said.failed[0]).toMatchObject({ id: plain.id, code: 'not_suggested' })
    const undo = calls.batchAccept.undo!
    expect(undo.seconds).toBe(600)
    const back = await done(calls.takeBack, undo.input(said, { stores: asked })!)
    expect(back.ok).toEqual(said.ok)
    expect((await storeNow(shops[0]!)).brand_id).toBeNull()
  })
})

describe('binding', () => {
  it('gives stores a brand, with a line in the log of each', async () => {
    const of = await addBrand()
    const shop = await addStore('自由门店')
    await done(calls.bind, { stores: [one(shop)], brand_id: of.id })
    expect((await storeNow(shop)).brand_id).toBe(of.id)
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'store'), eq(op_log.object_id, shop.id)))
      .orderBy(desc(op_log.id))
    expect(line).toMatchObject({ before: { brand_id: null }, after: { brand_id: of.id } })
    const row = (await listed('自由门店', { show: 'bound', brand_id: of.id }))[0]
    expect(row).toMatchObject({ id: shop.id, chosen: { id: of.id }, brand: { is_on: true } })
  })
  it('is refused where the store has a brand, the brand is off, or the version is old', async () => {
    const [a, b, off] = [await addBrand(), await addBrand(), await addBrand({ state: 'off' })]
    const shop = await addStore('有品牌的门店', { brand_id: a.id })
    const taken = await done(calls.bind, { stores: [one(shop)], brand_id: b.id })
    expect(taken.failed[0].code).toBe('has_brand')
    expect(taken.failed[0].msg).toContain(a.name)
    const dead = await call(calls.bind, { stores: [one(shop)], brand_id: off.id })
    expect([dead.status, dead.data.rule]).toEqual([422, 'disabled'])
    const free = await addStore('旧版本门店')
    const old = { id: free.id, version: free.version + 1 }
    expect((await done(calls.bind, { stores: [old], brand_id: a.id })).failed).toHaveLength(1)
  })
  it('is refused where the merchant may not use the brand, there and in the library', async () => {
    const of = await addBrand({ auth_category_ids: [1] })
    const shop = await addStore('未授权门店')
    const without = await done(calls.bind, { stores: [one(shop)], brand_id: of.id })
    expect(without.failed[0].code).toBe('not_authorised')
    const library = await call(brands.bindStores, { id: of.id, store_ids: [shop.id] })
    expect([library.status, library.data.rule]).toEqual([422, 'not_authorised'])
    const leave = { brand_id: of.id, merchant_id: own.id, start_at: now - 100 }
    await database.db.insert(brand_authorisation).values({ ...leave, end_at: now - 1 })
    const over = await done(calls.bind, { stores: [one(shop)], brand_id: of.id })
    expect(over.failed[0].code).toBe('not_authorised')
    await database.db
      .update(brand_authorisation)
      .set({ end_at: now + 100 })
      .where(eq(brand_authorisation.brand_id, of.id))
    expect((await done(calls.bind, { stores: [one(shop)], brand_id: of.id })).ok).toEqual([shop.id])
  })
  it('of a brand that is disabled counts as none, and gives way to another', async () => {
    const [was, of] = [await addBrand(), await addBrand()]
    const shop = await addStore(`停用品牌门店${made}`, { brand_id: was.id })
    expect(await listed(shop.name)).toEqual([])
    await done(brands.disable, { ...one(was), reason: '停止合作' })
    expect((await listed(shop.name))[0]).toMatchObject({ brand: { id: was.id, is_on: false } })
    const sent = { stores: [one(shop)], brand_id: of.id }
    const said = await done(calls.bind, sent)
    await done(calls.takeBack, calls.bind.undo!.input(said, sent)!)
    expect((await storeNow(shop)).brand_id).toBe(was.id)
  })
  it('is taken away with a reason, from those that have a brand', async () => {
    const of = await addBrand()
    const [shop, free] = [await addStore('解除门店', { brand_id: of.id }), await addStore('无品牌')]
    const stores = [one(shop), one(free)]
    expect((await call(calls.unbind, { stores, reason: '' })).status).toBe(400)
    const said = await done(calls.unbind, { stores, reason: '门店换了招牌' })
    expect([said.ok, said.failed[0].code]).toEqual([[shop.id], 'wrong_state'])
  })
})

describe('the board', () => {
  it('counts stores of each brand and those without one, within a person’s data', async () => {
    const of = await addBrand()
    await addStore('计数门店', { brand_id: of.id })
    await addStore(of.name)
    const row = (await done(calls.brands, { keyword: of.name })).list[0]
    expect(row).toMatchObject({ stores: 1, suggested: 1 })
    const counts = await done(calls.counts, {})
    expect(counts.free).toBe((await done(calls.stores, {})).total)
    expect(counts.suggested).toBe((await done(calls.stores, { show: 'suggested' })).total)
    const other = await addStaff(database, {
      perms: ['*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    expect((await done(calls.brands, { keyword: of.name }, other)).list[0].stores).toBe(0)
  })
})

onlyOn('postgres')('two at the same moment', () => {
  it('give a store one brand', async () => {
    const [a, b] = [await addBrand(), await addBrand()]
    const shop = await addStore('并发门店')
    const both = await Promise.all(
      [a, b].map(of => call(calls.bind, { stores: [one(shop)], brand_id: of.id })),
    )
    expect(both.flatMap(said => said.data.ok)).toEqual([shop.id])
  })
})
