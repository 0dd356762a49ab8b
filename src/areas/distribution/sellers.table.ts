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
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  adjustStates,
  groupStates,
  inviteStates,
  sellerKinds,
  sellerStates,
  smsStates,
  type AdjustState,
  type GroupState,
  type InviteState,
  type SellerKind,
  type SellerState,
  type SmsState,
} from './sellers.ts'

/**
 * 分销员: an expert, a guide of a store or a store that sells others' goods. Its money lies in the
 * accounts `distributor_frozen`, `distributor_balance`, `distributor_debt` and
 * `distributor_withdrawing` of the journal.
 */
export const distributor = pgTable(
  'distributor',
  {
    ...base,
    kind: text({ enum: keys<SellerKind>(sellerKinds) }).notNull(),
    /** The member that a person is; none for a store. */
    member_id: integer().references(() => member.id),
    /** The store that a guide works for, or that sells itself; none for an expert. */
    store_id: integer().references(() => store.id),
    name: varchar({ length: 20 }).notNull(),
    phone: varchar({ length: 11 }).notNull(),
    level_no: integer().notNull().default(1),
    group_id: integer().references((): AnyPgColumn => dist_group.id),
    is_leader: boolean().notNull().default(false),
    inviter_id: integer().references((): AnyPgColumn => distributor.id),
    invite_code: varchar({ length: 12 }).notNull(),
    city_id: integer().notNull(),
    /** The mall of a guide's or a store's store; 0 outside malls and for experts. */
    mall_id: integer().notNull().default(0),
    wecom_userid: varchar({ length: 40 }),
    /** On top of what goods pay (basis points). */
    plus_bp: integer().notNull().default(0),
    /** A guide's or a store's own rate instead of the goods' (basis points). */
    rate_bp: integer(),
    real_name_ok: boolean().notNull().default(false),
    id_no: varchar({ length: 18 }).notNull().default(''),
    /** Kept by the functions that bind and book: never written elsewhere. */
    customer_count: integer().notNull().default(0),
    order_count: integer().notNull().default(0),
    gmv_cents: cents().notNull().default(0),
    refunded_cents: cents().notNull().default(0),
    last_sale_at: unix(),
    apply_note: varchar({ length: 200 }).notNull().default(''),
    /** Why it is rejected, frozen or quit. */
    reason: varchar({ length: 200 }).notNull().default(''),
    status: text({ enum: keys<SellerState>(sellerStates) })
      .notNull()
      .default('pending'),
    joined_at: unix(),
    reviewer_id: integer().references(() => admin.id),
    /** Asked to quit while commission is on hold: it quits when none is left. */
    quitting: boolean().notNull().default(false),
    /** When it quit: what it earned is asked for so long after it, and no longer. */
    quit_at: unix(),
    /** What a store may sell; null for all that is distributed. */
    product_ids: jsonb().$type<number[]>(),
    /** A store whose selling is paused, by a person or because it rests. */
    paused: boolean().notNull().default(false),
  },
  t => [
    check('distributor_whose', sql`(${t.kind} = 'store') = (${t.member_id} is null)`),
    check('distributor_where', sql`(${t.kind} = 'expert') = (${t.store_id} is null)`),
    check('distributor_invited_by_another', sql`${t.inviter_id} <> ${t.id}`),
    check('distributor_leads_its_own', sql`not ${t.is_leader} or ${t.group_id} is not null`),
    uniqueIndex('distributor_code_once').on(t.invite_code),
    uniqueIndex('distributor_member_once')
      .on(t.member_id, t.kind)
      .where(sql`status in ('pending', 'active', 'frozen')`),
    uniqueIndex('distributor_store_once')
      .on(t.store_id)
      .where(sql`kind = 'store' and status in ('pending', 'active', 'frozen')`),
    uniqueIndex('distributor_leader_once')
      .on(t.group_id)
      .where(sql`is_leader`),
    index('distributor_by_kind').on(t.kind, t.status, t.id),
    index('distributor_by_level').on(t.kind, t.level_no, t.id),
    index('distributor_by_city').on(t.city_id, t.kind, t.id),
    index('distributor_by_mall').on(t.mall_id, t.kind, t.id),
    index('distributor_by_group').on(t.group_id, t.id),
    index('distributor_by_store').on(t.store_id, t.kind),
    index('distributor_by_gmv').on(t.kind, t.gmv_cents, t.id),
    index('distributor_by_sale').on(t.kind, t.last_sale_at, t.id),
    index('distributor_by_name').using('btree', t.name.op('text_pattern_ops')),
    index('distributor_by_phone').on(t.phone),
    index('distributor_by_inviter').on(t.inviter_id),
    index('distributor_refunding')
      .on(t.kind, t.id)
      .where(sql`refunded_cents * 100 >= gmv_cents * 20 and refunded_cents > 0`),
  ],
)

/** 达人邀请 */
export const dist_invite = pgTable(
  'dist_invite',
  {
    ...base,
    code: varchar({ length: 16 }).notNull(),
    name: varchar({ length: 20 }).notNull().default(''),
    /** None: whoever has the link may use it, once. */
    phone: varchar({ length: 11 }),
    level_no: integer().notNull().default(1),
    group_id: integer().references(() => dist_group.id),
    city_id: integer().notNull(),
    plus_bp: integer().notNull().default(0),
    sms_count: integer().notNull().default(0),
    sms_day: varchar({ length: 10 }).notNull().default(''),
    sms_at: unix(),
    sms_state: text({ enum: keys<SmsState>(smsStates) })
      .notNull()
      .default('none'),
    /** What the channel said, in its own words. */
    sms_answer: varchar({ length: 200 }).notNull().default(''),
    opened_at: unix(),
    used_by: integer().references(() => distributor.id),
    expire_at: unix().notNull(),
    reason: varchar({ length: 200 }).notNull().default(''),
    maker_id: integer()
      .notNull()
      .references(() => admin.id),
    status: text({ enum: keys<InviteState>(inviteStates) })
      .notNull()
      .default('active'),
  },
  t => [
    uniqueIndex('dist_invite_code_once').on(t.code),
    uniqueIndex('dist_invite_phone_once')
      .on(t.phone)
      .where(sql`status = 'active' and phone is not null`),
    index('dist_invite_by_status').on(t.status, t.id),
    index('dist_invite_by_city').on(t.city_id, t.id),
    index('dist_invite_by_phone').on(t.phone),
    index('dist_invite_due')
      .on(t.expire_at)
      .where(sql`status = 'active'`),
    index('dist_invite_queue')
      .on(t.id)
      .where(sql`sms_state = 'queued'`),
  ],
)

/** 分销团队 */
export const dist_group = pgTable(
  'dist_group',
  {
    ...base,
    name: varchar({ length: 20 }).notNull(),
    city_id: integer().notNull(),
    mall_id: integer().notNull().default(0),
    /** What the leader earns of its members' sales where the goods say nothing (basis points). */
    leader_bp: integer().notNull().default(0),
    member_limit: integer().notNull().default(50),
    merged_into: integer().references((): AnyPgColumn => dist_group.id),
    reason: varchar({ length: 200 }).notNull().default(''),
    /** GMV wanted by month: `{ "2026-07": 5000000 }` (cents). */
    targets: jsonb().$type<Record<string, number>>().notNull().default({}),
    status: text({ enum: keys<GroupState>(groupStates) })
      .notNull()
      .default('active'),
  },
  t => [
    check('dist_group_leader_bp', sql`${t.leader_bp} between 0 and 1000`),
    uniqueIndex('dist_group_name_once')
      .on(t.city_id, t.name)
      .where(sql`status = 'active'`),
    index('dist_group_by_status').on(t.status, t.id),
    index('dist_group_by_city').on(t.city_id, t.id),
    index('dist_group_by_mall').on(t.mall_id, t.id),
  ],
)

/**
 * 团队成员经历: one open row per seller in a team. A team's figures and its leader's bonus follow
 * these periods; one that is moved changes at 00:00 of the next day.
 */
export const dist_group_member = pgTable(
  'dist_group_member',
  {
    ...base,
    group_id: integer()
      .notNull()
      .references(() => dist_group.id),
    distributor_id: integer()
      .notNull()
      .references(() => distributor.id),
    is_leader: boolean().notNull().default(false),
    start_at: unix().notNull(),
    end_at: unix(),
    reason: varchar({ length: 200 }).notNull().default(''),
  },
  t => [
    check('dist_group_member_span', sql`${t.end_at} >= ${t.start_at}`),
    uniqueIndex('dist_group_member_once')
      .on(t.distributor_id)
      .where(sql`end_at is null`),
    index('dist_group_member_by_group').on(t.group_id, t.start_at),
    index('dist_group_member_by_seller').on(t.distributor_id, t.start_at),
  ],
)

/**
 * 佣金调整: an amount by hand, more or less. Above what one person may do alone, another person
 * posts it or turns it down.
 */
export const dist_adjust = pgTable(
  'dist_adjust',
  {
    ...base,
    distributor_id: integer()
      .notNull()
      .references(() => distributor.id),
    /** Where its seller stands. */
    city_id: integer().notNull(),
    mall_id: integer().notNull().default(0),
    amount_cents: cents().notNull(),
    reason: varchar({ length: 200 }).notNull(),
    maker_id: integer()
      .notNull()
      .references(() => admin.id),
    checker_id: integer().references(() => admin.id),
    decided_at: unix(),
    reject_reason: varchar({ length: 200 }).notNull().default(''),
    state: text({ enum: keys<AdjustState>(adjustStates) })
      .notNull()
      .default('pending'),
  },
  t => [
    check('dist_adjust_amount', sql`${t.amount_cents} <> 0`),
    check('dist_adjust_second', sql`${t.checker_id} <> ${t.maker_id}`),
    check('dist_adjust_decided', sql`(${t.state} = 'pending') = (${t.decided_at} is null)`),
    check(
      'dist_adjust_alone',
      sql`${t.state} = 'pending' or ${t.checker_id} is not null or (${t.state} = 'posted' and abs(${t.amount_cents}) <= 100000)`,
    ),
    index('dist_adjust_by_seller').on(t.distributor_id, t.id),
    uniqueIndex('dist_adjust_one_waits')
      .on(t.distributor_id)
      .where(sql`state = 'pending'`),
  ],
)

defineKinds({
  dist_adjust: at('dist_adjust', { city: 't.city_id', mall: 't.mall_id' }),
  distributor: at('distributor', { city: 't.city_id', mall: 't.mall_id' }),
  dist_invite: at('dist_invite', { city: 't.city_id' }),
  dist_group: at('dist_group', { city: 't.city_id', mall: 't.mall_id' }),
})
