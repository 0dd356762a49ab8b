import { and, eq, inArray, sql } from 'drizzle-orm'
import { export_job } from '#src/areas/export/job.table.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { Refusal, ruled } from '#src/server/call/refuse.ts'
import { EXPORT_MAX_RUNNING, exportBell, linkTo } from './exports.ts'

/**
 * What may be done to an export's job, whoever's page asks. Each takes the job held `for update`,
 * and logs one line.
 */
export type Job = typeof export_job.$inferSelect
export const bumped = sql`${export_job.version} + 1`
export const jobLine = (job: Job, after: object, reason?: string) => ({
  object_type: 'export_job',
  object_id: job.id,
  object_label: job.page,
  before: Object.fromEntries(
    Object.keys(after)
      .filter(key => key in job)
      .map(key => [key, job[key as keyof Job]]),
  ),
  after,
  ...(reason !== undefined && { reason }),
})
const gone = () =>
  new Refusal(
    410,
    ['文件已过期或作废，请重新导出', 'The file has expired, export again'],
    {},
    { rule: 'gone' },
  )

export const cancelJob = async ({ tx, log }: WriteContext, job: Job): Promise<Job> => {
  if (job.state !== 'queued' && job.state !== 'running')
    throw ruled(
      'export_over',
      ['任务已结束，不能取消', 'It is over already'],
      {},
      { current: job.state },
    )
  const [after] = await tx
    .update(export_job)
    .set({ state: 'cancelled', version: bumped })
    .where(eq(export_job.id, job.id))
    .returning()
  log(jobLine(job, { state: 'cancelled' }))
  return after!
}
/**
 * Only from failed. Its owner's starts must be locked before the job is: `lockExportsOf`, then the
 * job.
 */
export const retryJob = async ({ tx, log, afterCommit }: WriteContext, job: Job): Promise<Job> => {
  if (job.state !== 'failed')
    throw ruled(
      'export_not_failed',
      ['只能重新生成失败的任务', 'Only a failed export can be made again'],
      {},
      { current: job.state },
    )
  const running = await tx
    .select()
    .from(export_job)
    .where(
      and(eq(export_job.admin_id, job.admin_id), inArray(export_job.state, ['queued', 'running'])),
    )
  if (running.some(other => other.page === job.page && other.filters_hash === job.filters_hash))
    throw ruled('export_same', ['相同条件的导出正在进行', 'The same export is under way'])
  if (running.length >= EXPORT_MAX_RUNNING)
    throw ruled(
      'export_busy',
      [
        '已有 {n} 个导出任务在进行，请等待完成或先取消一个',
        '{n} exports are under way: wait for one or cancel one',
      ],
      { n: running.length },
    )
  const [after] = await tx
    .update(export_job)
    .set({ state: 'queued', error: null, rows_done: 0, runs: 0, version: bumped })
    .where(eq(export_job.id, job.id))
    .returning()
  log(jobLine(job, { state: 'queued' }))
  afterCommit(exportBell.ring)
  return after!
}
/**
 * A link for the person who asks: it is their rights and field rules that are asked again when the
 * file is fetched.
 */
export const linkJob = ({ staff, caller, now, install, log }: WriteContext, job: Job) => {
  if (
    job.state === 'expired' ||
    job.state === 'revoked' ||
    (job.expires_at !== null && job.expires_at <= now)
  )
    throw gone()
  if (job.state !== 'done')
    throw ruled(
      'export_not_done',
      ['文件还没有生成', 'The file is not ready'],
      {},
      { current: job.state },
    )
  log({
    object_type: 'export_job',
    object_id: job.id,
    object_label: job.page,
    after: { link: true },
  })
  return linkTo(install, { job: job.id, by: staff.id, session: caller.session_id! }, now)
}
