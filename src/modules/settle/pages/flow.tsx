import { flowViewActions, flowViews } from '#commands/settle/flow.ts'
import { Turns } from '#src/kit/turns.tsx'
import { Accounts } from '../parts/Accounts.tsx'
import { Adjustments } from '../parts/Adjustments.tsx'
import { Journal } from '../parts/Journal.tsx'
import { Reconcile } from '../parts/Reconcile.tsx'
import { Trace } from '../parts/Trace.tsx'

const draw = {
  journal: () => <Journal />,
  trace: () => <Trace />,
  account: () => <Accounts />,
  adjust: () => <Adjustments />,
  recon: () => <Reconcile />,
}
/** The journal, the money of one order, accounts, adjustments and the bills of channels. */
export default function MoneyFlow() {
  return <Turns words={flowViews} actions={flowViewActions} draw={draw} />
}
