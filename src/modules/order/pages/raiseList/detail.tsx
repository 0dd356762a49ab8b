import { raiseActions, raiseDetailActions } from '#commands/order/raiseList.ts'
import { raiseDetail as detailCalls, raiseList as calls } from '../../contract/raiseList.ts'
import { Address } from '../../parts/address.tsx'
import { OrderPage } from '../../parts/OrderPage.tsx'
import { RaiseTerms } from '../../parts/RaiseTerms.tsx'
import { Shipping } from '../../parts/ship.tsx'
import { Tracking } from '../../parts/Tracking.tsx'

const { approveRefund, refuseRefund, retryRefund, remark, freeze, unfreeze, revealPhone } =
  raiseActions
const actions = [
  ...Object.values(raiseDetailActions),
  approveRefund,
  refuseRefund,
  retryRefund,
  remark,
  freeze,
  unfreeze,
  revealPhone,
]
export default function RaiseOrder() {
  return (
    <>
      <OrderPage calls={calls} actions={actions} revealPhone={revealPhone}>
        {of => <RaiseTerms of={of} />}
      </OrderPage>
      <Shipping action={raiseDetailActions.ship} calls={detailCalls} list={calls} />
      <Tracking action={raiseDetailActions.editTracking} calls={detailCalls} list={calls} />
      <Address action={raiseDetailActions.editAddress} calls={detailCalls} list={calls} />
    </>
  )
}
