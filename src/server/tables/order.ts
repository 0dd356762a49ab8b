import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { codeStates, fulfilStates, orderKinds, orderStatuses, refundStates, type CodeState, type FulfilState, type OrderKind, type OrderStatus, type RefundState } from '#src/domain/order.ts'
import { base, cents, unix } from './columns.ts'
import { member, merchant, store } from './merchant.ts'
import { product, product_sku } from './product.ts'
import { risk_hit } from './risk.ts'

const keys = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]]

/** `status` is derived from the four facts before it (domain/order.ts) and never typed. */
export const order = pgTable('order', {
  ...base,
  order_no: text().notNull(),
  kind: text({ enum: keys<OrderKind>(orderKinds) }).notNull(),
  /** Null for a visitor. */
  member_id: integer().references(() => member.id),
  visitor_phone: text(),
  city_id: integer().notNull(),
  mall_id: integer().notNull(),
  merchant_id: integer().notNull().references(() => merchant.id),
  store_id: integer().notNull().references(() => store.id),
  source: text({ enum: ['mini_program', 'h5', 'live', 'qr', 'api', 'admin'] }).notNull(),
  total_cents: cents().notNull(),
  freight_cents: cents().notNull().default(0),
  store_discount_cents: cents().notNull().default(0),
  platform_discount_cents: cents().notNull().default(0),
  pay_cents: cents().notNull(),
  paid_cents: cents().notNull().default(0),
  refunded_cents: cents().notNull().default(0),
  pay_state: text({ enum: ['unpaid', 'part_paid', 'paid', 'closed'] }).notNull(),
  balance_due: boolean().notNull().default(false),
  fulfil_state: text({ enum: keys<FulfilState>(fulfilStates) }).notNull(),
  refund_state: text({ enum: ['none', 'refunding', 'part_refunded', 'refunded'] }).notNull(),
  frozen: boolean().notNull().default(false),
  freeze_reason: text(),
  frozen_by: text({ enum: ['risk', 'staff', 'dispute'] }),
  /** The risk hit that froze it: only that one's release gives it free. */
  freeze_hit_id: integer().references(() => risk_hit.id),
  status: text({ enum: keys<OrderStatus>(orderStatuses) }).notNull(),
  cancel_type: text({ enum: ['timeout', 'member', 'staff', 'group_fail', 'raise_fail', 'late_pay', 'balance_timeout'] }),
  expire_pay_at: unix().notNull(),
  paid_at: unix(),
  finished_at: unix(),
  closed_at: unix(),
  valid_until: unix(),
  /** The version of each agreement that the member consented to, by its type. */
  agreements: jsonb().$type<Readonly<Record<string, number>>>().notNull().default({}),
  /** The short link that the order is counted for: the last that its device opened within 7 days before. */
  h5_link_id: integer(),
  /** The device it was placed on; null where none was told. */
  device_id: varchar({ length: 40 }),
  /** The live room that the order is counted for: where its member last opened the product, within 24 hours before. */
  live_room_id: integer(),
}, t => [
  check('order_money', sql`${t.refunded_cents} <= ${t.paid_cents} and ${t.pay_cents} = ${t.total_cents} + ${t.freight_cents} - ${t.store_discount_cents} - ${t.platform_discount_cents}`),
  uniqueIndex('order_no_once').on(t.order_no),
  index('order_by_kind').on(t.kind, t.created_at, t.id),
  index('order_by_status').on(t.kind, t.status, t.created_at, t.id),
  index('order_by_payment').on(t.paid_at, t.city_id),
  index('order_by_creation').on(t.created_at, t.status, t.city_id),
  index('order_by_merchant').on(t.merchant_id, t.created_at),
  index('order_by_member').on(t.member_id, t.created_at),
  index('order_by_device').on(t.device_id, t.created_at).where(sql`device_id is not null`),
  index('order_by_h5_link').on(t.h5_link_id, t.created_at).where(sql`h5_link_id is not null`),
  index('order_by_live_room').on(t.live_room_id).where(sql`live_room_id is not null`),
])

export const order_item = pgTable('order_item', {
  ...base,
  order_id: integer().notNull().references(() => order.id),
  product_id: integer().notNull().references(() => product.id),
  sku_id: integer().references(() => product_sku.id),
  /** The product as it was sold; a later version never changes it. */
  snapshot: jsonb().$type<Record<string, unknown>>().notNull(),
  title: text().notNull(),
  store_id: integer().notNull(),
  qty: integer().notNull(),
  price_cents: cents().notNull(),
  pay_cents: cents().notNull(),
  platform_cents: cents().notNull().default(0),
  used_qty: integer().notNull().default(0),
  refunding_qty: integer().notNull().default(0),
  refunded_qty: integer().notNull().default(0),
  shipped_qty: integer().notNull().default(0),
  received_qty: integer().notNull().default(0),
  refunded_cents: cents().notNull().default(0),
  fulfil: text({ enum: ['code', 'express', 'pickup', 'delivery', 'virtual'] }).notNull(),
}, t => [index('order_item_by_order').on(t.order_id), index('order_item_by_product').on(t.product_id, t.created_at)])

export const order_code = pgTable('order_code', {
  ...base,
  order_id: integer().notNull().references(() => order.id),
  item_id: integer().notNull().references(() => order_item.id),
  product_id: integer().notNull(),
  code: text().notNull(),
  kind: text({ enum: ['bulks', 'roll_buy', 'card', 'voucher', 'pickup', 'combo', 'points', 'visitor'] }).notNull(),
  times_total: integer().notNull(),
  times_bonus: integer().notNull().default(0),
  times_used: integer().notNull().default(0),
  times_refunding: integer().notNull().default(0),
  times_refunded: integer().notNull().default(0),
  pay_cents: cents().notNull(),
  platform_cents: cents().notNull().default(0),
  settle_cents: cents().notNull(),
  refunded_cents: cents().notNull().default(0),
  valid_from: unix().notNull(),
  valid_until: unix().notNull(),
  state: text({ enum: keys<CodeState>(codeStates) }).notNull(),
}, t => [
  check('order_code_times', sql`${t.times_used} + ${t.times_refunding} + ${t.times_refunded} <= ${t.times_total} + ${t.times_bonus}`),
  uniqueIndex('order_code_once').on(t.code),
  index('order_code_by_order').on(t.order_id),
  index('order_code_by_product').on(t.product_id, t.state, t.valid_until),
])

export const verify_record = pgTable('verify_record', {
  ...base,
  code_id: integer().notNull().references(() => order_code.id),
  order_id: integer().notNull(),
  product_id: integer().notNull(),
  kind: text().notNull(),
  city_id: integer().notNull(),
  mall_id: integer().notNull(),
  store_id: integer().notNull(),
  way: text({ enum: ['scan', 'input', 'platform', 'api', 'auto'] }).notNull(),
  /** The clerk who redeemed it; null for the platform's own and automatic ones. */
  verifier_id: integer(),
  /** The member of staff who redeemed it for the store: the same person may not reverse it. */
  admin_id: integer(),
  times: integer().notNull(),
  pay_cents: cents().notNull(),
  platform_cents: cents().notNull().default(0),
  commission_cents: cents().notNull(),
  settle_cents: cents().notNull(),
  bill_cents: cents(),
  abnormal: boolean().notNull().default(false),
  abnormal_reason: text(),
  state: text({ enum: ['valid', 'reversed'] }).notNull(),
  verified_at: unix().notNull(),
  reversed_at: unix(),
  reverse_reason: text(),
}, t => [index('verify_by_time').on(t.verified_at, t.city_id), index('verify_by_store').on(t.store_id, t.kind, t.verified_at), index('verify_by_code').on(t.code_id), index('verify_by_verifier').on(t.verifier_id, t.verified_at)])

export const refund = pgTable('refund', {
  ...base,
  refund_no: text().notNull(),
  order_id: integer().notNull().references(() => order.id),
  order_kind: text().notNull(),
  city_id: integer().notNull(),
  mall_id: integer().notNull(),
  type: text({ enum: ['refund_only', 'return_refund', 'resend'] }).notNull(),
  source: text({ enum: ['member', 'merchant', 'staff', 'system'] }).notNull(),
  cause: text({ enum: ['apply', 'expired', 'group_fail', 'raise_fail', 'late_pay', 'pickup_timeout', 'compensate'] }).notNull(),
  reason: text().notNull(),
  amount_cents: cents().notNull(),
  state: text({ enum: keys<RefundState>(refundStates) }).notNull(),
  first_by: integer(),
  second_by: integer(),
  reject_reason: text(),
  deadline_at: unix().notNull(),
  done_at: unix(),
}, t => [
  check('refund_second_is_another', sql`${t.second_by} <> ${t.first_by}`),
  uniqueIndex('refund_no_once').on(t.refund_no),
  index('refund_by_state').on(t.state, t.deadline_at, t.id),
  index('refund_by_done').on(t.done_at, t.city_id),
  index('refund_by_order').on(t.order_id),
  index('refund_by_creation').on(t.created_at),
])

export const refund_item = pgTable('refund_item', {
  ...base,
  refund_id: integer().notNull().references(() => refund.id),
  item_id: integer().notNull().references(() => order_item.id),
  code_id: integer().references(() => order_code.id),
  qty: integer().notNull(),
  amount_cents: cents().notNull(),
  platform_cents: cents().notNull().default(0),
}, t => [index('refund_item_by_refund').on(t.refund_id)])
