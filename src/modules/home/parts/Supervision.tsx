import { useMemo } from 'react'
import { Link } from 'wouter'
import { look, lookFigures } from '#commands/pages/audit.ts'
import type { Result } from '#src/contract/call.ts'
import { percent } from '#src/domain/money.ts'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { Unanswered } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { home as calls } from '../contract.ts'
import { HOURS_OF_DAY, Panel } from './Panel.tsx'

type Told = Result<typeof calls.supervision>

const Throughput = ({ of }: { of: Told['decided'] }) => {
  const say = useSay()
  const series = useMemo(
    () => [
      { name: say(['通过', 'Approved']), kind: 'bar' as const, stacked: true, values: of.approved },
      {
        name: say(['驳回', 'Rejected']),
        kind: 'bar' as const,
        stacked: true,
        tone: 'warn' as const,
        values: of.rejected,
      },
      {
        name: say(['要求补充', 'Asked for more']),
        kind: 'bar' as const,
        stacked: true,
        tone: 'muted' as const,
        values: of.asked,
      },
      {
        name: say(['近 7 天平均', '7-day average']),
        tone: 'muted' as const,
        faint: true,
        values: of.usual,
      },
    ],
    [of, say],
  )
  return (
    <Panel title={say(['今日每小时审核量', 'Decided by the hour'])}>
      <Chart
        label={say(['今日每小时审核量', 'Decided by the hour'])}
        categories={HOURS_OF_DAY}
        unit={say(['条', 'decisions'])}
        series={series}
      />
    </Panel>
  )
}
const Ageing = ({ of }: { of: Told['ageing'] }) => {
  const say = useSay()
  const { open } = useWorkbench()
  const categories = useMemo(() => of.map(one => one.title), [of])
  const series = useMemo(
    () =>
      (
        [
          ['late', say(['已超时', 'Late']), 'bad'],
          ['soon', say(['4 小时内到时限', 'Due in 4 h']), 'warn'],
          ['today', say(['24 小时内', 'Due in 24 h']), undefined],
          ['later', say(['24 小时以上', 'Due later']), 'muted'],
        ] as const
      ).map(([key, name, tone]) => ({
        name,
        kind: 'bar' as const,
        stacked: true,
        values: of.map(one => one[key]),
        ...(tone && { tone }),
      })),
    [of, say],
  )
  return (
    <Panel title={say(['各队列积压', 'Backlog by queue'])}>
      <Chart
        label={say(['各队列积压', 'Backlog by queue'])}
        lying
        categories={categories}
        series={series}
        onPick={at => open(of[at]!.target)}
      />
    </Panel>
  )
}
const Disagreement = ({ of }: { of: Told }) => {
  const say = useSay()
  const lang = useLang()
  const { me } = useWorkbench()
  const categories = useMemo(() => of.looks.map(day => day.date.slice(5)), [of])
  const series = useMemo(
    () => [
      {
        name: say(['已复看', 'Reviewed']),
        kind: 'bar' as const,
        tone: 'muted' as const,
        values: of.looks.map(day => day.looked),
      },
      {
        name: say(['分歧率', 'Disagreement']),
        right: true,
        tone: 'bad' as const,
        values: of.looks.map(day =>
          day.looked === 0 ? null : Math.round((day.differ / day.looked) * 10_000),
        ),
      },
    ],
    [of, say],
  )
  const limits = useMemo(
    () =>
      of.differ_bp === null
        ? []
        : [
            {
              value: of.differ_bp,
              right: true,
              tone: 'muted' as const,
              label: say(['14 天平均 {v}', '14-day mean {v}'], { v: percent(of.differ_bp) }),
            },
          ],
    [of, say],
  )
  const links = [look, lookFigures].filter(page => me.can(page.permit))
  return (
    <Panel
      title={say(['抽检分歧', 'Second-look disagreement'])}
      aside={links.map(page => (
        <Link key={page.path} href={page.path}>
          {titleIn(page, lang)}
        </Link>
      ))}
    >
      <Chart
        label={say(['近 14 天抽检与分歧率', 'Second looks and disagreement, 14 days'])}
        categories={categories}
        unit={say(['条', 'looks'])}
        unitRight={say(['分歧率', 'Disagreement'])}
        formatRight={percent}
        stepRight={500}
        mostRight={10_000}
        series={series}
        limits={limits}
      />
    </Panel>
  )
}

/** How the queues fare: throughput, ageing and disagreement. */
export const Supervision = () => {
  const say = useSay()
  const read = useRead(calls.supervision, {})
  if (!read.data)
    return (
      <Panel title={say(['审核督导', 'Supervision'])}>
        <Unanswered of={read} lines={5} />
      </Panel>
    )
  return (
    <>
      <Throughput of={read.data.decided} />
      <Ageing of={read.data.ageing} />
      <Disagreement of={read.data} />
    </>
  )
}
