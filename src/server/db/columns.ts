import { sql } from 'drizzle-orm'
import { bigint, integer } from 'drizzle-orm/pg-core'
import { unixNow } from '#src/domain/time.ts'

/** Unix seconds. */
export const unix = () => bigint({ mode: 'number' })
/** Integer cents. */
export const cents = () => bigint({ mode: 'number' })
/** The keys of a table of words, for a column that holds one of them. */
export const keys = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]]

// A cast would round up to a second that has not come yet.
const now = sql`floor(extract(epoch from now()))::bigint`
/**
 * What every table has: id, created_at and updated_at (unix seconds), version (optimistic lock: a
 * write carrying an old one answers 409).
 */
export const base = {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  created_at: unix().notNull().default(now),
  updated_at: unix().notNull().default(now).$onUpdateFn(unixNow),
  version: integer().notNull().default(0),
}
