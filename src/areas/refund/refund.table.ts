import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { order_code } from '#src/areas/code/code.table.ts'
import { return_address } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { orderKinds, type OrderKind } from '#src/areas/order/order.ts'
import type { ReturnTrack } from '#src/areas/shipping/track.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  refundCauses,
  refundSources,
  refundStates,
  refundTypes,
  returnConditions,
  type RefundCause,
  type RefundSource,
  type RefundState,
  type RefundType,
  type ReturnCondition,
} from './refund.ts'

/** 退款/售后单: what is asked back, decided and paid out; its steps are in refund.ts. */
export const refund = pgTable(
  'refund',
  {
    ...base,
    refund_no: text().notNull(),
    order_id: integer()
      .notNull()
      .references(() => order.id),
    order_kind: text({ enum: keys<OrderKind>(orderKinds) }).notNull(),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    merchant_id: integer().notNull(),
    member_id: integer(),
    type: text({ enum: keys<RefundType>(refundTypes) }).notNull(),
    source: text({ enum: keys<RefundSource>(refundSources) }).notNull(),
    cause: text({ enum: keys<RefundCause>(refundCauses) }).notNull(),
    reason_code: text(),
    reason: text().notNull(),
    images: jsonb().$type<string[]>().notNull().default([]),
    amount_cents: cents().notNull(),
    freight_cents: cents().notNull().default(0),
    /**
     * The most that it may pay back: what its units are worth, and the freight where that is owed.
     */
    cap_cents: cents().notNull(),
    /** The one payment that it goes back to; null: to all in proportion to what is left on each. */
    payment_id: integer(),
    /** The part of a deposit that stays with the seller, as was promised. */
    kept_cents: cents().notNull().default(0),
    coupon_back: boolean().notNull().default(false),
    /** A bundle is given back though its policy says no, which a second person agrees to. */
    policy_override: boolean().notNull().default(false),
    points_back: integer().notNull().default(0),
    state: text({ enum: keys<RefundState>(refundStates) }).notNull(),
    /** The person who works on it, until `claim_until`. */
    claimed_by: integer(),
    claim_until: unix(),
    first_by: integer(),
    second_by: integer(),
    decided_at: unix(),
    reject_code: text(),
    reject_reason: text(),
    return_address_id: integer().references(() => return_address.id),
    return_courier: text(),
    return_tracking_no: text(),
    /** Where the courier says it is; null until its number is known. */
    return_track: jsonb().$type<ReturnTrack | null>(),
    return_received_at: unix(),
    return_condition: text({ enum: keys<ReturnCondition>(returnConditions) }),
    deadline_at: unix().notNull(),
    /** The platform decides in the merchant's place. */
    intervened: boolean().notNull().default(false),
    /**
     * Paid by hand: asked for by `first_by`, agreed to by `second_by`; the channel is never asked
     * again.
     */
    offline: boolean().notNull().default(false),
    offline_account: text(),
    offline_proof: text(),
    messages: jsonb().$type<RefundMessage[]>().notNull().default([]),
    /** The same key never opens a second refund. */
    idem_key: text(),
    done_at: unix(),
  },
  t => [
    check('refund_second_is_another', sql`${t.second_by} <> ${t.first_by}`),
    check('refund_within_cap', sql`${t.amount_cents} >= 0 and ${t.amount_cents} <= ${t.cap_cents}`),
    uniqueIndex('refund_no_once').on(t.refund_no),
    uniqueIndex('refund_key_once').on(t.idem_key),
    index('refund_by_state').on(t.state, t.deadline_at, t.id),
    index('refund_by_kind').on(t.order_kind, t.state, t.deadline_at, t.id),
    index('refund_by_creation').on(t.order_kind, t.created_at, t.id),
    index('refund_by_done').on(t.done_at, t.city_id),
    index('refund_open')
      .on(t.order_kind, t.deadline_at, t.id)
      .where(
        sql`state in ('applied', 'second_audit', 'wait_return', 'returning', 'paying', 'pay_failed')`,
      ),
    index('refund_by_change').on(t.order_kind, t.state, t.updated_at, t.id),
    index('refund_by_amount').on(t.order_kind, t.amount_cents, t.id),
    index('refund_by_reason').on(t.order_kind, t.reason_code, t.created_at, t.id),
    index('refund_by_order').on(t.order_id),
    index('refund_late')
      .on(t.order_id)
      .where(sql`cause = 'late_pay' and state <> 'done'`),
    index('refund_by_merchant').on(t.merchant_id, t.created_at),
    index('refund_by_city').on(t.city_id, t.order_kind, t.created_at),
    index('refund_by_mall').on(t.mall_id, t.order_kind, t.created_at),
    index('refund_by_type').on(t.order_kind, t.type, t.created_at, t.id),
    index('refund_by_claimer')
      .on(t.claimed_by, t.claim_until)
      .where(sql`claimed_by is not null`),
    index('refund_by_return')
      .on(t.return_tracking_no)
      .where(sql`return_tracking_no is not null`),
    index('refund_by_member').on(t.member_id, t.created_at),
  ],
)

export type RefundMessage = {
  by: 'member' | 'merchant' | 'staff'
  name: string
  text: string
  images?: string[]
  at: number
}

/** The refunded parts of an order: codes with their times, or a number of units of an item. */
export const refund_item = pgTable(
  'refund_item',
  {
    ...base,
    refund_id: integer()
      .notNull()
      .references(() => refund.id),
    item_id: integer()
      .notNull()
      .references(() => order_item.id),
    code_id: integer().references(() => order_code.id),
    /** The e-cards among its units; the others were never issued. */
    card_ids: jsonb().$type<number[] | null>(),
    /** Units; of a code its times, paid and given ones. */
    qty: integer().notNull(),
    /** Those of a code's times that were paid for. */
    paid_times: integer().notNull().default(0),
    /** Those of an item's units that were shipped already. */
    shipped_qty: integer().notNull().default(0),
    /**
     * What they are worth; `amount_cents` is what is paid back for them, less where less was
     * agreed.
     */
    share_cents: cents().notNull(),
    amount_cents: cents().notNull(),
    platform_cents: cents().notNull().default(0),
    settle_cents: cents().notNull().default(0),
  },
  t => [
    check('refund_item_within_share', sql`${t.amount_cents} <= ${t.share_cents}`),
    index('refund_item_by_refund').on(t.refund_id),
    index('refund_item_by_item').on(t.item_id),
    index('refund_item_by_code').on(t.code_id),
  ],
)
