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
import { ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { limitKinds, type LimitKind } from '#src/areas/limit/rule.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import {
  formulas,
  logKinds,
  planStates,
  scopeKinds,
  type Formula,
  type LogKind,
  type PlanState,
  type ScopeKind,
} from './subsidy.ts'

/** 补贴计划: money that operations asks for and finance grants. */
export const subsidy_plan = pgTable(
  'subsidy_plan',
  {
    ...base,
    name: varchar({ length: 40 }).notNull(),
    scope_kind: text({ enum: keys<ScopeKind>(scopeKinds) }).notNull(),
    scope_ids: jsonb().$type<number[]>().notNull().default([]),
    product_kind: text({ enum: keys<LimitKind>(limitKinds) }).notNull(),
    levels: jsonb().$type<number[]>().notNull().default([]),
    formula: text({ enum: keys<Formula>(formulas) }).notNull(),
    unit_cents: cents().notNull().default(0),
    percent_bp: integer().notNull().default(0),
    cap_cents: cents(),
    zero_price: boolean().notNull().default(false),
    platform_bp: integer().notNull(),
    mall_bp: integer().notNull().default(0),
    merchant_bp: integer().notNull().default(0),
    /** The mall that pays the mall's share; 0 where none does. */
    mall_id: integer().notNull().default(0),
    budget_cents: cents().notNull(),
    used_cents: cents().notNull().default(0),
    locked_cents: cents().notNull().default(0),
    day_budget_cents: cents(),
    /** The day that `day_cents` was promised on. */
    day: varchar({ length: 10 }).notNull().default(''),
    day_cents: cents().notNull().default(0),
    per_member_day_cents: cents(),
    per_member_count: integer(),
    stackable: boolean().notNull().default(false),
    priority: integer().notNull().default(0),
    warn_bp: integer().notNull().default(8000),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    /** Orders that it subsidised, and what they came to. */
    orders: integer().notNull().default(0),
    gmv_cents: cents().notNull().default(0),
    maker_id: integer()
      .notNull()
      .references(() => admin.id),
    approver_id: integer().references(() => admin.id),
    reason: varchar({ length: 255 }).notNull().default(''),
    status: text({ enum: keys<PlanState>(planStates) })
      .notNull()
      .default('draft'),
    /** Where what it names stands; none: it is the house's own. */
    city_ids: jsonb().$type<number[]>().notNull().default([]),
    mall_ids: jsonb().$type<number[]>().notNull().default([]),
  },
  t => [
    check('subsidy_plan_shares', sql`${t.platform_bp} + ${t.mall_bp} + ${t.merchant_bp} = 10000`),
    check(
      'subsidy_plan_budget',
      sql`${t.used_cents} >= 0 and ${t.locked_cents} >= 0 and ${t.used_cents} + ${t.locked_cents} <= ${t.budget_cents}`,
    ),
    check('subsidy_plan_span', sql`${t.end_at} > ${t.start_at}`),
    check('subsidy_plan_approver_is_another', sql`${t.approver_id} <> ${t.maker_id}`),
    uniqueIndex('subsidy_plan_name_once').on(plainName(t.name)),
    index('subsidy_plan_running')
      .on(t.end_at)
      .where(sql`status = 'on'`),
    index('subsidy_plan_by_status').on(t.status, t.id),
    index('subsidy_plan_by_mall').using('gin', t.mall_ids),
  ],
)

/** 补贴记录. Append-only: the migration's triggers refuse everything else. */
export const subsidy_log = pgTable(
  'subsidy_log',
  {
    ...base,
    plan_id: integer()
      .notNull()
      .references(() => subsidy_plan.id),
    kind: text({ enum: keys<LogKind>(logKinds) }).notNull(),
    order_id: integer().references(() => order.id),
    item_id: integer().references(() => order_item.id),
    /** Units that it is for. */
    qty: integer().notNull().default(0),
    member_id: integer().references(() => member.id),
    merchant_id: integer(),
    device_id: varchar({ length: 40 }),
    city_id: integer().notNull().default(0),
    mall_id: integer().notNull().default(0),
    /** Signed: what it adds to what is promised (lock, unlock), used (grant, reverse …) or budgeted. */
    amount_cents: cents().notNull(),
    platform_cents: cents().notNull().default(0),
    mall_cents: cents().notNull().default(0),
    merchant_cents: cents().notNull().default(0),
    used_after_cents: cents().notNull(),
    /** The row that it takes back: of a reverse or clawback its grant, of an unlock its lock. */
    of_id: integer(),
    txn_id: integer().references(() => ledger_txn.id),
    memo: varchar({ length: 200 }).notNull().default(''),
    operator_id: integer().references(() => admin.id),
    checker_id: integer().references(() => admin.id),
  },
  t => [
    check(
      'subsidy_log_bearers',
      sql`${t.kind} in ('budget_up', 'budget_down') or ${t.amount_cents} = ${t.platform_cents} + ${t.mall_cents} + ${t.merchant_cents}`,
    ),
    index('subsidy_log_by_time').on(t.created_at, t.id),
    index('subsidy_log_by_plan').on(t.plan_id, t.created_at, t.id),
    index('subsidy_log_by_kind').on(t.kind, t.created_at, t.id),
    index('subsidy_log_by_member').on(t.member_id, t.created_at, t.id),
    index('subsidy_log_by_merchant').on(t.merchant_id, t.created_at, t.id),
    index('subsidy_log_by_mall').on(t.mall_id, t.created_at, t.id),
    index('subsidy_log_by_city').on(t.city_id, t.created_at, t.id),
    index('subsidy_log_by_order')
      .on(t.order_id)
      .where(sql`order_id is not null`),
    index('subsidy_log_taken_back')
      .on(t.of_id)
      .where(sql`of_id is not null`),
  ],
)

/** A member whom a plan refuses: their later orders are told so. */
export const subsidy_flag = pgTable(
  'subsidy_flag',
  {
    ...base,
    plan_id: integer()
      .notNull()
      .references(() => subsidy_plan.id),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    reason: varchar({ length: 255 }).notNull(),
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
  },
  t => [uniqueIndex('subsidy_flag_once').on(t.plan_id, t.member_id)],
)

/** What somebody asks to claim back of a grant; another person decides. */
export const subsidy_claim = pgTable(
  'subsidy_claim',
  {
    ...base,
    log_id: integer()
      .notNull()
      .references(() => subsidy_log.id),
    amount_cents: cents().notNull(),
    reason: varchar({ length: 255 }).notNull(),
    maker_id: integer()
      .notNull()
      .references(() => admin.id),
    checker_id: integer().references(() => admin.id),
    state: text({ enum: ['asked', 'done', 'rejected'] })
      .notNull()
      .default('asked'),
  },
  t => [
    check('subsidy_claim_checker_is_another', sql`${t.checker_id} <> ${t.maker_id}`),
    check('subsidy_claim_amount', sql`${t.amount_cents} > 0`),
    uniqueIndex('subsidy_claim_once')
      .on(t.log_id)
      .where(sql`state = 'asked'`),
  ],
)

/** A plan for everything is the house's own; a row of the log stands where its order does. */
defineKinds({
  subsidy_plan: at('subsidy_plan', {
    cities: 'select jsonb_array_elements_text(t.city_ids)::int',
    malls: 'select jsonb_array_elements_text(t.mall_ids)::int',
  }),
  subsidy_log: at('subsidy_log', { city: 't.city_id', mall: 't.mall_id' }),
})
