import * as commands from '#commands/order/voucher.ts'
import * as pages from '#commands/pages/order.ts'
import { yuan } from '#src/domain/money.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ListState } from '#src/kit/uselist.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import { voucher as calls } from '../contract/voucher.ts'
import { columnsOf, OrderList } from '../parts/OrderList.tsx'

/** The faces that vouchers usually have. */
const faces = [10_00, 20_00, 30_00, 50_00, 100_00, 200_00, 300_00, 500_00]
const Face = ({ list }: { list: ListState<OrderRow> }) => {
  const say = useSay()
  return (
    <Choice
      of={list}
      by="face_cents"
      label={say(['面值', 'Face'])}
      options={faces.map(cents => ({ value: cents, label: `¥${yuan(cents)}` }))}
    />
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
  usage,
  paid,
  discount,
  status,
  paid_at,
  created_at,
  valid_until,
  tags,
} = columnsOf
const face: Column<OrderRow> = {
  key: 'face',
  title: ['面值', 'Face'],
  width: 76,
  align: 'end',
  cell: row => <Money cents={row.face_cents} />,
}
const bill: Column<OrderRow> = {
  key: 'bill',
  title: ['用券账单', 'Bills'],
  width: 88,
  align: 'end',
  cell: row =>
    row.bill_cents === null ? <span className="m-muted">—</span> : <Money cents={row.bill_cents} />,
}
const columns: readonly Column<OrderRow>[] = [
  order_no,
  status,
  title,
  face,
  qty,
  usage,
  paid,
  bill,
  member,
  phone,
  store,
  valid_until,
  mall,
  merchant,
  discount,
  paid_at,
  created_at,
  tags,
]

export default function VoucherOrders() {
  return (
    <OrderList
      calls={calls}
      at={pages.voucher}
      detail={pages.voucherDetail}
      actions={Object.values(commands.voucherActions)}
      columns={columns}
      revealPhone={commands.voucherActions.revealPhone}
      filters={list => <Face list={list} />}
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
      quick={['many_on_bill', 'cash_out', 'expiring', 'to_decide', 'refunding', 'frozen']}
    />
  )
}
