import { beforeAll, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { filmRefundServer } from '#src/modules/film/server/refund.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'
import { anOwner, soldFilm } from '../../help/filmOrders.ts'

const now = unixNow()
const all = { id: 1, scope: everything, lang: 'zh' as const, can: () => true, field: () => 'show' }
const ofMall = { ...all, scope: { cities: [], malls: [77], owners: [] } }
let database: Database
beforeAll(async () => {
  database = await openCopy()
  const row = await soldFilm(database, { owner: await anOwner(database) })
  await fill(
    database.pool,
    `with made as (
       insert into refund (refund_no, order_id, order_kind, city_id, mall_id, merchant_id, type, source, cause, reason, amount_cents, cap_cents, state, deadline_at, created_at)
       select 'RFP' || n, ${row.id}, case when n % 3 <> 0 then 'film' else 'elist' end, n % 300, n % 400, ${row.merchant_id}, 'refund_only', 'member', 'apply', '', 100, 100, case when n % 700 = 1 then 'applied' when n % 701 = 1 then 'pay_failed' else 'done' end, ${now} + n, ${now} - n * 60
       from generate_series(1, 60000) n returning id, city_id, mall_id, created_at, order_kind)
     insert into film_refund (refund_id, order_id, city_id, mall_id, kind, show_at, assignee_id, provider_state, created_at)
     select id, ${row.id}, city_id, mall_id, case when id % 90 = 0 then 'complaint' else 'user' end, created_at + 7200, case when id % 100 = 0 then 1 end, case when id % 900 = 0 then 'returning' when id % 200 = 1 then 'refused' else 'none' end, created_at
     from made where order_kind = 'film'`,
  )
  await database.pool.query('vacuum analyze refund')
  await database.pool.query('vacuum analyze film_refund')
}, 120_000)
it('film refunds are found by an index, whatever they are filtered by', async () => {
  const filters = {
    open: { state: 'open' },
    applied: { state: 'applied' },
    returning: { state: 'returning' },
    failed: { state: 'pay_failed' },
    done: { state: 'done' },
    kind: { state: 'open', kind: 'complaint' },
    city: { state: 'open', city_id: 5 },
    mall: { state: 'open', mall_id: 7 },
    assignee: { state: 'open', assignee_id: 1 },
    keyword: { state: 'done', keyword: 'RFP300' },
  }
  const scanned: string[] = []
  for (const [name, filter] of Object.entries({ ...filters, scope: { state: 'open' } })) {
    const staff = name === 'scope' ? ofMall : all
    const plans = await plansOf(database.pool, db =>
      filmRefundServer.handlers.lst(
        { page: 1, pageSize: 50, ...filter } as never,
        { db, staff, now } as never,
      ),
    )
    const asked = plans.filter(({ text }) => !text.includes('count('))
    if (seqScans(asked, 'film_refund').length + seqScans(asked, 'refund').length > 0)
      scanned.push(name)
  }
  expect(scanned).toEqual([])
})
