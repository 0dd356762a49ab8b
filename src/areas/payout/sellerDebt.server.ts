import { accountKey, distributors, lineOf } from '#src/areas/ledger/ledger.ts'
import { holdAccounts, post } from '#src/areas/ledger/post.server.ts'
import type { Db } from '#src/server/call/implement.ts'

type Of = {
  distributor_id: number
  /** What came into the balance. */
  amount_cents: number
  biz_id: number
  biz_no: string
  key: string
  at: number
  place: { city_id: number; mall_id: number }
}
/** What comes into a seller's balance first pays what they owe: nobody has and owes at once. */
export const offsetDebt = async (tx: Db, of: Of): Promise<void> => {
  const debt = distributors('distributor_debt', of.distributor_id)
  const held = await holdAccounts(tx, [debt])
  const owed_cents = Math.min(held.get(accountKey(debt))!.balance_cents, of.amount_cents)
  if (owed_cents === 0) return
  await post(tx, {
    biz: 'debt_offset',
    biz_id: of.biz_id,
    biz_no: of.biz_no,
    idem_key: of.key,
    at: of.at,
    place: of.place,
    lines: [
      ...lineOf(distributors('distributor_balance', of.distributor_id), owed_cents),
      ...lineOf(debt, -owed_cents),
    ],
  })
}
