import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { base, cents, unix } from '#src/server/db/columns.ts'
import { store } from './merchant.table.ts'

/**
 * BD 管辖: who looked after a store from when until when. The present one has no end; of each store
 * there is one such at most, and one begins at the second in which the one before ends.
 */
export const bd_assignment = pgTable(
  'bd_assignment',
  {
    ...base,
    store_id: integer()
      .notNull()
      .references(() => store.id),
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    start_at: unix().notNull(),
    end_at: unix(),
    reason: text().notNull().default(''),
    /** The person who gave it to them; none where a leaving did. */
    by_id: integer().references(() => admin.id),
  },
  t => [
    check('bd_assignment_span', sql`${t.end_at} is null or ${t.end_at} >= ${t.start_at}`),
    uniqueIndex('bd_assignment_current')
      .on(t.store_id)
      .where(sql`end_at is null`),
    index('bd_assignment_by_store').on(t.store_id, t.start_at),
    index('bd_assignment_by_admin').on(t.admin_id, t.end_at, t.store_id),
  ],
)

/** BD 月度目标. */
export const bd_target = pgTable(
  'bd_target',
  {
    ...base,
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    month: integer().notNull(),
    gmv_target_cents: cents().notNull(),
    new_store_target: integer().notNull(),
  },
  t => [uniqueIndex('bd_target_once').on(t.admin_id, t.month)],
)
