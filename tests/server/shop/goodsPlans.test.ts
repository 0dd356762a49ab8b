import { beforeAll, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { goodsServer } from '#src/modules/shop/server/goods.ts'
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
    `insert into product (kind, title, merchant_id, store_ids, city_id, mall_id, category_id, images, list_price_cents, price_cents, settle_price_cents, commission_bp, stock, held, sale_start_at, sale_end_at, check_start_at, check_end_at, refund_policy, state, live_version, sort, group_need, grams)
      select 'bulks', '大表团购' || n, m.ids[1 + n % array_length(m.ids, 1)], '[]', 1 + n % 6, n % 30, c.ids[1 + n % array_length(c.ids, 1)], '[]', 9900, 8800, 8000, 1000, n % 50, 0, 0, extract(epoch from now())::bigint + n * 60, 0, extract(epoch from now())::bigint + n * 60, 'anytime', (array['on_sale','on_sale','off_sale','ended'])[1 + n % 4], 1, n % 7, case when n % 40 = 0 then 3 end, '{大,表,大表}'
      from generate_series(1, 60000) n, (select array_agg(id) ids from merchant) m, (select array_agg(id) ids from shop_category where level = 2) c`,
  )
  await database.pool.query('analyze product')
  const { rows } = await database.pool.query<{ category: number; store: number }>(
    'select max(category_id) category, (select max(store_id) from product_store) store from product',
  )
  const staff = { id: 1, scope: everything, lang: 'zh' as const }
  const scanned: string[] = []
  for (const filter of [
    {},
    { state: 'ended' as const },
    { city_id: 3 },
    { mid: 7 },
    { category_id: rows[0]!.category },
    { store_id: rows[0]!.store },
    { ending: true },
    { sold_out: true },
    { short_redeem: true },
    { group: true },
    { keyword: '没有这个团购' },
    { keyword: '12345' },
  ]) {
    const plans = await plansOf(database.pool, db =>
      goodsServer.handlers.lst({ page: 1, pageSize: 50, ...filter }, {
        db,
        staff,
        now: unixNow(),
      } as never),
    )
    // How many there are is counted up to a cap, and no further.
    const pages = plans.filter(({ text }) => /order by[^]*limit/.test(text))
    expect(pages.length).toBeGreaterThan(0)
    if (seqScans(pages, 'product').length > 0) scanned.push(JSON.stringify(filter))
  }
  expect(scanned).toEqual([])
}, 60_000)
