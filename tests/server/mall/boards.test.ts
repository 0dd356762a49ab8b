import { and, asc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { hot_item, mall_category, mall_recommend } from '#src/areas/mall/mall.table.ts'
import { blockMax, HOT_MAX, VOUCHERS_OF_ONE } from '#src/areas/mall/recommend.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product, product_store } from '#src/areas/product/product.table.ts'
import { unjoined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { hots } from '#src/modules/mall/contract/hot.ts'
import {
  coupon as couponCalls,
  couponBoard,
  featuredBoard,
  groupBoard,
  recommendSet,
  tuan,
  voucher as voucherCalls,
  voucherBoard,
} from '#src/modules/mall/contract/recommend.ts'
import { shopBoard } from '#src/modules/mall/contract/shopBoard.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send, tokenOfAccount, type Said } from '../../help/app.ts'
import { wordless } from '../../help/words.ts'

const DAY = 86_400
let database: Database
let app: App
let admin: string
let made = 0
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  admin = await tokenOfAccount(database, 'admin')
})
const ok = (said: Said) => {
  expect([said.message, said.status]).toEqual([said.message, 200])
  return said.data
}
const ask = (call: Parameters<typeof send>[1], input: object = {}, token = admin) =>
  send(app, call, input, { token })
const ruleOf = (said: Said) => [said.status, said.data?.rule]

/** A mall of a test's own with an open store, so that nothing stands on its boards yet. */
const freshPlace = async () => {
  const [like] = await database.db
    .select()
    .from(mall)
    .where(and(eq(mall.status, 'online'), eq(mall.city_id, 1)))
    .limit(1)
  const { id: _, ...columns } = like!
  const [place] = await database.db
    .insert(mall)
    .values({
      ...columns,
      name: `板Q${++made}`,
      recommend_title: '',
      featured_title: '',
      category_settings: null,
      category_settings_version: 0,
    })
    .returning()
  return { mid: place!.id, store: await freshStore(place!.id) }
}
const freshStore = async (mid: number, more: Partial<typeof store.$inferInsert> = {}) => {
  const [like] = await database.db
    .select()
    .from(store)
    .where(
      and(
        eq(store.kind, 'offline'),
        eq(store.status, 'open'),
        sql`exists (select 1 from merchant m where m.id = ${store.merchant_id} and m.status = 'active')`,
      ),
    )
    .orderBy(asc(store.id))
    .limit(1)
  const { id: _, ...columns } = like!
  const [one] = await database.db
    .insert(store)
    .values({
      ...columns,
      store_no: `BQ${++made}`,
      mall_id: mid,
      city_id: 1,
      floor_id: null,
      ...more,
    })
    .returning()
  return one!
}
const freshOffers = async (
  of: { store: typeof store.$inferSelect },
  n: number,
  more: Partial<typeof product.$inferInsert> = {},
) => {
  const now = unixNow()
  const [like] = await database.db
    .select()
    .from(product)
    .where(and(eq(product.kind, more.kind ?? 'bulks'), eq(product.state, 'on_sale')))
    .limit(1)
  const { id: _, ...columns } = like!
  const rows = await database.db
    .insert(product)
    .values(
      Array.from({ length: n }, () => ({
        ...columns,
        title: `板商品${++made}`,
        merchant_id: of.store.merchant_id,
        city_id: 1,
        mall_id: of.store.mall_id,
        store_ids: [of.store.id],
        stock: 100,
        held: 0,
        sold: 0,
        state: 'on_sale' as const,
        sale_start_at: now - DAY,
        sale_end_at: now + 30 * DAY,
        check_start_at: now - DAY,
        check_end_at: now + 60 * DAY,
        ...(more.kind === 'voucher' ? { face_cents: 10_000, price_cents: 8000 } : {}),
        ...more,
      })),
    )
    .returning()
  await database.db
    .insert(product_store)
    .values(rows.map(row => ({ product_id: row.id, store_id: of.store.id })))
  return rows.map(row => row.id)
}
const freshCoupons = async (n: number, more: Partial<typeof coupon.$inferInsert> = {}) => {
  const now = unixNow()
  const rows = await database.db
    .insert(coupon)
    .values(
      Array.from({ length: n }, () => ({
        coupon_no: `TQ${++made}`,
        scope: 'local' as const,
        name: `券${made}`,
        kind: 'full_reduce' as const,
        face_cents: 1000,
        threshold_cents: 5000,
        apply_kind: 'all' as const,
        apply_ids: [],
        exclude_ids: [],
        city_ids: [],
        total: 100,
        claim_kind: 'claim' as const,
        claim_start_at: now - DAY,
        claim_end_at: now + 10 * DAY,
        valid_kind: 'fixed' as const,
        weekdays: [],
        level_ids: [],
        platform_share_bp: 5000,
        merchant_share_bp: 5000,
        status: 'active' as const,
        ...more,
      })),
    )
    .returning()
  return rows.map(row => row.id)
}
const board = async (call: Parameters<typeof send>[1], mid: number, more: object = {}) =>
  ok(await ask(call, { mid, is_recommend: true, pageSize: 100, ...more }))
const idsOn = async (
  call: Parameters<typeof send>[1],
  mid: number,
  more: object = {},
): Promise<number[]> => (await board(call, mid, more)).list.map((row: { id: number }) => row.id)

describe('recommended coupons', () => {
  it('are approved, open or opening within seven days, and usable in a store of the mall', async () => {
    const { mid } = await freshPlace()
    const now = unixNow()
    const cases: [Partial<typeof coupon.$inferInsert>, string | null][] = [
      [{}, null],
      [{ status: 'waiting', claim_start_at: now + 6 * DAY }, null],
      [{ status: 'waiting', claim_start_at: now + 8 * DAY }, 'too_early'],
      [{ status: 'auditing' }, 'not_approved'],
      [{ status: 'void' }, 'not_approved'],
      [{ status: 'ended' }, 'claim_ended'],
      [{ claim_end_at: now - 10 }, 'claim_ended'],
      [{ claimed_count: 100 }, 'used_up'],
      [{ apply_kind: 'mall', apply_ids: [mid + 1000] }, 'not_in_mall'],
      [{ city_ids: [2] }, 'not_in_mall'],
      [{ status: 'paused' }, 'paused'],
    ]
    for (const [more, reason] of cases) {
      const [id] = await freshCoupons(1, more)
      const said = await ask(couponBoard.recommend, { mid, ids: [id] })
      expect([JSON.stringify(more), ...ruleOf(said)]).toEqual([
        JSON.stringify(more),
        ...(reason ? [422, reason] : [200, undefined]),
      ])
    }
  })
  it('are ten at most, fail each by itself, and setting twice is done once', async () => {
    const { mid } = await freshPlace()
    const ids = await freshCoupons(12)
    const first = ok(await ask(couponCalls.recommendstatus, { mid, ids, is_recommend: true }))
    expect([
      first.ok.length,
      first.failed.map((one: { reason: string }) => one.reason),
      first.recommended,
      first.max,
    ]).toEqual([10, ['full', 'full'], 10, blockMax.coupon])
    const again = ok(
      await ask(couponCalls.recommendstatus, { mid, id: ids[0], is_recommend: true }),
    )
    expect([again.ok, again.list_version]).toEqual([[ids[0]], first.list_version])
    for (const is_recommend of [false, true, false])
      ok(await ask(couponCalls.recommendstatus, { mid, id: ids[0], is_recommend }))
    expect(await idsOn(couponCalls.listRecommends, mid)).toEqual(ids.slice(1, 10))
    expect(
      await database.db
        .select()
        .from(mall_recommend)
        .where(and(eq(mall_recommend.mid, mid), eq(mall_recommend.ref_id, ids[0]!))),
    ).toHaveLength(1)
  })
  it('of a mall outside my cities are not found', async () => {
    const staff = await addStaff(database, {
      perms: ['mall.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    const [far] = await database.db
      .select()
      .from(mall)
      .where(sql`${mall.city_id} <> 1 and ${mall.status} = 'online'`)
      .limit(1)
    expect((await ask(couponCalls.listRecommends, { mid: far!.id }, staff.token)).status).toBe(404)
    expect((await ask(couponBoard.recommend, { mid: far!.id, ids: [1] }, staff.token)).status).toBe(
      404,
    )
    expect(
      (
        await ask(
          recommendSet.updSort,
          { mid: far!.id, block: 'coupon', order: [], list_version: 0 },
          staff.token,
        )
      ).status,
    ).toBe(404)
  })
  it('leave by themselves when they run out', async () => {
    const { mid } = await freshPlace()
    const [id] = await freshCoupons(1)
    ok(await ask(couponBoard.recommend, { mid, ids: [id] }))
    await database.db.update(coupon).set({ claimed_count: 100 }).where(eq(coupon.id, id!))
    const { dropAll } = await import('#src/modules/mall/server/drop.ts')
    await database.transaction(tx => dropAll(tx, unixNow()))
    const { list, recommended } = ok(await ask(couponCalls.listRecommends, { mid }))
    expect(recommended).toBe(0)
    expect(list.find((row: { id: number }) => row.id === id)).toMatchObject({
      is_recommend: false,
      drop_reason: 'used_up',
    })
    const [logged] = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'coupon'),
          eq(op_log.object_id, id!),
          sql`${op_log.admin_id} is null`,
        ),
      )
    expect(logged).toMatchObject({ admin_name: systemName })
    expect(unjoined(logged!.reason!)[0]).toBe('已领完')
  })
})

describe('an order', () => {
  it('is saved as a whole with the version it was made from; a stale one is refused with the present one', async () => {
    const place = await freshPlace()
    const ids = await freshOffers(place, 4)
    const { list_version } = ok(await ask(groupBoard.recommend, { mid: place.mid, ids }))
    const order = [...ids].reverse()
    const saved = ok(await ask(groupBoard.sort, { mid: place.mid, order, list_version }))
    expect(await idsOn(tuan.listRecommends, place.mid)).toEqual(order)
    const refused = await ask(recommendSet.updSort, {
      mid: place.mid,
      block: 'group',
      order: ids,
      list_version,
    })
    expect([refused.status, refused.data.current]).toEqual([
      409,
      { order, list_version: saved.list_version },
    ])
    expect(refused.message).toContain('林知远')
    expect(
      (
        await ask(recommendSet.updSort, {
          mid: place.mid,
          block: 'group',
          order: order.slice(1),
          list_version: saved.list_version,
        })
      ).status,
    ).toBe(409)
    expect(
      (
        await ask(recommendSet.updSort, {
          mid: place.mid,
          block: 'group',
          order: [...order.slice(1), order[1]],
          list_version: saved.list_version,
        })
      ).status,
    ).toBe(409)
    const sorts = (
      await database.db
        .select()
        .from(mall_recommend)
        .where(and(eq(mall_recommend.mid, place.mid), eq(mall_recommend.block, 'group')))
    ).map(row => row.sort)
    expect(new Set(sorts).size).toBe(4)
  })
  it('of a page needs the right of that page', async () => {
    const staff = await addStaff(database, { perms: ['mall.shop.view', 'mall.shop.updSort'] })
    const place = await freshPlace()
    expect(
      (
        await ask(
          recommendSet.updSort,
          { mid: place.mid, block: 'coupon', order: [], list_version: 0 },
          staff.token,
        )
      ).status,
    ).toBe(403)
  })
})

describe('recommended group-buys', () => {
  it('are on sale with a redeeming store in the mall, and redeemable until the sale ends', async () => {
    const place = await freshPlace()
    const now = unixNow()
    const elsewhere = await freshPlace()
    const cases: [Partial<typeof product.$inferInsert>, string][] = [
      [{ state: 'off_sale' }, 'not_on_sale'],
      [{ sale_end_at: now - 5 }, 'sale_ended'],
      [{ stock: 0 }, 'sold_out'],
      [{ check_end_at: now + DAY }, 'redeem_ends_early'],
      [{ kind: 'voucher' }, 'wrong_kind'],
    ]
    for (const [more, reason] of cases)
      expect(
        ruleOf(
          await ask(groupBoard.recommend, {
            mid: place.mid,
            ids: await freshOffers(place, 1, more),
          }),
        ),
      ).toEqual([422, reason])
    expect(
      ruleOf(
        await ask(groupBoard.recommend, { mid: place.mid, ids: await freshOffers(elsewhere, 1) }),
      ),
    ).toEqual([422, 'not_in_mall'])
  })
  it('are chosen from every candidate, page by page, each of them once', async () => {
    const place = await freshPlace()
    const ids = await freshOffers(place, 120)
    const pages = await Promise.all(
      [1, 2, 3].map(async page =>
        ok(
          await ask(tuan.listRecommends, {
            mid: place.mid,
            is_recommend: false,
            page,
            pageSize: 50,
          }),
        ),
      ),
    )
    expect([pages.map(one => one.list.length), pages.map(one => one.total)]).toEqual([
      [50, 50, 20],
      [120, 120, 120],
    ])
    expect(
      pages.flatMap(one => one.list.map((row: { id: number }) => row.id)).sort((x, y) => x - y),
    ).toEqual([...ids].sort((x, y) => x - y))
  })
  it('are twenty at most', async () => {
    const place = await freshPlace()
    const said = ok(
      await ask(tuan.recommendstatus, {
        mid: place.mid,
        ids: await freshOffers(place, 22),
        is_recommend: true,
      }),
    )
    expect([said.ok.length, said.failed.length, said.recommended]).toEqual([20, 2, blockMax.group])
  })
  it('have a title of 2 to 12 characters; an empty one restores the usual', async () => {
    const place = await freshPlace()
    expect((await ask(tuan.setmallrecommendtitle, { mid: place.mid, title: '好' })).status).toBe(
      400,
    )
    expect(
      (
        await ask(tuan.setmallrecommendtitle, {
          mid: place.mid,
          title: '一二三四五六七八九十一二三',
        })
      ).status,
    ).toBe(400)
    expect(ok(await ask(groupBoard.setTitle, { mid: place.mid, title: '本周必抢' }))).toMatchObject(
      { block: 'group', title: '本周必抢' },
    )
    expect(ok(await ask(tuan.listRecommends, { mid: place.mid })).title).toBe('本周必抢')
    expect(ok(await ask(tuan.setmallrecommendtitle, { mid: place.mid, title: '' })).title).toBe(
      '推荐团购',
    )
    expect(
      (await database.db.select().from(mall).where(eq(mall.id, place.mid)))[0]!.recommend_title,
    ).toBe('')
  })
  it('change their times in a batch that is tried first, row by row, under this page’s right', async () => {
    const staff = await addStaff(database, {
      perms: ['mall.group.view', 'mall.group.batchUpdateStartAndCheckTime'],
    })
    const place = await freshPlace()
    const ids = await freshOffers(place, 2)
    expect((await ask(groupBoard.timeLogs, {}, staff.token)).status).toBe(403)
    const trial = ok(
      await ask(
        groupBoard.batchTime,
        { product_ids: ids, mode: 'shift', shift_days: 3, reason: '闭店顺延', dry_run: true },
        staff.token,
      ),
    )
    expect([
      trial.dry_run,
      trial.rows.length,
      trial.rows[0].after.sale_end_at - trial.rows[0].before.sale_end_at,
    ]).toEqual([true, 2, 3 * DAY])
    const done = ok(
      await ask(
        groupBoard.batchTime,
        { product_ids: ids, mode: 'shift', shift_days: 3, reason: '闭店顺延' },
        staff.token,
      ),
    )
    const reader = await addStaff(database, { perms: ['mall.group.view', 'mall.group.timeLogs'] })
    expect(
      ok(await ask(groupBoard.timeLogs, { batch_no: done.batch_no }, reader.token)).list[0],
    ).toMatchObject({ batch_no: done.batch_no, ok_count: 2 })
  })
})

describe('recommended vouchers', () => {
  it('are three of one merchant at most, and fifteen in all', async () => {
    const place = await freshPlace()
    const ids = await freshOffers(place, 4, { kind: 'voucher' })
    const said = ok(
      await ask(voucherCalls.recommendstatus, { mid: place.mid, ids, is_recommend: true }),
    )
    expect([said.ok.length, said.failed[0].reason, said.max]).toEqual([
      VOUCHERS_OF_ONE,
      'merchant_full',
      blockMax.voucher,
    ])
    expect(ok(await ask(voucherCalls.listRecommends, { mid: place.mid })).max_per_merchant).toBe(3)
    const merchants = (
      await database.db.execute<{ id: number }>(
        sql`select id from merchant where status = 'active' and id <> ${place.store.merchant_id} order by id limit 5`,
      )
    ).rows
    for (const { id } of merchants)
      await ask(voucherBoard.batchRecommend, {
        mid: place.mid,
        ids: await freshOffers(place, 3, { kind: 'voucher', merchant_id: id }),
      })
    const { recommended } = await board(voucherCalls.listRecommends, place.mid)
    expect(recommended).toBe(blockMax.voucher)
  })
  it('are cheaper than their face', async () => {
    const place = await freshPlace()
    expect(
      ruleOf(
        await ask(voucherBoard.recommend, {
          mid: place.mid,
          ids: await freshOffers(place, 1, {
            kind: 'voucher',
            price_cents: 10_000,
            face_cents: 10_000,
          }),
        }),
      ),
    ).toEqual([422, 'price_not_below_face'])
  })
})

describe('featured products', () => {
  it('are of every kind, thirty at most, and only what a store of the mall sells', async () => {
    const place = await freshPlace()
    const ids = [
      ...(await freshOffers(place, 20)),
      ...(await freshOffers(place, 12, { kind: 'goods' })),
    ]
    const said = ok(await ask(featuredBoard.pick, { mid: place.mid, ids }))
    expect([said.ok.length, said.failed.length, said.max]).toEqual([30, 2, blockMax.featured])
  })
  it('have one window each: one that overlaps another of the same product is refused', async () => {
    const place = await freshPlace()
    const now = unixNow()
    const [id] = await freshOffers(place, 1)
    ok(
      await ask(featuredBoard.pick, {
        mid: place.mid,
        ids: [id],
        start_at: now + DAY,
        end_at: now + 5 * DAY,
      }),
    )
    expect(
      ruleOf(
        await ask(featuredBoard.pick, {
          mid: place.mid,
          ids: [id],
          start_at: now + 4 * DAY,
          end_at: now + 9 * DAY,
        }),
      ),
    ).toEqual([422, 'window_overlap'])
    const [row] = (await board(tuan.listRecommends, place.mid, { block: 'featured' })).list
    const done = ok(
      await ask(featuredBoard.schedule, {
        mid: place.mid,
        id,
        version: row.version,
        start_at: null,
        end_at: now + 9 * DAY,
      }),
    )
    expect(
      (
        await ask(featuredBoard.schedule, {
          mid: place.mid,
          id,
          version: row.version,
          start_at: null,
          end_at: null,
        })
      ).status,
    ).toBe(409)
    expect(
      (await board(tuan.listRecommends, place.mid, { block: 'featured' })).list[0],
    ).toMatchObject({
      recommend_start_at: null,
      recommend_end_at: now + 9 * DAY,
      version: done.version,
    })
  })
  it('that went off sale stay marked, and are replaced in their places by what sells', async () => {
    const place = await freshPlace()
    const [dead, live, next] = await freshOffers(place, 3)
    ok(await ask(featuredBoard.pick, { mid: place.mid, ids: [dead, live] }))
    await database.db.update(product).set({ state: 'off_sale' }).where(eq(product.id, dead!))
    expect(
      (await board(tuan.listRecommends, place.mid, { block: 'featured' })).list[0],
    ).toMatchObject({ id: dead, blocked_reason: 'not_on_sale' })
    const done = ok(await ask(featuredBoard.replace, { mid: place.mid }))
    expect([done.removed[0].id, done.added[0].id]).toEqual([dead, next])
    expect(await idsOn(tuan.listRecommends, place.mid, { block: 'featured' })).toEqual([next, live])
    expect(ruleOf(await ask(featuredBoard.replace, { mid: place.mid }))).toEqual([
      422,
      'nothing_dead',
    ])
  })
  it('stay marked on the board when the system has looked: a person replaces them', async () => {
    const place = await freshPlace()
    const [dead, next] = await freshOffers(place, 2)
    ok(await ask(featuredBoard.pick, { mid: place.mid, ids: [dead] }))
    await database.db.update(product).set({ state: 'off_sale' }).where(eq(product.id, dead!))
    const { dropAll } = await import('#src/modules/mall/server/drop.ts')
    await database.transaction(tx => dropAll(tx, unixNow()))
    expect(
      (await board(tuan.listRecommends, place.mid, { block: 'featured' })).list[0],
    ).toMatchObject({ id: dead, is_recommend: true, blocked_reason: 'not_on_sale' })
    expect(ok(await ask(featuredBoard.replace, { mid: place.mid })).added[0].id).toBe(next)
  })
  it('leave by themselves when their window is over', async () => {
    const place = await freshPlace()
    const [id] = await freshOffers(place, 1)
    const now = unixNow()
    ok(
      await ask(featuredBoard.pick, {
        mid: place.mid,
        ids: [id],
        start_at: now - DAY,
        end_at: now + DAY,
      }),
    )
    const { dropAll } = await import('#src/modules/mall/server/drop.ts')
    await database.transaction(tx => dropAll(tx, now + 2 * DAY))
    expect(await idsOn(tuan.listRecommends, place.mid, { block: 'featured' })).toEqual([])
  })
  it('outside any mall have a list of each city', async () => {
    const now = unixNow()
    const [outside] = await database.db
      .select()
      .from(store)
      .where(
        and(
          eq(store.mall_id, 0),
          eq(store.kind, 'offline'),
          eq(store.status, 'open'),
          eq(store.city_id, 1),
        ),
      )
      .limit(1)
    const [id] = await freshOffers({ store: outside! }, 1)
    ok(await ask(featuredBoard.pick, { mid: 0, city_id: 1, ids: [id] }))
    expect(await idsOn(tuan.listRecommends, 0, { city_id: 1, block: 'featured' })).toContain(id)
    expect(await idsOn(tuan.listRecommends, 0, { city_id: 2, block: 'featured' })).not.toContain(id)
    expect(now).toBeGreaterThan(0)
  })
})

describe('recommended stores', () => {
  const freshCategory = async (mid: number, category_id: number) =>
    (
      await database.db
        .insert(mall_category)
        .values({
          mid,
          name: `类${++made}`.slice(0, 8),
          icon: 'x',
          shop_category_ids: [category_id],
          jump_kind: 'stores',
          sort: made,
        })
        .returning()
    )[0]!
  it('are open, of this mall, and of what the category gathers', async () => {
    const place = await freshPlace()
    const category = await freshCategory(place.mid, place.store.category_id)
    const [other] = (
      await database.db.execute<{ id: number }>(
        sql`select id from shop_category where id <> ${place.store.category_id} and parent_id is not null and id not in (select coalesce(parent_id, 0) from shop_category where id = ${place.store.category_id}) limit 1`,
      )
    ).rows
    const cases: [Partial<typeof store.$inferInsert>, string][] = [
      [{ status: 'resting' }, 'store_not_open'],
      [{ status: 'closed' }, 'store_not_open'],
      [{ category_id: other!.id }, 'wrong_category'],
    ]
    for (const [more, reason] of cases)
      expect(
        ruleOf(
          await ask(recommendSet.set, {
            mid: place.mid,
            category_id: category.id,
            store_id: (await freshStore(place.mid, more)).id,
            is_recommend: true,
          }),
        ),
      ).toEqual([422, reason])
    expect(
      ruleOf(
        await ask(recommendSet.set, {
          mid: place.mid,
          category_id: category.id,
          store_id: (await freshPlace()).store.id,
          is_recommend: true,
        }),
      ),
    ).toEqual([422, 'not_in_mall'])
    expect(
      ok(
        await ask(recommendSet.set, {
          mid: place.mid,
          category_id: category.id,
          store_ids: [place.store.id],
          is_recommend: true,
        }),
      ),
    ).toMatchObject({ ok: [place.store.id], recommended: 1, max: 10 })
  })
  it('are as many as the settings allow, copy their order to another category, and tell who set each', async () => {
    const place = await freshPlace()
    const [a, b] = [
      await freshCategory(place.mid, place.store.category_id),
      await freshCategory(place.mid, place.store.category_id),
    ]
    const ids: number[] = []
    for (let at = 0; at < 12; at++) ids.push((await freshStore(place.mid)).id)
    const said = ok(
      await ask(recommendSet.set, {
        mid: place.mid,
        category_id: a.id,
        store_ids: ids,
        is_recommend: true,
      }),
    )
    expect([said.ok.length, said.failed.length]).toEqual([10, 2])
    const order = [...said.ok].reverse()
    ok(
      await ask(recommendSet.updSort, {
        mid: place.mid,
        category_id: a.id,
        order,
        list_version: said.list_version,
      }),
    )
    ok(await ask(shopBoard.cancel, { mid: place.mid, category_id: a.id, store_ids: [order[0]] }))
    ok(
      await ask(shopBoard.copyOrder, { mid: place.mid, from_category_id: a.id, category_id: b.id }),
    )
    const { list } = await board(recommendSet.stores, place.mid, { category_id: b.id })
    expect(list.map((row: { store_id: number }) => row.store_id)).toEqual(order.slice(1))
    expect(list[0].set_by_name).toBe('林知远')
    const history = ok(await ask(shopBoard.history, { mid: place.mid, category_id: a.id }))
    expect(history.list[0].what).toContain('取消')
    expect(history.total).toBeGreaterThan(10)
  })
  it('that are paid for carry a contract number', async () => {
    const place = await freshPlace()
    const category = await freshCategory(place.mid, place.store.category_id)
    const now = unixNow()
    const input = {
      mid: place.mid,
      category_id: category.id,
      store_id: place.store.id,
      is_recommend: true,
      start_at: now,
      end_at: now + DAY,
    }
    expect(ruleOf(await ask(recommendSet.set, input))).toEqual([422, 'no_contract'])
    ok(await ask(recommendSet.set, { ...input, contract_no: 'GG2026-1' }))
    expect(
      (await board(recommendSet.stores, place.mid, { category_id: category.id })).list[0],
    ).toMatchObject({ contract_no: 'GG2026-1' })
  })
})

describe('hot items', () => {
  const word = (mid: number, title: string, more: object = {}) => ({
    city_id: 1,
    mid,
    kind: 'keyword',
    title,
    start_at: unixNow() - 10,
    end_at: unixNow() + DAY,
    ...more,
  })
  it('are twelve live at most in a place; the thirteenth is refused with those that are', async () => {
    const { mid } = await freshPlace()
    for (let at = 0; at < HOT_MAX; at++) ok(await ask(hots.add, word(mid, `词${at}`)))
    const refused = await ask(hots.add, word(mid, '第十三'))
    expect([ruleOf(refused), refused.data.live.length]).toEqual([[422, 'place_full'], HOT_MAX])
    expect(refused.message).toContain('词0、词1')
    const off = ok(await ask(hots.add, word(mid, '备用', { status: 'off' })))
    expect(ruleOf(await ask(hots.on, { id: off.id, version: off.version }))).toEqual([
      422,
      'place_full',
    ])
    const { list, live, list_version } = ok(await ask(hots.list, { mid, city_id: 1, pageSize: 50 }))
    expect([live, list.length]).toEqual([12, 13])
    const order = list.map((row: { id: number }) => row.id).reverse()
    ok(await ask(hots.edit, { city_id: 1, mid, order, list_version }))
    expect((await ask(hots.sort, { city_id: 1, mid, order, list_version })).status).toBe(409)
    ok(await ask(hots.off, { id: list[0].id, version: list[0].version }))
    ok(await ask(hots.on, { id: off.id, version: off.version }))
  })
  it('that are off may be many: the whole list of a place is read and its order saved', async () => {
    const { mid } = await freshPlace()
    const now = unixNow()
    await database.db.insert(hot_item).values(
      Array.from({ length: 230 }, (_, at) => ({
        city_id: 1,
        mid,
        kind: 'keyword' as const,
        title: `旧${at}`,
        sort: at + 1,
        start_at: now - 2 * DAY,
        end_at: now - DAY,
        status: 'off' as const,
      })),
    )
    const { list, total, list_version } = ok(
      await ask(hots.list, { mid, city_id: 1, pageSize: 1000 }),
    )
    expect([list.length, total]).toEqual([230, 230])
    ok(
      await ask(hots.sort, {
        city_id: 1,
        mid,
        list_version,
        order: list.map((row: { id: number }) => row.id).reverse(),
      }),
    )
    expect(ok(await ask(hots.list, { mid, city_id: 1, pageSize: 1000 })).list[0].title).toBe(
      '旧229',
    )
  })
  it('have a word once in a place, no banned one, and an end after their start', async () => {
    const { mid } = await freshPlace()
    ok(await ask(hots.add, word(mid, '火锅节')))
    expect(ruleOf(await ask(hots.add, word(mid, '火锅节')))).toEqual([422, 'keyword_exists'])
    expect(ruleOf(await ask(hots.add, word(mid, '全城最低价')))).toEqual([422, 'banned_word'])
    expect(
      (await ask(hots.add, word(mid, '倒着', { start_at: unixNow() + DAY, end_at: unixNow() })))
        .status,
    ).toBe(400)
    ok(await ask(hots.add, word((await freshPlace()).mid, '火锅节')))
  })
  it('lead to what is on sale; what ended is hidden and says why', async () => {
    const place = await freshPlace()
    const [live, dead] = [
      (await freshOffers(place, 1))[0],
      (await freshOffers(place, 1, { state: 'off_sale' }))[0],
    ]
    expect(
      ruleOf(await ask(hots.add, word(place.mid, '团', { kind: 'bulks', ref_id: dead }))),
    ).toEqual([422, 'ref_not_on_sale'])
    const { id } = ok(await ask(hots.add, word(place.mid, '团', { kind: 'bulks', ref_id: live })))
    await database.db.update(product).set({ state: 'ended' }).where(eq(product.id, live!))
    expect(
      ok(await ask(hots.list, { mid: place.mid, city_id: 1 })).list.find(
        (row: { id: number }) => row.id === id,
      ),
    ).toMatchObject({ status: 'on', is_live: false, hide_reason: 'sale_ended' })
  })
  it('are copied where their target is sold, and told of elsewhere', async () => {
    const [here, there] = [await freshPlace(), await freshPlace()]
    const [offer] = await freshOffers(here, 1)
    const [also] = await freshOffers(there, 1)
    const bound = ok(
      await ask(
        hots.add,
        word(here.mid, '只在这', { kind: 'bulks', ref_id: offer, image: 'demo/dish-1.webp' }),
      ),
    )
    expect(ok(await ask(hots.list, { mid: here.mid, city_id: 1 })).list[0].image).toBe(
      'demo/dish-1.webp',
    )
    const refused = ok(await ask(hots.copy, { id: bound.id, copy_to_mids: [there.mid] }))
    expect([refused.ok, refused.failed[0].reason]).toEqual([[], 'ref_not_on_sale'])
    expect(refused.failed[0].msg).toContain(
      (await database.db.select().from(mall).where(eq(mall.id, there.mid)))[0]!.name,
    )
    await database.db.insert(product_store).values({ product_id: offer!, store_id: there.store.id })
    expect(ok(await ask(hots.edit, { id: bound.id, copy_to_mids: [there.mid] })).ok).toHaveLength(1)
    expect(also).toBeGreaterThan(0)
  })
  it('keep who clicked after they are gone, with phones as the role may see them', async () => {
    const { mid } = await freshPlace()
    const { id } = ok(await ask(hots.add, word(mid, '点击')))
    // The demo's clicks may name a number that is given out again.
    await database.db.execute(
      sql`delete from click_log where object_type = 'hot' and object_id = ${id}`,
    )
    for (const member_id of [1, 1, 2])
      await database.db.execute(
        sql`insert into click_log (member_id, device_id, object_type, object_id, entry, city_id, mall_id, at) values (${member_id}, ${`d${member_id}`}, 'hot', ${id}, 'home', 1, ${mid}, ${unixNow() - 60})`,
      )
    const said = ok(await ask(hots.userList, { id }))
    expect([said.pv, said.uv, said.total, said.list[0]]).toEqual([
      3,
      2,
      2,
      expect.objectContaining({
        member_id: 1,
        click_count: 2,
        phone_masked: expect.stringContaining('*'),
      }),
    ])
    expect(ok(await ask(hots.export, { id })).rows_expected).toBe(2)
    expect(ok(await ask(hots.del, { id })).deleted).toBe(true)
    expect(ok(await ask(hots.del, { id })).already).toBe(true)
    expect(
      (
        await database.db.execute<{ n: number }>(
          sql`select count(*)::int n from click_log where object_type = 'hot' and object_id = ${id}`,
        )
      ).rows[0]!.n,
    ).toBe(3)
    expect(await database.db.select().from(hot_item).where(eq(hot_item.id, id))).toEqual([])
  })
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
