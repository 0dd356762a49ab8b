// The journal of money at size: its verification, a page of its list and of an account's statement,
// and the overview of funds, on PostgreSQL. `BENCH_ENTRIES=1000000` is shorter; ten million take a quarter of an hour to make.
import { sql } from 'drizzle-orm'
import { recountLedger, sealLedger, verifyLedgerChain } from '#src/areas/ledger/verify.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { fundsServer } from '#src/modules/settle/server/data.ts'
import { flowServer } from '#src/modules/settle/server/flow.ts'
import type { Db } from '#src/server/call/implement.ts'
import { everything } from '#src/server/call/scope.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { benchPostgres } from './postgres.ts'
import { atMost, bench, exactly } from './table.ts'

const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 10_000_000)
const TXNS = ENTRIES / 2
const MERCHANTS = 2000
/** The whole journal is verified within so many seconds, a page is read within so many ms. */
const VERIFY_S = 120
const PAGE_MS = 200
const PAGES = 20

await bench(`a journal of ${ENTRIES.toLocaleString('en')} entries`, async note => {
  const postgres = await benchPostgres()
  const database = await openDatabase({ url: postgres.url('postgres') })
  await migrate(database)
  const now = unixNow()
  // One cent a transaction: from the house to a merchant, each in turn, over ninety days.
  const fill = async (tx: Db): Promise<void> => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`set local statement_timeout = 0`)
    await tx.execute(
      sql`insert into ledger_account (kind, owner_kind, owner_id, balance_cents) select 'bank_cash', 'platform', 0, ${TXNS}::bigint union all select 'merchant_balance', 'merchant', n, -(${TXNS}::bigint / ${MERCHANTS}) from generate_series(1, ${MERCHANTS}::int) n`,
    )
    await tx.execute(
      sql`insert into ledger_txn (created_at, biz, biz_id, biz_no, idem_key, day, amount_cents, city_id) select t.at, case when n % 5 = 0 then 'fee' else 'pay' end, n, 'B' || n, 'bench:' || n, to_char(to_timestamp(t.at + 28800) at time zone 'UTC', 'YYYY-MM-DD'), 1, 1 + n % 20 from generate_series(1, ${TXNS}::int) n cross join lateral (select ${now} - ((${TXNS}::bigint - n) * 7000000 / ${TXNS}::bigint) as at) t`,
    )
    await tx.execute(
      sql`insert into ledger_entry (txn_id, account_id, at, amount_cents, balance_after_cents) select t.id, e.account, t.created_at, e.cents, e.rest from ledger_txn t cross join lateral (values (1, 1, t.id), (2 + (t.id - 1) % ${MERCHANTS}, -1, -(1 + (t.id - 1) / ${MERCHANTS}))) e(account, cents, rest) order by t.id`,
    )
  }
  await database.transaction(fill, { deadlineMs: 3_600_000 })
  await database.pool.query('vacuum analyze')
  const timed = async (run: () => Promise<unknown>) => {
    const began = performance.now()
    await run()
    return performance.now() - began
  }
  const sealed = await timed(() => sealLedger(database, now))
  let misfit: unknown
  const recounted = await timed(async () => {
    misfit = await recountLedger(database.db)
  })
  let broken: unknown = null
  const compared = await timed(async () => {
    for (let at: number | null = 0; at !== null && !broken;) {
      const said = await verifyLedgerChain(database.db, at)
      broken = said.broken
      at = said.next
    }
  })
  const context = {
    db: database.db,
    staff: { id: 1, scope: everything, lang: 'zh' as const, can: () => true },
    now,
  }
  const slowest = async (read: (page: number) => Promise<unknown>) => {
    const each: number[] = []
    for (let page = 1; page <= PAGES; page++) each.push(await timed(() => read(page)))
    return each.toSorted((a, b) => a - b)[Math.ceil(PAGES * 0.95) - 1]!
  }
  const lst = (more: object) => (page: number) =>
    flowServer.handlers.lst({ page, pageSize: 50, ...more } as never, context as never)
  const statement = (account_id: number) => (page: number) =>
    flowServer.handlers.accountView({ page, pageSize: 50, account_id } as never, context as never)
  const overview = (more: object) => (page: number) =>
    // Each time another range, so that nothing is answered from what was just read.
    fundsServer.handlers.lst(
      {
        page: 1,
        pageSize: 50,
        from: now - (30 + page) * DAY,
        to: now - page * DAY,
        ...more,
      } as never,
      context as never,
    )
  note(
    exactly('rows that do not fit', Number(misfit !== undefined) + Number(broken !== null), 0),
    atMost('sealed', sealed / 1000, VERIFY_S, 's'),
    atMost('verified', (recounted + compared) / 1000, VERIFY_S, 's'),
    atMost('a page of the list, p95', await slowest(lst({})), PAGE_MS, 'ms'),
    atMost(
      'the sums over the list, p95',
      await slowest(() => flowServer.handlers.sums({} as never, context as never)),
      PAGE_MS,
      'ms',
    ),
    atMost('of one business, p95', await slowest(lst({ biz: 'fee' })), PAGE_MS, 'ms'),
    atMost('of a merchant’s statement, p95', await slowest(statement(7)), PAGE_MS, 'ms'),
    atMost('the overview of funds, p95', await slowest(overview({})), PAGE_MS, 'ms'),
    atMost('of one city, p95', await slowest(overview({ city_id: 3 })), PAGE_MS, 'ms'),
    atMost('of the bank’s statement, p95', await slowest(statement(1)), PAGE_MS, 'ms'),
  )
  await database.close()
  await postgres.stop()
})
