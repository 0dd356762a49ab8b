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
  uniqueIndex,
  varchar,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import type { WelcomeAttachment } from './attachment.ts'
import type { Hours } from './hours.ts'
import { giftStates, sendOutcomes, trialStates, welcomeScopes, welcomeStates } from './welcome.ts'

/** 好友欢迎语: what a new friend gets first, by whom, where and when; exactly one of them wins. */
export const wecom_welcome = pgTable(
  'wecom_welcome',
  {
    ...base,
    name: varchar({ length: 40 }).notNull(),
    scope: text({ enum: keys(welcomeScopes) }).notNull(),
    /** The one that holds where no other does; it is always on. */
    is_default: boolean().notNull().default(false),
    /** The rule whose hours this one takes over, with its people; null for a rule of its own. */
    base_id: integer().references((): AnyPgColumn => wecom_welcome.id),
    /** A rule of a mall is for the departments that are bound to it when it is asked. */
    mall_id: integer().references(() => mall.id),
    department_ids: integer().array().notNull().default([]),
    staff_ids: integer().array().notNull().default([]),
    priority: integer().notNull().default(100),
    hours: jsonb().$type<Hours[]>().notNull().default([]),
    text: text().notNull().default(''),
    attachments: jsonb().$type<WelcomeAttachment[]>().notNull().default([]),
    coupon_id: integer().references(() => coupon.id),
    /** The number of what it says now; sends keep the one that they went with. */
    content_n: integer().notNull().default(1),
    status: text({ enum: keys(welcomeStates) })
      .notNull()
      .default('draft'),
    off_reason: varchar({ length: 255 }).notNull().default(''),
  },
  t => [
    check('wecom_welcome_priority', sql`${t.priority} between 1 and 999`),
    check('wecom_welcome_bytes', sql`octet_length(${t.text}) <= 4000`),
    check(
      'wecom_welcome_says',
      sql`${t.text} <> '' or jsonb_array_length(${t.attachments}) between 1 and 9`,
    ),
    check('wecom_welcome_attachments', sql`jsonb_array_length(${t.attachments}) <= 9`),
    check(
      'wecom_welcome_default',
      sql`not ${t.is_default} or (${t.scope} = 'default' and ${t.status} = 'enabled'
        and ${t.hours} = '[]'::jsonb and ${t.base_id} is null)`,
    ),
    check(
      'wecom_welcome_targets',
      sql`case ${t.scope}
        when 'staff' then cardinality(${t.staff_ids}) > 0 and cardinality(${t.department_ids}) = 0
          and ${t.mall_id} is null
        when 'department' then cardinality(${t.staff_ids}) = 0
          and (${t.mall_id} is null) = (cardinality(${t.department_ids}) > 0)
        else cardinality(${t.staff_ids}) = 0 and cardinality(${t.department_ids}) = 0
          and ${t.mall_id} is null end`,
    ),
    uniqueIndex('wecom_welcome_one_default')
      .on(t.is_default)
      .where(sql`is_default`),
    index('wecom_welcome_in_order').on(t.scope, t.priority, t.id),
    index('wecom_welcome_by_base')
      .on(t.base_id)
      .where(sql`base_id is not null`),
    index('wecom_welcome_by_coupon')
      .on(t.coupon_id)
      .where(sql`coupon_id is not null`),
  ],
)
/** 欢迎语版本: what a rule said at a time; a message that went keeps what it was. */
export const wecom_welcome_content = pgTable(
  'wecom_welcome_content',
  {
    welcome_id: integer()
      .notNull()
      .references(() => wecom_welcome.id, { onDelete: 'cascade' }),
    n: integer().notNull(),
    text: text().notNull(),
    attachments: jsonb().$type<WelcomeAttachment[]>().notNull(),
    coupon_id: integer(),
    created_at: unix().notNull(),
    created_by: integer().references(() => admin.id),
  },
  t => [primaryKey({ columns: [t.welcome_id, t.n] })],
)
/** 欢迎语发送: one a welcome code, which WeCom takes once and within 20 seconds. */
export const wecom_welcome_send = pgTable(
  'wecom_welcome_send',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    version: integer().notNull().default(0),
    /** A code says nothing after its 20 seconds: what is kept is its digest. */
    code_digest: varchar({ length: 64 }).notNull().unique(),
    /** Null where no rule was on, or the rule is gone since. */
    welcome_id: integer().references(() => wecom_welcome.id, { onDelete: 'set null' }),
    content_n: integer(),
    userid: varchar({ length: 64 }).notNull(),
    staff_id: integer().references(() => wecom_staff.id),
    external_userid: varchar({ length: 64 }).notNull(),
    /** The state of the code that was scanned; empty where there was none. */
    source_state: varchar({ length: 64 }).notNull().default(''),
    happened_at: unix().notNull(),
    claimed_at: unix().notNull(),
    /** From the event to WeCom's answer, in milliseconds; null while nobody has answered. */
    cost_ms: integer(),
    outcome: text({ enum: keys(sendOutcomes) }).notNull(),
    errcode: integer().notNull().default(0),
    error: varchar({ length: 255 }).notNull().default(''),
    /** What of it was left out, and why. */
    skipped: jsonb().$type<string[]>().notNull().default([]),
    coupon_id: integer().references(() => coupon.id),
    member_id: integer().references(() => member.id),
    gift: text({ enum: keys(giftStates) })
      .notNull()
      .default('none'),
    gift_error: varchar({ length: 255 }).notNull().default(''),
  },
  t => [
    check('wecom_welcome_send_gift', sql`(${t.gift} = 'none') = (${t.coupon_id} is null)`),
    index('wecom_welcome_send_by_rule').on(t.welcome_id, t.happened_at),
    index('wecom_welcome_send_by_time').on(t.happened_at, t.id),
    index('wecom_welcome_send_open')
      .on(t.claimed_at)
      .where(sql`outcome = 'sending'`),
    index('wecom_welcome_send_gifts')
      .on(t.external_userid)
      .where(sql`gift = 'waiting'`),
    uniqueIndex('wecom_welcome_send_gift_once')
      .on(t.welcome_id, t.member_id)
      .where(sql`gift = 'given'`),
  ],
)

/** 欢迎语测试: what somebody has sent to their own account in WeCom, as it stood then. */
export const wecom_welcome_trial = pgTable(
  'wecom_welcome_trial',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    version: integer().notNull().default(0),
    welcome_id: integer()
      .notNull()
      .references(() => wecom_welcome.id, { onDelete: 'cascade' }),
    content_n: integer().notNull(),
    asked_by: integer()
      .notNull()
      .references(() => admin.id),
    /** The adviser that the asker is in WeCom. */
    staff_id: integer()
      .notNull()
      .references(() => wecom_staff.id),
    asked_at: unix().notNull(),
    state: text({ enum: keys(trialStates) })
      .notNull()
      .default('waiting'),
    /** When it was taken to be sent, and when that ended. */
    taken_at: unix(),
    done_at: unix(),
    errcode: integer().notNull().default(0),
    error: varchar({ length: 255 }).notNull().default(''),
    skipped: jsonb().$type<string[]>().notNull().default([]),
  },
  t => [
    check(
      'wecom_welcome_trial_done',
      sql`(${t.state} in ('waiting', 'sending')) = (${t.done_at} is null)`,
    ),
    index('wecom_welcome_trial_waits')
      .on(t.state, t.id)
      .where(sql`state in ('waiting', 'sending')`),
    index('wecom_welcome_trial_by_rule').on(t.welcome_id, t.id),
    index('wecom_welcome_trial_by_asker').on(t.asked_by),
    index('wecom_welcome_trial_by_staff').on(t.staff_id),
    uniqueIndex('wecom_welcome_trial_open')
      .on(t.welcome_id, t.asked_by)
      .where(sql`state in ('waiting', 'sending')`),
  ],
)

/** The malls that a rule is for; none: it is for the house. */
const MALLS =
  'select t.mall_id where t.mall_id is not null union select b.mall_id' +
  ' from wecom_department_mall b where b.department_id = any(t.department_ids)' +
  ' union select unnest(s.mall_ids) from wecom_staff s where s.id = any(t.staff_ids)'
defineKinds({
  wecom_welcome: at('wecom_welcome', {
    cities: `select m.city_id from mall m where m.id in (${MALLS})`,
    malls: MALLS,
  }),
})
