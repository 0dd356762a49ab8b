import { and, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import type { PointsRule } from '#src/areas/pointsRule/inForce.server.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { holdMember } from './book.server.ts'
import { earnPoints, type Earning } from './points.server.ts'
import { points_ledger } from './points.table.ts'

type Capped = Pick<PointsRule, 'id' | 'daily_cap' | 'total_cap'>
/**
 * How many points a member may still earn by a rule now: what its caps of a Shanghai day and
 * altogether leave. What was taken back whole counts no more.
 */
const roomOf = async (
  tx: Db,
  { rule, member_id, now }: { rule: Capped; member_id: number; now: number },
): Promise<number> => {
  if (rule.daily_cap === null && rule.total_cap === null) return Infinity
  const day = dayStart(now)
  const [had] = await tx
    .select({
      all: sql<number>`coalesce(sum(${points_ledger.delta}), 0)::int`,
      today: sql<number>`coalesce(sum(${points_ledger.delta}) filter (where ${and(
        gte(points_ledger.at, day),
        lt(points_ledger.at, day + DAY),
      )}), 0)::int`,
    })
    .from(points_ledger)
    .where(
      and(
        eq(points_ledger.member_id, member_id),
        eq(points_ledger.rule_id, rule.id),
        eq(points_ledger.kind, 'earn'),
        isNull(points_ledger.reversed_by),
      ),
    )
  return Math.max(
    0,
    Math.min((rule.daily_cap ?? Infinity) - had!.today, (rule.total_cap ?? Infinity) - had!.all),
  )
}
/**
 * Points come in by a rule, once by their number and within its caps. Answers how many: 0 where the
 * caps are reached, the number is booked already, or the member earns nothing.
 */
export const earnByRule = async (
  tx: Db,
  { rule, ...of }: Omit<Earning, 'rule_id'> & { rule: Capped },
): Promise<number> => {
  // The member is held first, so that two earnings at once do not both fit below a cap.
  await holdMember(tx, of.member_id)
  const room = await roomOf(tx, { rule, member_id: of.member_id, now: of.now })
  const points = Math.min(of.points, room)
  const id = await earnPoints(tx, { ...of, points, rule_id: rule.id })
  return id === null ? 0 : points
}
/** Answers what each rule has issued in the last 30 days, by its id (points). */
export const issuedByRule = async (db: Db, now: number): Promise<Map<number, number>> => {
  const rows = await db
    .select({ id: points_ledger.rule_id, n: sql<number>`sum(${points_ledger.delta})::int` })
    .from(points_ledger)
    .where(
      and(
        eq(points_ledger.kind, 'earn'),
        gte(points_ledger.at, now - 30 * DAY),
        sql`${points_ledger.rule_id} is not null`,
      ),
    )
    .groupBy(points_ledger.rule_id)
  return new Map(rows.map(row => [row.id ?? 0, row.n]))
}
