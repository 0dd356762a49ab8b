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
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  pullRecordStates,
  pullStates,
  type PullFlag,
  type PullRecordState,
  type PullState,
} from './pull.ts'

/** 影票拉新活动: so many cheap first tickets, and what whoever brings a new buyer is given. */
export const film_pull_activity = pgTable(
  'film_pull_activity',
  {
    ...base,
    name: varchar({ length: 30 }).notNull(),
    /** Where it holds; none of either is everywhere. */
    city_ids: jsonb().$type<number[]>().notNull().default([]),
    mall_ids: jsonb().$type<number[]>().notNull().default([]),
    film_ids: jsonb().$type<number[]>().notNull().default([]),
    cinema_ids: jsonb().$type<number[]>().notNull().default([]),
    /** What a new buyer pays for one seat. */
    price_cents: cents().notNull(),
    /** The most that the house adds to a seat. */
    subsidy_cents: cents().notNull(),
    reward_cents: cents().notNull(),
    quota: integer().notNull(),
    quota_day: integer().notNull(),
    /** Kept by the guarded updates that take and give back a place. */
    locked_count: integer().notNull().default(0),
    used_count: integer().notNull().default(0),
    /** quota × (subsidy + reward). */
    budget_cents: cents().notNull(),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    /** Why it was rejected, paused or ended. */
    reason: varchar({ length: 200 }).notNull().default(''),
    maker_id: integer()
      .notNull()
      .references(() => admin.id),
    checker_id: integer().references(() => admin.id),
    status: text({ enum: keys<PullState>(pullStates) })
      .notNull()
      .default('draft'),
    started_at: unix(),
    ended_at: unix(),
  },
  t => [
    check('film_pull_quota', sql`${t.locked_count} + ${t.used_count} <= ${t.quota}`),
    check('film_pull_counts', sql`${t.locked_count} >= 0 and ${t.used_count} >= 0`),
    check('film_pull_checked_by_another', sql`${t.checker_id} <> ${t.maker_id}`),
    check('film_pull_times', sql`${t.end_at} > ${t.start_at}`),
    index('film_pull_by_status').on(t.status, t.id),
    index('film_pull_by_start').on(t.start_at, t.id),
    index('film_pull_to_start')
      .on(t.start_at)
      .where(sql`status = 'waiting'`),
    index('film_pull_to_end')
      .on(t.end_at)
      .where(sql`status in ('running', 'paused')`),
  ],
)

/** 当日名额: how many of a day were taken (locked or used). */
export const film_pull_day = pgTable(
  'film_pull_day',
  {
    ...base,
    activity_id: integer()
      .notNull()
      .references(() => film_pull_activity.id),
    day: varchar({ length: 10 }).notNull(),
    taken: integer().notNull().default(0),
  },
  t => [
    check('film_pull_day_taken', sql`${t.taken} >= 0`),
    uniqueIndex('film_pull_day_once').on(t.activity_id, t.day),
  ],
)

/** 推广人: whoever brings buyers to a campaign, and the code that they are known by. */
export const film_pull_promoter = pgTable(
  'film_pull_promoter',
  {
    ...base,
    activity_id: integer()
      .notNull()
      .references(() => film_pull_activity.id),
    distributor_id: integer()
      .notNull()
      .references(() => distributor.id),
    /** Null until codes are made. */
    code: varchar({ length: 16 }),
    banned_at: unix(),
    banned_by: integer().references(() => admin.id),
    ban_reason: varchar({ length: 200 }).notNull().default(''),
  },
  t => [
    uniqueIndex('film_pull_promoter_once').on(t.activity_id, t.distributor_id),
    uniqueIndex('film_pull_promoter_code_once').on(t.code),
    index('film_pull_promoter_by_seller').on(t.distributor_id),
  ],
)

/** 拉新记录: from a scan to what the promoter is given for it. */
export const film_pull_record = pgTable(
  'film_pull_record',
  {
    ...base,
    activity_id: integer()
      .notNull()
      .references(() => film_pull_activity.id),
    distributor_id: integer()
      .notNull()
      .references(() => distributor.id),
    city_id: integer().notNull(),
    mall_id: integer().notNull().default(0),
    member_id: integer().references(() => member.id),
    device: varchar({ length: 40 }).notNull().default(''),
    scan_at: unix().notNull(),
    register_at: unix(),
    order_id: integer().references(() => order.id),
    ticketed_at: unix(),
    valid_at: unix(),
    second_paid_at: unix(),
    reward_cents: cents().notNull().default(0),
    rewarded_at: unix(),
    /** The commission that the reward was paid as. */
    commission_id: integer().references(() => dist_commission.id),
    flags: jsonb().$type<PullFlag[]>().notNull().default([]),
    /** What it was before it became void, and why that was. */
    before_void: text({ enum: keys<PullRecordState>(pullRecordStates) }),
    void_by: integer().references(() => admin.id),
    reason: varchar({ length: 200 }).notNull().default(''),
    status: text({ enum: keys<PullRecordState>(pullRecordStates) })
      .notNull()
      .default('scanned'),
  },
  t => [
    uniqueIndex('film_pull_record_order_once')
      .on(t.order_id)
      .where(sql`order_id is not null`),
    index('film_pull_record_by_activity').on(t.activity_id, t.scan_at, t.id),
    index('film_pull_record_by_seller').on(t.distributor_id, t.scan_at),
    index('film_pull_record_by_member').on(t.member_id, t.scan_at),
    index('film_pull_record_by_device').on(t.device),
    index('film_pull_record_by_city').on(t.city_id, t.scan_at),
    index('film_pull_record_by_mall').on(t.mall_id, t.scan_at),
    index('film_pull_record_by_status').on(t.status, t.scan_at),
    index('film_pull_record_flagged')
      .on(t.scan_at)
      .where(sql`flags <> '[]'::jsonb`),
  ],
)

/**
 * 首票身份: what a person is known by (phone, union id, device) once they took a cheap first ticket;
 * each once, whatever the campaign. One that was not paid is taken away again.
 */
export const film_pull_person = pgTable(
  'film_pull_person',
  {
    ...base,
    /** `p:` phone, `u:` union id, `d:` device. */
    mark: varchar({ length: 80 }).notNull(),
    order_id: integer()
      .notNull()
      .references(() => order.id),
  },
  t => [
    uniqueIndex('film_pull_person_once').on(t.mark),
    index('film_pull_person_by_order').on(t.order_id),
  ],
)

defineKinds({
  film_pull_activity: at('film_pull_activity', {
    cities: 'select jsonb_array_elements_text(t.city_ids)::int',
    shared: "t.city_ids = '[]'::jsonb",
  }),
  film_pull_record: at('film_pull_record', { city: 't.city_id', mall: 't.mall_id' }),
})
