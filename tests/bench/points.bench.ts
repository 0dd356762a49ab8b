// The ledgers of points and of growth at ten million rows each, as the console asks for them: over
// HTTP, with session, rights, names and counts. PostgreSQL. `BENCH_ROWS=1000000` is shorter.
import { admin, role } from '#src/areas/people/people.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { record } from '#src/modules/vip/contract/record.ts'
import { scoreDetail } from '#src/modules/vip/contract/scoreDetail.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { openSession, usualLimits } from '#src/server/sessions/sessions.ts'
import { growPoints, pointsFiltersOffered } from './pointsRows.ts'
import { benchPostgres } from './postgres.ts'
import { asker, serveBuilt } from './server.ts'
import { atMost, bench, quantile, told } from './table.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 10_000_000)
const MEMBERS = Math.max(1000, ROWS / 20)
/** A page is answered within so many ms, its total counted. */
const PAGE_MS = 200
const TIMES = 20
const RARE_CITY = 3
const tell = (line: string) => console.error(`  … ${line}`)

await bench(`ledgers of ${ROWS.toLocaleString('en')} rows each, 50 a page, over HTTP`, async note => {
  const postgres = await benchPostgres()
  const url = postgres.url('postgres')
  const database = await openDatabase({ url })
  await migrate(database)
  await seedDemo(database.db, { seed: 7, scale: 0.02 })
  await growPoints(database.pool, { n: ROWS, members: MEMBERS, rare_city: RARE_CITY }, tell)
  const { rows: some } = await database.pool.query<{ id: number }>(
    `select id from member where uid = 'PB177'`,
  )
  const now = unixNow()
  const served = await serveBuilt(undefined, undefined, { url })
  const askerOf = async (name: string, placed: object) => {
    const [own] = await database.db
      .insert(role)
      .values({ name, code: name, perms: ['*'], scope_type: 'all', ...placed })
      .returning()
    const [person] = await database.db
      .insert(admin)
      .values({ account: name, name, password_hash: '-', role_ids: [own!.id] })
      .returning()
    const { token } = await openSession(
      database.db,
      { admin_id: person!.id, region: 'pro', ip: '10.0.0.1', ua: 'bench', now },
      usualLimits,
    )
    return asker(served.address, token)
  }
  const everywhere = await askerOf('bench', {})
  const inCity = await askerOf('bench_city', { scope_type: 'city', scope_ids: [RARE_CITY] })
  const timed = async (ask: typeof everywhere, call: Call, query: (at: number) => object) => {
    const took: number[] = []
    let rows = 0
    for (let at = -3; at < TIMES; at++) {
      const { ms, data } = await ask<{ list: unknown[] }>(call, query(at))
      rows = data.list.length
      if (at >= 0) took.push(ms)
    }
    return { p50: quantile(took, 0.5), p95: quantile(took, 0.95), rows }
  }
  // The code of a server just started is slow for everybody.
  for (let at = 0; at < 300; at++)
    await everywhere(at % 2 === 0 ? scoreDetail.lst : record.lst, { page: 1 + (at % 3) })
  const offered = pointsFiltersOffered(now, some[0]!.id)
  for (const [what, call, filters] of [
    ['points', scoreDetail.lst, offered.points],
    ['growth', record.lst, offered.growth],
  ] as const) {
    for (const [name, filter] of Object.entries(filters)) {
      const first = await timed(everywhere, call, () => ({ ...filter, page: 1, pageSize: 50 }))
      const next = await timed(everywhere, call, at => ({
        ...filter,
        page: 2 + Math.abs(at % 4),
        pageSize: 50,
      }))
      note(
        atMost(`${what}, ${name} (${first.rows} rows), p95`, first.p95, PAGE_MS, 'ms'),
        told(`the same, p50`, first.p50, 'ms'),
        atMost(`${what}, ${name}, reading on, p95`, next.p95, PAGE_MS, 'ms'),
      )
    }
    const own = await timed(inCity, call, at => ({ page: 1 + Math.abs(at % 4), pageSize: 50 }))
    note(
      atMost(`${what}, of one city of a hundredth (${own.rows} rows), p95`, own.p95, PAGE_MS, 'ms'),
    )
  }
  await served.close()
  await database.close()
  await postgres.stop()
})
