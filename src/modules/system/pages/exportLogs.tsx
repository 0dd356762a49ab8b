import {
  Button,
  Dialog,
  DialogBody,
  FileInput,
  ProgressBar,
  SegmentedControl,
} from '@blueprintjs/core'
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
import { readMark, readMarkWord, type FoundMark } from '#src/areas/export/fileMark.ts'
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
import { useList } from '#src/kit/uselist.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { exportLogs as calls, type ExportRow } from '../contract/exportLogs.ts'
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

const Filters = ({ id, close }: { id: number; close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  const read = useRead(calls.viewFilters, { id })
  return (
    <Dialog isOpen onClose={close} title={say(['导出条件', 'Filters of the export'])}>
      <DialogBody>
        {read.error ? (
          <Failed error={read.error} retry={read.refetch} />
        ) : !read.data ? (
          <Loading lines={4} />
        ) : (
          <>
            <p className="m-subject">
              {read.data.title}
              {read.data.text && ` · ${read.data.text}`}
            </p>
            {read.data.filters.length > 0 ? (
              <Facts>
                {read.data.filters.map(one => (
                  <Fact key={one.title} label={one.title} wide>
                    {one.value}
                  </Fact>
                ))}
              </Facts>
            ) : (
              <p className="m-muted">{say(['没有筛选条件，导出全部', 'No filter: everything'])}</p>
            )}
          </>
        )}
      </DialogBody>
    </Dialog>
  )
}

/** The first rows of a table are enough; a workbook's properties are a file in it. */
const READ_BYTES = 2 * 1024 * 1024
const markIn = async (file: File): Promise<FoundMark | undefined> => {
  const bytes = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b)
    return readMark(await file.slice(0, READ_BYTES).text())
  const { unzip, strFromU8 } = await import('fflate')
  const all = new Uint8Array(await file.arrayBuffer())
  return new Promise(found =>
    unzip(all, { filter: one => one.name === 'docProps/core.xml' }, (error, parts) =>
      found(
        error || !parts['docProps/core.xml']
          ? undefined
          : readMarkWord(strFromU8(parts['docProps/core.xml'])),
      ),
    ),
  )
}
/**
 * Tells of a file that turned up who exported it, when and of what. The file itself stays here:
 * only its mark is asked about.
 */
const Verify = ({ close, open }: { close: () => void; open: (id: number) => void }) => {
  useReturnFocus()
  const say = useSay()
  const [read, setRead] = useState<{ name: string; mark: FoundMark | undefined } | undefined>(
    undefined,
  )
  const mark = read?.mark
  const asked = useRead(calls.verify, mark ? { mark: mark.mark, known: mark.known } : skipToken)
  const found = asked.data?.found
  return (
    <Dialog isOpen onClose={close} title={say(['核对文件来源', 'Where a file comes from'])}>
      <DialogBody>
        <p className="m-muted">
          {say([
            '选择外面见到的导出文件（CSV 或 XLSX，部分行也可以），看是谁导出的。文件不会上传。',
            'Choose an export that turned up somewhere (CSV or XLSX, some of its rows will do) to see whose it is. The file is not uploaded.',
          ])}
        </p>
        <FileInput
          fill
          hasSelection={read !== undefined}
          text={read?.name ?? say(['选择文件', 'Choose a file'])}
          buttonText={say(['浏览', 'Browse'])}
          inputProps={{
            autoFocus: true,
            accept: '.csv,.txt,.xlsx',
            'aria-label': say(['要核对的文件', 'The file']),
          }}
          onInputChange={event => {
            const [file] = event.currentTarget.files ?? []
            if (file)
              void markIn(file).then(
                one => setRead({ name: file.name, mark: one }),
                () => setRead({ name: file.name, mark: undefined }),
              )
          }}
        />
        <div role="status" style={{ marginTop: 12 }}>
          {!read ? null : !mark ? (
            <p>
              {say([
                '这个工作簿没有导出标记，不是从这里导出的，或标记已被去掉。',
                'This workbook has no mark: it is not from here, or the mark was taken out.',
              ])}
            </p>
          ) : asked.error ? (
            <Failed error={asked.error} retry={asked.refetch} />
          ) : !asked.data ? (
            <Loading lines={3} />
          ) : !found ? (
            <p>
              {say([
                '没有对上任何导出：不是从这里导出的、用表格软件重存过，或不在你可见的范围。',
                'It fits no export: not from here, saved anew by a spreadsheet, or beyond what you may see.',
              ])}
            </p>
          ) : (
            <>
              <Facts>
                <Fact label={say(['导出人', 'Person'])}>{found.admin_name}</Fact>
                <Fact label={say(['时间', 'Time'])}>{timeFull(found.created_at)}</Fact>
                <Fact label={say(['页面', 'Page'])}>{found.title}</Fact>
                <Fact label={say(['行数', 'Rows'])}>{found.rows_done}</Fact>
                <Fact label={say(['下载', 'Downloads'])}>{found.downloads}</Fact>
                <Fact label={say(['编号', 'No.'])}>{String(found.id)}</Fact>
                <Fact label={say(['条件', 'Filters'])} wide>
                  {found.filters_text || '—'}
                </Fact>
              </Facts>
              <Button style={{ marginTop: 8 }} onClick={() => open(found.id)}>
                {say(['查看导出条件', 'View the filters'])}
              </Button>
            </>
          )}
        </div>
      </DialogBody>
    </Dialog>
  )
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
  // Progress is told now and then, not with every row: while one runs and is looked at, it is asked
  // for.
  const running = list.rows.some(row => row.state === 'queued' || row.state === 'running')
  const { retry } = list
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => {
      if (!document.hidden) retry()
    }, 2000)
    return () => clearInterval(timer)
  }, [running, retry])
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
        <Verify
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
