import { importCalls } from '#src/contract/importing.ts'
import { callsAt, revealCall, withdrawalCalls } from '#src/contract/withdrawals.ts'

const call = callsAt('settle/withdraw')
/** Money asked for by anyone: reviewed, paid, tried again or given back. */
export const withdrawals = {
  ...withdrawalCalls(call, 'settle.withdraw.view'),
  revealPayee: revealCall(call, 'revealPayee'),
  /** What a bank answered to the exported file. */
  ...importCalls(call, 'withdrawal', {
    title: ['导入打款结果', 'Import payout results'],
    touches: ['withdrawal', 'ledger'],
  }),
}
