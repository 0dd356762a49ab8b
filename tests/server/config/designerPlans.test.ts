import { expect, it } from 'vitest'
import { picksFor } from '#src/areas/scheme/choices.server.ts'
import { livePage } from '#src/areas/scheme/livePages.server.ts'
import { keyFrom } from '#src/areas/scheme/pageKey.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { everything } from '#src/server/call/scope.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'

it('what designers offer and pages show is served by an index on large tables', async () => {
  const database = await openCopy()
  await fill(
    database.pool,
    `insert into product (kind, title, merchant_id, store_ids, city_id, mall_id, brand_id, category_id, images, list_price_cents, price_cents, settle_price_cents, commission_bp, stock, held, sold, sale_start_at, sale_end_at, check_start_at, check_end_at, refund_policy, state, live_version, grams)
      select 'elist', '大表商品' || n, m.ids[1 + n % array_length(m.ids, 1)], '[]', 1 + n % 6, 0, b.ids[1 + n % array_length(b.ids, 1)], c.ids[1 + n % array_length(c.ids, 1)], '[]', 9900, 8800, 8000, 1000, 50, 0, n % 90, 0, 4000000000, 0, 4000000000, 'anytime', 'on_sale', 1, '{大}'
      from generate_series(1, 60000) n, (select array_agg(id) ids from merchant) m, (select array_agg(id) ids from brand) b, (select array_agg(id) ids from e_category where level = 3) c`,
  )
  await fill(
    database.pool,
    `insert into page_scheme (type, city_id, category_id, brand_id, name)
      select 'categoryBrand', 1, 2000000 + n % 200, n, '大表' from generate_series(1, 20000) n`,
  )
  await database.pool.query('analyze product, page_scheme')
  const { rows } = await database.pool.query<{ category_id: number; brand_id: number }>(
    `select category_id, brand_id from product where title = '大表商品7'`,
  )
  const { category_id, brand_id } = rows[0]!
  const key = { city_id: 2, category_id, brand_id }
  const now = unixNow()
  const staff = { id: 1, scope: everything, lang: 'zh' as const }
  const page = { page: 1, pageSize: 50 }
  const asked: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
    brands: db =>
      picksFor('brand').lst({ ...page, city_id: 0, category_id: 0 }, { db, staff, now } as never),
    channels: db => picksFor('categoryHome').lst({ ...page, ...key }, { db, staff, now } as never),
    designed: db =>
      picksFor('categoryBrand').lst({ ...page, ...key, designed: true }, {
        db,
        staff,
        now,
      } as never),
    goods: db =>
      picksFor('categoryBrand').goods({ ...page, ...key, keyword: '大表' }, {
        db,
        staff,
        now,
      } as never),
    channel: db => livePage(db, 'categoryHome', { ...key, brand_id: 0 }, now),
    brand: db => livePage(db, 'brand', keyFrom(['brand_id'], [brand_id]), now),
  }
  for (const [name, run] of Object.entries(asked)) {
    const plans = await plansOf(database.pool, run)
    expect(plans.length, name).toBeGreaterThan(0)
    expect([name, ...seqScans(plans, 'product'), ...seqScans(plans, 'page_scheme')]).toEqual([name])
  }
}, 60_000)
