import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { say } from '#src/domain/text.ts'
import { EXPORT_MAX_RUNNING, exportNamed, lockExportsOf, linkTo, wakeExports } from '#src/server/exports.ts'
import { implement, type Db } from '#src/server/implement.ts'
import { missing, Refusal, ruled } from '#src/server/refuse.ts'
import { export_job } from '#src/server/tables/job.ts'
import type { Lang } from '#src/domain/text.ts'
import { exports, type ExportJob } from './contract.ts'

const shown = (job: typeof export_job.$inferSelect, lang: Lang): ExportJob => ({ ...job, title: say(exportNamed(job.page)?.title ?? [job.page, job.page], lang) })

/** The person's own job, held until the end of the call. Another's is not there. */
const own = async (tx: Db, id: number, admin_id: number) => {
  const [job] = await tx.select().from(export_job).where(and(eq(export_job.id, id), eq(export_job.admin_id, admin_id))).for('update')
  if (!job) throw missing()
  return job
}
const line = (job: typeof export_job.$inferSelect, after: object) => ({ object_type: 'export_job', object_id: job.id, object_label: job.page, before: { state: job.state }, after })
const bump = sql`${export_job.version} + 1`

export default implement(exports, {
  mine: async (input, { db, staff }) => {
    const where = and(eq(export_job.admin_id, staff.id), input.ids && inArray(export_job.id, input.ids))
    const rows = await db.select().from(export_job).where(where).orderBy(desc(export_job.id)).limit(input.pageSize).offset((input.page - 1) * input.pageSize)
    const [all] = await db.select({ n: count() }).from(export_job).where(where)
    return { list: rows.map(job => shown(job, staff.lang)), total: all!.n }
  },
  cancel: async ({ id }, { tx, staff, log }) => {
    const job = await own(tx, id, staff.id)
    if (job.state !== 'queued' && job.state !== 'running') throw ruled('export_over', ['任务已结束，不能取消', 'It is over already'], {}, { current: job.state })
    const [after] = await tx.update(export_job).set({ state: 'cancelled', version: bump }).where(eq(export_job.id, id)).returning()
    log(line(job, { state: 'cancelled' }))
    return shown(after!, staff.lang)
  },
  retry: async ({ id }, { tx, staff, log, afterCommit }) => {
    await lockExportsOf(tx, staff.id)
    const job = await own(tx, id, staff.id)
    if (job.state !== 'failed') throw ruled('export_not_failed', ['只能重新生成失败的任务', 'Only a failed export can be made again'], {}, { current: job.state })
    const running = await tx.select().from(export_job).where(and(eq(export_job.admin_id, staff.id), inArray(export_job.state, ['queued', 'running'])))
    if (running.some(other => other.page === job.page && other.filters_hash === job.filters_hash)) throw ruled('export_same', ['相同条件的导出正在进行', 'The same export is under way'])
    if (running.length >= EXPORT_MAX_RUNNING) throw ruled('export_busy', ['已有 {n} 个导出任务在进行，请等待完成或先取消一个', '{n} exports are under way: wait for one or cancel one'], { n: running.length })
    const [after] = await tx.update(export_job).set({ state: 'queued', error: null, rows_done: 0, version: bump }).where(eq(export_job.id, id)).returning()
    log(line(job, { state: 'queued' }))
    afterCommit(wakeExports)
    return shown(after!, staff.lang)
  },
  link: async ({ id }, { tx, staff, now, install, log }) => {
    const job = await own(tx, id, staff.id)
    if (job.state === 'expired' || job.state === 'revoked' || (job.expires_at !== null && job.expires_at <= now)) throw new Refusal(410, ['文件已过期或作废，请重新导出', 'The file has expired, export again'], {}, { rule: 'gone' })
    if (job.state !== 'done') throw ruled('export_not_done', ['文件还没有生成', 'The file is not ready'], {}, { current: job.state })
    log(line(job, { link: true }))
    return linkTo(install, job.id, now)
  },
})
