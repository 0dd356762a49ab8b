import { eq, inArray, or, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import {
  book,
  bookedAs,
  bookIncome,
  expireDue,
  giveBack,
  holdKeeper,
  takeLots,
  type Holder,
  type Move,
} from './book.server.ts'
import { points_ledger, points_lot } from './points.table.ts'
import { canReverse, type PointsBiz } from './points.ts'
import { reversedTitle, takenBackTitle } from './titles.ts'

export type Row = typeof points_ledger.$inferSelect
/** The lots that came of rows, and those that their points came back in; rows that took have none. */
const ownLots = async (tx: Db, rows: readonly Row[]) => {
  const ids = rows.flatMap(row => (row.delta > 0 ? row.lots.map(part => part.lot_id) : []))
  return ids.length === 0
    ? []
    : tx
        .select()
        .from(points_lot)
        .where(or(inArray(points_lot.id, ids), inArray(points_lot.origin_id, ids)))
}
type Gone = { over: number; taken: number }
/** Answers by row how many of its points have ended, and how many were taken back before. */
export const goneOf = async (tx: Db, rows: readonly Row[]): Promise<Map<number, Gone>> => {
  const incomes = rows.filter(row => row.kind === 'earn' || row.kind === 'adjust')
  if (incomes.length === 0) return new Map()
  const lots = await ownLots(tx, incomes)
  const back = await tx
    .select({
      id: points_ledger.reverses_id,
      n: sql<number>`sum(${points_ledger.debt_delta} - ${points_ledger.delta})::int`,
    })
    .from(points_ledger)
    .where(
      inArray(
        points_ledger.reverses_id,
        incomes.map(row => row.id),
      ),
    )
    .groupBy(points_ledger.reverses_id)
  const taken = new Map(back.map(one => [one.id, one.n]))
  const overOf = (row: Row) => {
    const own = row.lots.map(part => part.lot_id)
    return lots
      .filter(lot => own.includes(lot.origin_id ?? lot.id))
      .reduce((sum, lot) => sum + lot.expired, 0)
  }
  return new Map(
    incomes.map(row => [
      row.id,
      {
        over: row.delta > 0 ? overOf(row) : 0,
        taken: row.delta > 0 ? (taken.get(row.id) ?? 0) : 0,
      },
    ]),
  )
}
/** Nothing of the row is left to take: it names the row that took the last of it. */
const close = async (tx: Db, row: Row, by: number): Promise<void> => {
  await tx.update(points_ledger).set({ reversed_by: by }).where(eq(points_ledger.id, row.id))
}
/**
 * Takes points of an income again: of its own lots first, then of the others; what was spent becomes
 * debt.
 */
const takeAgain = async (
  tx: Db,
  who: Holder,
  of: { row: Row; points: number; move: Omit<Move, 'delta' | 'lots'>; now: number },
): Promise<number> => {
  const { row, points, now } = of
  const there = Math.min(points, who.points)
  const first = (await ownLots(tx, [row])).map(lot => lot.id)
  const lots = await takeLots(tx, { member_id: who.id, points: there, first, now })
  const amounts = { delta: -there, debt_delta: points - there, lots, reverses_id: row.id }
  return (await book(tx, who, [{ ...of.move, ...amounts }], now))[0]!
}
/**
 * Reverses a row by another, once. An income is taken again, its own lot first, and what was spent
 * of it becomes debt; what was taken by hand goes back to its lots. Answers the id of the new row.
 * Throws 422 where the row cannot be reversed.
 */
export const reversePoints = async (
  tx: Db,
  of: { ledger_id: number; reason: string; operator_id: number; now: number },
): Promise<number> => {
  const read = async () =>
    (await tx.select().from(points_ledger).where(eq(points_ledger.id, of.ledger_id)))[0]
  const known = await read()
  if (!known) throw missing()
  const who = await holdKeeper(tx, known.member_id)
  await expireDue(tx, who, of.now)
  // It is read again: somebody quicker may have reversed it meanwhile.
  const row = (await read())!
  const gone = (await goneOf(tx, [row])).get(row.id) ?? { over: 0, taken: 0 }
  const may = canReverse({ ...row, ...gone })
  if (may !== true) throw ruled('not_reversible', may)
  const move = {
    kind: 'reverse' as const,
    biz_kind: row.biz_kind,
    // Apart from what a refund took back of the same row.
    biz_no: `${row.biz_no}#${row.id}`,
    order_id: row.order_id,
    title: reversedTitle(row.title),
    note: of.reason,
    operator_id: of.operator_id,
  }
  const { now } = of
  if (row.delta > 0) {
    const points = row.delta - gone.over - gone.taken
    const id = await takeAgain(tx, who, { row, points, move, now })
    await close(tx, row, id)
    return id
  }
  const lots = await giveBack(tx, { member_id: who.id, parts: row.lots, now })
  const back = { ...move, delta: -row.delta, reverses_id: row.id, lots }
  const id = await bookIncome(tx, who, back, now)
  await close(tx, row, id)
  return id
}
/**
 * Takes back what a number earned, whole or as many as said, once by `no` (the refund's number, else
 * its own): what has ended is not taken again, what was spent becomes debt. Answers how many points.
 */
export const takeBackEarned = async (
  tx: Db,
  of: {
    biz_kind: PointsBiz
    biz_no: string
    points?: number
    no?: string
    why: string
    operator_id?: number
    now: number
  },
): Promise<number> => {
  const { now } = of
  const known = await bookedAs(tx, { ...of, kind: 'earn' })
  if (!known) return 0
  const who = await holdKeeper(tx, known.member_id)
  await expireDue(tx, who, now)
  const biz_no = of.no ?? of.biz_no
  if (await bookedAs(tx, { kind: 'reverse', biz_kind: of.biz_kind, biz_no })) return 0
  const row = (await bookedAs(tx, { ...of, kind: 'earn' }))!
  const { over, taken } = (await goneOf(tx, [row])).get(row.id)!
  const left = row.reversed_by === null ? row.delta - over - taken : 0
  const points = Math.min(left, of.points ?? left)
  if (points <= 0) return 0
  const move = {
    kind: 'reverse' as const,
    biz_kind: row.biz_kind,
    biz_no,
    order_id: row.order_id,
    title: takenBackTitle(row.title),
    note: of.why,
    operator_id: of.operator_id ?? null,
  }
  const id = await takeAgain(tx, who, { row, points, move, now })
  if (points === left) await close(tx, row, id)
  return points
}
/**
 * Points that came in under a number go again, all of them and once: false where some were spent or
 * have ended.
 */
export const takeBackUnspent = async (
  tx: Db,
  of: { biz_kind: PointsBiz; biz_no: string; why: string; now: number },
): Promise<boolean> => {
  const known = await bookedAs(tx, { ...of, kind: 'earn' })
  if (!known) return false
  const who = await holdKeeper(tx, known.member_id)
  await expireDue(tx, who, of.now)
  const [lot] = await tx.select().from(points_lot).where(eq(points_lot.id, known.lots[0]!.lot_id))
  if (lot!.remain < lot!.points) return false
  return (await takeBackEarned(tx, of)) === lot!.points
}
/**
 * Takes back what is left of the points that came in under a number, once: what was spent stays
 * spent. Answers how many.
 */
export const takeBackLeft = async (
  tx: Db,
  of: { biz_kind: PointsBiz; biz_no: string; why: string; operator_id?: number; now: number },
): Promise<number> => {
  const known = await bookedAs(tx, { ...of, kind: 'earn' })
  if (!known) return 0
  const who = await holdKeeper(tx, known.member_id)
  await expireDue(tx, who, of.now)
  const left = (await ownLots(tx, [known])).reduce((sum, lot) => sum + lot.remain, 0)
  return left === 0 ? 0 : takeBackEarned(tx, { ...of, points: left })
}
