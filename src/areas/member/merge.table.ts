import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import type { MovedPoints } from '#src/areas/points/points.server.ts'
import type { MovedCustomer } from '#src/areas/wecom/matching.server.ts'
import { base, unix } from '#src/server/db/columns.ts'
import { member } from './member.table.ts'

/** Rows of a table that changed hands, by their ids. */
export type MovedRows = { table: string; column: string; ids: number[] }
/** All that a merge moved: what taking it back moves the other way. */
export type MergeTrail = {
  rows: MovedRows[]
  points: MovedPoints
  growth: number
  bindings: { ended: number[]; moved: number[] }
  sellers: number[]
  customer: MovedCustomer | null
  /** Subsidy plans that refuse the kept member only since. */
  plans: number[]
  /** Tags that the kept member had not. */
  tags: number[]
  /** Money of the balance, and of open withdrawals (cents). */
  balance_cents: number
  withdrawing_cents: number
  withdrawals: number[]
}
/** 会员合并: who went into whom, what moved, and whether it was taken back. */
export const member_merge = pgTable(
  'member_merge',
  {
    ...base,
    from_id: integer()
      .notNull()
      .references(() => member.id),
    to_id: integer()
      .notNull()
      .references(() => member.id),
    by_id: integer()
      .notNull()
      .references(() => admin.id),
    reason: varchar({ length: 255 }).notNull(),
    merged_at: unix().notNull(),
    trail: jsonb().$type<MergeTrail>(),
    undone_at: unix(),
    undone_by: integer().references(() => admin.id),
    undo_reason: varchar({ length: 255 }).notNull().default(''),
  },
  t => [
    check('member_merge_two', sql`${t.from_id} <> ${t.to_id}`),
    check('member_merge_undone', sql`(${t.undone_at} is null) = (${t.undone_by} is null)`),
    uniqueIndex('member_merge_once')
      .on(t.from_id)
      .where(sql`undone_at is null`),
    index('member_merge_by_kept').on(t.to_id, t.id),
  ],
)
