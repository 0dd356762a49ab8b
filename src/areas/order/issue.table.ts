import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { base, unix } from '#src/server/db/columns.ts'
import { order, order_item } from './order.table.ts'

/**
 * 发放记录: what a channel was asked to issue, each under a number of its own. Of one item at most one
 * is under way or done.
 */
export const issue_attempt = pgTable(
  'issue_attempt',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    item_id: integer()
      .notNull()
      .references(() => order_item.id),
    out_no: text().notNull(),
    state: text({ enum: ['pending', 'success', 'failed'] }).notNull(),
    /** What the channel said last, in its own words; of a success its number. */
    answer: text().notNull().default(''),
    channel_no: text(),
    tries: integer().notNull().default(0),
    ask_at: unix(),
    answered_at: unix(),
    /** The member of staff who asked for it again, and why. */
    asked_by: integer(),
    reason: text(),
  },
  t => [
    uniqueIndex('issue_attempt_no_once').on(t.out_no),
    uniqueIndex('issue_attempt_one')
      .on(t.item_id)
      .where(sql`state in ('pending', 'success')`),
    index('issue_attempt_by_order').on(t.order_id),
    index('issue_attempt_waiting')
      .on(t.ask_at)
      .where(sql`state = 'pending'`),
  ],
)
