// Trees of five thousand nodes, as their pages open them: over HTTP, with session, rights and all
// that stands beside a node, and where a node may be moved or merged to.
import { admin, role } from '#src/areas/people/people.table.ts'
import type { Read } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { eCategoryConfig } from '#src/modules/config/contract/eCategoryConfig.ts'
import { issueCate } from '#src/modules/config/contract/issueCate.ts'
import { shopCate } from '#src/modules/shop/contract/cate.ts'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { openSession, usualLimits } from '#src/server/sessions/sessions.ts'
import { benchPostgres } from './postgres.ts'
import { asker, serveBuilt } from './server.ts'
import { atLeast, atMost, bench, median, quantile, told } from './table.ts'

const NODES = 5000
const TIMES = 40
const WARM = 40
const OPENS_MS = 100
const kept = `commission_min_bp, commission_max_bp, floor_bp, need_licenses`
const keeps = `0, 3000, 3000, '[]'`
/** Roots, what stands below each, and below that, until there are as many nodes; of two levels one less. */
const grow = async (database: Database, table: string, own: [string, string], levels: number) => {
  const roots = levels === 3 ? 20 : 100
  const wide = Math.round((NODES / roots) ** (1 / (levels - 1)))
  await database.pool.query(
    `insert into ${table} (parent_id, level, name, sort, ${own[0]}) select null, 1, '根' || n, 1000 + n, ${own[1]} from generate_series(1, ${roots}) n`,
  )
  for (let level = 2; level <= levels; level++)
    await database.pool.query(
      `insert into ${table} (parent_id, level, name, sort, ${own[0]}) select p.id, ${level}, p.name || '第' || n, n, ${own[1]} from ${table} p, generate_series(1, ${wide}) n where p.level = ${level - 1} and p.name like '根%'`,
    )
}

await bench('trees of five thousand nodes', async note => {
  const postgres = await benchPostgres()
  const url = postgres.url('postgres')
  const database = await openDatabase({ url })
  await migrate(database)
  await database.unhurried(() => seedDemo(database.db, { seed: 7, scale: 0.02 }))
  await grow(database, 'shop_category', [kept, keeps], 3)
  await grow(database, 'e_category', [kept, keeps], 3)
  await grow(database, 'issue_cate', ['side', `'member'`], 2)
  await database.pool.query('analyze')
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
  const served = await serveBuilt(undefined, undefined, { url })
  const ask = asker(served.address, token)
  const timesOf = async (call: Read, input: object) => {
    for (let at = 0; at < WARM; at++) await ask(call, input)
    const times: number[] = []
    for (let at = 0; at < TIMES; at++) times.push((await ask(call, input)).ms)
    return times
  }
  for (const [name, calls] of Object.entries({ shopCate, eCategoryConfig, issueCate })) {
    const { data } = await ask<{ list: { id: number }[] }>(calls.lst as Read, {})
    const opened = await timesOf(calls.lst as Read, {})
    const { id } = data.list[Math.floor(data.list.length / 2)]!
    const placed = await timesOf(calls.places as Read, { to: 'merge', id, pageSize: 50 })
    note(
      atLeast(`${name}: nodes`, data.list.length, NODES, 'nodes'),
      atMost(`${name}: the tree, p95`, quantile(opened, 0.95), OPENS_MS, 'ms'),
      told(`${name}: the tree, p50`, median(opened), 'ms'),
      atMost(`${name}: where a node may go, p95`, quantile(placed, 0.95), OPENS_MS, 'ms'),
    )
  }
  await served.close()
  await database.close()
  await postgres.stop()
})
