import { and, eq, isNull, sql } from 'drizzle-orm'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { reviewRefusal } from '#src/areas/order/orderVerbs.ts'
import { reviewOrder } from '#src/areas/order/reviews.server.ts'
import { holdMember } from '#src/areas/points/book.server.ts'
import { noteUser } from '#src/areas/userLog/noting.server.ts'
import type { Client } from '#src/areas/userLog/userLog.ts'
import { joined } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { comment as t, comment_reward } from './review.table.ts'
import { GIVE_BACK_DAYS, heldFor, type CommentState, type WriteState } from './review.ts'
import { isRedeemed, settleReward, takeBackReward, type Comment } from './rewards.server.ts'

const itemOf = async (tx: Db, of: { member_id: number; order_no: string; item_id: number }) =>
  (
    await tx
      .select({ item: order_item, order })
      .from(order_item)
      .innerJoin(order, eq(order.id, order_item.order_id))
      .where(
        and(
          eq(order.order_no, of.order_no),
          eq(order.member_id, of.member_id),
          eq(order_item.id, of.item_id),
        ),
      )
  )[0]
export type Written = {
  member_id: number
  order_no: string
  item_id: number
  rating: number
  text: string
  images: string[]
  video: string
  from?: Client
  now: number
}
/**
 * A member reviews an item that was redeemed or received, once. What the machine lets pass is shown
 * and rewarded at once, the rest waits for a person. Answers how it stands, and the points.
 */
export const writeReview = async (
  tx: Db,
  of: Written,
): Promise<{ state: WriteState; points: number }> => {
  const { member_id, rating, text, images, video, now } = of
  const told = (state: WriteState, points = 0) => ({ state, points })
  const who = await holdMember(tx, member_id)
  if (who.account_state !== 'normal') return told('muted')
  const found = await itemOf(tx, of)
  if (!found || found.item.product_id === null) return told('none')
  const { item } = found
  if (!(await isRedeemed(tx, item))) return told('early')
  const hit_words = heldFor(text)
  const passes = hit_words.length === 0
  const [row] = await tx
    .insert(t)
    .values({
      target_kind: 'goods',
      target_id: item.product_id!,
      member_id,
      order_item_id: item.id,
      store_id: item.store_id,
      text,
      images,
      video,
      rating,
      machine: passes ? 'pass' : 'review',
      hit_words,
      state: passes ? 'shown' : 'pending',
      decided_at: passes ? now : null,
      created_at: now,
      updated_at: now,
    })
    .onConflictDoNothing()
    .returning()
  if (!row) return told('again')
  await noteUser(tx, {
    kind: 'comment',
    member_id,
    request_id: `comment:${row.id}`,
    detail: { no: of.order_no, product_id: row.target_id, rating },
    from: of.from,
    at: now,
  })
  if (reviewRefusal(found.order) === undefined)
    await reviewOrder(tx, { order_id: found.order.id, by: 'member', now })
  return passes ? told('shown', await settleReward(tx, row, now)) : told('pending')
}
/** Holds the member who wrote a comment, before the comment itself, as whoever is paid holds them. */
const holdAuthor = async (tx: Db, id: number): Promise<void> => {
  const [known] = await tx.select({ member_id: t.member_id }).from(t).where(eq(t.id, id))
  if (known) await holdMember(tx, known.member_id)
}
/**
 * Staff let a comment that waits be shown, or turn it down, once; what is shown is rewarded. Throws
 * 422 where it was decided before.
 */
export const decideComment = async (
  tx: Db,
  of: { id: number; state: 'shown' | 'rejected'; reason: string; operator_id: number; now: number },
): Promise<Comment> => {
  const { id, state, reason, operator_id, now } = of
  await holdAuthor(tx, id)
  const [row] = await tx
    .update(t)
    .set({
      state: state satisfies CommentState,
      reason,
      decided_by: operator_id,
      decided_at: now,
      updated_at: now,
      version: sql`${t.version} + 1`,
    })
    .where(and(eq(t.id, id), eq(t.state, 'pending'), isNull(t.deleted_at)))
    .returning()
  if (!row) throw ruled('decided', ['该评论已处理或已删除', 'It was decided or deleted already'])
  if (state === 'shown') await settleReward(tx, row, now)
  return row
}
/**
 * A comment is deleted, once: for abuse by staff, which takes its points back whenever it is, or by
 * its member, who gives them back within seven days. Answers the points, undefined where it is gone.
 */
export const deleteComment = async (
  tx: Db,
  of: { id: number; by: 'member' | 'staff'; reason: string; operator_id?: number; now: number },
): Promise<number | undefined> => {
  const { id, by, reason, now } = of
  await holdAuthor(tx, id)
  const [row] = await tx
    .update(t)
    .set({
      deleted_at: now,
      deleted_by: by,
      reason,
      updated_at: now,
      version: sql`${t.version} + 1`,
    })
    .where(and(eq(t.id, id), isNull(t.deleted_at)))
    .returning()
  if (!row) return undefined
  const [reward] = await tx
    .select({ at: comment_reward.at })
    .from(comment_reward)
    .where(eq(comment_reward.comment_id, id))
  if (!reward || (by === 'member' && now > reward.at + GIVE_BACK_DAYS * DAY)) return 0
  const operator = of.operator_id === undefined ? {} : { operator_id: of.operator_id }
  return takeBackReward(tx, { comment_id: id, why: reason, ...operator, now })
}
/** Why such a review is gone, in both languages (`joined`). */
export const deletedByMember = joined(['会员删除评价', 'The member deleted the review'])
/** A member deletes the review of an item; answers whether there was one, and the points given back. */
export const deleteReview = async (
  tx: Db,
  of: { member_id: number; order_no: string; item_id: number; now: number },
): Promise<{ state: 'deleted' | 'none'; points: number }> => {
  const found = await itemOf(tx, of)
  if (!found) return { state: 'none', points: 0 }
  const [row] = await tx
    .select({ id: t.id })
    .from(t)
    .where(
      and(eq(t.order_item_id, found.item.id), eq(t.member_id, of.member_id), isNull(t.deleted_at)),
    )
  if (!row) return { state: 'none', points: 0 }
  const points = await deleteComment(tx, {
    id: row.id,
    by: 'member',
    reason: deletedByMember,
    now: of.now,
  })
  return points === undefined ? { state: 'none', points: 0 } : { state: 'deleted', points }
}
