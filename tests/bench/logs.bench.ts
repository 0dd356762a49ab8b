// The operation log and the click log at a million rows each, as the console asks for them: over
// HTTP, with session, rights, field rules, names and counts. PostgreSQL.
import pg from 'pg'
import { sealLog, verifyLog } from '#src/areas/log/seal.server.ts'
import { admin, role } from '#src/areas/people/people.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { history } from '#src/modules/system/contract/history.ts'
import { logs } from '#src/modules/system/contract/logs.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { openSession, usualLimits } from '#src/server/sessions/sessions.ts'
import { growLogs, logFiltersOffered } from './logRows.ts'
import { benchPostgres } from './postgres.ts'
import { asker, serveBuilt } from './server.ts'
import { atMost, bench, exactly, median, quantile, told } from './table.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000)
const TIMES = 25
/** The budget of a list at its half, in ms, where nothing is counted. */
const BUDGET = 5
const tell = (line: string) => console.error(`  … ${line}`)

await bench(`logs of ${ROWS.toLocaleString('en')} rows each, 50 a page, over HTTP, ${TIMES} calls each`, async note => {
  const server = await benchPostgres()
  const maker = new pg.Client(server.url('postgres'))
  await maker.connect()
  await maker.query('create database bench_logs')
  await maker.end()
  const database = await openDatabase({ url: server.url('bench_logs') })
  await migrate(database)
  await seedDemo(database.db, { seed: 7, scale: 0.02 })
  await growLogs(database.pool, ROWS, tell)
  const served = await serveBuilt(undefined, undefined, { url: server.url('bench_logs') })
  const [own] = await database.db
    .insert(role)
    .values({ name: 'bench', code: 'bench', perms: ['*'], scope_type: 'all' })
    .returning()
  const [person] = await database.db
    .insert(admin)
    .values({ account: 'bench', name: 'bench', password_hash: '-', role_ids: [own!.id] })
    .returning()
  const { token } = await openSession(
    database.db,
    { admin_id: person!.id, region: 'pro', ip: '10.0.0.1', ua: 'bench', now: unixNow() },
    usualLimits,
  )
  const ask = asker(served.address, token)
  const get = async (call: Call, query: object) => {
    const { ms, data } = await ask<{ list: unknown[] }>(call, query)
    return { ms, rows: data.list.length }
  }
  const series = async (call: Call, query: (at: number) => object) => {
    let rows = 0
    for (let at = 0; at < 3; at++) rows = (await get(call, query(at))).rows
    const times: number[] = []
    for (let at = 0; at < TIMES; at++) times.push((await get(call, query(at))).ms)
    return { p50: median(times), p95: quantile(times, 0.95), rows }
  }
  const offered = logFiltersOffered(unixNow())
  // The code of a server just started is slow for everybody.
  for (let at = 0; at < 2000; at++)
    await get(at % 4 === 0 ? history.lstClickLog : logs.lst, { page: 1 + (at % 5) })
  for (const [name, filters] of Object.entries(offered.logs)) {
    const first = await series(logs.lst, () => filters)
    const next = await series(logs.lst, at => ({ ...filters, page: 2 + (at % 4) }))
    note(
      told(
        `operation log, ${name} (${first.rows} rows), page 1 with its total counted, p50`,
        first.p50,
        'ms',
      ),
      told(`the same, p95`, first.p95, 'ms'),
      atMost(`operation log, ${name} (${next.rows} rows), reading on, p50`, next.p50, BUDGET, 'ms'),
    )
  }
  for (let page = 1; page <= 60; page++) await get(logs.lst, { page })
  const on = await series(logs.lst, at => ({ page: 61 + at }))
  note(atMost('operation log, pages 61 to 85, reading on, p50', on.p50, BUDGET, 'ms'))
  for (const [name, filters] of Object.entries(offered.clicks)) {
    const first = await series(history.lstClickLog, () => filters)
    const next = await series(history.lstClickLog, at => ({ ...filters, page: 2 + (at % 4) }))
    note(
      told(
        `click log, ${name} (${first.rows} rows), page 1 with its totals counted, p50`,
        first.p50,
        'ms',
      ),
      atMost(`click log, ${name}, reading on, p50`, next.p50, BUDGET, 'ms'),
    )
  }
  const began = performance.now()
  const seals = await sealLog(database, unixNow())
  note(
    told(
      `sealing ${seals.reduce((sum, one) => sum + one.rows, 0).toLocaleString('en')} rows`,
      (performance.now() - began) / 1000,
      's',
    ),
  )
  const started = performance.now()
  let at = await verifyLog(database.db)
  let rows = at.rows
  while (at.next !== null && !at.broken) {
    at = await verifyLog(database.db, at.next)
    rows += at.rows
  }
  note(
    told(`verifying ${rows.toLocaleString('en')} rows`, (performance.now() - started) / 1000, 's'),
    exactly('rows that do not fit', at.broken ? 1 : 0, 0),
  )
  await served.close()
  await database.close()
  await server.stop()
})
