import { Callout } from '@blueprintjs/core'
import { useState } from 'react'
import { useDispatch } from 'react-redux'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import * as pages from '#commands/pages/system.ts'
import * as commands from '#commands/system/duty.ts'
import { warningLevels, warningMetricNames, warningMetrics } from '#src/areas/notice/warning.ts'
import type { Result } from '#src/contract/call.ts'
import { comma } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { Listed } from '#src/kit/cells.tsx'
import { dispatchRead, type CallError } from '#src/kit/data.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, duration, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction } from '#src/kit/workbench.ts'
import { warning as calls, type WarningRuleRow } from '../contract/warning.ts'
import { Level, metricValue, MetricValue, useCondition, useWindow } from '../parts/alarms.tsx'

type Row = WarningRuleRow
const Condition = ({ row }: { row: Row }) => {
  const condition = useCondition()
  return <span className="m-num">{condition(row)}</span>
}
const Place = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.place === '' ? (
    <span className="m-muted">{say(['全平台', 'Everywhere'])}</span>
  ) : (
    <>{row.place}</>
  )
}
const Status = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.status === 'off') return <Badge>{say(['已停用', 'Off'])}</Badge>
  return row.mute_until ? (
    <Badge tone="warn" title={row.mute_reason ?? ''}>
      {say(['静默 {t}', 'Muted {t}'], { t: duration(row.mute_until - unixNow(), say) })}
    </Badge>
  ) : (
    <Badge tone="good">{say(['监测中', 'On'])}</Badge>
  )
}
const columns: readonly Column<Row>[] = [
  {
    key: 'name',
    title: ['规则', 'Rule'],
    width: 180,
    grow: true,
    cell: row => row.name,
    words: row => row.name,
  },
  { key: 'metric', title: ['指标', 'Metric'], width: 130, cell: row => <Metric of={row} /> },
  {
    key: 'place',
    title: ['范围', 'Place'],
    width: 110,
    cell: row => <Place row={row} />,
    words: row => row.place,
  },
  {
    key: 'condition',
    title: ['条件', 'Condition'],
    width: 120,
    priority: 1,
    cell: row => <Condition row={row} />,
  },
  { key: 'level', title: ['级别', 'Level'], width: 76, cell: row => <Level of={row.level} /> },
  { key: 'status', title: ['状态', 'State'], width: 110, cell: row => <Status row={row} /> },
  {
    key: 'groups',
    title: ['接收群组', 'Notified'],
    width: 140,
    optional: true,
    cell: row => <Listed of={row.groups.map(group => group.name)} />,
    words: (row, say) => row.groups.map(group => group.name).join(say(comma)),
  },
  {
    key: 'last_value',
    title: ['当前值', 'Now'],
    width: 84,
    align: 'end',
    cell: row =>
      row.last_value === null ? '—' : <MetricValue of={row.metric} value={row.last_value} />,
  },
  {
    key: 'last_fired_at',
    title: ['最近触发', 'Last fired'],
    width: 104,
    cell: row => <When at={row.last_fired_at} />,
  },
  {
    key: 'fired_7d',
    title: ['近 7 天', '7 days'],
    width: 64,
    align: 'end',
    cell: row => row.fired_7d,
  },
]
const Metric = ({ of }: { of: Row }) => {
  const say = useSay()
  return <>{say(warningMetricNames[of.metric])}</>
}

type Trial = Result<typeof calls.test>
const Rule = ({ row, trial }: { row: Row; trial: Trial | CallError | undefined }) => {
  const say = useSay()
  const condition = useCondition()
  const windowOf = useWindow()
  const told = trial && 'fires' in trial && trial.id === row.id ? trial : undefined
  return (
    <Inspector
      title={row.name}
      aside={
        <>
          <Level of={row.level} />
          <Status row={row} />
        </>
      }
    >
      {told && (
        <Callout
          compact
          intent={told.fires ? 'warning' : 'success'}
          style={{ margin: 12, width: 'auto' }}
          role="status"
        >
          {told.fires
            ? say(['现在会触发：', 'It would fire now: '])
            : say(['现在不会触发：', 'It would not fire now: '])}
          {say(warningMetricNames[row.metric])} {metricValue(row.metric, told.value, say)}
          {told.before !== null &&
            say(['，上一窗口 {v}', ', {v} in the window before'], {
              v: metricValue(row.metric, told.before, say),
            })}
          {say(['，样本 {n}', ', sample {n}'], { n: told.sample.toLocaleString() })}
          {told.sample < row.min_sample &&
            say(['（少于最小样本 {n}）', ' (below the smallest sample {n})'], {
              n: row.min_sample,
            })}
        </Callout>
      )}
      {trial && 'message' in trial && (
        <p className="m-bad" role="alert" style={{ padding: '0 12px' }}>
          {trial.message}
        </p>
      )}
      <Section title={say(['条件', 'Condition'])}>
        <Facts>
          <Fact label={say(['指标', 'Metric'])}>{say(warningMetricNames[row.metric])}</Fact>
          <Fact label={say(['范围', 'Place'])}>
            <Place row={row} />
          </Fact>
          <Fact label={say(['触发', 'Fires'])}>{condition(row)}</Fact>
          <Fact label={say(['窗口', 'Window'])}>{windowOf(row.window_s)}</Fact>
          <Fact label={say(['最小样本', 'Sample'])}>
            <span className="m-num">{row.min_sample}</span> {say(warningMetrics[row.metric].sample)}
          </Fact>
          <Fact label={say(['恢复', 'Recovery'])}>
            {row.auto_recover ? say(['自动结束', 'Automatic']) : say(['须人工处理', 'Manual'])}
          </Fact>
          {row.mute_until && (
            <Fact wide label={say(['静默至', 'Muted until'])}>
              <When at={row.mute_until} /> {row.mute_reason}
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['接收群组', 'Notified groups'])}>
        {row.groups.length === 0 ? (
          <span className="m-bad">
            {say(['没有接收群组，触发时无人知晓', 'Nobody is notified'])}
          </span>
        ) : (
          <Facts>
            {row.groups.map(group => (
              <Fact key={group.id} label={group.name}>
                {group.status === 'on' ? (
                  say(['启用', 'On'])
                ) : (
                  <span className="m-bad">{say(['已停用，收不到', 'Off, not notified'])}</span>
                )}
              </Fact>
            ))}
          </Facts>
        )}
      </Section>
      <Section title={say(['触发情况', 'Activity'])}>
        <Facts>
          <Fact label={say(['未结束', 'Not ended'])}>
            {row.open > 0 ? (
              <Link href={to(pages.warningLogs, { state: 'waiting', rule_id: row.id })}>
                {say(['{n} 条待处理', '{n} waiting'], { n: row.open })}
              </Link>
            ) : (
              '0'
            )}
          </Fact>
          <Fact label={say(['近 7 天', '7 days'])}>
            <span className="m-num">{row.fired_7d}</span>
          </Fact>
          <Fact label={say(['最近触发', 'Last fired'])}>
            <When at={row.last_fired_at} />
          </Fact>
          <Fact label={say(['最近检查', 'Last checked'])}>
            <When at={row.checked_at} />
          </Fact>
        </Facts>
      </Section>
    </Inspector>
  )
}

export default function Warnings() {
  const say = useSay()
  const dispatch = useDispatch()
  const list = useList(calls.lst)
  const [trial, setTrial] = useState<Trial | CallError | undefined>(undefined)
  useAction(commands.warningActions.test, ([row]: readonly Row[]) => {
    if (!row) return
    dispatchRead(dispatch as never, calls.test, { id: row.id }, true).then(
      setTrial,
      (error: CallError) => setTrial(error),
    )
  })
  return (
    <ListDetail>
      <List
        of={list}
        label={say([pages.warning.title, pages.warning.en])}
        columns={columns}
        actions={Object.values(commands.warningActions)}
        onOpen={row => list.focus(row.id)}
        empty={
          <Empty title={say(['还没有符合条件的预警规则', 'No rule matches'])}>
            <p>
              <Keyed
                text={[
                  '按 {add} 新增一条：选指标、条件和接收群组。',
                  '{add} makes one: a metric, a condition, and whom to tell.',
                ]}
                by={{ add: commands.warningActions.create }}
              />
            </p>
          </Empty>
        }
        filters={
          <>
            <Keyword of={list} placeholder={say(['规则名称', 'Name'])} />
            <Choice
              of={list}
              by="metric"
              label={say(['指标', 'Metric'])}
              options={Object.entries(warningMetricNames).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
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
              by="status"
              label={say(['状态', 'State'])}
              options={[
                { value: 'on', label: say(['启用', 'On']) },
                { value: 'off', label: say(['停用', 'Off']) },
              ]}
            />
          </>
        }
      />
      {list.focusedRow ? (
        <Rule row={list.focusedRow} trial={trial} />
      ) : (
        <Inspector title={undefined} />
      )}
    </ListDetail>
  )
}
