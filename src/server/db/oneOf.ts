import { Placeholder, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/**
 * Says of a query that it finds its rows by their keys alone: a connection plans it once and not
 * each time (`db/database.ts`). Not for lists, whose best plan depends on what is asked for.
 */
export const planned = sql.raw('/* planned once */')
/**
 * Whether a number is one of these: one parameter however many they are (or the name of a list that
 * is filled in later), where `inArray` writes and reads one for each. A query with it is `planned`
 * once.
 */
export const oneOf = (column: PgColumn | SQL, ids: Iterable<number> | Placeholder): SQL =>
  sql`${column} = any(${ids instanceof Placeholder ? ids : sql.param([...ids])}::int[]) ${planned}`
