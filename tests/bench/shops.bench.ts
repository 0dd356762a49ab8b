// The lists of stores, online shops and their goods at 200,000 stores and 1,000,000 products, over
// HTTP on PostgreSQL, by each filter; and the check for duplicates while a name is typed.
// `BENCH_PART=100` is a hundredth of them.
import { eq } from 'drizzle-orm'
import type pg from 'pg'
import { admin } from '#src/areas/people/people.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { goods as groupBuys } from '#src/modules/shop/contract/goods.ts'
import { storeAdd } from '#src/modules/shop/contract/storeAdd.ts'
import { stores } from '#src/modules/shop/contract/stores.ts'
import { goods as shipped } from '#src/modules/stores/contract/goods.ts'
import { shops } from '#src/modules/stores/contract/stores.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { openSession, usualLimits } from '#src/server/sessions/sessions.ts'
import { multiply } from './multiply.ts'
import { benchPostgres } from './postgres.ts'
import { asker, serveBuilt } from './server.ts'
import { atMost, bench, median, quantile, told } from './table.ts'

const PART = Number(process.env.BENCH_PART ?? 1)
const STORES = 200_000 / PART
const PRODUCTS = 1_000_000 / PART
const LIST_P95_MS = 200
const TYPED_P95_MS = 50
const TIMES = 20

/** Grows what the demo has: stores where others stand, products at the stores that sell their like. */
const grow = async (client: pg.PoolClient): Promise<void> => {
  await client.query('set statement_timeout = 0')
  await multiply(client, 'store', {
    n: STORES,
    where: `x.shop_type is distinct from 'self_run'`,
    made: {
      store_no: `x.store_no || '-' || g`,
      name: `left(x.name, 20) || g`,
      lng_e6: `x.lng_e6 + (g * 137) % 200000`,
      lat_e6: `x.lat_e6 + (g * 211) % 200000`,
    },
  })
  // A product that is copied stands at a copy of its store, so that no store has thousands.
  await client.query(
    `create temp table twin as select x.id of, split_part(s.store_no, '-', 2)::int n, s.id from store x join store s on split_part(s.store_no, '-', 1) = x.store_no and s.id <> x.id`,
  )
  await client.query('create index on twin (of, n)')
  await client.query('analyze twin')
  await client.query(
    'create temp table first as select (select max(id) from product) id, (select max(n) from twin) copies',
  )
  await multiply(client, 'product', {
    n: PRODUCTS,
    made: {
      title: `x.title || ' ' || g`,
      store_ids: `coalesce((select jsonb_build_array(t.id) from twin t where t.of = (x.store_ids->>0)::int and t.n = 1 + (g * 31 + x.id) % (select copies from first)), x.store_ids)`,
    },
  })
  await client.query(
    `insert into product_store (product_id, store_id) select p.id, (p.store_ids->>0)::int from product p where p.id > (select id from first) and jsonb_array_length(p.store_ids) > 0`,
  )
  await client.query('vacuum analyze')
}
type Filters = Record<string, Record<string, unknown>>
/** A value that exists for each filter that lists of a kind offer. */
const filtersOf = async (client: pg.PoolClient): Promise<Record<string, Filters>> => {
  const one = async (query: string) =>
    (await client.query<Record<string, number>>(query)).rows[0] ?? {}
  const store = await one(
    `select city_id, mall_id mid, category_id, merchant_id, floor_id from store where kind = 'offline' and mall_id > 0 and floor_id is not null order by id limit 1`,
  )
  const shop = await one(
    `select city_id, category_id, merchant_id from store where kind = 'online' order by id limit 1`,
  )
  const deal = await one(
    `select city_id, category_id, (store_ids->>0)::int store_id from product where kind = 'bulks' and state = 'on_sale' order by id limit 1`,
  )
  const item = await one(
    `select city_id, category_id, (store_ids->>0)::int store_id from product where kind = 'elist' and state = 'on_sale' order by id limit 1`,
  )
  const each = (of: object, more: Filters): Filters => ({
    'nothing asked': {},
    ...Object.fromEntries(Object.entries(of).map(([key, value]) => [key, { [key]: value }])),
    ...more,
  })
  return {
    stores: each(store, {
      keyword: { keyword: '咖啡' },
      open: { status: 'open' },
      recommended: { recommended: true },
      no_deals: { no_deals: true },
      problem: { problem: true },
    }),
    shops: each(shop, { open: { status: 'open' }, no_goods: { no_goods: true } }),
    deals: each(deal, {
      keyword: { keyword: '双人' },
      on_sale: { state: 'on_sale' },
      group: { group: true },
      ending: { ending: true },
      short_redeem: { short_redeem: true },
      sold_out: { sold_out: true },
    }),
    shipped: each(item, {
      keyword: { keyword: '礼盒' },
      on_sale: { state: 'on_sale' },
      low_stock: { low_stock: true },
    }),
  }
}
const lists: Record<string, Call> = {
  stores: stores.lst as Call,
  shops: shops.lst as Call,
  deals: groupBuys.lst as Call,
  shipped: shipped.lst as Call,
}

await bench(`${STORES.toLocaleString('en')} stores, ${PRODUCTS.toLocaleString('en')} products`, async note => {
  const postgres = await benchPostgres()
  const url = postgres.url('postgres')
  const database = await openDatabase({ url })
  await migrate(database)
  await seedDemo(database.db, { seed: 7, scale: 0.1 })
  const client = await database.pool.connect()
  await grow(client)
  const asked = await filtersOf(client)
  client.release()
  const [person] = await database.db
    .select({ id: admin.id })
    .from(admin)
    .where(eq(admin.account, 'admin'))
  const { token } = await openSession(
    database.db,
    { admin_id: person!.id, region: 'pro', ip: '10.0.0.1', ua: 'bench', now: unixNow() },
    usualLimits,
  )
  const served = await serveBuilt(undefined, undefined, { url })
  const ask = asker(served.address, token)
  const series = async (call: Call, query: object) => {
    const times: number[] = []
    for (let at = 0; at < TIMES + 3; at++) {
      const { ms } = await ask(call, query)
      if (at >= 3) times.push(ms)
    }
    return { p50: median(times), p95: quantile(times, 0.95) }
  }
  for (const [name, call] of Object.entries(lists))
    for (const [what, filter] of Object.entries(asked[name]!)) {
      const { p50, p95 } = await series(call, { ...filter, page: 1, pageSize: 50 })
      note(
        atMost(`${name}, ${what}: p95`, p95, LIST_P95_MS, 'ms'),
        told(`${name}, ${what}: p50`, p50, 'ms'),
      )
    }
  const typed = await series(storeAdd.checkDuplicate as Call, {
    city_id: asked['stores']!['city_id']!['city_id'],
    name: '星巴克咖啡',
  })
  note(atMost('alike names while one types: p95', typed.p95, TYPED_P95_MS, 'ms'))
  await served.close()
  await database.close()
  await postgres.stop()
})
