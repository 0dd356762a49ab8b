import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import {
  notifyChannels,
  warningLevels,
  warningMetrics,
  warningOperators,
  warningStates,
  type NotifyChannel,
  type Shift,
  type WarningLevel,
  type WarningMetric,
  type WarningOperator,
  type WarningState,
} from './warning.ts'

/** 通知群组 */
export const notify_group = pgTable(
  'notify_group',
  {
    ...base,
    name: varchar({ length: 32 }).notNull(),
    channel: varchar({ length: 12, enum: keys<NotifyChannel>(notifyChannels) }).notNull(),
    /**
     * The robot's address; addresses of mail or phone numbers, a comma between. Never leaves the
     * server unmasked.
     */
    target: varchar({ length: 2000 }).notNull(),
    /** Staff who belong to it. */
    members: jsonb().$type<number[]>().notNull().default([]),
    roster: jsonb().$type<Shift[]>().notNull().default([]),
    quiet: jsonb().$type<{ from: string; to: string } | null>(),
    status: varchar({ length: 4, enum: ['on', 'off'] })
      .notNull()
      .default('on'),
    /** What the channel itself answered. */
    last_test: jsonb().$type<{ at: number; ok: boolean; answer: string }>(),
  },
  t => [uniqueIndex('notify_group_name_once').on(plainName(t.name))],
)

/** What is to be told to a group: sent in order, merged where the channel takes no more. */
export const notify_message = pgTable(
  'notify_message',
  {
    ...base,
    group_id: integer()
      .notNull()
      .references(() => notify_group.id),
    level: varchar({ length: 8, enum: keys<WarningLevel>(warningLevels) }).notNull(),
    text: varchar({ length: 1000 }).notNull(),
    state: varchar({ length: 8, enum: ['queued', 'sent', 'merged', 'failed'] })
      .notNull()
      .default('queued'),
    tries: integer().notNull().default(0),
    answer: varchar({ length: 255 }),
    sent_at: unix(),
  },
  t => [
    index('notify_message_queue')
      .on(t.group_id, t.id)
      .where(sql`state = 'queued'`),
    index('notify_message_sent').on(t.group_id, t.sent_at),
  ],
)

/** A group that is to hear of an alarm: its message tells whether its channel answered. */
export type Told = { name: string; at: number; message_id?: number }
export type WarningScope = { city_id?: number; mid?: number; store_id?: number }
/** 预警规则 */
export const warning_rule = pgTable(
  'warning_rule',
  {
    ...base,
    name: varchar({ length: 40 }).notNull(),
    metric: varchar({ length: 20, enum: keys<WarningMetric>(warningMetrics) }).notNull(),
    scope: jsonb().$type<WarningScope>().notNull().default({}),
    scope_key: varchar({ length: 64 }).notNull(),
    operator: varchar({ length: 10, enum: keys<WarningOperator>(warningOperators) }).notNull(),
    /** Basis points, a count, or percent of a change. */
    threshold: integer().notNull(),
    window_s: integer().notNull(),
    min_sample: integer().notNull(),
    level: varchar({ length: 8, enum: keys<WarningLevel>(warningLevels) }).notNull(),
    group_ids: jsonb().$type<number[]>().notNull(),
    auto_recover: boolean().notNull(),
    mute_until: unix(),
    mute_reason: varchar({ length: 255 }),
    status: varchar({ length: 4, enum: ['on', 'off'] })
      .notNull()
      .default('on'),
    last_value: integer(),
    checked_at: unix(),
    /** Deleted: its alarms stay and still name it. */
    gone: boolean().notNull().default(false),
  },
  t => [
    uniqueIndex('warning_rule_same')
      .on(t.metric, t.scope_key, t.operator, t.threshold, t.window_s)
      .where(sql`not gone`),
    index('warning_rule_on')
      .on(t.status)
      .where(sql`not gone`),
  ],
)

/** 预警记录: one open alarm a rule and place. */
export const warning_log = pgTable(
  'warning_log',
  {
    ...base,
    rule_id: integer()
      .notNull()
      .references(() => warning_rule.id),
    rule_name: varchar({ length: 40 }).notNull(),
    metric: varchar({ length: 20, enum: keys<WarningMetric>(warningMetrics) }).notNull(),
    scope: jsonb().$type<WarningScope>().notNull(),
    scope_key: varchar({ length: 64 }).notNull(),
    city_id: integer(),
    mall_id: integer(),
    value: integer().notNull(),
    threshold: integer().notNull(),
    operator: varchar({ length: 10, enum: keys<WarningOperator>(warningOperators) }).notNull(),
    level: varchar({ length: 8, enum: keys<WarningLevel>(warningLevels) }).notNull(),
    state: varchar({ length: 10, enum: keys<WarningState>(warningStates) })
      .notNull()
      .default('open'),
    count: integer().notNull().default(1),
    fired_at: unix().notNull(),
    last_at: unix().notNull(),
    acked_by: integer().references(() => admin.id),
    acked_at: unix(),
    assigned_to: integer().references(() => admin.id),
    handled_by: integer().references(() => admin.id),
    handled_at: unix(),
    recovered_at: unix(),
    escalated_at: unix(),
    result: varchar({ length: 255 }),
    /** The groups that are to be told, by name, since when, and by which message. */
    told: jsonb().$type<Told[]>().notNull().default([]),
    /** The number around the moment: unix seconds and value, oldest first. */
    series: jsonb().$type<[number, number][]>().notNull().default([]),
  },
  t => [
    uniqueIndex('warning_log_open_once')
      .on(t.rule_id, t.scope_key)
      .where(sql`state in ('open', 'acked')`),
    index('warning_log_state').on(t.state, t.fired_at, t.id),
    index('warning_log_level').on(t.level, t.fired_at, t.id),
    index('warning_log_metric').on(t.metric, t.fired_at, t.id),
    index('warning_log_person').on(t.assigned_to, t.fired_at, t.id),
    index('warning_log_time').on(t.fired_at, t.id),
    index('warning_log_city').on(t.city_id, t.fired_at, t.id),
    index('warning_log_rule').on(t.rule_id, t.fired_at),
  ],
)

/** 核销员 */
export const verifier = pgTable(
  'verifier',
  {
    ...base,
    name: varchar({ length: 32 }).notNull(),
    phone: varchar({ length: 11 }).notNull().unique(),
    /** WeChat's id for this person; null until bound. */
    openid: varchar({ length: 40 }),
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    store_ids: jsonb().$type<number[]>().notNull(),
    kinds: jsonb().$type<string[]>().notNull(),
    daily_count_limit: integer(),
    daily_amount_limit_cents: cents(),
    status: varchar({ length: 8, enum: ['active', 'disabled'] })
      .notNull()
      .default('active'),
    status_reason: varchar({ length: 255 }),
    locked_until: unix(),
    /** When wrong codes were typed, as far back as they count. */
    wrong_at: unix().array().notNull().default([]),
    last_at: unix(),
    city_id: integer().notNull(),
  },
  t => [
    index('verifier_merchant').on(t.merchant_id, t.id),
    index('verifier_status').on(t.status, t.id),
    index('verifier_city').on(t.city_id, t.id),
    index('verifier_last').on(t.last_at, t.id),
    index('verifier_stores').using('gin', t.store_ids),
  ],
)
