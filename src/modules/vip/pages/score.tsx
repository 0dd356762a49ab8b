import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { membersPage, scoreDetailPage } from '#commands/pages/vip.ts'
import type { Arranged } from '#commands/record.ts'
import { scoreActions as actions } from '#commands/vip/score.ts'
import { pointsBiz } from '#src/areas/points/points.ts'
import { pointsRules } from '#src/areas/pointsRule/rule.ts'
import type { Result } from '#src/contract/call.ts'
import { percent } from '#src/domain/money.ts'
import { dateOf } from '#src/domain/time.ts'
import {
  numberColumn,
  onOff,
  SmallTable,
  State,
  stateColumn,
  textColumn,
  wordColumn,
} from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Alarming, Fact, Facts, Figure, Money, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { score as calls, type TaskRow as Row } from '../contract/score.ts'
import { Malls, RuleSpan } from '../parts/RuleFacts.tsx'
import '../parts/score.css'

type Figures = Result<typeof calls.overview>
const count = (n: number | null): string => n?.toLocaleString('en-US') ?? '—'
const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['任务', 'Task'], 130), grow: true },
  wordColumn('kind', ['类型', 'Kind'], 92, pointsRules),
  stateColumn('status', ['状态', 'State'], 84, onOff),
  {
    key: 'daily_cap',
    title: ['每日上限', 'Daily cap'],
    width: 84,
    align: 'end',
    cell: row => row.daily_cap?.toLocaleString('en-US') ?? '—',
  },
  {
    key: 'total_cap',
    title: ['累计上限', 'Total cap'],
    width: 84,
    align: 'end',
    priority: 2,
    cell: row => row.total_cap?.toLocaleString('en-US') ?? '—',
  },
  {
    ...numberColumn('issued', ['近 30 天发放', 'Issued, 30 d'], 108),
    cell: row => count(row.issued),
  },
  {
    key: 'share_bp',
    title: ['占比', 'Share'],
    width: 76,
    align: 'end',
    priority: 2,
    cell: row => percent(row.share_bp),
  },
]
/** What stands out now and what the last 30 days did to it. */
const Sums = ({ of }: { of: Figures }) => {
  const say = useSay()
  const sum = (key: 'issued' | 'spent' | 'expired' | 'issued_cents') =>
    of.days.reduce((all, one) => all + one[key], 0)
  const one = (label: readonly [string, string], value: ReactNode) => (
    <span>
      <span className="m-muted">{say(label)}</span> <b className="m-num">{value}</b>
    </span>
  )
  return (
    <div className="vp-sums" role="status" aria-label={say(['合计', 'Totals'])}>
      {one(['未用积分', 'Outstanding'], count(of.outstanding))}
      {one(['折合', 'Value'], <Money cents={of.value_cents} sign />)}
      {one(['冻结', 'Frozen'], count(of.frozen))}
      {one(['欠分', 'Owed'], count(of.debt))}
      {one(['30 天发放', 'Issued, 30 d'], count(sum('issued')))}
      {one(['价值', 'Value'], <Money cents={sum('issued_cents')} sign />)}
      {one(['使用', 'Spent'], count(sum('spent')))}
      {one(['过期', 'Expired'], count(sum('expired')))}
    </div>
  )
}
const Charts = ({ of }: { of: Figures }) => {
  const say = useSay()
  return (
    <div className="vp-charts">
      <div>
        <h4>{say(['近 30 天发放与使用', 'Issued and spent, 30 days'])}</h4>
        <Chart
          label={say(['近 30 天发放与使用', 'Issued and spent, 30 days'])}
          categories={of.days.map(one => one.day.slice(5))}
          height={140}
          series={[
            {
              name: say(['发放', 'Issued']),
              kind: 'line',
              values: of.days.map(one => one.issued),
            },
            { name: say(['使用', 'Spent']), kind: 'line', values: of.days.map(one => one.spent) },
            {
              name: say(['过期', 'Expired']),
              kind: 'line',
              faint: true,
              values: of.days.map(one => one.expired),
            },
          ]}
        />
      </div>
      <div>
        <h4>{say(['未来 90 天到期（按周）', 'Expiring in 90 days, by week'])}</h4>
        <Chart
          label={say(['未来 90 天到期（按周）', 'Expiring in 90 days, by week'])}
          categories={of.forecast.map(one => one.week.slice(5))}
          height={140}
          series={[
            {
              name: say(['到期积分', 'Expiring']),
              kind: 'bar',
              values: of.forecast.map(one => one.points),
            },
          ]}
        />
      </div>
    </div>
  )
}
/** Whether balances are what the ledger says: who differs, where anybody does. */
const Check = () => {
  const say = useSay()
  const read = useRead(calls.check, {})
  return (
    <Section title={say(['余额核对', 'Balance check'])}>
      <Answer of={read} lines={2}>
        {({ check }) =>
          check === null ? (
            <p className="m-muted">
              {say(['还没有核对过，按「重新核对余额」开始。', 'Not checked yet.'])}
            </p>
          ) : (
            <>
              {check.wrong_n > 0 && (
                <Alarming>
                  {say(
                    [
                      '{n} 名会员的余额与流水或批次不符',
                      'Balances that do not match the ledger or lots: {n}',
                    ],
                    { n: check.wrong_n },
                  )}
                </Alarming>
              )}
              <Facts>
                <Fact label={say(['核对日期', 'Checked'])}>{dateOf(check.at)}</Fact>
                <Fact label={say(['核对人', 'By'])}>
                  {check.by || say(['每日自动', 'Daily check'])}
                </Fact>
                <Fact label={say(['会员余额合计', 'Balances'])}>{count(check.balance_points)}</Fact>
                <Fact label={say(['流水合计', 'Ledger'])}>{count(check.ledger_points)}</Fact>
                <Fact label={say(['批次剩余合计', 'Lots'])}>{count(check.lot_points)}</Fact>
                <Fact label={say(['差异会员', 'Members that differ'])}>
                  {say(['{n} / {all} 人', '{n} of {all}'], {
                    n: check.wrong_n,
                    all: count(check.members),
                  })}
                </Fact>
              </Facts>
              {check.wrong.length > 0 && (
                <SmallTable
                  head={[
                    ['会员', 'Member'],
                    ['余额', 'Balance'],
                    ['流水', 'Ledger'],
                    ['批次', 'Lots'],
                  ]}
                  rows={check.wrong}
                  keyOf={one => one.member_id}
                  cells={one => [
                    <Link key="to" href={to(scoreDetailPage, { member: String(one.member_id) })}>
                      {one.nickname}
                    </Link>,
                    <Figure key="balance" of={one.balance} />,
                    <Figure key="ledger" of={one.ledger} />,
                    <Figure key="lots" of={one.lots} />,
                  ]}
                />
              )}
            </>
          )
        }
      </Answer>
    </Section>
  )
}
const Tops = ({ of }: { of: Figures }) => {
  const say = useSay()
  return (
    <>
      <Section title={say(['近 30 天得分最多', 'Top earners, 30 days'])}>
        <SmallTable
          head={[
            ['会员', 'Member'],
            ['积分', 'Points'],
            ['笔数', 'Entries'],
            ['主要来源', 'Main source'],
          ]}
          rows={of.earners}
          keyOf={one => one.member_id}
          cells={one => [
            <Link key="to" href={to(scoreDetailPage, { member: String(one.member_id) })}>
              {one.nickname}
            </Link>,
            <Figure key="points" of={one.points} />,
            one.moves,
            say(pointsBiz[one.biz_kind]),
          ]}
        />
      </Section>
      <Section title={say(['各城市未用积分', 'Outstanding by city'])}>
        <SmallTable
          head={[
            ['城市', 'City'],
            ['未用', 'Outstanding'],
            ['折合', 'Value'],
            ['30 天发放', 'Issued'],
            ['使用', 'Spent'],
          ]}
          rows={of.cities}
          keyOf={one => one.city_id}
          cells={one => [
            <Link key="to" href={to(membersPage, { city_id: one.city_id })}>
              {one.name}
            </Link>,
            <Figure key="outstanding" of={one.outstanding} />,
            <Money key="worth" cents={one.value_cents} />,
            <Figure key="issued" of={one.issued} />,
            <Figure key="spent" of={one.spent} />,
          ]}
        />
      </Section>
    </>
  )
}
const Detail = ({ row, of }: { row: Row; of: Figures | undefined }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={onOff} />}>
      <Check />
      <Section title={say(['任务', 'The task'])}>
        <Facts>
          <Fact label={say(['类型', 'Kind'])}>{say(pointsRules[row.kind])}</Fact>
          <Fact label={say(['适用商场', 'Malls'])}>
            <Malls of={row.malls} />
          </Fact>
          <RuleSpan of={row} />
        </Facts>
      </Section>
      {of && <Tops of={of} />}
    </Inspector>
  )
}

/** Whether points stay affordable, and the rules by which they are earned. */
export default function ScoreCentre() {
  const say = useSay()
  const list = useList(calls.lst)
  const { data: told } = useRead(calls.lst, list.input)
  const { data: of } = useRead(calls.overview, {})
  const { run } = useWorkbench()
  const pane = usePane()
  useExport(actions.export, calls.export, { filters: () => ({}) })
  useAction(actions.sortRules, () => {
    if (!told) return
    const entries = told.arranged.map(({ id, name }, at) => ({ id, text: `${at + 1}. ${name}` }))
    const on: Arranged = { list_version: told.list_version, entries }
    void run(actions.sortRules, [], { pane: pane.id, on })
  })
  return (
    <div className="vp-centre">
      {of ? <Sums of={of} /> : <div className="vp-sums" />}
      {of ? <Charts of={of} /> : <div className="vp-charts" />}
      <ListDetail>
        <List
          of={list}
          label={say(['积分任务', 'Earning tasks'])}
          columns={columns}
          actions={Object.values(actions)}
        />
        <Chosen of={list} none={say(['选择一项任务', 'Choose a task'])}>
          {row => <Detail row={row} of={of} />}
        </Chosen>
      </ListDetail>
    </div>
  )
}
