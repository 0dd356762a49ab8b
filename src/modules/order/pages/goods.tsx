import * as commands from '#commands/order/goods.ts'
import * as pages from '#commands/pages/order.ts'
import { goodsStages, isAtStore, orderSubKinds, PICKUP_WARN_DAYS } from '#src/areas/order/order.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Badge, duration, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { goods as calls } from '../contract/goods.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import { columnsOf, OrderList } from '../parts/OrderList.tsx'
import { CodeBadge } from '../parts/show.tsx'

/** When it was promised; once past, by how much. */
const Promised = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  const late = row.promise_at === null ? 0 : unixNow() - row.promise_at
  if (late <= 0 || !isAtStore(row)) return <When at={row.promise_at} />
  return (
    <span className={late > PICKUP_WARN_DAYS * DAY ? 'm-num m-bad' : 'm-num m-warn'}>
      {say(['超 {t}', 'Late {t}'], { t: duration(late, say) })}
    </span>
  )
}
const Way = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  return <>{say(orderSubKinds[row.sub_kind])}</>
}
/** How far the store is: whether it has made the goods ready, whether the code can be used. */
const Ready = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  if (row.pay_state !== 'paid' || (!isAtStore(row) && !row.code_state))
    return <span className="m-muted">—</span>
  return (
    <span className="o-states">
      {isAtStore(row) && (
        <Badge tone={row.ready_at ? 'good' : 'warn'}>
          {say(row.ready_at ? ['已备好', 'Ready'] : ['备货中', 'Not ready'])}
        </Badge>
      )}
      {row.code_state && <CodeBadge state={row.code_state} />}
    </span>
  )
}
const {
  order_no,
  member,
  phone,
  title,
  store,
  mall,
  merchant,
  qty,
  paid,
  status,
  paid_at,
  created_at,
} = columnsOf
const sku: Column<OrderRow> = {
  key: 'sku',
  title: ['规格', 'Variant'],
  width: 84,
  cell: row => row.sku ?? <span className="m-muted">—</span>,
}
const way: Column<OrderRow> = {
  key: 'way',
  title: ['方式', 'Way'],
  width: 84,
  cell: row => <Way row={row} />,
}
const promised: Column<OrderRow> = {
  key: 'promised',
  title: ['承诺时间', 'Promised'],
  width: 112,
  cell: row => <Promised row={row} />,
}
const ready: Column<OrderRow> = {
  key: 'ready',
  title: ['备货与提货码', 'Ready, code'],
  width: 128,
  cell: row => <Ready row={row} />,
}
const reminded: Column<OrderRow> = {
  key: 'reminded',
  title: ['上次催促', 'Urged'],
  width: 104,
  optional: true,
  cell: row => <When at={row.reminded_at} />,
}
const columns: readonly Column<OrderRow>[] = [
  order_no,
  status,
  way,
  promised,
  ready,
  title,
  sku,
  qty,
  store,
  paid,
  member,
  phone,
  paid_at,
  reminded,
  merchant,
  mall,
  created_at,
].map(column => (column === paid_at ? { ...column, optional: true } : column))

export default function GoodsOrders() {
  return (
    <OrderList
      calls={calls}
      at={pages.goods}
      detail={pages.goodsDetail}
      actions={Object.values(commands.goodsActions)}
      columns={columns}
      revealPhone={commands.goodsActions.revealPhone}
      tabs={{ by: 'stage', all: goodsStages }}
      quick={['not_picked_up', 'late', 'unshipped', 'refunding', 'address_changed', 'frozen']}
    />
  )
}
