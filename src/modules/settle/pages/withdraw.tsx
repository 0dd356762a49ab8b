import { useState } from 'react'
import { withdrawalActions as actions } from '#commands/settle/withdraw.ts'
import { FileImport } from '#src/kit/file-import.tsx'
import { withdrawalColumns as columns, withdrawalPage } from '#src/kit/withdrawals.tsx'
import { useAction } from '#src/kit/workbench.ts'
import { withdrawals as calls } from '../contract/withdraw.ts'

/** What a bank answered to the exported file. */
const Importing = () => {
  const [open, setOpen] = useState(false)
  useAction(actions.import, () => setOpen(true))
  return open ? (
    <FileImport
      action={actions.import}
      calls={calls}
      hint={[
        '按打款单号登记银行的处理结果；金额不符或已登记的不会改动。',
        'Marks each payout by its number as the bank says; another amount changes nothing.',
      ]}
      close={() => setOpen(false)}
    />
  ) : null
}
/** Money that anyone asked for. */
export default withdrawalPage({
  title: ['结算提现', 'Withdrawals'],
  calls,
  actions,
  reveal: actions.revealPayee,
  columns,
  owners: true,
  more: Importing,
})
