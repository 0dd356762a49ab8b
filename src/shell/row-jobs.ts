import { csvField } from '#src/domain/csv.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import type { Tone } from '#src/kit/workbench.ts'
import type { RowJobRow } from '#src/modules/job/contract.ts'

/** Waits or runs. */
export const isOpen = (job: { state: string }) => job.state === 'queued' || job.state === 'running'
/**
 * Those that were under way when they were looked at last, and are over now. `before` remembers how
 * each was.
 */
export const endedSince = <J extends { id: number; state: string }>(
  before: Map<number, string>,
  jobs: readonly J[],
): J[] => {
  const ended = jobs.filter(job => {
    const was = before.get(job.id)
    return was !== undefined && isOpen({ state: was }) && !isOpen(job)
  })
  for (const job of jobs) before.set(job.id, job.state)
  return ended
}

/** What became of the rows: done, refused, and those that it did not come to. */
export const countsOf = ({
  rows_total,
  rows_done,
  rows_failed,
}: Pick<RowJobRow, 'rows_total' | 'rows_done' | 'rows_failed'>) => ({
  ok: rows_done - rows_failed,
  failed: rows_failed,
  left: rows_total - rows_done,
})
const toldCounts: Text = [
  '{title}：完成 {ok} 行，未完成 {failed} 行',
  '{title}: {ok} done, {failed} not',
]
const toldLeft: Text = [
  '{title}：完成 {ok} 行，未完成 {failed} 行，{left} 行没有处理',
  '{title}: {ok} done, {failed} not, {left} left alone',
]
/** How the end of a job is told; undefined of one that the person cancelled themselves. */
export const endTold = (
  job: RowJobRow,
  lang: Lang,
): { message: string; tone: Tone; details: boolean } | undefined => {
  if (job.state === 'cancelled') return undefined
  const { ok, failed, left } = countsOf(job)
  const counts = say(left > 0 ? toldLeft : toldCounts, lang, {
    title: job.title,
    ok: ok.toLocaleString(),
    failed: failed.toLocaleString(),
    left: left.toLocaleString(),
  })
  const done = failed > 0 ? 'warning' : 'success'
  return {
    message:
      job.error === null
        ? counts
        : say(['{counts}。{error}', '{counts}. {error}'], lang, { counts, error: job.error }),
    tone: job.state === 'failed' ? 'danger' : done,
    details: failed > 0 || job.state === 'failed',
  }
}

export type FailedLine = { line: number; msg: string }
/** The lines that were refused and why, as a file that Excel reads. */
export const failedCsv = (lines: readonly FailedLine[], lang: Lang): string =>
  `\uFEFF${[[say(['行号', 'Line'], lang), say(['原因', 'Reason'], lang)], ...lines.map(({ line, msg }) => [String(line), msg])].map(cells => cells.map(csvField).join(',')).join('\r\n')}\r\n`
/** All lines, page by page. */
export const allLines = async <L>(
  page: (n: number) => Promise<{ list: readonly L[]; total: number }>,
): Promise<L[]> => {
  const lines: L[] = []
  for (let n = 1; ; n++) {
    const { list, total } = await page(n)
    lines.push(...list)
    if (list.length === 0 || lines.length >= total) return lines
  }
}
