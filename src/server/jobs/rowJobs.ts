/**
 * Row jobs: more rows of a call than it takes at once, done by the server part by part in the name
 * of whoever sent them.
 *
 * ```ts
 * // At the top of a module's server: how one row is done, as the call itself does it.
 * const manyLinks = defineRowJob(
 *   contract.batchCreate,
 *   (context, { line, ...row }: BatchRow, { again }: { again: boolean }) =>
 *     make(context, { ...row, again }),
 * )
 * // In the call's handler, whose contract answers { job_id, rows } too and touches 'job':
 * if (rows.length > 500) return startRowJob(context, manyLinks, { rows, same: { again } })
 * ```
 *
 * A job is queued in the call's own transaction, so that the call's idempotency key is the job's as
 * well. Rows and `same` are kept as JSON; `line` names a row and is its own in the job. The worker
 * (rowJobWorker.ts) does a part in one transaction, which also moves the cursor and keeps what
 * was refused: a crash leaves no row done twice and none lost. A part is done by the person as they
 * are at that moment, with the rights, the scope and the rules for fields they have then.
 */
import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { row_job, row_job_part } from '#src/areas/export/job.table.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import type { Write } from '#src/contract/call.ts'
import { joined } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { openBell } from './jobQueue.ts'

export type NumberedRow = { line: number }
export type RowJob<Row extends NumberedRow = NumberedRow, Same = unknown> = {
  call: Write
  row: (context: WriteContext, row: Row, same: Same) => Promise<unknown>
}

const ROW_JOB_MAX_ROWS = 50_000
const RUNNING_MAX = 3
/** Rows kept together, and the most that one part does. */
export const PART_ROWS = 100
const LOCK = 41_802

const known = new Map<string, RowJob>()
/**
 * Says how a row of the call is done. The job has the call's own title and permission, its lines in
 * the log and what it touches.
 */
export const defineRowJob = <Row extends NumberedRow, Same>(
  call: Write,
  row: RowJob<Row, Same>['row'],
): RowJob<Row, Same> => {
  const job = { call, row }
  // What is kept of the rows is what `startRowJob` was given of this very type.
  known.set(call.path, job as unknown as RowJob)
  return job
}
export const rowJobNamed = (path: string): RowJob | undefined => known.get(path)

export const rowJobBell = openBell()

/** Queues the rows inside the call's transaction. A person has three jobs under way at most. */
export const startRowJob = async <Row extends NumberedRow, Same>(
  { tx, staff, caller, request_id, log, afterCommit }: WriteContext,
  { call }: RowJob<Row, Same>,
  { rows, same }: { rows: readonly Row[]; same: Same },
): Promise<{ job_id: number; rows: number }> => {
  if (rows.length === 0 || rows.length > ROW_JOB_MAX_ROWS)
    throw new Error(`${call.path}: ${rows.length} rows are no job`)
  // One person's starts wait for each other, so that two at once count each other.
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, ${staff.id})`)
  const [busy] = await tx
    .select({ n: count() })
    .from(row_job)
    .where(and(eq(row_job.admin_id, staff.id), inArray(row_job.state, ['queued', 'running'])))
  if ((busy?.n ?? 0) >= RUNNING_MAX)
    throw ruled(
      'job_busy',
      [
        '已有 {n} 个批量任务在进行，请等待完成或先取消一个',
        '{n} jobs are under way: wait for one or cancel one',
      ],
      { n: busy!.n },
    )
  const [made] = await tx
    .insert(row_job)
    .values({
      admin_id: staff.id,
      call: call.path,
      same,
      lang: staff.lang,
      ip: caller.ip,
      region: caller.region,
      trace_id: request_id.slice(0, 40),
      rows_total: rows.length,
    })
    .returning({ id: row_job.id })
  const job_id = made!.id
  await tx.insert(row_job_part).values(
    Array.from({ length: Math.ceil(rows.length / PART_ROWS) }, (_, seq) => ({
      job_id,
      seq,
      rows: rows.slice(seq * PART_ROWS, (seq + 1) * PART_ROWS),
    })),
  )
  log({
    object_type: 'row_job',
    object_id: job_id,
    object_label: joined(call.title),
    after: { rows: rows.length },
  })
  afterCommit(rowJobBell.ring)
  return { job_id, rows: rows.length }
}

/** Tells whoever sent the rows that their job is over, but for one that they cancelled. */
export const tellOfJob = async (tx: Db, id: number): Promise<void> => {
  const [job] = await tx.select().from(row_job).where(eq(row_job.id, id))
  if (job?.state !== 'done' && job?.state !== 'failed') return
  const done = job.rows_failed > 0 ? 'job_part' : 'job_done'
  await tellPeople(tx, {
    to: [job.admin_id],
    kind: job.state === 'failed' ? 'job_failed' : done,
    about: `job:${id}`,
    facts: {
      of: rowJobNamed(job.call)?.call.title ?? [job.call, job.call],
      n: job.rows_done - job.rows_failed,
      failed: job.rows_failed,
      why: job.error ?? '',
    },
  })
}

/**
 * Ends a job that is held `for update`. What was done of it stays done; the rows that were not are
 * of no more use.
 */
export const endRowJob = async (
  tx: Db,
  { id, version }: { id: number; version: number },
  set: { state: 'done' | 'failed' | 'cancelled'; error?: string },
) => {
  const [after] = await tx
    .update(row_job)
    .set({ ...set, version: version + 1 })
    .where(and(eq(row_job.id, id), eq(row_job.version, version)))
    .returning()
  await tx.delete(row_job_part).where(eq(row_job_part.job_id, id))
  await tellOfJob(tx, id)
  return after!
}
