import { Flag } from '@blueprintjs/icons'
import { raisedBy, raiseModes } from '#src/areas/raise/raise.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Badge, Money, When, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { BatchRow } from '../contract/raiseList.ts'
import { percentOf, RaiseBadge, RaiseBar, RaiseLeft, type Look } from './raise.tsx'

/** The columns of the list of campaigns. */
export const batchColumns: readonly Column<BatchRow>[] = [
  {
    key: 'title',
    title: ['场次', 'Campaign'],
    width: 160,
    grow: true,
    cell: row => row.raise.title,
    words: row => row.raise.title,
  },
  { key: 'state', title: ['状态', 'State'], width: 92, cell: row => <RaiseBadge of={row.raise} /> },
  {
    key: 'progress',
    title: ['进度', 'Progress'],
    width: 112,
    cell: row => (
      <span className="ra-cell">
        <RaiseBar of={row} />
        <span className="m-num">
          {percentOf(raisedBy(row.raise.target_type, row.raised), row.raise.target)}%
        </span>
      </span>
    ),
  },
  {
    key: 'raised',
    title: ['已筹/目标', 'Raised'],
    width: 104,
    align: 'end',
    cell: row => (
      <span className="m-num">
        {row.raise.target_type === 'cents' ? (
          <>
            <Money cents={row.raised.cents} />/<Money cents={row.raise.target} />
          </>
        ) : (
          `${row.raised.units}/${row.raise.target}`
        )}
      </span>
    ),
  },
  {
    key: 'left',
    title: ['剩余', 'Left'],
    width: 84,
    align: 'end',
    cell: row => <RaiseLeft of={row.raise} />,
  },
  { key: 'todo', title: ['待办', 'To do'], width: 120, cell: row => <ToDo of={row} /> },
  { key: 'mode', title: ['方式', 'Mode'], width: 56, cell: row => <Mode of={row.raise} /> },
  { key: 'backers', title: ['支持', 'Backers'], width: 60, align: 'end', cell: row => row.backers },
  {
    key: 'money',
    title: ['已收', 'Paid'],
    width: 92,
    align: 'end',
    optional: true,
    cell: row => <Money cents={row.raised.cents} />,
  },
  {
    key: 'ship_at',
    title: ['发货', 'Ships'],
    width: 104,
    cell: row => <When at={row.raise.ship_at} />,
  },
  {
    key: 'end_at',
    title: ['截止', 'Ends'],
    width: 104,
    optional: true,
    cell: row => <When at={row.raise.end_at} />,
  },
  {
    key: 'merchant',
    title: ['商户', 'Merchant'],
    width: 132,
    optional: true,
    cell: row => row.merchant_name,
  },
  { key: 'city', title: ['城市', 'City'], width: 72, optional: true, cell: row => row.city_name },
]
const Mode = ({ of }: { of: Look }) => {
  const say = useSay()
  return <>{say(raiseModes[of.mode])}</>
}
const ToDo = ({ of }: { of: BatchRow }) => {
  const say = useSay()
  if (of.declare_by !== '' && of.raise.state === 'raising')
    return (
      <Badge tone="warn" icon={Flag}>
        {say(['待确认成功', 'To agree to'])}
      </Badge>
    )
  if (of.owing_n > 0)
    return (
      <Badge tone={of.payout_failed_n > 0 ? 'bad' : 'warn'}>
        {of.payout_failed_n > 0
          ? say(['{n} 人打款失败', '{n} refused'], { n: of.payout_failed_n })
          : say(['{n} 人未退完', '{n} owed'], { n: of.owing_n })}
      </Badge>
    )
  if (of.owed_n > 0)
    return (
      <Badge tone="warn">{say(['{n} 单待付尾款', '{n} balances due'], { n: of.owed_n })}</Badge>
    )
  if (of.to_ship_n > 0)
    return (
      <Badge tone={of.raise.ship_at < unixNow() ? 'bad' : 'info'}>
        {say(['{n} 单待发货', '{n} to ship'], { n: of.to_ship_n })}
      </Badge>
    )
  return <span className="m-muted">—</span>
}

type Dues = NonNullable<OrderRow['dues']>
export const balances: Readonly<Record<Dues['balance'], Text>> = {
  none: ['成功后付', 'After success'],
  due: ['待付', 'Due'],
  paid: ['已付', 'Paid'],
  lapsed: ['超时未付', 'Not paid in time'],
}
const balanceTones: Readonly<Record<Dues['balance'], ToneName>> = {
  none: 'plain',
  due: 'warn',
  paid: 'plain',
  lapsed: 'bad',
}
/** The campaign of an order, and the two parts of its price. */
export const raiseColumns = {
  campaign: {
    key: 'campaign',
    title: ['场次', 'Campaign'],
    width: 168,
    grow: true,
    cell: row => row.raise?.title ?? '—',
    words: row => row.raise?.title ?? '',
  },
  raise: {
    key: 'raise',
    title: ['众筹', 'Campaign is'],
    width: 92,
    cell: row => row.raise && <RaiseBadge of={row.raise} />,
  },
  mode: {
    key: 'mode',
    title: ['方式', 'Mode'],
    width: 52,
    cell: row => row.raise && <Mode of={row.raise} />,
  },
  deposit: {
    key: 'deposit',
    title: ['定金', 'Deposit'],
    width: 80,
    align: 'end',
    cell: row =>
      row.dues ? <Money cents={row.dues.deposit_cents} /> : <span className="m-muted">—</span>,
  },
  balance: {
    key: 'balance',
    title: ['尾款', 'Balance'],
    width: 132,
    align: 'end',
    cell: row => (row.dues ? <Balance of={row.dues} /> : <span className="m-muted">—</span>),
  },
  ships: {
    key: 'ships',
    title: ['承诺发货', 'Promised'],
    width: 104,
    cell: row => <When at={row.raise?.ship_at ?? null} />,
  },
} satisfies Record<string, Column<OrderRow>>
const Balance = ({ of }: { of: Dues }) => {
  const say = useSay()
  return (
    <>
      <Money cents={of.balance_cents} />{' '}
      <span className="ra-words" data-tone={balanceTones[of.balance]}>
        {say(balances[of.balance])}
      </span>
    </>
  )
}
