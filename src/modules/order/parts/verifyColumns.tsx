import { FAR_M } from '#src/areas/code/verifier.ts'
import { settleStates, type SettleState } from '#src/areas/order/order.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Badge, Money, When, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { verifyFlags, verifyWays, type VerifyRow } from '../contract/verify.ts'
import './order.css'

type Row = VerifyRow
const tones: Record<SettleState, ToneName> = {
  holding: 'info',
  available: 'info',
  settling: 'warn',
  settled: 'good',
  reversed: 'plain',
}
export const Settle = ({ row }: { row: Row }) => {
  const say = useSay()
  return <Badge tone={tones[row.settle_state]}>{say(settleStates[row.settle_state])}</Badge>
}
export const Way = ({ row }: { row: Row }) => <>{useSay()(verifyWays[row.way])}</>
export const Flags = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <span className="o-states">
      {row.flags.map(flag => (
        <Badge key={flag} tone="warn">
          {say(verifyFlags[flag])}
        </Badge>
      ))}
    </span>
  )
}
export const Role = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.group?.role ? (
    <>{say(row.group.role === 'leader' ? ['团长', 'Leader'] : ['团员', 'Member'])}</>
  ) : (
    <span className="m-muted">—</span>
  )
}
const none = <span className="m-muted">—</span>
/** The columns of redemptions; each list takes those it needs. */
export const verifyColumns = {
  verified_at: {
    key: 'verified_at',
    title: ['核销时间', 'Redeemed'],
    width: 104,
    cell: row => <When at={row.verified_at} />,
    words: row => row.order_no,
  },
  settle_state: {
    key: 'settle_state',
    title: ['结算状态', 'Settlement'],
    width: 112,
    cell: row => <Settle row={row} />,
  },
  title: {
    key: 'title',
    title: ['商品', 'Product'],
    width: 150,
    grow: true,
    cell: row => row.title,
    words: row => row.title,
  },
  code: {
    key: 'code',
    title: ['券码', 'Code'],
    width: 116,
    cell: row => <span className="m-num">{row.code ?? '—'}</span>,
  },
  order_no: {
    key: 'order_no',
    title: ['订单号', 'Order no.'],
    width: 168,
    optional: true,
    cell: row => row.order_no,
  },
  store: {
    key: 'store',
    title: ['门店', 'Store'],
    width: 132,
    cell: row => row.store_name,
    words: row => row.store_name,
  },
  by: { key: 'by', title: ['核销人', 'By'], width: 84, cell: row => row.by || none },
  way: { key: 'way', title: ['方式', 'How'], width: 84, cell: row => <Way row={row} /> },
  pay: {
    key: 'pay',
    title: ['实付分摊', 'Share'],
    width: 84,
    align: 'end',
    cell: row => <Money cents={row.pay_cents} />,
  },
  platform: {
    key: 'platform',
    title: ['平台分摊', 'Platform'],
    width: 76,
    align: 'end',
    optional: true,
    cell: row => <Money cents={row.platform_cents} />,
  },
  commission: {
    key: 'commission',
    title: ['佣金', 'Commission'],
    width: 76,
    align: 'end',
    cell: row => <Money cents={row.commission_cents} />,
  },
  settle: {
    key: 'settle',
    title: ['结算', 'Settled'],
    width: 84,
    priority: 1,
    align: 'end',
    cell: row => <Money cents={row.settle_cents} />,
  },
  distance: {
    key: 'distance',
    title: ['距门店', 'Distance'],
    width: 72,
    align: 'end',
    cell: row =>
      row.distance_m === null ? (
        none
      ) : (
        <span className={row.distance_m > FAR_M ? 'm-num m-bad' : 'm-num'}>{row.distance_m} m</span>
      ),
  },
  flags: {
    key: 'flags',
    title: ['提示', 'Flags'],
    width: 128,
    cell: row => (row.flags.length ? <Flags row={row} /> : none),
  },
  city: {
    key: 'city',
    title: ['城市', 'City'],
    width: 72,
    optional: true,
    cell: row => row.city_name,
  },
  merchant: {
    key: 'merchant',
    title: ['商户', 'Merchant'],
    width: 132,
    optional: true,
    cell: row => row.merchant_name,
  },
  group: {
    key: 'group',
    title: ['团号', 'Group'],
    width: 156,
    cell: row => <span className="m-num">{row.group?.no ?? '—'}</span>,
  },
  role: { key: 'role', title: ['身份', 'Seat'], width: 64, cell: row => <Role row={row} /> },
  single: {
    key: 'single',
    title: ['单买价', 'Solo price'],
    width: 80,
    align: 'end',
    cell: row => (row.group ? <Money cents={row.group.single_cents} /> : none),
  },
  bill_no: {
    key: 'bill_no',
    title: ['账单号', 'Bill no.'],
    width: 128,
    cell: row => <span className="m-num">{row.bill?.no ?? '—'}</span>,
  },
  bill: {
    key: 'bill',
    title: ['账单', 'Bill'],
    width: 84,
    align: 'end',
    cell: row => (row.bill ? <Money cents={row.bill.cents} /> : none),
  },
  vouchers: {
    key: 'vouchers',
    title: ['用券/限用', 'On it/limit'],
    width: 72,
    align: 'end',
    cell: row =>
      row.bill ? (
        <span className="m-num">
          {row.bill.vouchers}/{row.bill.limit ?? '∞'}
        </span>
      ) : (
        none
      ),
  },
  faces: {
    key: 'faces',
    title: ['面值合计', 'Total face value'],
    width: 120,
    align: 'end',
    cell: row => (row.bill ? <Money cents={row.bill.face_cents} /> : none),
  },
  leverage: {
    key: 'leverage',
    title: ['账单/面值', 'Bill/face'],
    width: 84,
    align: 'end',
    cell: row =>
      row.bill && row.bill.face_cents > 0 ? (
        <span className="m-num">{(row.bill.cents / row.bill.face_cents).toFixed(2)}×</span>
      ) : (
        none
      ),
  },
} satisfies Record<string, Column<Row>>
