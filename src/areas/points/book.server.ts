import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import { points_ledger, points_lot } from './points.table.ts'
import { BACK_DAYS, takeFrom, type Part } from './points.ts'
import { pointsTitles } from './titles.ts'

export type Holder = Pick<
  typeof member.$inferSelect,
  | 'id'
  | 'points'
  | 'points_frozen'
  | 'points_debt'
  | 'benefits_frozen'
  | 'account_state'
  | 'merged_into'
>
/**
 * Whoever changes a member's points holds the member first: moves of one member come one after the
 * other.
 */
export const holdMember = async (tx: Db, id: number): Promise<Holder> => {
  const [row] = await tx
    .select({
      id: member.id,
      points: member.points,
      points_frozen: member.points_frozen,
      points_debt: member.points_debt,
      benefits_frozen: member.benefits_frozen,
      account_state: member.account_state,
      merged_into: member.merged_into,
    })
    .from(member)
    .where(eq(member.id, id))
    .for('update')
  if (!row) throw missing()
  return row
}
/**
 * Whoever has a member's points now: the member, or the account that it was merged into. What comes
 * back of an earlier order, or is taken back, is booked there.
 */
export const holdKeeper = async (tx: Db, id: number): Promise<Holder> => {
  const who = await holdMember(tx, id)
  return who.merged_into === null ? who : holdKeeper(tx, who.merged_into)
}
/** Whether nothing is earned by itself: benefits are frozen, or the account is off. */
export const earnsNothing = (who: Holder): boolean =>
  who.benefits_frozen || ['banned', 'canceled', 'merged'].includes(who.account_state)

export type Move = Omit<
  typeof points_ledger.$inferInsert,
  'id' | 'member_id' | 'balance_after' | 'at' | 'frozen_delta' | 'debt_delta'
> & { frozen_delta?: number; debt_delta?: number }
/**
 * Moves of a held member that follow each other, and the balances after them, in one step. Answers
 * the ids of their rows. The holder is brought up to date.
 */
export const book = async (
  tx: Db,
  who: Holder,
  moves: readonly Move[],
  now: number,
): Promise<number[]> => {
  let { points, points_frozen, points_debt } = who
  const rows = moves.map(one => {
    points += one.delta
    points_frozen += one.frozen_delta ?? 0
    points_debt += one.debt_delta ?? 0
    return { ...one, member_id: who.id, balance_after: points, at: now }
  })
  await tx
    .update(member)
    .set({ points, points_frozen, points_debt, version: sql`${member.version} + 1` })
    .where(eq(member.id, who.id))
  Object.assign(who, { points, points_frozen, points_debt })
  const made = await tx.insert(points_ledger).values(rows).returning({ id: points_ledger.id })
  return made.map(one => one.id)
}

type Lot = typeof points_lot.$inferSelect
const lotsLeft = (tx: Db, member_id: number): Promise<Lot[]> =>
  tx
    .select()
    .from(points_lot)
    .where(and(eq(points_lot.member_id, member_id), gt(points_lot.remain, 0)))
    .orderBy(asc(points_lot.expire_at), asc(points_lot.id))
/** Points of a new lot; answers its id. */
export const newLot = async (
  tx: Db,
  of: { member_id: number; points: number; expire_at: number; origin_id?: number; now: number },
): Promise<number> => {
  const { now, ...rest } = of
  const [lot] = await tx
    .insert(points_lot)
    .values({ ...rest, remain: of.points, created_at: now, updated_at: now })
    .returning({ id: points_lot.id })
  return lot!.id
}
/**
 * Takes points out of the lots of a held member, those that end first before the others; `first`
 * names lots that are taken before all. Answers what of which lot.
 */
export const takeLots = async (
  tx: Db,
  of: { member_id: number; points: number; first?: readonly number[]; now: number },
): Promise<Part[]> => {
  if (of.points === 0) return []
  const left = await lotsLeft(tx, of.member_id)
  const isFirst = (lot: Lot) => of.first?.includes(lot.id) ?? false
  const ordered = [...left.filter(isFirst), ...left.filter(lot => !isFirst(lot))]
  const taken = takeFrom(
    of.points,
    ordered.map(lot => ({ lot_id: lot.id, n: lot.remain })),
  )
  for (const { lot_id, n } of taken)
    await tx
      .update(points_lot)
      .set({ remain: sql`${points_lot.remain} - ${n}`, updated_at: of.now })
      .where(eq(points_lot.id, lot_id))
  return taken
}
/**
 * Gives points back to the lots they came from; what ended meanwhile comes back as a lot of its own
 * with thirty days, and what a merged account had as one of the account it went into. Answers which
 * lots have them now.
 */
export const giveBack = async (
  tx: Db,
  of: { member_id: number; parts: readonly Part[]; now: number },
): Promise<Part[]> => {
  const found = await tx
    .select()
    .from(points_lot)
    .where(
      inArray(
        points_lot.id,
        of.parts.map(part => part.lot_id),
      ),
    )
  const lots = new Map(found.map(lot => [lot.id, lot]))
  const to: Part[] = []
  for (const part of of.parts) {
    const lot = lots.get(part.lot_id)!
    const isOver = lot.expire_at <= of.now
    if (!isOver && lot.member_id === of.member_id) {
      await tx
        .update(points_lot)
        .set({ remain: sql`${points_lot.remain} + ${part.n}`, updated_at: of.now })
        .where(eq(points_lot.id, lot.id))
      to.push(part)
      continue
    }
    const lot_id = await newLot(tx, {
      member_id: of.member_id,
      points: part.n,
      expire_at: isOver ? of.now + BACK_DAYS * DAY : lot.expire_at,
      origin_id: lot.origin_id ?? lot.id,
      now: of.now,
    })
    to.push({ lot_id, n: part.n })
  }
  return to
}
/** What is past its day is gone, lot by lot; the member must be held. Answers how many points. */
export const expireDue = async (tx: Db, who: Holder, now: number): Promise<number> => {
  const due = (await lotsLeft(tx, who.id)).filter(one => one.expire_at <= now)
  for (const lot of due)
    await tx
      .update(points_lot)
      .set({
        remain: 0,
        expired: sql`${points_lot.expired} + ${lot.remain}`,
        version: lot.version + 1,
        updated_at: now,
      })
      .where(eq(points_lot.id, lot.id))
  if (due.length > 0)
    await book(
      tx,
      who,
      due.map(lot => ({
        kind: 'expire' as const,
        biz_kind: 'expire' as const,
        // A lot that got points back after it was empty may end once more.
        biz_no: `lot:${lot.id}:${lot.version}`,
        delta: -lot.remain,
        lots: [{ lot_id: lot.id, n: lot.remain }],
      })),
      now,
    )
  return due.reduce((sum, lot) => sum + lot.remain, 0)
}
/**
 * Points come to a held member, and a debt is repaid of them first, in one step: `move.lots` name
 * the lots that have them already. Answers the id of the move's row.
 */
export const bookIncome = async (tx: Db, who: Holder, move: Move, now: number): Promise<number> => {
  const repaid = Math.min(who.points_debt, move.delta)
  if (repaid <= 0) return (await book(tx, who, [move], now))[0]!
  const lots = await takeLots(tx, {
    member_id: who.id,
    points: repaid,
    first: move.lots.map(part => part.lot_id),
    now,
  })
  const repay: Move = {
    kind: 'debt_repay',
    biz_kind: move.biz_kind,
    biz_no: move.biz_no,
    delta: -repaid,
    debt_delta: -repaid,
    order_id: move.order_id ?? null,
    title: pointsTitles.debt,
    lots,
  }
  return (await book(tx, who, [move, repay], now))[0]!
}

/** The row that a number of a business booked, if there is one. */
export const bookedAs = async (
  tx: Db,
  of: Pick<Move, 'kind' | 'biz_kind' | 'biz_no'>,
): Promise<typeof points_ledger.$inferSelect | undefined> =>
  (
    await tx
      .select()
      .from(points_ledger)
      .where(
        and(
          eq(points_ledger.biz_kind, of.biz_kind),
          eq(points_ledger.biz_no, of.biz_no),
          eq(points_ledger.kind, of.kind),
        ),
      )
  )[0]
