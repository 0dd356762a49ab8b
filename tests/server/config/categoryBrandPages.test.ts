import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { brand } from '#src/areas/brand/brand.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import type { Block } from '#src/areas/scheme/blocks.ts'
import { page_scheme } from '#src/areas/scheme/scheme.table.ts'
import { brandPage } from '#src/modules/brand/contract/config.ts'
import { categoryBrandPage as calls } from '#src/modules/config/contract/categoryBrandPage.ts'
import { categoryBrands } from '#src/modules/config/contract/categoryBrands.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp } from '../../help/app.ts'
import {
  blockOf,
  designing,
  freshBrand,
  freshChannel,
  freshCity,
  heading,
  picked,
  selling,
  walled,
} from '../../help/designed.ts'

let database: Database
let app: App
let page: ReturnType<typeof designing>
/** Each test has a city, a category and a brand of its own, which sells there and is on its wall. */
let key: { city_id: number; category_id: number; brand_id: number }
let goods: number[]
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  page = designing(app, calls, (await addStaff(database, { perms: ['*'] })).token)
})
beforeEach(async () => {
  const category_id = await freshChannel(database)
  key = {
    city_id: await freshCity(database),
    category_id,
    brand_id: await freshBrand(database, category_id),
  }
  goods = await selling(database, key, [2, 8])
  await walled(database, category_id, [key.brand_id])
})
const open = () => page.open(`/p/categoryBrand/${key.city_id}/${key.category_id}/${key.brand_id}`)
/** Another brand on the same wall, which sells there so often. */
const beside = async (sold: readonly number[]): Promise<number> => {
  const brand_id = await freshBrand(database, key.category_id)
  if (sold.length > 0) await selling(database, { ...key, brand_id }, sold)
  return brand_id
}
const nameOf = async (id: number): Promise<string> =>
  (await database.db.select().from(brand).where(eq(brand.id, id)))[0]!.name

describe('a brand inside a category', () => {
  it('has a page while it stands on the wall', async () => {
    await page.published(key, [heading('专区')])
    expect((await open()).body).toContain('专区')
    const wall = await page.done(categoryBrands.lst, { category_id: key.category_id })
    await page.done(categoryBrands.publish, { id: wall.wall.id, version: wall.wall.version })
    expect((await open()).statusCode).toBe(404)
    expect((await page.done(calls.detail, key)).fault).toContain('不在该分类的品牌墙上')
    expect((await page.refusal(key, [heading('再来')])).rule).toBe('not_standing')
    await walled(database, key.category_id, [key.brand_id])
    await page.published(key, [heading('再来')])
    expect((await open()).body).toContain('再来')
  })
  it('is published where it sells something in the city', async () => {
    const elsewhere = { ...key, city_id: await freshCity(database) }
    expect((await page.refusal(elsewhere, [heading('专区')])).message).toContain('没有在售商品')
  })
  it('shows what is of both, and the others of the wall', async () => {
    const other = await beside([5])
    await walled(database, key.category_id, [key.brand_id, other])
    await selling(database, { ...key, category_id: await freshChannel(database) }, [99])
    const blocks = [blockOf('product', { from: 'sold' }), blockOf('related_brand')]
    expect(await page.shows(key, blocks)).toEqual({
      product: [goods[1], goods[0]],
      related_brand: [other],
    })
  })
  it('refuses goods of its own that are of another category', async () => {
    const [other] = await selling(database, { ...key, category_id: await freshChannel(database) })
    const { faults } = await page.refusal(key, [picked(goods[0]!, other!)])
    expect(faults).toEqual([['product', 'product_ids']])
  })
  it('takes over the page of the brand, as it is live, without what it can’t hold', async () => {
    const style = designing(app, brandPage, (await addStaff(database, { perms: ['*'] })).token)
    const kinds = async () =>
      (await page.done(calls.inherited, key)).blocks.map((block: Block) => block.kind)
    expect(await kinds()).toEqual(['brand_header', 'product', 'brand_store'])
    await style.published({ brand_id: key.brand_id }, [heading('风格'), blockOf('product')])
    await style.saved({ brand_id: key.brand_id }, [heading('草稿')])
    expect(await kinds()).toEqual(['text', 'product'])
  })
})

describe('a page applied to other brands', () => {
  const apply = async (blocks: readonly Block[], ...brand_ids: number[]) =>
    page.done(calls.batchApply, { ...(await page.saved(key, blocks)), brand_ids })
  const draftOf = async (brand_id: number): Promise<Block[]> =>
    (await page.done(calls.detail, { ...key, brand_id })).blocks
  it('is their draft with goods of their own, and who has none is passed over by name', async () => {
    const [rich, poor, off] = [await beside([1, 9, 4]), await beside([]), await beside([3])]
    await walled(database, key.category_id, [key.brand_id, rich, poor])
    const blocks = [heading('同款'), picked(...goods)]
    const { applied, skipped } = await apply(blocks, rich, poor, off, key.brand_id)
    expect(applied).toEqual([await nameOf(rich)])
    expect(skipped.map((one: { name: string }) => one.name)).toEqual([
      await nameOf(poor),
      await nameOf(off),
    ])
    const [head, own] = await draftOf(rich)
    expect(head).toEqual(heading('同款'))
    const best = await page.shows({ ...key, brand_id: rich }, [
      blockOf('product', { from: 'sold', limit: 2 }),
    ])
    expect(own!.props['product_ids']).toEqual(best['product'])
    expect(await page.done(calls.detail, { ...key, brand_id: rich })).toMatchObject({
      live_no: null,
    })
    expect((await draftOf(key.brand_id))[1]!.props['product_ids']).toEqual(goods)
  })
  it('leaves a draft that somebody else holds', async () => {
    const other = await beside([1])
    await walled(database, key.category_id, [key.brand_id, other])
    const { token } = await addStaff(database, { perms: ['*'] })
    const theirs = { ...key, brand_id: other, version: 0, blocks: [heading('他人')] }
    expect((await page.call(calls.save, theirs, token)).status).toBe(200)
    const { applied, skipped } = await apply([heading('同款')], other)
    expect([applied, skipped[0].why]).toEqual([[], '有他人的草稿'])
    expect(await draftOf(other)).toEqual([heading('他人')])
  })
  it('is refused where it was changed meanwhile', async () => {
    const one = await page.saved(key, [heading('一')])
    await page.saved(key, [heading('二')])
    const said = await page.call(calls.batchApply, { ...one, brand_ids: [key.brand_id] })
    expect(said.status).toBe(409)
  })
})
it('is of its city: whoever acts elsewhere neither sees nor changes it', async () => {
  const one = await page.saved(key, [heading('一')])
  const [elsewhere] = await database.db.select().from(city).limit(1)
  const local = await addStaff(database, {
    perms: ['config.entry.categoryBrandConfigPage.*'],
    role: { scope_type: 'city', scope_ids: [elsewhere!.id] },
  })
  const asked: [Parameters<typeof page.call>[0], object][] = [
    [calls.detail, key],
    [calls.inherited, key],
    [calls.batchApply, { ...one, brand_ids: [key.brand_id] }],
    [calls.publish, { ...one, note: '上线' }],
  ]
  for (const [what, input] of asked)
    expect((await page.call(what, input, local.token)).status, what.path).toBe(404)
  expect(await database.db.$count(page_scheme, eq(page_scheme.id, one.id))).toBe(1)
})
it('offers the brands of the wall, and one that left it while there is a page', async () => {
  const ids = async () =>
    (await page.done(calls.lst, { city_id: key.city_id, category_id: key.category_id })).list.map(
      (row: { id: number }) => row.id,
    )
  expect(await ids()).toEqual([key.brand_id])
  await walled(database, key.category_id, [])
  expect(await ids()).toEqual([])
  await page.saved(key, [heading('一')])
  expect(await ids()).toEqual([key.brand_id])
})
