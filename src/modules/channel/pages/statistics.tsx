import type { ReactNode } from 'react'
import { statisticsActions as actions } from '#commands/channel/statistics.ts'
import { channelBy, CHANNEL_DAYS } from '#src/areas/channelCode/stat.ts'
import type { Result } from '#src/contract/call.ts'
import { percent } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { moneyColumn, numberColumn, textColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { Period } from '#src/kit/period.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { Badge, Figure, Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useAnswered, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { channelCodes } from '../contract/code.ts'
import { channelStatistics as calls, type ChannelStatRow as Row } from '../contract/statistics.ts'
import { ChannelCharts, share } from '../parts/ChannelFigures.tsx'

type Told = Result<typeof calls.lst>
const PICKS = 200
const Change = ({ now, before }: { now: number; before: number | undefined }) => {
  const say = useSay()
  if (!before) return <span className="m-muted">{say(['对比期无', 'no prior data'])}</span>
  const bp = Math.round(((now - before) * 10_000) / Math.abs(before))
  return (
    <span className="m-muted">
      {bp >= 0 ? '+' : '−'}
      {percent(Math.abs(bp))}
    </span>
  )
}
const rate = (
  key: 'add_bp' | 'retained_bp' | 'bound_bp' | 'first_bp' | 'roi_bp',
  title: Text,
  priority: 1 | 2 | 3 | 4,
): Column<Row> => ({
  key,
  title,
  width: 76,
  align: 'end',
  priority,
  cell: row => share(row[key]),
})
const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['名称', 'Name'], 150), grow: true },
  numberColumn('scans', ['扫码', 'Scans'], 64),
  numberColumn('adds', ['新增', 'Adds'], 64),
  {
    key: 'before',
    title: ['新增较对比期', 'vs. previous'],
    width: 104,
    align: 'end',
    optional: true,
    cell: row => <Change now={row.adds} before={row.before?.adds} />,
  },
  { ...numberColumn('people', ['人数', 'People'], 64), priority: 3 },
  { ...numberColumn('re_adds', ['再次添加', 'Re-adds'], 76), priority: 4 },
  { ...numberColumn('lost', ['流失', 'Lost'], 64), priority: 1 },
  { ...numberColumn('lost_same_day', ['当日流失', 'Same day'], 76), priority: 3 },
  numberColumn('net', ['净增', 'Net'], 64),
  rate('add_bp', ['添加率', 'Add rate'], 1),
  rate('retained_bp', ['7 日留存', 'Kept 7 d'], 1),
  rate('bound_bp', ['绑定率', 'Linked'], 2),
  rate('first_bp', ['首单率', 'First order'], 2),
  { ...moneyColumn('paid_cents', ['支付金额', 'Paid'], 100), priority: 1 },
  { ...moneyColumn('cost_cents', ['成本', 'Cost'], 88), priority: 2 },
  { ...moneyColumn('cost_per_add', ['单个成本', 'Per add'], 84), priority: 2 },
  rate('roi_bp', ['投产比', 'ROI'], 2),
]
/** While ranges are compared each row says how it did against before. */
const compared = columns.map(column =>
  column.key === 'before' ? { ...column, optional: false } : column,
)
const Total = ({ told }: { told: Told }) => {
  const say = useSay()
  const { sums, sums_before: before } = told
  const one = (label: Text, value: ReactNode, now?: number, was?: number) => (
    <span>
      <span className="m-muted">{say(label)}</span>{' '}
      {typeof value === 'number' ? <Figure of={value} /> : value}{' '}
      {before && now !== undefined && <Change now={now} before={was} />}
    </span>
  )
  return (
    <div className="ch-sums" role="status" aria-label={say(['合计', 'Totals'])}>
      {one(['扫码', 'Scans'], sums.scans, sums.scans, before?.scans)}
      {one(['新增', 'Adds'], sums.adds, sums.adds, before?.adds)}
      {one(['人数', 'People'], sums.people, sums.people, before?.people)}
      {one(['流失', 'Lost'], sums.lost, sums.lost, before?.lost)}
      {one(['净增', 'Net'], sums.net, sums.net, before?.net)}
      {one(['7 日留存', 'Kept 7 d'], share(sums.retained_bp))}
      {one(['支付', 'Paid'], <Money cents={sums.paid_cents} sign />)}
      {one(['成本', 'Cost'], <Money cents={sums.cost_cents} sign />)}
      {one(['投产比', 'ROI'], share(sums.roi_bp))}
      <span className="m-muted">
        {say(['{from} 至 {to}', '{from} to {to}'], {
          from: dateOf(told.from),
          to: dateOf(told.to - 1),
        })}
      </span>
      {told.before_from !== null && (
        <span className="m-muted">
          {say(['对比 {from} 起', 'vs. from {from}'], { from: dateOf(told.before_from) })}
        </span>
      )}
      {told.partial && <Badge tone="info">{say(['含今日，未完', 'Includes today'])}</Badge>}
    </div>
  )
}
const Filters = ({ of }: { of: ListState<Row> }) => {
  const say = useSay()
  const groups = useRead(channelCodes.groups, {})
  const staff = useRead(channelCodes.staff, { page: 1, pageSize: PICKS })
  return (
    <>
      <Choice of={of} by="by" label={say(['维度', 'View by'])} words={channelBy} always />
      <Period
        of={of}
        from="from"
        to="to"
        most={CHANNEL_DAYS}
        usual={['近 30 天', 'Last 30 days']}
      />
      <MallFilter of={of} />
      <Choice
        of={of}
        by="group"
        label={say(['分组', 'Group'])}
        options={(groups.data?.list ?? []).map(one => ({ value: one.name, label: one.name }))}
      />
      <Choice
        of={of}
        by="staff_id"
        label={say(['成员', 'Member'])}
        options={(staff.data?.list ?? []).map(one => ({ value: one.id, label: one.name }))}
      />
    </>
  )
}

/** Channels compared: what they bring, what stays, what it costs, and at which hours. */
export default function ChannelStatistics() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const { compare = false, from, to, mid, group, staff_id } = list.input
  const told = useRead(calls.lst, list.input).data
  const narrow = {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(mid !== undefined && { mid }),
    ...(group && { group }),
    ...(staff_id !== undefined && { staff_id }),
  }
  const overview = useRead(calls.overview, narrow).data
  useAnswered(actions.compare, answers => {
    const begin = answers['from'] as number | undefined
    list.filter({
      compare: compare && begin === undefined ? undefined : '1',
      compare_from: begin,
    })
  })
  useResult(actions.rebuild, ({ days }) => {
    toast(say(['已重算 {n} 天', '{n} days recalculated'], { n: days }), 'success')
    return true
  })
  useExport(actions.export, calls.export, { list })
  return (
    <div className="ch-stat">
      {told ? <Total told={told} /> : <div className="ch-sums" />}
      {overview ? <ChannelCharts of={overview} /> : <div className="ch-charts" />}
      <List
        of={list}
        label={say(['渠道统计', 'Channel statistics'])}
        columns={compare ? compared : columns}
        actions={Object.values(actions)}
        filters={<Filters of={list} />}
      />
    </div>
  )
}
