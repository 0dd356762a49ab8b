import { beforeAll, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { batchServer } from '#src/modules/settle/server/batches.ts'
import { lineServer } from '#src/modules/settle/server/lines.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'
import { freezing, freshSale, type Sale } from '../../help/settle.ts'

const now = unixNow()
const all = { id: 1, scope: everything, lang: 'zh' as const, can: () => true, field: () => 'show' }
const ofMall = { ...all, scope: { cities: [], malls: [77], owners: [] } }
let database: Database
let sale: Sale
beforeAll(async () => {
  database = await openCopy()
  sale = await freshSale(database)
  await freezing(database, sale, [{}])
  await fill(
    database.pool,
    `insert into settle_line (order_id, item_id, unit_no, order_kind, merchant_id, store_id, mall_id, city_id, price_cents, commission_cents, fee_cents, merchant_cents, status, held, freeze_until_at)
     select order_id, item_id, 100000 + n, order_kind, merchant_id, store_id, n % 400, n % 300, 100, 0, 0, 100, case when n % 100 = 0 then 'freezing' else 'settled' end, n % 90 = 0, 1
     from settle_line, generate_series(1, 30000) n where merchant_id = ${sale.merchant.id}`,
  )
  await fill(
    database.pool,
    `insert into settle_batch (merchant_id, period_from, period_to, line_count, gross_cents, merchant_discount_cents, subsidy_cents, commission_cents, fee_cents, refund_deduct_cents, debt_deduct_cents, payable_cents, lines_hash, status, maker_id)
     select (select min(id) + n % 40 from merchant), '2026-01-01', '2026-01-07', 1, 0, 0, 0, 0, 0, 0, 0, 0, '', case when n % 200 = 0 then 'confirmed' else 'posted' end, 1 from generate_series(1, 20000) n`,
  )
  await database.pool.query(`update settle_line set batch_id = unit_no / 50 where unit_no > 100000`)
  await database.pool.query('vacuum analyze settle_line')
  await database.pool.query('vacuum analyze settle_batch')
}, 120_000)
type Lists = { lst: (input: never, context: never) => Promise<unknown> }
const scannedBy = async (
  { handlers }: { handlers: Lists },
  table: string,
  filters: Readonly<Record<string, object>>,
  staff: object = all,
) => {
  const scanned: string[] = []
  for (const [name, filter] of Object.entries(filters)) {
    const plans = await plansOf(database.pool, db =>
      handlers.lst({ page: 1, pageSize: 50, ...filter } as never, { db, staff, now } as never),
    )
    // States are counted over all that match: where nearly all do, that is no index's work.
    const asked = plans.filter(({ text }) => !text.includes('count('))
    if (seqScans(asked, table).length > 0) scanned.push(name)
  }
  return scanned
}
it('lines are found by an index, whatever they are filtered by', async () => {
  const filters = {
    none: {},
    status: { status: 'freezing' },
    held: { held: true },
    batch: { batch_id: 2100 },
    order: { order_no: sale.order.order_no },
  }
  expect(await scannedBy(lineServer, 'settle_line', filters)).toEqual([])
  expect(await scannedBy(lineServer, 'settle_line', { none: {} }, ofMall)).toEqual([])
})
it('batches are found by an index, whatever they are filtered by', async () => {
  const filters = {
    none: {},
    status: { status: 'confirmed' },
    reversing: { reversing: true },
    number: { keyword: 'JS2026010700000100' },
    name: { keyword: sale.merchant.name },
  }
  expect(await scannedBy(batchServer, 'settle_batch', filters)).toEqual([])
})
