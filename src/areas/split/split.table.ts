import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  doings,
  receiverRoles,
  receiverStates,
  splitStates,
  type Doing,
  type ReceiverRole,
  type ReceiverState,
  type SplitState,
} from './split.ts'

/** 分账单: one of each order whose merchant is paid by the channel's profit sharing. */
export const dist_split_order = pgTable(
  'dist_split_order',
  {
    ...base,
    split_no: varchar({ length: 32 }).notNull(),
    order_id: integer()
      .notNull()
      .references(() => order.id),
    order_no: varchar({ length: 32 }).notNull(),
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    city_id: integer().notNull().default(0),
    mall_id: integer().notNull().default(0),
    /** The channel's number of the payment that is shared. */
    transaction_no: varchar({ length: 40 }).notNull(),
    order_cents: cents().notNull(),
    /** What of it may be shared, by the channel's ceiling. */
    splittable_cents: cents().notNull(),
    /** What its receivers get in all, and what they gave back. */
    total_cents: cents().notNull(),
    returned_cents: cents().notNull().default(0),
    /** The channel shares nothing after it. */
    deadline_at: unix().notNull(),
    /** Our number at the channel of the request that is under way: it has one effect. */
    out_no: varchar({ length: 64 }),
    requests: integer().notNull().default(0),
    /** What that request is, and of a return whose share and how much. */
    doing: text({ enum: keys<Doing>(doings) })
      .notNull()
      .default('share'),
    back_receiver_id: integer(),
    back_cents: cents().notNull().default(0),
    tries: integer().notNull().default(0),
    ask_at: unix(),
    fail_code: varchar({ length: 40 }).notNull().default(''),
    fail_reason: varchar({ length: 255 }).notNull().default(''),
    reason: varchar({ length: 200 }).notNull().default(''),
    finished_at: unix(),
    status: text({ enum: keys<SplitState>(splitStates) })
      .notNull()
      .default('waiting'),
  },
  t => [
    check(
      'dist_split_order_sums',
      sql`${t.total_cents} between 0 and ${t.splittable_cents} and ${t.splittable_cents} <= ${t.order_cents} and ${t.returned_cents} between 0 and ${t.total_cents}`,
    ),
    uniqueIndex('dist_split_order_no_once').on(t.split_no),
    uniqueIndex('dist_split_order_once').on(t.order_id),
    uniqueIndex('dist_split_order_out_once').on(t.out_no),
    index('dist_split_order_by_status').on(t.status, t.deadline_at, t.id),
    index('dist_split_order_by_deadline').on(t.deadline_at, t.id),
    index('dist_split_order_open')
      .on(t.deadline_at, t.id)
      .where(sql`status in ('waiting', 'processing', 'partial', 'failed')`),
    index('dist_split_order_by_merchant').on(t.merchant_id, t.id),
    index('dist_split_order_by_city').on(t.city_id, t.id),
    index('dist_split_order_by_mall').on(t.mall_id, t.id),
    index('dist_split_order_asked')
      .on(t.ask_at)
      .where(sql`ask_at is not null`),
  ],
)

/** 分账接收方: what one of them gets of a split. */
export const dist_split_receiver = pgTable(
  'dist_split_receiver',
  {
    ...base,
    split_id: integer()
      .notNull()
      .references(() => dist_split_order.id),
    role: text({ enum: keys<ReceiverRole>(receiverRoles) }).notNull(),
    merchant_id: integer().references(() => merchant.id),
    distributor_id: integer().references(() => distributor.id),
    commission_id: integer().references(() => dist_commission.id),
    /** The account at the channel, and whose name it bears. */
    account: varchar({ length: 64 }).notNull(),
    name: varchar({ length: 60 }).notNull(),
    amount_cents: cents().notNull(),
    returned_cents: cents().notNull().default(0),
    fail_code: varchar({ length: 40 }).notNull().default(''),
    fail_reason: varchar({ length: 255 }).notNull().default(''),
    /** Our number of the request that shared it. */
    out_no: varchar({ length: 64 }),
    /** The channel's number of this share. */
    channel_no: varchar({ length: 64 }),
    done_at: unix(),
    status: text({ enum: keys<ReceiverState>(receiverStates) })
      .notNull()
      .default('waiting'),
  },
  t => [
    check(
      'dist_split_receiver_returned',
      sql`${t.amount_cents} > 0 and ${t.returned_cents} between 0 and ${t.amount_cents}`,
    ),
    index('dist_split_receiver_by_split').on(t.split_id, t.id),
    index('dist_split_receiver_by_seller').on(t.distributor_id),
  ],
)

/**
 * How the embedded profit sharing behaves. `fails`: refuses shares with these codes, by account, `*`
 * for all. `delay_s`: decides so long after it was asked. `silent`: says nothing to the first so many
 * asks, though it shares. `twice`: tells of it twice by itself.
 */
export type SharePlan = {
  fails?: Record<string, string>
  delay_s?: number
  silent?: number
  twice?: boolean
}
/**
 * Behaviour to come of the embedded profit sharing, by the payment's number or (`*`) for all; its
 * latest holds. Empty outside tests and trials.
 */
export const channel_split_plan = pgTable('channel_split_plan', {
  ...base,
  transaction_no: varchar({ length: 64 }).notNull().unique(),
  plan: jsonb().$type<SharePlan>().notNull(),
})
/**
 * The book of the embedded profit sharing: what it was asked, once a number. It stands for money
 * outside, so nothing of ours refers to it.
 */
export const channel_split = pgTable(
  'channel_split',
  {
    ...base,
    kind: varchar({ length: 8, enum: ['share', 'unfreeze', 'giveBack'] }).notNull(),
    out_no: varchar({ length: 64 }).notNull().unique(),
    transaction_no: varchar({ length: 64 }).notNull(),
    shares: jsonb().$type<{ account: string; amount_cents: number }[]>().notNull(),
    channel_no: varchar({ length: 40 }).notNull(),
    asked: integer().notNull().default(0),
    tells_left: integer().notNull(),
    answers_at: unix().notNull(),
    plan: jsonb().$type<SharePlan>().notNull().default({}),
  },
  t => [
    index('channel_split_by_payment').on(t.transaction_no),
    index('channel_split_due')
      .on(t.answers_at)
      .where(sql`tells_left > 0`),
  ],
)

defineKinds({
  dist_split_order: at('dist_split_order', { city: 't.city_id', mall: 't.mall_id' }),
})
