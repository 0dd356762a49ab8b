// The operation log and the click log at a million rows each, as the console asks for them: over HTTP, with session, rights, field rules, names and counts. PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { urlOf, type Call } from '#src/contract/call.ts'
import { toQuery } from '#src/contract/query.ts'
import { unixNow } from '#src/domain/time.ts'
import { implementations } from '#src/implementations.ts'
import { history } from '#src/modules/system/contract/history.ts'
import { logs } from '#src/modules/system/contract/logs.ts'
import { buildApp } from '#src/server/app.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { sealLog, verifyLog } from '#src/server/services/seal.ts'
import { openSession, usualLimits } from '#src/server/sessions.ts'
import { admin, role } from '#src/server/tables/people.ts'
import { startPostgres } from '../farm/postgres.ts'
import { growLogs, logFiltersOffered } from './logRows.ts'
import { atMost, bench, exactly, median, quantile, told } from './table.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000)
const TIMES = 25
const tell = (line: string) => console.error(`  … ${line}`)

await bench(`logs of ${ROWS.toLocaleString('en')} rows each, 50 a page, over HTTP, ${TIMES} calls each`, async note => {
  const server = await startPostgres()
  const maker = new pg.Client(server.url('postgres'))
  await maker.connect()
  await maker.query('create database bench_logs')
  await maker.end()
  const database = await openDatabase({ url: server.url('bench_logs') })
  await migrate(database)
  await seedDemo(database.db, { seed: 7, scale: 0.02 })
  await growLogs(database.pool, ROWS, tell)
  const folder = mkdtempSync(join(tmpdir(), 'mallet-bench-'))
  const app = await buildApp({ database, modules: implementations, folder, publicRate: 1_000_000 })
  const address = await app.fastify.listen({ port: 0, host: '127.0.0.1' })
  const [own] = await database.db.insert(role).values({ name: 'bench', code: 'bench', perms: ['*'], scope_type: 'all' }).returning()
  const [person] = await database.db.insert(admin).values({ account: 'bench', name: 'bench', password_hash: '-', role_ids: [own!.id] }).returning()
  const { token } = await openSession(database.db, { admin_id: person!.id, region: 'pro', ip: '10.0.0.1', ua: 'bench', now: unixNow() }, usualLimits)
  const get = async (call: Call, query: object): Promise<{ ms: number; rows: number }> => {
    const began = performance.now()
    const answered = await fetch(`${address}${urlOf(call)}?${toQuery(query)}`, { headers: { 'authori-zation': `Bearer ${token}`, region: 'pro' } })
    const { status, data, message } = await answered.json() as { status: number; data: { list: unknown[] }; message: string }
    if (status !== 200) throw new Error(`${JSON.stringify(query)}: ${status} ${message}`)
    return { ms: performance.now() - began, rows: data.list.length }
  }
  const series = async (call: Call, query: (at: number) => object) => {
    let rows = 0
    for (let at = 0; at < 3; at++) rows = (await get(call, query(at))).rows
    const times: number[] = []
    for (let at = 0; at < TIMES; at++) times.push((await get(call, query(at))).ms)
    return { p50: median(times), p95: quantile(times, 0.95), rows }
  }
  const offered = logFiltersOffered(unixNow())
  for (const [name, filters] of Object.entries(offered.logs)) {
    const { p50, p95, rows } = await series(logs.lst, () => filters)
    note(atMost(`operation log, ${name} (${rows} rows), p50`, p50, 50, 'ms'), told(`operation log, ${name}, p95`, p95, 'ms'))
  }
  for (let page = 1; page <= 60; page++) await get(logs.lst, { page })
  const on = await series(logs.lst, at => ({ page: 61 + at }))
  note(atMost('operation log, pages 61 to 85, reading on, p50', on.p50, 50, 'ms'))
  for (const [name, filters] of Object.entries(offered.clicks)) {
    const first = await series(history.lstClickLog, () => filters)
    const next = await series(history.lstClickLog, at => ({ ...filters, page: 2 + (at % 4) }))
    note(told(`click log, ${name} (${first.rows} rows), page 1 with its totals counted, p50`, first.p50, 'ms'), atMost(`click log, ${name}, reading on, p50`, next.p50, 50, 'ms'))
  }
  const began = performance.now()
  const seals = await sealLog(database, unixNow())
  note(told(`sealing ${seals.reduce((sum, one) => sum + one.rows, 0).toLocaleString('en')} rows`, (performance.now() - began) / 1000, 's'))
  const started = performance.now()
  let at = await verifyLog(database.db)
  let rows = at.rows
  while (at.next !== null && !at.broken) { at = await verifyLog(database.db, at.next); rows += at.rows }
  note(told(`verifying ${rows.toLocaleString('en')} rows`, (performance.now() - started) / 1000, 's'), exactly('rows that do not fit', at.broken ? 1 : 0, 0))
  await app.close()
  await database.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})
