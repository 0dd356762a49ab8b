import { eq } from 'drizzle-orm'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { yuan } from '#src/domain/money.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { statementOf } from './filmStatement.server.ts'
import type { Withdrawal } from './withdrawals.server.ts'
import type { WithdrawalVerb } from './withdrawing.ts'

/** Whether an owner's money is agreed to against an invoice: a film owner that is a company. */
export const needsInvoice = async (tx: Db, row: Withdrawal): Promise<boolean> => {
  if (row.owner_kind !== 'film') return false
  const [of] = await tx
    .select({ bank_kind: merchant.bank_kind })
    .from(merchant)
    .where(eq(merchant.id, row.owner_id))
  return of?.bank_kind !== 'personal'
}
/**
 * Nothing of a film owner is agreed to that its statement does not account for, to the cent: throws
 * 422 `unbalanced` with the difference.
 */
export const refuseUnbalanced = async (
  tx: Db,
  verb: WithdrawalVerb,
  row: Withdrawal,
): Promise<void> => {
  if (row.owner_kind !== 'film' || (verb !== 'approve' && verb !== 'secondApprove')) return
  const { difference_cents, lines_difference_cents } = await statementOf(tx, row)
  const off = difference_cents || lines_difference_cents
  if (off !== 0)
    throw ruled(
      'unbalanced',
      [
        '流水与余额相差 {off} 元，核对后才能通过',
        'The statement is ¥{off} off: look into it first',
      ],
      { off: yuan(off) },
      { difference_cents, lines_difference_cents },
    )
}
