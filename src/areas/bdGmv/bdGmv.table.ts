import { integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { base, unix } from '#src/server/db/columns.ts'
import type { GmvSums } from './bdGmv.ts'

/** BD 月度业绩: a month that was locked, with its result as it stood then. */
export const bd_month = pgTable(
  'bd_month',
  {
    ...base,
    month: integer().notNull(),
    state: text({ enum: ['locked', 'open'] }).notNull(),
    /** By person; null for stores without one. */
    rows: jsonb().$type<(GmvSums & { admin_id: number | null })[]>().notNull(),
    locked_at: unix().notNull(),
    by_admin: integer()
      .notNull()
      .references(() => admin.id),
  },
  t => [uniqueIndex('bd_month_once').on(t.month)],
)
