import { beforeAll, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { cardsServer } from '#src/modules/ecard/server/list.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'

const now = unixNow()
const staff = { id: 1, scope: everything, lang: 'zh' as const, can: () => true }
let database: Database
beforeAll(async () => {
  database = await openCopy()
  await fill(
    database.pool,
    `insert into ecard (name, type, merchant_id, store_id, city_id, mall_id, source, valid_type, scope, limits, refund_rule, state, sort, stock_alert, recommended)
     select '卡' || n, case when n % 100 = 0 then 'topup' else 'stored' end, (select merchant_id from store where id = 1), 1, 1, n % 300, case when n % 50 = 0 then 'import' else 'generate' end, 'none', '{"mall_ids": [], "store_ids": [1], "category_ids": []}', '{"order": null, "day": null, "person": null}', 'unused', case when n % 60 = 0 then 'draft' else 'on' end, n, 5, n % 80 = 0 from generate_series(1, 20000) n`,
  )
  await database.pool.query(
    `insert into ecard_attr (card_id, face_cents, price_cents, status) select id, 10000, 9000, 'on' from ecard where name like '卡%'`,
  )
  await database.pool.query('analyze')
}, 120_000)
const scannedBy = async (table: string, filters: Readonly<Record<string, object>>) => {
  const scanned: string[] = []
  for (const [name, filter] of Object.entries(filters)) {
    const plans = await plansOf(database.pool, db =>
      cardsServer.handlers.lst(
        { page: 1, pageSize: 50, ...filter } as never,
        {
          db,
          staff,
          now,
        } as never,
      ),
    )
    // States are counted over all that match: where nearly all do, that is no index's work.
    const asked = plans.filter(({ text }) => !text.includes('count(') && !text.includes('sum('))
    if (seqScans(asked, table).length > 0) scanned.push(name)
  }
  return scanned
}
it('cards are found by an index, whatever they are filtered by', async () => {
  const filters = {
    none: {},
    status: { status: 'draft' },
    type: { type: 'topup' },
    mall: { mid: 7 },
    low: { low: true },
    recommended: { recommended: true },
  }
  expect(await scannedBy('ecard', filters)).toEqual([])
  expect(await scannedBy('ecard_attr', filters)).toEqual([])
}, 60_000)
