import { beforeAll, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { shippedServer } from '#src/modules/stores/server/goods.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})

it('every filter of the list is served by an index on a large table', async () => {
  await fill(
    database.pool,
    `insert into product (kind, title, merchant_id, store_ids, city_id, mall_id, category_id, images, list_price_cents, price_cents, settle_price_cents, commission_bp, stock, held, sale_start_at, sale_end_at, check_start_at, check_end_at, refund_policy, state, live_version, sort, grams)
      select 'elist', '大表商品' || n, m.ids[1 + n % array_length(m.ids, 1)], '[]', 1 + n % 6, n % 30, c.ids[1 + n % array_length(c.ids, 1)], '[]', 9900, 100 + n * 3, 80, 1000, n % 500, 0, 0, extract(epoch from now())::bigint + n * 60, 0, 0, 'anytime', (array['on_sale','on_sale','off_sale','ended'])[1 + n % 4], 1, n % 7, '{大,表,大表}'
      from generate_series(1, 60000) n, (select array_agg(id) ids from merchant) m, (select array_agg(id) ids from e_category) c`,
  )
  await database.pool.query('analyze product')
  const { rows } = await database.pool.query<{ category: number; store: number }>(
    `select max(category_id) category, (select max(store_id) from product_store) store from product where kind = 'elist'`,
  )
  const staff = { id: 1, scope: everything, lang: 'zh' as const }
  const scanned: string[] = []
  for (const filter of [
    {},
    { state: 'ended' as const },
    { city_id: 3 },
    { category_id: rows[0]!.category },
    { store_id: rows[0]!.store },
    { low_stock: true },
    { price: 'p50' as const },
    { price: 'more' as const },
    { keyword: '没有这件商品' },
    { keyword: '12345' },
  ]) {
    const plans = await plansOf(database.pool, db =>
      shippedServer.handlers.lst({ page: 1, pageSize: 50, ...filter }, {
        db,
        staff,
        now: unixNow(),
      } as never),
    )
    const pages = plans.filter(({ text }) => /order by[^]*limit/.test(text))
    expect(pages.length).toBeGreaterThan(0)
    if (seqScans(pages, 'product').length > 0) scanned.push(JSON.stringify(filter))
  }
  expect(scanned).toEqual([])
}, 60_000)
