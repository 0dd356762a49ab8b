import type { ReactNode } from 'react'
import { filmStatActions as actions } from '#commands/film/datastat.ts'
import { ticketProviders } from '#src/areas/film/film.ts'
import { STAT_DAYS, statBases, statBy } from '#src/areas/filmStat/filmStat.ts'
import type { Result } from '#src/contract/call.ts'
import { percent, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { dateOf, timeFull } from '#src/domain/time.ts'
import { moneyColumn, numberColumn, textColumn } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { Period } from '#src/kit/period.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Money, shortYuan } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useAction } from '#src/kit/workbench.ts'
import { filmDatastat as calls, type FilmStatRow as Row } from '../contract/datastat.ts'
import '../parts/datastat.css'

type Told = Result<typeof calls.lst>
type Sums = Told['sums']
const BARS = 12
const share = (bp: number | null): string => (bp === null ? '—' : percent(bp))
/** How much more or less it is than it was before. */
const Change = ({ now, before }: { now: number; before: number | undefined }) => {
  const say = useSay()
  if (!before) return <span className="m-muted">{say(['上期无', 'none before'])}</span>
  const bp = Math.round(((now - before) * 10_000) / before)
  return (
    <span className="m-muted">
      {bp >= 0 ? '+' : '−'}
      {percent(Math.abs(bp))}
    </span>
  )
}
const Seconds = ({ of }: { of: number | null }) => {
  const say = useSay()
  return <>{of === null ? '—' : say(['{n} 秒', '{n} s'], { n: of })}</>
}
const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['名称', 'Name'], 150), grow: true },
  numberColumn('orders', ['订单数', 'Orders'], 76),
  numberColumn('seats', ['座位数', 'Seats'], 76),
  moneyColumn('box_cents', ['票房', 'Box office'], 108),
  {
    key: 'before',
    title: ['较上期', 'Against before'],
    width: 96,
    align: 'end',
    optional: true,
    cell: row => <Change now={row.box_cents ?? 0} before={row.before?.box_cents} />,
  },
  { ...moneyColumn('average_cents', ['平均票价', 'Average'], 88), priority: 2 },
  { ...moneyColumn('coupon_cents', ['优惠券', 'Coupons'], 92), priority: 3 },
  { ...moneyColumn('subsidy_cents', ['补贴', 'Subsidy'], 92), priority: 3 },
  moneyColumn('profit_cents', ['利润', 'Profit'], 108),
  {
    key: 'success_bp',
    title: ['出票成功率', 'Issue rate'],
    width: 96,
    align: 'end',
    priority: 2,
    cell: row => share(row.success_bp),
  },
  {
    key: 'wait_s',
    title: ['平均出票', 'To issue'],
    width: 84,
    align: 'end',
    priority: 3,
    cell: row => <Seconds of={row.wait_s} />,
  },
  { ...moneyColumn('refunded_cents', ['退款金额', 'Refunded'], 96), priority: 3 },
  {
    key: 'refund_bp',
    title: ['退票率', 'Refund rate'],
    width: 96,
    align: 'end',
    priority: 2,
    cell: row => share(row.refund_bp),
  },
  numberColumn('new_buyers', ['新客数', 'New buyers'], 84),
]

const Total = ({ told }: { told: Told }) => {
  const say = useSay()
  const { sums: total, sums_before: before } = told
  const one = (label: Text, value: ReactNode, of?: (sums: Sums) => number | null | undefined) => (
    <span>
      <span className="m-muted">{say(label)}</span> {value}{' '}
      {before && of && <Change now={of(total) ?? 0} before={of(before) ?? undefined} />}
    </span>
  )
  return (
    <div className="fi-sums" role="status" aria-label={say(['合计', 'Totals'])}>
      {one(['票房', 'Box office'], <Money cents={total.box_cents} sign />, sums => sums.box_cents)}
      {one(['订单', 'Orders'], total.orders.toLocaleString('en-US'), sums => sums.orders)}
      {one(['座位', 'Seats'], total.seats.toLocaleString('en-US'), sums => sums.seats)}
      {one(['利润', 'Profit'], <Money cents={total.profit_cents} sign />)}
      {one(['出票成功率', 'Issue rate'], share(total.success_bp))}
      {one(['退票率', 'Refund rate'], share(total.refund_bp))}
      {one(['新客', 'New buyers'], total.new_buyers.toLocaleString('en-US'), of => of.new_buyers)}
      <span className="m-muted">
        {say(['{from} 至 {to}，截至 {at}', '{from} to {to}, as of {at}'], {
          from: dateOf(told.from),
          to: dateOf(told.to - 1),
          at: timeFull(told.counted_at),
        })}
      </span>
    </div>
  )
}
/** Box office over the days that are shown, or of those who brought the most. */
const Drawn = ({ rows, by }: { rows: readonly Row[]; by: keyof typeof statBy }) => {
  const say = useSay()
  if (rows.length === 0) return null
  const days = by === 'day'
  const some = days ? [...rows].reverse() : rows.slice(0, BARS)
  return (
    <div className="fi-chart">
      <Chart
        label={say(['票房与利润', 'Box office and profit'])}
        categories={some.map(row => (days ? row.name.slice(5) : row.name))}
        format={yuan}
        axis={cents => shortYuan(cents, say)}
        unit={say(['元', 'yuan'])}
        height={150}
        series={[
          {
            name: say(['票房', 'Box office']),
            kind: days ? 'line' : 'bar',
            values: some.map(row => row.box_cents ?? 0),
          },
          {
            name: say(['利润', 'Profit']),
            kind: days ? 'line' : 'bar',
            values: some.map(row => row.profit_cents ?? 0),
          },
        ]}
      />
    </div>
  )
}
/** The films to choose among, as a filter of the list. */
const FilmFilter = ({ of }: { of: ListState<Row> }) => {
  const say = useSay()
  const { data } = useRead(calls.films, {})
  const options = [
    { value: '', label: say(['全部', 'All']) },
    ...(data?.list ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  return <Choice of={of} by="film_id" label={say(['影片', 'Film'])} options={options} named />
}

/** Days, films, cinemas, places and providers of film tickets, compared and opened finer. */
export default function FilmStatistics() {
  const say = useSay()
  const list = useList(calls.lst)
  const { by = 'day', compare = false } = list.input
  const read = useRead(calls.lst, list.input)
  useAction(actions.compare, () => list.filter({ compare: compare ? undefined : '1' }))
  useExport(actions.export, calls.export, { list })
  return (
    <div className="fi-stat">
      {read.data ? <Total told={read.data} /> : <div className="fi-sums" />}
      <Drawn rows={list.rows} by={by} />
      <List
        of={list}
        label={say(['影票数据', 'Film statistics'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={
          <>
            <Choice of={list} by="by" label={say(['维度', 'View'])} words={statBy} always />
            <Choice
              of={list}
              by="basis"
              label={say(['退款口径', 'Refunds'])}
              words={statBases}
              always
            />
            <Period
              of={list}
              from="from"
              to="to"
              most={STAT_DAYS}
              usual={['近 30 天', 'Last 30 days']}
            />
            <CityFilter of={list} />
            <MallFilter of={list} />
            <FilmFilter of={list} />
            <Choice
              of={list}
              by="provider"
              label={say(['渠道', 'Provider'])}
              words={ticketProviders}
            />
          </>
        }
      />
    </div>
  )
}
