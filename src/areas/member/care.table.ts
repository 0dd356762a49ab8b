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
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import { member } from './member.table.ts'
import {
  ADJUST_ALONE,
  adjustKinds,
  adjustStates,
  closingStates,
  sanctionKinds,
  sanctionStates,
  type BanScope,
} from './member.ts'

const ofMember = () =>
  integer()
    .notNull()
    .references(() => member.id)
const ofStaff = () => integer().references(() => admin.id)

/** 会员标签: what staff call members by; made where the first one is called so. */
export const member_tag = pgTable(
  'member_tag',
  { ...base, name: varchar({ length: 12 }).notNull() },
  t => [uniqueIndex('member_tag_name_once').on(plainName(t.name))],
)
/** Which members have which tags. */
export const member_tag_of = pgTable(
  'member_tag_of',
  {
    member_id: ofMember(),
    tag_id: integer()
      .notNull()
      .references(() => member_tag.id),
    by_id: ofStaff(),
    at: unix().notNull(),
  },
  t => [
    primaryKey({ columns: [t.member_id, t.tag_id] }),
    index('member_tag_of_tag').on(t.tag_id, t.member_id),
  ],
)

/** 会员调整: points or growth by hand; what one person may not do alone waits for another. */
export const member_adjust = pgTable(
  'member_adjust',
  {
    ...base,
    member_id: ofMember(),
    /** Where its member stands. */
    city_id: integer().notNull(),
    kind: text({ enum: keys(adjustKinds) }).notNull(),
    delta: integer().notNull(),
    reason: varchar({ length: 200 }).notNull(),
    maker_id: integer()
      .notNull()
      .references(() => admin.id),
    checker_id: ofStaff(),
    decided_at: unix(),
    reject_reason: varchar({ length: 200 }).notNull().default(''),
    state: text({ enum: keys(adjustStates) })
      .notNull()
      .default('pending'),
  },
  t => [
    check('member_adjust_delta', sql`${t.delta} <> 0`),
    check('member_adjust_second', sql`${t.checker_id} <> ${t.maker_id}`),
    check('member_adjust_decided', sql`(${t.state} = 'pending') = (${t.decided_at} is null)`),
    check(
      'member_adjust_alone',
      sql`${t.state} = 'pending' or ${t.checker_id} is not null or (${t.state} = 'posted' and abs(${t.delta}) <= ${sql.raw(String(ADJUST_ALONE))})`,
    ),
    index('member_adjust_by_member').on(t.member_id, t.id),
    index('member_adjust_by_state').on(t.state, t.id),
    uniqueIndex('member_adjust_one_waits')
      .on(t.member_id)
      .where(sql`state = 'pending'`),
  ],
)

/** 用户处罚: one of a kind at a time; the same again lasts longer. */
export const user_sanction = pgTable(
  'user_sanction',
  {
    ...base,
    member_id: ofMember(),
    city_id: integer().notNull(),
    kind: text({ enum: keys(sanctionKinds) }).notNull(),
    /** What a ban shuts; of other kinds nothing. */
    scope: jsonb().$type<BanScope[]>().notNull().default([]),
    reason: varchar({ length: 200 }).notNull(),
    start_at: unix().notNull(),
    /** Null: until somebody lifts it. */
    end_at: unix(),
    /** Null where a rule of the house began it. */
    by_id: ofStaff(),
    lifted_by: ofStaff(),
    lift_reason: varchar({ length: 200 }).notNull().default(''),
    ended_at: unix(),
    status: text({ enum: keys(sanctionStates) })
      .notNull()
      .default('active'),
  },
  t => [
    check('user_sanction_times', sql`${t.end_at} is null or ${t.end_at} > ${t.start_at}`),
    check('user_sanction_ended', sql`(${t.status} = 'active') = (${t.ended_at} is null)`),
    check(
      'user_sanction_lifted',
      sql`${t.status} <> 'lifted' or (${t.lifted_by} is not null and ${t.lift_reason} <> '')`,
    ),
    uniqueIndex('user_sanction_once')
      .on(t.member_id, t.kind)
      .where(sql`status = 'active'`),
    index('user_sanction_by_member').on(t.member_id, t.id),
    index('user_sanction_by_kind')
      .on(t.kind, t.member_id)
      .where(sql`status = 'active'`),
    index('user_sanction_ending')
      .on(t.end_at)
      .where(sql`status = 'active'`),
  ],
)

/** 注销申请: an account's closing, which can be taken back for some days. */
export const member_closing = pgTable(
  'member_closing',
  {
    ...base,
    member_id: ofMember(),
    city_id: integer().notNull(),
    asked_at: unix().notNull(),
    due_at: unix().notNull(),
    by_id: ofStaff(),
    decided_by: ofStaff(),
    decided_at: unix(),
    reason: varchar({ length: 200 }).notNull().default(''),
    state: text({ enum: keys(closingStates) })
      .notNull()
      .default('cooling'),
  },
  t => [
    check('member_closing_decided', sql`(${t.state} = 'cooling') = (${t.decided_at} is null)`),
    uniqueIndex('member_closing_once')
      .on(t.member_id)
      .where(sql`state = 'cooling'`),
    index('member_closing_by_member').on(t.member_id, t.id),
    index('member_closing_due')
      .on(t.due_at)
      .where(sql`state = 'cooling'`),
  ],
)

defineKinds({
  member_adjust: at('member_adjust', { city: 't.city_id' }),
  user_sanction: at('user_sanction', { city: 't.city_id' }),
})
