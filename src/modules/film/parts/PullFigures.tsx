import { pullStatActions as actions } from '#commands/film/pullNewStat.ts'
import { PULL_STAT_DAYS, pullStatBy } from '#src/areas/filmPull/pullStat.ts'
import { percent } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { moneyColumn, numberColumn, textColumn } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { Period } from '#src/kit/period.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { pullStats as calls, type PullStatRow as Row } from '../contract/pullNewStat.ts'
import './datastat.css'

const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['名称', 'Name'], 170), grow: true },
  numberColumn('scans', ['扫码', 'Scans'], 76),
  numberColumn('registered', ['注册', 'Registered'], 76),
  numberColumn('ticketed', ['首票', 'First tickets'], 76),
  numberColumn('valid', ['有效', 'Valid'], 76),
  numberColumn('second', ['30 天复购', 'Second in 30 days'], 92),
  moneyColumn('due_cents', ['待结奖励', 'Due'], 96),
  moneyColumn('paid_cents', ['已结奖励', 'Paid'], 96),
  moneyColumn('cost_cents', ['每位留存成本', 'Cost per retained'], 136),
  {
    key: 'flagged_bp',
    title: ['可疑占比', 'Suspicious'],
    width: 88,
    align: 'end',
    cell: row => (
      <span className={(row.flagged_bp ?? 0) >= 1000 ? 'm-num m-bad' : 'm-num'}>
        {row.flagged_bp === null ? '—' : percent(row.flagged_bp)}
      </span>
    ),
  },
]
const steps: readonly (readonly [
  key: 'scans' | 'registered' | 'ticketed' | 'valid' | 'second',
  Text,
])[] = [
  ['scans', ['扫码', 'Scans']],
  ['registered', ['注册', 'Registered']],
  ['ticketed', ['首票', 'First tickets']],
  ['valid', ['有效', 'Valid']],
  ['second', ['30 天复购', 'Second in 30 days']],
]
/** Figures of referrals in one of their views, with the funnel that they come to. */
export const PullFigures = () => {
  const say = useSay()
  const list = useList(calls.lst)
  const { data } = useRead(calls.lst, list.input)
  const { toast } = useWorkbench()
  useResult(actions.settleReward, ({ count: n }: { count: number }) => {
    toast(say(['已结算 {n} 位新客的奖励', 'Rewards of {n} new buyers are paid'], { n }), 'success')
    return true
  })
  return (
    <div className="fi-stat">
      <div className="fi-sums" role="status" aria-label={say(['合计', 'Totals'])}>
        {data && (
          <>
            <span>
              <span className="m-muted">{say(['待结奖励', 'Due'])}</span>{' '}
              <Money cents={data.sums.due_cents} sign />
            </span>
            <span>
              <span className="m-muted">{say(['已结奖励', 'Paid'])}</span>{' '}
              <Money cents={data.sums.paid_cents} sign />
            </span>
            <span>
              <span className="m-muted">{say(['每位留存成本', 'Cost per retained'])}</span>{' '}
              <Money cents={data.sums.cost_cents} sign />
            </span>
          </>
        )}
      </div>
      <div className="fi-chart">
        {data && data.sums.scans > 0 && (
          <Chart
            label={say(['拉新漏斗', 'Funnel'])}
            lying
            height={150}
            categories={steps.map(([, title]) => say(title))}
            series={[
              {
                name: say(['人次', 'Referrals']),
                kind: 'bar',
                values: steps.map(([key]) => data.sums[key]),
              },
            ]}
          />
        )}
      </div>
      <List
        of={list}
        label={say(['影票拉新统计', 'Film referral statistics'])}
        columns={columns}
        actions={[actions.settleReward]}
        filters={
          <>
            <Choice of={list} by="by" label={say(['维度', 'View'])} words={pullStatBy} always />
            <Period
              of={list}
              from="from"
              to="to"
              most={PULL_STAT_DAYS}
              usual={['近 90 天', 'Last 90 days']}
            />
            <CityFilter of={list} />
            <MallFilter of={list} />
          </>
        }
      />
    </div>
  )
}
