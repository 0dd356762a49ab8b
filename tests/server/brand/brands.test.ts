import { and, eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { brand_authorisation } from '#src/areas/brand/authorisation.table.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import { brandsNow } from '#src/areas/brand/brands.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { brands as calls } from '#src/modules/brand/contract/index.ts'
import { logs } from '#src/modules/system/contract/logs.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let category_id: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  category_id = (await database.db.select().from(brand).limit(1))[0]!.category_id
})
const DAY = 86_400
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
let made = 0
/** A brand of its own for a test. */
const added = async (more: object = {}) => {
  const name = `自测品牌${++made}号`
  const said = await call(calls.create, { name, category_id, ...more })
  expect(said.status, said.message).toBe(200)
  const { id, version } = said.data as { id: number; version: number }
  return { id, name, held: { id, version } }
}
const rowOf = async (id: number) =>
  (await database.db.select().from(brand).where(eq(brand.id, id)))[0]!
const heldNow = async (id: number) => ({ id, version: (await rowOf(id)).version })
const shown = async (id: number) =>
  (await call(calls.lst, { keyword: String(id) })).data.list.find(
    (row: { id: number }) => row.id === id,
  )
let taken = 0
/** Stores, or goods, that have no brand from now on, for a test to give one. */
const free = async (of: typeof store | typeof product, n: number) => {
  const rows = await database.db.select({ id: of.id }).from(of).orderBy(of.id)
  const ids = Array.from({ length: n }, () => rows[taken++ % rows.length]!.id)
  await database.db.update(of).set({ brand_id: null }).where(inArray(of.id, ids))
  return ids
}

describe('a brand', () => {
  it.each([
    ['of the name of another, in another width and case', { name: 'ＡＢＣ  品牌' }, 'name'],
    ['of a category that is none', { category_id: 999 }, 'category_id'],
    ['authorised for a category that is none', { auth_category_ids: [999] }, 'auth_category_ids'],
    ['authorised until a day, and for nothing', { auth_end_at: 1_900_000_000 }, 'auth_end_at'],
    ['recommended in a city that is none', { city_ids: [999_999] }, 'city_ids'],
    ['of two letters', { initial: 'AB' }, 'initial'],
    ['of a letter that is none', { initial: '海' }, 'initial'],
  ])('%s is refused at the field', async (_, fields, at) => {
    await call(calls.create, { name: 'abc 品牌', category_id })
    const said = await call(calls.create, { name: `没有的品牌`, category_id, ...fields })
    expect(said.status).toBeGreaterThanOrEqual(400)
    expect(Object.keys(said.data.fields)).toEqual([at])
  })
  it('is filed under the letter that its name is read by, or the one that was given', async () => {
    const read = await added({ name: `蜀香${++made}` })
    const given = await added({ name: `重庆${++made}`, initial: 'c' })
    expect((await rowOf(read.id)).initial).toBe('S')
    expect((await rowOf(given.id)).initial).toBe('C')
  })
  it('tells of those that are called alike, in Chinese or in English, and of no merged one', async () => {
    const one = await added({ en_name: 'Made Alike' })
    const shop = await added({ name: `${one.name} 官方旗舰店` })
    const english = await added({ en_name: 'made alike' })
    const other = await added()
    const ids = async () =>
      (await shown(one.id)).twins.map((twin: { id: number }) => twin.id).sort()
    expect(await ids()).toEqual([shop.id, english.id].sort())
    const alike = (await call(calls.lst, { alike: 1, keyword: '自测品牌', pageSize: 100 })).data
    const found = alike.list.map((row: { id: number }) => row.id)
    expect(found).toEqual(expect.arrayContaining([one.id, shop.id, english.id]))
    expect(found).not.toContain(other.id)
    await call(calls.merge, { ...shop.held, target_id: one.id, reason: '同一品牌' })
    expect(await ids()).toEqual([english.id])
  })
  it('is found by how its authorisation stands', async () => {
    const now = unixNow()
    const until = (auth_end_at: number) => added({ auth_category_ids: [category_id], auth_end_at })
    const [soon, ended, later] = [
      await until(now + 5 * DAY),
      await until(now - 60),
      await until(now + 40 * DAY),
    ]
    const found = async (authorisation: string) =>
      (await call(calls.lst, { authorisation, keyword: '自测品牌', pageSize: 100 })).data.list.map(
        (row: { id: number }) => row.id,
      )
    expect(await found('soon')).toContain(soon.id)
    expect(await found('ended')).toContain(ended.id)
    expect([...(await found('soon')), ...(await found('ended'))]).not.toContain(later.id)
  })
  it('is deleted only where nothing names it, and otherwise says how much does', async () => {
    const one = await added()
    const [store_id] = await free(store, 1)
    const bound = await call(calls.bindStores, { id: one.id, store_ids: [store_id] })
    expect(bound.data, bound.message).toEqual({ id: one.id, bound: 1 })
    const refused = await call(calls.del, await heldNow(one.id))
    expect(refused.message).toContain('1 家门店')
    await database.db.update(store).set({ brand_id: null }).where(eq(store.id, store_id!))
    expect((await call(calls.del, await heldNow(one.id))).status).toBe(200)
    expect(await rowOf(one.id)).toBeUndefined()
  })
  it('changed by somebody else meanwhile is not overwritten', async () => {
    const one = await added()
    const edit = (name: string) => call(calls.edit, { ...one.held, name, category_id })
    expect((await edit(`改名${++made}`)).status).toBe(200)
    expect((await edit(`改名${++made}`)).status).toBe(409)
  })
  it('without an authorisation gets its name back when an edit is taken back', async () => {
    const one = await added()
    const name = `改名${++made}`
    await call(calls.edit, { ...one.held, name, category_id })
    const [row] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_id, one.id), eq(op_log.action, 'brand.index.edit')))
    const said = await call(logs.revert, { id: row!.id, reason: '改错了' })
    expect(said.status, said.message).toBe(200)
    expect(await rowOf(one.id)).toMatchObject({ name: one.name, auth_category_ids: null })
  })
  it('that is disabled is recommended no more, and takes no stores', async () => {
    const one = await added()
    await call(calls.setRecommend, one.held)
    await call(calls.disable, { ...(await heldNow(one.id)), reason: '停止合作' })
    expect(await rowOf(one.id)).toMatchObject({ state: 'off', recommended: false })
    const [store_id] = await free(store, 1)
    const said = await call(calls.bindStores, { id: one.id, store_ids: [store_id] })
    expect(said.message).toContain('停用')
    const again = await call(calls.enable, await heldNow(one.id))
    expect(again.status).toBe(200)
  })
})

describe('stores and goods', () => {
  it('that have a brand are not given another, and nothing of the call is done', async () => {
    const [one, other] = [await added(), await added()]
    const ids = await free(store, 3)
    expect((await call(calls.bindStores, { id: one.id, store_ids: ids.slice(0, 1) })).status).toBe(
      200,
    )
    const said = await call(calls.bindStores, { id: other.id, store_ids: ids })
    expect(said.status).toBe(422)
    expect(said.message).toContain(one.name)
    const rows = await database.db.select().from(store).where(inArray(store.id, ids))
    expect(rows.map(row => row.brand_id).sort()).toEqual([one.id, null, null].sort())
  })
  it('of another city are not there for a person of one', async () => {
    const one = await added()
    const [store_id] = await free(store, 1)
    const [row] = await database.db.select().from(store).where(eq(store.id, store_id!))
    const local = await addStaff(database, {
      role: { perms: ['*'], scope_type: 'city', scope_ids: [row!.city_id === 1 ? 2 : 1] },
    })
    const said = await call(calls.bindStores, { id: one.id, store_ids: [store_id] }, local.token)
    expect(said.status).toBe(404)
    const listed = await call(calls.freeStores, { keyword: String(store_id) }, local.token)
    expect(listed.data.list).toEqual([])
  })
})

describe('a merge', () => {
  it('takes stores, goods and followers along, and leads every old id to the target', async () => {
    const [first, second, last] = [await added(), await added(), await added()]
    const [stores, goods] = [await free(store, 2), await free(product, 2)]
    await call(calls.bindStores, { id: first.id, store_ids: stores })
    await call(calls.bindGoods, { id: second.id, product_ids: goods })
    await database.db
      .update(brand)
      .set({ followers: 5 })
      .where(inArray(brand.id, [first.id, last.id]))
    const merge = async (from: number, target_id: number) =>
      call(calls.merge, { ...(await heldNow(from)), target_id, reason: '重复录入' })
    expect((await merge(first.id, second.id)).data).toMatchObject({ stores: 2, goods: 0 })
    expect((await merge(second.id, last.id)).data).toMatchObject({ stores: 2, goods: 2 })
    const now = await brandsNow(database.db, [first.id, second.id, last.id])
    expect([...now.values()].map(row => row.id)).toEqual([last.id, last.id, last.id])
    expect((await rowOf(last.id)).followers).toBe(10)
    const of = await database.db.select().from(store).where(inArray(store.id, stores))
    expect(of.map(row => row.brand_id)).toEqual([last.id, last.id])
    const logs = await database.db.select().from(op_log).where(eq(op_log.object_id, last.id))
    expect(logs.some(row => row.action === 'brand.index.merge')).toBe(true)
  })
  it('takes the leaves of merchants along, the longer of two', async () => {
    const [from, to] = [await added(), await added()]
    const merchants = await database.db.select({ id: merchant.id }).from(merchant).limit(2)
    const [both, one] = merchants.map(row => row.id) as [number, number]
    const leave = (brand_id: number, merchant_id: number, end_at: number | null) => ({
      brand_id,
      merchant_id,
      start_at: 1,
      end_at,
    })
    await database.db
      .insert(brand_authorisation)
      .values([leave(from.id, both, 900), leave(to.id, both, 500), leave(from.id, one, null)])
    await call(calls.merge, { ...(await heldNow(from.id)), target_id: to.id, reason: '重复录入' })
    const left = await database.db
      .select()
      .from(brand_authorisation)
      .where(inArray(brand_authorisation.brand_id, [from.id, to.id]))
      .orderBy(brand_authorisation.merchant_id)
    expect(left.map(row => [row.brand_id, row.merchant_id, row.end_at])).toEqual(
      [[to.id, both, 900] as const, [to.id, one, null] as const].toSorted((a, b) => a[1] - b[1]),
    )
  })
  it('into itself, into a merged one, or of a merged one is refused', async () => {
    const [one, other] = [await added(), await added()]
    const merge = async (from: number, target_id: number) =>
      (await call(calls.merge, { ...(await heldNow(from)), target_id, reason: '重复录入' })).status
    expect(await merge(one.id, one.id)).toBe(422)
    expect(await merge(one.id, other.id)).toBe(200)
    expect(await merge(one.id, other.id)).toBe(422)
    expect(await merge(other.id, one.id)).toBe(422)
    expect((await call(calls.enable, await heldNow(one.id))).status).toBe(422)
  })
  it('is for those who see all cities', async () => {
    const [one, other] = [await added(), await added()]
    const local = await addStaff(database, {
      role: { perms: ['*'], scope_type: 'city', scope_ids: [1] },
    })
    const said = await call(
      calls.merge,
      { ...one.held, target_id: other.id, reason: '重复录入' },
      local.token,
    )
    expect(said.status).toBe(422)
  })
  it('never loses a store or leads nowhere, whatever is merged into what', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 1, maxLength: 6 }),
        async pairs => {
          const all: Awaited<ReturnType<typeof added>>[] = []
          for (let at = 0; at < 5; at++) all.push(await added())
          const stores = await free(store, 5)
          for (const [at, id] of stores.entries())
            await call(calls.bindStores, { id: all[at]!.id, store_ids: [id] })
          for (const [from, to] of pairs)
            await call(calls.merge, {
              ...(await heldNow(all[from]!.id)),
              target_id: all[to]!.id,
              reason: '重复录入',
            })
          const ids = all.map(one => one.id)
          const rows = await database.db.select().from(brand).where(inArray(brand.id, ids))
          const standing = new Set(rows.filter(row => row.state !== 'merged').map(row => row.id))
          for (const row of rows)
            if (row.state === 'merged') expect(standing).toContain(row.merged_into)
          const of = await database.db.select().from(store).where(inArray(store.id, stores))
          for (const { brand_id } of of) expect(standing).toContain(brand_id)
        },
      ),
      { numRuns: 6 },
    )
  })
})

describe('lines of brands', () => {
  const bring = (text: string, mode: 'check' | 'all' | 'good' = 'check') =>
    call(calls.batchImport, { text, mode })
  const faults = async (text: string) =>
    (await bring(text)).data.rows.map((row: { faults: string[] }) => row.faults)
  let named: string
  beforeAll(async () => {
    const { list } = (await call(calls.categories, { pageSize: 100 })).data
    const names = list.map((row: { name: string }) => row.name)
    named = names.find((name: string) => name.includes(' / '))!
  })
  it('are checked, and nothing is written before that is asked for', async () => {
    const name = `自测粘贴${++made}`
    const said = await bring(`品牌,英文名,分类,公司\n${name},Pasted,${named},某公司`)
    expect(said.data).toEqual({
      written: 0,
      rows: [{ line: 2, name, category: named, faults: [] }],
    })
    const written = await bring(`${name}\tPasted\t${named}\t某公司`, 'all')
    expect(written.data.written).toBe(1)
    const { list } = (await call(calls.lst, { keyword: name })).data
    expect(list).toMatchObject([
      {
        name,
        en_name: 'Pasted',
        company: '某公司',
        initial: 'Z',
        category_name: named,
        state: 'on',
      },
    ])
  })
  it('tell each what is wrong: taken, twice, too long, without a category or of none', async () => {
    const one = await added()
    const own = `自测粘贴${++made}`
    expect(
      await faults(
        [
          `${one.name},,${named},`,
          `${own},,${named},`,
          `${own.toUpperCase()},,${named},`,
          `${'长'.repeat(65)},,${named},`,
          `无分类${made},,,`,
          `错分类${made},,没有的分类,`,
        ].join('\n'),
      ),
    ).toEqual([
      ['品牌已存在或重复'],
      [],
      ['品牌已存在或重复'],
      ['品牌名称须 1–64 字'],
      ['请填写分类'],
      ['没有分类“没有的分类”'],
    ])
  })
  it('are written all or only the good ones, as was asked', async () => {
    const own = `自测粘贴${++made}`
    const text = `${own},,${named},\n坏行${made},,没有的分类,`
    expect((await bring(text, 'all')).data.written).toBe(0)
    expect((await bring(text, 'good')).data.written).toBe(1)
  })
  it.each(['', '品牌,英文名', Array.from({ length: 201 }, (_, at) => `行${at}`).join('\n')])(
    'that are none or too many are refused at the text',
    async text => {
      const said = await bring(text)
      expect(said.status).toBe(400)
      expect(Object.keys(said.data.fields)).toEqual(['text'])
    },
  )
})

describe('recommended brands', () => {
  it('stand in the order that was given, and an older order is refused', async () => {
    const one = await added({ city_ids: [1] })
    expect((await call(calls.setRecommend, one.held)).status).toBe(200)
    const { list, list_version } = (await call(calls.arranged)).data
    const order = list.map((row: { id: number }) => row.id).reverse()
    expect((await call(calls.sort, { order, list_version })).status).toBe(200)
    const after = (await call(calls.arranged)).data.list.map((row: { id: number }) => row.id)
    expect(after).toEqual(order)
    expect((await call(calls.sort, { order, list_version })).status).toBe(409)
    await call(calls.cancelRecommend, await heldNow(one.id))
    expect(await rowOf(one.id)).toMatchObject({ recommended: false })
  })
  it('are thirty in a city at most, and the place is named', async () => {
    const { list } = (await call(calls.arranged)).data
    for (let n = list.length; n < 30; n++) {
      const one = await added({ city_ids: [2] })
      expect((await call(calls.setRecommend, one.held)).status).toBe(200)
    }
    const one = await added({ city_ids: [2] })
    const said = await call(calls.setRecommend, one.held)
    expect(said.status).toBe(422)
    expect(said.message).toContain('30')
  })
})
