import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { brand } from '#src/areas/brand/brand.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { page_scheme } from '#src/areas/scheme/scheme.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { brandPage as calls } from '#src/modules/brand/contract/config.ts'
import { brands } from '#src/modules/brand/contract/index.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
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
} from '../../help/designed.ts'
import { freshMerchant, freshStore } from '../../help/merchants.ts'

let database: Database
let app: App
let page: ReturnType<typeof designing>
let category_id: number
/** Each test has a brand of its own. */
let key: { brand_id: number }
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  page = designing(app, calls, (await addStaff(database, { perms: ['*'] })).token)
})
beforeEach(async () => {
  category_id = await freshChannel(database)
  key = { brand_id: await freshBrand(database, category_id) }
})
const open = () => page.open(`/p/brand/${key.brand_id}`)
const sells = async (brand_id: number, sold?: readonly number[]) =>
  selling(database, { city_id: await freshCity(database), category_id, brand_id }, sold)
const row = async () => {
  const [of] = await database.db.select().from(brand).where(eq(brand.id, key.brand_id))
  return of!
}

describe('the page of a brand', () => {
  it('is the default one until one is published, and again once it is taken down', async () => {
    const { name } = await row()
    expect((await open()).body).toContain(name)
    const live = await page.published(key, [heading('品牌新装')])
    expect((await open()).body).toContain('品牌新装')
    await page.done(calls.unpublish, { id: live.id, version: live.version, reason: '改版' })
    const { body } = await open()
    expect([body.includes('品牌新装'), body.includes(name)]).toEqual([false, true])
    expect(
      (await page.call(calls.unpublish, { id: live.id, version: live.version + 1, reason: '改版' }))
        .data.rule,
    ).toBe('not_live')
  })
  it('is one, of no city, also when two begin at once', async () => {
    const { token } = await addStaff(database, { perms: ['*'] })
    const begin = (as?: string) =>
      page.call(calls.save, { ...key, version: 0, blocks: [heading('一')] }, as)
    const both = await Promise.all([begin(), begin(token)])
    expect(both.filter(said => said.status === 200)).toHaveLength(1)
    const mine = eq(page_scheme.brand_id, key.brand_id)
    expect(await database.db.select().from(page_scheme).where(mine)).toMatchObject([
      { city_id: null, category_id: 0 },
    ])
  })
  it('is no page while the brand is disabled, and may not be published', async () => {
    await page.published(key, [heading('品牌新装')])
    const draft = await page.saved(key, [heading('二')])
    const { id, version } = await row()
    await page.done(brands.disable, { id, version, reason: '授权到期' })
    expect((await open()).statusCode).toBe(404)
    const said = await page.call(calls.publish, { ...draft, note: '上线' })
    expect(said.data.rule).toBe('not_standing')
    const back = await page.call(calls.rollback, { ...draft, no: 1, reason: '回退' })
    expect(back.data.rule).toBe('unchanged')
  })
  it('that is scheduled stays away where the brand was disabled meanwhile', async () => {
    const at = unixNow() + 600
    const draft = await page.saved(key, [heading('定时')])
    await page.done(calls.schedule, { ...draft, at, note: '定时' })
    await database.db.update(brand).set({ state: 'off' }).where(eq(brand.id, key.brand_id))
    await timerNamed('config.pages')({ database, install: app.install, now: at } as never)
    expect(await page.done(calls.detail, key)).toMatchObject({ live_no: null, scheduled: null })
  })
  it('has thirty blocks at most', async () => {
    const blocks = Array.from({ length: 31 }, (_, at) => ({ ...heading(`${at}`), id: `b${at}` }))
    expect((await page.call(calls.save, { ...key, version: 0, blocks })).status).toBe(400)
    await page.published(key, blocks.slice(1))
  })
  it('is named by its brand alone', async () => {
    expect((await page.call(calls.detail, { ...key, city_id: 1 })).status).toBe(400)
    expect((await page.call(calls.detail, {})).status).toBe(400)
    expect((await page.call(calls.detail, { brand_id: 2_000_000_000 })).status).toBe(404)
  })
  it('is anybody’s who has the right, wherever they act', async () => {
    const [any] = await database.db.select().from(city).limit(1)
    const scope = { role: { scope_type: 'city' as const, scope_ids: [any!.id] } }
    const local = await addStaff(database, { perms: ['brand.index.config.*'], ...scope })
    const none = await addStaff(database, { perms: ['brand.index.view'], ...scope })
    const save = { ...key, version: 0, blocks: [heading('一')] }
    expect((await page.call(calls.save, save, none.token)).status).toBe(403)
    expect((await page.call(calls.save, save, local.token)).status).toBe(200)
    expect((await page.call(calls.detail, key, local.token)).data.blocks).toEqual([heading('一')])
  })
})

describe('blocks of a brand', () => {
  it('show its goods, its open stores and other brands of its category', async () => {
    const goods = await sells(key.brand_id, [1, 7])
    const other = await freshBrand(database, category_id)
    await sells(other)
    const owner = await freshMerchant(database)
    const mine = await freshStore(database, owner, { brand_id: key.brand_id })
    const closed = await freshStore(database, owner, { brand_id: key.brand_id, status: 'closed' })
    const shown = await page.shows(key, [
      blockOf('brand_header'),
      blockOf('product', { from: 'sold' }),
      blockOf('brand_store'),
      blockOf('related_brand'),
    ])
    expect(shown).toEqual({
      brand_header: [key.brand_id],
      product: [goods[1], goods[0]],
      brand_store: [mine.id],
      related_brand: [other],
    })
    await database.db.update(store).set({ status: 'open' }).where(eq(store.id, closed.id))
    expect(await page.shows(key, [blockOf('brand_store')])).toEqual({
      brand_store: [mine.id, closed.id],
    })
  })
  it('without anything to show are seen before consumers see them', async () => {
    const { faults, rule } = await page.refusal(key, [
      blockOf('brand_header'),
      blockOf('product'),
      blockOf('brand_store'),
    ])
    expect([rule, faults]).toEqual([
      'invalid_blocks',
      [
        ['product', undefined],
        ['brand_store', undefined],
      ],
    ])
  })
  it('with goods of another brand are flagged, also where they were copied', async () => {
    const other = await freshBrand(database, category_id)
    const [theirs] = await sells(other)
    await page.saved({ brand_id: other }, [picked(theirs!)])
    const { blocks } = await page.done(calls.detail, { brand_id: other })
    await sells(key.brand_id)
    const { faults, message } = await page.refusal(key, blocks)
    expect(faults[0]).toEqual(['product', 'product_ids'])
    expect(message).toContain('不属于本页的分类或品牌')
  })
})
it('brands are found by name, those that were designed alone where that is asked', async () => {
  const { name } = await row()
  const found = async (more: object = {}) =>
    (await page.done(calls.lst, { keyword: name, ...more })).list
  expect(await found()).toEqual([{ id: key.brand_id, name, live_no: null, has_draft: false }])
  expect(await found({ designed: true })).toEqual([])
  expect(await found({ but: key.brand_id })).toEqual([])
  await page.published(key, [heading('一')])
  expect(await found({ designed: true })).toMatchObject([{ live_no: 1, has_draft: false }])
})
