import { sql } from 'drizzle-orm'
import { bigint, customType, integer, varchar } from 'drizzle-orm/pg-core'
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

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })
/** What a table of seals has: the rows that each covers, and the chain of their hashes. */
export const sealColumns = () => ({
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  created_at: unix().notNull(),
  to_xid: bigint({ mode: 'number' }).notNull(),
  to_id: integer().notNull(),
  /** The rows covered, in order, and the 32-byte digest of each, one after the other. */
  ids: integer().array().notNull(),
  digests: bytea().notNull(),
  prev_hash: varchar({ length: 64 }).notNull(),
  hash: varchar({ length: 64 }).notNull().unique(),
})
