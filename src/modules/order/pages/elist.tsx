import * as commands from '#commands/order/elist.ts'
import * as pages from '#commands/pages/order.ts'
import { elist as calls } from '../contract/elist.ts'
import { Address } from '../parts/address.tsx'
import { columnsOf, OrderList } from '../parts/OrderList.tsx'
import { Packages } from '../parts/packages.tsx'
import { parcelColumns } from '../parts/parcels.tsx'
import { PickingLists, Waybills } from '../parts/print.tsx'
import { Shipping } from '../parts/ship.tsx'
import { ShipSheet } from '../parts/shipSheet.tsx'
import { TagChoice } from '../parts/TagChoice.tsx'
import { Tracking } from '../parts/Tracking.tsx'

const {
  order_no,
  member,
  phone,
  title,
  store,
  mall,
  qty,
  paid,
  discount,
  status,
  paid_at,
  created_at,
  tags,
} = columnsOf
const merchant = { ...columnsOf.merchant, title: ['供应商', 'Supplier'] as const, optional: false }
const columns = [
  order_no,
  status,
  parcelColumns.promised,
  title,
  qty,
  paid,
  parcelColumns.parcel,
  member,
  merchant,
  paid_at,
  phone,
  store,
  mall,
  discount,
  created_at,
  tags,
]
const { elistActions: actions } = commands

export default function ElistOrders() {
  return (
    <>
      <OrderList
        calls={calls}
        at={pages.elist}
        detail={pages.elistDetail}
        actions={Object.values(actions)}
        columns={columns}
        revealPhone={actions.revealPhone}
        tabs={[
          'pending_payment',
          'pending_ship',
          'part_shipped',
          'shipped',
          'finished',
          'refunding',
          'refunded',
          'cancelled',
          'freezing',
        ]}
        quick={['late', 'unshipped', 'address_changed', 'refunding', 'frozen']}
        filters={list => <TagChoice of={list} call={calls.tags} />}
      />
      <Shipping action={actions.ship} calls={calls} list={calls} />
      <Packages action={actions.splitShip} />
      <ShipSheet action={actions.batchShip} calls={calls} />
      <Tracking action={actions.editTracking} calls={calls} list={calls} />
      <Address action={actions.editAddress} calls={calls} list={calls} />
      <Waybills action={actions.printWaybill} />
      <PickingLists action={actions.batchPrint} />
    </>
  )
}
