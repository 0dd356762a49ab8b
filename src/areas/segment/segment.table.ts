import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { wecom_send_task } from '#src/areas/wecom/wecomSend.table.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import type { Rule } from './rule.ts'
import { segmentKinds, segmentStates, useKinds } from './segment.ts'

/** 客户分群: people by a rule that is counted again, or a list that stands as it was brought. */
export const segment = pgTable(
  'segment',
  {
    ...base,
    name: varchar({ length: 40 }).notNull(),
    kind: text({ enum: keys(segmentKinds) }).notNull(),
    /** Null: a fixed list has none. */
    rule: jsonb().$type<Rule>(),
    exclude_ids: integer().array().notNull().default([]),
    /** The rows that its rule names, such as `mall:3`, and what it leaves out (`segment:5`). */
    refs: text().array().notNull().default([]),
    customer_count: integer().notNull().default(0),
    /** What it was before it was counted last; null: it was never counted before. */
    prev_count: integer(),
    refreshed_at: unix(),
    status: text({ enum: keys(segmentStates) }).notNull(),
    owner_id: integer()
      .notNull()
      .references(() => admin.id),
    /** The list that holds now: what was used of it before is kept under earlier numbers. */
    gen: integer().notNull().default(0),
    /** Members up to this id are counted for the next list; null: nothing is being counted. */
    counted_to: integer(),
    counted_n: integer().notNull().default(0),
    /** The last id that is to be counted. */
    count_until: integer(),
    archive_reason: varchar({ length: 255 }).notNull().default(''),
  },
  t => [
    check('segment_counts', sql`${t.customer_count} >= 0 and ${t.counted_n} >= 0`),
    check('segment_rule', sql`(${t.kind} = 'rule') = (${t.rule} is not null)`),
    check('segment_computing', sql`(${t.status} = 'computing') = (${t.counted_to} is not null)`),
    uniqueIndex('segment_name_once')
      .on(plainName(t.name))
      .where(sql`status <> 'archived'`),
    index('segment_by_status').on(t.status, t.id),
    index('segment_by_kind').on(t.kind, t.id),
    index('segment_by_owner').on(t.owner_id, t.id),
    index('segment_by_size').on(t.customer_count, t.id),
    index('segment_by_ref').using('gin', t.refs),
  ],
)
/** 分群名单: the people of each list of a segment; a list that was used never changes. */
export const segment_person = pgTable(
  'segment_person',
  {
    segment_id: integer()
      .notNull()
      .references(() => segment.id),
    gen: integer().notNull(),
    member_id: integer()
      .notNull()
      .references(() => member.id),
  },
  t => [
    primaryKey({ columns: [t.segment_id, t.gen, t.member_id] }),
    index('segment_person_by_member').on(t.member_id, t.segment_id, t.gen),
  ],
)
/** 分群使用: what a list was used for; the list of that moment is kept with it. */
export const segment_use = pgTable(
  'segment_use',
  {
    ...base,
    segment_id: integer()
      .notNull()
      .references(() => segment.id),
    gen: integer().notNull(),
    kind: text({ enum: keys(useKinds) }).notNull(),
    /** People on the list, and those of them that it was begun for. */
    people_n: integer().notNull(),
    begun_n: integer().notNull(),
    send_task_id: integer().references(() => wecom_send_task.id),
    coupon_id: integer().references(() => coupon.id),
    /** The job that gives the coupons; jobs are forgotten in the end. */
    job_id: integer(),
    by_id: integer()
      .notNull()
      .references(() => admin.id),
    note: varchar({ length: 255 }).notNull().default(''),
  },
  t => [
    check('segment_use_of', sql`(${t.kind} = 'coupon') = (${t.coupon_id} is not null)`),
    index('segment_use_by_segment').on(t.segment_id, t.id),
    index('segment_use_by_list').on(t.segment_id, t.gen),
  ],
)
