import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import {
  badgeGroups,
  badgeMetrics,
  badgeSources,
  badgeStates,
  rewardStates,
  type BadgeGroup,
  type BadgeMetric,
  type BadgeSource,
  type BadgeState,
  type RewardState,
} from './achievement.ts'

/** 成就勋章: what a member is to reach, and what is given for it. */
export const achievement = pgTable(
  'achievement',
  {
    ...base,
    name: varchar({ length: 24 }).notNull(),
    group: text({ enum: keys<BadgeGroup>(badgeGroups) }).notNull(),
    metric: text({ enum: keys<BadgeMetric>(badgeMetrics) }).notNull(),
    /** In what the metric counts: orders, cents, people … */
    threshold: bigint({ mode: 'number' }).notNull(),
    icon_on: text().notNull().default(''),
    icon_off: text().notNull().default(''),
    reward_points: integer().notNull().default(0),
    reward_growth: integer().notNull().default(0),
    reward_coupon_id: integer().references(() => coupon.id),
    /** A seasonal badge counts inside its period alone. */
    start_at: unix(),
    end_at: unix(),
    sort: integer().notNull().default(0),
    status: text({ enum: keys<BadgeState>(badgeStates) })
      .notNull()
      .default('draft'),
    reason: varchar({ length: 255 }).notNull().default(''),
    /** Members that have it; countable again from their rows. */
    got_count: integer().notNull().default(0),
    near_count: integer().notNull().default(0),
    counted_at: unix(),
  },
  t => [
    check('achievement_threshold', sql`${t.threshold} > 0`),
    check(
      'achievement_period',
      sql`(${t.group} <> 'season' or (${t.start_at} is not null and ${t.end_at} is not null)) and (${t.start_at} is null or ${t.end_at} is null or ${t.start_at} < ${t.end_at})`,
    ),
    uniqueIndex('achievement_name').on(t.name),
    index('achievement_by_group').on(t.group, t.sort, t.id),
  ],
)

/** 会员成就: how far a member has come; each badge is got once. */
export const member_achievement = pgTable(
  'member_achievement',
  {
    ...base,
    member_id: integer()
      .notNull()
      .references(() => member.id),
    achievement_id: integer()
      .notNull()
      .references(() => achievement.id),
    progress: bigint({ mode: 'number' }).notNull().default(0),
    got_at: unix(),
    reward_status: text({ enum: keys<RewardState>(rewardStates) })
      .notNull()
      .default('none'),
    /** Why a reward could not be given, in words. */
    failure: varchar({ length: 255 }).notNull().default(''),
    source: text({ enum: keys<BadgeSource>(badgeSources) })
      .notNull()
      .default('auto'),
    /** How often it was got: a badge that was revoked and granted again has its own numbers. */
    round: integer().notNull().default(0),
    reason: varchar({ length: 255 }).notNull().default(''),
    operator_id: integer().references(() => admin.id),
  },
  t => [
    check(
      'member_achievement_got',
      sql`(${t.reward_status} in ('issued', 'failed')) = (${t.got_at} is not null)`,
    ),
    uniqueIndex('member_achievement_once').on(t.member_id, t.achievement_id),
    index('member_achievement_by_badge').on(t.achievement_id, t.progress, t.id),
    index('member_achievement_failed')
      .on(t.achievement_id, t.id)
      .where(sql`reward_status = 'failed'`),
  ],
)
const city = '(select m.city_id from member m where m.id = t.member_id)'
defineKinds({ member_achievement: at('member_achievement', { city }) })
