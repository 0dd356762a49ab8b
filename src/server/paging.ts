import { and, asc, desc, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { COUNT_MAX } from '#src/domain/count.ts'
import type { Db } from './implement.ts'

/** How many rows of `table` match, exactly up to COUNT_MAX; above it, `capped`. `by` counts the newest by an index: of a log whose rows lie in the order of time, reading from its beginning would find them last. */
export const countOf = async (db: Db, table: PgTable, where: SQL | undefined, by?: PgColumn): Promise<{ total: number; capped: boolean }> => {
  const counted = await db.execute<{ n: number }>(sql`select ${counting(table, where, COUNT_MAX, by)} as n`)
  const n = counted.rows[0]!.n
  return { total: Math.min(n, COUNT_MAX), capped: n > COUNT_MAX }
}
/** The same count as a column of another query. */
export const counting = (table: PgTable, where: SQL | undefined, most = COUNT_MAX, by?: PgColumn): SQL<number> =>
  sql<number>`(select count(*)::int from (select 1 from ${table} where ${where ?? sql`true`} ${by ? sql`order by ${by} desc` : sql``} limit ${most + 1}) counted)`
/** How many rows match, exactly up to `most`: what an export begins with. */
export const exactCount = async (db: Db, table: PgTable, where: SQL | undefined, most: number): Promise<number> =>
  (await db.execute<{ n: number }>(sql`select ${counting(table, where, most)} as n`)).rows[0]!.n

/** Where pages begin, as each reader last saw them: reading on is a keyset scan, whatever the page number. */
const beginnings = new Map<string, Map<number, readonly [unknown, number]>>()
const READERS_MAX = 2000
const remembered = (key: string) => {
  const known = beginnings.get(key) ?? new Map<number, readonly [unknown, number]>()
  beginnings.delete(key)
  beginnings.set(key, known)
  if (beginnings.size > READERS_MAX) beginnings.delete(beginnings.keys().next().value!)
  return known
}

type Keyed = PgTable & { id: PgColumn }
/**
 * One page of rows in the order of `by`, then id. `reader` names the list and who reads it: the keys of its last pages are remembered, so that
 * page n+1 begins after page n's last row and no row is skipped when the list moves. A jump to a page not seen yet scans the index from the nearest one.
 */
export const pageOf = async <T extends Keyed>(
  db: Db, table: T,
  of: { where: SQL | undefined; by: PgColumn; down?: boolean; page: number; pageSize: number; reader: string },
): Promise<T['$inferSelect'][]> => {
  const { by, page, pageSize } = of
  const known = remembered(`${of.reader}|${by.name}|${of.down ? 1 : 0}|${pageSize}`)
  if (page === 1) known.clear()
  let from = 1
  for (const seen of known.keys()) if (seen <= page && seen > from) from = seen
  let start = known.get(from)
  const direction = of.down ? desc : asc
  const order = [direction(by), direction(table.id)]
  const after = () => start && (of.down ? sql`(${by}, ${table.id}) < (${start[0]}, ${start[1]})` : sql`(${by}, ${table.id}) > (${start[0]}, ${start[1]})`)
  if (page > from) {
    // Only keys are stepped over, which an index holds; rows of what lies between are not read.
    const [key] = await db.select({ by, id: table.id }).from(table as PgTable).where(and(of.where, after())).orderBy(...order).limit(1).offset((page - from) * pageSize - 1)
    if (!key) return []
    start = [key.by, key.id as number]
  }
  const rows = (await db.select().from(table as PgTable).where(and(of.where, after())).orderBy(...order).limit(pageSize)) as T['$inferSelect'][]
  const last = rows.length === pageSize ? (rows.at(-1) as Record<string, unknown>) : undefined
  if (last) known.set(page + 1, [last[by.name], last.id as number])
  return rows
}
