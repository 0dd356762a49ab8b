import { Button } from '@blueprintjs/core'
import { Confirm, Cross, Disable, Undo } from '@blueprintjs/icons'
import { useState } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { historyOf } from '#commands/history.ts'
import { logs as logsPage } from '#commands/pages/system.ts'
import { logResults, type LogResult } from '#src/areas/log/logs.ts'
import { timeFull } from '#src/domain/time.ts'
import { WhoChanged } from '#src/kit/changed.tsx'
import { useRead } from '#src/kit/data.ts'
import { FoldedFacts } from '#src/kit/inspector.tsx'
import { Badge, Section, When } from '#src/kit/show.tsx'
import { Empty, Unanswered } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { logs, type LogDetail, type LogRow } from '../contract/logs.ts'
import { Beside } from './Beside.tsx'
import './logs.css'

const looks = {
  ok: { tone: 'good', icon: Confirm },
  refused: { tone: 'warn', icon: Disable },
  failed: { tone: 'bad', icon: Cross },
} as const
export const ResultBadge = ({
  result,
  title,
}: {
  result: LogResult
  title?: string | undefined
}) => {
  const say = useSay()
  return (
    <Badge {...looks[result]} {...(title ? { title } : {})}>
      {say(logResults[result])}
    </Badge>
  )
}
/** A person, and that they left. */
export const Who = ({ row }: { row: Pick<LogRow, 'admin_name' | 'admin_status'> }) => {
  const say = useSay()
  return (
    <>
      {row.admin_name}
      {row.admin_status === 'left' || row.admin_status === 'disabled' ? (
        <span className="m-muted">
          {' '}
          · {say(row.admin_status === 'left' ? ['已离职', 'left'] : ['已停用', 'disabled'])}
        </span>
      ) : null}
    </>
  )
}

type Change = LogDetail['changes'][number]
const NoValue = () => {
  const say = useSay()
  return <span className="m-muted">{say(['空', 'none'])}</span>
}
/** What a field had and has; of a list, what went and what came. */
const BeforeAfter = ({ change: { before, after, added, removed } }: { change: Change }) =>
  added || removed ? (
    <>
      <td>
        {removed?.length ? (
          removed.map(one => (
            <div key={one}>
              <span className="l-was">− {one}</span>
            </div>
          ))
        ) : (
          <NoValue />
        )}
      </td>
      <td>
        {added?.length ? (
          added.map(one => (
            <div key={one}>
              <span className="l-is">+ {one}</span>
            </div>
          ))
        ) : (
          <NoValue />
        )}
      </td>
    </>
  ) : (
    <>
      <td>{before === null ? <NoValue /> : <span className="l-was">{before}</span>}</td>
      <td>{after === null ? <NoValue /> : <span className="l-is">{after}</span>}</td>
    </>
  )
const ChangedField = ({ change, of }: { change: Change; of: LogDetail }) => (
  <tr>
    <td>
      {change.title}{' '}
      {of.object_id !== null && (
        <WhoChanged
          of={change.title}
          href={historyOf(of.object_type, of.object_id, change.field.split('.')[0])}
        />
      )}
    </td>
    <BeforeAfter change={change} />
  </tr>
)
/** Field by field: before and after. Each field's name opens its own history. */
const Changes = ({ of }: { of: LogDetail }) => {
  const say = useSay()
  return (
    <>
      {of.changes.length > 0 && (
        <table className="l-table l-changes">
          <thead>
            <tr>
              <th scope="col">{say(['字段', 'Field'])}</th>
              <th scope="col">{say(['改前', 'Before'])}</th>
              <th scope="col">{say(['改后', 'After'])}</th>
            </tr>
          </thead>
          <tbody>
            {of.changes.map(change => (
              <ChangedField key={change.field} change={change} of={of} />
            ))}
          </tbody>
        </table>
      )}
      {of.withheld > 0 && (
        <p className="m-muted">
          {say(['另有 {n} 项因字段权限不显示', '{n} more are hidden by your field rules'], {
            n: of.withheld,
          })}
        </p>
      )}
      {of.changes.length === 0 && of.withheld === 0 && (
        <p className="m-muted">
          {say(
            of.object_type === 'batch'
              ? ['逐条结果见下', 'Row by row below']
              : ['没有字段改动', 'No field changed'],
          )}
        </p>
      )}
    </>
  )
}

/** An operation says who did what, when and why, and whether it was taken back. */
const Operation = ({ row }: { row: LogDetail }) => {
  const say = useSay()
  return (
    <header className="l-head">
      <h2>
        {row.action_title}
        <ResultBadge result={row.result} />
      </h2>
      <p>
        <span className="m-num">{timeFull(row.created_at)}</span> · <Who row={row} /> ·{' '}
        {row.module_title}
        {row.ip ? ` · ${row.ip}` : ''}
      </p>
      {row.object_type !== 'batch' && (
        <p>
          {row.object_title}{' '}
          {row.object_id !== null && <span className="m-num">#{row.object_id}</span>}{' '}
          {row.object_label}
        </p>
      )}
      {row.reason && (
        <p>
          {say(['原因：', 'Reason: '])}
          {row.reason}
        </p>
      )}
      {row.error && (
        <p className="m-bad" role="note">
          {row.error}
        </p>
      )}
      {row.reverts_id !== null && (
        <p>
          <Undo size={12} /> {say(['撤回了', 'Took back'])}{' '}
          <Link
            href={to(logsPage, {
              object_type: row.object_type,
              object_id: row.object_id ?? undefined,
            })}
          >
            #{row.reverts_id}
          </Link>
        </p>
      )}
      {row.reverted_by !== null && (
        <p className="m-bad">
          <Undo size={12} /> {say(['已被 #{n} 撤回', 'Taken back by #{n}'], { n: row.reverted_by })}
        </p>
      )}
      {row.trace_id && (
        <p className="m-num">
          {say(['追踪号', 'Trace'])} {row.trace_id}
        </p>
      )}
    </header>
  )
}
/** What a batch did, row by row. */
const Items = ({
  of,
  items,
  more,
}: {
  of: LogDetail
  items: readonly LogDetail[]
  more: number
}) => {
  const say = useSay()
  return (
    <Section
      title={say(['逐条结果', 'Row by row'])}
      aside={<span className="m-num">{of.object_label}</span>}
    >
      <table className="l-table">
        <tbody>
          {items.map(item => (
            <tr key={item.id}>
              <td>
                <ResultBadge result={item.result} title={item.error ?? undefined} />
              </td>
              <td>{item.object_label || `#${item.object_id}`}</td>
              <td>{item.error ? <span className="m-bad">{item.error}</span> : item.summary}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p>
          <Link href={`${logsPage.path}?batch_id=${of.id}`}>
            {say(['另有 {n} 条', '{n} more'], { n: more })}
          </Link>
        </p>
      )}
    </Section>
  )
}
/** One row of the log in full: who, what, from what to what, and what it belongs to. */
export const Difference = ({ id }: { id: number }) => {
  const say = useSay()
  const read = useRead(logs.diff, { id })
  if (!read.data) return <Unanswered of={read} lines={10} />
  const { row, parent, items, more_items } = read.data
  return (
    <Beside label={row.action_title} busy={read.isFetching}>
      <Operation row={row} />
      <Section title={say(['改动', 'Changes'])}>
        <Changes of={row} />
      </Section>
      {parent && (
        <Section title={say(['所属批量操作', 'Part of a batch'])}>
          <Link href={`${logsPage.path}?batch_id=${parent.id}`}>
            {parent.action_title} {parent.object_label}
          </Link>
        </Section>
      )}
      {items.length > 0 && <Items of={row} items={items} more={more_items} />}
      <FoldedFacts />
    </Beside>
  )
}

const PastOperation = ({ row }: { row: LogDetail }) => {
  const say = useSay()
  return (
    <li>
      <header>
        <When at={row.created_at} />
        <b>{row.action_title}</b>
        <span>
          <Who row={row} />
        </span>
        {row.result !== 'ok' && <ResultBadge result={row.result} />}
        {row.reverted_by !== null && <Badge icon={Undo}>{say(['已撤回', 'Taken back'])}</Badge>}
      </header>
      {row.reason && <div className="m-muted">{row.reason}</div>}
      {row.changes.length > 0 && (
        <ul>
          {row.changes.map(change => (
            <li key={change.field}>
              <span className="m-muted">{change.title}</span>{' '}
              {change.before !== null && <span className="l-was">{change.before}</span>}{' '}
              {change.before !== null && '→'}{' '}
              {change.after === null ? <NoValue /> : <span className="l-is">{change.after}</span>}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
/**
 * All that happened to one object, newest first, however old; `field` keeps what changed that
 * field.
 */
export const ObjectHistory = ({
  object_type,
  object_id,
  field,
  back,
}: {
  object_type: string
  object_id: number
  field?: string | undefined
  back: () => void
}) => {
  const say = useSay()
  const [page, setPage] = useState(1)
  const read = useRead(logs.objectHistory, {
    object_type,
    object_id,
    ...(field === undefined ? {} : { field }),
    page,
    pageSize: 50,
  })
  if (!read.data) return <Unanswered of={read} lines={12} />
  const [first] = read.data.list
  return (
    <Beside label={say(['全部历史', 'Whole history'])}>
      <header className="l-head">
        <h2>
          {say(['全部历史', 'Whole history'])}
          <span className="m-muted">
            {first ? `${first.object_title} #${object_id} ${first.object_label}` : `#${object_id}`}
          </span>
        </h2>
        <p>
          {say(['共 {n} 次，不限时间', '{n} times, however long ago'], { n: read.data.total })}
          {field && ` · ${field}`}{' '}
          <Button size="small" variant="minimal" onClick={back}>
            {say(['返回改动', 'Back'])}
          </Button>
        </p>
      </header>
      {read.data.list.length === 0 ? (
        <Empty title={say(['没有记录', 'Nothing on record'])} />
      ) : (
        <ol className="l-history">
          {read.data.list.map(row => (
            <PastOperation key={row.id} row={row} />
          ))}
        </ol>
      )}
      {read.data.total > page * 50 && (
        <Button variant="minimal" onClick={() => setPage(page + 1)}>
          {say(['更早', 'Older'])}
        </Button>
      )}
      {page > 1 && (
        <Button variant="minimal" onClick={() => setPage(page - 1)}>
          {say(['更近', 'Newer'])}
        </Button>
      )}
    </Beside>
  )
}
