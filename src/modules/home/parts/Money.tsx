import { SegmentedControl } from '@blueprintjs/core'
import { useMemo } from 'react'
import type { Result } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { shortYuan } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { home as calls } from '../contract.ts'
import { HOURS_OF_DAY, Panel } from './Panel.tsx'

type Today = Result<typeof calls.today>
type Metric = 'gmv' | 'verified' | 'refunded' | 'orders'
const metrics: Readonly<Record<Metric, { title: Text; today: Text; money: boolean; bad?: true }>> =
  {
    gmv: { title: ['交易额', 'Sales'], today: ['今日交易额', 'Sales today'], money: true },
    verified: {
      title: ['核销额', 'Redeemed'],
      today: ['今日核销额', 'Redeemed today'],
      money: true,
    },
    refunded: {
      title: ['退款额', 'Refunded'],
      today: ['今日退款额', 'Refunded today'],
      money: true,
      bad: true,
    },
    orders: { title: ['订单数', 'Orders'], today: ['今日订单', 'Orders today'], money: false },
  }
const keys = Object.keys(metrics) as Metric[]

/** Whether a change is welcome: more of what is bad is not, and less of it is. */
export const moodOf = (change: number, bad: boolean): 'good' | 'bad' | 'even' => {
  if (change === 0) return 'even'
  return change > 0 === bad ? 'bad' : 'good'
}
const arrow = (change: number): string => {
  if (change === 0) return ''
  return change > 0 ? '↑' : '↓'
}
/** Against what was: up or down in percent; 新 where there was nothing to compare with. */
export const Than = ({
  label,
  now,
  before,
  bad = false,
}: {
  label: string
  now: number
  before: number
  bad?: boolean | undefined
}) => {
  const say = useSay()
  if (before === 0)
    return (
      <span>
        {label} {now === 0 ? '—' : say(['新', 'new'])}
      </span>
    )
  const change = Math.round(((now - before) / before) * 1000) / 10
  return (
    <span>
      {label}{' '}
      <span className={`h-${moodOf(change, bad)}`}>
        {arrow(change)}
        {Math.abs(change)}%
      </span>
    </span>
  )
}

/** Today's figures until now, beside the same hours of yesterday and of a week ago. */
export const Figures = ({ of }: { of: Today }) => {
  const say = useSay()
  return (
    <dl className="h-figures">
      {keys.map(key => {
        const { today, money, bad } = metrics[key]
        const one = of[key]
        return one === undefined ? null : (
          <div key={key}>
            <dt>{say(today)}</dt>
            <dd>
              <div className="h-value">
                {money ? `¥${yuan(one.now)}` : one.now.toLocaleString()}
              </div>
              <div className="h-than">
                <Than
                  label={say(['较昨日此时', 'vs yesterday'])}
                  now={one.now}
                  before={one.yesterday}
                  bad={bad}
                />
                <Than
                  label={say(['较上周同日', 'vs last week'])}
                  now={one.now}
                  before={one.last_week}
                  bad={bad}
                />
              </div>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** The day hour by hour, beside yesterday and the same weekday of last week. */
export const Hours = ({ filter }: { filter: { city_id?: number } }) => {
  const say = useSay()
  const read = useRead(calls.hours, filter)
  const [chosen, choose] = usePaneState<Metric>('hours', 'gmv')
  const offered = keys.filter(key => read.data?.[key] !== undefined)
  const metric = offered.includes(chosen) ? chosen : 'orders'
  const { title, money, bad } = metrics[metric]
  const one = read.data?.[metric]
  const format = useMemo(
    () => (value: number) => (money ? `¥${yuan(value)}` : value.toLocaleString('en')),
    [money],
  )
  const axis = useMemo(
    () => (value: number) => (money ? shortYuan(value, say) : String(value)),
    [money, say],
  )
  const series = useMemo(
    () =>
      one === undefined
        ? []
        : [
            {
              name: say(['今日', 'Today']),
              kind: 'bar' as const,
              values: one.today,
              ...(bad && { tone: 'bad' as const }),
            },
            { name: say(['昨日', 'Yesterday']), values: one.yesterday, tone: 'muted' as const },
            {
              name: say(['上周同日', 'A week ago']),
              values: one.last_week,
              tone: 'muted' as const,
              faint: true,
            },
          ],
    [one, bad, say],
  )
  return (
    <Panel
      title={say(['今日分时', 'Today by the hour'])}
      aside={
        <SegmentedControl
          size="small"
          aria-label={say(['指标', 'Figure'])}
          value={metric}
          onValueChange={value => choose(value as Metric)}
          options={offered.map(key => ({ value: key, label: say(metrics[key].title) }))}
        />
      }
    >
      {read.error && !read.data && <Failed error={read.error} retry={read.refetch} />}
      {!read.data && !read.error && <Loading lines={5} />}
      {one && (
        <Chart
          label={say(['今日每小时{what}', '{what} by the hour'], { what: say(title) })}
          categories={HOURS_OF_DAY}
          format={format}
          axis={axis}
          step={money ? undefined : 1}
          unit={money ? say(['元', 'yuan']) : say(['单', 'orders'])}
          series={series}
        />
      )}
    </Panel>
  )
}
