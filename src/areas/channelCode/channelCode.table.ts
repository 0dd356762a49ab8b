import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { wecom_follow, wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { wecom_welcome } from '#src/areas/welcome/welcome.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { codeHealth, codeKinds, codeStates, wayStates, type CodeBody } from './channelCode.ts'

/** 渠道活码: a printed code, and the contact way in WeCom that its scans lead to. */
export const channel_code = pgTable(
  'channel_code',
  {
    ...base,
    /** What WeCom tells of a contact that came by it; never used for a second code. */
    state_key: varchar({ length: 30 }).notNull().unique(),
    /** The contact way in WeCom, and the picture of it; null while WeCom has none. */
    config_id: text().unique(),
    qr_url: text().notNull().default(''),
    name: varchar({ length: 40 }).notNull(),
    group_name: varchar({ length: 20 }).notNull().default(''),
    kind: text({ enum: keys(codeKinds) }).notNull(),
    mall_id: integer().references(() => mall.id),
    store_id: integer().references(() => store.id),
    /** What making and hanging it has cost; costs of a day stand in channel_cost. */
    cost_cents: cents().notNull().default(0),
    /** The welcome of its own that new contacts get. */
    welcome_id: integer().references(() => wecom_welcome.id),
    tag_ids: integer().array().notNull().default([]),
    /** Members and backups, to find the codes of somebody. */
    userids: text().array().notNull().default([]),
    start_at: unix(),
    end_at: unix(),
    /** What holds; of a code that WeCom never took, the draft. */
    body: jsonb().$type<CodeBody>().notNull(),
    /** What is written and does not hold yet. */
    draft: jsonb().$type<CodeBody>(),
    /** The number of the version that holds; 0: none. */
    rev: integer().notNull().default(0),
    status: text({ enum: keys(codeStates) })
      .notNull()
      .default('draft'),
    health: text({ enum: keys(codeHealth) })
      .notNull()
      .default('ok'),
    /** Whom scans lead to now, as WeCom was told last, and whether they are let in at once. */
    way_userids: text().array().notNull().default([]),
    way_skip_verify: boolean().notNull().default(true),
    way_state: text({ enum: keys(wayStates) })
      .notNull()
      .default('none'),
    way_tries: integer().notNull().default(0),
    /** When WeCom is asked next; null: nothing is to be told. */
    way_next_at: unix(),
    /** When a way was first asked for that nobody knows of; one that was made is looked for since. */
    way_asked_at: unix(),
    /** Whether WeCom is asked first what it has, and what differed when it last was. */
    way_check: boolean().notNull().default(false),
    way_note: text().notNull().default(''),
    way_errcode: integer().notNull().default(0),
    way_error: text().notNull().default(''),
    /** When what WeCom has was last compared with what should hold. */
    synced_at: unix(),
    reason: text().notNull().default(''),
    created_by: integer().references(() => admin.id),
  },
  t => [
    check(
      'channel_code_way',
      sql`${t.status} in ('draft', 'archived') or ${t.config_id} is not null`,
    ),
    check('channel_code_cost', sql`${t.cost_cents} >= 0`),
    index('channel_code_by_state').on(t.status, t.id),
    index('channel_code_by_group').on(t.group_name, t.id),
    index('channel_code_by_health').on(t.health, t.id),
    index('channel_code_by_mall').on(t.mall_id, t.id),
    index('channel_code_by_store').on(t.store_id),
    index('channel_code_by_welcome')
      .on(t.welcome_id)
      .where(sql`welcome_id is not null`),
    index('channel_code_by_staff').using('gin', t.userids),
    index('channel_code_by_tag').using('gin', t.tag_ids),
    index('channel_code_by_name').using('btree', t.name.op('text_pattern_ops')),
    index('channel_code_due')
      .on(t.way_next_at)
      .where(sql`way_next_at is not null`),
    index('channel_code_ends')
      .on(t.end_at)
      .where(sql`status = 'enabled' and end_at is not null`),
  ],
)

/** 活码版本: what held from when; a version that WeCom refused is kept with what it said. */
export const channel_code_version = pgTable(
  'channel_code_version',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    code_id: integer()
      .notNull()
      .references(() => channel_code.id),
    rev: integer().notNull(),
    body: jsonb().$type<CodeBody>().notNull(),
    state: text({ enum: ['waiting', 'done', 'failed'] })
      .notNull()
      .default('waiting'),
    errcode: integer().notNull().default(0),
    error: text().notNull().default(''),
    by_id: integer().references(() => admin.id),
    created_at: unix().notNull(),
    /** From when it holds; null while it does not. */
    live_at: unix(),
  },
  t => [
    check('channel_code_version_live', sql`(${t.state} = 'done') = (${t.live_at} is not null)`),
    uniqueIndex('channel_code_version_once').on(t.code_id, t.rev),
    uniqueIndex('channel_code_version_waits')
      .on(t.code_id)
      .where(sql`state = 'waiting'`),
  ],
)

/** 扫码: how often a code was scanned in an hour. Nothing is kept of whoever did. */
export const channel_scan = pgTable(
  'channel_scan',
  {
    code_id: integer()
      .notNull()
      .references(() => channel_code.id),
    /** The beginning of the hour. */
    at: unix().notNull(),
    n: integer().notNull().default(0),
  },
  t => [primaryKey({ columns: [t.code_id, t.at] }), index('channel_scan_by_time').on(t.at)],
)

/**
 * 渠道日统计: a day of a code and a member, counted anew from relations, orders and scans. No code:
 * contacts that came without one. No member: scans, which lead to nobody yet, and costs.
 */
export const channel_stat_daily = pgTable(
  'channel_stat_daily',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    code_id: integer().references(() => channel_code.id),
    staff_id: integer().references(() => wecom_staff.id),
    day: varchar({ length: 10 }).notNull(),
    scans: integer().notNull().default(0),
    /** Re-adds among them. */
    adds: integer().notNull().default(0),
    re_adds: integer().notNull().default(0),
    /** Dated by the loss. */
    lost: integer().notNull().default(0),
    lost_same_day: integer().notNull().default(0),
    /** Adds of the day that were not lost within seven days. */
    kept_7d: integer().notNull().default(0),
    backup_used: integer().notNull().default(0),
    bound: integer().notNull().default(0),
    first_orders: integer().notNull().default(0),
    orders: integer().notNull().default(0),
    paid_cents: cents().notNull().default(0),
    cost_cents: cents().notNull().default(0),
  },
  t => [
    unique('channel_stat_daily_once').on(t.day, t.code_id, t.staff_id).nullsNotDistinct(),
    index('channel_stat_daily_by_code').on(t.code_id, t.day),
  ],
)

/** 渠道成本: what a code cost on a day; later entries of a day replace the one before. */
export const channel_cost = pgTable(
  'channel_cost',
  {
    ...base,
    code_id: integer()
      .notNull()
      .references(() => channel_code.id),
    day: varchar({ length: 10 }).notNull(),
    cost_cents: cents().notNull(),
    by_id: integer()
      .notNull()
      .references(() => admin.id),
  },
  t => [
    check('channel_cost_some', sql`${t.cost_cents} >= 0`),
    uniqueIndex('channel_cost_once').on(t.code_id, t.day),
    index('channel_cost_by_day').on(t.day),
  ],
)

/** 标注: what happened on a day, beside the figures of a code. */
export const channel_event = pgTable(
  'channel_event',
  {
    ...base,
    code_id: integer()
      .notNull()
      .references(() => channel_code.id),
    day: varchar({ length: 10 }).notNull(),
    /** `full`: all were at their caps, and the last backup still received; told by itself. */
    kind: text({ enum: ['note', 'full'] })
      .notNull()
      .default('note'),
    text: varchar({ length: 60 }).notNull().default(''),
    by_id: integer().references(() => admin.id),
  },
  t => [
    check('channel_event_by', sql`(${t.kind} = 'note') = (${t.by_id} is not null)`),
    index('channel_event_by_code').on(t.code_id, t.day),
    uniqueIndex('channel_event_full_once')
      .on(t.code_id, t.day)
      .where(sql`kind = 'full'`),
  ],
)

/** 活码新增: a relation that came by a code and has got the tags and the remark of it. */
export const channel_add = pgTable(
  'channel_add',
  {
    follow_id: integer()
      .primaryKey()
      .references(() => wecom_follow.id),
    code_id: integer()
      .notNull()
      .references(() => channel_code.id),
    at: unix().notNull(),
  },
  t => [index('channel_add_by_code').on(t.code_id)],
)

defineKinds({
  channel_code: at('channel_code', {
    city: '(select m.city_id from mall m where m.id = t.mall_id)',
    mall: 't.mall_id',
  }),
})
