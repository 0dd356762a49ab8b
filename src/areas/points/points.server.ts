import { and, asc, gt, inArray, lte } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { rateAt } from '#src/areas/pointsRule/inForce.server.ts'
import { expiryOf } from '#src/areas/pointsRule/rule.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import {
  book,
  bookedAs,
  bookIncome,
  earnsNothing,
  expireDue,
  holdMember,
  newLot,
  takeLots,
  type Holder,
} from './book.server.ts'
import { points_lot } from './points.table.ts'
import type { Part, PointsBiz } from './points.ts'
import { pointsTitles } from './titles.ts'

/** Ends what is past its day, of some members. Answers how many points. */
export const expirePoints = async (tx: Db, now: number, most = 200): Promise<number> => {
  const due = await tx
    .selectDistinct({ id: points_lot.member_id })
    .from(points_lot)
    .where(and(gt(points_lot.remain, 0), lte(points_lot.expire_at, now)))
    .orderBy(points_lot.member_id)
    .limit(most)
  let gone = 0
  for (const { id } of due) gone += await expireDue(tx, await holdMember(tx, id), now)
  return gone
}
export type Earning = {
  member_id: number
  points: number
  biz_kind: PointsBiz
  biz_no: string
  /** When they end; without it as the rate in force says (unix seconds). */
  expire_at?: number
  rule_id?: number
  title: string
  note?: string
  operator_id?: number
  order_id?: number
  now: number
}
/**
 * Points come in as a lot of their own, once by their number; a debt is repaid first. Answers the id
 * of the ledger's row, or null where the number is booked already or the member earns nothing:
 * benefits frozen, account banned, closed or merged.
 */
export const earnPoints = async (tx: Db, of: Earning): Promise<number | null> => {
  if (of.points <= 0) return null
  const who = await holdMember(tx, of.member_id)
  if (earnsNothing(who) || (await bookedAs(tx, { ...of, kind: 'earn' }))) return null
  const { now, member_id, points, ...rest } = of
  const expire_at = of.expire_at ?? expiryOf((await rateAt(tx, now)).rate.validity, now)
  const lot_id = await newLot(tx, { member_id, points, expire_at, now })
  const move = { ...rest, kind: 'earn' as const, delta: points, lots: [{ lot_id, n: points }] }
  return bookIncome(tx, who, { ...move, expire_at }, now)
}
const tooFew = (need: number, have: number) =>
  ruled(
    'points_short',
    ['积分不足：需要 {need}，现有 {have}', 'Too few points: {need} are needed, there are {have}'],
    { need, have },
  )
const off = () =>
  ruled('benefits_frozen', [
    '会员权益已冻结，不能增加或使用积分，请先解冻',
    'The member’s benefits are frozen: unfreeze them first',
  ])
/**
 * What a member must have before points are taken: benefits that are not frozen, and enough of them.
 * Throws 422 otherwise.
 */
export const refuseSpending = (who: Holder, points: number): void => {
  if (who.benefits_frozen) throw off()
  if (who.points < points) throw tooFew(points, who.points)
}
/**
 * Changes a balance by hand, once by its number; answers the id of the row. Throws 422 for more than
 * the member has, and for points to a member whose benefits are frozen.
 */
export const adjustPoints = async (
  tx: Db,
  of: {
    member_id: number
    delta: number
    biz_no: string
    reason: string
    operator_id: number
    now: number
  },
): Promise<number> => {
  const { now, member_id, delta } = of
  const who = await holdMember(tx, member_id)
  const known = await bookedAs(tx, { kind: 'adjust', biz_kind: 'admin', biz_no: of.biz_no })
  if (known) return known.id
  await expireDue(tx, who, now)
  const move = {
    kind: 'adjust' as const,
    biz_kind: 'admin' as const,
    biz_no: of.biz_no,
    delta,
    title: pointsTitles.adjusted,
    note: of.reason,
    operator_id: of.operator_id,
  }
  if (delta < 0) {
    if (who.points < -delta) throw tooFew(-delta, who.points)
    const lots = await takeLots(tx, { member_id, points: -delta, now })
    return (await book(tx, who, [{ ...move, lots }], now))[0]!
  }
  if (who.benefits_frozen) throw off()
  const expire_at = expiryOf((await rateAt(tx, now)).rate.validity, now)
  const lot_id = await newLot(tx, { member_id, points: delta, expire_at, now })
  return bookIncome(tx, who, { ...move, expire_at, lots: [{ lot_id, n: delta }] }, now)
}
/** Takes all points of a member who goes, but those that are due to expire: these expire. */
export const forfeitPoints = async (
  tx: Db,
  of: Omit<Parameters<typeof adjustPoints>[1], 'delta'>,
): Promise<void> => {
  const who = await holdMember(tx, of.member_id)
  await expireDue(tx, who, of.now)
  if (who.points > 0) await adjustPoints(tx, { ...of, delta: -who.points })
}

/** What a merge moved: the lots that have the points now, and what of a debt moved or was repaid. */
export type MovedPoints = { lots: Part[]; debt: number }
/**
 * All points of a member, and what the member owes, go to another with whom the member is merged: two
 * rows, each lot with the day it ends. Throws 422 while an unpaid order holds some.
 */
export const movePoints = async (
  tx: Db,
  of: { from: number; to: number; biz_no: string; operator_id: number; now: number },
): Promise<MovedPoints> => {
  const { now } = of
  // In one order for all, so that no two merges wait for each other.
  const held = await tx
    .select({ id: member.id })
    .from(member)
    .where(inArray(member.id, [of.from, of.to]))
    .orderBy(asc(member.id))
    .for('update')
  if (held.length < 2) throw missing()
  const [from, to] = [await holdMember(tx, of.from), await holdMember(tx, of.to)]
  if (from.points_frozen > 0)
    throw ruled(
      'points_frozen',
      [
        '会员有 {n} 积分被待付款订单占用，订单付款或关闭后才能合并',
        'Unpaid orders hold {n} points of the member: wait until they are paid or closed',
      ],
      { n: from.points_frozen },
    )
  await expireDue(tx, from, now)
  await expireDue(tx, to, now)
  const { points, points_debt } = from
  if (points === 0 && points_debt === 0) return { lots: [], debt: 0 }
  const row = { kind: 'adjust' as const, biz_kind: 'merge' as const, operator_id: of.operator_id }
  const taken = await takeLots(tx, { member_id: from.id, points, now })
  const ends = await tx
    .select({ id: points_lot.id, expire_at: points_lot.expire_at })
    .from(points_lot)
    .where(
      inArray(
        points_lot.id,
        taken.map(part => part.lot_id),
      ),
    )
  const endOf = new Map(ends.map(lot => [lot.id, lot.expire_at]))
  const lots: Part[] = []
  for (const { lot_id, n } of taken) {
    const expire_at = endOf.get(lot_id)!
    lots.push({ lot_id: await newLot(tx, { member_id: to.id, points: n, expire_at, now }), n })
  }
  const out = { ...row, biz_no: `${of.biz_no}-OUT`, delta: -points, debt_delta: -points_debt }
  await book(tx, from, [{ ...out, title: pointsTitles.mergedOut, lots: taken }], now)
  const into = {
    ...row,
    biz_no: `${of.biz_no}-IN`,
    title: pointsTitles.mergedIn,
    delta: points,
    lots,
  }
  // What either of them owed is repaid of what the other brought.
  const debt = points_debt + to.points_debt
  const repaid = Math.min(debt, points + to.points)
  const parts = await takeLots(tx, { member_id: to.id, points: repaid, now })
  const moved = { ...into, debt_delta: points_debt }
  const repay = {
    ...row,
    kind: 'debt_repay' as const,
    biz_no: into.biz_no,
    title: pointsTitles.debt,
    delta: -repaid,
    debt_delta: -repaid,
    lots: parts,
  }
  await book(tx, to, repaid > 0 ? [moved, repay] : [moved], now)
  return { lots, debt: points_debt + repaid }
}
