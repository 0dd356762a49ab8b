import { beforeAll, describe, expect, it } from 'vitest'
import { lastPeriods } from '#src/areas/bdGmv/bdGmv.ts'
import { unixNow } from '#src/domain/time.ts'
import { bdGmvServer } from '#src/modules/shop/server/bdGmv.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
const now = unixNow()

describe('on a large table', () => {
  it('a month and a week are found by the moments of payment, refund and redemption', async () => {
    // Two years of orders: copies of some, each paid at a moment of its own.
    await database.pool.query(
      `insert into "order" select x.* from (select o rec, row_number() over (order by o.id) at from "order" o where o.kind = 'bulks' and o.paid_at is not null order by o.id limit 50) s, generate_series(1, 400) n, lateral jsonb_populate_record(s.rec, jsonb_build_object('id', 10000000 + s.at * 400 + n, 'order_no', 'PL' || s.at || '_' || n, 'paid_at', ${now} - (s.at * 400 + n) * 3000, 'created_at', ${now} - (s.at * 400 + n) * 3000)) x`,
    )
    await database.pool.query('analyze "order"')
    const staff = { id: 1, scope: everything, lang: 'zh' as const }
    const scanned: string[] = []
    for (const period of [lastPeriods('month', now)[1]!, lastPeriods('week', now)[1]!]) {
      const plans = await plansOf(database.pool, db =>
        bdGmvServer.handlers.lst({ page: 1, pageSize: 50, period }, { db, staff, now } as never),
      )
      if (seqScans(plans, 'order').length > 0) scanned.push(period)
    }
    expect(scanned).toEqual([])
  }, 60_000)
})
