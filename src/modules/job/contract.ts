import { z } from 'zod'
import { rowJobStates, type RowJobState } from '#src/areas/export/rowJob.ts'
import { read, write } from '#src/contract/call.ts'
import { id, listOf, page, unix, version } from '#src/contract/shapes.ts'

const rowJob = z.object({
  id,
  title: z.string(),
  state: z.enum(Object.keys(rowJobStates) as [RowJobState, ...RowJobState[]]),
  rows_total: z.int(),
  /** Done or refused. */
  rows_done: z.int(),
  rows_failed: z.int(),
  error: z.string().nullable(),
  created_at: unix,
  version,
})
export type RowJobRow = z.output<typeof rowJob>
/** What a call answers that made a job of its rows. */
export const rowJobQueued = z.object({ job_id: id, rows: z.int() })

/** A person's own row jobs. */
export const jobs = {
  mine: read('job/mine', ['我的任务', 'My jobs'], {
    input: z.object({ ...page, ids: z.array(id).max(50).optional() }),
    output: listOf(rowJob),
    touches: ['job'],
    scope: 'own',
    permit: 'signed-in',
  }),
  /** Ends it after the part that is under way; what was done stays done. */
  cancel: write('job/cancel', ['取消批量任务', 'Cancel a job'], {
    input: z.object({ id }),
    output: rowJob,
    touches: ['job'],
    scope: 'own',
    permit: 'signed-in',
  }),
  /** Lines that were refused, in their order. */
  failed: read('job/failed', ['批量任务未完成明细', 'What a job did not do'], {
    input: z.object({ id, page: page.page, pageSize: z.int().min(1).max(1000).default(200) }),
    output: listOf(z.object({ line: z.int(), code: z.string(), msg: z.string() })),
    touches: ['job'],
    scope: 'own',
    permit: 'signed-in',
  }),
}
