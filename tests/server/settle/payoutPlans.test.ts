import { beforeAll, expect, it } from 'vitest'
import { chargesWhere } from '#src/areas/fund/chargeRows.server.ts'
import { fund_charge } from '#src/areas/fund/fund.table.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { withdrawalsWhere } from '#src/areas/payout/withdrawalRows.server.ts'
import type { Database } from '#src/server/db/database.ts'
import { pageOf } from '#src/server/db/paging.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'

// A file of its own, for it needs large tables.
onlyOn('postgres')('on large tables, every filter', () => {
  let database: Database
  beforeAll(async () => {
    database = await openCopy()
    await fill(
      database.pool,
      `
      insert into withdrawal (no, owner_kind, owner_id, city_id, amount_cents, net_cents, channel, payee_name, payee_no, status, applied_at, risk_flags, channel_no)
      select 'P' || n, case when n % 50 = 0 then 'member' else 'merchant' end, n % 900, n % 40, 10000, 10000, case when n % 60 = 0 then 'alipay' else 'bank' end, 'payee' || n, n, case when n % 200 = 0 then 'pending' else 'paid' end, 1700000000 + n * 60, case when n % 500 = 0 then '["night"]'::jsonb else '[]'::jsonb end, 'C' || n
      from generate_series(1, 60000) n`,
    )
    await fill(
      database.pool,
      `
      insert into fund_charge (no, direction, kind, owner_kind, owner_id, city_id, amount_cents, debt_cents, channel, bank, bank_flow_no, status, created_at)
      select 'P' || n, 'in', case when n % 100 = 0 then 'deposit' else 'recharge' end, case when n % 70 = 0 then 'mall' else 'merchant' end, n % 900, n % 40, 10000, case when n % 300 = 0 then 5 else 0 end, 'bank', 'b', 'F' || n, case when n % 200 = 0 then 'pending' else 'rejected' end, 1700000000 + n * 60
      from generate_series(1, 60000) n`,
    )
    await database.pool.query('analyze withdrawal')
    await database.pool.query('analyze fund_charge')
  }, 120_000)

  it.each([
    { status: 'pending' as const },
    { status: 'paid' as const },
    { status: 'pending' as const, flagged: true },
    { status: 'paid' as const, owner_kind: 'member' as const },
    { status: 'paid' as const, channel: 'alipay' as const },
    { status: 'paid' as const, city_id: 7 },
    { status: 'paid' as const, keyword: 'P77' },
    { status: 'paid' as const, keyword: 'payee777' },
  ])('of withdrawals is served by an index: %j', async filters => {
    const plans = await plansOf(database.pool, db =>
      pageOf(db, withdrawal, {
        where: withdrawalsWhere(filters),
        by: withdrawal.applied_at,
        page: 1,
        pageSize: 50,
        reader: `plans ${JSON.stringify(filters)}`,
      }),
    )
    expect(plans.length).toBeGreaterThan(0)
    expect(seqScans(plans, 'withdrawal')).toEqual([])
  })
  it.each([
    {},
    { status: 'pending' as const },
    { kind: 'deposit' as const },
    { owner_kind: 'mall' as const },
    { city_id: 7 },
    { owing: true },
    { keyword: 'F77' },
  ])('of charges is served by an index: %j', async filters => {
    const plans = await plansOf(database.pool, db =>
      pageOf(db, fund_charge, {
        where: chargesWhere(filters),
        by: fund_charge.created_at,
        down: true,
        page: 1,
        pageSize: 50,
        reader: `plans ${JSON.stringify(filters)}`,
      }),
    )
    expect(plans.length).toBeGreaterThan(0)
    expect(seqScans(plans, 'fund_charge')).toEqual([])
  })
})
