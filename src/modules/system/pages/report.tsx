import { WarningSign } from '@blueprintjs/icons'
import { useState } from 'react'
import * as pages from '#commands/pages/system.ts'
import * as commands from '#commands/system/overview.ts'
import { reportTemplates, runStates, scheduleOf, type RunState } from '#src/areas/figures/report.ts'
import { sendStates } from '#src/areas/notice/warning.ts'
import type { Result } from '#src/contract/call.ts'
import { colon, comma } from '#src/domain/text.ts'
import { Listed } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useDetailAction } from '#src/kit/detail.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { report as calls, type ReportRow } from '../contract/report.ts'
import { weekdays } from '../parts/Roster.tsx'
import '../parts/overview.css'

type Row = ReportRow
type Look = 'preview' | 'history'
type Body = Result<typeof calls.preview>
const Template = ({ row }: { row: Row }) => {
  const say = useSay()
  return <>{say(reportTemplates[row.template])}</>
}
const Rhythm = ({ of }: { of: string }) => {
  const say = useSay()
  const { every, day, minute } = scheduleOf(of)!
  const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  if (every === 'daily') return <>{say(['每天 {time}', 'Daily {time}'], { time })}</>
  if (every === 'weekly')
    return <>{say(['每{day} {time}', '{day} {time}'], { day: say(weekdays[day - 1]!), time })}</>
  return <>{say(['每月 {n} 日 {time}', 'Day {n}, {time}'], { n: day, time })}</>
}
const receiversOf = (row: Row): string[] => [
  ...row.groups.map(one => one.name),
  ...row.receivers.emails,
]
const Outcome = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.last_result === 'none' ? (
    <span className="m-muted">{say(['未发送', 'Never sent'])}</span>
  ) : (
    <span
      className={row.last_result === 'ok' ? undefined : 'm-alarming m-bad'}
      title={missedText(say, row.last_missed)}
    >
      {row.last_result !== 'ok' && <WarningSign size={12} tagName={null} aria-hidden />}
      {say(runStates[row.last_result])} <When at={row.last_run_at} />
    </span>
  )
}
/** Whoever a run did not reach, in words; undefined where it reached everybody. */
const missedText = (say: ReturnType<typeof useSay>, names: readonly string[]) =>
  names.length === 0
    ? undefined
    : say(['未送达：{names}', 'Not delivered: {names}'], { names: names.join(say(comma)) })
const Status = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.status === 'on' ? (
    <Badge tone="good">{say(['订阅中', 'On'])}</Badge>
  ) : (
    <Badge tone="warn" title={row.pause_reason ?? ''}>
      {say(['已暂停', 'Paused'])}
    </Badge>
  )
}
const Place = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.places.length === 0 ? (
    <span className="m-muted">{say(['订阅人的全部范围', 'Everything the owner sees'])}</span>
  ) : (
    <Listed of={row.places} />
  )
}
const columns: readonly Column<Row>[] = [
  {
    key: 'name',
    title: ['名称', 'Name'],
    width: 170,
    grow: true,
    cell: row => row.name,
    words: row => row.name,
  },
  { key: 'template', title: ['报表', 'Report'], width: 144, cell: row => <Template row={row} /> },
  {
    key: 'scope',
    title: ['范围', 'Places'],
    width: 120,
    optional: true,
    cell: row => <Place row={row} />,
    words: (row, say) => row.places.join(say(comma)),
  },
  {
    key: 'schedule',
    title: ['发送时间', 'Schedule'],
    width: 116,
    cell: row => (
      <span className="m-num">
        <Rhythm of={row.schedule} />
      </span>
    ),
  },
  {
    key: 'receivers',
    title: ['接收', 'Receivers'],
    width: 150,
    cell: row => <Listed of={receiversOf(row)} />,
    words: (row, say) => receiversOf(row).join(say(comma)),
  },
  { key: 'owner', title: ['订阅人', 'Owner'], width: 76, cell: row => row.owner_name },
  { key: 'last', title: ['上次结果', 'Last'], width: 168, cell: row => <Outcome row={row} /> },
  {
    key: 'next',
    title: ['下次发送', 'Next'],
    width: 104,
    cell: row => <When at={row.next_run_at} />,
  },
  { key: 'status', title: ['状态', 'State'], width: 84, cell: row => <Status row={row} /> },
]

const Report = ({ of }: { of: Body }) => {
  const say = useSay()
  return (
    <>
      <Section title={of.from === of.to ? of.from : `${of.from} – ${of.to}`}>
        <Facts>
          {of.figures.map(one => (
            <Fact key={one.label} label={one.label}>
              <b className="m-num">{one.value}</b>
            </Fact>
          ))}
        </Facts>
      </Section>
      {of.rows.length === 0 ? (
        <Empty title={say(['这一期没有数据', 'Nothing in this period'])} />
      ) : (
        <div className="ov-table">
          <table>
            <thead>
              <tr>
                {of.columns.map((name, i) => (
                  <th key={name} scope="col" className={i === 0 ? undefined : 'ov-right'}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {of.rows.map((row, i) => (
                <tr key={i}>
                  {row.map((cell, at) => (
                    <td key={at} className={at === 0 ? undefined : 'ov-right m-num'} title={cell}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
const Preview = ({ row }: { row: Row }) => {
  const read = useRead(calls.preview, { id: row.id })
  if (read.error && !read.data) return <Failed error={read.error} retry={read.refetch} />
  return read.currentData ? <Report of={read.currentData} /> : <Loading lines={8} />
}
const runTones = {
  sending: 'info',
  ok: 'good',
  partial: 'warn',
  failed: 'bad',
} as const satisfies Record<RunState, string>
/** Each receiver of a run, and what its channel answered. */
const Sends = ({ of }: { of: Result<typeof calls.history>['list'][number]['sends'] }) => {
  const say = useSay()
  return of.map(one => (
    <p key={one.name} className={one.state === 'failed' ? 'm-bad' : 'm-muted'}>
      {one.name} · {say(sendStates[one.state])}
      {one.tries > 1 && say(['，共 {n} 次', ', {n} tries'], { n: one.tries })}
      {one.state !== 'sent' && one.answer && `${say(colon)}${one.answer}`}
    </p>
  ))
}
const History = ({ row }: { row: Row }) => {
  const say = useSay()
  const read = useRead(calls.history, { id: row.id })
  const [open, setOpen] = useState<number | undefined>(undefined)
  if (read.error && !read.data) return <Failed error={read.error} retry={read.refetch} />
  if (!read.currentData) return <Loading lines={6} />
  if (read.currentData.list.length === 0)
    return <Empty title={say(['还没有发送过', 'Nothing was sent yet'])} />
  return (
    <ul className="ov-runs">
      {read.currentData.list.map(run => (
        <li key={run.id}>
          <button
            type="button"
            aria-expanded={open === run.id}
            onClick={() => setOpen(open === run.id ? undefined : run.id)}
          >
            <span className="m-num">{run.period}</span>
            {run.resend > 0 && <Badge>{say(['补发', 'Again'])}</Badge>}
            <Badge tone={runTones[run.state]}>{say(runStates[run.state])}</Badge>
            <When at={run.sent_at ?? run.created_at} />
          </button>
          <Sends of={run.sends} />
          {open === run.id && run.body && <Report of={run.body} />}
        </li>
      ))}
    </ul>
  )
}

const HowMade = () => (
  <Keyed
    text={[
      '数据按订阅人的权限与数据范围生成。按 {preview} 预览本期，按 {log} 查看发送记录。',
      'Made of what its owner may see. {preview} previews it, {log} shows what was sent.',
    ]}
    by={{ preview: commands.reportActions.preview, log: commands.reportActions.history }}
  />
)
const Subscription = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['订阅', 'Subscription'])}>
      <Facts>
        <Fact label={say(['报表', 'Report'])}>
          <Template row={row} />
        </Fact>
        <Fact label={say(['发送', 'Schedule'])}>
          <Rhythm of={row.schedule} />
        </Fact>
        <Fact wide label={say(['范围', 'Places'])}>
          <Place row={row} />
        </Fact>
        <Fact wide label={say(['接收', 'Receivers'])}>
          <Listed of={receiversOf(row)} />
        </Fact>
        <Fact label={say(['订阅人', 'Owner'])}>{row.owner_name}</Fact>
        <Fact label={say(['下次', 'Next'])}>
          <When at={row.next_run_at} />
        </Fact>
        <Fact label={say(['上次', 'Last'])}>
          <Outcome row={row} />
        </Fact>
        {row.last_missed.length > 0 && (
          <Fact wide label={say(['未送达', 'Not delivered'])}>
            <span className="m-bad">{row.last_missed.join(say(comma))}</span>
          </Fact>
        )}
        {row.pause_reason && (
          <Fact wide label={say(['暂停原因', 'Paused because'])}>
            <span className="m-bad">{row.pause_reason}</span>
          </Fact>
        )}
      </Facts>
      <p className="m-muted">
        <HowMade />
      </p>
    </Section>
  )
}
/** What is looked at of a subscription: the report as it is now, what was sent, or its facts. */
const LookedAt = ({ what, row }: { what: Look | undefined; row: Row }) => {
  if (what === 'preview') return <Preview row={row} />
  return what === 'history' ? <History row={row} /> : <Subscription row={row} />
}

export default function Reports() {
  const say = useSay()
  const list = useList(calls.lst)
  const [shown, setShown] = useState<{ id: number; what: Look } | undefined>(undefined)
  const show =
    (what: Look) =>
    ([row]: readonly Row[]) => {
      if (row) {
        list.focus(row.id)
        setShown({ id: row.id, what })
      }
    }
  useDetailAction(commands.reportActions.preview, show('preview'))
  useDetailAction(commands.reportActions.history, show('history'))
  const row = list.focusedRow
  const what = row && shown?.id === row.id ? shown.what : undefined
  return (
    <ListDetail>
      <List
        of={list}
        label={say([pages.report.title, pages.report.en])}
        columns={columns}
        actions={Object.values(commands.reportActions)}
        onOpen={opened => show('preview')([opened])}
        empty={
          <Empty title={say(['还没有符合条件的订阅', 'No subscription matches'])}>
            <p>
              <Keyed
                text={[
                  '按 {add} 新增：选报表、时间与接收人。',
                  '{add} makes one: a report, a time, and who gets it.',
                ]}
                by={{ add: commands.reportActions.create }}
              />
            </p>
          </Empty>
        }
        filters={
          <>
            <Keyword of={list} placeholder={say(['订阅名称', 'Name'])} />
            <Choice
              of={list}
              by="template"
              label={say(['报表', 'Report'])}
              options={Object.entries(reportTemplates).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Choice
              of={list}
              by="status"
              label={say(['状态', 'State'])}
              options={[
                { value: 'on', label: say(['订阅中', 'On']) },
                { value: 'paused', label: say(['已暂停', 'Paused']) },
              ]}
            />
            <Toggle of={list} by="mine" label={say(['我的订阅', 'Mine'])} />
            <Toggle of={list} by="missed" label={say(['有未送达', 'Not delivered'])} />
          </>
        }
      />
      {row ? (
        <Inspector title={row.name} aside={<Status row={row} />}>
          <LookedAt what={what} row={row} />
        </Inspector>
      ) : (
        <Inspector title={undefined} />
      )}
    </ListDetail>
  )
}
