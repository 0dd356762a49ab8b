import { withdrawals as calls } from '#src/modules/settle/contract/withdraw.ts'
import { withdrawPage } from '../pages/settle.ts'
import { pageAction } from '../record.ts'
import { actionsOfWithdrawals, exportsPayouts, revealsAccount } from '../withdrawals.ts'

/** What a cashier does with withdrawals. */
export const withdrawalActions = {
  ...actionsOfWithdrawals(withdrawPage, calls),
  revealPayee: revealsAccount(withdrawPage, calls.revealPayee),
  import: pageAction(calls.import, ['导入打款结果', 'Import payout results'], withdrawPage, {
    key: 'i',
    alias: ['导入', '银行回盘', 'Excel', 'CSV', '模板', 'template'],
  }),
  export: exportsPayouts(withdrawPage, calls),
}
