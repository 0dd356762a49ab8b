import { useMemo } from 'react'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { useRested } from '#src/kit/rested.ts'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { risk as calls } from '../contract/risk.ts'

/** What a rule hit day by day: what was a risk is red, what was none is grey. */
export const RuleDays = ({ rule_id }: { rule_id: number }) => {
  const say = useSay()
  const [shown] = useRested(rule_id)
  const read = useRead(calls.ruleDays, { rule_id: shown })
  const days = read.currentData?.days
  const categories = useMemo(() => days?.map(({ day }) => day.slice(5)) ?? [], [days])
  const series = useMemo(
    () => [
      {
        name: say(['确认风险', 'Confirmed']),
        kind: 'bar' as const,
        stacked: true,
        tone: 'bad' as const,
        values: days?.map(day => day.confirmed) ?? [],
      },
      {
        name: say(['待处理', 'Waiting']),
        kind: 'bar' as const,
        stacked: true,
        values: days?.map(day => day.waiting) ?? [],
      },
      {
        name: say(['误报', 'False alarms']),
        kind: 'bar' as const,
        stacked: true,
        tone: 'muted' as const,
        values: days?.map(day => day.released) ?? [],
      },
    ],
    [days, say],
  )
  const none = days?.every(day => day.waiting + day.released + day.confirmed === 0)
  return (
    <Answer of={read} lines={5}>
      {() =>
        none ? (
          <p className="m-muted">{say(['近 30 天没有命中。', 'It hit nothing in 30 days.'])}</p>
        ) : (
          <Chart
            label={say(['近 30 天每日命中', 'Hits by day, 30 days'])}
            height={180}
            unit={say(['次', 'hits'])}
            categories={categories}
            series={series}
          />
        )
      }
    </Answer>
  )
}
