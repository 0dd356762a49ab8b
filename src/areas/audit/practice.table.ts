import { integer, jsonb, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { base, unix } from '#src/server/db/columns.ts'
import type { RejectCode } from './audit.ts'
import type { PracticeVerdict } from './practice.ts'

/** One submission of a round. `open`: taken back, to be decided once more. */
export type PracticeAnswer = {
  id: number
  verdict: PracticeVerdict
  codes: RejectCode[]
  right: boolean
  first: boolean
  seconds: number
  by: 'keys' | 'mouse'
  at: number
  tries: number
  open?: boolean
}

/**
 * 练习审核: what one person decided in one round. The submissions are made anew from person and round;
 * nothing else of them is kept.
 */
export const practice_round = pgTable(
  'practice_round',
  {
    ...base,
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    round: integer().notNull(),
    /** In the order of the decisions. */
    answers: jsonb().$type<PracticeAnswer[]>().notNull().default([]),
    /** Submission → until when it is claimed. */
    claims: jsonb().$type<Record<number, number>>().notNull().default({}),
    finished_at: unix(),
  },
  t => [uniqueIndex('practice_round_once').on(t.admin_id, t.round)],
)
