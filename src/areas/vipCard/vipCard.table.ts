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
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { ofTheHouse } from '#src/areas/ledger/house.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { batchStates, vipCodeStates } from './code.ts'
import { discountScopes } from './discount.ts'
import { contractStates } from './renewal.ts'
import { openedBy, subscriptionStates, type BeforeDays } from './subscription.ts'
import { DAYS_MOST, planKinds, planStates, refundPolicies, type Benefit } from './vipCard.ts'

/** 会员卡种: a plan that members buy, and what they have of it. */
export const vip_card = pgTable(
  'vip_card',
  {
    ...base,
    name: varchar({ length: 16 }).notNull(),
    kind: text({ enum: keys(planKinds) }).notNull(),
    days: integer().notNull(),
    price_cents: cents().notNull(),
    /** The first purchase of a member; null: no other price. */
    first_price_cents: cents(),
    original_cents: cents().notNull(),
    auto_renew: boolean().notNull().default(false),
    contract_template: varchar({ length: 40 }).notNull().default(''),
    cover: text(),
    benefits: jsonb().$type<Benefit[]>().notNull().default([]),
    gift_coupon_ids: jsonb().$type<number[]>().notNull().default([]),
    /** So many for one member; 0: any number. */
    buy_limit: integer().notNull().default(0),
    /** Null: any number. */
    stock: integer(),
    sold_count: integer().notNull().default(0),
    refund_policy: text({ enum: keys(refundPolicies) })
      .notNull()
      .default('none'),
    sort: integer().notNull().default(0),
    status: text({ enum: keys(planStates) })
      .notNull()
      .default('draft'),
    off_reason: varchar({ length: 255 }).notNull().default(''),
  },
  t => [
    check(
      'vip_card_price',
      sql`${t.price_cents} between 0 and ${t.original_cents} and coalesce(${t.first_price_cents}, 0) between 0 and ${t.price_cents}`,
    ),
    check('vip_card_days', sql`${t.days} between 1 and ${sql.raw(String(DAYS_MOST))}`),
    check('vip_card_stock', sql`${t.stock} is null or ${t.stock} >= ${t.sold_count}`),
    check(
      'vip_card_renews',
      sql`not ${t.auto_renew} or (${t.kind} in ('month', 'quarter', 'year') and ${t.contract_template} <> '')`,
    ),
    uniqueIndex('vip_card_name_once').on(t.name),
    index('vip_card_by_sort').on(t.sort, t.id),
  ],
)

/** 会员卡折扣: where a plan gives a price of members, and who bears it. */
export const vip_card_discount = pgTable(
  'vip_card_discount',
  {
    ...base,
    card_id: integer()
      .notNull()
      .references(() => vip_card.id),
    scope: text({ enum: keys(discountScopes) }).notNull(),
    /** 0 of everything. */
    scope_id: integer().notNull().default(0),
    /** What remains of the price, in basis points: 8000 is 20 % off. */
    discount_bp: integer().notNull(),
    /** The most that an order saves; 0: any amount. */
    cap_cents: cents().notNull().default(0),
    /** So many times a member and month; 0: any number. */
    monthly_times: integer().notNull().default(0),
    platform_share_bp: integer().notNull(),
    merchant_share_bp: integer().notNull(),
    /** The merchant's agreement; needed where the merchant bears a part. */
    consent_no: varchar({ length: 30 }).notNull().default(''),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('off'),
    off_reason: varchar({ length: 255 }).notNull().default(''),
    used_count: integer().notNull().default(0),
    subsidy_cents: cents().notNull().default(0),
  },
  t => [
    check('vip_card_discount_bp', sql`${t.discount_bp} between 1000 and 9900`),
    check(
      'vip_card_discount_shares',
      sql`${t.platform_share_bp} >= 0 and ${t.merchant_share_bp} >= 0 and ${t.platform_share_bp} + ${t.merchant_share_bp} = 10000`,
    ),
    check('vip_card_discount_scope', sql`(${t.scope} = 'all') = (${t.scope_id} = 0)`),
    check('vip_card_discount_period', sql`${t.start_at} < ${t.end_at}`),
    check(
      'vip_card_discount_consent',
      sql`${t.status} = 'off' or ${t.merchant_share_bp} = 0 or ${t.consent_no} <> ''`,
    ),
    index('vip_card_discount_by_card').on(t.card_id, t.id),
    index('vip_card_discount_by_scope').on(t.scope, t.scope_id, t.id),
    index('vip_card_discount_by_status').on(t.status, t.id),
  ],
)

/** 制卡批次: numbers of a plan that were made together for a channel. */
export const vip_code_batch = pgTable(
  'vip_code_batch',
  {
    ...base,
    batch_no: varchar({ length: 20 }).notNull(),
    card_id: integer()
      .notNull()
      .references(() => vip_card.id),
    qty: integer().notNull(),
    made_n: integer().notNull().default(0),
    channel: varchar({ length: 30 }).notNull(),
    expire_at: unix().notNull(),
    reason: varchar({ length: 255 }).notNull(),
    status: text({ enum: keys(batchStates) }).notNull(),
    maker_id: integer()
      .notNull()
      .references(() => admin.id),
    checker_id: integer().references(() => admin.id),
    decided_at: unix(),
    reject_reason: varchar({ length: 255 }).notNull().default(''),
    /** How often a file of its secrets was made. */
    exports: integer().notNull().default(0),
  },
  t => [
    check('vip_code_batch_qty', sql`${t.made_n} between 0 and ${t.qty}`),
    check('vip_code_batch_second', sql`${t.checker_id} <> ${t.maker_id}`),
    uniqueIndex('vip_code_batch_no_once').on(t.batch_no),
    index('vip_code_batch_by_card').on(t.card_id, t.id),
    index('vip_code_batch_by_status').on(t.status, t.id),
  ],
)

/** 付费会员: since when and until when a member has a plan, and whether it renews by itself. */
export const vip_subscription = pgTable(
  'vip_subscription',
  {
    ...base,
    member_id: integer()
      .notNull()
      .references(() => member.id),
    /** The plan that was bought last. */
    card_id: integer()
      .notNull()
      .references(() => vip_card.id),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    auto_renew: boolean().notNull().default(false),
    /** The contract with the payment channel; empty where none stands. */
    contract_no: varchar({ length: 40 }).notNull().default(''),
    next_charge_at: unix(),
    charge_fail_count: integer().notNull().default(0),
    charge_error: varchar({ length: 255 }).notNull().default(''),
    /** What was saved by it, and paid for it, since it was opened (cents). */
    saved_cents: cents().notNull().default(0),
    paid_cents: cents().notNull().default(0),
    status: text({ enum: keys(subscriptionStates) }).notNull(),
  },
  t => [
    check('vip_subscription_period', sql`${t.end_at} >= ${t.start_at}`),
    check('vip_subscription_charge', sql`${t.auto_renew} = (${t.next_charge_at} is not null)`),
    check('vip_subscription_contract', sql`not ${t.auto_renew} or ${t.contract_no} <> ''`),
    uniqueIndex('vip_subscription_one')
      .on(t.member_id)
      .where(sql`status in ('active', 'grace')`),
    index('vip_subscription_by_member').on(t.member_id, t.id),
    index('vip_subscription_by_status').on(t.status, t.end_at, t.id),
    index('vip_subscription_by_end').on(t.end_at, t.id),
    index('vip_subscription_by_card').on(t.card_id, t.end_at, t.id),
    index('vip_subscription_renewing')
      .on(t.end_at, t.id)
      .where(sql`auto_renew`),
    index('vip_subscription_failing')
      .on(t.end_at, t.id)
      .where(sql`charge_fail_count > 0`),
    index('vip_subscription_to_charge')
      .on(t.next_charge_at)
      .where(sql`auto_renew`),
  ],
)

/** 代扣签约: what a member agreed to pay for each further period, with the payment channel. */
export const vip_contract = pgTable(
  'vip_contract',
  {
    ...base,
    contract_no: varchar({ length: 40 }).notNull(),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    card_id: integer()
      .notNull()
      .references(() => vip_card.id),
    /** The number that the plan's terms have with the channel. */
    template: varchar({ length: 40 }).notNull(),
    /** What a period costs and how long it is, as it was signed: later prices change nothing. */
    price_cents: cents().notNull(),
    days: integer().notNull(),
    state: text({ enum: keys(contractStates) })
      .notNull()
      .default('asked'),
    signed_at: unix(),
    ended_at: unix(),
    end_reason: varchar({ length: 255 }).notNull().default(''),
    /** When the channel is asked next; null: nothing is to be asked. */
    ask_at: unix(),
    tries: integer().notNull().default(0),
  },
  t => [
    check('vip_contract_price', sql`${t.price_cents} > 0 and ${t.days} > 0`),
    check('vip_contract_signed', sql`${t.state} <> 'signed' or ${t.signed_at} is not null`),
    uniqueIndex('vip_contract_no_once').on(t.contract_no),
    uniqueIndex('vip_contract_one_signed')
      .on(t.member_id)
      .where(sql`state = 'signed'`),
    index('vip_contract_by_member').on(t.member_id, t.id),
    index('vip_contract_to_ask')
      .on(t.ask_at)
      .where(sql`ask_at is not null`),
  ],
)

/** 购卡订单: a period of membership that was bought, given or activated. */
export const vip_card_order = pgTable(
  'vip_card_order',
  {
    ...base,
    order_no: varchar({ length: 32 }).notNull(),
    /** The order that it was paid by; none of what cost nothing. */
    order_id: integer().references(() => order.id),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    card_id: integer()
      .notNull()
      .references(() => vip_card.id),
    /** Once it is paid. */
    subscription_id: integer().references(() => vip_subscription.id),
    kind: text({ enum: keys(openedBy) }).notNull(),
    days: integer().notNull(),
    pay_cents: cents().notNull(),
    /** The period that it bought; moved forward where an earlier one is given back. */
    start_at: unix(),
    end_at: unix(),
    source: varchar({ length: 255 }).notNull().default(''),
    distributor_id: integer().references(() => distributor.id),
    /** As the plan was when it was sold. */
    refund_policy: text({ enum: keys(refundPolicies) }).notNull(),
    gift_coupon_ids: jsonb().$type<number[]>().notNull().default([]),
    /** When its period was taken back with its money. */
    ended_at: unix(),
    /** What is left of a cheaper plan pays a part of a dearer one (cents), and of which purchase. */
    credit_cents: cents().notNull().default(0),
    credit_of: integer().references((): AnyPgColumn => vip_card_order.id),
    /** The contract that is signed with it, where it is to renew by itself. */
    contract_id: integer().references(() => vip_contract.id),
    /** Its refund that runs gives up the membership, and what was free of it too. */
    leaving: boolean().notNull().default(false),
    /** How its member stood before days that were given began a membership; null of all others. */
    before: jsonb().$type<BeforeDays>(),
    note: varchar({ length: 500 }).notNull().default(''),
  },
  t => [
    check('vip_card_order_free', sql`(${t.kind} in ('gift', 'code')) = (${t.order_id} is null)`),
    check(
      'vip_card_order_pay',
      sql`${t.pay_cents} >= 0 and (${t.order_id} is not null or ${t.pay_cents} = 0)`,
    ),
    check('vip_card_order_period', sql`${t.start_at} is null or ${t.end_at} >= ${t.start_at}`),
    check(
      'vip_card_order_credit',
      sql`${t.credit_cents} >= 0 and (${t.credit_cents} = 0 or ${t.kind} = 'buy')`,
    ),
    uniqueIndex('vip_card_order_no_once').on(t.order_no),
    uniqueIndex('vip_card_order_credits_once')
      .on(t.credit_of)
      .where(sql`credit_of is not null`),
    uniqueIndex('vip_card_order_once').on(t.order_id),
    index('vip_card_order_by_member').on(t.member_id, t.id),
    index('vip_card_order_by_card').on(t.card_id, t.created_at, t.id),
    index('vip_card_order_by_kind').on(t.kind, t.created_at, t.id),
    index('vip_card_order_by_time').on(t.created_at, t.id),
    index('vip_card_order_by_subscription')
      .on(t.subscription_id, t.start_at)
      .where(sql`subscription_id is not null`),
  ],
)

/** 会员卡号: a number that opens a membership once, with its secret. */
export const vip_card_code = pgTable(
  'vip_card_code',
  {
    ...base,
    batch_id: integer()
      .notNull()
      .references(() => vip_code_batch.id),
    card_id: integer()
      .notNull()
      .references(() => vip_card.id),
    card_no: varchar({ length: 16 }).notNull(),
    secret_hash: text().notNull(),
    secret_sealed: text().notNull(),
    channel: varchar({ length: 30 }).notNull(),
    /** The member who alone may activate it, or who did; null: whoever has its secret. */
    member_id: integer().references(() => member.id),
    wrong_times: integer().notNull().default(0),
    locked_until: unix(),
    expire_at: unix().notNull(),
    activated_at: unix(),
    vip_order_id: integer().references(() => vip_card_order.id),
    status: text({ enum: keys(vipCodeStates) })
      .notNull()
      .default('unissued'),
    reason: varchar({ length: 255 }).notNull().default(''),
  },
  t => [
    check(
      'vip_card_code_activated',
      sql`(${t.status} = 'activated') = (${t.activated_at} is not null) and (${t.status} <> 'activated' or ${t.member_id} is not null)`,
    ),
    uniqueIndex('vip_card_code_no_once').on(t.card_no),
    uniqueIndex('vip_card_code_opens_once')
      .on(t.vip_order_id)
      .where(sql`vip_order_id is not null`),
    index('vip_card_code_by_batch').on(t.batch_id, t.status, t.id),
    index('vip_card_code_by_status').on(t.status, t.id),
    index('vip_card_code_by_member')
      .on(t.member_id)
      .where(sql`member_id is not null`),
    index('vip_card_code_ending')
      .on(t.expire_at)
      .where(sql`status in ('unissued', 'issued', 'frozen')`),
  ],
)

/** A membership stands where its member does; numbers are the house's own. */
const ofMember = '(select m.city_id from member m where m.id = t.member_id)'
defineKinds({
  vip_subscription: at('vip_subscription', { city: ofMember }),
  vip_code_batch: ofTheHouse('vip_code_batch'),
  vip_card_code: ofTheHouse('vip_card_code'),
  vip_card_order: at('vip_card_order', { city: ofMember }),
})
