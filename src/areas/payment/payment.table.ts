import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { order } from '#src/areas/order/order.table.ts'
import { payWays, type PayWay } from '#src/areas/order/order.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'

/** 支付流水: money in, and money back out of what came in. */
export const payment = pgTable(
  'payment',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    refund_id: integer().references(() => refund.id),
    direction: text({ enum: ['in', 'out'] }).notNull(),
    stage: text({ enum: ['full', 'deposit', 'balance', 'refund'] }).notNull(),
    channel: text({ enum: keys<PayWay>(payWays) }).notNull(),
    amount_cents: cents().notNull(),
    fee_cents: cents().notNull().default(0),
    /** Our number: the channel pays it once however often it is sent. */
    out_no: text().notNull(),
    channel_no: text(),
    /** The payment that money out goes back to. */
    parent_id: integer(),
    state: text({ enum: ['pending', 'success', 'failed', 'closed'] }).notNull(),
    fail_code: text(),
    fail_text: text(),
    tries: integer().notNull().default(0),
    /** How often the channel refused it. */
    fails: integer().notNull().default(0),
    /** When the channel is asked next. */
    ask_at: unix(),
    success_at: unix(),
  },
  t => [
    uniqueIndex('payment_no_once').on(t.out_no),
    uniqueIndex('payment_out_once')
      .on(t.refund_id, t.parent_id)
      .where(sql`direction = 'out' and state in ('pending', 'success')`),
    index('payment_by_order').on(t.order_id),
    // What moved on a day: bills of channels are compared with it.
    index('payment_by_success')
      .on(t.success_at)
      .where(sql`state = 'success'`),
    index('payment_by_channel_no')
      .on(t.channel_no)
      .where(sql`channel_no is not null`),
    index('payment_by_refund')
      .on(t.refund_id)
      .where(sql`refund_id is not null`),
    index('payment_refused')
      .on(t.refund_id)
      .where(sql`fails > 0`),
    index('payment_waiting')
      .on(t.ask_at)
      .where(sql`state = 'pending' and direction = 'out'`),
  ],
)
