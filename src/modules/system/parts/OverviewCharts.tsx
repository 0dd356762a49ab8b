import { Button } from '@blueprintjs/core'
import { useMemo, type ReactNode } from 'react'
import {
  compareModes,
  type CompareMode,
  type Metric,
  type OrderBucket,
} from '#src/areas/figures/overview.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import type { Result } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import { Chart } from '#src/kit/chart.tsx'
import { shortYuan } from '#src/kit/show.tsx'
import { Empty, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import type { dataIndex as calls } from '../contract/dataIndex.ts'
import { OrderShare } from './orderShare.tsx'
import { OverviewRanking } from './OverviewRanking.tsx'

type Trend = Result<typeof calls.trend>
type Ranking = Result<typeof calls.ranking>
type By = 'city' | 'mall' | 'store'
/** Puts filters of the page, which stand in its address. */
type Set = (patch: Record<string, string | number | undefined>) => void

const money = (value: number) => `¥${yuan(value)}`
const percentOf = (value: number) => `${(value / 100).toFixed(1)}%`
const WHOLE = 10_000
const [BASE, ROW] = [64, 28]
const useAxis = () => {
  const say = useSay()
  return useMemo(() => (value: number) => shortYuan(value, say), [say])
}
const Part = ({
  title,
  wide = false,
  children,
}: {
  title: ReactNode
  wide?: boolean
  children: ReactNode
}) => (
  <section data-wide={wide || undefined}>
    <h3>{title}</h3>
    {children}
  </section>
)

const Flows = ({ trend, compare, set }: { trend: Trend; compare: CompareMode; set: Set }) => {
  const say = useSay()
  const axis = useAxis()
  const sales = say(['成交额', 'Sales'])
  const { days, compared } = trend
  return (
    <Part wide title={say(['成交、核销与退款', 'Sales, redemptions, refunds'])}>
      <Chart
        label={say(['每日成交额、核销额与退款额', 'Sales, redemptions and refunds by day'])}
        categories={days.map(day => day.date.slice(5))}
        format={money}
        axis={axis}
        unit={say(['元', 'yuan'])}
        series={[
          { name: sales, values: days.map(day => day.gmv_cents ?? null) },
          {
            name: say(['核销额', 'Redeemed']),
            values: days.map(day => day.verified_cents ?? null),
          },
          {
            name: say(['退款额', 'Refunded']),
            tone: 'bad',
            values: days.map(day => day.refunded_cents ?? null),
          },
          ...(compared.length > 0
            ? [
                {
                  name: `${sales} · ${say(compareModes[compare])}`,
                  values: compared.map(day => day.gmv_cents ?? null),
                  faint: true,
                  tone: 'muted' as const,
                },
              ]
            : []),
        ]}
        onPick={at => set({ from: days[at]!.date, to: days[at]!.date, metric: 'gmv' })}
      />
    </Part>
  )
}
const Rates = ({ days }: { days: Trend['days'] }) => {
  const say = useSay()
  return (
    <Part title={say(['退款率与新增会员', 'Refund rate and new members'])}>
      <Chart
        label={say(['每日退款率与新增会员', 'Refund rate and new members by day'])}
        categories={days.map(day => day.date.slice(5))}
        formatRight={percentOf}
        mostRight={WHOLE}
        unit={say(['人', 'people'])}
        unitRight={say(['退款率', 'Refund rate'])}
        series={[
          {
            name: say(['新增会员', 'New members']),
            kind: 'bar',
            values: days.map(day => day.new_members),
          },
          {
            name: say(['退款率', 'Refund rate']),
            tone: 'bad',
            values: days.map(day => day.refund_rate_bp),
            right: true,
          },
        ]}
      />
    </Part>
  )
}
const NoSales = () => {
  const say = useSay()
  return <Empty title={say(['这一期没有成交', 'No sales in this period'])} />
}
const Kinds = ({ kinds, set }: { kinds: Trend['kinds']; set: Set }) => {
  const say = useSay()
  const axis = useAxis()
  return (
    <Part title={say(['订单类型构成', 'Sales by order type'])}>
      {kinds.length === 0 ? (
        <NoSales />
      ) : (
        <Chart
          label={say(['各订单类型的成交额', 'Sales by order type'])}
          lying
          height={BASE + kinds.length * ROW}
          categories={kinds.map(one => say(orderKinds[one.kind]))}
          format={money}
          axis={axis}
          series={[
            {
              name: say(['成交额', 'Sales']),
              kind: 'bar',
              values: kinds.map(one => one.gmv_cents ?? null),
            },
          ]}
          onPick={at => set({ kind: kinds[at]!.kind })}
        />
      )}
    </Part>
  )
}

const places = {
  city: ['城市', 'Cities'],
  mall: ['商场', 'Malls'],
  store: ['门店', 'Stores'],
} as const satisfies Record<By, readonly [string, string]>
const Places = ({ ranking, by, set }: { ranking: Ranking | undefined; by: By; set: Set }) => {
  const say = useSay()
  const axis = useAxis()
  const take = (row: Ranking['list'][number]) =>
    set(by === 'city' ? { city_id: row.id } : { mid: row.id })
  const drawn = () => {
    if (!ranking) return <Loading lines={6} />
    if (ranking.list.length === 0) return <NoSales />
    return (
      <OverviewRanking
        list={ranking.list}
        format={money}
        axis={axis}
        take={by === 'store' ? undefined : take}
      />
    )
  }
  return (
    <Part
      title={
        <>
          {say(['排行', 'Ranking'])}
          <span role="radiogroup" aria-label={say(['排行对象', 'Ranked'])} className="ov-by">
            {(Object.keys(places) as By[]).map(one => (
              <Button
                key={one}
                size="small"
                variant="minimal"
                role="radio"
                aria-checked={by === one}
                active={by === one}
                onClick={() => set({ by: one })}
              >
                {say(places[one])}
              </Button>
            ))}
          </span>
        </>
      }
    >
      {drawn()}
    </Part>
  )
}

/**
 * What the figures of a period look like. Two or three stand in a row, and they are as tall as the
 * page lets them be.
 */
export const OverviewCharts = ({
  trend,
  orders,
  compare,
  ranking,
  by,
  set,
  open,
}: {
  trend: Trend
  orders: Readonly<Record<OrderBucket, { count: number }>> | undefined
  compare: CompareMode
  ranking: Ranking | undefined
  by: By
  set: Set
  open: (metric: Metric) => void
}) => {
  const say = useSay()
  return (
    <div className="ov-charts">
      <Part title={say(['订单状态占比', 'Orders by status'])}>
        {orders && <OrderShare of={orders} open={open} />}
      </Part>
      <Kinds kinds={trend.kinds} set={set} />
      <Flows trend={trend} compare={compare} set={set} />
      <Rates days={trend.days} />
      <Places ranking={ranking} by={by} set={set} />
    </div>
  )
}
