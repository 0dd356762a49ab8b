import * as commands from '#commands/order/card.ts'
import * as pages from '#commands/pages/order.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Badge, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { card as calls } from '../contract/card.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import { TimesAsked, TimesNotice, useTimesWait } from '../parts/card.tsx'
import { Liability } from '../parts/Liability.tsx'
import { columnsOf, OrderList } from '../parts/OrderList.tsx'

const Merchant = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  return (
    <>
      {row.merchant_name}
      {row.merchant_closed && (
        <>
          {' '}
          <Badge tone="bad">{say(['已停业', 'Closed'])}</Badge>
        </>
      )}
    </>
  )
}
const Gift = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  return row.gift === 'none' ? (
    <span className="m-muted">—</span>
  ) : (
    <Badge tone={row.gift === 'sent' ? 'warn' : 'plain'}>
      {say(row.gift === 'sent' ? ['转赠中', 'Being given'] : ['已转赠', 'Given away'])}
    </Badge>
  )
}
const {
  order_no,
  member,
  phone,
  title,
  store,
  mall,
  left,
  paid,
  status,
  paid_at,
  created_at,
  valid_until,
  tags,
} = columnsOf
const merchant: Column<OrderRow> = {
  ...columnsOf.merchant,
  optional: false,
  cell: row => <Merchant row={row} />,
}
const usage: Column<OrderRow> = {
  ...columnsOf.usage,
  width: 160,
  cell: row => (
    <>
      <TimesAsked row={row} /> {columnsOf.usage.cell(row)}
    </>
  ),
}
const last_used: Column<OrderRow> = {
  key: 'last_used',
  title: ['上次使用', 'Last used'],
  width: 104,
  cell: row => <When at={row.last_used_at} />,
}
const gift: Column<OrderRow> = {
  key: 'gift',
  title: ['转赠', 'Gift'],
  width: 76,
  optional: true,
  cell: row => <Gift row={row} />,
}
const columns: readonly Column<OrderRow>[] = [
  order_no,
  status,
  title,
  usage,
  left,
  paid,
  member,
  phone,
  store,
  merchant,
  last_used,
  valid_until,
  mall,
  gift,
  paid_at,
  created_at,
  tags,
]

export default function CardOrders() {
  useTimesWait()
  return (
    <OrderList
      calls={calls}
      at={pages.card}
      detail={pages.cardDetail}
      actions={Object.values(commands.cardActions)}
      columns={columns}
      revealPhone={commands.cardActions.revealPhone}
      aside={list => <Liability list={list} />}
      notices={of => <TimesNotice row={of.order} />}
      tabs={[
        'pending_payment',
        'pending_use',
        'part_used',
        'finished',
        'expired',
        'refunding',
        'refunded',
        'cancelled',
        'freezing',
      ]}
      quick={[
        'idle',
        'expiring',
        'merchant_closed',
        'gift',
        'times_asked',
        'to_decide',
        'refunding',
        'frozen',
      ]}
    />
  )
}
