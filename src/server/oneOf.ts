import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** Whether a number is one of these: one parameter however many they are, where `inArray` writes and reads one for each. */
export const oneOf = (column: PgColumn, ids: Iterable<number>): SQL => sql`${column} = any(${sql.param([...ids])}::int[])`
