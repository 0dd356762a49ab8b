import { callsAt, revealCall, withdrawalCalls } from '#src/contract/withdrawals.ts'

const call = callsAt('distribution/withdrawal')
/** Commission that sellers ask for: the same withdrawals as the cashier's, of sellers alone. */
export const commissionWithdrawals = {
  ...withdrawalCalls(call, 'distribution.withdrawal.view'),
  revealAccount: revealCall(call, 'revealAccount'),
}
