import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { points_ledger, points_lot } from './points.table.ts'
import { BACK_DAYS, backTo, takeFrom, type Part, type PointsMove } from './points.ts'

/**
 * Whoever changes a member's points holds the member first: moves of one member come one after the
 * other.
 */
const holdMember = async (tx: Db, id: number): Promise<void> => {
  const [row] = await tx
    .select({ id: member.id })
    .from(member)
    .where(eq(member.id, id))
    .for('update')
  if (!row) throw missing()
}
type Move = {
  member_id: number
  kind: PointsMove
  delta: number
  biz_no: string
  order_id?: number
  lots: Part[]
  note?: string
  now: number
}
/**
 * One move: the balance changes by one guarded UPDATE and never falls below zero. False when there
 * is too little.
 */
const book = async (tx: Db, { now, ...of }: Move): Promise<boolean> => {
  const [after] = await tx
    .update(member)
    .set({ points: sql`${member.points} + ${of.delta}`, version: sql`${member.version} + 1` })
    .where(and(eq(member.id, of.member_id), sql`${member.points} + ${of.delta} >= 0`))
    .returning({ points: member.points })
  if (!after) return false
  await tx.insert(points_ledger).values({ ...of, balance_after: after.points, at: now })
  return true
}
const lotsLeft = (tx: Db, member_id: number) =>
  tx
    .select()
    .from(points_lot)
    .where(and(eq(points_lot.member_id, member_id), gt(points_lot.remain, 0)))
    .orderBy(asc(points_lot.expire_at), asc(points_lot.id))

/** What is past its day is gone, lot by lot; the member must be held. Answers how many points. */
const expireDue = async (tx: Db, member_id: number, now: number): Promise<number> => {
  let gone = 0
  for (const lot of (await lotsLeft(tx, member_id)).filter(one => one.expire_at <= now)) {
    await tx.update(points_lot).set({ remain: 0, updated_at: now }).where(eq(points_lot.id, lot.id))
    // A lot that got points back after it was empty may end once more.
    await book(tx, {
      member_id,
      kind: 'expire',
      delta: -lot.remain,
      biz_no: `lot:${lot.id}:${lot.version}`,
      lots: [{ lot_id: lot.id, n: lot.remain }],
      now,
    })
    await tx
      .update(points_lot)
      .set({ version: lot.version + 1 })
      .where(eq(points_lot.id, lot.id))
    gone += lot.remain
  }
  return gone
}
/** Ends what is past its day, of some members. Answers how many points. */
export const expirePoints = async (tx: Db, now: number, most = 200): Promise<number> => {
  const due = await tx
    .selectDistinct({ id: points_lot.member_id })
    .from(points_lot)
    .where(and(gt(points_lot.remain, 0), lte(points_lot.expire_at, now)))
    .orderBy(points_lot.member_id)
    .limit(most)
  let gone = 0
  for (const { id } of due) {
    await holdMember(tx, id)
    gone += await expireDue(tx, id, now)
  }
  return gone
}
/** Points come in, as a lot of their own. */
export const earnPoints = async (
  tx: Db,
  of: {
    member_id: number
    points: number
    expire_at: number
    biz_no: string
    note?: string
    now: number
  },
): Promise<void> => {
  await holdMember(tx, of.member_id)
  const [lot] = await tx
    .insert(points_lot)
    .values({
      member_id: of.member_id,
      points: of.points,
      remain: of.points,
      expire_at: of.expire_at,
      created_at: of.now,
      updated_at: of.now,
    })
    .returning({ id: points_lot.id })
  await book(tx, {
    member_id: of.member_id,
    kind: 'earn',
    delta: of.points,
    biz_no: of.biz_no,
    lots: [{ lot_id: lot!.id, n: of.points }],
    note: of.note ?? '',
    now: of.now,
  })
}
/**
 * Points that came in under a number go again, all of them and once: false where some were spent or
 * have ended.
 */
export const takeBackPoints = async (
  tx: Db,
  of: { biz_no: string; now: number },
): Promise<boolean> => {
  const [earned] = await tx
    .select()
    .from(points_ledger)
    .where(and(eq(points_ledger.biz_no, of.biz_no), eq(points_ledger.kind, 'earn')))
  if (!earned) return false
  await holdMember(tx, earned.member_id)
  const [lot] = await tx
    .update(points_lot)
    .set({ remain: 0, updated_at: of.now })
    .where(
      and(
        eq(points_lot.id, earned.lots[0]!.lot_id),
        eq(points_lot.remain, points_lot.points),
        gt(points_lot.expire_at, of.now),
      ),
    )
    .returning({ points: points_lot.points })
  return (
    lot !== undefined &&
    book(tx, {
      member_id: earned.member_id,
      kind: 'adjust',
      delta: -lot.points,
      biz_no: of.biz_no,
      lots: earned.lots,
      now: of.now,
    })
  )
}
/**
 * An order takes points, from the lots that end first: all it asks for or it is refused, in its own
 * transaction.
 */
export const spendPoints = async (
  tx: Db,
  of: { member_id: number; points: number; order: { id: number; order_no: string }; now: number },
): Promise<void> => {
  await holdMember(tx, of.member_id)
  await expireDue(tx, of.member_id, of.now)
  const lots = await lotsLeft(tx, of.member_id)
  const have = lots.reduce((sum, lot) => sum + lot.remain, 0)
  const short = () =>
    ruled(
      'points_short',
      ['积分不足：需要 {need}，现有 {have}', 'Too few points: {need} are needed, there are {have}'],
      { need: of.points, have },
    )
  if (have < of.points) throw short()
  const taken = takeFrom(
    of.points,
    lots.map(lot => ({ lot_id: lot.id, n: lot.remain })),
  )
  for (const { lot_id, n } of taken)
    await tx
      .update(points_lot)
      .set({ remain: sql`${points_lot.remain} - ${n}`, updated_at: of.now })
      .where(eq(points_lot.id, lot_id))
  if (
    !(await book(tx, {
      member_id: of.member_id,
      kind: 'spend',
      delta: -of.points,
      biz_no: of.order.order_no,
      order_id: of.order.id,
      lots: taken,
      now: of.now,
    }))
  )
    throw short()
}
/**
 * An order's points come back to the lots they were taken from, once by its number (`biz_no`: the
 * order closed, or a refund of it) and never more than it took. What ended meanwhile comes back
 * with thirty days of its own. Answers how many.
 */
export const returnPoints = async (
  tx: Db,
  of: { order_id: number; points: number; biz_no: string; now: number },
): Promise<number> => {
  const [known] = await tx
    .select()
    .from(points_ledger)
    .where(and(eq(points_ledger.order_id, of.order_id), eq(points_ledger.kind, 'spend')))
  if (!known || of.points <= 0) return 0
  await holdMember(tx, known.member_id)
  const back = await tx
    .select()
    .from(points_ledger)
    .where(and(eq(points_ledger.order_id, of.order_id), eq(points_ledger.kind, 'back')))
  if (back.some(one => one.biz_no === of.biz_no)) return 0
  const before = back.reduce((sum, one) => sum + one.delta, 0)
  const n = Math.min(of.points, -known.delta - before)
  if (n <= 0) return 0
  const parts = backTo(known.lots, before, n)
  const lots = new Map(
    (
      await tx
        .select()
        .from(points_lot)
        .where(
          inArray(
            points_lot.id,
            parts.map(part => part.lot_id),
          ),
        )
    ).map(lot => [lot.id, lot]),
  )
  const to: Part[] = []
  for (const part of parts) {
    const lot = lots.get(part.lot_id)!
    if (lot.expire_at > of.now) {
      await tx
        .update(points_lot)
        .set({ remain: sql`${points_lot.remain} + ${part.n}`, updated_at: of.now })
        .where(eq(points_lot.id, lot.id))
      to.push(part)
      continue
    }
    const [fresh] = await tx
      .insert(points_lot)
      .values({
        member_id: known.member_id,
        points: part.n,
        remain: part.n,
        expire_at: of.now + BACK_DAYS * DAY,
        created_at: of.now,
        updated_at: of.now,
      })
      .returning({ id: points_lot.id })
    to.push({ lot_id: fresh!.id, n: part.n })
  }
  await book(tx, {
    member_id: known.member_id,
    kind: 'back',
    delta: n,
    biz_no: of.biz_no,
    order_id: of.order_id,
    lots: to,
    now: of.now,
  })
  return n
}
