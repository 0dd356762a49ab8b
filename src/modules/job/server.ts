import { and, asc, count, desc, eq, inArray } from 'drizzle-orm'
import { row_job, row_job_failed } from '#src/areas/export/job.table.ts'
import { joined, say, type Lang } from '#src/domain/text.ts'
import { implement, type Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { endRowJob, rowJobNamed } from '#src/server/jobs/rowJobs.ts'
import { jobs, type RowJobRow } from './contract.ts'

const shown = (job: typeof row_job.$inferSelect, lang: Lang): RowJobRow => ({
  ...job,
  title: say(rowJobNamed(job.call)?.call.title ?? [job.call, job.call], lang),
})
/** The person's own job. Another's is not there. */
const own = (db: Db, id: number, admin_id: number) =>
  db
    .select()
    .from(row_job)
    .where(and(eq(row_job.id, id), eq(row_job.admin_id, admin_id)))

export default implement(jobs, {
  mine: async (input, { db, staff }) => {
    const where = and(eq(row_job.admin_id, staff.id), input.ids && inArray(row_job.id, input.ids))
    const rows = await db
      .select()
      .from(row_job)
      .where(where)
      .orderBy(desc(row_job.id))
      .limit(input.pageSize)
      .offset((input.page - 1) * input.pageSize)
    const [all] = await db.select({ n: count() }).from(row_job).where(where)
    return { list: rows.map(job => shown(job, staff.lang)), total: all!.n }
  },
  cancel: async ({ id }, { tx, staff, log }) => {
    const [job] = await own(tx, id, staff.id).for('update')
    if (!job) throw missing()
    if (job.state !== 'queued' && job.state !== 'running')
      throw ruled(
        'job_over',
        ['任务已结束，不能取消', 'It is over already'],
        {},
        { current: job.state },
      )
    const after = await endRowJob(tx, job, { state: 'cancelled' })
    log({
      object_type: 'row_job',
      object_id: id,
      object_label: joined(rowJobNamed(job.call)?.call.title ?? [job.call, job.call]),
      before: { state: job.state },
      after: { state: 'cancelled' },
    })
    return shown(after, staff.lang)
  },
  failed: async ({ id, page, pageSize }, { db, staff }) => {
    const [job] = await own(db, id, staff.id)
    if (!job) throw missing()
    const list = await db
      .select({ line: row_job_failed.line, code: row_job_failed.code, msg: row_job_failed.msg })
      .from(row_job_failed)
      .where(eq(row_job_failed.job_id, id))
      .orderBy(asc(row_job_failed.line))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, total: job.rows_failed }
  },
})
