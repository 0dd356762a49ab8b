import { randomBytes } from 'node:crypto'
import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { noteOrder, system, type Actor } from '#src/areas/order/orderFacts.server.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { ecard_gift, ecard_purchase } from './cardOrder.table.ts'
import { GIFT_S } from './cardOrder.ts'
import { activateCode } from './codeLife.server.ts'
import { ecard, ecard_code } from './ecard.table.ts'

type Gift = typeof ecard_gift.$inferSelect
/**
 * The buyer gives a card away that was never shown, bound or given: whoever opens the link first has
 * it. Answers the gift. Throws 422 where it can't be given.
 */
export const sendGift = async (
  tx: Db,
  of: { code_id: number; from_id: number; greeting?: string; now: number },
): Promise<Gift> => {
  const { now } = of
  const [sent] = await tx
    .update(ecard_code)
    .set({ gift_state: 'sent', version: sql`${ecard_code.version} + 1`, updated_at: now })
    .where(
      and(
        eq(ecard_code.id, of.code_id),
        eq(ecard_code.state, 'sold'),
        inArray(ecard_code.gift_state, ['none', 'returned']),
        isNull(ecard_code.shown_at),
        isNull(ecard_code.holder_id),
        sql`exists (select 1 from ${ecard} c where c.id = ${ecard_code.card_id} and c.gift)`,
        sql`exists (select 1 from ${order} o where o.id = ${ecard_code.order_id} and o.member_id = ${of.from_id} and not o.frozen)`,
      ),
    )
    .returning()
  if (!sent)
    throw ruled('not_givable', [
      '该卡不能赠送：只有本人购买、未查看、未激活的可赠卡能送',
      'It can’t be given: only one’s own card of that kind, never shown and not activated',
    ])
  const [row] = await tx.select().from(order).where(eq(order.id, sent.order_id!))
  const [gift] = await tx
    .insert(ecard_gift)
    .values({
      order_id: row!.id,
      ordered_at: row!.created_at,
      code_id: sent.id,
      token: randomBytes(16).toString('hex'),
      from_id: of.from_id,
      greeting: of.greeting ?? '',
      state: 'sent',
      sent_at: now,
      created_at: now,
      updated_at: now,
    })
    .returning()
  const tail = sent.card_no.slice(-4)
  await noteOrder(tx, {
    order_id: row!.id,
    event: 'gift',
    actor: { type: 'member', id: of.from_id },
    at: now,
    memo: joined([`赠出尾号 ${tail}`, `Card …${tail} is given away`]),
  })
  return gift!
}
/** Refuses its giver, who takes it back instead, and anybody but the person whom it was bought for. */
const refuseOther = async (tx: Db, gift: Gift, member_id: number): Promise<void> => {
  if (gift.from_id === member_id)
    throw ruled('own_gift', [
      '这是您自己送出的卡，可在“我的卡包”收回',
      'You gave it away yourself: take it back among your cards',
    ])
  const [bought] = await tx
    .select({ phone: ecard_purchase.receiver_phone })
    .from(ecard_purchase)
    .where(eq(ecard_purchase.order_id, gift.order_id))
  if (!bought?.phone) return
  const [who] = await tx
    .select({ phone: member.phone })
    .from(member)
    .where(eq(member.id, member_id))
  if (mobileOf(who?.phone ?? '') !== bought.phone)
    throw ruled('gift_other', [
      '这张卡是为另一个手机号购买的，请用该手机号的账号领取',
      'It was bought for another phone: take it with the account of that one',
    ])
}
/**
 * Gives the card of a gift to the member who takes it, and activates it. The first of two at once
 * has it; one that was bought for a phone goes to the member of that phone alone.
 */
export const receiveGift = async (
  tx: Db,
  of: { token: string; member_id: number; now: number },
): Promise<Gift> => {
  const { now } = of
  const [gift] = await tx
    .update(ecard_gift)
    .set({ state: 'received', to_id: of.member_id, received_at: now, updated_at: now })
    .where(
      and(
        eq(ecard_gift.token, of.token),
        eq(ecard_gift.state, 'sent'),
        sql`${ecard_gift.sent_at} > ${now - GIFT_S}`,
      ),
    )
    .returning()
  if (!gift)
    throw ruled('gift_gone', [
      '赠卡已被领取、撤回或超过 24 小时',
      'It was taken, called back, or is older than 24 hours',
    ])
  await refuseOther(tx, gift, of.member_id)
  await tx
    .update(ecard_code)
    .set({ gift_state: 'received', updated_at: now })
    .where(and(eq(ecard_code.id, gift.code_id), eq(ecard_code.gift_state, 'sent')))
  await activateCode(tx, { code_id: gift.code_id, member_id: of.member_id, now })
  await noteOrder(tx, {
    order_id: gift.order_id,
    event: 'gift',
    actor: { type: 'member', id: of.member_id },
    at: now,
    memo: joined(['赠卡已领取', 'The gift was taken']),
  })
  return gift
}
type Back = { by: 'timeout' | 'member' | 'staff'; actor: Actor; reason: string; now: number }
const giveBack = async (tx: Db, ids: readonly number[], of: Back): Promise<Gift[]> => {
  const back = await tx
    .update(ecard_gift)
    .set({
      state: 'returned',
      returned_at: of.now,
      returned_by: of.by,
      admin_id: of.by === 'staff' ? (of.actor.id ?? null) : null,
      reason: of.reason,
      updated_at: of.now,
    })
    .where(and(inArray(ecard_gift.id, [...ids]), eq(ecard_gift.state, 'sent')))
    .returning()
  if (back.length === 0) return []
  await tx
    .update(ecard_code)
    .set({
      gift_state: 'returned',
      version: sql`${ecard_code.version} + 1`,
      updated_at: of.now,
    })
    .where(
      and(
        inArray(
          ecard_code.id,
          back.map(one => one.code_id),
        ),
        eq(ecard_code.gift_state, 'sent'),
      ),
    )
  await noteOrder(tx, {
    order_id: back[0]!.order_id,
    event: 'gift',
    actor: of.actor,
    at: of.now,
    memo: of.reason,
    data: { gifts: back.length, by: of.by },
  })
  return back
}
const noGift = () =>
  ruled('no_gift', [
    '没有未领取的赠送；已领取的不能撤回',
    'No gift is on its way: what was received can’t be called back',
  ])
/**
 * Calls back the gifts of an order that are on their way. Throws 422 where there are none: a card
 * that was received stays with its receiver.
 */
export const recallGifts = async (
  tx: Db,
  of: { order_id: number; admin_id: number; reason: string; now: number },
): Promise<Gift[]> => {
  const sent = await tx
    .select({ id: ecard_gift.id })
    .from(ecard_gift)
    .where(and(eq(ecard_gift.order_id, of.order_id), eq(ecard_gift.state, 'sent')))
    .orderBy(asc(ecard_gift.id))
    .for('update')
  const back = await giveBack(
    tx,
    sent.map(one => one.id),
    { ...of, by: 'staff', actor: { type: 'staff', id: of.admin_id } },
  )
  if (back.length === 0) throw noGift()
  return back
}
/**
 * A giver takes back a card that is on its way. Throws 422 where it is not: what was received stays
 * with its receiver.
 */
export const takeGiftBack = async (
  tx: Db,
  of: { code_id: number; from_id: number; now: number },
): Promise<Gift> => {
  const [sent] = await tx
    .select({ id: ecard_gift.id })
    .from(ecard_gift)
    .where(
      and(
        eq(ecard_gift.code_id, of.code_id),
        eq(ecard_gift.from_id, of.from_id),
        eq(ecard_gift.state, 'sent'),
      ),
    )
    .for('update')
  const [back] = await giveBack(tx, sent ? [sent.id] : [], {
    by: 'member',
    actor: { type: 'member', id: of.from_id },
    reason: joined(['赠送人收回', 'Taken back by its giver']),
    now: of.now,
  })
  if (!back) throw noGift()
  return back
}
/** Gifts that nobody took within 24 hours, the oldest first. */
export const unclaimedGifts = async (db: Db, now: number, most: number): Promise<number[]> =>
  (
    await db
      .select({ id: ecard_gift.id })
      .from(ecard_gift)
      .where(and(eq(ecard_gift.state, 'sent'), lte(ecard_gift.sent_at, now - GIFT_S)))
      .orderBy(asc(ecard_gift.sent_at))
      .limit(most)
  ).map(one => one.id)
/** Why such a gift comes back, in both languages (`joined`). */
export const notTaken = joined([
  '24 小时未领取，自动退回',
  'Not taken within 24 hours: back by itself',
])
/** A gift that nobody took comes back to its giver. Answers whether it did. */
export const returnGift = async (tx: Db, id: number, now: number): Promise<boolean> => {
  const [due] = await tx.select().from(ecard_gift).where(eq(ecard_gift.id, id)).for('update')
  if (!due) throw missing()
  if (due.state !== 'sent' || due.sent_at > now - GIFT_S) return false
  const back = { by: 'timeout', actor: system, reason: notTaken, now } as const
  return (await giveBack(tx, [id], back)).length > 0
}
