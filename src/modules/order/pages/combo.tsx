import * as commands from '#commands/order/combo.ts'
import * as pages from '#commands/pages/order.ts'
import { comma } from '#src/domain/text.ts'
import { Among } from '#src/kit/among.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Thumb } from '#src/kit/image.tsx'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ListState } from '#src/kit/uselist.ts'
import { combo as calls } from '../contract/combo.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import { Parts, Policy } from '../parts/combo.tsx'
import { columnsOf, OrderList } from '../parts/OrderList.tsx'
import { Shipping } from '../parts/ship.tsx'

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
const bundle: Column<OrderRow> = {
  key: 'bundle',
  title: ['组合', 'Bundle'],
  width: 180,
  grow: true,
  cell: row => (
    <>
      <Thumb of={row.image} />
      {row.bundle?.name || row.title}
    </>
  ),
  words: row => row.bundle?.name ?? row.title,
}
const parts: Column<OrderRow> = {
  key: 'parts',
  title: ['子项进度', 'Parts'],
  width: 188,
  cell: row => row.bundle && <Parts of={row.bundle} />,
  words: (row, say) => (row.bundle?.parts ?? []).map(part => part.title).join(say(comma)),
}
const policy: Column<OrderRow> = {
  key: 'policy',
  title: ['退款政策', 'Policy'],
  width: 84,
  cell: row => row.bundle && <Policy policy={row.bundle.policy} />,
}
const saving: Column<OrderRow> = {
  key: 'saving',
  title: ['套餐优惠', 'Discount'],
  width: 80,
  align: 'end',
  cell: row => <Money cents={row.store_discount_cents} />,
}
const columns = [
  order_no,
  status,
  bundle,
  parts,
  paid,
  saving,
  policy,
  member,
  phone,
  store,
  paid_at,
  valid_until,
  usage,
  title,
  mall,
  merchant,
  discount,
  created_at,
  tags,
].map(column => (column === title || column === usage ? { ...column, optional: true } : column))
const Bundles = ({ list }: { list: ListState<OrderRow> }) => {
  const say = useSay()
  return (
    <Among
      of={list}
      by="combo_id"
      label={say(['组合', 'Bundle'])}
      find={calls.bundles}
      labelOf={row => row.name}
    />
  )
}

export default function ComboOrders() {
  return (
    <>
      <OrderList
        calls={calls}
        at={pages.combo}
        detail={pages.comboDetail}
        actions={Object.values(commands.comboActions)}
        columns={columns}
        revealPhone={commands.comboActions.revealPhone}
        filters={list => <Bundles list={list} />}
        tabs={[
          'pending_payment',
          'pending_ship',
          'part_shipped',
          'shipped',
          'pending_use',
          'part_used',
          'finished',
          'expired',
          'refunding',
          'refunded',
          'cancelled',
          'freezing',
        ]}
        quick={['part_refunding', 'part_closed', 'late', 'expiring', 'refunding', 'frozen']}
      />
      <Shipping action={commands.comboActions.ship} calls={calls} list={calls} />
    </>
  )
}
