import * as commands from '#commands/order/bulks.ts'
import * as pages from '#commands/pages/order.ts'
import { useExport } from '#src/kit/exporting.ts'
import { bulks as calls } from '../contract/bulks.ts'
import { columnsOf, OrderList } from '../parts/OrderList.tsx'
import { TagChoice } from '../parts/TagChoice.tsx'

const {
  order_no,
  member,
  phone,
  title,
  store,
  mall,
  merchant,
  usage,
  paid,
  discount,
  status,
  paid_at,
  created_at,
  valid_until,
  tags,
} = columnsOf
const columns = [
  order_no,
  status,
  title,
  usage,
  paid,
  member,
  phone,
  store,
  paid_at,
  valid_until,
  mall,
  merchant,
  discount,
  created_at,
  tags,
]

export default function BulksOrders() {
  useExport(commands.bulksActions.batchExport, calls.export)
  return (
    <OrderList
      calls={calls}
      at={pages.bulks}
      detail={pages.bulksDetail}
      actions={Object.values(commands.bulksActions)}
      columns={columns}
      revealPhone={commands.bulksActions.revealPhone}
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
      quick={['expiring', 'to_decide', 'refunding', 'frozen']}
      filters={list => <TagChoice of={list} call={calls.tags} />}
    />
  )
}
