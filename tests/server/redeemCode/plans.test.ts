import { beforeAll, expect, it } from 'vitest'
import { codesFound } from '#src/areas/redeemCode/redeem.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { batchesServer } from '#src/modules/redeemCode/server/batches.ts'
import { redeemServer } from '#src/modules/redeemCode/server/redeem.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'

const ROWS = 60_000
const now = unixNow()
let database: Database
beforeAll(async () => {
  database = await openCopy()
  const { pool } = database
  await fill(
    pool,
    `insert into code_batch (name, partner, code_kind, alphabet, length, prefix, quantity, start_at, end_at, bearer, budget_cents, status, created_by)
     select '批次' || n, '伙伴' || n % 500, 'once', 'mixed', 18, 'Z' || n, 100, ${now} - 864000, ${now} + n * 600, 'platform', 0, case when n % 50 = 0 then 'paused' else 'ended' end, 1 from generate_series(1, 20000) n`,
  )
  await fill(
    pool,
    `insert into redeem_code (batch_id, run_no, seq, code_hash, code_sealed, tail) select (select max(id) from code_batch), 1, n, md5(n::text), 'x', 'AAAA' from generate_series(1, ${ROWS}) n`,
  )
  await fill(
    pool,
    `insert into redeem_log (code_id, batch_id, member_id, phone, input_tail, result, channel, device_id, ip, created_at)
     select null, (select min(id) from code_batch) + n % 400, 1 + n % 20, '139' || lpad((n % 5000)::text, 8, '0'), substr(md5(n::text), 1, 4), case when n % 40 = 0 then 'unknown' else 'used' end, 'mini', 'd' || n, '10.0.0.1', ${now} - n * 200 from generate_series(1, ${ROWS}) n`,
  )
  await fill(
    pool,
    `insert into redeem_log (code_id, batch_id, member_id, input_tail, result, channel, granted, handed_at, created_at)
     select id, batch_id, 1 + seq % 20, 'AAAA', 'ok', 'desk', '{"coupons":[],"points":0,"points_no":null,"goods":"保温杯","cost_cents":1}', case when seq % 20 = 0 then ${now} end, ${now} - seq * 100 from redeem_code where tail = 'AAAA' and seq <= 2000`,
  )
  await pool.query('vacuum analyze code_batch')
  await pool.query('analyze')
}, 120_000)
const staff = { id: 1, scope: everything, lang: 'zh' as const, can: () => true }
const scannedBy = async (
  table: string,
  filters: Readonly<Record<string, object>>,
  run: (filter: object, db: Database['db']) => Promise<unknown>,
) => {
  const scanned: string[] = []
  for (const [name, filter] of Object.entries(filters)) {
    const plans = await plansOf(database.pool, db => run(filter, db))
    expect(plans.length).toBeGreaterThan(0)
    // The number of rows is counted up to a bound: where nearly all match, that is no index's work.
    const asked = wide.has(name) ? plans.filter(({ text }) => !text.includes('count(')) : plans
    if (seqScans(asked, table).length > 0) scanned.push(name)
  }
  return scanned
}
const wide = new Set(['none', 'folded', 'no_prize'])
const pageOf = (filter: object) => ({ page: 1, pageSize: 50, ...filter }) as never

it('records are found by an index, whatever they are filtered by', async () => {
  const filters = {
    none: {},
    tail: { tail: 'ab12' },
    phone: { phone: '13900000007' },
    batch: { batch_id: 5 },
    member: { member_id: 3 },
    partner: { partner: '伙伴7' },
    result: { result: 'unknown' },
    period: { from: now - DAY, to: now },
    folded: { folded: true },
    no_prize: { goods_state: 'none' },
  }
  const scanned = await scannedBy('redeem_log', filters, (filter, db) =>
    redeemServer.handlers.lst(pageOf(filter), { db, staff, now } as never),
  )
  expect(scanned).toEqual([])
}, 60_000)
it('prizes are found by how they stand, and no code is looked up for each', async () => {
  const filters = Object.fromEntries(
    ['waiting', 'handed', 'expired'].map(goods_state => [goods_state, { goods_state }]),
  )
  for (const table of ['redeem_log', 'redeem_code', 'code_batch']) {
    const scanned = await scannedBy(table, filters, (filter, db) =>
      redeemServer.handlers.lst(pageOf(filter), { db, staff, now } as never),
    )
    expect([table, scanned]).toEqual([table, []])
  }
  const plans = await plansOf(database.pool, db =>
    redeemServer.handlers.lst(pageOf({ goods_state: 'waiting' }), { db, staff, now } as never),
  )
  const found = plans.filter(({ text }) => text.includes('c.end_at'))
  expect(found.length).toBeGreaterThan(0)
  const used = found.flatMap(({ nodes }) => nodes.map(node => node['Index Name']))
  expect(used).not.toContain('redeem_code_pkey')
}, 60_000)
it('the curve reads its week alone', async () => {
  const filters = { all: {}, batch: { batch_id: 5 } }
  const scanned = await scannedBy('redeem_log', filters, (filter, db) =>
    redeemServer.handlers.hourly(filter as never, { db, staff, now } as never),
  )
  expect(scanned).toEqual([])
}, 60_000)
it('batches are found by partner, state and end, and codes by their hash', async () => {
  const filters = {
    partner: { partner: '伙伴7' },
    status: { status: 'paused' },
    ending: { ending: true },
    membership: { reward: 'membership' },
    none: {},
  }
  const scanned = await scannedBy('code_batch', filters, (filter, db) =>
    batchesServer.handlers.lst(pageOf(filter), { db, staff, now } as never),
  )
  expect(scanned).toEqual([])
  const one = await scannedBy('redeem_code', { one: {} }, (_, db) => codesFound(db, ['abc']))
  expect(one).toEqual([])
}, 60_000)
