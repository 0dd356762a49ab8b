import { beforeAll, expect, it } from 'vitest'
import { sql } from 'drizzle-orm'
import type { OrderKind, OrderStatus } from '#src/domain/order.ts'
import { unixNow } from '#src/domain/time.ts'
import { orderHandlers, type OrderFilters } from '#src/modules/order/server/shared.ts'
import { generateOrders } from '#src/server/demo/generate.ts'
import { everything } from '#src/server/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../bench/plans.ts'
import { onlyOn, openCopy } from '../farm.ts'
import { broken } from '../help/invariants.ts'

const DAY = 86_400
// A plan is a fact of the schema, a time is one of the machine: what the lists offer is served by an index however large the table grows.
onlyOn('postgres')('with many orders', () => {
  let database: Database
  let filters: Record<string, OrderFilters>
  beforeAll(async () => {
    database = await openCopy()
    await generateOrders(database, { orders: 30_000 })
    const [some] = (await database.db.execute<{ order_no: string; city_id: number; mall_id: number; store_id: number; merchant_id: number; created_at: string; phone: string; code: string; refund_no: string }>(sql`
      select o.order_no, o.city_id, o.mall_id, o.store_id, o.merchant_id, o.created_at, m.phone, c.code, r.refund_no from "order" o join member m on m.id = o.member_id join order_code c on c.order_id = o.id join refund r on r.order_id = o.id where o.kind = 'bulks' order by o.id desc limit 1`)).rows
    const at = Number(some!.created_at)
    filters = {
      none: {}, city: { city_id: some!.city_id }, mall: { mid: some!.mall_id }, store: { store_id: some!.store_id }, merchant: { merchant_id: some!.merchant_id }, period: { from: at - 30 * DAY, to: at }, expiring: { quick: 'expiring' }, refunding: { quick: 'refunding' }, frozen: { quick: 'frozen' },
      number: { q: some!.order_no }, phone: { q: some!.phone }, 'last four': { q: some!.phone.slice(-4) }, code: { q: some!.code }, refund: { q: some!.refund_no }, parcel: { q: 'SF1234567890123' }, 'a phone of none': { q: '13000000000' }, tag: { tag: '投诉' },
    }
  }, 240_000)
  const reader = (scope: typeof everything) => ({ id: 1, scope, lang: 'zh' as const })
  const readers = { everything: reader(everything), 'a city': reader({ cities: [1], malls: [], owners: [] }) }

  it('the grown data is as sound as the demo’s', async () => {
    expect(Number((await database.db.execute<{ n: string }>(sql`select count(*) n from "order"`)).rows[0]!.n)).toBe(30_000)
    expect(await broken(database)).toEqual({})
  }, 120_000)
  it('every filter and tab of a list is served by an index', async () => {
    const scanned: string[] = []
    const handlers = orderHandlers('bulks', ['bulks'] as readonly OrderKind[])
    for (const [who, staff] of Object.entries(readers)) for (const [name, filter] of Object.entries(filters)) for (const status of ['all', 'pending_use', 'refunding'] as ('all' | OrderStatus)[]) {
      const plans = await plansOf(database.pool, db => handlers.lst({ ...filter, status, page: 1, pageSize: 50 } as never, { db, staff, now: unixNow() } as never))
      expect(plans.length).toBeGreaterThan(0)
      if (seqScans(plans, 'order').length > 0) scanned.push(`${name}, ${status}, ${who}`)
    }
    expect(scanned).toEqual([])
  }, 120_000)
})
