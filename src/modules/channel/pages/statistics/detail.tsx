import { useMemo, useState, type ReactNode } from 'react'
import { Link, useSearch } from 'wouter'
import { statDetailActions as actions } from '#commands/channel/statistics.ts'
import { statisticsPage } from '#commands/pages/channel.ts'
import { CHANNEL_DAYS } from '#src/areas/channelCode/stat.ts'
import { followStates } from '#src/areas/wecom/wecom.ts'
import type { Result } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import {
  moneyColumn,
  SmallTable,
  State,
  textColumn,
  timeColumn,
  wordColumn,
} from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead, useWrite } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { Badge, Fact, Facts, Money, Section } from '#src/kit/show.tsx'
import { Answer, Empty, Failed } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAnswered, useWorkbench } from '#src/kit/workbench.ts'
import { statDetail as calls, type CodeCustomer as Row } from '../../contract/statDetail.ts'
import { share } from '../../parts/ChannelFigures.tsx'
import { codeLooks } from '../../parts/codeLooks.tsx'

type Figures = Result<typeof calls.figures>
const Again = ({ of }: { of: Row }) => {
  const say = useSay()
  return of.is_again ? say(['是', 'Yes']) : '—'
}
const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['客户', 'Customer'], 110), grow: true },
  textColumn('staff_name', ['成员', 'Member'], 80),
  timeColumn('added_at', ['添加时间', 'Added'], 104),
  wordColumn('status', ['关系', 'Relation'], 104, followStates),
  { ...timeColumn('lost_at', ['流失时间', 'Lost'], 104), priority: 2 },
  { ...textColumn('tags', ['企业标签', 'Tags'], 120), priority: 3 },
  {
    key: 'is_again',
    title: ['再次添加', 'Re-added'],
    width: 76,
    priority: 4,
    cell: row => <Again of={row} />,
  },
  { ...timeColumn('first_paid_at', ['首单', 'First order'], 104), priority: 1 },
  { ...moneyColumn('first_paid_cents', ['首单金额', 'Paid'], 88), priority: 1 },
]
const Trend = ({ of }: { of: Figures }) => {
  const say = useSay()
  const one = (kind: 'line' | 'bar', name: string, values: readonly number[]) => ({
    name,
    kind,
    values,
  })
  const { other } = of
  return (
    <Chart
      label={say(['每日新增、流失与净增', 'Adds, losses and net'])}
      categories={of.days.map(one => {
        const marks = of.events.filter(event => event.day === one.day).length
        return `${one.day.slice(5)}${marks > 0 ? ' *' : ''}`
      })}
      height={170}
      series={[
        one(
          'bar',
          say(['新增', 'Adds']),
          of.days.map(day => day.adds),
        ),
        one(
          'bar',
          say(['流失', 'Lost']),
          of.days.map(day => day.lost),
        ),
        one(
          'line',
          say(['净增', 'Net']),
          of.days.map(day => day.net),
        ),
        ...(other
          ? [
              {
                ...one(
                  'line',
                  say(['{name} 新增', 'Adds of {name}'], { name: other.name }),
                  other.days.map(day => day.adds),
                ),
                faint: true,
              },
            ]
          : []),
      ]}
    />
  )
}
const Sums = ({ of }: { of: Figures }) => {
  const say = useSay()
  const { sums, other } = of
  const one = (label: Text, show: (of: Figures['sums']) => ReactNode) => (
    <Fact label={say(label)}>
      {show(sums)}
      {other && <span className="m-muted"> / {show(other.sums)}</span>}
    </Fact>
  )
  return (
    <Section title={say(['合计', 'Totals'])}>
      {other && (
        <p className="m-muted">
          {say(['斜杠后为对比活码：{name}', 'After the slash: {name}'], { name: other.name })}
        </p>
      )}
      <Facts>
        {one(['扫码', 'Scans'], each => each.scans)}
        {one(['新增', 'Adds'], each => each.adds)}
        {one(['再次添加', 'Re-adds'], each => each.re_adds)}
        {one(['流失', 'Lost'], each => each.lost)}
        {one(['净增', 'Net'], each => each.net)}
        {one(['添加率', 'Add rate'], each => share(each.add_bp))}
        {one(['7 日留存', 'Kept 7 d'], each => share(each.retained_bp))}
        {one(['首单', 'First orders'], each => each.first_orders)}
        {one(['支付金额', 'Paid'], each => (
          <Money cents={each.paid_cents} sign />
        ))}
        {one(['单个成本', 'Cost per add'], each =>
          each.cost_per_add === null ? '—' : <Money cents={each.cost_per_add} sign />,
        )}
      </Facts>
    </Section>
  )
}
const Staff = ({ rows }: { rows: Figures['staff'] }) => {
  const say = useSay()
  return (
    <Section title={say(['成员', 'Members'])}>
      <SmallTable
        head={[
          ['成员', 'Member'],
          ['接待', 'Adds'],
          ['满额天', 'Days at cap'],
          ['备用', 'As backup'],
          ['未回复', 'No reply'],
          ['流失率', 'Loss rate'],
        ]}
        rows={rows}
        keyOf={one => one.staff_id}
        cells={one => [
          <span key="name">
            {one.name} {one.is_gone && <Badge>{say(['已移除', 'Removed'])}</Badge>}
          </span>,
          one.adds,
          one.full_days ?? '—',
          one.backup_used,
          share(one.silent_bp),
          share(one.lost_bp),
        ]}
      />
    </Section>
  )
}
const Beside = ({ of }: { of: Figures }) => {
  const say = useSay()
  return (
    <>
      <Section title={say(['分时扫码与新增', 'Scans and adds by hour'])}>
        <Chart
          label={say(['分时扫码与新增', 'Scans and adds by hour'])}
          categories={of.hours.map(one => String(one.hour))}
          height={120}
          series={[
            {
              name: say(['扫码', 'Scans']),
              kind: 'bar',
              values: of.hours.map(one => one.scans),
            },
            { name: say(['新增', 'Adds']), kind: 'bar', values: of.hours.map(one => one.adds) },
          ]}
        />
      </Section>
      <Section title={say(['事件（趋势图中以 * 标出）', 'Events (* in the chart)'])}>
        {of.events.length === 0 ? (
          <p className="m-muted">
            <Keyed
              text={['没有事件，按 {mark} 标注', 'None yet: {mark} marks one']}
              by={{ mark: actions.markEvent }}
            />
          </p>
        ) : (
          <SmallTable
            head={[
              ['日期', 'Day'],
              ['事件', 'Event'],
              ['人', 'By'],
            ]}
            rows={of.events.map((one, at) => ({ ...one, at }))}
            keyOf={one => one.at}
            cells={one => [one.day, one.text, one.by || '—']}
          />
        )}
      </Section>
    </>
  )
}
const Code = ({ code_id }: { code_id: number }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const fixed = useMemo(() => ({ code_id }), [code_id])
  const list = useList(calls.lst, fixed)
  const { from, to, other_id } = list.input
  const asked = {
    code_id,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(other_id !== undefined && { other_id }),
  }
  const read = useRead(calls.figures, asked)
  const customers = useRead(calls.lst, { ...asked, page: 1, pageSize: 1 }).data
  const [mark] = useWrite(calls.markEvent)
  const [, setMarked] = useState(0)
  useAnswered(actions.markEvent, answers => {
    const { day, text } = answers as { day: string; text: string }
    mark({ code_id, day, text }).then(
      () => {
        setMarked(n => n + 1)
        toast(say(['已标注', 'Marked']), 'success')
      },
      () => {},
    )
  })
  useAnswered(actions.compareCode, answers =>
    list.filter({ other_id: answers['other'] as number | undefined }),
  )
  useExport(actions.export, calls.export, { list })
  if (read.error && !read.data) return <Failed error={read.error} retry={read.refetch} />
  return (
    <ListDetail>
      <div className="ch-stat">
        <div className="ch-sums" role="status">
          {customers && customers.hidden > 0 && (
            <Badge tone="info">
              {say(
                [
                  '另有 {n} 位客户不在你的数据范围，合计包含他们',
                  '{n} more outside your data scope; totals include them',
                ],
                {
                  n: customers.hidden,
                },
              )}
            </Badge>
          )}
          {read.data?.partial && (
            <Badge tone="info">{say(['含今日，未完', 'Includes today'])}</Badge>
          )}
        </div>
        <div className="ch-trend">{read.data && <Trend of={read.data} />}</div>
        <List
          of={list}
          label={say(['新增客户', 'New customers'])}
          columns={columns}
          actions={Object.values(actions)}
          filters={
            <Period
              of={list}
              from="from"
              to="to"
              most={CHANNEL_DAYS}
              usual={['近 30 天', 'Last 30 days']}
            />
          }
        />
      </div>
      <Answer of={read} lines={12}>
        {of => (
          <Inspector still title={of.name} aside={<State of={of.status} in={codeLooks} />}>
            <Sums of={of} />
            <Staff rows={of.staff} />
            <Beside of={of} />
          </Inspector>
        )}
      </Answer>
    </ListDetail>
  )
}
/** The figures of the code of `?code_id=`, and who came by it. */
export default function CodeFigures() {
  const say = useSay()
  const code_id = Number(new URLSearchParams(useSearch()).get('code_id')) || 0
  if (code_id > 0) return <Code key={code_id} code_id={code_id} />
  return (
    <Empty title={say(['没有选择活码', 'No code selected'])}>
      <Link href={statisticsPage.path}>{say(['回到渠道统计', 'Go to channel statistics'])}</Link>
    </Empty>
  )
}
