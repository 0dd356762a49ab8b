import { useMemo, useState } from 'react'
import { groupActions, rollBuyActions, rollBuyDetailActions } from '#commands/order/rollBuy.ts'
import { rollBuy as calls, rollBuyDetail } from '../../contract/rollBuy.ts'
import { OrderPage } from '../../parts/OrderPage.tsx'
import { GroupOf } from '../../parts/rollGroup.tsx'
import { Shipping } from '../../parts/ship.tsx'

const { retryRefund, approveRefund, refuseRefund, remark, freeze, unfreeze, revealPhone } = rollBuyActions
const actions = [...Object.values(rollBuyDetailActions), ...Object.values(groupActions), retryRefund, approveRefund, refuseRefund, remark, freeze, unfreeze, revealPhone]
export default function RollBuyOrder() {
  const [mate, setMate] = useState<number | undefined>(undefined)
  return (
    <>
      <OrderPage calls={calls} actions={actions} revealPhone={revealPhone} chosen={useMemo(() => (mate === undefined ? {} : { mate_id: mate }), [mate])}>{of => <GroupOf order={of.order} mate={mate} onMate={setMate} />}</OrderPage>
      <Shipping action={rollBuyDetailActions.ship} calls={rollBuyDetail} list={calls} />
    </>
  )
}
