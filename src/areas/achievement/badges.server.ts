import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import { coupons } from '#src/areas/coupon/couponRecord.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import type { Db, Scope, WriteContext } from '#src/server/call/implement.ts'
import { faultless, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { achievement as a, member_achievement as t } from './achievement.table.ts'
import {
  badgeCan,
  badgeFaults,
  BADGES_MOST,
  NEAR_BP,
  type BadgeGroup,
  type BadgeVerb,
} from './achievement.ts'
import type { BadgeRow, Owner } from './awarding.server.ts'

/** What is written of a badge by its form. */
export const writtenOfBadge = [
  'name',
  'group',
  'metric',
  'threshold',
  'icon_on',
  'icon_off',
  'reward_points',
  'reward_coupon_id',
  'start_at',
  'end_at',
] as const
export const badgeRecord = record(a, {
  object: 'achievement',
  label: row => row.name,
  keys: [...writtenOfBadge, 'status', 'off_reason'],
  places: 'all',
})
const cityOf = sql`(select m.city_id from member m where m.id = ${t.member_id})`
/** A member's badge stands where its member does. */
const ownersSeen = (scope: Scope): SQL | undefined => within(scope, { city: cityOf })
export const ownerRecord = record(t, {
  object: 'member_achievement',
  label: (row: Owner) => `#${row.member_id}`,
  keys: ['state', 'reward_status', 'source'],
  places: ({ scope }) => ownersSeen(scope),
})
/** Changes of the order of badges wait for each other. */
export const lockBadges = (tx: Db) => lockSequence(tx, 'achievement')
export const badgesInOrder = (db: Db, group?: BadgeGroup): Promise<BadgeRow[]> =>
  db
    .select()
    .from(a)
    .where(group && eq(a.group, group))
    .orderBy(asc(a.group), asc(a.sort), asc(a.id))
/** The badge as the person holds it, locked; 404, 409, or 422 where that can't be done now. */
export const badgeFor = async (
  context: WriteContext,
  verb: BadgeVerb,
  one: { id: number; version: number },
): Promise<BadgeRow> => {
  const was = await badgeRecord.heldFast(context, one)
  const may = badgeCan(verb, was, context.now)
  if (may !== true) throw ruled(`badge_${verb}`, may)
  return was
}
type Written = Pick<BadgeRow, (typeof writtenOfBadge)[number]>
/** Throws 400 or 404 where what is written of a badge does not agree. */
export const needWritten = async (context: WriteContext, badge: Written): Promise<void> => {
  faultless(context.staff, badgeFaults(badge))
  if (badge.reward_coupon_id !== null)
    await coupons.read(context.tx, context.staff, badge.reward_coupon_id)
}
/** The place after the last badge of a group; 422 where there are too many badges. */
export const lastPlace = async (tx: Db, group: BadgeGroup): Promise<number> => {
  await lockBadges(tx)
  const all = await badgesInOrder(tx)
  if (all.length >= BADGES_MOST)
    throw ruled('badges_full', ['最多 {n} 枚勋章', 'At most {n} badges'], { n: BADGES_MOST })
  return all.reduce((most, one) => (one.group === group ? Math.max(most, one.sort + 1) : most), 0)
}

/** True of a row near the threshold of its badge, which the query joins as `achievement`. */
export const nearly = sql`${t.state} = 'progress' and ${t.progress} < ${a.threshold}
  and ${t.progress} >= ceil(${a.threshold} * ${NEAR_BP} / 10000.0)`
export type Counts = { held: number; near: number; failed: number; revoked: number }
/** How many members in sight hold each badge, nearly hold it, or wait for its reward; by its id. */
export const countsOf = async (db: Db, scope: Scope): Promise<Map<number, Counts>> => {
  const seen = within(scope, { city: member.city_id })
  const n = (where: SQL) => sql<number>`(count(*) filter (where ${where}))::int`
  const counts = db
    .select({
      id: t.achievement_id,
      held: n(sql`${t.state} = 'held'`),
      near: n(nearly),
      failed: n(sql`${t.reward_status} = 'failed'`),
      revoked: n(sql`${t.state} = 'revoked'`),
    })
    .from(t)
    .innerJoin(a, eq(a.id, t.achievement_id))
    .$dynamic()
  // Whoever sees everything needs no look at each member.
  const placed = seen ? counts.innerJoin(member, and(eq(member.id, t.member_id), seen)) : counts
  const rows = await placed.groupBy(t.achievement_id)
  return new Map(rows.map(({ id, ...of }) => [id, of]))
}
