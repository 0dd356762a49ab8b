import { Confirm, Cross, Time } from '@blueprintjs/icons'
import {
  bindingAskStates,
  bindingRoles,
  bindingSources,
  bindingStates,
  awakeAt,
  SLEEP_S,
  SOON_S,
  type BindingAskState,
  type BindingState,
} from '#src/areas/binding/binding.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import {
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
  wordColumn,
  type States,
} from '#src/kit/cells.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Badge, Money, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { BindingRow } from '../contract/bindingRow.ts'

export const bindingLooks: States<BindingState> = {
  active: { text: bindingStates.active, tone: 'good' },
  expired: { text: bindingStates.expired, icon: Time },
  transferred: { text: bindingStates.transferred },
  unbound: { text: bindingStates.unbound, icon: Cross },
}
export const askLooks: States<BindingAskState> = {
  pending: { text: bindingAskStates.pending, tone: 'warn', icon: Time },
  approved: { text: bindingAskStates.approved, tone: 'good', icon: Confirm },
  rejected: { text: bindingAskStates.rejected, icon: Cross },
  lapsed: { text: bindingAskStates.lapsed },
}
/** What is to be seen at a customer at once: a dispute, a transfer that waits, the end near. */
export const Signs = ({ row }: { row: BindingRow }) => {
  const say = useSay()
  const now = unixNow()
  return (
    <>
      {row.rival?.open && <Badge tone="bad">{say(['争议', 'Disputed'])}</Badge>}
      {row.waits && <Badge tone="warn">{say(['待复核', 'Awaiting approval'])}</Badge>}
      {row.status === 'active' && row.protect_until > now && (
        <Badge tone="info">{say(['保护期', 'Protected'])}</Badge>
      )}
    </>
  )
}
const Until = ({ row }: { row: BindingRow }) => {
  const say = useSay()
  const left = row.expire_at - unixNow()
  const isNear = row.status === 'active' && left <= SOON_S
  return (
    <>
      <When at={row.expire_at} />{' '}
      {isNear && (
        <Badge tone="warn">
          {say(['剩 {n} 天', '{n} d left'], { n: Math.max(0, Math.ceil(left / DAY)) })}
        </Badge>
      )}
    </>
  )
}
/** How long an active customer has bought nothing, once that is long. */
export const Sleeping = ({ row }: { row: BindingRow }) => {
  const say = useSay()
  const asleep = unixNow() - awakeAt(row)
  if (row.status !== 'active' || asleep < SLEEP_S) return <span className="m-muted">—</span>
  return <>{say(['{n} 天', '{n} d'], { n: Math.floor(asleep / DAY) })}</>
}
/** The columns that every list of customers has. */
export const customerColumns: readonly Column<BindingRow>[] = [
  {
    key: 'customer',
    title: ['客户', 'Customer'],
    width: 210,
    grow: true,
    cell: row => (
      <>
        {row.name} <Signs row={row} />
      </>
    ),
    words: row => row.name,
  },
  {
    key: 'phone',
    title: ['手机号', 'Phone'],
    width: 112,
    priority: 3,
    cell: row => <span className="m-num">{row.phone ?? '—'}</span>,
    words: row => row.phone ?? '',
  },
  { ...textColumn('seller', ['分销员', 'Seller'], 90) },
  wordColumn('role', ['身份', 'Role'], 64, bindingRoles),
  { ...wordColumn('source', ['来源', 'Source'], 88, bindingSources), priority: 2 },
  stateColumn('status', ['状态', 'State'], 90, bindingLooks),
  { ...timeColumn('bind_at', ['绑定时间', 'Bound'], 108), priority: 4 },
  {
    key: 'expire_at',
    title: ['到期', 'Until'],
    width: 170,
    cell: row => <Until row={row} />,
  },
  { ...numberColumn('order_count', ['订单', 'Orders'], 56), priority: 1 },
  {
    key: 'paid_cents',
    title: ['累计支付', 'Paid'],
    width: 104,
    align: 'end',
    cell: row => <Money cents={row.paid_cents} />,
  },
  { ...timeColumn('last_order_at', ['最近下单', 'Last order'], 108), priority: 4 },
]
