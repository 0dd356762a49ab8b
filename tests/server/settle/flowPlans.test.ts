import { beforeAll, expect, it } from 'vitest'
import { DAY, unixNow } from '#src/domain/time.ts'
import { flowServer } from '#src/modules/settle/server/flow.ts'
import { reconServer } from '#src/modules/settle/server/recon.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'

const TXNS = 50_000
const now = unixNow()
let database: Database
beforeAll(async () => {
  database = await openCopy()
  const { pool } = database
  await pool.query(
    `insert into ledger_account (id, kind, owner_kind, owner_id) select 1000000 + n, 'merchant_balance', 'merchant', 3000000 + n from generate_series(0, 499) n
     union all select 1000500 + n, 'merchant_debt', 'merchant', 3000000 + n from generate_series(0, 499) n`,
  )
  await fill(
    pool,
    `insert into ledger_txn (id, created_at, biz, biz_id, biz_no, idem_key, day, city_id, mall_id, amount_cents)
     select 10000000 + n, ${now} - n * 160, case when n % 100 = 0 then 'adjust' else 'settle' end, n, 'B' || n, 'plan:' || n, '2026-01-01', n % 50, n % 300, 100 + n % 20000 from generate_series(1, ${TXNS}) n`,
  )
  await fill(
    pool,
    `insert into ledger_entry (txn_id, account_id, at, amount_cents, balance_after_cents, order_id)
     select 10000000 + n, 1000000 + side * 500 + n % 500, ${now} - n * 160, 100 - 200 * side, 0, (select min(id) from "order") + n % 400 from generate_series(1, ${TXNS}) n, generate_series(0, 1) side`,
  )
  await fill(
    pool,
    `insert into recon_item (day, channel, kind, our_no, channel_no, our_cents, channel_cents, diff, status, at, owner_id)
     select to_char(date '2012-01-01' + n % 400, 'YYYY-MM-DD'), 'wechat', 'pay', 'P' || n, 'PC' || n, 1, 1, case when n % 500 = 0 then 'amount' else 'matched' end, case when n % 500 = 0 then 'open' else 'resolved' end, ${now}, case when n % 1000 = 0 then 1 end from generate_series(1, ${TXNS}) n`,
  )
  await pool.query('analyze')
}, 120_000)
const readers = {
  everything: { id: 1, scope: everything, lang: 'zh' as const, can: () => true },
  'a mall': {
    id: 2,
    scope: { cities: [], malls: [7], owners: [] },
    lang: 'zh' as const,
    can: () => true,
  },
}
const pageOf = (filter: object) => ({ page: 1, pageSize: 50, ...filter }) as never
const filters = {
  none: {},
  number: { no: 'B777' },
  'number of the channel': { channel_no: '4200001' },
  account: { account_id: 1_000_003 },
  owner: { owner_kind: 'merchant', owner_id: 3_000_009 },
  kind: { kind: 'merchant_debt' },
  business: { biz: 'adjust' },
  amount: { min_cents: 777, max_cents: 777 },
  day: { from: now - DAY, to: now },
}
const scanned = async (
  table: string,
  asked: Readonly<Record<string, object>>,
  run: (filter: object, context: never) => Promise<unknown>,
) => {
  const found: string[] = []
  for (const [who, staff] of Object.entries(readers))
    for (const [name, filter] of Object.entries(asked)) {
      const plans = await plansOf(database.pool, db => run(filter, { db, staff, now } as never))
      expect(plans.length).toBeGreaterThan(0)
      if (seqScans(plans, table).length > 0) found.push(`${name}, ${who}`)
    }
  return found
}

it('the journal is found by an index, whatever it is filtered by', async () => {
  for (const table of ['ledger_txn', 'ledger_entry'])
    expect([
      table,
      await scanned(table, filters, (filter, context) =>
        flowServer.handlers.lst(pageOf(filter), context),
      ),
    ]).toEqual([table, []])
}, 60_000)
it('sums of what a filter names are found by an index', async () => {
  const { none: _, kind: __, ...narrow } = filters
  for (const table of ['ledger_txn', 'ledger_entry'])
    expect([
      table,
      await scanned(table, narrow, (filter, context) =>
        flowServer.handlers.sums(filter as never, context),
      ),
    ]).toEqual([table, []])
}, 60_000)
it('a statement reads its account and its period alone, on any page', async () => {
  const { everything: all } = readers
  for (const page of [1, 2]) {
    const plans = await plansOf(database.pool, db =>
      flowServer.handlers.accountView(
        { account_id: 1_000_003, page, pageSize: 20, from: now - 60 * DAY, to: now } as never,
        { db, staff: all, now } as never,
      ),
    )
    expect(seqScans(plans, 'ledger_entry')).toEqual([])
    expect(seqScans(plans, 'ledger_txn')).toEqual([])
  }
})
it('items of bills are found by an index, by day, state, owner and number', async () => {
  const { everything: staff } = readers
  const found: string[] = []
  for (const [name, filter] of Object.entries({
    day: { day: '2012-03-04' },
    state: { status: 'open' },
    mine: { mine: true },
    number: { no: 'PC777' },
    'day and difference': { day: '2012-03-04', diff: 'amount' },
  })) {
    const plans = await plansOf(database.pool, db =>
      reconServer.handlers.items(pageOf(filter), { db, staff, now } as never),
    )
    expect(plans.length).toBeGreaterThan(0)
    if (seqScans(plans, 'recon_item').length > 0) found.push(name)
  }
  expect(found).toEqual([])
})
