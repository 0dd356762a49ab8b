import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, varchar } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { base, unix } from '#src/server/db/columns.ts'

/** 可撤销的操作: what takes a change back, kept in the change's own transaction until its window ends. */
export const undo_entry = pgTable(
  'undo_entry',
  {
    ...base,
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    /** Method and path of what was done, and of the call that takes it back with `input`. */
    call: varchar({ length: 96 }).notNull(),
    inverse: varchar({ length: 96 }).notNull(),
    input: jsonb().notNull(),
    /** The parts of one bulk share it; it is the head of their idempotency keys. */
    bulk: varchar({ length: 255 }),
    label: varchar({ length: 64 }).notNull(),
    rows: integer().notNull(),
    until: unix().notNull(),
    state: varchar({ length: 8, enum: ['kept', 'undone'] })
      .notNull()
      .default('kept'),
    undone_at: unix(),
  },
  t => [
    index('undo_by_admin')
      .on(t.admin_id, t.id)
      .where(sql`state = 'kept'`),
    index('undo_by_bulk')
      .on(t.admin_id, t.bulk)
      .where(sql`bulk is not null`),
    index('undo_by_end').on(t.until),
  ],
)
