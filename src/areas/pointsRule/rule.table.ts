import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { pointsRules, ruleStates, type PointsRuleKind, type PointsRuleState } from './rule.ts'

/**
 * 积分规则: how points are earned, and what they are worth. Each change of the rate is a row of its own,
 * which another person approves; which one is in force is read by time.
 */
export const points_rule = pgTable(
  'points_rule',
  {
    ...base,
    kind: text({ enum: keys<PointsRuleKind>(pointsRules) }).notNull(),
    name: text().notNull(),
    /** What the kind says; its shape is checked where it is written and read. */
    config: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Points a member can earn by it in a Shanghai day, and altogether; null: any number. */
    daily_cap: integer(),
    total_cap: integer(),
    /** The malls it is for; none: all that have no rule of their own. */
    mids: jsonb().$type<number[]>().notNull().default([]),
    start_at: unix(),
    end_at: unix(),
    status: text({ enum: keys<PointsRuleState>(ruleStates) }).notNull(),
    sort: integer().notNull().default(0),
    /** When a rate begins; the other kinds hold as soon as they are on. */
    effective_at: unix(),
    reason: text().notNull().default(''),
    maker_id: integer().references(() => admin.id),
    approved_by: integer().references(() => admin.id),
    approved_at: unix(),
    reject_reason: text().notNull().default(''),
    off_reason: text().notNull().default(''),
  },
  t => [
    check('points_rule_second', sql`${t.approved_by} <> ${t.maker_id}`),
    check('points_rule_span', sql`${t.end_at} > ${t.start_at}`),
    check(
      'points_rule_rate',
      sql`${t.kind} <> 'rate' or ${t.status} in ('draft', 'off') or ${t.effective_at} is not null`,
    ),
    uniqueIndex('points_rule_rate_once')
      .on(t.effective_at)
      .where(sql`kind = 'rate' and status = 'on'`),
    index('points_rule_by_kind').on(t.kind, t.status),
  ],
)
