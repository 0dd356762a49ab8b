/** How commission that is due moves to whoever earned it. */
import { lineOf, type Posting } from '#src/areas/ledger/ledger.ts'
import { balanceAccount, debtAccount, frozenAccount } from '#src/areas/settle/orderSellers.ts'
import { joined } from '#src/domain/text.ts'

/** What of a commission is settled. */
export type DueCommission = {
  id: number
  commission_no: string
  distributor_id: number
  /** The merchant that a distributing store is paid through. */
  merchant_id: number | null
  order_id: number | null
  line_id: number | null
  left_cents: number
}
/**
 * The transaction that settles commission of one seller: off what is on hold, against what the
 * seller owes, the rest into the balance (a store's into its merchant's, who is asked for debt by
 * its own batches). Undefined where nothing is left.
 */
export const settlingOf = (
  due: readonly DueCommission[],
  { owed_cents, ...of }: { owed_cents: number } & Pick<Posting, 'at' | 'place' | 'maker_id'>,
): Posting | undefined => {
  const first = due[0]
  const cents = due.reduce((all, one) => all + one.left_cents, 0)
  if (!first || cents === 0) return undefined
  const debt = first.merchant_id === null ? Math.min(owed_cents, cents) : 0
  return {
    biz: 'commission',
    biz_id: first.id,
    biz_no: first.commission_no,
    idem_key: `commission:${first.distributor_id}:${first.id}:${of.at}`,
    memo: joined(
      due.length === 1
        ? ['佣金结算', 'Commission settled']
        : [`佣金结算 ${due.length} 笔`, `Commission settled: ${due.length} items`],
    ),
    ...of,
    lines: [
      ...due.flatMap(({ left_cents, order_id, line_id }) =>
        lineOf(frozenAccount(first), left_cents, {
          order_id: order_id ?? undefined,
          line_id: line_id ?? undefined,
        }),
      ),
      ...lineOf(debtAccount(first), -debt),
      ...lineOf(balanceAccount(first), -(cents - debt)),
    ],
  }
}
