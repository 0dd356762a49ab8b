import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CouponTerms } from '#src/areas/coupon/coupon.ts'
import { fittingTrial } from '#src/areas/coupon/couponTrial.server.ts'
import { groupStates } from '#src/areas/group/rollGroup.ts'
import { generateOrders } from '#src/areas/order/generate.demo.ts'
import { COUNT_MAX } from '#src/domain/count.ts'
import { unixNow } from '#src/domain/time.ts'
import { groupQuicks } from '#src/modules/order/contract/rollBuy.ts'
import type { OrderPage } from '#src/modules/order/contract/shared.ts'
import { rollBuyServer } from '#src/modules/order/server/rollBuy.ts'
import { orderHandlers } from '#src/modules/order/server/shared.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { askedOfOrders, grows, orderLists } from '../bench/orders.ts'
import { plansOf, seqScans } from '../bench/plans.ts'
import { onlyOn, openCopy } from '../farm.ts'
import { fill } from '../help/fill.ts'
import { brokenOrders } from '../help/invariants.ts'

/** A coupon that nothing fits: every order is looked at that may be. */
const tried: CouponTerms = {
  name: '试算券',
  kind: 'full_reduce',
  face_cents: 10_00,
  discount_bp: null,
  cap_cents: null,
  threshold_cents: 1_000_000_00,
  scope: 'local',
  apply_kind: 'all',
  apply_ids: [],
  exclude_ids: [],
  city_ids: [],
  weekdays: [],
  platform_share_bp: 10_000,
  merchant_share_bp: 0,
  stackable: false,
}
// A plan is a fact of the schema, a time is one of the machine: what the lists offer is served by
// an index however large the table grows.
onlyOn('postgres')('with many orders', () => {
  let database: Database
  let indexes: string[]
  const indexesNow = async () =>
    (
      await database.db.execute<{ indexdef: string }>(
        sql`select indexdef from pg_indexes where schemaname = 'public' order by indexdef`,
      )
    ).rows.map(row => row.indexdef)
  beforeAll(async () => {
    database = await openCopy()
    indexes = await indexesNow()
    await generateOrders(database, { orders: 30_000 })
  }, 240_000)
  const reader = (scope: typeof everything) => ({ id: 1, scope, lang: 'zh' as const })
  const readers = {
    everything: reader(everything),
    'a city': reader({ cities: [1], malls: [], owners: [] }),
  }

  it('the grown data is as sound as the demo’s', async () => {
    expect(
      Number(
        (await database.db.execute<{ n: string }>(sql`select count(*) n from "order"`)).rows[0]!.n,
      ),
    ).toBe(30_000)
    // Rows that are grown by SQL are as those of before the journal: nobody has booked them.
    expect(await brokenOrders(database)).toEqual({})
  }, 120_000)
  it('holds the stock of what is not paid yet', async () => {
    const { rows } = await database.db.execute(
      sql`select p.id from product p join (select i.product_id, sum(i.qty) n from order_item i join "order" o on o.id = i.order_id where o.pay_state = 'unpaid' and i.sku_id is null and i.store_stock_id is null and i.points_goods_id is null group by 1) s on s.product_id = p.id where p.held < s.n`,
    )
    expect(rows).toEqual([])
  })
  it('growing leaves every index as it was', async () => {
    expect(indexes.length).toBeGreaterThan(400)
    expect(await indexesNow()).toEqual(indexes)
  })
  describe.each(Object.entries(orderLists) as [OrderPage, (typeof orderLists)[OrderPage]][])(
    'the list %s',
    (page, kind) => {
      it('is served by an index, whatever it is asked for', async () => {
        const scanned: string[] = []
        const { lst } = orderHandlers(page, [kind])
        for (const [who, staff] of Object.entries(readers))
          for (const [name, filters] of Object.entries(await askedOfOrders(database.pool, page))) {
            const plans = await plansOf(database.pool, db =>
              lst(
                { status: 'all', ...filters, page: 1, pageSize: 50 } as never,
                { db, staff, now: unixNow() } as never,
              ),
            )
            expect(plans.length).toBeGreaterThan(0)
            for (const table of grows)
              if (seqScans(plans, table).length > 0) scanned.push(`${name}, ${who}: ${table}`)
          }
        expect(scanned).toEqual([])
      }, 120_000)
    },
  )
  it('what coupons of a batch are tried on is served by an index, whatever they are for', async () => {
    const {
      rows: [some],
    } = await database.db.execute<Record<'product' | 'store' | 'mall' | 'shop', number>>(
      sql`select i.product_id product, o.store_id store, o.mall_id mall, o.merchant_id shop from "order" o join order_item i on i.order_id = o.id where o.kind = 'elist' and i.product_id is not null order by o.id limit 1`,
    )
    const scanned: string[] = []
    const kinds = ['all', 'product', 'store', 'mall', 'shop', 'category'] as const
    const asked = Object.entries(readers).flatMap(([who, staff]) =>
      (['local', 'ecom'] as const).flatMap(scope =>
        kinds.map(apply_kind => ({ who, staff, scope, apply_kind })),
      ),
    )
    for (const { who, staff, ...one } of asked) {
      const { apply_kind } = one
      const apply_ids = apply_kind === 'all' ? [] : [some![apply_kind as 'product'] ?? 1]
      const plans = await plansOf(database.pool, db =>
        fittingTrial(db, staff, { ...tried, ...one, apply_ids }),
      )
      expect(plans.length).toBeGreaterThan(0)
      for (const table of ['order', 'order_item'])
        if (seqScans(plans, table).length > 0) scanned.push(`${who}, ${apply_kind}: ${table}`)
    }
    expect(scanned).toEqual([])
  }, 120_000)
  describe('the list of groups', () => {
    const groups = 60_000
    beforeAll(async () => {
      // Groups of years: what ended long ago has no orders here, what still forms stays as few.
      await fill(
        database.pool,
        `
        with g as materialized (select *, row_number() over (order by id) at, count(*) over () all_n from roll_group)
        insert into roll_group (id, group_no, product_id, city_id, mall_id, need_n, group_price_cents, single_price_cents, expire_at, state, end_by, ended_at, created_at, updated_at)
        select 1000000 + n, 'PT' || (g.created_at - n * 997 - 86400) || n, g.product_id, g.city_id, g.mall_id, g.need_n, g.group_price_cents, g.single_price_cents, g.created_at - n * 997, case when n % 7 = 0 then 'failed' else 'success' end, case when n % 7 = 0 then 'timeout' else 'full' end, g.created_at - n * 997, g.created_at - n * 997 - 86400, g.created_at - n * 997
        from generate_series(1, ${groups}::int) n join g on g.at = 1 + n % g.all_n`,
      )
      await database.pool.query('vacuum analyze')
    }, 120_000)
    it('is served by an index, whatever it is asked for', async () => {
      const {
        rows: [some],
      } = await database.db.execute<{
        group_no: string
        city_id: number
        order_no: string
        phone: string
        store: string
      }>(
        sql`select g.group_no, g.city_id, o.order_no, m.phone, s.name store from roll_group g join "order" o on o.roll_group_id = g.id join member m on m.id = o.member_id join store s on s.id = o.store_id order by o.id limit 1`,
      )
      // Words of what has the most groups, and the fewest: by the day the first one is either.
      const { rows: sold } = await database.db.execute<{ title: string }>(
        sql`select p.title from roll_group g join product p on p.id = g.product_id group by p.id order by count(*) desc`,
      )
      const states = ['all', ...Object.keys(groupStates)] as const
      const asked: Record<string, object> = {
        'no filter': {},
        'a city': { city_id: some!.city_id },
        'its number': { q: some!.group_no },
        'an order': { q: some!.order_no },
        'a phone': { q: some!.phone },
        'four digits': { q: some!.phone.slice(-4) },
        'words of the most': { q: sold[0]!.title.slice(-4) },
        'words of the fewest': { q: sold.at(-1)!.title.slice(-4) },
        'a whole title': { q: sold[0]!.title },
        'a store': { q: some!.store },
        'words of none': { q: '绝无此物' },
        ...Object.fromEntries(
          Object.keys(groupQuicks).flatMap(quick => [
            [`quick ${quick}`, { quick }],
            [`a city, quick ${quick}`, { quick, city_id: some!.city_id }],
          ]),
        ),
      }
      const scanned: string[] = []
      for (const [who, staff] of Object.entries({
        everything: readers.everything,
        'its city': reader({ cities: [some!.city_id], malls: [], owners: [] }),
      }))
        for (const [name, filters] of Object.entries(asked)) {
          const context = { db: database.db, staff, now: unixNow() }
          for (const state of states)
            for (const page of [1, 20]) {
              const plans = await plansOf(database.pool, db =>
                rollBuyServer.handlers.groups(
                  { state, ...filters, page, pageSize: 50 } as never,
                  { ...context, db } as never,
                ),
              )
              expect(plans.length).toBeGreaterThan(0)
              if (seqScans(plans, 'roll_group').length > 0 || seqScans(plans, 'order').length > 0)
                scanned.push(`${state}, ${name}, ${who}, page ${page}`)
            }
          const plans = await plansOf(database.pool, db =>
            rollBuyServer.handlers.groupCounts(
              { state: 'all', ...filters } as never,
              { ...context, db } as never,
            ),
          )
          if (seqScans(plans, 'roll_group').length > 0) scanned.push(`counts, ${name}, ${who}`)
        }
      expect(scanned).toEqual([])
    }, 240_000)
    it('finds as many groups by a product’s words as there are', async () => {
      // One title may stand within another’s: its words find both.
      const {
        rows: [most],
      } = await database.db.execute<{ title: string; n: number }>(sql`
        with sold as (select p.title, count(*)::int n from roll_group g join product p on p.id = g.product_id group by p.title)
        select a.title, sum(b.n)::int n from sold a join sold b on position(a.title in b.title) > 0 group by a.title having sum(b.n) between 1001 and ${COUNT_MAX} order by n desc limit 1`)
      const found = await rollBuyServer.handlers.groups(
        { state: 'all', q: most!.title, page: 1, pageSize: 50 } as never,
        { db: database.db, staff: readers.everything, now: unixNow() } as never,
      )
      expect(found.total).toBe(most!.n)
    })
  })
})
