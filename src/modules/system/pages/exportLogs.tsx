import { Dialog, DialogBody, ProgressBar, SegmentedControl } from '@blueprintjs/core'
import {
  BanCircle as Ban,
  Confirm,
  Cross,
  Disable,
  Inbox,
  Outdated,
  Refresh,
} from '@blueprintjs/icons'
import { useEffect, useState, type ComponentType } from 'react'
import { useDispatch } from 'react-redux'
import { exportLogs as page } from '#commands/pages/system.ts'
import { exportLogsActions as actions } from '#commands/system/logs.ts'
import { exportStates } from '#src/areas/export/exportStates.ts'
import { LOG_DAYS } from '#src/areas/log/logs.ts'
import { colon } from '#src/domain/text.ts'
import { DAY, timeFull, unixNow } from '#src/domain/time.ts'
import { dispatchWrite, skipToken, useRead } from '#src/kit/data.ts'
import { Choice } from '#src/kit/filters.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { Period } from '#src/kit/period.tsx'
import { Badge, duration, Fact, Facts, When, type ToneName } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { exportLogs as calls, type ExportRow } from '../contract/exportLogs.ts'
import { FileOrigin } from '../parts/FileOrigin.tsx'
import '../parts/logs.css'

const looks: Record<
  ExportRow['state'],
  { tone: ToneName; icon: ComponentType<{ size?: number }> }
> = {
  queued: { tone: 'plain', icon: Inbox },
  running: { tone: 'info', icon: Refresh },
  done: { tone: 'good', icon: Confirm },
  failed: { tone: 'bad', icon: Cross },
  cancelled: { tone: 'plain', icon: Disable },
  expired: { tone: 'plain', icon: Outdated },
  revoked: { tone: 'warn', icon: Ban },
}
const size = (bytes: number) =>
  bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`
const State = ({ row }: { row: ExportRow }) => {
  const say = useSay()
  const again =
    row.runs > 1
      ? say(['中断过，从头重做（第 {n} 次）', 'It was interrupted and begun again (time {n})'], {
          n: row.runs,
        })
      : undefined
  const why =
    row.error ??
    (row.revoke_reason ? `${row.revoked_by_name ?? ''}${say(colon)}${row.revoke_reason}` : again)
  return (
    <Badge {...looks[row.state]} {...(why ? { title: why } : {})}>
      {say(exportStates[row.state])}
      {again && ` ·${row.runs}`}
    </Badge>
  )
}
const Rows = ({ row }: { row: ExportRow }) => {
  const say = useSay()
  if (row.state !== 'queued' && row.state !== 'running')
    return <>{row.rows_done.toLocaleString()}</>
  return (
    <span
      title={say(['{a} / {b} 行', '{a} of {b} rows'], { a: row.rows_done, b: row.rows_expected })}
    >
      <span
        className="l-bar"
        role="progressbar"
        aria-valuemin={0}
        aria-valuemax={row.rows_expected}
        aria-valuenow={row.rows_done}
        aria-label={say(['进度', 'Progress'])}
      >
        <ProgressBar
          animate={false}
          stripes={false}
          intent="primary"
          value={row.rows_expected === 0 ? 0 : Math.min(1, row.rows_done / row.rows_expected)}
        />
      </span>{' '}
      {row.rows_expected.toLocaleString()}
    </span>
  )
}
const Expires = ({ row }: { row: ExportRow }) => {
  const say = useSay()
  if (row.state !== 'done' || row.expires_at === null) return <When at={row.expires_at} />
  const left = row.expires_at - unixNow()
  return (
    <span
      className="m-num"
      style={left < DAY ? { color: 'var(--m-warn)' } : undefined}
      title={say(['到期 {t}', 'Until {t}'], { t: timeFull(row.expires_at) })}
    >
      {left > 0
        ? say(['还剩 {t}', '{t} left'], { t: duration(left, say) })
        : say(['已过期', 'Expired'])}
    </span>
  )
}
const columns: readonly Column<ExportRow>[] = [
  { key: 'at', title: ['时间', 'Time'], width: 108, cell: row => <When at={row.created_at} /> },
  { key: 'who', title: ['导出人', 'Person'], width: 92, cell: row => row.admin_name },
  {
    key: 'page',
    title: ['页面', 'Page'],
    width: 120,
    cell: row => row.title,
    words: row => row.page,
  },
  {
    key: 'filters',
    title: ['条件', 'Filters'],
    width: 220,
    grow: true,
    cell: row => row.filters_text || <span className="m-muted">—</span>,
    words: row => row.filters_text,
  },
  { key: 'format', title: ['格式', 'Format'], width: 60, cell: row => row.format },
  {
    key: 'rows',
    title: ['行数', 'Rows'],
    width: 150,
    align: 'end',
    cell: row => <Rows row={row} />,
  },
  {
    key: 'size',
    title: ['大小', 'Size'],
    width: 80,
    align: 'end',
    cell: row => (row.size_bytes === null ? '—' : size(row.size_bytes)),
  },
  { key: 'state', title: ['状态', 'State'], width: 96, cell: row => <State row={row} /> },
  { key: 'expires', title: ['有效期', 'Expires'], width: 120, cell: row => <Expires row={row} /> },
  {
    key: 'downloads',
    title: ['下载', 'Downloads'],
    width: 64,
    align: 'end',
    cell: row => row.downloads,
  },
]

const FilterFacts = ({ id }: { id: number }) => {
  const say = useSay()
  const { data, error, refetch } = useRead(calls.viewFilters, { id })
  if (error) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={4} />
  return (
    <>
      <p className="m-subject">
        {data.title}
        {data.text && ` · ${data.text}`}
      </p>
      {data.filters.length > 0 ? (
        <Facts>
          {data.filters.map(one => (
            <Fact key={one.title} label={one.title} wide>
              {one.value}
            </Fact>
          ))}
        </Facts>
      ) : (
        <p className="m-muted">{say(['没有筛选条件，导出全部', 'No filter: everything'])}</p>
      )}
    </>
  )
}
const Filters = ({ id, close }: { id: number; close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  return (
    <Dialog isOpen onClose={close} title={say(['导出条件', 'Filters of the export'])}>
      <DialogBody>
        <FilterFacts id={id} />
      </DialogBody>
    </Dialog>
  )
}

/**
 * Progress is told now and then, not with every row: while one runs and is looked at, it is asked
 * for.
 */
const useProgress = ({ rows, retry }: ListState<ExportRow>) => {
  const running = rows.some(row => row.state === 'queued' || row.state === 'running')
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => {
      if (!document.hidden) retry()
    }, 2000)
    return () => clearInterval(timer)
  }, [running, retry])
}

export default function ExportLogs() {
  const say = useSay()
  const now = useLang()
  const dispatch = useDispatch()
  const { me } = useWorkbench()
  const list = useList(calls.lst)
  const mine = list.input.mine ?? true
  const may = me.can(calls.all.permit)
  const choices = useRead(calls.all, may && !mine ? {} : skipToken)
  const [verifying, setVerifying] = useState(false)
  const [viewing, setViewing] = useState<number | undefined>(undefined)
  useProgress(list)
  const show = (everyone: boolean) =>
    list.filter({ mine: everyone ? false : undefined, admin_id: undefined, page_key: undefined })
  const fetchFile = (row: ExportRow) =>
    void dispatchWrite(dispatch as never, calls.download, { id: row.id }).then(
      ({ url }) => {
        location.assign(url)
      },
      () => {
        /* the refusal was told */
      },
    )
  useAction(actions.download, ([row]: readonly ExportRow[]) => {
    if (row) fetchFile(row)
  })
  useAction(actions.viewFilters, ([row]: readonly ExportRow[]) => {
    if (row) setViewing(row.id)
  })
  useAction(actions.verify, () => setVerifying(true))
  useAction(actions.all, () => show(mine))
  return (
    <>
      <List
        of={list}
        label={titleIn(page, now)}
        columns={columns}
        actions={Object.values(actions)}
        onOpen={row => setViewing(row.id)}
        filters={
          <>
            {may && (
              <SegmentedControl
                size="small"
                aria-label={say(['范围', 'Whose'])}
                value={mine ? 'mine' : 'all'}
                onValueChange={value => show(value === 'all')}
                options={[
                  { value: 'mine', label: say(['我的', 'Mine']) },
                  { value: 'all', label: say(['全部人', 'All']) },
                ]}
              />
            )}
            <Choice
              of={list}
              by="state"
              label={say(['状态', 'State'])}
              options={Object.entries(exportStates).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            {!mine && (
              <Choice
                of={list}
                by="admin_id"
                label={say(['导出人', 'Person'])}
                options={(choices.data?.people ?? []).map(one => ({
                  value: one.id,
                  label: one.name,
                }))}
              />
            )}
            {!mine && (
              <Choice
                of={list}
                by="page_key"
                label={say(['页面', 'Page'])}
                options={(choices.data?.pages ?? []).map(one => ({
                  value: one.key,
                  label: one.title,
                }))}
              />
            )}
            <Period
              of={list}
              from="from"
              to="to"
              most={LOG_DAYS}
              usual={['全部时间', 'Any time']}
            />
          </>
        }
        empty={
          <Empty title={say(['没有导出任务', 'No exports'])}>
            <p>
              {say([
                '在列表页用“导出”生成文件，完成后在这里下载。',
                'Export from a list; the file will be here.',
              ])}
            </p>
          </Empty>
        }
      />
      {verifying && (
        <FileOrigin
          close={() => setVerifying(false)}
          open={id => {
            setVerifying(false)
            setViewing(id)
          }}
        />
      )}
      {viewing !== undefined && <Filters id={viewing} close={() => setViewing(undefined)} />}
    </>
  )
}
