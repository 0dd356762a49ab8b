import { and, eq, inArray, sql, sum } from 'drizzle-orm'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { ledger_account } from '#src/areas/ledger/ledger.table.ts'
import type { AccountKind } from '#src/areas/ledger/ledger.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import type { Db } from '#src/server/call/implement.ts'

/** A seller's money in cents: by the journal, by paid withdrawals, by the commission of orders. */
export type SellerMoney = {
  estimated_cents: number
  frozen_cents: number
  balance_cents: number
  debt_cents: number
  withdrawing_cents: number
  withdrawn_cents: number
}
const none: SellerMoney = {
  estimated_cents: 0,
  frozen_cents: 0,
  balance_cents: 0,
  debt_cents: 0,
  withdrawing_cents: 0,
  withdrawn_cents: 0,
}
const fieldOf: Readonly<Partial<Record<AccountKind, keyof SellerMoney>>> = {
  distributor_frozen: 'frozen_cents',
  distributor_balance: 'balance_cents',
  distributor_debt: 'debt_cents',
  distributor_withdrawing: 'withdrawing_cents',
}
/** The money of sellers by their id; nothing of it is kept with the seller. */
export const moneyOfSellers = async (
  db: Db,
  ids: readonly number[],
): Promise<(id: number) => SellerMoney> => {
  if (ids.length === 0) return () => none
  const found = new Map(ids.map(id => [id, { ...none }]))
  const accounts = await db
    .select()
    .from(ledger_account)
    .where(
      and(eq(ledger_account.owner_kind, 'distributor'), inArray(ledger_account.owner_id, [...ids])),
    )
  for (const { kind, owner_id, balance_cents } of accounts) {
    const field = fieldOf[kind]
    // What is owed to a seller stands on the credit side, what it owes on the debit side.
    if (field) found.get(owner_id)![field] = Math.abs(balance_cents)
  }
  const paid = await db
    .select({ id: withdrawal.owner_id, cents: sum(withdrawal.amount_cents).mapWith(Number) })
    .from(withdrawal)
    .where(
      and(
        eq(withdrawal.owner_kind, 'distributor'),
        inArray(withdrawal.owner_id, [...ids]),
        eq(withdrawal.status, 'paid'),
      ),
    )
    .groupBy(withdrawal.owner_id)
  for (const { id, cents } of paid) found.get(id)!.withdrawn_cents = cents
  const expected = await db
    .select({
      id: dist_commission.distributor_id,
      cents: sql<string>`sum(${dist_commission.amount_cents} - ${dist_commission.reversed_cents})`,
    })
    .from(dist_commission)
    .where(
      and(
        inArray(dist_commission.distributor_id, [...ids]),
        eq(dist_commission.status, 'estimated'),
      ),
    )
    .groupBy(dist_commission.distributor_id)
  for (const { id, cents } of expected) found.get(id)!.estimated_cents = Number(cents)
  return id => found.get(id) ?? none
}
