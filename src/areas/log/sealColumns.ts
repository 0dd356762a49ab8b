import { bigint, customType, integer, varchar } from 'drizzle-orm/pg-core'
import { unix } from '#src/server/db/columns.ts'

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
