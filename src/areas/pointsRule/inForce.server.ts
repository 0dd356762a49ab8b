import { and, desc, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { points_rule } from './rule.table.ts'
import { rateAtFirst, type PointsRuleKind, type RateConfig } from './rule.ts'

export type PointsRule = typeof points_rule.$inferSelect
/**
 * The rule of a kind in force at a time: of the rate the one that began last; of the others the one
 * of the mall, else the one for all. Undefined where none is on.
 */
export const pointsOfRule = async (
  tx: Db,
  kind: PointsRuleKind,
  mall_id: number | undefined,
  at: number,
): Promise<PointsRule | undefined> => {
  const on = and(eq(points_rule.kind, kind), eq(points_rule.status, 'on'))
  if (kind === 'rate')
    return (
      await tx
        .select()
        .from(points_rule)
        .where(and(on, lte(points_rule.effective_at, at)))
        .orderBy(desc(points_rule.effective_at))
        .limit(1)
    )[0]
  const own = sql`${points_rule.mids} @> ${JSON.stringify([mall_id ?? 0])}::jsonb`
  const [found] = await tx
    .select()
    .from(points_rule)
    .where(
      and(
        on,
        sql`coalesce(${points_rule.start_at}, 0) <= ${at}`,
        sql`(${points_rule.end_at} is null or ${points_rule.end_at} > ${at})`,
        sql`(${points_rule.mids} = '[]'::jsonb or ${own})`,
      ),
    )
    .orderBy(sql`${own} desc`, points_rule.id)
    .limit(1)
  return found
}
/** The rate in force at a time; what the house began with, where none was ever set. */
export const rateAt = async (
  tx: Db,
  at: number,
): Promise<{ rule: PointsRule | undefined; rate: RateConfig }> => {
  const rule = await pointsOfRule(tx, 'rate', undefined, at)
  return { rule, rate: { ...rateAtFirst, ...(rule?.config as Partial<RateConfig> | undefined) } }
}
