import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { e_category } from '#src/areas/merchant/merchant.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { page_scheme } from '#src/areas/scheme/scheme.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { categoryHome as calls } from '#src/modules/config/contract/categoryHome.ts'
import { eCategoryConfig } from '#src/modules/config/contract/eCategoryConfig.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp } from '../../help/app.ts'
import { grantOf } from '../../help/coupons.ts'
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
/** Each test has a city and a channel of its own. */
let key: { city_id: number; category_id: number }
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  page = designing(app, calls, (await addStaff(database, { perms: ['*'] })).token)
})
beforeEach(async () => {
  key = { city_id: await freshCity(database), category_id: await freshChannel(database) }
})
const open = () => page.open(`/p/categoryHome/${key.city_id}/${key.category_id}`)
const category = (values: Partial<typeof e_category.$inferInsert>) =>
  database.db.update(e_category).set(values).where(eq(e_category.id, key.category_id))

/** The category as it stands. */
const row = async () => {
  const [of] = await database.db.select().from(e_category).where(eq(e_category.id, key.category_id))
  return { id: of!.id, version: of!.version }
}

describe('a channel', () => {
  it('is published where it is shown and has something on sale in the city', async () => {
    expect((await page.refusal(key, [heading('好物')])).rule).toBe('not_standing')
    await selling(database, { ...key, city_id: await freshCity(database) }, [1, 2])
    expect((await page.refusal(key, [heading('好物')])).message).toContain('没有在售商品')
    await selling(database, key)
    await category({ status: 'off' })
    expect((await page.refusal(key, [heading('好物')])).message).toContain('分类已隐藏')
    await category({ status: 'on' })
    await page.published(key, [heading('好物')])
    expect((await open()).body).toContain('好物')
  })
  it('with fewer than five goods is told of', async () => {
    await selling(database, key, [1, 2, 3, 4])
    expect((await page.done(calls.detail, key)).warning).toContain('不足 5 件')
    await selling(database, key)
    expect((await page.done(calls.detail, key)).warning).toBe('')
  })
  it('counts what is sold in the categories below it', async () => {
    const below = await freshChannel(database, { level: 2, parent_id: key.category_id })
    const [id] = await selling(database, { ...key, category_id: below })
    expect(await page.shows(key, [blockOf('product'), blockOf('subcategory')])).toEqual({
      product: [id],
      subcategory: [below],
    })
    await database.db.update(e_category).set({ status: 'off' }).where(eq(e_category.id, below))
    expect(await page.shows(key, [blockOf('subcategory')])).toEqual({ subcategory: [] })
  })
  it('that is hidden again is no page any more', async () => {
    await selling(database, key)
    await page.published(key, [heading('好物')])
    await page.done(eCategoryConfig.hide, {
      ...(await row()),
      searchable: false,
      reason: '下架季节分类',
    })
    expect((await open()).statusCode).toBe(404)
  })
  it('has one page a city, also when two begin at once', async () => {
    const { token } = await addStaff(database, { perms: ['*'] })
    const begin = (as?: string) =>
      page.call(calls.save, { ...key, version: 0, blocks: [heading('一')] }, as)
    const both = await Promise.all([begin(), begin(token)])
    expect(both.filter(said => said.status === 200)).toHaveLength(1)
    const mine = eq(page_scheme.category_id, key.category_id)
    expect(await database.db.$count(page_scheme, mine)).toBe(1)
    const other = { ...key, city_id: await freshCity(database) }
    expect((await page.saved(other, [heading('二')])).id).toBeGreaterThan(0)
  })
})

describe('blocks of a channel', () => {
  it('rank what has the figure at all, and nothing below the least sample', async () => {
    const ids = await selling(database, key, [3, 9, 0, 5])
    const ranking = (sample: number) => blockOf('ranking', { sample, limit: 2 })
    expect(await page.shows(key, [ranking(3)])).toEqual({ ranking: [ids[1], ids[3]] })
    expect(await page.shows(key, [ranking(4)])).toEqual({ ranking: [] })
    const { faults, message } = await page.refusal(key, [ranking(4)])
    expect([faults, message]).toEqual([
      [['ranking', undefined]],
      expect.stringContaining('最少样本'),
    ])
    expect((await page.refusal(key, [ranking(2)])).faults).toEqual([['ranking', 'sample']])
    const ruleless = blockOf('ranking', { rule: 'luck', sample: 3 })
    expect((await page.refusal(key, [ruleless])).faults).toEqual([['ranking', 'rule']])
  })
  it('rank by what is taken off the price, those alone of which something is', async () => {
    const ids = await selling(database, key, [0, 0, 9])
    for (const [at, price_cents] of [9000, 5000, 10_000].entries())
      await database.db
        .update(product)
        .set({ list_price_cents: 10_000, price_cents })
        .where(eq(product.id, ids[at]!))
    const ranking = (sample: number) => blockOf('ranking', { rule: 'discount', sample })
    expect(await page.shows(key, [ranking(2)])).toEqual({ ranking: [ids[1], ids[0]] })
    expect(await page.shows(key, [ranking(3)])).toEqual({ ranking: [] })
  })
  it('show the coupons alone that something of the channel is bought with', async () => {
    const [mine] = await selling(database, key)
    const [other] = await selling(database, { ...key, category_id: await freshChannel(database) })
    const now = unixNow()
    const couponFor = async (apply_kind: 'product' | 'category', id: number) => {
      const grant = { member_id: 1, now, apply_kind, apply_ids: [id] }
      const { coupon_id } = await grantOf(database.db, grant)
      // It ends before all others, so it is among those that a block shows.
      await database.db
        .update(coupon)
        .set({ claim_end_at: now + 60 })
        .where(eq(coupon.id, coupon_id))
      return coupon_id
    }
    const good = [await couponFor('product', mine!), await couponFor('category', key.category_id)]
    const bad = [await couponFor('product', other!), await couponFor('category', 1_000_001)]
    const { coupon: shown } = await page.shows(key, [blockOf('coupon', { limit: 10 })])
    expect(shown!.slice(0, 2)).toEqual(good)
    expect(shown!.filter(id => bad.includes(id))).toEqual([])
  })
  it('show the wall of the category, as it is published', async () => {
    const brand_id = await freshBrand(database, key.category_id)
    await selling(database, { ...key, brand_id })
    expect(await page.shows(key, [blockOf('brand_wall')])).toEqual({ brand_wall: [] })
    await walled(database, key.category_id, [brand_id])
    expect(await page.shows(key, [blockOf('brand_wall')])).toEqual({ brand_wall: [brand_id] })
  })
  it('with goods of another category are flagged and refused', async () => {
    const [mine] = await selling(database, key)
    const [other] = await selling(database, { ...key, category_id: await freshChannel(database) })
    const { faults, message } = await page.refusal(key, [picked(mine!, other!)])
    expect([faults, message]).toEqual([
      [['product', 'product_ids']],
      expect.stringContaining('不属于本页的分类'),
    ])
    expect(await page.shows(key, [picked(mine!, other!)])).toEqual({ product: [mine] })
    const offered = await page.done(calls.goods, key)
    expect(offered.list.map((row: { id: number }) => row.id)).toEqual([mine])
  })
  it('that a channel does not take are refused', async () => {
    await selling(database, key)
    expect((await page.refusal(key, [blockOf('hot_mall')])).faults[0]).toEqual([
      'hot_mall',
      undefined,
    ])
  })
})

describe('the default template', () => {
  const template = (name: string, text: string) =>
    page.done(calls.saveAsTemplate, { name, blocks: [heading(text)] })
  it('is shown wherever nobody has published a page, and each takes the place of the last', async () => {
    await selling(database, key)
    const first = await template(`默认${key.city_id}`, '第一版')
    const second = await template(`默认二${key.city_id}`, '第二版')
    await page.done(calls.setFallback, { template_id: first.id })
    expect((await open()).body).toContain('第一版')
    expect((await page.done(calls.detail, key)).blocks[0].props.text).toBe('第一版')
    await page.done(calls.setFallback, { template_id: second.id })
    expect((await open()).body).toContain('第二版')
    expect(await database.db.$count(page_scheme, eq(page_scheme.is_fallback, true))).toBe(1)
    expect((await page.call(calls.setFallback, { template_id: second.id })).data.rule).toBe(
      'already',
    )
    const own = await page.published(key, [heading('自己的')])
    expect((await open()).body).toContain('自己的')
    await page.done(calls.unpublish, { id: own.id, version: own.version, reason: '换季' })
    expect((await open()).body).toContain('第二版')
    await page.done(calls.setFallback, {})
    expect((await open()).body).not.toContain('第二版')
  })
  it('is whole, of this type, and for whoever sees all cities', async () => {
    const lacking = await template(`空${key.city_id}`, '')
    expect((await page.call(calls.setFallback, { template_id: lacking.id })).data.rule).toBe(
      'invalid_blocks',
    )
    const design = await page.saved(key, [heading('一')])
    expect((await page.call(calls.setFallback, { template_id: design.id })).status).toBe(404)
    const sound = await template(`好${key.city_id}`, '好')
    const local = await addStaff(database, {
      perms: ['config.entry.categoryHome.*'],
      role: { scope_type: 'city', scope_ids: [key.city_id] },
    })
    const said = await page.call(calls.setFallback, { template_id: sound.id }, local.token)
    expect(said.data.rule).toBe('all_cities')
  })
})

describe('a category with a live page', () => {
  it('is neither deleted nor merged until the page is taken down', async () => {
    const [id] = await selling(database, key)
    const live = await page.published(key, [heading('好物')])
    await page.done(eCategoryConfig.moveProducts, {
      ...(await row()),
      target_id: await freshChannel(database),
    })
    const gone = await page.call(eCategoryConfig.del, await row())
    expect([gone.status, gone.message]).toEqual([422, expect.stringContaining('频道或品牌页面')])
    const into = { target_id: await freshChannel(database), reason: '合并频道' }
    const merged = await page.call(eCategoryConfig.mergeInto, { ...(await row()), ...into })
    expect(merged.data.rule).toBe('live_pages')
    await page.done(calls.unpublish, { id: live.id, version: live.version, reason: '下线频道' })
    await page.done(eCategoryConfig.del, await row())
    expect(id).toBeGreaterThan(0)
  })
  it('does not go while its page goes live', async () => {
    await selling(database, key)
    const draft = await page.saved(key, [heading('好物')])
    const into = { target_id: await freshChannel(database), reason: '合并频道' }
    const one = await row()
    const [live, merged] = await Promise.all([
      page.call(calls.publish, { ...draft, note: '上线' }),
      page.call(eCategoryConfig.mergeInto, { ...one, ...into }),
    ])
    expect([live.status, merged.status].sort()).toEqual([200, 422])
  })
})

describe('whoever may not act in a city', () => {
  it('sees and changes none of its channels', async () => {
    await selling(database, key)
    const one = await page.saved(key, [heading('一')])
    const [elsewhere] = await database.db.select().from(city).limit(1)
    const local = await addStaff(database, {
      perms: ['config.entry.categoryHome.*'],
      role: { scope_type: 'city', scope_ids: [elsewhere!.id] },
    })
    const asked: [Parameters<typeof page.call>[0], object][] = [
      [calls.detail, key],
      [calls.goods, key],
      [calls.lst, { ...key, part: 'category_id' }],
      [calls.save, { ...key, version: one.version, blocks: [] }],
      [calls.publish, { ...one, note: '上线' }],
      [calls.unpublish, { ...one, reason: '下线' }],
      [calls.preview, { id: one.id }],
    ]
    for (const [what, input] of asked)
      expect((await page.call(what, input, local.token)).status, what.path).toBe(404)
  })
  it('is offered the channels that sell something, those that were designed among them', async () => {
    const names = async (more: object = {}) =>
      (await page.done(calls.lst, { city_id: key.city_id, ...more })).list.map(
        (row: { id: number }) => row.id,
      )
    expect(await names()).toEqual([])
    await selling(database, key)
    expect(await names()).toEqual([key.category_id])
    expect(await names({ designed: true })).toEqual([])
    await page.saved(key, [heading('一')])
    expect(await names({ designed: true })).toEqual([key.category_id])
    expect(await names({ keyword: '没有的' })).toEqual([])
  })
})
it.each([
  '/p/categoryHome/1',
  '/p/categoryHome/1/2/3',
  '/p/categoryHome/1/x',
  '/p/categoryHome/1/0',
])('%s is no address', async path => expect((await page.open(path)).statusCode).toBe(404))
