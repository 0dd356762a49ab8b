import { bulksActions, bulksDetailActions } from '#commands/order/bulks.ts'
import { bulks as calls } from '../../contract/bulks.ts'
import { OrderPage } from '../../parts/OrderPage.tsx'

const {
  refund: _,
  batchRefund: __,
  batchExtend: ___,
  export: ____,
  batchExport: _____,
  ...shared
} = bulksActions
export default function BulksOrder() {
  return (
    <OrderPage
      calls={calls}
      actions={[...Object.values(bulksDetailActions), ...Object.values(shared)]}
      revealPhone={bulksActions.revealPhone}
      revealCode={bulksDetailActions.revealCode}
      queryPay={bulksDetailActions.queryPay}
    />
  )
}
