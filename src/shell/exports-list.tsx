import { Button, ProgressBar } from '@blueprintjs/core'
import { useEffect, useState, type ReactNode } from 'react'
import { rowJobStates } from '#src/areas/export/rowJob.ts'
import type { Text } from '#src/domain/text.ts'
import { dispatchRead, dispatchWrite } from '#src/kit/data.ts'
import { download } from '#src/kit/download.ts'
import { When } from '#src/kit/show.tsx'
import { useLang, useSay } from '#src/kit/text.ts'
import { exports as calls, type ExportJob } from '#src/modules/export/contract.ts'
import { jobs as jobCalls, type RowJobRow } from '#src/modules/job/contract.ts'
import { allLines, countsOf, failedCsv, isOpen } from './row-jobs.ts'
import { useAppDispatch } from './store.ts'

const exportStates: Record<ExportJob['state'], Text> = {
  queued: ['排队中', 'Queued'],
  running: ['生成中', 'Running'],
  done: ['已完成', 'Done'],
  failed: ['失败', 'Failed'],
  cancelled: ['已取消', 'Cancelled'],
  expired: ['已过期', 'Expired'],
  revoked: ['已作废', 'Revoked'],
}
const size = (bytes: number) =>
  bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`
const LINES = 1000

type Press = { text: string; main?: boolean; loading?: boolean; does: () => unknown }
type Shown = {
  key: string
  at: number
  title: string
  aside?: string
  facts: ReactNode[]
  part?: number
  press?: Press | undefined
}
const Entry = ({
  of: { at, title, aside, facts, part, press },
  first,
}: {
  of: Shown
  first: boolean
}) => (
  <li>
    <div>
      <b>{title}</b>
      {aside && <span className="m-muted"> {aside}</span>}
    </div>
    <div className="m-muted m-num">
      <When at={at} />
      {facts.filter(Boolean).map((fact, i) => (
        <span key={i}> · {fact}</span>
      ))}
    </div>
    {part !== undefined && (
      <ProgressBar
        aria-label={title}
        animate={false}
        stripes={false}
        intent="primary"
        value={part}
      />
    )}
    {press && (
      <div>
        <Button
          size="small"
          {...(press.main ? { intent: 'primary', variant: 'outlined' } : { variant: 'minimal' })}
          autoFocus={first}
          loading={press.loading ?? false}
          aria-label={`${press.text} ${title}`}
          onClick={() => void press.does()}
        >
          {press.text}
        </Button>
      </div>
    )}
  </li>
)

/**
 * Exports and row jobs, the newest first: how far each is, its file or what it did not do, cancel
 * and retry.
 */
export const ExportList = ({
  files,
  jobs,
  fetchFile,
  keepFocus,
}: {
  files: readonly ExportJob[]
  jobs: readonly RowJobRow[]
  fetchFile: (job: ExportJob) => Promise<void>
  /** After every change, for a button that was pressed may be gone. */ keepFocus: () => void
}) => {
  const say = useSay()
  const now = useLang()
  const dispatch = useAppDispatch()
  const [fetching, setFetching] = useState<number | undefined>(undefined)
  useEffect(keepFocus)
  const told = () => {
    /* the refusal was told */
  }
  const fetchFailed = (job: RowJobRow) => {
    setFetching(job.id)
    return allLines(page =>
      dispatchRead(dispatch, jobCalls.failed, { id: job.id, page, pageSize: LINES }, true),
    )
      .then(
        lines => download(`${job.title}-${job.id}.csv`, failedCsv(lines, now), 'text/csv'),
        () => {},
      )
      .finally(() => setFetching(undefined))
  }
  const cancel = (does: () => Promise<unknown>): Press => ({
    text: say(['取消', 'Cancel']),
    does: () => does().catch(told),
  })
  const pressOfFile = (job: ExportJob): Press | undefined => {
    if (job.state === 'done')
      return { text: say(['下载', 'Download']), main: true, does: () => fetchFile(job) }
    if (isOpen(job)) return cancel(() => dispatchWrite(dispatch, calls.cancel, { id: job.id }))
    if (job.state !== 'failed') return undefined
    return {
      text: say(['重新生成', 'Make it again']),
      does: () => dispatchWrite(dispatch, calls.retry, { id: job.id }).catch(told),
    }
  }
  const pressOfJob = (job: RowJobRow, failed: number): Press | undefined => {
    if (isOpen(job)) return cancel(() => dispatchWrite(dispatch, jobCalls.cancel, { id: job.id }))
    if (failed === 0) return undefined
    return {
      text: say(['下载未完成明细', 'Download what was not done']),
      main: true,
      loading: fetching === job.id,
      does: () => fetchFailed(job),
    }
  }
  const part = (job: { state: string }, done: number, all: number) =>
    isOpen(job) ? { part: all === 0 ? 0 : Math.min(1, done / all) } : {}
  const ofFile = (job: ExportJob): Shown => ({
    key: `file ${job.id}`,
    at: job.created_at,
    title: job.title,
    aside: job.filters_text,
    ...part(job, job.rows_done, job.rows_expected),
    facts: [
      say(['导出', 'Export']),
      say(exportStates[job.state]),
      isOpen(job)
        ? `${job.rows_done.toLocaleString()} / ${job.rows_expected.toLocaleString()}`
        : `${job.rows_done.toLocaleString()} ${say(['行', 'rows'])}`,
      job.size_bytes !== null && size(job.size_bytes),
      job.error,
      isOpen(job) &&
        job.runs > 1 &&
        say(['中断过，从头重做（第 {n} 次）', 'It was interrupted and begun again (time {n})'], {
          n: job.runs,
        }),
    ],
    press: pressOfFile(job),
  })
  const ofJob = (job: RowJobRow): Shown => {
    const { ok, failed, left } = countsOf(job)
    return {
      key: `job ${job.id}`,
      at: job.created_at,
      title: job.title,
      ...part(job, job.rows_done, job.rows_total),
      facts: [
        say(['批量任务', 'Job']),
        say(rowJobStates[job.state]),
        isOpen(job)
          ? `${job.rows_done.toLocaleString()} / ${job.rows_total.toLocaleString()}`
          : say(['完成 {n} 行', '{n} done'], { n: ok.toLocaleString() }),
        failed > 0 && say(['未完成 {n} 行', '{n} not done'], { n: failed.toLocaleString() }),
        !isOpen(job) &&
          left > 0 &&
          say(['{n} 行没有处理', '{n} left alone'], { n: left.toLocaleString() }),
        job.error,
      ],
      press: pressOfJob(job, failed),
    }
  }
  const shown = [...files.map(ofFile), ...jobs.map(ofJob)].sort((a, b) => b.at - a.at)
  const first = shown.findIndex(one => one.press)
  return (
    <ul>
      {shown.map((one, i) => (
        <Entry key={one.key} of={one} first={i === first} />
      ))}
    </ul>
  )
}
