import { createHash } from 'node:crypto'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { growFor } from '#src/areas/level/growth.server.ts'
import { ungrow } from '#src/areas/level/ungrow.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { holdMember } from '#src/areas/points/book.server.ts'
import { earnByRule } from '#src/areas/points/byRule.server.ts'
import { takeBackEarned } from '#src/areas/points/reversing.server.ts'
import { pointsTitles } from '#src/areas/points/titles.ts'
import type { CommentConfig } from '#src/areas/pointsRule/earning.ts'
import { pointsOfRule } from '#src/areas/pointsRule/inForce.server.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { comment, comment_reward as t } from './review.table.ts'
import { countedText, mayFeature, mayRevoke, rewardOf, sumOf, type NoReward } from './review.ts'

export type Comment = typeof comment.$inferSelect
export type Reward = typeof t.$inferSelect
type Item = typeof order_item.$inferSelect
/** The numbers under which a review’s points are booked: of itself, and for being featured. */
const reviewNo = (comment_id: number): string => `COMMENT${comment_id}`
const featureNo = (comment_id: number): string => `COMMENTF${comment_id}`
const keyOf = (text: string): string | null =>
  text === '' ? null : createHash('sha256').update(text).digest('hex')

/** Whether an item was redeemed or received, and nothing of that was or is being refunded. */
export const isRedeemed = async (tx: Db, item: Item): Promise<boolean> => {
  if (item.fulfil !== 'code')
    return item.received_qty > item.refunded_qty && item.refunding_qty === 0
  const codes = await tx
    .select({ id: order_code.id })
    .from(order_code)
    .where(
      and(
        eq(order_code.item_id, item.id),
        sql`${order_code.times_used} > 0 and ${order_code.times_refunded} = 0
          and ${order_code.times_refunding} = 0`,
      ),
    )
    .limit(1)
  return codes.length > 0
}
type Facts = { row: Comment; item: Item; text_key: string | null; rule: boolean }
/** Why a review earns nothing, or undefined. */
const whyNone = async (
  tx: Db,
  { row, item, text_key, rule }: Facts,
): Promise<NoReward | undefined> => {
  if (!rule) return 'rule_off'
  if (!(await isRedeemed(tx, item))) return 'refunded'
  const before = await tx
    .select({ order_item_id: t.order_item_id, text_key: t.text_key })
    .from(t)
    .where(and(eq(t.member_id, row.member_id), ne(t.state, 'none')))
  if (before.some(one => one.order_item_id === item.id)) return 'item_paid'
  return text_key !== null && before.some(one => one.text_key === text_key)
    ? 'duplicate'
    : undefined
}
/**
 * Settles the reward of a review that is shown now, once: pays what it earns by the rule of its mall,
 * or notes why nothing. Answers the points.
 */
export const settleReward = async (tx: Db, row: Comment, now: number): Promise<number> => {
  if (row.order_item_id === null) return 0
  await holdMember(tx, row.member_id)
  const [found] = await tx
    .select({ item: order_item, mall_id: order.mall_id })
    .from(order_item)
    .innerJoin(order, eq(order.id, order_item.order_id))
    .where(eq(order_item.id, row.order_item_id))
  const { item, mall_id } = found!
  const rule = await pointsOfRule(tx, 'comment', mall_id || undefined, now)
  const counted = countedText(row.text)
  const text_n = [...counted].length
  const text_key = keyOf(counted)
  const look = { text_n, images_n: row.images.length, has_video: row.video !== '' }
  const none = { star: 0, text: 0, images: 0, video: 0 }
  const parts = rule ? rewardOf(rule.config as CommentConfig, look) : none
  const why = await whyNone(tx, { row, item, text_key, rule: rule !== undefined })
  const points =
    why || !rule
      ? 0
      : await earnByRule(tx, {
          rule,
          member_id: row.member_id,
          points: sumOf(parts),
          biz_kind: 'comment',
          biz_no: reviewNo(row.id),
          title: joined([`评价：${item.title}`, `Review: ${item.title}`]),
          order_id: item.order_id,
          now,
        })
  const paid = points > 0
  await tx
    .insert(t)
    .values({
      comment_id: row.id,
      order_item_id: item.id,
      member_id: row.member_id,
      store_id: item.store_id,
      rule_id: rule?.id ?? null,
      state: paid ? 'paid' : 'none',
      why: paid ? null : (why ?? 'nothing'),
      parts,
      points,
      text_n,
      text_key,
      at: now,
      created_at: now,
      updated_at: now,
    })
    .onConflictDoNothing()
  if (!why)
    await growFor(tx, {
      action: 'comment',
      member_id: row.member_id,
      biz_no: reviewNo(row.id),
      now,
    })
  return points
}

/** Takes back what a review earned, its bonus too, once; answers how many points. */
export const takeBackReward = async (
  tx: Db,
  of: { comment_id: number; why: string; operator_id?: number; now: number },
): Promise<number> => {
  const { comment_id, why, now } = of
  const by = of.operator_id === undefined ? {} : { operator_id: of.operator_id }
  const [known] = await tx
    .select({ member_id: t.member_id })
    .from(t)
    .where(eq(t.comment_id, comment_id))
  if (!known) return 0
  // The member before the reward, as whoever is paid holds them.
  await holdMember(tx, known.member_id)
  const [row] = await tx
    .update(t)
    .set({
      state: 'revoked',
      revoked_at: now,
      revoke_reason: why,
      ...by,
      updated_at: now,
      version: sql`${t.version} + 1`,
    })
    .where(and(eq(t.comment_id, comment_id), eq(t.state, 'paid')))
    .returning()
  if (!row) return 0
  const back = { biz_kind: 'comment' as const, why, ...by, now }
  const taken = await takeBackEarned(tx, { ...back, biz_no: reviewNo(comment_id) })
  const bonus = await takeBackEarned(tx, { ...back, biz_no: featureNo(comment_id) })
  await ungrow(tx, { action: 'comment', biz_no: reviewNo(comment_id), why, ...by, now })
  return taken + bonus
}
const heldReward = async (tx: Db, id: number): Promise<{ reward: Reward; of: Comment }> => {
  const [known] = await tx.select().from(t).where(eq(t.id, id))
  if (!known) throw missing()
  await holdMember(tx, known.member_id)
  const [reward] = await tx.select().from(t).where(eq(t.id, id)).for('update')
  const [of] = await tx.select().from(comment).where(eq(comment.id, known.comment_id)).for('update')
  return { reward: reward!, of: of! }
}
/** Staff take back the points of a review, once; answers how many. Throws 422 where none were paid. */
export const revokeReward = async (
  tx: Db,
  of: { id: number; reason: string; operator_id: number; now: number },
): Promise<number> => {
  const { reward } = await heldReward(tx, of.id)
  const may = mayRevoke(reward)
  if (may !== true) throw ruled('not_paid', may)
  const { operator_id, now } = of
  return takeBackReward(tx, { comment_id: reward.comment_id, why: of.reason, operator_id, now })
}
/**
 * A review is featured, and its bonus paid, once. Answers the points; throws 422 where it is not
 * shown, was featured before or had its points taken back.
 */
export const featureReview = async (
  tx: Db,
  { id, operator_id, now }: { id: number; operator_id: number; now: number },
): Promise<number> => {
  const { reward, of } = await heldReward(tx, id)
  const may = mayFeature({ ...of, state: reward.state, comment_state: of.state })
  if (may !== true) throw ruled('not_featured', may)
  const [row] = await tx
    .update(comment)
    .set({
      featured_at: now,
      featured_by: operator_id,
      updated_at: now,
      version: sql`${comment.version} + 1`,
    })
    .where(and(eq(comment.id, of.id), isNull(comment.featured_at)))
    .returning()
  const [item] = await tx
    .select({ mall_id: order.mall_id })
    .from(order_item)
    .innerJoin(order, eq(order.id, order_item.order_id))
    .where(eq(order_item.id, reward.order_item_id))
  const rule = await pointsOfRule(tx, 'comment', item!.mall_id || undefined, now)
  const bonus =
    row && rule && reward.state === 'paid'
      ? await earnByRule(tx, {
          rule,
          member_id: reward.member_id,
          points: (rule.config as CommentConfig).featured,
          biz_kind: 'comment',
          biz_no: featureNo(of.id),
          title: pointsTitles.featured,
          operator_id,
          now,
        })
      : 0
  await tx
    .update(t)
    .set({ bonus, operator_id, updated_at: now, version: sql`${t.version} + 1` })
    .where(eq(t.id, id))
  return bonus
}
