import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { CLICKS_COUNTED } from '#src/domain/clicks.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import type { Db } from '#src/server/implement.ts'
import { countOf } from '#src/server/paging.ts'
import { everything } from '#src/server/scope.ts'
import { clicksPage } from '#src/server/services/clicks.ts'
import { op_log } from '#src/server/tables/log.ts'
import { logsPage, logsWhere } from '#src/modules/system/server/logs.ts'
import { growLogs, logFiltersOffered, RARE } from '../bench/logRows.ts'
import { plansOf } from '../bench/plans.ts'
import { onlyOn, openCopy } from '../farm.ts'

type Node = { 'Node Type': string; 'Relation Name'?: string; 'Plan Rows'?: number; Plans?: Node[] }
/** More than so many rows may not be sorted to show fifty or to count ten thousand; the totals of clicks look at a hundred thousand. */
const MOST_SORTED = { op_log: 30_000, click_log: CLICKS_COUNTED }

// What the pages offer must be served by an index however large the tables grow. A file of its own, for it needs a large table.
onlyOn('postgres')('on large logs, every filter', () => {
  let database: Database
  const now = unixNow()
  const offered = logFiltersOffered(now)
  const all = { id: 1, scope: everything, lang: 'zh' as const }
  const ofCity = { id: 2, scope: { cities: [1, 2], malls: [], owners: [] }, lang: 'zh' as const }
  const ofOwner = { id: 3, scope: { cities: [], malls: [], owners: [3] }, lang: 'zh' as const }
  beforeAll(async () => {
    database = await openCopy()
    await growLogs(database.pool, 250_000)
  }, 120_000)
  const faults = async (table: keyof typeof MOST_SORTED, run: (db: Db) => Promise<unknown>): Promise<string[]> => {
    const plans = await plansOf(database.pool, run)
    expect(plans.length).toBeGreaterThan(0)
    return plans.flatMap(({ nodes }) => (nodes as Node[]).flatMap(node =>
      node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table ? [`reads all of ${table}`] : /Sort/.test(node['Node Type']) && (node.Plans?.[0]?.['Plan Rows'] ?? 0) > MOST_SORTED[table] ? [`${node['Node Type']} of ${node.Plans![0]!['Plan Rows']}`] : []))
  }
  it('of the operation log is served by an index, and its count too', async () => {
    const found: string[] = []
    for (const [name, filters] of Object.entries(offered.logs)) for (const reader of [all, ofOwner]) for (const page of [1, 4]) {
      for (const fault of await faults('op_log', db => logsPage(db, reader, { ...filters, page, pageSize: 50 }, now))) found.push(`${name}, reader ${reader.id}, page ${page}: ${fault}`)
      for (const fault of await faults('op_log', db => countOf(db, op_log, logsWhere(filters, reader.scope, now), op_log.created_at))) found.push(`${name}, reader ${reader.id}, count: ${fault}`)
    }
    expect(found).toEqual([])
  }, 120_000)
  it('of the click log is served by an index, and so are its totals', async () => {
    const found: string[] = []
    for (const [name, filters] of Object.entries(offered.clicks)) for (const reader of [all, ofCity]) {
      // The totals read at most 100,001 rows of an index, in its order.
      for (const fault of await faults('click_log', db => clicksPage(db, reader, { ...filters, page: 1, pageSize: 50 }, now))) found.push(`${name}, reader ${reader.id}: ${fault}`)
    }
    expect(found).toEqual([])
  }, 120_000)
  it('and a plan that reads or sorts everything is seen', async () => {
    expect(await faults('op_log', db => db.execute(sql`select count(*) from op_log where reason = 'x'`))).toEqual(['reads all of op_log'])
    expect((await faults('op_log', db => db.execute(sql`select id from op_log where fields @> '{state}' order by object_label limit 5`))).length).toBeGreaterThan(0)
    expect((await database.db.execute(sql`select 1 from op_log where ${RARE} = any(fields)`)).rows.length).toBeGreaterThan(5)
  })
})
