import { commissionWithdrawals as calls } from '#src/modules/distribution/contract/withdrawal.ts'
import { commissionPayouts } from '../pages/distribution.ts'
import { actionsOfWithdrawals, exportsPayouts, revealsAccount } from '../withdrawals.ts'

/** What finance does with the commission that sellers ask for. */
export const commissionPayoutActions = {
  ...actionsOfWithdrawals(commissionPayouts, calls),
  revealAccount: revealsAccount(commissionPayouts, calls.revealAccount),
  export: exportsPayouts(commissionPayouts, calls),
}
