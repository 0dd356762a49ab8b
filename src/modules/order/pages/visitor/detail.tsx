import { visitorActions, visitorDetailActions } from '#commands/order/visitor.ts'
import { visitor as calls } from '../../contract/visitor.ts'
import { OrderPage } from '../../parts/OrderPage.tsx'
import { useBindWait, VisitorFile } from '../../parts/visitor.tsx'

const { batchFreeze: _, export: __, ...shared } = visitorActions
/** What was sent stands beside how often it was sent again. */
const own = ['messages'] as const
export default function VisitorOrder() {
  useBindWait()
  return (
    <OrderPage
      calls={calls}
      actions={[...Object.values(shared), ...Object.values(visitorDetailActions)]}
      revealPhone={visitorActions.revealPhone}
      queryPay={visitorDetailActions.queryPay}
      own={own}
    >
      {of => <VisitorFile of={of} />}
    </OrderPage>
  )
}
