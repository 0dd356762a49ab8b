import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { subsidy_plan } from '#src/areas/subsidy/subsidy.table.ts'
import { shownState } from '#src/areas/subsidy/subsidy.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
}, 120_000)
const rows = async (query: ReturnType<typeof sql>) => (await database.db.execute(query)).rows

it('the demo has plans of every state, and their counts are what their log says', async () => {
  const plans = await database.db.select().from(subsidy_plan)
  const states = new Set(plans.map(plan => shownState(plan, unixNow())))
  expect([...states].toSorted()).toEqual([
    'auditing',
    'draft',
    'enabled',
    'ended',
    'exhausted',
    'paused',
    'rejected',
    'scheduled',
  ])
  expect(
    await rows(sql`
      select p.id from subsidy_plan p left join subsidy_log l on l.plan_id = p.id group by p.id
      having coalesce(sum(l.amount_cents) filter (where l.kind in ('grant', 'reverse', 'clawback')), 0) <> p.used_cents
        or coalesce(sum(l.amount_cents) filter (where l.kind in ('lock', 'unlock')), 0) - coalesce(sum(l.amount_cents) filter (where l.kind = 'grant'), 0) <> p.locked_cents`),
  ).toEqual([])
})
it('what a plan used is what its account in the journal says', async () => {
  expect(
    await rows(sql`
      select p.id from subsidy_plan p left join ledger_account a on a.kind = 'subsidy_expense' and a.owner_kind = 'plan' and a.owner_id = p.id
      where p.used_cents <> coalesce(a.balance_cents, 0)`),
  ).toEqual([])
})
it('every grant and return has its transaction, with the same amount', async () => {
  expect(
    await rows(sql`
      select l.id from subsidy_log l left join ledger_txn t on t.id = l.txn_id
      where l.kind in ('grant', 'reverse') and coalesce(t.amount_cents, -1) <> abs(l.amount_cents)`),
  ).toEqual([])
})
