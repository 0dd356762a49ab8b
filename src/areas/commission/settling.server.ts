/**
 * Commission that is settled, kept, cancelled or clawed back. Everyone holds in one order: the order,
 * its lines, their commission, the accounts.
 */
import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { distributors } from '#src/areas/ledger/ledger.ts'
import { balanceOf, holdAccounts, post } from '#src/areas/ledger/post.server.ts'
import { balanceAccount, debtAccount, frozenAccount } from '#src/areas/settle/orderSellers.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Db } from '#src/server/call/implement.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { dist_commission } from './commission.table.ts'
import { payeeMerchant } from './rows.server.ts'
import { settlingOf } from './settling.ts'

const c = dist_commission
const AT_ONCE = 2000
/** Lets commission be settled whose hold is over; answers how many. */
export const releaseDue = async (tx: Db, now: number): Promise<number> => {
  const due = await tx
    .select({ id: c.id })
    .from(c)
    .where(and(eq(c.status, 'frozen'), lte(c.frozen_until, now)))
    .orderBy(c.id)
    .limit(AT_ONCE)
    .for('update', { skipLocked: true })
  if (due.length === 0) return 0
  await tx
    .update(c)
    .set({ status: 'settleable', updated_at: now, version: sql`${c.version} + 1` })
    .where(
      and(
        oneOf(
          c.id,
          due.map(one => one.id),
        ),
        eq(c.status, 'frozen'),
      ),
    )
  return due.length
}

export type Settled = { ids: number[]; cents: number; sellers: number }
/**
 * Settles those of these commissions that may be: `settleable` and not held, with `early` also those
 * on hold. One transaction for each seller: what the seller owes is offset, the rest is in the
 * balance, a store's in its merchant's. Asked again, or by two at once, each is settled once. Comes
 * last in a transaction, for accounts are held from here on. Answers what was settled (cents).
 */
export const settleCommissions = async (
  tx: Db,
  ids: readonly number[],
  of: { now: number; maker_id?: number; reason?: string; early?: boolean },
): Promise<Settled> => {
  const { now } = of
  const rows = await tx
    .select({
      id: c.id,
      commission_no: c.commission_no,
      distributor_id: c.distributor_id,
      merchant_id: payeeMerchant,
      order_id: c.order_id,
      line_id: c.line_id,
      left_cents: sql<number>`${c.amount_cents} - ${c.reversed_cents}`.mapWith(Number),
      city_id: c.city_id,
      mall_id: c.mall_id,
    })
    .from(c)
    .where(
      and(
        oneOf(c.id, ids),
        eq(c.held, false),
        // What is shared at the payment channel is settled with its share.
        isNull(c.split_id),
        inArray(c.status, of.early ? ['settleable', 'frozen'] : ['settleable']),
      ),
    )
    .orderBy(c.id)
    .for('update', { of: c })
  const bySeller = [...grouped(rows, row => row.distributor_id).values()].sort(
    (a, b) => a[0]!.distributor_id - b[0]!.distributor_id,
  )
  if (rows.length === 0) return { ids: [], cents: 0, sellers: 0 }
  await holdAccounts(
    tx,
    bySeller.flatMap(([one]) => [frozenAccount(one!), balanceAccount(one!), debtAccount(one!)]),
  )
  for (const [first, ...rest] of bySeller) {
    const mine = [first!, ...rest]
    const { city_id, mall_id } = first!
    const posting = settlingOf(mine, {
      owed_cents: await balanceOf(tx, distributors('distributor_debt', first!.distributor_id)),
      at: now,
      place: { city_id, mall_id },
      ...(of.maker_id !== undefined && { maker_id: of.maker_id }),
    })
    await tx
      .update(c)
      .set({
        status: 'settled',
        settled_at: now,
        txn_id: posting ? (await post(tx, posting)).id : null,
        ...(of.reason !== undefined && { reason: of.reason }),
        updated_at: now,
        version: sql`${c.version} + 1`,
      })
      .where(
        oneOf(
          c.id,
          mine.map(one => one.id),
        ),
      )
  }
  return {
    ids: rows.map(row => row.id),
    cents: rows.reduce((sum, row) => sum + row.left_cents, 0),
    sellers: bySeller.length,
  }
}
