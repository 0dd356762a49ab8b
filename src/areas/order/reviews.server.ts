import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { reviewedByItself } from './logWords.ts'
import { order } from './order.table.ts'
import type { Reviewer } from './order.ts'
import {
  boughtUnder,
  holdOrder,
  recount,
  rulesOf,
  system,
  type Order,
} from './orderFacts.server.ts'
import { rulesAtFirst, scopesWith } from './orderRules.ts'
import { reviewedWays, reviewRefusal } from './orderVerbs.ts'
import { order_config } from './trail.table.ts'

/** The kinds whose rules review what was received by itself. */
const kinds = scopesWith('auto_review_days') as readonly Order['kind'][]
/**
 * When an order that was received is reviewed by itself unless its buyer does; undefined where its
 * kind knows no such rule or there is nothing to review any more.
 */
export const autoReviewAt = async (db: Db, row: Order): Promise<number | undefined> =>
  kinds.includes(row.kind) && row.finished_at !== null && reviewRefusal(row) === undefined
    ? row.finished_at + (await rulesOf(db, row)).auto_review_days * DAY
    : undefined

/**
 * An order that was received is reviewed, once: by its buyer, or by itself when its time is over.
 */
export const reviewOrder = async (
  tx: Db,
  of: { order_id: number; by: Reviewer; now: number },
): Promise<Order> => {
  const row = await holdOrder(tx, of.order_id)
  const why = reviewRefusal(row)
  if (why) throw ruled('not_reviewable', why)
  const { auto_review_days } = await rulesOf(tx, row)
  if (of.by === 'auto' && !kinds.includes(row.kind))
    throw ruled('not_reviewable', [
      '这类订单不自动评价',
      'Orders of this kind are not reviewed by themselves',
    ])
  if (of.by === 'auto' && of.now < row.finished_at! + auto_review_days * DAY)
    throw ruled('not_yet', ['还可以评价，未到自动好评的时间', 'Its buyer may still review it'])
  return recount(tx, row, {
    event: 'review',
    actor: of.by === 'auto' ? system : { type: 'member', id: row.member_id },
    now: of.now,
    ...(of.by === 'auto' && { memo: reviewedByItself(auto_review_days) }),
    set: { reviewed_at: of.now, review_by: of.by },
  })
}

/** Orders received so long ago, under their own rules, that they are reviewed by themselves. */
export const toReview = async (db: Db, now: number, most: number): Promise<number[]> =>
  (
    await db
      .select({ id: order.id })
      .from(order)
      .leftJoin(order_config, boughtUnder)
      .where(
        and(
          isNull(order.reviewed_at),
          inArray(order.kind, kinds),
          eq(order.fulfil_state, 'finished'),
          inArray(order.sub_kind, reviewedWays),
          isNull(order.reissue_of),
          inArray(order.refund_state, ['none', 'part_refunded']),
          eq(order.frozen, false),
          lte(order.finished_at, now - DAY),
          sql`${order.finished_at} + coalesce((${order_config.fields}->>'auto_review_days')::int, ${rulesAtFirst.auto_review_days}) * ${DAY} <= ${now}`,
        ),
      )
      .orderBy(order.finished_at)
      .limit(most)
  ).map(row => row.id)
