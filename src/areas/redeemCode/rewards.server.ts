import { and, eq, inArray, sql } from 'drizzle-orm'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { giveCard, takeCardBack } from '#src/areas/ecard/givenCards.server.ts'
import { earnPoints } from '#src/areas/points/points.server.ts'
import { takeBackUnspent } from '#src/areas/points/reversing.server.ts'
import { pointsTitles } from '#src/areas/points/titles.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { giveDays, takeDaysBack } from '#src/areas/vipCard/givenDays.server.ts'
import { joined } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal, ruled } from '#src/server/call/refuse.ts'
import { rewardCoupons, type Batch } from './batches.server.ts'
import type { Granted } from './granted.ts'
import { unitCost } from './redeemCode.ts'

type To = { no: string; member: { id: number }; now: number }
/** Says that a reward can't be given, and why: nothing of the code is used then. */
const noReward = (error: unknown): never => {
  if (!(error instanceof Refusal)) throw error
  const [zh, en] = error.text
  throw ruled(
    'no_reward',
    [`奖励无法发放：${zh}。兑换码未被使用`, `No reward can be given. ${en}. The code was not used`],
    error.values,
  )
}
/**
 * One coupon of each, given as every other one is; their codes come from the number, so that they
 * come once.
 */
const grantCoupons = async (
  tx: Db,
  ids: readonly number[],
  of: To,
  kind: 'code' | 'compensate' = 'code',
): Promise<string[]> => {
  const codes: string[] = []
  // In one order for all, so that no two wait for each other.
  for (const coupon_id of ids.toSorted((a, b) => a - b)) {
    const code = `${of.no}-${coupon_id}`
    await claimCoupon(tx, {
      coupon_id,
      member_id: of.member.id,
      qty: 1,
      kind,
      now: of.now,
      codes: [code],
    }).catch(noReward)
    codes.push(code)
  }
  return codes
}
const grantPoints = async (tx: Db, batch: Batch, of: To): Promise<void> => {
  const booked = await earnPoints(tx, {
    member_id: of.member.id,
    points: batch.points,
    expire_at: of.now + batch.points_days * DAY,
    biz_kind: 'activity',
    biz_no: of.no,
    title: pointsTitles.code,
    note: batch.name,
    now: of.now,
  })
  if (booked === null)
    throw ruled('no_reward', [
      '会员权益已冻结或账号异常，积分无法发放。兑换码未被使用',
      'The member earns no points now: benefits frozen or account off. The code was not used',
    ])
}
const sourceOf = ({ name }: Batch): string => joined([`兑换码 ${name}`, `Redeem code ${name}`])
/** Days of the batch's plan, under the number of the redemption, so that they come once. */
const grantDays = async (
  tx: Db,
  batch: Batch,
  of: To,
): Promise<NonNullable<Granted['membership']> | undefined> => {
  if (batch.vip_card_id === null) return undefined
  const days = batch.vip_days
  const plan = await giveDays(tx, {
    member_id: of.member.id,
    card_id: batch.vip_card_id,
    days,
    order_no: of.no,
    source: sourceOf(batch),
    now: of.now,
  }).catch(noReward)
  return { plan, days, order_no: of.no }
}
const TAIL = 4
/** A card of the batch's face, which is the member's at once. */
const grantCard = async (
  tx: Db,
  batch: Batch,
  of: To & { sealer: Sealer },
): Promise<Granted['card']> => {
  if (batch.ecard_attr_id === null) return undefined
  const { code, name, face_cents } = await giveCard(tx, of.sealer, {
    attr_id: batch.ecard_attr_id,
    member_id: of.member.id,
    no: of.no,
    source: sourceOf(batch),
    now: of.now,
  }).catch(noReward)
  return { code_id: code.id, name, face_cents, tail: code.card_no.slice(-TAIL) }
}
/** What a code of the batch gives, to the member, in the caller's transaction. */
export const grantRewards = async (
  tx: Db,
  batch: Batch,
  of: To & { sealer: Sealer },
): Promise<Granted> => {
  const coupons = await grantCoupons(tx, batch.coupon_ids, of)
  if (batch.points > 0) await grantPoints(tx, batch, of)
  const membership = await grantDays(tx, batch, of)
  const card = await grantCard(tx, batch, of)
  const cost_cents = unitCost(batch, [...(await rewardCoupons(tx, batch.coupon_ids)).values()])
  return {
    coupons,
    points: batch.points,
    points_no: batch.points > 0 ? of.no : null,
    ...(batch.goods && { goods: batch.goods }),
    ...(membership && { membership }),
    ...(card && { card }),
    cost_cents,
  }
}
const takenBack = joined(['兑换撤销', 'Redemption taken back'])
const spent = () =>
  ruled('reward_used', [
    '奖励已被使用，不能撤销',
    'A reward was used: it is not taken back any more',
  ])
/** Takes all rewards back, or refuses where one of them was used. */
export const revokeRewards = async (tx: Db, granted: Granted, of: To): Promise<void> => {
  if (granted.coupons.length > 0) {
    const gone = await tx
      .update(coupon_grant)
      .set({ status: 'revoked', reason: takenBack, version: sql`${coupon_grant.version} + 1` })
      .where(and(inArray(coupon_grant.code, granted.coupons), eq(coupon_grant.status, 'unused')))
      .returning({ id: coupon_grant.id })
    if (gone.length < granted.coupons.length) throw spent()
  }
  if (
    granted.points_no !== null &&
    !(await takeBackUnspent(tx, {
      biz_kind: 'activity',
      biz_no: granted.points_no,
      why: takenBack,
      now: of.now,
    }))
  )
    throw spent()
  if (
    granted.membership &&
    !(await takeDaysBack(tx, { order_no: granted.membership.order_no, now: of.now }))
  )
    throw spent()
  if (
    granted.card &&
    !(await takeCardBack(tx, {
      code_id: granted.card.code_id,
      member_id: of.member.id,
      no: of.no,
      reason: takenBack,
      now: of.now,
    }))
  )
    throw spent()
}
/**
 * Gives anew the coupons of a success that the member can't use any more, though nobody used them.
 * Points, days of membership and cards are not lost so: nothing of them is given anew.
 */
export const reissueRewards = async (tx: Db, granted: Granted, of: To): Promise<Granted> => {
  const held = await tx
    .select()
    .from(coupon_grant)
    .where(inArray(coupon_grant.code, granted.coupons))
    .for('update')
  const isLost = (one: (typeof held)[number]) =>
    one.status === 'revoked' ||
    one.status === 'expired' ||
    (one.status === 'unused' && one.end_at <= of.now)
  const lost = held.filter(isLost)
  if (lost.length === 0)
    throw ruled('nothing_lost', [
      '奖励仍在会员账户或已被使用，无需补发',
      'The member has the reward, or has used it: nothing is to be given anew',
    ])
  const anew = await grantCoupons(
    tx,
    lost.map(one => one.coupon_id),
    of,
    'compensate',
  )
  const gone = lost.map(one => one.code)
  return { ...granted, coupons: [...granted.coupons.filter(code => !gone.includes(code)), ...anew] }
}
