import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { unix } from '#src/server/db/columns.ts'

/**
 * Which keys the codes of this database are under, by name alone: the keys lie in a file. A file
 * that lacks one of them is not this database's.
 */
export const secret_key = pgTable(
  'secret_key',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    key_id: text().notNull(),
    kind: text({ enum: ['hash', 'text'] }).notNull(),
    created_at: unix().notNull(),
  },
  t => [
    uniqueIndex('secret_key_once').on(t.key_id),
    // Codes are found by one hash: two keys for it could not refuse a code that is there already.
    uniqueIndex('secret_key_one_hash')
      .on(t.kind)
      .where(sql`kind = 'hash'`),
  ],
)
