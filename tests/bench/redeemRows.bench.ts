// Ten million redeem codes and as many records on PostgreSQL: the records by each filter, prizes by how
// they stand, the hourly curve, a partner's month and a code by its hash, as their handlers ask for them.
// `BENCH_ROWS=1000000` is shorter.
import type pg from 'pg'
import { admin } from '#src/areas/people/people.table.ts'
import { sumsOf } from '#src/areas/redeemCode/bills.server.ts'
import { codesFound } from '#src/areas/redeemCode/redeem.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { batchesServer } from '#src/modules/redeemCode/server/batches.ts'
import { redeemServer } from '#src/modules/redeemCode/server/redeem.ts'
import { everything } from '#src/server/call/scope.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { benchPostgres } from './postgres.ts'
import { atMost, bench, quantile, told } from './table.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 10_000_000)
const BATCHES = 400
const PARTNERS = 50
const MEMBERS = 200_000
const AT_ONCE = 1_000_000
const LIST_MS = 200
const ASKED = 20
const now = unixNow()

/** A quarter of all rows are of the first batch. */
const batchOf = `case when n % 4 = 0 then 1 else 1 + n % ${BATCHES} end`
const word = 'upper(substr(md5(n::text), 1, 4))'
const rowsOf = {
  redeem_code: `(batch_id, run_no, seq, code_hash, code_sealed, tail, state, used_times, member_id, redeemed_at, end_at)
    select ${batchOf}, 1, n, md5(n::text), repeat('sealed', 12), ${word}, case when n % 3 = 0 then 'redeemed' else 'unused' end, (n % 3 = 0)::int, case when n % 3 = 0 then 1 + n % ${MEMBERS} end, case when n % 3 = 0 then ${now} - n % ${390 * DAY} end, case when n % 10000 = 0 then ${now + 60 * DAY} end`,
  redeem_log: `(code_id, batch_id, member_id, phone, input_tail, result, granted, channel, device_id, ip, handed_at, created_at, updated_at)
    select case when n % 3 = 0 then n end, ${batchOf}, 1 + n % ${MEMBERS}, (13000000001 + n % ${MEMBERS})::text, ${word}, case when n % 3 = 0 then 'ok' else (array['used', 'unknown', 'expired', 'limit', 'locked'])[1 + n % 5] end,
      case when n % 3 = 0 then ('{"coupons":[],"points":10,"points_no":null,"cost_cents":10' || case when n % 30 = 0 then ',"goods":"保温杯"' else '' end || '}')::jsonb end,
      (array['mini', 'desk', 'import'])[1 + n % 3], 'device-' || n % 300000, '10.' || n % 200 || '.0.1', case when n % 60 = 0 then ${now} - n % ${300 * DAY} end, ${now} - (n * 7919::bigint) % ${390 * DAY}, ${now}`,
} as const
/** Fills a table while it has no index but its key: an index is sooner made than kept. */
const fill = async (client: pg.PoolClient, table: keyof typeof rowsOf): Promise<void> => {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = '${table}' and indexname <> '${table}_pkey'`,
  )
  for (const { indexname } of rows) await client.query(`drop index ${indexname}`)
  for (let from = 0; from < ROWS; from += AT_ONCE)
    await client.query(
      `insert into ${table} ${rowsOf[table]} from generate_series(${from + 1}, ${Math.min(ROWS, from + AT_ONCE)}) n`,
    )
  for (const { indexdef } of rows) await client.query(indexdef)
}

await bench(`${ROWS.toLocaleString('en')} redeem codes and records`, async note => {
  const postgres = await benchPostgres()
  const database = await openDatabase({ url: postgres.url('postgres') })
  await migrate(database)
  await database.db
    .insert(admin)
    .values({ account: 'bench', name: 'bench', password_hash: '-', role_ids: [] })
  const client = await database.pool.connect()
  // Rows are made up by the million: what they refer to is there.
  for (const set of [
    'statement_timeout = 0',
    'session_replication_role = replica',
    'synchronous_commit = off',
    `maintenance_work_mem = '512MB'`,
  ])
    await client.query(`set ${set}`)
  await client.query(
    `insert into member (uid, nickname, phone, city_id, register_at) select 'm' || n, 'm' || n, (13000000000 + n)::text, 1, ${now - DAY} from generate_series(1, ${MEMBERS}) n`,
  )
  await client.query(
    `insert into code_batch (name, partner, code_kind, alphabet, length, prefix, quantity, start_at, end_at, bearer, budget_cents, status, created_by, points)
     select '批次' || n, '伙伴' || n % ${PARTNERS}, 'once', 'mixed', 18, 'Z' || n, 1000000, ${now - 400 * DAY}, ${now} + (n % 60 - 30) * ${DAY} + 1, 'platform', 0, (array['running', 'ended', 'paused'])[1 + n % 3], 1, 1 from generate_series(1, ${BATCHES}) n`,
  )
  await fill(client, 'redeem_code')
  await fill(client, 'redeem_log')
  await client.query('vacuum analyze')
  client.release()

  const staff = { id: 1, scope: everything, lang: 'zh' as const, can: () => true }
  const context = { db: database.db, staff, now } as never
  const timed = async (what: string, ask: () => Promise<unknown>) => {
    const took: number[] = []
    for (let at = 0; at < ASKED; at++) {
      const began = performance.now()
      await ask()
      took.push(performance.now() - began)
    }
    note(
      atMost(`${what}, p95`, quantile(took, 0.95), LIST_MS, 'ms'),
      told(`${what}, p50`, quantile(took, 0.5), 'ms'),
    )
  }
  const page = (filter: object) => () =>
    redeemServer.handlers.lst({ page: 1, pageSize: 50, ...filter } as never, context)
  const partner = '伙伴1'
  const filters: Readonly<Record<string, object>> = {
    'all records': {},
    'their page 200': { page: 200 },
    'those of a tail': { tail: 'AB12' },
    'those of a phone': { phone: '13000000107' },
    'those of a member': { member_id: 3 },
    'those of a batch': { batch_id: 7 },
    'those of a quarter of all': { batch_id: 1 },
    'those of a partner': { partner },
    'unknown codes': { result: 'unknown' },
    'a day': { from: now - DAY, to: now },
    'folded repeats': { folded: true },
    'no prize': { goods_state: 'none' },
    'prizes that wait': { goods_state: 'waiting' },
    'prizes handed over': { goods_state: 'handed' },
    'prizes that expired': { goods_state: 'expired' },
  }
  for (const [what, filter] of Object.entries(filters)) await timed(what, page(filter))
  const curve = (of: object) => () => redeemServer.handlers.hourly(of as never, context)
  await timed('the curve of a week', curve({}))
  await timed('that of a quarter of all', curve({ batch_id: 1 }))
  const month = { from: now - 60 * DAY, to: now - 30 * DAY }
  await timed('a month of a partner', () => sumsOf(database.db, partner, month))
  await timed('a code by its hash', () =>
    codesFound(database.db, ['c4ca4238a0b923820dcc509a6f75849b']),
  )
  await timed('a batch', () => batchesServer.handlers.detail({ id: 1 } as never, context))
  await database.close()
  await postgres.stop()
})
