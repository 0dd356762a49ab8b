/**
 * The kinds of row that stand somewhere. What places a kind is said once, beside its table's
 * services, and read by the guard of calls (scoped.ts), by the history of an object and by handlers:
 *
 * ```ts
 * defineKinds({ order: at('order', { city: 't.city_id', mall: 't.mall_id' }) })
 * ```
 *
 * A contract names a kind by its word (`scope: placed('order', 'id')`); a word that nobody defined
 * keeps the server from starting.
 */
import { and, sql, type SQL } from 'drizzle-orm'
import type { Db, Staff } from './implement.ts'
import { within } from './scope.ts'

type Reader = Pick<Staff, 'id' | 'scope'>
export type Kind = {
  from: SQL
  /** The column of its ids, as `from` calls it. */
  id: SQL
  /** True of a row that the person sees; undefined for a person who sees all. */
  mine: (staff: Reader) => SQL | undefined
}
/** Where the rows of a table, called t, stand. `…s` is a query that finds several. */
export type Where = {
  city?: string
  cities?: string
  mall?: string
  malls?: string
  owner?: string
  /** True of rows that are everybody's, wherever they see anything. */
  shared?: string
}

/** A kind of row by the SQL expressions that place it in its table, which they call t. */
export const at = (table: string, { city, cities, mall, malls, owner, shared }: Where): Kind => ({
  from: sql.raw(`"${table}" t`),
  id: sql.raw('t.id'),
  mine: ({ scope }) => {
    const placed = within(scope, {
      ...(city && { city: sql.raw(city) }),
      ...(cities && { city: { several: sql.raw(cities) } }),
      ...(mall && { mall: sql.raw(mall) }),
      ...(malls && { mall: { several: sql.raw(malls) } }),
      ...(owner && { owner: sql.raw(owner) }),
    })
    return placed && shared ? sql`(${sql.raw(shared)} or ${placed})` : placed
  },
})

const known = new Map<string, Kind>()
/** Says what places some kinds of row. A word has one meaning. */
export const defineKinds = (kinds: Readonly<Record<string, Kind>>): void => {
  for (const [word, kind] of Object.entries(kinds)) {
    if (known.has(word)) throw new Error(`The kind of row ${word} is defined twice`)
    known.set(word, kind)
  }
}
export const kindNamed = (word: string): Kind | undefined => known.get(word)

/**
 * Those of the ids whose row the person may not see. One that is not there is none of theirs either:
 * an answer must not tell it from a row of others.
 */
export const outside = async (
  db: Db,
  staff: Reader,
  word: string,
  ids: readonly number[],
): Promise<number[]> => {
  const kind = known.get(word)
  if (!kind) throw new Error(`No kind of row is called ${word}`)
  const mine = kind.mine(staff)
  if (!mine || ids.length === 0) return []
  const { rows } = await db.execute<{ id: number }>(
    sql`select ${kind.id} as id from ${kind.from} where ${and(sql`${kind.id} = any(${sql.param(`{${ids.join()}}`)}::int[])`, mine)}`,
  )
  const seen = new Set(rows.map(row => row.id))
  return ids.filter(id => !seen.has(id))
}
