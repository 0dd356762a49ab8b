import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { accountStates, genders, registerSources } from './member.ts'

/** 会员: a person who buys; what levels, points and benefits say of them is kept beside the person. */
export const member = pgTable(
  'member',
  {
    ...base,
    uid: text().notNull(),
    nickname: text().notNull(),
    avatar: text(),
    phone: text().notNull(),
    gender: text({ enum: keys(genders) })
      .notNull()
      .default('unknown'),
    /** Year, month and day: 1990-05-02. */
    birthday: text(),
    city_id: integer().notNull(),
    unionid: text(),
    /** Tickets of an earlier count are over; each sign-out by staff counts on. */
    ticket_epoch: integer().notNull().default(0),
    register_at: unix().notNull(),
    register_source: text({ enum: keys(registerSources) })
      .notNull()
      .default('mini_program'),
    inviter_id: integer().references((): AnyPgColumn => member.id),
    /** What is left of their lots; every change is a row of points_ledger. */
    points: integer().notNull().default(0),
    /** Points that unpaid orders hold. */
    points_frozen: integer().notNull().default(0),
    /** Points that were taken back after they were spent; what comes in next pays it first. */
    points_debt: integer().notNull().default(0),
    /** What the ladder of levels reads; every change is a row of growth_ledger. */
    growth: integer().notNull().default(0),
    /** From 0, which everybody begins with, to 5. */
    level: integer().notNull().default(0),
    level_keep_until: unix(),
    /** The end of the paid membership that was bought last; null: never paid for one. */
    vip_end_at: unix(),
    /** What was paid less what was given back, of all orders that were paid. */
    total_paid_cents: cents().notNull().default(0),
    order_count: integer().notNull().default(0),
    last_order_at: unix(),
    last_visit_at: unix(),
    /** No points, coupons or member prices while it is true. */
    benefits_frozen: boolean().notNull().default(false),
    benefits_reason: text().notNull().default(''),
    account_state: text({ enum: keys(accountStates) })
      .notNull()
      .default('normal'),
    merged_into: integer().references((): AnyPgColumn => member.id),
  },
  t => [
    check('member_points', sql`${t.points} >= 0`),
    check('member_points_frozen', sql`${t.points_frozen} >= 0`),
    check(
      'member_points_debt',
      sql`${t.points_debt} >= 0 and (${t.points} = 0 or ${t.points_debt} = 0)`,
    ),
    check('member_growth', sql`${t.growth} >= 0`),
    check('member_merged', sql`(${t.account_state} = 'merged') = (${t.merged_into} is not null)`),
    uniqueIndex('member_uid_once').on(t.uid),
    index('member_by_phone').on(t.phone),
    index('member_by_phone_tail').on(sql`right(phone, 4)`),
    index('member_by_nickname').using('btree', t.nickname.op('text_pattern_ops')),
    index('member_by_city').on(t.city_id, t.id),
    index('member_by_level').on(t.level, t.id),
    index('member_by_points').on(t.points, t.id),
    index('member_by_growth').on(t.growth, t.id),
    index('member_by_source').on(t.register_source, t.id),
    index('member_by_state').on(t.account_state, t.id),
    index('member_by_paid').on(t.total_paid_cents, t.id),
    index('member_by_last_order').on(t.last_order_at, t.id),
    index('member_by_last_visit').on(t.last_visit_at, t.id),
    index('member_by_vip')
      .on(t.vip_end_at, t.id)
      .where(sql`vip_end_at is not null`),
    index('member_frozen')
      .on(t.id)
      .where(sql`benefits_frozen`),
    index('member_in_debt')
      .on(t.id)
      .where(sql`points_debt > 0`),
    index('member_by_unionid')
      .on(t.unionid)
      .where(sql`unionid is not null`),
    index('member_unbound')
      .on(t.id)
      .where(sql`unionid is null`),
    index('member_by_inviter')
      .on(t.inviter_id)
      .where(sql`inviter_id is not null`),
    index('member_by_invitation')
      .on(t.register_at)
      .where(sql`inviter_id is not null`),
    index('member_by_target')
      .on(t.merged_into)
      .where(sql`merged_into is not null`),
  ],
)
