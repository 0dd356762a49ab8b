import { Button } from '@blueprintjs/core'
import { Download } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'
import { myExports } from '#commands/shell.ts'
import { dispatchWrite, useRead } from '#src/kit/data.ts'
import { loadable } from '#src/kit/loadable.tsx'
import { Popover } from '#src/kit/popover.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { exports as calls, type ExportJob } from '#src/modules/export/contract.ts'
import { jobs as jobCalls } from '#src/modules/job/contract.ts'
import { useDesk } from './desk.ts'
import { endedSince, endTold, isOpen } from './row-jobs.ts'
import { useAppDispatch } from './store.ts'
import { toast } from './toasts.tsx'

const waiting = <Loading lines={3} />
export const ExportList = loadable(
  () => import('./exports-list.tsx').then(module => module.ExportList),
  waiting,
)

const NoExports = () => {
  const say = useSay()
  return (
    <p className="m-muted">
      {say([
        '还没有导出或批量任务。在列表页用“导出”生成文件，完成后在这里下载；行数很多的批量操作在后台执行，也在这里看进度。',
        'No exports or jobs yet. Files exported from a list appear here, and so do large batches, which run in the background.',
      ])}
    </p>
  )
}
/**
 * My exports and row jobs: how far each is, its file or what it did not do, cancel and retry. Tells
 * when one that was under way is over.
 */
export const Exports = () => {
  const say = useSay()
  const now = useLang()
  const desk = useDesk()
  const dispatch = useAppDispatch()
  const [open, setOpen] = useState(false)
  const reads = {
    files: useRead(calls.mine, { page: 1, pageSize: 10 }),
    jobs: useRead(jobCalls.mine, { page: 1, pageSize: 10 }),
  }
  const [files, jobs] = [reads.files.data?.list, reads.jobs.data?.list]
  const both = [reads.files, reads.jobs]
  const fetchFile = (job: ExportJob) =>
    dispatchWrite(dispatch, calls.link, { id: job.id }).then(
      ({ url }) => {
        location.assign(url)
      },
      () => {
        /* the refusal was told */
      },
    )

  const before = useRef({ files: new Map<number, string>(), jobs: new Map<number, string>() })
  useEffect(() => {
    for (const job of endedSince(before.current.files, files ?? [])) {
      if (job.state === 'done')
        toast(
          say(['{title}导出完成，共 {n} 行', '{title}: {n} rows exported'], {
            title: job.title,
            n: job.rows_done,
          }),
          'success',
          { text: say(['下载', 'Download']), does: () => void fetchFile(job) },
        )
      if (job.state === 'failed')
        toast(
          say(['{title}导出失败：{why}', 'The export of {title} failed: {why}'], {
            title: job.title,
            why: job.error ?? '',
          }),
          'danger',
        )
    }
    for (const job of endedSince(before.current.jobs, jobs ?? [])) {
      const end = endTold(job, now)
      if (end)
        toast(
          end.message,
          end.tone,
          end.details ? { text: say(['看明细', 'Details']), does: () => setOpen(true) } : undefined,
        )
    }
  })
  useEffect(() => desk.global(myExports.id, () => setOpen(true)), [desk])
  // Progress is told now and then, not with every row: while one runs and is looked at, it is asked
  // for.
  const running = [...(files ?? []), ...(jobs ?? [])].filter(isOpen).length
  const [refetchFiles, refetchJobs] = [reads.files.refetch, reads.jobs.refetch]
  useEffect(() => {
    if (!open || running === 0) return
    const timer = setInterval(() => {
      refetchFiles()
      refetchJobs()
    }, 2000)
    return () => clearInterval(timer)
  }, [open, running, refetchFiles, refetchJobs])
  // A button that was pressed may be gone by what it did: the keys stay in here.
  const section = useRef<HTMLElement>(null)
  const keepFocus = () => {
    if (open && document.activeElement === document.body) section.current?.focus()
  }
  useEffect(keepFocus)
  const fault = both.find(one => one.error && !one.data)?.error

  const content = () => {
    if (fault) return <Failed error={fault} retry={() => both.forEach(one => one.refetch())} />
    if (!files || !jobs) return waiting
    if (files.length + jobs.length === 0) return <NoExports />
    return <ExportList files={files} jobs={jobs} fetchFile={fetchFile} keepFocus={keepFocus} />
  }
  return (
    <Popover
      isOpen={open}
      show={setOpen}
      placement="bottom-end"
      content={
        <section
          ref={section}
          tabIndex={-1}
          className="s-exports"
          aria-label={titleIn(myExports, now)}
        >
          {content()}
        </section>
      }
    >
      <Button
        variant="minimal"
        size="small"
        icon={<Download />}
        aria-label={titleIn(myExports, now)}
        title={`${titleIn(myExports, now)} ${desk.keysOf(myExports.id) ?? ''}`.trim()}
        data-command={myExports.id}
        text={running > 0 ? String(running) : undefined}
      />
    </Popover>
  )
}
