import { useMemo } from 'react'
import type { Result } from '#src/contract/call.ts'
import { percent } from '#src/domain/money.ts'
import { Chart } from '#src/kit/chart.tsx'
import { Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { look } from '../contract.ts'

type Figures = Result<typeof look.figures>
const ROW = 34
const heightOf = (rows: number): number => 80 + rows * ROW

/** How often the second person said otherwise, reviewer by reviewer, beside the mean of all. */
const Disagreement = ({ list }: { list: Figures['list'] }) => {
  const say = useSay()
  const looked = useMemo(() => list.filter(one => one.looked > 0), [list])
  const all = looked.reduce((sum, one) => sum + one.looked, 0)
  const mean = Math.round((looked.reduce((sum, one) => sum + one.differ, 0) / all) * 10_000)
  const categories = useMemo(() => looked.map(one => one.name), [looked])
  const series = useMemo(
    () => [
      {
        name: say(['分歧率', 'Disagreement']),
        kind: 'bar' as const,
        tone: 'bad' as const,
        values: looked.map(one => one.differ_bp),
      },
    ],
    [looked, say],
  )
  const limits = useMemo(
    () => [
      {
        value: mean,
        tone: 'muted' as const,
        label: say(['平均 {v}', 'Mean {v}'], { v: percent(mean) }),
      },
    ],
    [mean, say],
  )
  if (looked.length === 0) return null
  return (
    <Section title={say(['各审核员分歧率', 'Disagreement by reviewer'])}>
      <Chart
        label={say(['各审核员分歧率', 'Disagreement by reviewer'])}
        lying
        height={heightOf(looked.length)}
        categories={categories}
        format={percent}
        step={500}
        most={10_000}
        series={series}
        limits={limits}
      />
    </Section>
  )
}
/** How much each reviewer decided, and how long one took. */
const Throughput = ({ list }: { list: Figures['list'] }) => {
  const say = useSay()
  const categories = useMemo(() => list.map(one => one.name), [list])
  const series = useMemo(
    () => [
      {
        name: say(['审核', 'Decided']),
        kind: 'bar' as const,
        values: list.map(one => one.decided),
      },
      {
        name: say(['每条用时（中位数）', 'Seconds each (median)']),
        kind: 'points' as const,
        right: true,
        tone: 'muted' as const,
        values: list.map(one => one.seconds),
      },
    ],
    [list, say],
  )
  return (
    <Section title={say(['审核量与用时', 'Decisions and time taken'])}>
      <Chart
        label={say(['各审核员审核量与用时', 'Decisions and time taken by reviewer'])}
        categories={categories}
        unit={say(['条', 'decisions'])}
        unitRight={say(['秒', 's'])}
        series={series}
      />
    </Section>
  )
}
export const LookCharts = ({ list }: { list: Figures['list'] }) => (
  <div className="a-charts">
    <Throughput list={list} />
    <Disagreement list={list} />
  </div>
)
