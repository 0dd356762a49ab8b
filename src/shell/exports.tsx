import { Button, PopoverNext, ProgressBar } from '@blueprintjs/core'
import { Download } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'
import { myExports } from '#commands/shell.ts'
import type { Text } from '#src/domain/text.ts'
import { dispatchWrite, useRead } from '#src/kit/data.ts'
import { When } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { exports as calls, type ExportJob } from '#src/modules/export/contract.ts'
import { useDesk } from './desk.ts'
import { useAppDispatch } from './store.ts'
import { toast } from './toasts.tsx'

const states: Record<ExportJob['state'], Text> = {
  queued: ['排队中', 'Queued'], running: ['生成中', 'Running'], done: ['已完成', 'Done'], failed: ['失败', 'Failed'], cancelled: ['已取消', 'Cancelled'], expired: ['已过期', 'Expired'], revoked: ['已作废', 'Revoked'],
}
const isOpen = (job: ExportJob) => job.state === 'queued' || job.state === 'running'
const size = (bytes: number) => (bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`)

/** My exports: how far each is, its file when it is there, cancel and retry. Tells when one that was under way is done. */
export const Exports = () => {
  const say = useSay()
  const now = useLang()
  const desk = useDesk()
  const dispatch = useAppDispatch()
  const [open, setOpen] = useState(false)
  const read = useRead(calls.mine, { page: 1, pageSize: 10 })
  const jobs = read.data?.list
  const fetchFile = (job: ExportJob) => dispatchWrite(dispatch, calls.link, { id: job.id }).then(({ url }) => { location.assign(url) }, () => { /* the refusal was told */ })

  const before = useRef(new Map<number, ExportJob['state']>())
  useEffect(() => {
    for (const job of jobs ?? []) {
      const was = before.current.get(job.id)
      if (was === 'queued' || was === 'running') {
        if (job.state === 'done') toast(say(['{title}导出完成，共 {n} 行', '{title}: {n} rows exported'], { title: job.title, n: job.rows_done }), 'success', { text: say(['下载', 'Download']), does: () => void fetchFile(job) })
        if (job.state === 'failed') toast(say(['{title}导出失败：{why}', 'The export of {title} failed: {why}'], { title: job.title, why: job.error ?? '' }), 'danger')
      }
      before.current.set(job.id, job.state)
    }
  })
  useEffect(() => desk.global(myExports.id, () => setOpen(true)), [desk])
  // Progress is told now and then, not with every row: while one runs and is looked at, it is asked for.
  const running = jobs?.filter(isOpen).length ?? 0
  useEffect(() => {
    if (!open || running === 0) return
    const timer = setInterval(read.refetch, 2000)
    return () => clearInterval(timer)
  }, [open, running, read.refetch])

  return (
    <PopoverNext isOpen={open} onInteraction={setOpen} placement="bottom-end" shouldReturnFocusOnClose content={
      <section className="s-exports" aria-label={titleIn(myExports, now)}>
        {read.error && !jobs ? <Failed error={read.error} retry={read.refetch} /> : !jobs ? <Loading lines={3} /> : jobs.length === 0
          ? <p className="m-muted">{say(['还没有导出过。在列表页用“导出”生成文件，完成后在这里下载。', 'No exports yet. Export from a list; the file will be here.'])}</p>
          : <ul>{jobs.map((job, i) => (
              <li key={job.id}>
                <div><b>{job.title}</b> <span className="m-muted">{job.filters_text}</span></div>
                <div className="m-muted m-num"><When at={job.created_at} /> · {say(states[job.state])} · {isOpen(job) ? `${job.rows_done.toLocaleString()} / ${job.rows_expected.toLocaleString()}` : `${job.rows_done.toLocaleString()} ${say(['行', 'rows'])}`}{job.size_bytes !== null && ` · ${size(job.size_bytes)}`}{job.error && ` · ${job.error}`}{isOpen(job) && job.runs > 1 && ` · ${say(['中断过，从头重做（第 {n} 次）', 'It was interrupted and begun again (time {n})'], { n: job.runs })}`}</div>
                {isOpen(job) && <ProgressBar animate={false} stripes={false} intent="primary" value={job.rows_expected === 0 ? 0 : Math.min(1, job.rows_done / job.rows_expected)} />}
                <div className="s-exports-does">
                  {job.state === 'done' && <Button size="small" intent="primary" variant="outlined" autoFocus={i === 0} onClick={() => void fetchFile(job)}>{say(['下载', 'Download'])}</Button>}
                  {isOpen(job) && <Button size="small" variant="minimal" autoFocus={i === 0} onClick={() => void dispatchWrite(dispatch, calls.cancel, { id: job.id }).catch(() => { /* the refusal was told */ })}>{say(['取消', 'Cancel'])}</Button>}
                  {job.state === 'failed' && <Button size="small" variant="minimal" autoFocus={i === 0} onClick={() => void dispatchWrite(dispatch, calls.retry, { id: job.id }).catch(() => { /* the refusal was told */ })}>{say(['重新生成', 'Make it again'])}</Button>}
                </div>
              </li>
            ))}</ul>}
      </section>
    }>
      <Button variant="minimal" size="small" icon={<Download />} aria-label={titleIn(myExports, now)} title={`${titleIn(myExports, now)} ${desk.keysOf(myExports.id) ?? ''}`.trim()} data-command={myExports.id} text={running > 0 ? String(running) : undefined} />
    </PopoverNext>
  )
}
