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
import { member } from '#src/areas/member/member.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import {
  listTypes,
  riskActions,
  riskLevels,
  riskLists,
  riskScenes,
  riskStates,
  ruleStates,
  type ListType,
  type RiskAction,
  type RiskCondition,
  type RiskLevel,
  type RiskList,
  type RiskScene,
  type RiskState,
  type RuleState,
} from './risk.ts'

/** What a dry run found: the orders it would have stopped, and whose. */
export type DryRun = {
  days: number
  from: number
  to: number
  orders: number
  members: number
  hits: number
  amount_cents: number
  orders_in_all: number
}
/** 可疑交易报告: what stood in the database at the moment it was made. */
export type RiskReport = {
  no: string
  at: number
  by: number
  reason: string
  content: Readonly<Record<string, unknown>>
}
/** 风控规则 */
export const risk_rule = pgTable(
  'risk_rule',
  {
    ...base,
    scene: varchar({ length: 10, enum: keys<RiskScene>(riskScenes) }).notNull(),
    name: varchar({ length: 64 }).notNull(),
    condition: jsonb().$type<RiskCondition>().notNull(),
    /** A count, basis points or cents, by the metric. */
    threshold: integer().notNull(),
    window_s: integer().notNull(),
    action: varchar({ length: 8, enum: keys<RiskAction>(riskActions) }).notNull(),
    /** Both are of the condition as it stands: a change of it takes them away. */
    dry_run_at: unix(),
    dry_run_result: jsonb().$type<DryRun>(),
    status: varchar({ length: 6, enum: keys<RuleState>(ruleStates) })
      .notNull()
      .default('draft'),
    status_reason: varchar({ length: 255 }),
    /** What happened until then has been measured. */
    measured_until: unix(),
  },
  t => [
    uniqueIndex('risk_rule_name_once').on(plainName(t.name)),
    index('risk_rule_status').on(t.status, t.scene),
    index('risk_rule_scene').on(t.scene, t.id),
    index('risk_rule_action').on(t.action, t.id),
  ],
)

/**
 * 风险命中: one table for every risk domain. A hit of the kind cash_out makes a store's vouchers need a
 * second approver for 30 days.
 */
export const risk_hit = pgTable(
  'risk_hit',
  {
    ...base,
    domain: text({ enum: ['platform', 'ecard', 'marketing'] }).notNull(),
    /** The rule's metric, or the kind of a hit that no rule made. */
    rule: text().notNull(),
    rule_id: integer().references(() => risk_rule.id),
    scene: varchar({ length: 16, enum: keys<RiskScene>(riskScenes) }).notNull(),
    level: text({ enum: keys<RiskLevel>(riskLevels) }).notNull(),
    score: integer().notNull(),
    /** What the rule did at the time; null where no rule made it. */
    action: varchar({ length: 8, enum: keys<RiskAction>(riskActions) }),
    city_id: integer().notNull(),
    mall_id: integer().notNull().default(0),
    merchant_id: integer().references(() => merchant.id),
    store_id: integer().references(() => store.id),
    member_id: integer().references(() => member.id),
    device_id: varchar({ length: 40 }),
    order_ids: jsonb().$type<number[]>().notNull().default([]),
    code_ids: jsonb().$type<number[]>().notNull().default([]),
    /** What was measured, in the unit of the rule's metric. */
    value: integer().notNull().default(0),
    amount_cents: cents().notNull().default(0),
    note: text().notNull(),
    state: text({ enum: keys<RiskState>(riskStates) }).notNull(),
    hit_at: unix().notNull(),
    /** The newest of those merged into it. */
    last_at: unix().notNull(),
    merged_count: integer().notNull().default(1),
    claimed_by: integer().references(() => admin.id),
    claim_until: unix(),
    decided_by: integer().references(() => admin.id),
    decided_at: unix(),
    reason: varchar({ length: 255 }),
    /** Orders that this hit froze: what its release gives free. */
    froze: jsonb().$type<number[]>().notNull().default([]),
    /** Codes of e-cards that this hit froze, likewise. */
    froze_codes: jsonb().$type<number[]>().notNull().default([]),
    /** What was reported of it, as it stood then; written once. */
    report: jsonb().$type<RiskReport>(),
  },
  t => [
    check(
      'risk_hit_decided',
      sql`(${t.state} in ('released', 'confirmed')) = (${t.decided_at} is not null)`,
    ),
    index('risk_hit_by_store').on(t.store_id, t.rule, t.hit_at),
    index('risk_hit_by_state').on(t.state, t.hit_at, t.id),
    index('risk_hit_by_score').on(t.state, t.score, t.id),
    index('risk_hit_by_time').on(t.hit_at, t.id),
    index('risk_hit_by_rule').on(t.rule_id, t.hit_at, t.id),
    index('risk_hit_by_scene').on(t.scene, t.hit_at, t.id),
    index('risk_hit_by_level').on(t.level, t.hit_at, t.id),
    index('risk_hit_by_member').on(t.member_id, t.hit_at, t.id),
    index('risk_hit_by_device').on(t.device_id, t.hit_at),
    index('risk_hit_by_city').on(t.city_id, t.hit_at, t.id),
    index('risk_hit_by_claim')
      .on(t.claimed_by)
      .where(sql`state = 'claimed'`),
    index('risk_hit_by_decider').on(t.decided_by, t.hit_at, t.id),
  ],
)

/** 黑白名单. White beats black; every entry has its scene and may end. */
export const risk_list = pgTable(
  'risk_list',
  {
    ...base,
    list: text({ enum: keys<RiskList>(riskLists) }).notNull(),
    type: text({ enum: keys<ListType>(listTypes) }).notNull(),
    value: varchar({ length: 64 }).notNull(),
    /** `all`, or the risk scene it counts in. */
    scene: varchar({ length: 16 }).notNull().default('all'),
    /** Null: for good, said so by whoever made it. */
    until_at: unix(),
    reason: varchar({ length: 255 }).notNull(),
    admin_id: integer().references(() => admin.id),
    status: text({ enum: ['on', 'removed'] })
      .notNull()
      .default('on'),
  },
  t => [
    uniqueIndex('risk_list_once')
      .on(t.list, t.type, t.value, t.scene)
      .where(sql`status = 'on'`),
    index('risk_list_value').on(t.type, t.value),
    index('risk_list_by_list').on(t.list, t.type, t.status, t.id),
    index('risk_list_by_status').on(t.status, t.id),
  ],
)
