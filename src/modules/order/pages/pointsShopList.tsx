import * as commands from '#commands/order/pointsShopList.ts'
import * as pages from '#commands/pages/order.ts'
import { itemWays, orderSubKinds } from '#src/areas/order/order.ts'
import { pointsKinds } from '#src/areas/points/points.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ListState } from '#src/kit/uselist.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import { pointsShopList as calls } from '../contract/pointsShopList.ts'
import { columnsOf, OrderList } from '../parts/OrderList.tsx'
import { Shipping } from '../parts/ship.tsx'
import { ShipSheet } from '../parts/shipSheet.tsx'

const Kind = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  return row.points_kind ? (
    <>{say(pointsKinds[row.points_kind])}</>
  ) : (
    <span className="m-muted">—</span>
  )
}
const Way = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  return <>{say(row.sub_kind === 'code' ? itemWays.code : orderSubKinds[row.sub_kind])}</>
}
/** The parcel's number, or why nothing was issued. */
const Sent = ({ row }: { row: OrderRow }) => {
  if (row.issue_note !== null)
    return (
      <span className="m-bad" title={row.issue_note}>
        {row.issue_note}
      </span>
    )
  const last = row.parcels.at(-1)
  return last ? (
    <span className="m-num">{last.tracking_no}</span>
  ) : (
    <span className="m-muted">—</span>
  )
}
const KindFilter = ({ list }: { list: ListState<OrderRow> }) => {
  const say = useSay()
  return (
    <Choice
      of={list}
      by="points_kind"
      label={say(['商品类型', 'Kind of item'])}
      options={Object.entries(pointsKinds).map(([value, text]) => ({ value, label: say(text) }))}
    />
  )
}
const { order_no, member, phone, title, mall, merchant, qty, status, paid_at, created_at } =
  columnsOf
const kind: Column<OrderRow> = {
  key: 'kind',
  title: ['类型', 'Kind'],
  width: 68,
  cell: row => <Kind row={row} />,
}
const points: Column<OrderRow> = {
  key: 'points',
  title: ['积分', 'Points'],
  width: 76,
  align: 'end',
  cell: row => row.points_used,
}
const cash: Column<OrderRow> = {
  key: 'cash',
  title: ['现金', 'Cash'],
  width: 76,
  align: 'end',
  cell: row => <Money cents={row.pay_cents === 0 ? null : row.pay_cents} />,
}
const way: Column<OrderRow> = {
  key: 'way',
  title: ['交付方式', 'Delivered'],
  width: 80,
  cell: row => <Way row={row} />,
}
const sent: Column<OrderRow> = {
  key: 'sent',
  title: ['物流或失败原因', 'Parcel, or why not'],
  width: 148,
  cell: row => <Sent row={row} />,
}
const columns: readonly Column<OrderRow>[] = [
  order_no,
  status,
  kind,
  title,
  qty,
  points,
  cash,
  way,
  sent,
  member,
  phone,
  { ...created_at, optional: false },
  { ...paid_at, optional: true },
  merchant,
  mall,
]
const { pointsShopActions: actions } = commands

export default function PointsShopOrders() {
  return (
    <>
      <OrderList
        calls={calls}
        at={pages.pointsShopList}
        detail={pages.pointsShopDetail}
        actions={Object.values(actions)}
        columns={columns}
        revealPhone={actions.revealPhone}
        filters={list => <KindFilter list={list} />}
        tabs={[
          'pending_payment',
          'pending_ship',
          'part_shipped',
          'shipped',
          'pending_use',
          'part_used',
          'issuing',
          'finished',
          'expired',
          'refunding',
          'refunded',
          'cancelled',
          'freezing',
        ]}
        quick={[
          'delivery_failed',
          'late',
          'unshipped',
          'to_decide',
          'refunding',
          'address_changed',
          'frozen',
        ]}
      />
      <Shipping action={actions.ship} calls={calls} list={calls} />
      <ShipSheet action={actions.batchShip} calls={calls} />
    </>
  )
}
