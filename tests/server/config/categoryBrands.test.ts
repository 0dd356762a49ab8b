import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { brand } from '#src/areas/brand/brand.table.ts'
import { category_brand } from '#src/areas/brandWall/brandWall.table.ts'
import { PINNED_MOST, WALL_MOST } from '#src/areas/brandWall/brandWall.ts'
import { e_category } from '#src/areas/merchant/merchant.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { categoryBrands as calls } from '#src/modules/config/contract/categoryBrands.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant, freshOffer } from '../../help/merchants.ts'

type Row = { id: number; brand_id: number; name: string; version: number; fault: string | null }
let database: Database
let app: App
let token: string
let owner: Awaited<ReturnType<typeof freshMerchant>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['*'] })).token
  owner = await freshMerchant(database)
})
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object = {}, as = token) =>
  send(app, what, input, { token: as })
const done = async (what: Parameters<typeof send>[1], input: object, as = token) => {
  const said = await call(what, input, as)
  expect(said.status, said.message).toBe(200)
  return said.data
}
const refused = async (what: Parameters<typeof send>[1], input: object) => {
  const said = await call(what, input)
  expect(said.status).toBe(422)
  return said.data.rule
}
let made = 0
const freshCategory = async (of: Partial<typeof e_category.$inferInsert> = {}): Promise<number> => {
  const [one] = await database.db
    .insert(e_category)
    .values({
      level: 1,
      name: `墙类目${++made}`,
      commission_min_bp: 0,
      commission_max_bp: 3000,
      floor_bp: 3000,
      need_licenses: [],
      ...of,
    })
    .returning({ id: e_category.id })
  return one!.id
}
/** A brand in use that sells one thing in a category, `sold` times. */
const seller = async (category_id: number, sold = 0): Promise<number> => {
  const [one] = await database.db
    .insert(brand)
    .values({ name: `墙品牌${++made}`, initial: 'Q', category_id, state: 'on' })
    .returning({ id: brand.id })
  await sells(one!.id, category_id, sold)
  return one!.id
}
const sells = async (brand_id: number, category_id: number, sold = 0): Promise<void> => {
  const offer = await freshOffer(database, { merchant_id: owner.id, store_id: owner.store_id })
  await database.db
    .update(product)
    .set({ brand_id, category_id, sold })
    .where(eq(product.id, offer.id))
}
const board = (category_id: number, more: object = {}) => done(calls.lst, { category_id, ...more })
const brands = async (category_id: number, more: object = {}): Promise<number[]> =>
  (await board(category_id, more)).list.map((row: Row) => row.brand_id)
const tile = async (category_id: number, brand_id: number): Promise<Row> =>
  (await board(category_id)).list.find((row: Row) => row.brand_id === brand_id)
const held = async (category_id: number, brand_id: number) => {
  const { id, version } = await tile(category_id, brand_id)
  return { id, version }
}
const add = (category_id: number, ...brand_ids: number[]) =>
  done(calls.add, { category_id, brand_ids })
const publish = async (category_id: number, more: object = {}) => {
  const { wall } = await board(category_id, more)
  return done(calls.publish, { id: wall.id, version: wall.version })
}
const shown = async (category_id: number, more: object = {}): Promise<number[]> =>
  (await done(calls.shown, { category_id, ...more })).list.map((row: { id: number }) => row.id)
/** A category with a wall of some brands, the best seller last. */
const walled = async (n: number) => {
  const category = await freshCategory()
  const of: number[] = []
  for (let at = 0; at < n; at++) of.push(await seller(category, at))
  await add(category, ...of)
  return { category, of }
}
const setState = (id: number, state: 'on' | 'off') =>
  database.db.update(brand).set({ state }).where(eq(brand.id, id))

describe('a brand on a wall', () => {
  it('is in use, sells something in the category or below it, and stands there once', async () => {
    const top = await freshCategory()
    const below = await freshCategory({ level: 2, parent_id: top })
    const [good, off, elsewhere] = [
      await seller(below),
      await seller(top),
      await seller(await freshCategory()),
    ]
    await setState(off, 'off')
    const said = await add(top, good, off, elsewhere)
    expect(said.ok).toEqual([good])
    expect(said.failed.map((one: { code: string }) => one.code)).toEqual(['brand_off', 'no_goods'])
    expect((await add(top, good)).failed[0].code).toBe('already')
    expect(await brands(top)).toEqual([good])
  })
  it('is one of sixty at most', async () => {
    const category = await freshCategory()
    const some = await database.db
      .insert(brand)
      .values(
        Array.from({ length: WALL_MOST }, () => ({
          name: `满墙${++made}`,
          initial: 'M',
          category_id: category,
          state: 'on' as const,
        })),
      )
      .returning({ id: brand.id })
    const one = await seller(category)
    await add(category, one)
    const [{ wall_id } = { wall_id: 0 }] = await database.db
      .select({ wall_id: category_brand.wall_id })
      .from(category_brand)
      .where(eq(category_brand.brand_id, one))
    await database.db
      .insert(category_brand)
      .values(some.slice(1).map(({ id }) => ({ wall_id, brand_id: id })))
    expect((await add(category, await seller(category))).failed[0].code).toBe('wall_full')
  })
  it('is offered as long as it does not stand there, the best seller first', async () => {
    const { category, of } = await walled(1)
    const [slow, fast] = [await seller(category, 3), await seller(category, 9)]
    const { list } = await done(calls.candidates, { category_id: category })
    expect(list.map((row: { id: number }) => row.id)).toEqual([fast, slow])
    await done(calls.remove, { ids: [(await tile(category, of[0]!)).id] })
    const again = (await done(calls.candidates, { category_id: category })).list
    expect(again.map((row: { id: number }) => row.id)).toEqual([fast, slow, of[0]])
  })
})

describe('the order of a wall', () => {
  it('is saved as a whole, from the order that was read, the pinned ones first', async () => {
    const { category, of } = await walled(3)
    const [a, b, c] = of as [number, number, number]
    const read = await board(category)
    const idOf = (id: number) => read.list.find((row: Row) => row.brand_id === id).id
    const order = [c, a, b].map(idOf)
    const sent = { category_id: category, list_version: read.list_version }
    await done(calls.sort, { ...sent, order })
    expect(await brands(category)).toEqual([c, a, b])
    expect((await call(calls.sort, { ...sent, order })).status).toBe(409)
    const fresh = { ...sent, list_version: (await board(category)).list_version }
    expect((await call(calls.sort, { ...fresh, order: order.slice(1) })).status).toBe(400)
    await done(calls.pin, { ...(await held(category, b)), until: now + DAY })
    expect(await brands(category)).toEqual([b, c, a])
    const pinned = { ...sent, list_version: (await board(category)).list_version, order }
    expect(await refused(calls.sort, pinned)).toBe('pinned_first')
    await done(calls.unpin, await held(category, b))
    expect(await refused(calls.unpin, await held(category, b))).toBe('already')
  })
  it('has at most eight pinned, until later than now', async () => {
    const { category, of } = await walled(PINNED_MOST + 1)
    const past = await call(calls.pin, { ...(await held(category, of[0]!)), until: now - 1 })
    expect(Object.keys(past.data.fields)).toEqual(['until'])
    for (const id of of.slice(1))
      await done(calls.pin, { ...(await held(category, id)), until: now + DAY })
    const one = { ...(await held(category, of[0]!)), until: now + DAY }
    expect(await refused(calls.pin, one)).toBe('pinned_most')
  })
  it('is filled by sales around those that are pinned', async () => {
    const { category, of } = await walled(4)
    const [slow, , , best] = of as [number, number, number, number]
    await done(calls.pin, { ...(await held(category, slow)), until: now + DAY })
    const star = await seller(category, 99)
    const said = await done(calls.autoFill, { category_id: category, count: 3 })
    expect(await brands(category)).toEqual([slow, star, best])
    expect(said).toEqual({ added: 1, removed: 2, total: 3 })
  })
})

describe('a period', () => {
  it('ends after it starts and later than now; what is over is flagged', async () => {
    const { category, of } = await walled(2)
    const ids = [(await tile(category, of[0]!)).id]
    for (const end_at of [now - 1, now + DAY]) {
      const said = await call(calls.setPeriod, { ids, start_at: now + 2 * DAY, end_at })
      expect(Object.keys(said.data.fields)).toEqual(['end_at'])
    }
    await done(calls.setPeriod, { ids, start_at: now + DAY, end_at: now + 2 * DAY })
    expect((await tile(category, of[0]!)).fault).toBe('planned')
    await database.db
      .update(category_brand)
      .set({ start_at: null, end_at: now - 1 })
      .where(eq(category_brand.id, ids[0]!))
    expect((await tile(category, of[0]!)).fault).toBe('over')
    const { list } = await done(calls.categories, {})
    expect(list.find((row: Row) => row.id === category)).toMatchObject({ tiles: 2, gone: 1 })
    await done(calls.setPeriod, { ids })
    expect((await tile(category, of[0]!)).fault).toBeNull()
  })
})

describe('what consumers see', () => {
  it('is what was published, until it is published again from the wall as it was read', async () => {
    const { category, of } = await walled(2)
    expect(await shown(category)).toEqual([])
    await publish(category)
    expect(await shown(category)).toEqual(of)
    const { wall } = await board(category)
    expect(wall.is_changed).toBe(false)
    expect(await refused(calls.publish, { id: wall.id, version: wall.version })).toBe('unchanged')
    await done(calls.remove, { ids: [(await tile(category, of[0]!)).id] })
    expect(await shown(category)).toEqual(of)
    const late = await call(calls.publish, { id: wall.id, version: wall.version })
    expect(late.status).toBe(409)
    await publish(category)
    expect(await shown(category)).toEqual([of[1]])
  })
  it('loses brands that are disabled, sold out of the category or over, and finds them again', async () => {
    const { category, of } = await walled(3)
    const [a, b, c] = of as [number, number, number]
    await publish(category)
    await setState(a, 'off')
    await database.db.update(product).set({ state: 'off_sale' }).where(eq(product.brand_id, b))
    expect(await shown(category)).toEqual([c])
    expect([(await tile(category, a)).fault, (await tile(category, b)).fault]).toEqual([
      'brand_off',
      'no_goods',
    ])
    await setState(a, 'on')
    expect(await shown(category)).toEqual([a, c])
    await database.db.update(brand).set({ state: 'merged', merged_into: c }).where(eq(brand.id, a))
    expect(await shown(category)).toEqual([c])
    await database.db.update(e_category).set({ status: 'off' }).where(eq(e_category.id, category))
    expect(await shown(category)).toEqual([])
  })
  it('is the city’s own wall where it has one that is published, or else the country’s', async () => {
    const { category, of } = await walled(2)
    await publish(category)
    await done(calls.add, { category_id: category, city_id: 1, brand_ids: [of[1]] })
    expect(await shown(category, { city_id: 1 })).toEqual(of)
    await publish(category, { city_id: 1 })
    expect(await shown(category, { city_id: 1 })).toEqual([of[1]])
    expect(await shown(category)).toEqual(of)
  })
})

it('copies a wall to categories in which its brands sell something', async () => {
  const { category, of } = await walled(2)
  const [other, none] = [await freshCategory(), await freshCategory()]
  await sells(of[1]!, other)
  const said = await done(calls.copyToCategories, {
    category_id: category,
    category_ids: [other, none],
  })
  expect(said.list.map((one: { added: number; left: number }) => [one.added, one.left])).toEqual([
    [1, 1],
    [0, 2],
  ])
  expect(await brands(other)).toEqual([of[1]])
})

it('lets who is in charge of a city arrange its wall, and read the country’s', async () => {
  const { category, of } = await walled(2)
  const { token: own } = await addStaff(database, {
    perms: ['config.entry.categoryBrands.*'],
    role: { scope_type: 'city', scope_ids: [1] },
  })
  expect((await done(calls.lst, { category_id: category }, own)).list).toHaveLength(2)
  const ids = [(await tile(category, of[0]!)).id]
  const said = await call(calls.remove, { ids }, own)
  expect([said.status, said.data.rule]).toEqual([422, 'all_cities'])
  await done(calls.add, { category_id: category, city_id: 1, brand_ids: of }, own)
  const elsewhere = { category_id: category, city_id: 2, brand_ids: of }
  expect((await call(calls.add, elsewhere, own)).status).toBe(404)
})
