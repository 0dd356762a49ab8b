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
  varchar,
} from 'drizzle-orm/pg-core'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  commissionKinds,
  commissionRoles,
  commissionStates,
  distributedKinds,
  distributedStates,
  type CommissionCalc,
  type CommissionKind,
  type CommissionRole,
  type CommissionState,
  type DistributedKind,
  type DistributedState,
} from './commission.ts'

/** 分销商品: what is distributed, and what its sellers earn of orders made from then on. */
export const dist_product = pgTable(
  'dist_product',
  {
    ...base,
    ref_kind: text({ enum: keys<DistributedKind>(distributedKinds) }).notNull(),
    ref_id: integer().notNull(),
    /** Where the goods stand; 0 for everywhere. */
    city_id: integer().notNull().default(0),
    mall_id: integer().notNull().default(0),
    commission_kind: text({ enum: keys<CommissionKind>(commissionKinds) })
      .notNull()
      .default('rate'),
    rate_bp: integer().notNull().default(0),
    /** What each unit pays instead, in cents. */
    fixed_cents: cents().notNull().default(0),
    /** On top for sellers of a level: `{ "3": 50 }` (basis points). */
    level_plus: jsonb().$type<Record<string, number>>().notNull().default({}),
    /** What the leader of the seller's team earns; null: as the team says. */
    leader_bp: integer(),
    /** What a guide of the goods' own merchant earns; the merchant bears it. */
    guide_bp: integer().notNull().default(0),
    start_at: unix().notNull(),
    end_at: unix(),
    sold_count: integer().notNull().default(0),
    refunded_count: integer().notNull().default(0),
    gmv_cents: cents().notNull().default(0),
    sort: integer().notNull().default(0),
    /** Why the profit-sharing ceiling is waived for it; empty: it is not. */
    waiver: varchar({ length: 200 }).notNull().default(''),
    reason: varchar({ length: 200 }).notNull().default(''),
    status: text({ enum: keys<DistributedState>(distributedStates) })
      .notNull()
      .default('off'),
  },
  t => [
    check('dist_product_span', sql`${t.end_at} > ${t.start_at}`),
    check(
      'dist_product_rates',
      sql`${t.rate_bp} between 0 and 10000 and ${t.guide_bp} between 0 and 10000 and coalesce(${t.leader_bp}, 0) between 0 and 10000 and ${t.fixed_cents} >= 0`,
    ),
    uniqueIndex('dist_product_once').on(t.ref_kind, t.ref_id),
    index('dist_product_by_sort').on(t.sort, t.id),
    index('dist_product_by_status').on(t.status, t.sort, t.id),
    index('dist_product_by_sales').on(t.status, t.sold_count, t.id),
    index('dist_product_by_city').on(t.city_id, t.id),
    index('dist_product_by_mall').on(t.mall_id, t.id),
    index('dist_product_due')
      .on(t.end_at)
      .where(sql`status = 'on'`),
  ],
)

/**
 * 佣金明细: what one seller earns of one sold unit (a settlement line), or by hand. Its amount is that
 * of the moment the order was paid; what refunds and claims took of it since stands in
 * `reversed_cents`.
 */
export const dist_commission = pgTable(
  'dist_commission',
  {
    ...base,
    commission_no: varchar({ length: 32 })
      .notNull()
      .generatedAlwaysAs(sql`'YJ' || lpad(id::text, 10, '0')`),
    /** None where a person gave it: a prize, an adjustment. */
    line_id: integer().references(() => settle_line.id),
    order_id: integer().references(() => order.id),
    order_no: varchar({ length: 32 }).notNull().default(''),
    item_id: integer(),
    unit_no: integer(),
    product_id: integer(),
    buyer_id: integer().references(() => member.id),
    distributor_id: integer()
      .notNull()
      .references(() => distributor.id),
    /** The seller's team when the order was paid. */
    group_id: integer(),
    city_id: integer().notNull().default(0),
    mall_id: integer().notNull().default(0),
    role: text({ enum: keys<CommissionRole>(commissionRoles) }).notNull(),
    /** What the rate is of. */
    base_cents: cents().notNull(),
    rate_bp: integer().notNull(),
    /** Never below zero but for an adjustment. */
    amount_cents: cents().notNull(),
    reversed_cents: cents().notNull().default(0),
    calc: jsonb().$type<CommissionCalc>(),
    paid_at: unix(),
    frozen_until: unix(),
    held_by: integer().references(() => admin.id),
    held: boolean().notNull().default(false),
    settled_at: unix(),
    txn_id: integer().references(() => ledger_txn.id),
    split_id: integer(),
    /** Why it is held, cancelled, settled early or clawed back. */
    reason: varchar({ length: 200 }).notNull().default(''),
    status: text({ enum: keys<CommissionState>(commissionStates) }).notNull(),
  },
  t => [
    check(
      'dist_commission_reversed',
      sql`case when ${t.role} = 'adjust' then ${t.reversed_cents} = 0 else ${t.amount_cents} >= 0 and ${t.reversed_cents} between 0 and ${t.amount_cents} end`,
    ),
    uniqueIndex('dist_commission_no_once').on(t.commission_no),
    // A unit pays at most one direct seller and one leader.
    uniqueIndex('dist_commission_line_once')
      .on(t.line_id, sql`(role = 'leader')`)
      .where(sql`line_id is not null`),
    index('dist_commission_by_status').on(t.status, t.id),
    index('dist_commission_by_seller').on(t.distributor_id, t.status, t.id),
    index('dist_commission_by_order').on(t.order_id),
    index('dist_commission_by_payment').on(t.paid_at, t.id),
    index('dist_commission_by_settling').on(t.settled_at, t.id),
    index('dist_commission_by_role').on(t.role, t.id),
    index('dist_commission_by_group').on(t.group_id, t.paid_at),
    index('dist_commission_by_product').on(t.product_id, t.paid_at),
    index('dist_commission_by_buyer').on(t.buyer_id, t.id),
    index('dist_commission_by_city').on(t.city_id, t.id),
    index('dist_commission_by_mall').on(t.mall_id, t.id),
    index('dist_commission_due')
      .on(t.frozen_until)
      .where(sql`status = 'frozen'`),
    index('dist_commission_held')
      .on(t.id)
      .where(sql`held`),
    index('dist_commission_cut')
      .on(t.id)
      .where(sql`reversed_cents > 0`),
  ],
)

defineKinds({
  dist_product: at('dist_product', { city: 't.city_id', mall: 't.mall_id' }),
  dist_commission: at('dist_commission', { city: 't.city_id', mall: 't.mall_id' }),
})
