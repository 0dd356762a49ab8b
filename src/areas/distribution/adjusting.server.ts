import { and, eq, inArray, ne } from 'drizzle-orm'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import {
  accountKey,
  distributors,
  lineOf,
  ours,
  type PostingLine,
} from '#src/areas/ledger/ledger.ts'
import { holdAccounts, post } from '#src/areas/ledger/post.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { record, unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { heldSeller, refuseOwn, sellers, type Seller } from './sellers.server.ts'
import { dist_adjust } from './sellers.table.ts'
import { ADJUST_ALONE_CENTS, mayDecideAdjust, type AdjustState } from './sellers.ts'

const t = dist_adjust
export type Adjust = typeof t.$inferSelect
type One = { id: number; version: number }

const adjusts = record(t, {
  object: 'dist_adjust',
  label: row => `#${row.id}`,
  keys: ['amount_cents', 'reason', 'state', 'reject_reason'],
  places: { city: t.city_id, mall: t.mall_id },
})

/**
 * The lines of an adjustment: more pays off what the seller owes and then goes to its balance; less
 * is taken from its balance, and what that does not hold becomes its debt (domain B).
 */
export const adjustLines = (
  id: number,
  amount_cents: number,
  has: { balance_cents: number; debt_cents: number },
): PostingLine[] => {
  const [more, less] = [Math.max(0, amount_cents), Math.max(0, -amount_cents)]
  const paid_off = Math.min(more, has.debt_cents)
  const taken = Math.min(less, has.balance_cents)
  return [
    ...lineOf(distributors('distributor_debt', id), less - taken - paid_off),
    ...lineOf(distributors('distributor_balance', id), taken - (more - paid_off)),
    ...lineOf(ours('distribution_expense'), amount_cents),
  ]
}
/** Posts an adjustment, and writes it among the seller's commission. */
const postAdjust = async (context: WriteContext, row: Adjust): Promise<void> => {
  const { tx, now } = context
  const [balance, debt] = [
    distributors('distributor_balance', row.distributor_id),
    distributors('distributor_debt', row.distributor_id),
  ]
  const held = await holdAccounts(tx, [balance, debt, ours('distribution_expense')])
  const txn = await post(tx, {
    biz: 'adjust',
    biz_id: row.id,
    biz_no: `YT${String(row.id).padStart(8, '0')}`,
    idem_key: `dist_adjust:${row.id}`,
    at: now,
    memo: row.reason,
    place: { city_id: row.city_id, mall_id: row.mall_id },
    lines: adjustLines(row.distributor_id, row.amount_cents, {
      balance_cents: -held.get(accountKey(balance))!.balance_cents,
      debt_cents: held.get(accountKey(debt))!.balance_cents,
    }),
    maker_id: row.maker_id,
    ...(row.checker_id !== null && { checker_id: row.checker_id }),
  })
  await tx.insert(dist_commission).values({
    distributor_id: row.distributor_id,
    city_id: row.city_id,
    mall_id: row.mall_id,
    role: 'adjust',
    base_cents: 0,
    rate_bp: 0,
    amount_cents: row.amount_cents,
    settled_at: now,
    txn_id: txn.id,
    reason: row.reason,
    status: 'settled',
  })
}
/**
 * Adjusts a seller's commission by an amount (cents): at once up to what one person may do alone,
 * beyond that once another person approves it.
 */
export const askAdjust = async (
  context: WriteContext,
  one: One,
  { amount_cents, reason }: { amount_cents: number; reason: string },
): Promise<Seller & { waits: boolean }> => {
  const { now, staff } = context
  const was = await heldSeller(context, 'change', one)
  if (was.kind === 'store')
    throw ruled('of_merchant', [
      '分销门店的佣金在商户余额中，请到资金流水调账',
      'A store’s commission lies in its merchant’s balance: adjust it in the journal',
    ])
  await refuseOwn(context, was)
  const waits = Math.abs(amount_cents) > ADJUST_ALONE_CENTS
  const row = await unlessTaken(
    adjusts.add(context, {
      distributor_id: was.id,
      city_id: was.city_id,
      mall_id: was.mall_id,
      amount_cents,
      reason,
      maker_id: staff.id,
      ...(!waits && { state: 'posted' as const, decided_at: now }),
    }),
    () =>
      ruled('adjust_waits', ['已有待复核的调整，请先处理', 'An adjustment waits: decide it first']),
  )
  const after = await sellers.set(context, was, {})
  if (!waits) await postAdjust(context, row)
  return { ...after, waits }
}
/**
 * Decides an adjustment that waits, as another person than asked for it: one guarded UPDATE.
 * Whoever comes second is told who was quicker, and the maker that it is theirs.
 */
export const decideAdjust = async (
  context: WriteContext,
  one: One,
  to: { state: Exclude<AdjustState, 'pending'>; reject_reason?: string },
): Promise<Adjust> => {
  const { tx, staff, now } = context
  const was = await adjusts.heldFast(context, one)
  const may = mayDecideAdjust(was, staff.id)
  if (may !== true) throw ruled('not_decidable', may)
  const seller = await sellers.read(tx, staff, was.distributor_id)
  await refuseOwn(context, seller)
  const [after] = await tx
    .update(t)
    .set({ ...to, checker_id: staff.id, decided_at: now, version: was.version + 1 })
    .where(
      and(
        eq(t.id, was.id),
        eq(t.version, was.version),
        eq(t.state, 'pending'),
        ne(t.maker_id, staff.id),
      ),
    )
    .returning()
  if (!after) throw await adjusts.late(context, await adjusts.read(tx, staff, was.id))
  adjusts.log(context, after, {
    before: { state: was.state },
    after: { state: after.state, amount_cents: after.amount_cents },
    reason: to.reject_reason ?? was.reason,
  })
  if (to.state === 'posted') await postAdjust(context, after)
  return after
}

/** The adjustment that waits of each seller, with who asked for it. */
export const adjustsWaiting = async (db: Db, ids: readonly number[]) => {
  const rows = await db
    .select({
      id: t.id,
      version: t.version,
      distributor_id: t.distributor_id,
      amount_cents: t.amount_cents,
      reason: t.reason,
      state: t.state,
      maker_id: t.maker_id,
      maker: admin.name,
    })
    .from(t)
    .innerJoin(admin, eq(admin.id, t.maker_id))
    .where(and(inArray(t.distributor_id, [...ids]), eq(t.state, 'pending')))
  return new Map(rows.map(row => [row.distributor_id, row]))
}
