// The audit list on a million generated rows, as the console asks for it: over HTTP, with session,
// rights, data scope and count. Both databases.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { queueCounts, queuePage, type QueueFilters } from '#src/areas/audit/auditQueue.server.ts'
import { admin, role } from '#src/areas/people/people.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { queues } from '#src/modules/audit/contract.ts'
import { exports } from '#src/modules/export/contract.ts'
import type { Db } from '#src/server/call/implement.ts'
import { everything } from '#src/server/call/scope.ts'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { openSession, usualLimits } from '#src/server/sessions/sessions.ts'
import { filtersOffered, plansOf, queueTabs, seqScans, sortsOffered } from './plans.ts'
import { benchPostgres } from './postgres.ts'
import { asker, serveBuilt } from './server.ts'
import { atMost, bench, exactly, median, quantile, told, within, type Line } from './table.ts'
import { growTasks, RARE } from './tasks.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000)
const TIMES = 25
const WARM = 2000
const tell = (line: string) => console.error(`  … ${line}`)

const grow = async (database: Database) => {
  const began = performance.now()
  await migrate(database)
  await database.unhurried(async () => {
    await seedDemo(database.db, { seed: 7, scale: 0.02 })
    await growTasks(database.pool, ROWS, process.env.BENCH_SAY ? tell : undefined)
  })
  tell(
    `${database.mode}: ${ROWS.toLocaleString('en')} rows in ${Math.round((performance.now() - began) / 1000)} s`,
  )
}
/** A person whose role sees only this. */
const personWith = async (
  database: Database,
  code: string,
  of: Partial<typeof role.$inferInsert>,
) => {
  const [own] = await database.db
    .insert(role)
    .values({ name: code, code, perms: ['audit.*'], scope_type: 'all', ...of })
    .returning()
  const [person] = await database.db
    .insert(admin)
    .values({ account: code, name: code, password_hash: '-', role_ids: [own!.id] })
    .returning()
  return (
    await openSession(
      database.db,
      { admin_id: person!.id, region: 'pro', ip: '10.0.0.1', ua: 'bench', now: unixNow() },
      usualLimits,
    )
  ).token
}

/**
 * `database` is closed before it is served where one connection serves everybody: two processes
 * can't have it.
 */
const measure = async (
  database: Database,
  name: string,
  ready: { url?: string; folder?: string },
): Promise<Line[]> => {
  const lines: Line[] = []
  const { exclusive } = database
  const {
    rows: [place],
  } = await database.pool.query<{ city_id: number }>(
    `select city_id from audit_task where queue = 'bulks' group by 1 order by count(*) desc limit 1`,
  )
  const all = await personWith(database, 'bench_all', {})
  const city = await personWith(database, 'bench_city', {
    scope_type: 'city',
    scope_ids: [place!.city_id],
  })
  const filters = await filtersOffered(database.pool, RARE)
  const planned = await plansRead(database, name, filters)
  if (exclusive) await database.close()
  const served = await serveBuilt(undefined, undefined, ready)
  const asks = new Map([all, city].map(token => [token, asker(served.address, token)]))
  const get = <T = { list: unknown[] }>(
    token: string,
    query: object,
    call: Call = queues.bulks.lst,
  ) => asks.get(token)!<T>(call, query)
  const series = async (token: string, query: (at: number) => object, call?: Call) => {
    for (let at = 0; at < 5; at++) await get(token, query(at), call)
    const times: number[] = []
    for (let at = 0; at < TIMES; at++) times.push((await get(token, query(at), call)).ms)
    return { p50: median(times), p95: quantile(times, 0.95), best: Math.min(...times) }
  }
  const note = (
    what: string,
    { p50, p95, best }: { p50: number; p95: number; best?: number },
    budget?: number,
  ) =>
    lines.push(
      ...(best === undefined ? [] : [told(`${name}: ${what}, fastest`, best, 'ms')]),
      ...(budget
        ? [atMost(`${name}: ${what}, p50`, p50, budget, 'ms')]
        : [told(`${name}: ${what}, p50`, p50, 'ms')]),
      told(`${name}: ${what}, p95`, p95, 'ms'),
    )

  const first = await get(all, { state: 'approved' })
  if (first.data.list.length !== 50) throw new Error('the list is empty')
  // The code of a server just started is slow for everybody.
  for (let at = 0; at < WARM; at++)
    await get(all, { state: at % 2 === 0 ? 'approved' : 'open', page: 1 + (at % 5) })
  const page1 = await series(all, () => ({ state: 'approved' }))
  note('open tab, page 1, total', await series(all, () => ({})), exclusive ? undefined : 5)
  note('approved tab, page 1, total', page1, exclusive ? undefined : 5)
  note(
    'approved, one city by scope',
    await series(city, () => ({ state: 'approved' })),
    exclusive ? undefined : 5,
  )
  for (const [what, filter] of Object.entries(filters))
    if (what !== 'none')
      note(`approved, ${what}`, await series(all, () => ({ state: 'approved', ...filter })))
  for (const sort of sortsOffered)
    if (sort !== 'sla')
      note(
        `approved, by ${sort}`,
        await series(all, () => ({ state: 'approved', sort })),
        exclusive ? undefined : 5,
      )
  note('counts of all tabs', await series(all, () => ({}), queues.bulks.counts))

  // Reading on, page after page, and jumping about: what a person does on page 200 of a large list.
  for (let page = 1; page <= 180; page++) await get(all, { state: 'approved', page })
  const on = await series(all, at => ({ state: 'approved', page: 181 + (at % 20) }))
  note('approved, pages 181 to 200, reading on', on)
  lines.push(within(`${name}: deep page, reading on, against page 1`, on.p50, page1.p50, 3))
  const jumps: number[] = []
  for (let at = 0; at < TIMES; at++) {
    await get(all, { state: 'approved' })
    jumps.push((await get(all, { state: 'approved', page: 60 + 5 * at })).ms)
  }
  note('approved, a jump from page 1 to 60 … 180', {
    p50: median(jumps),
    p95: quantile(jumps, 0.95),
  })
  lines.push(within(`${name}: a jump, against page 1`, median(jumps), page1.p50, 3))

  if (exclusive) {
    const {
      data: { job_id },
    } = await get<{ job_id: number }>(
      all,
      { state: 'approved', format: 'csv', city_id: place!.city_id },
      queues.bulks.export,
    )
    const running = async () =>
      ['queued', 'running'].includes(
        (await get<{ list: { state: string }[] }>(all, { ids: [job_id] }, exports.mine)).data
          .list[0]!.state,
      )
    const times: number[] = []
    while (times.length < 400 && (await running())) times.push((await get(all, {})).ms)
    if (times.length < 20)
      throw new Error(
        `the export was done after ${times.length} calls: nothing was measured under it`,
      )
    lines.push(
      atMost(
        `${name}: open tab while an export runs, p95 of ${times.length}`,
        quantile(times, 0.95),
        100,
        'ms',
      ),
      told(`${name}: open tab while an export runs, p50`, median(times), 'ms'),
    )
  }
  await served.close()
  return [...lines, planned]
}
/** No query of a list, in any tab, by any filter, reads the whole table. */
const plansRead = async (
  database: Database,
  name: string,
  filters: Record<string, QueueFilters>,
): Promise<Line> => {
  let scans = 0
  let asked = 0
  const reader = { id: 1, scope: everything }
  const look = async (what: string, run: (db: Db) => Promise<unknown>) => {
    const plans = await plansOf(database.pool, run)
    const seen = seqScans(plans, 'audit_task').length
    if (seen > 0) tell(`${name}: ${what} reads the whole table`)
    asked += plans.length
    scans += seen
  }
  for (const [what, filter] of Object.entries(filters)) {
    for (const state of queueTabs)
      await look(`${state}, ${what}`, db =>
        queuePage(
          db,
          'bulks',
          { ...filter, state, sort: 'sla', page: 1, pageSize: 50 },
          reader,
          unixNow(),
        ),
      )
    await look(`counts, ${what}`, db => queueCounts(db, 'bulks', filter, reader, unixNow()))
  }
  return exactly(`${name}: plans of ${asked} queries that read the whole table`, scans, 0)
}

await bench(`list call on ${ROWS.toLocaleString('en')} audit tasks, 50 a page, over HTTP, ${TIMES} calls each`, async note => {
  const which = process.env.BENCH_ON?.split(',') ?? ['PostgreSQL', 'PGlite']
  const server = which.includes('PostgreSQL')
    ? await benchPostgres().catch((error: Error) => {
        tell(`PostgreSQL is left out: ${error.message}`)
        return undefined
      })
    : undefined
  if (server) {
    const maker = new pg.Client(server.url('postgres'))
    await maker.connect()
    await maker.query('create database bench')
    await maker.end()
    const database = await openDatabase({ url: server.url('bench') })
    await grow(database)
    note(...(await measure(database, `PostgreSQL ${server.version}`, { url: server.url('bench') })))
    await database.close()
    await server.stop()
  }
  if (which.includes('PGlite')) {
    const folder = mkdtempSync(join(tmpdir(), 'mallet-bench-lite-'))
    const database = await openDatabase({ folder: join(folder, 'database'), watchdogMs: 600_000 })
    await grow(database)
    note(...(await measure(database, 'PGlite', { folder })))
    rmSync(folder, { recursive: true, force: true })
  }
})
