import { and, eq, ilike, inArray, isNull, or, sql } from 'drizzle-orm'
import { monthOf, monthStart } from '#src/areas/merchant/bd.ts'
import { dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { equal, listing } from '#src/server/call/record.ts'
import { like } from '#src/server/db/like.ts'
import { cityNames } from './sellerRows.server.ts'
import { teamNames } from './sellers.server.ts'
import { dist_group, dist_group_member, distributor } from './sellers.table.ts'
import type { GroupState } from './sellers.ts'
import { teams, type Team } from './teams.server.ts'

/** The month of a moment, as targets name it: `2026-07`. */
const monthName = (at: number): string => dateOf(at).slice(0, 7)
/**
 * What was paid through members of teams from a moment on, by team, in cents: each unit once, by
 * whoever sold it directly, and in the team that they were in when it was paid.
 */
export const gmvOfTeams = async (
  db: Db,
  ids: readonly number[],
  span: { from: number; to: number },
): Promise<ReadonlyMap<number, number>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ id: number; cents: string }>(
    sql`select group_id id, sum(base_cents) cents from dist_commission where group_id in ${ids} and paid_at >= ${span.from} and paid_at < ${span.to} and role in ('direct', 'guide', 'store') group by 1`,
  )
  return new Map(rows.map(row => [row.id, Number(row.cents)]))
}
/** Teams as their list and pages show them, in the order given. */
export const shownTeams = async (db: Db, rows: readonly Team[], now: number) => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const gmv = await gmvOfTeams(db, ids, { from: monthStart(monthOf(now)), to: now + 1 })
  const leaders = await db
    .select({ id: distributor.id, name: distributor.name, group_id: distributor.group_id })
    .from(distributor)
    .where(and(inArray(distributor.group_id, ids), eq(distributor.is_leader, true)))
  const leaderOf = new Map(leaders.map(row => [row.group_id, row]))
  const counts = await db
    .select({ id: dist_group_member.group_id, n: sql<number>`count(*)::int` })
    .from(dist_group_member)
    .where(and(inArray(dist_group_member.group_id, ids), isNull(dist_group_member.end_at)))
    .groupBy(dist_group_member.group_id)
  const countOf = new Map(counts.map(row => [row.id, row.n]))
  const cities = await cityNames(
    db,
    rows.map(row => row.city_id),
  )
  const merged = await teamNames(
    db,
    rows.map(row => row.merged_into),
  )
  return rows.map(row => ({
    ...row,
    kind: 'team' as const,
    city_name: cities.get(row.city_id) ?? '',
    leader_id: leaderOf.get(row.id)?.id ?? null,
    leader_name: leaderOf.get(row.id)?.name ?? '',
    member_count: countOf.get(row.id) ?? 0,
    gmv_cents: gmv.get(row.id) ?? 0,
    target_cents: row.targets[monthName(now)] ?? null,
    merged_into_name: merged.get(row.merged_into ?? 0) ?? '',
  }))
}
type TeamFilters = {
  keyword?: string | undefined
  status?: GroupState | undefined
  city_id?: number | undefined
}
/** The list of teams. */
export const teamList = listing(teams, {
  by: dist_group.id,
  down: true,
  where: ({ keyword, ...same }: TeamFilters) =>
    and(equal(dist_group, same), keyword ? or(ilike(dist_group.name, like(keyword))) : undefined),
  shown: (db, rows, { now }) => shownTeams(db, rows, now),
})
