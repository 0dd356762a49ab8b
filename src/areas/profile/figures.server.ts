import { and, eq, gte, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import {
  profileKeys,
  type ProfileConfig,
  type ProfileField,
} from '#src/areas/pointsRule/earning.ts'
import { rateAt } from '#src/areas/pointsRule/inForce.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { profile_field as t } from './profile.table.ts'

const FUNNEL_DAYS = 30
export type FieldFunnel = {
  field: ProfileField
  /** Members who came within 30 days and had not completed it before. */
  came: number
  /** Those who completed it within 30 days, and those of them who were paid. */
  completed: number
  paid: number
  points: number
  /** All who ever completed it, and those who keep it filled. */
  all: number
  filled: number
}
/** Answers for each field how many members of those in sight came, completed it and were paid. */
export const profileFunnel = async (
  db: Db,
  seen: SQL | undefined,
  now: number,
): Promise<FieldFunnel[]> => {
  const since = now - FUNNEL_DAYS * DAY
  const [came] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(member)
    .where(and(seen, eq(member.account_state, 'normal'), gte(member.last_visit_at, since)))
  const rows = await db
    .select({
      field: t.field,
      before: sql<number>`(count(*) filter (where ${t.first_at} < ${since}
        and ${member.last_visit_at} >= ${since} and ${member.account_state} = 'normal'))::int`,
      completed: sql<number>`(count(*) filter (where ${t.first_at} >= ${since}))::int`,
      paid: sql<number>`(count(*) filter (where ${t.first_at} >= ${since} and ${t.points} > 0))::int`,
      points: sql<number>`coalesce(sum(${t.points}) filter (where ${t.first_at} >= ${since}), 0)::int`,
      all: sql<number>`count(*)::int`,
      filled: sql<number>`(count(*) filter (where ${t.filled}))::int`,
    })
    .from(t)
    .innerJoin(member, eq(member.id, t.member_id))
    .where(seen)
    .groupBy(t.field)
  const none = { before: 0, completed: 0, paid: 0, points: 0, all: 0, filled: 0 }
  return profileKeys.map(field => {
    const { before, ...told } = rows.find(row => row.field === field) ?? { ...none }
    return { ...told, field, came: Math.max(told.completed, came!.n - before) }
  })
}
export type FieldImpact = {
  field: ProfileField
  points: number
  /** Members who completed it before and had fewer points for it, and what they lack together. */
  behind: number
  missing: number
  /** Members who completed it within 30 days, and what as many would earn in the next 30. */
  pace: number
  expected: number
}
/**
 * What other points of the fields come to: for those who completed them before, if that is made up
 * for, and for as many as completed them in the last 30 days; the cost at the rate in force (cents).
 */
export const profileImpact = async (db: Db, config: ProfileConfig, now: number) => {
  const { rate } = await rateAt(db, now)
  const rows = await db
    .select({ field: t.field, points: t.points, n: sql<number>`count(*)::int` })
    .from(t)
    .groupBy(t.field, t.points)
  const paces = await db
    .select({ field: t.field, n: sql<number>`count(*)::int` })
    .from(t)
    .where(gte(t.first_at, now - FUNNEL_DAYS * DAY))
    .groupBy(t.field)
  const fields = profileKeys.map((field): FieldImpact => {
    const points = config[field]
    const less = rows.filter(row => row.field === field && row.points < points)
    const pace = paces.find(row => row.field === field)?.n ?? 0
    return {
      field,
      points,
      behind: less.reduce((sum, row) => sum + row.n, 0),
      missing: less.reduce((sum, row) => sum + row.n * (points - row.points), 0),
      pace,
      expected: pace * points,
    }
  })
  const costOf = (points: number) => Math.round((points * 100) / rate.offset_points)
  const sum = (key: 'missing' | 'expected') => fields.reduce((all, one) => all + one[key], 0)
  return {
    fields,
    missing: sum('missing'),
    missing_cents: costOf(sum('missing')),
    expected: sum('expected'),
    expected_cents: costOf(sum('expected')),
  }
}
