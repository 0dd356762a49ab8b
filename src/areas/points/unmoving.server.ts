import { asc, inArray } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { book, expireDue, holdMember, newLot, takeLots } from './book.server.ts'
import type { MovedPoints } from './points.server.ts'
import { points_lot } from './points.table.ts'
import type { Part } from './points.ts'
import { pointsTitles } from './titles.ts'

const spent = () =>
  ruled('points_spent', [
    '保留会员已使用过合并来的积分，不能撤销合并',
    'The member that was kept has spent points of the merge: it can’t be taken back',
  ])

/**
 * Points that a merge moved go back by two rows, each lot with the day it ends; what ended meanwhile
 * is gone on either side. Throws 422 `points_spent` where some of them were spent or are held, and
 * `points_repaid` where the merge moved or repaid a debt. Answers how many points went back.
 */
export const unmovePoints = async (
  tx: Db,
  of: {
    from: number
    to: number
    moved: MovedPoints
    biz_no: string
    operator_id: number
    now: number
  },
): Promise<number> => {
  const { moved, now } = of
  if (moved.debt > 0)
    throw ruled('points_repaid', [
      '合并时已抵扣积分欠账，不能撤销合并',
      'The merge settled points that were owed: it can’t be taken back',
    ])
  // The order of ids keeps two of them from waiting for each other.
  await tx
    .select({ id: member.id })
    .from(member)
    .where(inArray(member.id, [of.from, of.to]))
    .orderBy(asc(member.id))
    .for('update')
  const [kept, back] = [await holdMember(tx, of.to), await holdMember(tx, of.from)]
  await expireDue(tx, kept, now)
  if (moved.lots.length === 0) return 0
  const first = moved.lots.map(part => part.lot_id)
  const lots = await tx.select().from(points_lot).where(inArray(points_lot.id, first))
  if (lots.some(lot => lot.member_id !== of.to || lot.remain + lot.expired < lot.points))
    throw spent()
  const points = lots.reduce((sum, lot) => sum + lot.remain, 0)
  if (points === 0) return 0
  const taken = await takeLots(tx, { member_id: of.to, points, first, now })
  const endOf = new Map(lots.map(lot => [lot.id, lot.expire_at]))
  const given: Part[] = []
  for (const { lot_id, n } of taken) {
    const expire_at = endOf.get(lot_id)!
    given.push({ lot_id: await newLot(tx, { member_id: of.from, points: n, expire_at, now }), n })
  }
  const row = { kind: 'adjust' as const, biz_kind: 'merge' as const, operator_id: of.operator_id }
  const out = {
    ...row,
    biz_no: `${of.biz_no}-UNDO-OUT`,
    title: pointsTitles.unmergedOut,
    lots: taken,
  }
  const into = {
    ...row,
    biz_no: `${of.biz_no}-UNDO-IN`,
    title: pointsTitles.unmergedIn,
    lots: given,
  }
  await book(tx, kept, [{ ...out, delta: -points }], now)
  await book(tx, back, [{ ...into, delta: points }], now)
  return points
}
