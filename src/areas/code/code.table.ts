import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { order, order_item } from '#src/areas/order/order.table.ts'
import {
  codeStates,
  orderKinds,
  settleStates,
  timesAskStates,
  type CodeState,
  type OrderKind,
  type SettleState,
  type TimesAskState,
} from '#src/areas/order/order.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'

export const order_code = pgTable(
  'order_code',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    item_id: integer()
      .notNull()
      .references(() => order_item.id),
    product_id: integer().notNull(),
    code: text().notNull(),
    kind: text({
      enum: ['bulks', 'roll_buy', 'card', 'voucher', 'pickup', 'combo', 'points', 'visitor'],
    }).notNull(),
    /** When its order was placed: lists of orders find it here in their order. */
    ordered_at: unix().notNull(),
    times_total: integer().notNull(),
    times_bonus: integer().notNull().default(0),
    times_used: integer().notNull().default(0),
    times_refunding: integer().notNull().default(0),
    times_refunded: integer().notNull().default(0),
    pay_cents: cents().notNull(),
    platform_cents: cents().notNull().default(0),
    settle_cents: cents().notNull(),
    refunded_cents: cents().notNull().default(0),
    /**
     * Paid times that are neither used nor refunded nor in refund, and what they are worth: the
     * last of them takes the rest, so that all sums meet to the cent.
     */
    left_times: integer().notNull(),
    left_pay_cents: cents().notNull(),
    left_platform_cents: cents().notNull().default(0),
    left_settle_cents: cents().notNull(),
    /** The person who holds it now, when it was given away. */
    holder_id: integer(),
    gift_state: text({ enum: ['none', 'sent', 'received'] })
      .notNull()
      .default('none'),
    /** Days that it stays valid after its first use; what its validity was before that. */
    first_use_days: integer(),
    valid_before_use: unix(),
    valid_from: unix().notNull(),
    valid_until: unix().notNull(),
    state: text({ enum: keys<CodeState>(codeStates) }).notNull(),
  },
  t => [
    check(
      'order_code_left',
      sql`${t.left_times} >= 0 and ${t.left_pay_cents} >= 0 and ${t.left_platform_cents} >= 0 and ${t.left_settle_cents} >= 0 and (${t.left_times} > 0 or ${t.left_pay_cents} = 0)`,
    ),
    check(
      'order_code_times',
      sql`${t.times_used} + ${t.times_refunding} + ${t.times_refunded} <= ${t.times_total} + ${t.times_bonus}`,
    ),
    uniqueIndex('order_code_once').on(t.code),
    index('order_code_by_order').on(t.order_id),
    index('order_code_by_product').on(t.product_id, t.state, t.valid_until),
    index('order_code_promised')
      .on(t.product_id, t.valid_until)
      .where(sql`state in ('locked', 'unused', 'part_used')`),
    index('order_code_gifted')
      .on(t.kind, t.ordered_at, t.order_id)
      .where(sql`gift_state = 'sent'`),
    index('order_code_lying')
      .on(t.order_id)
      .where(sql`state = 'expired' and left_times > 0`),
    index('order_code_to_expire')
      .on(t.valid_until)
      .where(sql`state in ('unused', 'part_used')`),
  ],
)

export const verify_record = pgTable(
  'verify_record',
  {
    ...base,
    code_id: integer()
      .notNull()
      .references(() => order_code.id),
    order_id: integer().notNull(),
    /** When its order was placed: by it an order is found through what was redeemed of it. */
    ordered_at: unix().notNull(),
    item_id: integer().notNull(),
    product_id: integer().notNull(),
    kind: text({ enum: keys<OrderKind>(orderKinds) }).notNull(),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    store_id: integer().notNull(),
    way: text({ enum: ['scan', 'input', 'platform', 'api', 'auto'] }).notNull(),
    /** The clerk who redeemed it; null for the platform's own and automatic ones. */
    verifier_id: integer(),
    /** The member of staff who redeemed it for the store: the same person may not reverse it. */
    admin_id: integer(),
    times: integer().notNull(),
    /**
     * Those of the times that were paid for; the others were given on top and are worth nothing.
     */
    paid_times: integer().notNull(),
    pay_cents: cents().notNull(),
    platform_cents: cents().notNull().default(0),
    commission_cents: cents().notNull(),
    settle_cents: cents().notNull(),
    /** The bill that a voucher was used for. */
    bill_no: text(),
    bill_cents: cents(),
    /** Whether further ones that hold are on its bill: of one store, number and Shanghai day. */
    bill_many: boolean().notNull().default(false),
    distance_m: integer(),
    abnormal: boolean().notNull().default(false),
    abnormal_reason: text(),
    state: text({ enum: ['valid', 'reversed'] }).notNull(),
    verified_at: unix().notNull(),
    reversed_at: unix(),
    reversed_by: integer(),
    reverse_reason: text(),
    settle_state: text({ enum: keys<SettleState>(settleStates) })
      .notNull()
      .default('holding'),
    /** Until then the money is on hold. */
    hold_until: unix().notNull(),
  },
  t => [
    index('verify_by_time').on(t.verified_at, t.city_id),
    index('verify_by_store').on(t.store_id, t.kind, t.verified_at),
    index('verify_by_code').on(t.code_id),
    index('verify_by_verifier').on(t.verifier_id, t.verified_at),
    index('verify_by_order').on(t.order_id),
    index('verify_by_kind').on(t.kind, t.verified_at, t.id),
    index('verify_by_settle').on(t.kind, t.settle_state, t.verified_at, t.id),
    index('verify_far')
      .on(t.kind, t.verified_at)
      .where(sql`distance_m > 1000`),
    index('verify_by_bill')
      .on(t.store_id, t.bill_no)
      .where(sql`bill_no is not null`),
    index('verify_many_on_bill')
      .on(t.kind, t.ordered_at, t.order_id, t.city_id, t.mall_id)
      .where(sql`bill_many and state = 'valid'`),
    index('verify_abnormal')
      .on(t.kind, t.verified_at)
      .where(sql`abnormal`),
    index('verify_abnormal_of_order')
      .on(t.kind, t.ordered_at, t.order_id, t.city_id, t.mall_id)
      .where(sql`abnormal`),
    index('verify_held')
      .on(t.hold_until)
      .where(sql`settle_state = 'holding'`),
  ],
)

/**
 * Uses of a card that would be given on top, above the limit of whoever asks: another person
 * agrees, or not.
 */
export const times_ask = pgTable(
  'times_ask',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    /** When its order was placed. */
    ordered_at: unix().notNull(),
    code_id: integer()
      .notNull()
      .references(() => order_code.id),
    times: integer().notNull(),
    /** What they were worth when they were asked for, with all that had been given before. */
    worth_cents: cents().notNull(),
    state: text({ enum: keys<TimesAskState>(timesAskStates) }).notNull(),
    first_by: integer().notNull(),
    reason: text().notNull(),
    second_by: integer(),
    second_reason: text(),
  },
  t => [
    check('times_ask_second_is_another', sql`${t.second_by} <> ${t.first_by}`),
    uniqueIndex('times_ask_once')
      .on(t.order_id)
      .where(sql`state = 'asked'`),
    index('times_ask_by_order').on(t.order_id, t.id),
    index('times_ask_asked')
      .on(t.ordered_at, t.order_id)
      .where(sql`state = 'asked'`),
  ],
)
