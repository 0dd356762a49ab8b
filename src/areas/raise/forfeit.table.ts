import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { order } from '#src/areas/order/order.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { raise_batch } from './raise.table.ts'
import { forfeitCauses, type ForfeitCause } from './raise.ts'

/**
 * 定金收入: a deposit that its buyer does not get back, and who has how much of it. One that was given
 * back after all stays, marked so.
 */
export const deposit_forfeit = pgTable(
  'deposit_forfeit',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    batch_id: integer()
      .notNull()
      .references(() => raise_batch.id),
    /** The refund that left it behind; null where the balance was not paid. */
    refund_id: integer().references(() => refund.id),
    merchant_id: integer().notNull(),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    cause: text({ enum: keys<ForfeitCause>(forfeitCauses) }).notNull(),
    amount_cents: cents().notNull(),
    merchant_cents: cents().notNull(),
    platform_cents: cents().notNull(),
    state: text({ enum: ['valid', 'returned'] })
      .notNull()
      .default('valid'),
    returned_at: unix(),
  },
  t => [
    check(
      'deposit_forfeit_split',
      sql`${t.amount_cents} > 0 and ${t.merchant_cents} + ${t.platform_cents} = ${t.amount_cents}`,
    ),
    uniqueIndex('deposit_forfeit_timeout_once')
      .on(t.order_id)
      .where(sql`refund_id is null`),
    uniqueIndex('deposit_forfeit_refund_once')
      .on(t.refund_id)
      .where(sql`refund_id is not null`),
    index('deposit_forfeit_by_order').on(t.order_id),
    index('deposit_forfeit_by_batch').on(t.batch_id),
    index('deposit_forfeit_by_merchant').on(t.merchant_id, t.created_at),
  ],
)
