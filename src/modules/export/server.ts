import { and, count, desc, eq, inArray } from 'drizzle-orm'
import { export_job } from '#src/areas/export/job.table.ts'
import { say } from '#src/domain/text.ts'
import type { Lang } from '#src/domain/text.ts'
import { implement, type Db } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import { cancelJob, linkJob, retryJob } from '#src/server/exports/exportJobs.ts'
import { exportNamed, lockExportsOf, wouldExport } from '#src/server/exports/exports.ts'
import { shownAs } from '#src/server/exports/exportWorker.ts'
import { exports, type ExportJob } from './contract.ts'

const shown = (job: typeof export_job.$inferSelect, lang: Lang): ExportJob => ({
  ...job,
  title: say(exportNamed(job.page)?.title ?? [job.page, job.page], lang),
})

/** The person's own job, held until the end of the call. Another's is not there. */
const own = async (tx: Db, id: number, admin_id: number) => {
  const [job] = await tx
    .select()
    .from(export_job)
    .where(and(eq(export_job.id, id), eq(export_job.admin_id, admin_id)))
    .for('update')
  if (!job) throw missing()
  return job
}

export default implement(exports, {
  mine: async (input, { db, staff }) => {
    const where = and(
      eq(export_job.admin_id, staff.id),
      input.ids && inArray(export_job.id, input.ids),
    )
    const rows = await db
      .select()
      .from(export_job)
      .where(where)
      .orderBy(desc(export_job.id))
      .limit(input.pageSize)
      .offset((input.page - 1) * input.pageSize)
    const [all] = await db.select({ n: count() }).from(export_job).where(where)
    return { list: rows.map(job => shown(job, staff.lang)), total: all!.n }
  },
  about: async ({ path, asked }, context) => {
    const { of, rows, format } = await wouldExport(context, path, asked)
    const { staff } = context
    return {
      rows,
      format,
      columns: of.columns.map(column => ({
        key: column.key,
        title: say(column.title, staff.lang),
        shown: shownAs(column, staff),
      })),
    }
  },
  cancel: async ({ id }, context) =>
    shown(
      await cancelJob(context, await own(context.tx, id, context.staff.id)),
      context.staff.lang,
    ),
  retry: async ({ id }, context) => {
    await lockExportsOf(context.tx, context.staff.id)
    return shown(
      await retryJob(context, await own(context.tx, id, context.staff.id)),
      context.staff.lang,
    )
  },
  link: async ({ id }, context) => linkJob(context, await own(context.tx, id, context.staff.id)),
})
