import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'drizzle-orm'
import { unixNow } from '#src/domain/time.ts'
import type { OrderPage } from '#src/modules/order/contract/shared.ts'
import { orderHandlers } from '#src/modules/order/server/shared.ts'
import { generateOrders } from '#src/server/demo/generate.ts'
import { everything } from '#src/server/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { askedOfOrders, grows, orderLists } from '../bench/orders.ts'
import { plansOf, seqScans } from '../bench/plans.ts'
import { onlyOn, openCopy } from '../farm.ts'
import { broken } from '../help/invariants.ts'

// A plan is a fact of the schema, a time is one of the machine: what the lists offer is served by an index however large the table grows.
onlyOn('postgres')('with many orders', () => {
  let database: Database
  beforeAll(async () => {
    database = await openCopy()
    await generateOrders(database, { orders: 30_000 })
  }, 240_000)
  const reader = (scope: typeof everything) => ({ id: 1, scope, lang: 'zh' as const })
  const readers = { everything: reader(everything), 'a city': reader({ cities: [1], malls: [], owners: [] }) }

  it('the grown data is as sound as the demo’s', async () => {
    expect(Number((await database.db.execute<{ n: string }>(sql`select count(*) n from "order"`)).rows[0]!.n)).toBe(30_000)
    expect(await broken(database)).toEqual({})
  }, 120_000)
  describe.each(Object.entries(orderLists) as [OrderPage, (typeof orderLists)[OrderPage]][])('the list %s', (page, kind) => {
    it('is served by an index, whatever it is asked for', async () => {
      const scanned: string[] = []
      const { lst } = orderHandlers(page, [kind])
      for (const [who, staff] of Object.entries(readers)) for (const [name, filters] of Object.entries(await askedOfOrders(database.pool, page))) {
        const plans = await plansOf(database.pool, db => lst({ status: 'all', ...filters, page: 1, pageSize: 50 } as never, { db, staff, now: unixNow() } as never))
        expect(plans.length).toBeGreaterThan(0)
        for (const table of grows) if (seqScans(plans, table).length > 0) scanned.push(`${name}, ${who}: ${table}`)
      }
      expect(scanned).toEqual([])
    }, 120_000)
  })
})
