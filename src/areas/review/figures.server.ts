import { and, eq, gte, isNull, sql, type SQL } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { comment, comment_reward as t } from './review.table.ts'
import { noRewards, type NoReward } from './review.ts'

/**
 * What became of the reviews of the last 30 days, of the rewards that `seen` leaves; `waiting` counts
 * reviews of the stores that `stores` leaves which nobody has looked at.
 */
export const reviewFigures = async (
  db: Db,
  { seen, stores }: { seen: SQL | undefined; stores: SQL | undefined },
  now: number,
) => {
  const recent = and(seen, gte(t.at, now - 30 * DAY))
  const earned = sql`${t.state} <> 'none'`
  const [told] = await db
    .select({
      rewarded: sql<number>`(count(*) filter (where ${earned}))::int`,
      points: sql<number>`coalesce(sum(${t.points} + ${t.bonus}), 0)::int`,
      deleted: sql<number>`(count(*) filter (where ${earned} and ${comment.deleted_at} is not null))::int`,
      deleted_abuse: sql<number>`(count(*) filter (where ${earned}
        and ${comment.deleted_by} = 'staff'))::int`,
      revoked: sql<number>`(count(*) filter (where ${t.state} = 'revoked'))::int`,
      featured: sql<number>`(count(*) filter (where ${comment.featured_at} is not null))::int`,
    })
    .from(t)
    .innerJoin(comment, eq(comment.id, t.comment_id))
    .where(recent)
  const none = await db
    .select({ why: t.why, reviews: sql<number>`count(*)::int` })
    .from(t)
    .where(and(recent, eq(t.state, 'none')))
    .groupBy(t.why)
  const [waiting] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(comment)
    .where(
      and(
        stores,
        eq(comment.state, 'pending'),
        isNull(comment.deleted_at),
        sql`${comment.order_item_id} is not null`,
      ),
    )
  return {
    ...told!,
    waiting: waiting!.n,
    none: (Object.keys(noRewards) as NoReward[]).map(why => ({
      why,
      reviews: none.find(row => row.why === why)?.reviews ?? 0,
    })),
  }
}
