import { sql } from 'drizzle-orm'
import {
  boolean,
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
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  badgeGroups,
  badgeMetrics,
  badgeStates,
  ownerStates,
  rewardStates,
  sources,
  type BadgeGroup,
  type BadgeMetric,
  type BadgeSource,
  type BadgeState,
  type OwnerState,
  type RewardState,
} from './achievement.ts'

/** 成就勋章: what members reach by what they do, and what they get for it. */
export const achievement = pgTable(
  'achievement',
  {
    ...base,
    name: varchar({ length: 12 }).notNull(),
    group: text({ enum: keys<BadgeGroup>(badgeGroups) }).notNull(),
    metric: text({ enum: keys<BadgeMetric>(badgeMetrics) }).notNull(),
    /** Cents for money, a count for everything else; fixed once somebody had it. */
    threshold: cents().notNull(),
    icon_on: varchar({ length: 200 }),
    icon_off: varchar({ length: 200 }),
    reward_points: integer().notNull().default(0),
    reward_coupon_id: integer().references(() => coupon.id),
    /** Only a seasonal badge has a time, and counts what happens inside it. */
    start_at: unix(),
    end_at: unix(),
    sort: integer().notNull(),
    status: text({ enum: keys<BadgeState>(badgeStates) }).notNull(),
    off_reason: varchar({ length: 255 }).notNull().default(''),
    /** How often it was got so far, whatever was taken back since. */
    got_count: integer().notNull().default(0),
  },
  t => [
    check('achievement_threshold', sql`${t.threshold} > 0`),
    check('achievement_points', sql`${t.reward_points} >= 0`),
    check(
      'achievement_season',
      sql`(${t.group} = 'season') = (${t.start_at} is not null and ${t.end_at} is not null)
        and coalesce(${t.start_at} < ${t.end_at}, true)`,
    ),
    index('achievement_by_group').on(t.group, t.sort),
  ],
)

/** 会员成就: how far a member is with a badge, and since when the member has it. */
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
    progress: cents().notNull().default(0),
    state: text({ enum: keys<OwnerState>(ownerStates) }).notNull(),
    got_at: unix(),
    /** How often it was got: rewards are numbered by it. */
    round: integer().notNull().default(0),
    reward_status: text({ enum: keys<RewardState>(rewardStates) })
      .notNull()
      .default('none'),
    /** Why the reward was not issued whole; empty otherwise. */
    reward_fault: varchar({ length: 255 }).notNull().default(''),
    source: text({ enum: keys<BadgeSource>(sources) })
      .notNull()
      .default('auto'),
    /** Why it was granted or taken back. */
    reason: varchar({ length: 255 }).notNull().default(''),
    operator_id: integer().references(() => admin.id),
  },
  t => [
    check('member_achievement_got', sql`(${t.state} = 'held') <= (${t.got_at} is not null)`),
    uniqueIndex('member_achievement_once').on(t.member_id, t.achievement_id),
    index('member_achievement_by_badge').on(t.achievement_id, t.state, t.id),
    index('member_achievement_near')
      .on(t.achievement_id, t.progress)
      .where(sql`state = 'progress'`),
    index('member_achievement_held')
      .on(t.achievement_id, t.got_at)
      .where(sql`state = 'held'`),
    index('member_achievement_failed')
      .on(t.achievement_id, t.id)
      .where(sql`reward_status = 'failed'`),
  ],
)

/** 进度统计: a count of progress that goes over members piece by piece, by their ids. */
export const achievement_count = pgTable(
  'achievement_count',
  {
    ...base,
    /** It counts everybody, or those whose facts changed between two moments. */
    kind: text({ enum: ['all', 'recent'] }).notNull(),
    since: unix().notNull(),
    until: unix().notNull(),
    /** The last member that was counted. */
    after: integer().notNull().default(0),
    done: boolean().notNull().default(false),
    members_n: integer().notNull().default(0),
    /** Whoever asked for it; null for the clock. */
    admin_id: integer().references(() => admin.id),
  },
  t => [
    uniqueIndex('achievement_count_open')
      .on(t.kind)
      .where(sql`not done`),
    uniqueIndex('achievement_count_recent')
      .on(t.kind)
      .where(sql`kind = 'recent'`),
    index('achievement_count_by_kind').on(t.kind, t.id),
  ],
)

defineKinds({
  member_achievement: at('member_achievement', {
    city: '(select m.city_id from member m where m.id = t.member_id)',
  }),
})
