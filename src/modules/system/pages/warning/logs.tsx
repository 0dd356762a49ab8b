import { useMemo } from 'react'
import { Link } from 'wouter'
import { byAccount } from '#commands/command.ts'
import * as pages from '#commands/pages/system.ts'
import * as commands from '#commands/system/duty.ts'
import { sendStates, warningLevels, warningMetricNames } from '#src/areas/notice/warning.ts'
import { colon } from '#src/domain/text.ts'
import { unixNow, timeFull } from '#src/domain/time.ts'
import { Among } from '#src/kit/among.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { WorkEnd } from '#src/kit/queue-end.tsx'
import { duration, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useTakeNext } from '#src/kit/takenext.ts'
import { useSay } from '#src/kit/text.ts'
import { activeFilters, useList } from '#src/kit/uselist.ts'
import { warningLogs as calls, type AlarmRow } from '../../contract/warning.ts'
import { AlarmState, Level, metricValue, MetricValue, useCondition } from '../../parts/alarms.tsx'
import '../../parts/duty.css'

type Row = AlarmRow
const Age = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <span className="m-num">
      {duration((row.handled_at ?? row.recovered_at ?? unixNow()) - row.fired_at, say)}
    </span>
  )
}
const Place = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.place === '' ? (
    <span className="m-muted">{say(['全平台', 'Everywhere'])}</span>
  ) : (
    <>{row.place}</>
  )
}
const Metric = ({ of }: { of: Row }) => {
  const say = useSay()
  return <>{say(warningMetricNames[of.metric])}</>
}
const columns: readonly Column<Row>[] = [
  { key: 'level', title: ['级别', 'Level'], width: 76, cell: row => <Level of={row.level} /> },
  {
    key: 'rule',
    title: ['规则', 'Rule'],
    width: 180,
    grow: true,
    cell: row => row.rule_name,
    words: row => row.rule_name,
  },
  {
    key: 'place',
    title: ['范围', 'Place'],
    width: 100,
    cell: row => <Place row={row} />,
    words: row => row.place,
  },
  {
    key: 'metric',
    title: ['指标', 'Metric'],
    width: 120,
    optional: true,
    cell: row => <Metric of={row} />,
  },
  {
    key: 'value',
    title: ['数值', 'Value'],
    width: 84,
    align: 'end',
    cell: row => <MetricValue of={row.metric} value={row.value} />,
  },
  { key: 'state', title: ['状态', 'State'], width: 96, cell: row => <AlarmState of={row.state} /> },
  {
    key: 'fired_at',
    title: ['触发时间', 'Fired'],
    width: 104,
    cell: row => <When at={row.fired_at} />,
  },
  {
    key: 'age',
    title: ['历时', 'Lasted'],
    width: 100,
    align: 'end',
    cell: row => <Age row={row} />,
  },
  { key: 'count', title: ['次数', 'Times'], width: 52, align: 'end', cell: row => row.count },
  {
    key: 'person',
    title: ['负责人', 'Person'],
    width: 84,
    cell: row => row.assignee_name ?? row.acker_name ?? <span className="m-muted">—</span>,
  },
]

const AroundAlarm = ({ row, format }: { row: Row; format: (value: number) => string }) => {
  const say = useSay()
  const series = useMemo(() => row.series.map(([, value]) => value), [row])
  if (row.series.length < 2)
    return (
      <p className="m-muted">
        {say(['只有触发时的一个数值：{v}', 'Only the value that fired: {v}'], {
          v: format(row.value),
        })}
      </p>
    )
  return (
    <Chart
      label={say(['{name}在触发前后的数值', '{name} around the alarm'], {
        name: row.rule_name,
      })}
      categories={row.series.map(([at]) => timeFull(at).slice(5, 16))}
      format={format}
      height={180}
      series={[{ name: say(warningMetricNames[row.metric]), values: series }]}
      limits={
        row.operator === 'change_pct'
          ? []
          : [
              {
                value: row.threshold,
                label: say(['阈值 {v}', 'Threshold {v}'], { v: format(row.threshold) }),
              },
            ]
      }
    />
  )
}
const Handling = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['处理', 'Handling'])}>
      <Facts>
        <Fact label={say(['确认', 'Acknowledged'])}>
          {row.acker_name ? (
            <>
              {row.acker_name} <When at={row.acked_at} />
            </>
          ) : (
            <span className="m-bad">{say(['无人确认', 'By nobody'])}</span>
          )}
        </Fact>
        <Fact label={say(['负责人', 'Person'])}>{row.assignee_name ?? '—'}</Fact>
        {row.handler_name && (
          <Fact label={say(['处理人', 'Handled by'])}>
            {row.handler_name} <When at={row.handled_at} />
          </Fact>
        )}
        {row.result && (
          <Fact wide label={say(['结果', 'Result'])}>
            {row.result}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const Alarm = ({ row }: { row: Row }) => {
  const say = useSay()
  const condition = useCondition()
  const format = useMemo(
    () => (value: number) => metricValue(row.metric, value, say),
    [row.metric, say],
  )
  return (
    <Inspector
      title={row.rule_name}
      aside={
        <>
          <Level of={row.level} />
          <AlarmState of={row.state} />
        </>
      }
    >
      <Section title={say(['触发前后的指标', 'The metric around the alarm'])}>
        <AroundAlarm row={row} format={format} />
      </Section>
      <Section title={say(['预警', 'Alarm'])}>
        <Facts>
          <Fact label={say(['触发条件', 'Condition'])}>
            {say(warningMetricNames[row.metric])}
            {say(colon)}
            {condition(row)}
          </Fact>
          <Fact label={say(['当前值', 'Value'])}>
            <span className="m-num">{format(row.value)}</span>
          </Fact>
          <Fact label={say(['范围', 'Place'])}>
            <Place row={row} />
          </Fact>
          <Fact label={say(['次数', 'Times'])}>
            <span className="m-num">{row.count}</span>
          </Fact>
          <Fact label={say(['触发', 'Fired'])}>
            <When at={row.fired_at} />
          </Fact>
          <Fact label={say(['最近一次', 'Last'])}>
            <When at={row.last_at} />
          </Fact>
          {row.escalated_at && (
            <Fact label={say(['升级', 'Escalated'])}>
              <When at={row.escalated_at} />
            </Fact>
          )}
          {row.recovered_at && (
            <Fact label={say(['恢复', 'Recovered'])}>
              <When at={row.recovered_at} />
            </Fact>
          )}
        </Facts>
      </Section>
      {row.behind.length > 0 && (
        <Section title={say(['关联数据', 'Related data'])}>
          <ul className="d-used">
            {row.behind.map(one => (
              <li key={one.target}>
                <Link href={one.target}>{one.title}</Link>
                {one.count !== null && (
                  <span className="m-num">{say(['{n} 条', '{n}'], { n: one.count })}</span>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Handling row={row} />
      <Section title={say(['已通知', 'Notified'])}>
        {row.told.length === 0 ? (
          <span className="m-muted">{say(['没有通知任何群组', 'Nobody was notified'])}</span>
        ) : (
          <Facts>
            {row.told.map((one, i) => (
              <Fact key={i} label={one.name}>
                <span className={one.state === 'failed' ? 'm-bad' : undefined}>
                  {heardIn(say, one.state)} <When at={one.at} />
                </span>
              </Fact>
            ))}
          </Facts>
        )}
      </Section>
    </Inspector>
  )
}

/** Whether a group has heard of an alarm, in words. */
const heardIn = (say: ReturnType<typeof useSay>, state: AlarmRow['told'][number]['state']) =>
  say(state ? sendStates[state] : ['没有发送记录', 'No record of it'])

export default function WarningLog() {
  const say = useSay()
  const list = useList(calls.lst)
  const { state: _, page: __, pageSize: ___, ...filters } = list.input
  const counts = useRead(calls.counts, filters)
  useExport(commands.warningLogActions.export, calls.export, { list })
  useTakeNext(commands.warningLogActions.takeNext, commands.warningLogActions.ack, list)
  return (
    <ListDetail>
      <List
        of={list}
        label={say([pages.warningLogs.title, pages.warningLogs.en])}
        columns={columns}
        actions={Object.values(commands.warningLogActions)}
        onOpen={row => list.focus(row.id)}
        tabs={{
          by: 'state',
          all: Object.entries(commands.alarmTabs).map(([key, title]) => ({
            key,
            title,
            ...(counts.data && { count: counts.data[key] ?? 0 }),
          })),
        }}
        empty={
          list.input.state === 'waiting' ? (
            <WorkEnd
              queue="alarm"
              next={commands.warningLogActions.takeNext}
              filtered={activeFilters(list, 'state') > 0}
              clear={() =>
                list.filter(Object.fromEntries(Object.keys(filters).map(key => [key, undefined])))
              }
            >
              <p>{say(['新的预警会自动出现在这里。', 'A new one appears here by itself.'])}</p>
            </WorkEnd>
          ) : undefined
        }
        filters={
          <>
            <Choice
              of={list}
              by="level"
              label={say(['级别', 'Level'])}
              options={Object.entries(warningLevels).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Choice
              of={list}
              by="metric"
              label={say(['指标', 'Metric'])}
              options={Object.entries(warningMetricNames).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Among
              of={list}
              by="person"
              label={say(['人员', 'Person'])}
              find={calls.people}
              words={byAccount}
              labelOf={row => `${row.name} ${row.account}`}
            />
          </>
        }
      />
      {list.focusedRow ? <Alarm row={list.focusedRow} /> : <Inspector title={undefined} />}
    </ListDetail>
  )
}
