import { beforeAll, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { commissionServer } from '#src/modules/distribution/server/settlementDetails.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'
import { freshSeller } from '../../help/sellers.ts'

const now = unixNow()
const all = { id: 1, scope: everything, lang: 'zh' as const, can: () => true, field: () => 'show' }
const ofMall = { ...all, scope: { cities: [], malls: [77], owners: [] } }
let database: Database
beforeAll(async () => {
  database = await openCopy()
  const { id } = await freshSeller(database)
  await fill(
    database.pool,
    `insert into dist_commission (distributor_id, product_id, city_id, mall_id, role, base_cents, rate_bp, amount_cents, reversed_cents, paid_at, settled_at, held, status)
     select case when n % 200 = 0 then ${id} else (select min(id) from distributor) end, n % 900, n % 300, n % 400, case when n % 100 = 0 then 'prize' else 'direct' end, 100, 100, 10, case when n % 90 = 0 then 1 else 0 end, ${now} - n * 60, ${now} - n * 60, n % 95 = 0, case when n % 100 = 0 then 'settleable' else 'settled' end
     from generate_series(1, 30000) n`,
  )
  await database.pool.query('vacuum analyze dist_commission')
}, 120_000)
it('commission is found by an index, whatever it is filtered by', async () => {
  const filters = {
    none: {},
    status: { status: 'settleable' },
    role: { role: 'prize' },
    seller: { distributor_id: 1 },
    name: { seller: '测试' },
    order: { order_no: 'X1' },
    product: { product_id: 5 },
    held: { held: true },
    cut: { cut: true },
    city: { city_id: 5 },
    mall: { mid: 7 },
    paid: { paid_from: now - 3600 },
    settled: { settled_from: now - 3600, settled_to: now },
  }
  const scanned: string[] = []
  for (const [name, filter] of Object.entries({ ...filters, scope: {} })) {
    const staff = name === 'scope' ? ofMall : all
    const plans = await plansOf(database.pool, db =>
      commissionServer.handlers.lst(
        { page: 1, pageSize: 50, ...filter } as never,
        { db, staff, now } as never,
      ),
    )
    // States are counted over all that match: where nearly all do, that is no index's work.
    const asked = plans.filter(({ text }) => !text.includes('count('))
    if (seqScans(asked, 'dist_commission').length > 0) scanned.push(name)
  }
  expect(scanned).toEqual([])
})
