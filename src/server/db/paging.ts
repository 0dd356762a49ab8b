import { and, getTableColumns, is, SQL, sql } from 'drizzle-orm'
import { PgBigInt53, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { COUNT_MAX } from '#src/domain/count.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ofDatabase, Recent } from './memory.ts'
import { oneOf } from './oneOf.ts'

/**
 * How many rows of `table` match, exactly up to COUNT_MAX; above it, `capped`. `by` counts the
 * newest by an index: of a log whose rows lie in the order of time, reading from its beginning
 * would find them last.
 */
export const countOf = async (
  db: Db,
  table: PgTable,
  where: SQL | undefined,
  by?: PgColumn,
): Promise<{ total: number; capped: boolean }> => {
  const counted = await db.execute<{ n: number }>(
    sql`select ${counting(table, where, COUNT_MAX, by)} as n`,
  )
  return capAt(counted.rows[0]!.n)
}
const capAt = (n: number) => ({ total: Math.min(n, COUNT_MAX), capped: n > COUNT_MAX })
/** The same count as a column of another query. */
export const counting = (
  table: PgTable,
  where: SQL | undefined,
  most = COUNT_MAX,
  by?: PgColumn,
): SQL<number> =>
  sql<number>`(select count(*)::int from (select 1 from ${table} where ${where ?? sql`true`} ${by ? sql`order by ${by} desc` : sql``} limit ${most + 1}) counted)`
const REMEMBERED_MAX = 2000
const totals = ofDatabase(() => new Recent<object>(REMEMBERED_MAX))
/**
 * What was counted with the first page of a list: reading on does not count again, it stands until
 * that page is read anew. `reader` names the list and who reads it, as for `pageOf`.
 */
export const keptTotals = async <T extends object>(
  db: Db,
  reader: string,
  first: boolean,
  count: () => Promise<T>,
): Promise<T> => {
  const before = first ? undefined : (totals(db).get(reader) as T | undefined)
  const counted = before ?? (await count())
  totals(db).set(reader, counted)
  return counted
}
const CAPPED_MS = 2000
const cappedUntil = ofDatabase(() => new Recent<number>(REMEMBERED_MAX))
/**
 * What holds more than a list counts is not counted again within two seconds, whoever asks: `of`
 * says of which list, by which filters and in whose places.
 */
export const countedLately = async (
  db: Db,
  of: string,
  count: () => Promise<{ total: number; capped: boolean }>,
): Promise<{ total: number; capped: boolean }> => {
  const capped = cappedUntil(db)
  if ((capped.get(of) ?? 0) > performance.now()) return capAt(COUNT_MAX + 1)
  const counted = await count()
  capped.delete(of)
  if (counted.capped) capped.set(of, performance.now() + CAPPED_MS)
  return counted
}
/** How many rows match, exactly up to `most`: what an export begins with. */
export const exactCount = async (
  db: Db,
  table: PgTable,
  where: SQL | undefined,
  most: number,
): Promise<number> =>
  (await db.execute<{ n: number }>(sql`select ${counting(table, where, most)} as n`)).rows[0]!.n

type Keyed = PgTable & { id: PgColumn }
/**
 * Other rows by which rows of a list are found, such as an order's items: `id` and `by` are the
 * list row's own, kept in each of them, so that they too lie in an index in the list's order.
 */
type Through = {
  table: PgTable
  id: PgColumn
  by: PgColumn
  where?: SQL | undefined
  /** Where the list's row is, where these rows know it too. */ at?: Place
}
type Place = { city_id: PgColumn; mall_id: PgColumn }
/**
 * Ways to be found, any of which is enough: each a condition, or a column with the values it may
 * have. Every way, and every value, is a scan of its own index in the list's order and stops where
 * the list does; a single condition that joins them with `or` would read all that any of them finds
 * before the first row is known.
 */
export type Among = readonly (
  | SQL
  | { column: PgColumn; values: readonly number[]; through?: Through }
  | { column?: undefined; through: Through }
)[]
type Sorted = { by: PgColumn; down?: boolean | undefined }
type Key = readonly [by: unknown, id: number]
/**
 * What rows must be. `own` is what the rows of a way through others say as well (their `where`),
 * and `placed` where the list's row is, or those others, if they know it: where nothing else is
 * asked, the list's own table is not read.
 */
type Asked = {
  own?: SQL | undefined
  where?: SQL | undefined
  placed?: ((at?: Place) => SQL | undefined) | undefined
  among?: Among | undefined
}
type From = Sorted & { after?: Key | undefined }
const beyond = ({ by, down, after }: From, id: PgColumn): SQL | undefined =>
  after && sql`(${by}, ${id}) ${sql.raw(down ? '<' : '>')} (${after[0]}, ${after[1]})`
const inOrder = ({ by, down }: Sorted, id: PgColumn): SQL => {
  const direction = sql.raw(down ? 'desc' : 'asc')
  return sql`order by ${by} ${direction}, ${id} ${direction}`
}
/**
 * A scan for ids, through other rows where a way goes through them; in order, and after a key,
 * where one is asked for.
 */
const scan = (
  table: Keyed,
  { own, where, placed }: Asked,
  from: From | undefined,
  { way, through }: { way?: SQL | undefined; through?: Through | undefined } = {},
): SQL => {
  const here = placed?.(through?.at)
  const itself = !through || where !== undefined || (here !== undefined && !through.at)
  const [by, id] = through ? [through.by, through.id] : [from?.by, table.id]
  const joined = itself ? sql` join ${table} on ${table.id} = ${id}` : sql``
  const rows = through ? sql`${through.table}${joined}` : sql`${table}`
  // Several of the other rows may be one row's.
  return sql`select ${through && from ? sql`distinct ` : sql``}${id} as id ${from ? sql`, ${by} as sorted_by` : sql``} from ${rows} where ${and(through?.where, itself ? own : undefined, where, here, way, from && beyond({ ...from, by: by! }, id)) ?? sql`true`} ${from ? inOrder({ ...from, by: by! }, id) : sql``}`
}
/**
 * One scan a way: of each value's the first `most` rows in order, or of the way's any `most`, or
 * all.
 */
const eachWay = (
  table: Keyed,
  of: Asked,
  from: From | undefined,
  most: number | undefined,
): SQL[] =>
  (of.among ?? []).map(way => {
    const limit = most === undefined ? sql`` : sql`limit ${most}`
    const [each, all] = from ? [limit, sql``] : [sql``, limit]
    if (is(way, SQL)) return sql`(${scan(table, of, from, { way })} ${limit})`
    const { through } = way
    if (way.column === undefined) return sql`(${scan(table, of, from, { through })} ${limit})`
    // The database knows how many rows have a single value; it must not be hidden from it.
    const [only, more] = way.values
    const single = only !== undefined && more === undefined
    const has = sql`${way.column} = ${single ? only : sql`one.value`}`
    const found = scan(table, of, from, { way: has, through })
    if (single) return sql`(${found} ${limit})`
    return sql`(select k.* from unnest(${sql.param(way.values)}::int[]) one(value) cross join lateral (${found} ${each}) k ${all})`
  })
/** The keys of rows in their order: the first `most` of them after a key and after so many more. */
const keysOf = (table: Keyed, of: Asked & From & { most: number; skip: number }): SQL => {
  const { most, skip } = of
  if (!of.among) return sql`${scan(table, of, of)} limit ${most} offset ${skip}`
  const direction = sql.raw(of.down ? 'desc' : 'asc')
  return sql`select k.* from (${sql.join(eachWay(table, of, of, most + skip), sql` union `)}) k order by k.sorted_by ${direction}, k.id ${direction} limit ${most} offset ${skip}`
}
/** The ids of rows found in several ways, in no order; one found twice stands there twice. */
const idsOf = (table: Keyed, of: Asked, most?: number): SQL =>
  sql`select k.id from (${sql.join(eachWay(table, of, undefined, most), sql` union all `)}) k`
/** How many rows are found in several ways, exactly up to COUNT_MAX. */
export const countAmong = async (
  db: Db,
  table: Keyed,
  of: Asked,
): Promise<{ total: number; capped: boolean }> => {
  if (of.among?.length === 0) return capAt(0)
  const most = 2 * (COUNT_MAX + 1)
  const found = async (ids: SQL) =>
    (
      await db.execute<{ n: number; raw: number }>(
        sql`select count(distinct id)::int as n, count(*)::int as raw from (${ids}) found`,
      )
    ).rows[0]!
  const { n, raw } = await found(idsOf(table, of, most))
  // So many of them twice that it can't be told from these.
  return capAt(n <= COUNT_MAX && raw >= most ? (await found(idsOf(table, of))).n : n)
}
/** To be found in any of these ways, as a condition: where no list is read in order. */
export const isAmong = (table: Keyed, of: Asked): SQL =>
  of.among?.length === 0 ? sql`false` : sql`${table.id} in (${idsOf(table, of)})`

const numbers = new WeakMap<PgTable, readonly string[]>()
/**
 * Whole rows, `but` for some columns, as `db.select()` would answer them: of a wide table, looking
 * at each value for what to make of it takes longer than reading them.
 */
const wholeRows = async (
  db: Db,
  table: PgTable,
  but: readonly string[],
  rest: SQL,
): Promise<Record<string, unknown>[]> => {
  const big =
    numbers.get(table) ??
    Object.values(getTableColumns(table))
      .filter(column => is(column, PgBigInt53))
      .map(column => column.name)
  numbers.set(table, big)
  // Each by its name: what is planned once outlives a column that another server's migration adds.
  const read = Object.values(getTableColumns(table))
    .filter(column => !but.includes(column.name))
    .map(column => `"${column.name}"`)
    .join(', ')
  const { rows } = await db.execute(sql`select ${sql.raw(read)} from ${table} ${rest}`)
  // What may be beyond a double comes as text; no second and no cent of ours is.
  for (const row of rows)
    for (const name of big) if (row[name] != null) row[name] = Number(row[name])
  return rows
}

/** Rows by their ids, in that order; what is gone by now is left out. */
const rowsOf = async (
  db: Db,
  table: Keyed,
  but: readonly string[],
  ids: readonly number[],
): Promise<Record<string, unknown>[]> => {
  if (ids.length === 0) return []
  const rows = await wholeRows(db, table, but, sql`where ${oneOf(table.id, ids)}`)
  const byId = new Map(rows.map(row => [row['id'], row]))
  return ids.map(id => byId.get(id)).filter(row => row !== undefined)
}

type Page = { rows: Record<string, unknown>[]; /** Where the next one begins. */ last?: Key }
type PageAsked = Asked & From & { pageSize: number; but: readonly string[] }
const pageAtOnce = async (db: Db, table: Keyed, of: PageAsked): Promise<Page> => {
  const { by, pageSize } = of
  const where = and(of.own, of.where, of.placed?.(), beyond(of, table.id))
  const direction = sql.raw(of.down ? 'desc' : 'asc')
  const order = sql`order by ${by} ${direction}, ${table.id} ${direction}`
  const rest = sql`where ${where ?? sql`true`} ${order} limit ${pageSize}`
  const rows = await wholeRows(db, table, of.but, rest)
  const last = rows.length === pageSize ? rows.at(-1) : undefined
  return { rows, ...(last && { last: [last[by.name], last['id'] as number] as const }) }
}
/**
 * The keys first: an index that holds what is asked for answers them alone. The rows then by their
 * ids, whatever the list is asked for: that is planned once, and planning the list of a wide table
 * takes longer than reading a page of it.
 */
const pageByKeys = async (db: Db, table: Keyed, of: PageAsked, keys: SQL): Promise<Page> => {
  const found = (await db.execute<{ id: number; sorted_by: unknown }>(keys)).rows
  const ids = found.map(({ id }) => id)
  const last = found.length === of.pageSize ? found.at(-1) : undefined
  return {
    rows: await rowsOf(db, table, of.but, ids),
    ...(last && { last: [last.sorted_by, last.id] as const }),
  }
}

/**
 * A page of rows as they are shown, and how many rows there are in all: counted while what stands
 * beside them is read. A first page that is not full is all there is; nothing is counted then.
 */
export const listed = async <Shown>(
  { page, pageSize }: { page: number; pageSize: number },
  rows: readonly unknown[],
  shown: Shown[] | Promise<Shown[]>,
  count: () => Promise<{ total: number; capped: boolean }>,
): Promise<{ list: Shown[]; total: number; capped?: true }> => {
  const [list, { total, capped }] = await Promise.all([
    shown,
    page === 1 && rows.length < pageSize ? { total: rows.length, capped: false } : count(),
  ])
  return { list, total, ...(capped && { capped }) }
}

/**
 * Where pages begin, as each reader last saw them: reading on is a keyset scan, whatever the page
 * number.
 */
const beginnings = ofDatabase(() => new Recent<Map<number, Key>>(REMEMBERED_MAX))
const remembered = (db: Db, key: string) =>
  beginnings(db).get(key) ?? beginnings(db).set(key, new Map<number, Key>())

/**
 * One page of rows in the order of `by`, then id. `reader` names the list and who reads it: the
 * keys of its last pages are remembered, so that page n+1 begins after page n's last row and no row
 * is skipped when the list moves. A jump to a page not seen yet scans the index from the nearest
 * one.
 */
export const pageOf = async <T extends Keyed, But extends keyof T['$inferSelect'] & string = never>(
  db: Db,
  table: T,
  of: Sorted &
    Asked & {
      page: number
      pageSize: number
      reader: string
      /** Columns that the list does not show and are dear to read. */ but?: readonly But[]
      /** Rows lie in the list's order, and no index holds more than finds them: they are read with their keys. */ atOnce?: true
    },
): Promise<Omit<T['$inferSelect'], But>[]> => {
  const { by, page, pageSize, but = [] } = of
  if (of.among?.length === 0) return []
  const known = remembered(db, `${of.reader}|${by.name}|${of.down ? 1 : 0}|${pageSize}`)
  if (page === 1) known.clear()
  let from = 1
  for (const seen of known.keys()) if (seen <= page && seen > from) from = seen
  let start = known.get(from)
  const keys = (most: number, skip = 0) => keysOf(table, { ...of, after: start, most, skip })
  if (page > from) {
    // Only keys are stepped over, which an index holds; rows of what lies between are not read.
    const [key] = (
      await db.execute<{ id: number; sorted_by: unknown }>(keys(1, (page - from) * pageSize - 1))
    ).rows
    if (!key) return []
    start = [key.sorted_by, key.id]
  }
  const read = of.atOnce && !of.among ? pageAtOnce : pageByKeys
  const { rows, last } = await read(db, table, { ...of, after: start, but }, keys(pageSize))
  if (last) known.set(page + 1, last)
  return rows as Omit<T['$inferSelect'], But>[]
}
