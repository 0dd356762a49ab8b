import { Button, Dialog, DialogBody, ProgressBar } from '@blueprintjs/core'
import { Confirm, Cross, Disable, Undo } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import { useDispatch } from 'react-redux'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { historyOf } from '#commands/history.ts'
import { logs as logsPage } from '#commands/pages/system.ts'
import { logResults, type LogResult } from '#src/areas/log/logs.ts'
import type { Result } from '#src/contract/call.ts'
import { timeFull } from '#src/domain/time.ts'
import { WhoChanged } from '#src/kit/changed.tsx'
import { dispatchRead, useRead, type CallError } from '#src/kit/data.ts'
import { LayerFocus, useReturnFocus } from '#src/kit/focus.ts'
import { FoldedFacts } from '#src/kit/inspector.tsx'
import { Badge, Section, When } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
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

/** Field by field: before and after. Each field's name opens its own history. */
const Changes = ({ of }: { of: LogDetail }) => {
  const say = useSay()
  const none = <span className="m-muted">{say(['空', 'none'])}</span>
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
              <tr key={change.field}>
                <td>
                  {change.title}{' '}
                  {of.object_id !== null && (
                    <WhoChanged
                      of={change.title}
                      href={historyOf(of.object_type, of.object_id, change.field.split('.')[0])}
                    />
                  )}
                </td>
                {change.added || change.removed ? (
                  <>
                    <td>
                      {change.removed?.length
                        ? change.removed.map(one => (
                            <div key={one}>
                              <span className="l-was">− {one}</span>
                            </div>
                          ))
                        : none}
                    </td>
                    <td>
                      {change.added?.length
                        ? change.added.map(one => (
                            <div key={one}>
                              <span className="l-is">+ {one}</span>
                            </div>
                          ))
                        : none}
                    </td>
                  </>
                ) : (
                  <>
                    <td>
                      {change.before === null ? (
                        none
                      ) : (
                        <span className="l-was">{change.before}</span>
                      )}
                    </td>
                    <td>
                      {change.after === null ? none : <span className="l-is">{change.after}</span>}
                    </td>
                  </>
                )}
              </tr>
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

/** One row of the log in full: who, what, from what to what, and what it belongs to. */
export const Difference = ({ id }: { id: number }) => {
  const say = useSay()
  const read = useRead(logs.diff, { id })
  if (!read.data)
    return read.error ? <Failed error={read.error} retry={read.refetch} /> : <Loading lines={10} />
  const { row, parent, items, more_items } = read.data
  return (
    <Beside label={row.action_title} busy={read.isFetching}>
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
            <Undo size={12} />{' '}
            {say(['已被 #{n} 撤回', 'Taken back by #{n}'], { n: row.reverted_by })}
          </p>
        )}
        {row.trace_id && (
          <p className="m-num">
            {say(['追踪号', 'Trace'])} {row.trace_id}
          </p>
        )}
      </header>
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
      {items.length > 0 && (
        <Section
          title={say(['逐条结果', 'Row by row'])}
          aside={<span className="m-num">{row.object_label}</span>}
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
          {more_items > 0 && (
            <p>
              <Link href={`${logsPage.path}?batch_id=${row.id}`}>
                {say(['另有 {n} 条', '{n} more'], { n: more_items })}
              </Link>
            </p>
          )}
        </Section>
      )}
      <FoldedFacts />
    </Beside>
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
  if (!read.data)
    return read.error ? <Failed error={read.error} retry={read.refetch} /> : <Loading lines={12} />
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
            <li key={row.id}>
              <header>
                <When at={row.created_at} />
                <b>{row.action_title}</b>
                <span>
                  <Who row={row} />
                </span>
                {row.result !== 'ok' && <ResultBadge result={row.result} />}
                {row.reverted_by !== null && (
                  <Badge icon={Undo}>{say(['已撤回', 'Taken back'])}</Badge>
                )}
              </header>
              {row.reason && <div className="m-muted">{row.reason}</div>}
              {row.changes.length > 0 && (
                <ul>
                  {row.changes.map(change => (
                    <li key={change.field}>
                      <span className="m-muted">{change.title}</span>{' '}
                      {change.before !== null && <span className="l-was">{change.before}</span>}{' '}
                      {change.before !== null && '→'}{' '}
                      {change.after === null ? (
                        <span className="m-muted">{say(['空', 'none'])}</span>
                      ) : (
                        <span className="l-is">{change.after}</span>
                      )}
                    </li>
                  ))}
                </ul>
              )}
            </li>
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

type Verified = Result<typeof logs.verify>
const faults = {
  changed: ['内容被改动', 'was changed'],
  deleted: ['被删除', 'was deleted'],
  inserted: ['是事后插入的', 'was slipped in'],
  seal: ['封存记录被改动', 'a seal was changed'],
} as const
/** Goes through all seals, a stretch a call, and says whether the log is as it was written. */
export const Verify = ({ close }: { close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  const dispatch = useDispatch()
  const [at, setAt] = useState<{ seals: number; rows: number; last?: Verified }>({
    seals: 0,
    rows: 0,
  })
  const [failed, setFailed] = useState<CallError | undefined>(undefined)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let live = true
    setFailed(undefined)
    const go = async () => {
      let sum = { seals: 0, rows: 0 }
      for (let after: number | null = 0; after !== null && live;) {
        const last: Verified = await dispatchRead(dispatch as never, logs.verify, { after }, true)
        sum = { seals: sum.seals + last.seals, rows: sum.rows + last.rows }
        if (live) setAt({ ...sum, last })
        after = last.broken ? null : last.next
      }
    }
    go().catch((error: CallError) => {
      if (live) setFailed(error)
    })
    return () => {
      live = false
    }
  }, [dispatch, round])
  const { last } = at
  const over = last !== undefined && (last.next === null || last.broken !== null)
  return (
    <Dialog
      isOpen
      onClose={close}
      title={say(['校验操作日志', 'Verify the operation log'])}
      canOutsideClickClose
    >
      <DialogBody>
        {failed ? (
          <Failed error={failed} retry={() => setRound(round + 1)} />
        ) : (
          <div className="m-ask" role="status">
            {over ? (
              last.broken ? (
                <p className="m-bad">
                  <b>
                    {last.broken.row_id === null
                      ? say(['第 {n} 份封存对不上：{why}', 'Seal {n} does not fit: {why}'], {
                          n: last.broken.seal_id,
                          why: say(faults[last.broken.kind]),
                        })
                      : say(['发现异常：第 {n} 行{why}', 'Row {n} {why}'], {
                          n: last.broken.row_id,
                          why: say(faults[last.broken.kind]),
                        })}
                  </b>
                </p>
              ) : (
                <p>
                  <Badge tone="good" icon={Confirm}>
                    {say(['完整', 'Whole'])}
                  </Badge>{' '}
                  {say(['{rows} 行与 {seals} 份封存一致', '{rows} rows agree with {seals} seals'], {
                    rows: at.rows.toLocaleString(),
                    seals: at.seals,
                  })}
                </p>
              )
            ) : (
              <>
                <p>
                  {say(['已核对 {rows} 行', '{rows} rows so far'], {
                    rows: at.rows.toLocaleString(),
                  })}
                </p>
                <ProgressBar
                  intent="primary"
                  animate={false}
                  stripes={false}
                  value={last?.head ? Math.min(1, (last.next ?? 0) / last.head.seal_id) : 0}
                />
              </>
            )}
            {last && (
              <p className="m-muted">
                {say(
                  [
                    '最近一分钟内的 {n} 行尚未封存。',
                    '{n} rows of the last minute are not sealed yet.',
                  ],
                  { n: last.unsealed },
                )}
              </p>
            )}
            {last?.head && (
              <div>
                <span className="m-label">
                  {say([
                    '最新封存的指纹（另行保存，日后可用 npm run verify-log 核对）',
                    'Hash of the newest seal (keep it elsewhere; npm run verify-log asks for it)',
                  ])}
                </span>
                <code className="m-num" style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
                  {last.head.hash}
                </code>
              </div>
            )}
          </div>
        )}
        <LayerFocus />
      </DialogBody>
    </Dialog>
  )
}
