import { elistActions, elistDetailActions } from '#commands/order/elist.ts'
import { elist as calls, elistDetail as detailCalls } from '../../contract/elist.ts'
import { Address } from '../../parts/address.tsx'
import { OrderPage } from '../../parts/OrderPage.tsx'
import { Shipping, Tracking } from '../../parts/ship.tsx'

const { ship: _, batchShip: __, refund: ___, editTracking: ____, editAddress: _____, export: ______, ...shared } = elistActions
export default function ElistOrder() {
  return (
    <>
      <OrderPage calls={calls} actions={[...Object.values(elistDetailActions), ...Object.values(shared)]} revealPhone={elistActions.revealPhone} />
      <Shipping action={elistDetailActions.ship} calls={detailCalls} list={calls} />
      <Tracking action={elistDetailActions.editTracking} calls={detailCalls} list={calls} />
      <Address action={elistDetailActions.editAddress} calls={detailCalls} list={calls} />
    </>
  )
}
