import * as commands from '#commands/order/visitor.ts'
import * as pages from '#commands/pages/order.ts'
import { orderSources } from '#src/areas/order/order.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ListState } from '#src/kit/uselist.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import { visitor as calls } from '../contract/visitor.ts'
import { columnsOf, OrderList } from '../parts/OrderList.tsx'
import { OrderState } from '../parts/show.tsx'
import { Claimed, LatePaid, Notices, Sms, Source, SubKind, useBindWait } from '../parts/visitor.tsx'

const {
  order_no,
  title,
  store,
  mall,
  merchant,
  paid,
  paid_at,
  created_at,
  valid_until,
  usage,
  tags,
} = columnsOf
const status: Column<OrderRow> = {
  ...columnsOf.status,
  cell: row => (
    <>
      <OrderState row={row} /> <LatePaid row={row} />
    </>
  ),
}
const phone: Column<OrderRow> = {
  key: 'visitor_phone',
  title: ['下单手机', 'Phone'],
  width: 108,
  cell: row => row.visitor?.phone ?? '—',
}
const openid: Column<OrderRow> = {
  key: 'openid',
  title: ['微信标识', 'WeChat ID'],
  width: 132,
  optional: true,
  cell: row => row.visitor?.openid ?? '—',
}
const sub_kind: Column<OrderRow> = {
  key: 'sub_kind',
  title: ['子类型', 'Subtype'],
  width: 80,
  cell: row => <SubKind row={row} />,
}
const sms: Column<OrderRow> = {
  key: 'sms',
  title: ['券码短信', 'Code SMS'],
  width: 96,
  cell: row => <Sms row={row} />,
}
const claimed: Column<OrderRow> = {
  key: 'claimed',
  title: ['归属会员', 'Member'],
  width: 120,
  cell: row => <Claimed row={row} />,
  words: row => row.member_name,
}
const source: Column<OrderRow> = {
  key: 'source',
  title: ['渠道', 'Channel'],
  width: 76,
  cell: row => <Source row={row} />,
}
const columns = [
  order_no,
  phone,
  sub_kind,
  status,
  title,
  paid,
  sms,
  claimed,
  store,
  source,
  paid_at,
  openid,
  usage,
  mall,
  merchant,
  valid_until,
  created_at,
  tags,
]
const Channel = ({ list }: { list: ListState<OrderRow> }) => {
  const say = useSay()
  return (
    <Choice
      of={list}
      by="source"
      label={say(['渠道', 'Channel'])}
      options={Object.entries(orderSources).map(([value, text]) => ({ value, label: say(text) }))}
    />
  )
}

export default function VisitorOrders() {
  useBindWait()
  return (
    <OrderList
      calls={calls}
      at={pages.visitor}
      detail={pages.visitorDetail}
      actions={Object.values(commands.visitorActions)}
      columns={columns}
      revealPhone={commands.visitorActions.revealPhone}
      byPayment
      filters={list => <Channel list={list} />}
      notices={of => <Notices of={of} />}
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
        'unclaimed',
        'bind_asked',
        'sms_failed',
        'late_pay',
        'expiring',
        'to_decide',
        'refunding',
        'frozen',
      ]}
    />
  )
}
