import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { feeBearers, lineStates, type FeeBearer, type LineState } from './settle.ts'

/**
 * 结算明细: one row per sold unit: a code, one use of a code that has several, one piece of goods;
 * unit 0 is the freight of the order.
 * Its parts are those of the moment it was paid; what refunds took of them since stands in
 * `gone_…`, so that what is left is the difference.
 */
export const settle_line = pgTable(
  'settle_line',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    item_id: integer()
      .notNull()
      .references(() => order_item.id),
    unit_no: integer().notNull(),
    order_kind: varchar({ length: 16 }).notNull(),
    verify_code_id: integer(),
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    store_id: integer()
      .notNull()
      .references(() => store.id),
    mall_id: integer().notNull(),
    city_id: integer().notNull(),
    /** price = cash + balance + ecard + points + platform and mall subsidy + merchant discount. */
    price_cents: cents().notNull(),
    /** What came by a payment channel. */
    cash_cents: cents().notNull().default(0),
    balance_cents: cents().notNull().default(0),
    ecard_cents: cents().notNull().default(0),
    points_cents: cents().notNull().default(0),
    platform_subsidy_cents: cents().notNull().default(0),
    mall_subsidy_cents: cents().notNull().default(0),
    merchant_discount_cents: cents().notNull().default(0),
    /** price - discount = commission + merchant + (fee, sellers, where the merchant bears them). */
    base_cents: cents().notNull().default(0),
    commission_cents: cents().notNull(),
    /** The channel's fee on what was paid. */
    fee_cents: cents().notNull(),
    fee_bearer: text({ enum: keys<FeeBearer>(feeBearers) })
      .notNull()
      .default('platform'),
    merchant_cents: cents().notNull(),
    /** What sellers earn of it (dist_commission), and which side bears that. */
    distributor_cents: cents().notNull().default(0),
    distributor_bearer: text({ enum: keys<FeeBearer>(feeBearers) })
      .notNull()
      .default('platform'),
    refunded_user_cents: cents().notNull().default(0),
    gone_base_cents: cents().notNull().default(0),
    gone_commission_cents: cents().notNull().default(0),
    gone_fee_cents: cents().notNull().default(0),
    gone_merchant_cents: cents().notNull().default(0),
    gone_distributor_cents: cents().notNull().default(0),
    status: text({ enum: keys<LineState>(lineStates) }).notNull(),
    paid_at: unix(),
    verified_at: unix(),
    /** The redemption that used it, and the refund that its unit went back with. */
    verify_id: integer(),
    refund_id: integer(),
    freeze_until_at: unix(),
    /** Kept out of batches by a person until released. */
    held: boolean().notNull().default(false),
    hold_reason: varchar({ length: 200 }).notNull().default(''),
    held_by: integer().references(() => admin.id),
    /** The live batch it is in; null once that is void. */
    batch_id: integer(),
    settled_at: unix(),
  },
  t => [
    check(
      'settle_line_gone',
      sql`${t.gone_base_cents} between 0 and ${t.base_cents} and ${t.gone_merchant_cents} between 0 and ${t.merchant_cents} and ${t.gone_commission_cents} between 0 and ${t.commission_cents} and ${t.gone_distributor_cents} between 0 and ${t.distributor_cents}`,
    ),
    uniqueIndex('settle_line_once').on(t.order_id, t.item_id, t.unit_no),
    // The overview of money adds up months of lines by it alone.
    index('settle_line_by_time').on(t.created_at, t.status, t.order_kind, t.price_cents),
    index('settle_line_by_payment').on(t.paid_at, t.status),
    index('settle_line_by_settling').on(t.settled_at),
    index('settle_line_by_status').on(t.status, t.id),
    index('settle_line_by_city').on(t.city_id, t.id),
    index('settle_line_by_mall').on(t.mall_id, t.id),
    index('settle_line_held')
      .on(t.id)
      .where(sql`held`),
    index('settle_line_by_merchant').on(t.merchant_id, t.status),
    index('settle_line_to_settle')
      .on(t.store_id)
      .where(sql`status in ('not_settled', 'freezing')`),
    index('settle_line_by_use')
      .on(t.verify_id)
      .where(sql`verify_id is not null`),
    index('settle_line_by_batch')
      .on(t.batch_id, t.id)
      .where(sql`batch_id is not null`),
  ],
)
