import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import {
  book,
  bookedAs,
  bookIncome,
  expireDue,
  giveBack,
  holdKeeper,
  holdMember,
  takeLots,
} from './book.server.ts'
import { refuseSpending } from './points.server.ts'
import { points_ledger } from './points.table.ts'
import { backTo } from './points.ts'
import { pointsTitles } from './titles.ts'

/** The row by which an order took its points: a freeze, of earlier orders a spend. */
const takenBy = async (tx: Db, order_id: number) =>
  (
    await tx
      .select()
      .from(points_ledger)
      .where(and(eq(points_ledger.order_id, order_id), sql`${points_ledger.delta} < 0`))
      .orderBy(asc(points_ledger.id))
  ).find(one => one.kind === 'freeze' || one.kind === 'spend')
/**
 * An order that is being placed takes points, from the lots that end first: all it asks for or it is
 * refused. They are frozen until it is paid or closed.
 */
export const freezePoints = async (
  tx: Db,
  of: {
    member_id: number
    points: number
    order: { id: number; order_no: string; kind: string }
    now: number
  },
): Promise<void> => {
  const who = await holdMember(tx, of.member_id)
  await expireDue(tx, who, of.now)
  refuseSpending(who, of.points)
  const lots = await takeLots(tx, { member_id: of.member_id, points: of.points, now: of.now })
  await book(
    tx,
    who,
    [
      {
        kind: 'freeze',
        biz_kind: of.order.kind === 'points' ? 'points_shop' : 'offset',
        biz_no: of.order.order_no,
        order_id: of.order.id,
        delta: -of.points,
        frozen_delta: of.points,
        title: of.order.kind === 'points' ? pointsTitles.shop : pointsTitles.offset,
        lots,
      },
    ],
    of.now,
  )
}
/** The frozen points of an order that is paid are spent, once; those of one that closed stay free. */
export const spendFrozen = async (tx: Db, of: { order_id: number; now: number }): Promise<void> => {
  const taken = await takenBy(tx, of.order_id)
  if (taken?.kind !== 'freeze') return
  const who = await holdMember(tx, taken.member_id)
  for (const kind of ['spend', 'unfreeze'] as const)
    if (await bookedAs(tx, { ...taken, kind })) return
  const { biz_kind, biz_no, title, lots } = taken
  const move = { kind: 'spend' as const, biz_kind, biz_no, order_id: of.order_id, title, lots }
  await book(tx, who, [{ ...move, delta: 0, frozen_delta: taken.delta }], of.now)
}
/**
 * An order that was never paid closes: its points are free again, in the lots they came from, once.
 * Answers how many.
 */
export const unfreezePoints = async (
  tx: Db,
  of: { order_id: number; now: number },
): Promise<number> => {
  const taken = await takenBy(tx, of.order_id)
  if (taken?.kind !== 'freeze') return 0
  const who = await holdMember(tx, taken.member_id)
  for (const kind of ['spend', 'unfreeze'] as const)
    if (await bookedAs(tx, { ...taken, kind })) return 0
  const { biz_kind, biz_no, member_id } = taken
  const lots = await giveBack(tx, { member_id, parts: taken.lots, now: of.now })
  const move = { kind: 'unfreeze' as const, biz_kind, biz_no, order_id: of.order_id, lots }
  const amounts = { delta: -taken.delta, frozen_delta: taken.delta, title: pointsTitles.closed }
  await bookIncome(tx, who, { ...move, ...amounts }, of.now)
  return -taken.delta
}
/**
 * Points that a paid order spent come back to the lots they were taken from, once by the refund's
 * number and never more than it took. What ended meanwhile comes back with thirty days of its own.
 * Answers how many.
 */
export const returnPoints = async (
  tx: Db,
  of: { order_id: number; points: number; biz_no: string; now: number },
): Promise<number> => {
  const taken = await takenBy(tx, of.order_id)
  if (!taken || of.points <= 0) return 0
  const who = await holdKeeper(tx, taken.member_id)
  if (taken.kind === 'freeze' && !(await bookedAs(tx, { ...taken, kind: 'spend' }))) return 0
  const back = await tx
    .select()
    .from(points_ledger)
    .where(and(eq(points_ledger.order_id, of.order_id), eq(points_ledger.kind, 'back')))
  if (back.some(one => one.biz_no === of.biz_no)) return 0
  const before = back.reduce((sum, one) => sum + one.delta, 0)
  const n = Math.min(of.points, -taken.delta - before)
  if (n <= 0) return 0
  const parts = backTo(taken.lots, before, n)
  const lots = await giveBack(tx, { member_id: who.id, parts, now: of.now })
  const move = { kind: 'back' as const, biz_kind: 'refund' as const, biz_no: of.biz_no, lots }
  await bookIncome(
    tx,
    who,
    { ...move, delta: n, order_id: of.order_id, title: pointsTitles.refunded },
    of.now,
  )
  return n
}
