import { weekdays } from '#src/areas/channelCode/codeRules.ts'
import type { Result } from '#src/contract/call.ts'
import { percent } from '#src/domain/money.ts'
import { hoursOfDay } from '#src/domain/time.ts'
import { Chart } from '#src/kit/chart.tsx'
import { useSay } from '#src/kit/text.ts'
import type { channelStatistics } from '../contract/statistics.ts'
import './channel.css'

type Overview = Result<typeof channelStatistics.overview>
/** A rate in basis points; nothing to divide by is a dash, never 0 %. */
export const share = (bp: number | null): string => (bp === null ? '—' : percent(bp))

/** Scans, adds, losses and what is left of them, day by day. */
const Trend = ({ days }: Pick<Overview, 'days'>) => {
  const say = useSay()
  const line = (zh: string, en: string, of: (one: Overview['days'][number]) => number) => ({
    name: say([zh, en]),
    kind: 'line' as const,
    values: days.map(of),
  })
  // Scans are many times the adds: on one axis they would press every other line flat.
  const scans = { ...line('扫码', 'Scans', one => one.scans), right: true, faint: true }
  return (
    <Chart
      label={say(['每日趋势', 'Daily trend'])}
      categories={days.map(one => one.day.slice(5))}
      height={150}
      unit={say(['客户', 'Customers'])}
      unitRight={say(['扫码', 'Scans'])}
      series={[
        scans,
        line('新增', 'Adds', one => one.adds),
        line('再次添加', 'Re-adds', one => one.re_adds),
        line('流失', 'Lost', one => one.lost),
        line('当日流失', 'Lost the same day', one => one.lost_same_day),
        line('净增', 'Net', one => one.net),
      ]}
    />
  )
}
const Funnel = ({ funnel }: Pick<Overview, 'funnel'>) => {
  const say = useSay()
  const steps = [
    [say(['扫码', 'Scans']), funnel.scans],
    [say(['添加人数', 'Added']), funnel.added],
    [say(['绑定会员', 'Members']), funnel.bound],
    [say(['30 天内下单', 'Ordered']), funnel.ordered],
    [say(['核销', 'Used']), funnel.verified],
  ] as const
  return (
    <div className="ch-funnel">
      <Chart
        label={say(['转化漏斗', 'Funnel'])}
        categories={steps.map(([name, n]) => `${name} ${n.toLocaleString('en-US')}`)}
        height={150}
        lying
        series={[
          {
            name: say(['数量', 'Number']),
            kind: 'bar',
            values: steps.map(([, n]) => n),
          },
        ]}
      />
    </div>
  )
}
/** Adds by the hour of the week: the more there were the darker. */
const Heat = ({ hours }: Pick<Overview, 'hours'>) => {
  const say = useSay()
  const most = Math.max(1, ...hours.map(one => one.adds))
  const of = (weekday: number, hour: number) =>
    hours.find(one => one.weekday === weekday && one.hour === hour)
  return (
    <div className="ch-heat" role="img" aria-label={say(['分时新增热力图', 'Adds by hour'])}>
      <strong>{say(['新增', 'Adds'])}</strong>
      {[0, 6, 12, 18].map(hour => (
        <small key={hour}>{`${hour}:00`}</small>
      ))}
      {weekdays.map((text, n) => [
        <span key={text[1]}>{say(text)}</span>,
        ...hoursOfDay.map(hour => {
          const one = of(n + 1, hour)
          return (
            <i
              key={`${n}:${hour}`}
              style={{ '--ch-heat': `${Math.round(((one?.adds ?? 0) * 100) / most)}%` } as object}
              title={say(
                [
                  '{day} {hour}:00 新增 {adds}，扫码 {scans}',
                  '{day} {hour}:00: {adds} adds, {scans} scans',
                ],
                {
                  day: say(text),
                  hour,
                  adds: one?.adds ?? 0,
                  scans: one?.scans ?? 0,
                },
              )}
            />
          )
        }),
      ])}
    </div>
  )
}
/** How channels went: over the days, how far people came, and at which hours. */
export const ChannelCharts = ({ of }: { of: Overview }) => (
  <div className="ch-charts">
    <Trend days={of.days} />
    <Funnel funnel={of.funnel} />
    <Heat hours={of.hours} />
  </div>
)
