import { beforeAll, expect, it } from 'vitest'
import { dist_split_order } from '#src/areas/split/split.table.ts'
import { splitsWhere, type SplitFilters } from '#src/areas/split/splitRows.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { pageOf } from '#src/server/db/paging.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'

onlyOn('postgres')('on many splits, every tab and filter', () => {
  let database: Database
  const now = unixNow()
  beforeAll(async () => {
    database = await openCopy()
    // Rows of orders that are none: this database is the test's own.
    await database.pool.query(
      'alter table dist_split_order drop constraint dist_split_order_order_id_order_id_fk',
    )
    await fill(
      database.pool,
      `
      insert into dist_split_order (split_no, order_id, order_no, merchant_id, city_id, transaction_no, order_cents, splittable_cents, total_cents, deadline_at, status)
      select 'P' || n, -n, 'O' || n, (select min(id) from merchant), n % 40, 'T' || n, 100, 100, 100, ${now} - n * 60 + ${30 * DAY}, case when n % 100 = 0 then 'failed' when n % 250 = 1 then 'waiting' else 'finished' end
      from generate_series(1, 60000) n`,
    )
    await database.pool.query('analyze dist_split_order')
  }, 120_000)
  const more: readonly SplitFilters[] = [{}, { city_id: 3 }, { soon: true }, { keyword: 'P77' }]
  it.each(['open', 'waiting', 'failed', 'finished'] as const)(
    'of %s is served by an index',
    async status => {
      for (const of of more) {
        const plans = await plansOf(database.pool, db =>
          pageOf(db, dist_split_order, {
            where: splitsWhere({ status, ...of }, now),
            by: dist_split_order.deadline_at,
            down: status === 'finished',
            page: 1,
            pageSize: 50,
            reader: '1',
          }),
        )
        expect(plans.length).toBeGreaterThan(0)
        expect(seqScans(plans, 'dist_split_order'), JSON.stringify(of)).toEqual([])
      }
    },
  )
})
