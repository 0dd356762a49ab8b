import { beforeAll, describe, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { storesServer } from '#src/modules/shop/server/stores.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
const now = unixNow()

describe('on a large table', () => {
  it('every filter of the list is served by an index', async () => {
    await fill(
      database.pool,
      `insert into store (store_no, kind, merchant_id, category_id, name, city_id, mall_id, floor_id, door_no, address, phone, open_hours, avg_price_cents, status, is_recommend, lng_e6, lat_e6, brand_id, logo)
        select 'G' || n, 'offline', m.ids[1 + n % array_length(m.ids, 1)], c.ids[1 + n % array_length(c.ids, 1)], '大表门店' || n, 1 + n % 6, n % 30, case when n % 30 > 0 then f.ids[1 + n % array_length(f.ids, 1)] end, n::text, '测试路', case when n % 60 > 0 then '021-55550000' else '' end, '10:00-22:00', 5000, (array['open','open','open','open','resting','draft','auditing','closed'])[1 + n % 8], n % 90 = 0, 1, 1, 1, 'x'
        from generate_series(1, 60000) n, (select array_agg(id) ids from merchant) m, (select array_agg(id) ids from shop_category where level = 2) c, (select array_agg(id) ids from mall_floor) f`,
    )
    await database.pool.query('analyze store')
    const { rows } = await database.pool.query<{ id: number; floor: number; category: number }>(
      'select max(merchant_id) id, max(floor_id) floor, max(category_id) category from store',
    )
    const staff = { id: 1, scope: everything, lang: 'zh' as const }
    const scanned: string[] = []
    for (const filter of [
      { status: 'resting' as const },
      { city_id: 3 },
      { mid: 7 },
      { mid: 0 },
      { mid: 7, floor_id: rows[0]!.floor },
      { category_id: rows[0]!.category },
      { merchant_id: rows[0]!.id },
      { recommended: true },
      { no_deals: true },
      { problem: true },
      { keyword: 'S200001' },
    ]) {
      const plans = await plansOf(database.pool, db =>
        storesServer.handlers.lst({ page: 1, pageSize: 50, ...filter }, {
          db,
          staff,
          now,
        } as never),
      )
      const pages = plans.filter(({ text }) => text.includes('limit'))
      expect(pages.length).toBeGreaterThan(0)
      if (seqScans(pages, 'store').length > 0) scanned.push(JSON.stringify(filter))
    }
    expect(scanned).toEqual([])
  }, 60_000)
  it('what an import names is looked up by indexes, many lines at once', async () => {
    const { rows } = await database.pool.query<{ merchant_id: number; name: string }>(
      "select merchant_id, name from store where store_no like 'G%' order by id limit 10",
    )
    const lines = rows.map(({ merchant_id, name }, at) => {
      const cells = [
        String(merchant_id),
        name,
        '没有的分类',
        '',
        '',
        '',
        '测试路',
        '',
        '',
        '',
        '',
        '',
      ]
      return { row: at + 2, cells, version: null }
    })
    const staff = { id: 1, scope: everything, lang: 'zh' as const }
    const plans = await plansOf(database.pool, db =>
      storesServer.handlers.import({ lines } as never, { tx: db, staff, now } as never),
    )
    expect(plans.length).toBeGreaterThan(3)
    expect(seqScans(plans, 'store')).toEqual([])
  })
})
