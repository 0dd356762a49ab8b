import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, inArray, lt, notInArray } from 'drizzle-orm'
import { row_job, row_job_failed, row_job_part } from '#src/areas/export/job.table.ts'
import { say, semicolon, type Text } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { refusalOf } from '#src/server/call/faultRefusals.ts'
import type { Db, LogEntry, WriteContext } from '#src/server/call/implement.ts'
import { logCall } from '#src/server/call/oplog.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { scoped } from '#src/server/call/scoped.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { heldStaff } from '#src/server/sessions/sessions.ts'
import { openQueue, type Queue, type Taken } from './jobQueue.ts'
import {
  endRowJob,
  PART_ROWS,
  rowJobNamed,
  tellOfJob,
  type NumberedRow,
  type RowJob,
} from './rowJobs.ts'

/** Days that a job is kept after its end, with what was refused. */
const KEPT_S = 30 * DAY
/**
 * No further row of a part is begun after so long. One connection serves everybody in the embedded
 * mode: whoever asks it meanwhile waits.
 */
const BUDGET_MS = { embedded: 60, postgres: 500 } as const
/** A breath after each part, in which others are answered. */
const PAUSE_MS = { embedded: 20, postgres: 5 } as const
/** Open lists hear of the rows no more often than this, and at the end. */
const TELL_MS = 1000

type Job = typeof row_job.$inferSelect
type After = () => void | Promise<void>
type Gathered = { tags: Set<string>; ended: number[]; after: After[] }
export type RowJobWorker = Pick<Queue, 'work' | 'close'> & { sweep: () => Promise<void> }

const noPermit: Text = [
  '你已没有「{title}」的权限，其余的行没有处理',
  'You may no longer do “{title}”: the other rows were left alone',
]
const noAccount: Text = [
  '账号已停用，其余的行没有处理',
  'The account was disabled: the other rows were left alone',
]
const noSuch: Text = [
  '系统升级后不再有这种任务，其余的行没有处理',
  'After an upgrade there is no such job any more: the other rows were left alone',
]
const failed: Text = ['处理时出错，其余的行没有处理', 'It failed: the other rows were left alone']
const broke: Text = ['系统处理这一行时出错', 'The system failed at this line']

/** Does queued rows, one job at a time in each process, a part of it in each transaction. */
export const openRowJobWorker = async (core: Core): Promise<RowJobWorker> => {
  const { database, events, log } = core
  /** Other processes' panes and our own hear of what was committed. */
  const tell = async (by: number, { tags, ended }: Pick<Gathered, 'tags' | 'ended'>) => {
    const message = { tags: [...tags], by, ended }
    await database.transaction(tx => events.announce(tx, message))
    events.emit(message)
  }

  /** One row in a savepoint of its own: refused, it leaves nothing behind but why. */
  const oneRow = async (
    context: WriteContext,
    kind: RowJob,
    row: NumberedRow,
    same: unknown,
  ): Promise<{ code: string; msg: string } | undefined> => {
    const [entries, tags, ended, after]: [LogEntry[], string[], number[], After[]] = [
      [],
      [],
      [],
      [],
    ]
    try {
      await context.tx.transaction(tx =>
        scoped(kind.call, (one, of: WriteContext) => kind.row(of, one as NumberedRow, same))(row, {
          ...context,
          tx,
          log: entry => void entries.push(entry),
          changed: (...more) => void tags.push(...more),
          ended: sessions => void ended.push(...sessions),
          afterCommit: run => void after.push(run),
        }),
      )
    } catch (error) {
      const fault = faultOf(error)
      // No row's fault: the part is done again.
      if (fault && ['unavailable', 'rerun', 'full'].includes(fault.kind)) throw error
      const refusal = refusalOf(error)
      if (!refusal) log.error({ err: error, call: kind.call.path }, 'a row of a job failed')
      const fields = Object.values((refusal?.data['fields'] ?? {}) as Record<string, string>)
      const { lang } = context.staff
      return {
        code: String(refusal?.data['rule'] ?? refusal?.status ?? 500),
        msg: fields.join(say(semicolon, lang)) || (refusal?.in(lang) ?? say(broke, lang)),
      }
    }
    entries.forEach(context.log)
    context.changed(...tags)
    context.ended(ended)
    after.forEach(context.afterCommit)
    return undefined
  }

  const held = async (tx: Db, taken: Taken): Promise<Job | undefined> =>
    (
      await tx
        .select()
        .from(row_job)
        .where(
          and(
            eq(row_job.id, taken.id),
            eq(row_job.version, taken.version),
            eq(row_job.state, 'running'),
          ),
        )
        .for('update')
    )[0]
  /**
   * The next rows of a job, in one transaction with its cursor. Held until the commit: whoever
   * cancels or takes over waits for this part, and finds what it did.
   */
  const part = (taken: Taken): Promise<(Gathered & { over: boolean; by: number }) | undefined> =>
    database.transaction(async tx => {
      const job = await held(tx, taken)
      const gathered: Gathered = { tags: new Set(['job']), ended: [], after: [] }
      return job && { ...gathered, by: job.admin_id, over: await rowsOf(tx, job, gathered) }
    })
  /** True when the job is over. */
  const rowsOf = async (tx: Db, job: Job, gathered: Gathered): Promise<boolean> => {
    const fails = async (why: Text, values: Record<string, string> = {}) => {
      await endRowJob(tx, job, { state: 'failed', error: say(why, job.lang, values) })
      return true
    }
    const kind = rowJobNamed(job.call)
    if (!kind) return fails(noSuch)
    const known = await heldStaff(tx, job.admin_id, job.lang)
    if (!known) return fails(noAccount)
    const { staff } = known
    if (!staff.can(kind.call.permit))
      return fails(noPermit, { title: say(kind.call.title, job.lang) })
    const [kept] = await tx
      .select()
      .from(row_job_part)
      .where(
        and(
          eq(row_job_part.job_id, job.id),
          eq(row_job_part.seq, Math.floor(job.rows_done / PART_ROWS)),
        ),
      )
    const rows = kept!.rows.slice(job.rows_done % PART_ROWS)

    const entries: LogEntry[] = []
    const refusals: (typeof row_job_failed.$inferInsert)[] = []
    const context: WriteContext = {
      tx,
      staff,
      now: unixNow(),
      request_id: job.trace_id,
      install: core.install,
      caller: { ip: job.ip, ua: '', region: job.region, lang: job.lang },
      log: entry => void entries.push(entry),
      changed: (...more) => more.forEach(tag => gathered.tags.add(tag)),
      ended: sessions => void gathered.ended.push(...sessions),
      afterCommit: run => void gathered.after.push(run),
    }
    const until = performance.now() + BUDGET_MS[database.mode]
    let at = 0
    while (at < rows.length && (at === 0 || performance.now() < until)) {
      const row = rows[at++]!
      const refused = await oneRow(context, kind, row, job.same)
      if (refused)
        refusals.push({
          job_id: job.id,
          line: row.line,
          code: refused.code.slice(0, 64),
          msg: refused.msg.slice(0, 255),
        })
    }
    if (refusals.length > 0) await tx.insert(row_job_failed).values(refusals)
    if (refusals.length < at) for (const tag of kind.call.touches) gathered.tags.add(tag)
    if (entries.length > 0)
      await logCall(
        tx,
        { call: kind.call, staff, ip: job.ip, request_id: job.trace_id },
        { job_id: job.id },
        entries,
      )
    const rows_done = job.rows_done + at
    const [moved] = await tx
      .update(row_job)
      .set({
        rows_done,
        rows_failed: job.rows_failed + refusals.length,
        runs: 0,
        beat_at: unixNow(),
      })
      .where(
        and(
          eq(row_job.id, job.id),
          eq(row_job.version, job.version),
          eq(row_job.rows_done, job.rows_done),
        ),
      )
      .returning()
    if (!moved) throw new Error(`The cursor of the job ${job.id} moved while it was held`)
    if (rows_done < job.rows_total) return false
    await endRowJob(tx, moved, { state: 'done' })
    return true
  }

  const one = async (taken: Taken): Promise<void> => {
    const untold = { tags: new Set<string>(), ended: [] as number[] }
    let by = 0
    let toldAt = Date.now()
    try {
      // Until it is over, or no longer ours.
      for (let done = await part(taken); done; done = await part(taken)) {
        by = done.by
        for (const tag of done.tags) untold.tags.add(tag)
        untold.ended.push(...done.ended)
        for (const run of done.after) {
          try {
            await run()
          } catch (error) {
            log.warn({ err: error, row_job: taken.id }, 'after the commit')
          }
        }
        if (done.over) break
        if (queue.closing()) {
          await queue.handBack(taken)
          break
        }
        if (Date.now() - toldAt > TELL_MS) {
          toldAt = Date.now()
          await tell(by, { tags: untold.tags, ended: untold.ended.splice(0) })
          untold.tags.clear()
        }
        await pause(PAUSE_MS[database.mode])
      }
    } catch (error) {
      const kind = faultOf(error)?.kind
      if (kind === 'unavailable' || kind === 'full') await queue.abandon(taken).catch(() => {})
      else {
        log.error({ err: error, row_job: taken.id }, 'a job failed')
        await database.transaction(async tx => {
          const job = await held(tx, taken)
          if (job) await endRowJob(tx, job, { state: 'failed', error: say(failed, job.lang) })
        })
      }
      untold.tags.add('job')
    }
    if (untold.tags.size > 0) await tell(by, untold).catch(() => {})
  }
  const queue = await openQueue({
    database,
    table: row_job,
    one,
    gaveUp: [
      '处理时中断了 {n} 次，其余的行没有处理',
      'Interrupted {n} times: the other rows were left alone',
    ],
    tell: tellOfJob,
  })
  return {
    work: queue.work,
    close: queue.close,
    /** Takes over what died, forgets what is old, and works on what waits. */
    sweep: async () => {
      await queue.takeOver()
      await database.db.delete(row_job_part).where(
        inArray(
          row_job_part.job_id,
          database.db
            .select({ id: row_job.id })
            .from(row_job)
            .where(notInArray(row_job.state, ['queued', 'running'])),
        ),
      )
      await database.db
        .delete(row_job)
        .where(
          and(
            notInArray(row_job.state, ['queued', 'running']),
            lt(row_job.updated_at, unixNow() - KEPT_S),
          ),
        )
      await queue.work()
    },
  }
}
