import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { and, eq, isNotNull, lt, type SQL } from 'drizzle-orm'
import type { Logger } from 'pino'
import { export_job } from '#src/areas/export/job.table.ts'
import { masked } from '#src/domain/mask.ts'
import { aside, comma, saidIn, say, type Text } from '#src/domain/text.ts'
import { DAY, timeFull, unixNow } from '#src/domain/time.ts'
import { strictest } from '#src/server/call/fields.ts'
import type { FieldMode } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { openQueue, type Queue, type Taken } from '#src/server/jobs/jobQueue.ts'
import type { Events } from '#src/server/live/events.ts'
import { findStaff, type Known } from '#src/server/sessions/sessions.ts'
import { BATCH, exportNamed, type ExportColumn, type ExportOf, type ExportRow } from './exports.ts'
import { cellOf, csvSheet, xlsxSheet, type About, type Cell } from './sheets.ts'
import { tellOfExport } from './tellExport.ts'

const KEPT_S = 7 * DAY
const BEAT_MS = 1000
/** Rows made into text before the event loop has its turn: a few milliseconds' work. */
const AT_ONCE = 500
type Job = typeof export_job.$inferSelect
type Batch = Awaited<ReturnType<ExportOf['rows']>>

/** A reason that the person who asked for the export may read. */
class ExportFailed extends Error {}
class Cancelled extends Error {}

export type ExportWorker = Pick<Queue, 'work' | 'close'> & {
  sweep: () => Promise<void>
  fileOf: (job: Pick<Job, 'file_key'>) => string
  remove: (file_key: string | null) => Promise<void>
}

/**
 * Writes queued exports to `folder`, one at a time in each process. Files of several processes need
 * a folder they share.
 */
export const openExportWorker = async (of: {
  database: Database
  events: Events
  folder: string
  log: Logger
}): Promise<ExportWorker> => {
  const { database, events, folder, log } = of
  const { db } = database
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const told = () => events.emit({ tags: ['export'] })

  /** Shows progress and life; throws Cancelled when the job is no longer ours to write. */
  const beat = async (job: Job, rows_done: number) => {
    const still = await db
      .update(export_job)
      .set({ rows_done, beat_at: unixNow() })
      .where(
        and(
          eq(export_job.id, job.id),
          eq(export_job.version, job.version),
          eq(export_job.state, 'running'),
        ),
      )
      .returning({ id: export_job.id })
    if (still.length === 0) throw new Cancelled()
    told()
  }
  const write = async (
    job: Job,
  ): Promise<{
    rows: number
    bytes: number
    file_key: string
    fields: Record<string, FieldMode>
  }> => {
    const made = exportNamed(job.page)
    if (!made) throw new ExportFailed(say(['没有这种导出', 'There is no such export'], job.lang))
    const file_key = `${job.id}-${job.version}.${job.format}`
    const part = join(folder, `${file_key}.part`)
    const file = createWriteStream(part, { mode: 0o600 })
    // A write error surfaces at the next drain or at the end; without a listener it would end the
    // process.
    file.on('error', () => {})
    try {
      const done = await database.snapshot(of_one =>
        fill(job, made, file, {
          db: of_one,
          exclusive: database.exclusive,
          beat: rows => beat(job, rows),
          closing: queue.closing,
        }),
      )
      file.end()
      await finished(file)
      const { size } = await stat(part)
      // Only a whole file ever has the name that can be fetched.
      await rename(part, join(folder, file_key))
      return { ...done, bytes: size, file_key }
    } catch (error) {
      file.destroy()
      await rm(part, { force: true })
      throw error
    }
  }
  /** Ends a job that is still ours, and tells its person; false where it is not ours any more. */
  const end = (mine: SQL | undefined, set: Partial<typeof export_job.$inferInsert>) =>
    database.transaction(async tx => {
      const [ended] = await tx
        .update(export_job)
        .set(set)
        .where(mine)
        .returning({ id: export_job.id })
      if (ended) await tellOfExport(tx, ended.id)
      return ended !== undefined
    })
  const one = async (taken: Taken): Promise<void> => {
    const mine = and(
      eq(export_job.id, taken.id),
      eq(export_job.version, taken.version),
      eq(export_job.state, 'running'),
    )
    const [job] = await db.select().from(export_job).where(mine)
    // Cancelled since it was taken.
    if (!job) return
    try {
      const { rows, bytes, file_key, fields } = await write(job)
      const now = unixNow()
      const kept = await end(mine, {
        state: 'done',
        rows_done: rows,
        size_bytes: bytes,
        file_key,
        fields,
        done_at: now,
        expires_at: now + KEPT_S,
      })
      if (!kept) await rm(join(folder, file_key), { force: true })
    } catch (error) {
      if (error instanceof Cancelled) {
        // Handed back at once, so that the next start, or another process, goes on with it.
        if (queue.closing()) await queue.handBack(taken)
        return
      }
      // The database went away in the middle, and its instant with it: begun again once it is
      // there. If it isn't yet, the sweep does that.
      if (faultOf(error)?.kind === 'unavailable') {
        await queue.abandon(taken).catch(() => {})
        return
      }
      if (!(error instanceof ExportFailed))
        log.error({ err: error, export_job: job.id }, 'an export failed')
      await end(mine, {
        state: 'failed',
        error:
          error instanceof ExportFailed
            ? error.message
            : say(['生成文件时出错，可以重新生成', 'It failed: make the file again'], job.lang),
      })
    }
    told()
  }
  // A file is of one instant, which ended with its process: it is begun again from nothing, and
  // `runs` says so.
  const queue = await openQueue({
    database,
    table: export_job,
    one,
    gaveUp: [
      '生成时中断了 {n} 次，请缩小筛选范围后再试',
      'Interrupted {n} times while it was written: narrow the filters and try again',
    ],
    tell: tellOfExport,
  })
  for (const name of await readdir(folder))
    if (database.exclusive && name.endsWith('.part')) await rm(join(folder, name), { force: true })

  const worker: ExportWorker = {
    work: queue.work,
    /** Takes over what died, forgets what is old, and works on what waits. */
    sweep: async () => {
      const now = unixNow()
      await queue.takeOver()
      const old = await db
        .update(export_job)
        .set({ state: 'expired' })
        .where(and(eq(export_job.state, 'done'), lt(export_job.expires_at, now)))
        .returning({ file_key: export_job.file_key })
      for (const { file_key } of old) await worker.remove(file_key)
      // First the file, then its name: a crash between leaves a name without a file, never a file
      // without one.
      const revoked = await db
        .select({ id: export_job.id, file_key: export_job.file_key })
        .from(export_job)
        .where(and(eq(export_job.state, 'revoked'), isNotNull(export_job.file_key)))
      for (const { id, file_key } of revoked) {
        await worker.remove(file_key)
        await db.update(export_job).set({ file_key: null }).where(eq(export_job.id, id))
      }
      await worker.work()
    },
    fileOf: job => join(folder, job.file_key ?? ''),
    remove: async file_key => {
      if (file_key && /^[\w.-]+$/.test(file_key)) await rm(join(folder, file_key), { force: true })
    },
    close: queue.close,
  }
  return worker
}

/** The field whose rule a column is under: of several the strictest. */
const keyOf = ({ field }: ExportColumn, staff: Known['staff']): string | undefined =>
  strictest([field ?? []].flat(), staff)
/** How a column stands in a file that this person makes: a number that is masked can't be shown. */
export const shownAs = (column: ExportColumn, staff: Known['staff']): FieldMode => {
  const key = keyOf(column, staff)
  const mode = key ? staff.field(key) : 'show'
  return mode === 'mask' && column.kind && column.kind !== 'text' ? 'hide' : mode
}
/** The columns that the job asks for, in the order that they always have. */
const wanted = ({ columns }: Job, made: ExportOf) =>
  columns ? made.columns.filter(column => columns.includes(column.key)) : made.columns
/** Keeps the columns that the person may have; masks what is masked. */
const columnsFor = (columns: readonly ExportColumn[], { staff }: Pick<Known, 'staff'>) =>
  columns.flatMap(column => {
    const key = keyOf(column, staff)
    const mode = shownAs(column, staff)
    if (mode === 'hide') return []
    const value = (row: ExportRow): Cell => {
      const cell = cellOf(row[column.key], column.kind, staff.lang)
      if (typeof cell !== 'string') return cell
      const text = saidIn(cell, staff.lang)
      return mode === 'mask' ? masked(staff.masks[key!] ?? 'all', text) : text
    }
    return [{ title: say(column.title, staff.lang), value }]
  })

/** What a file says of itself: who made it of what, and of which instant. */
const aboutOf = (job: Job, made: ExportOf, { staff }: Known, at: number): About => {
  const text = (one: Text) => say(one, job.lang)
  const [title, by] = [
    text(made.title),
    `${staff.name}${say(aside, staff.lang, { it: staff.account })}`,
  ]
  const masks = wanted(job, made)
    .filter(column => shownAs(column, staff) !== 'show')
    .map(column => text(column.title))
  return {
    mark: job.mark,
    by: staff.name,
    at,
    title: text(['说明', 'About']),
    foot: say(
      [
        '{by} 于 {t} 导出 · 编号 {id} · 请勿外传',
        'Exported by {by} at {t} · no. {id} · confidential',
      ],
      job.lang,
      { by, t: timeFull(at), id: job.id },
    ),
    lines: [
      [text(['内容', 'Of']), title],
      [text(['筛选条件', 'Filters']), job.filters_text || text(['全部', 'All'])],
      [text(['导出人', 'Exported by']), by],
      [
        text(['数据时点', 'As of']),
        `${timeFull(at)}${say(aside, staff.lang, { it: text(['北京时间', 'Beijing time']) })}`,
      ],
      [text(['导出编号', 'Export no.']), String(job.id)],
      [text(['金额', 'Amounts']), text(['单位为元，两位小数', 'Yuan, two decimals'])],
      ...(masks.length > 0
        ? [[text(['已隐藏或打码', 'Hidden or masked']), masks.join(text(comma))] as const]
        : []),
      [
        text(['提醒', 'Please note']),
        text([
          '文件含经营数据，请勿外传；可在「文件导出记录」核对来源',
          'Business data, not to be passed on; its origin can be checked on the page of export jobs',
        ]),
      ],
    ],
  }
}

const fill = async (
  job: Job,
  made: ExportOf,
  file: WriteStream,
  around: {
    db: Database['db']
    exclusive: boolean
    beat: (rows: number) => Promise<void>
    closing: () => boolean
  },
) => {
  const known = await findStaff(around.db, job.admin_id, job.lang)
  if (!known?.staff.can(made.permit))
    throw new ExportFailed(say(['没有导出权限', 'You may not export this'], job.lang))
  const columns = columnsFor(wanted(job, made), known)
  const titles = columns.map(column => column.title)
  const now = unixNow()
  const about = aboutOf(job, made, known, now)
  const sheet =
    job.format === 'csv'
      ? csvSheet(titles, about)
      : xlsxSheet(titles, say(made.title, job.lang), about)
  const put = async (chunks: readonly Uint8Array[]) => {
    // `once` throws what the file emits as an error meanwhile.
    for (const chunk of chunks)
      if (chunk.length > 0 && !file.write(chunk)) await once(file, 'drain')
    if (file.errored) throw file.errored
  }
  await put(sheet.head())
  const limit = around.exclusive ? BATCH : (made.batch ?? BATCH)
  const read = (after: unknown): Promise<Batch> => {
    const coming = made.rows({
      db: around.db,
      staff: known.staff,
      filters: job.filters,
      now,
      after,
      limit,
    })
    // What fails while another batch is being written is thrown when its turn comes; it must not
    // end the process before.
    coming.catch(() => {})
    return coming
  }
  let rows = 0
  let beaten = Date.now()
  await around.beat(0)
  let coming: Promise<Batch> | undefined = read(undefined)
  while (coming) {
    if (around.closing()) throw new Cancelled()
    const batch: Batch = await coming
    const more = batch.rows.length === limit && batch.next !== undefined && batch.next !== null
    // A database server reads the next batch while this one is written.
    coming = more && !around.exclusive ? read(batch.next) : undefined
    for (let from = 0; from < batch.rows.length; from += AT_ONCE) {
      await put(
        sheet.rows(
          batch.rows
            .slice(from, from + AT_ONCE)
            .map(row => columns.map(column => column.value(row))),
        ),
      )
      await turn()
    }
    rows += batch.rows.length
    if (more && Date.now() - beaten > BEAT_MS) {
      beaten = Date.now()
      await around.beat(rows)
    }
    // One connection serves everybody in the embedded mode: a breath, in which others are answered,
    // before it is asked again.
    if (more && around.exclusive) {
      await pause(4)
      coming = read(batch.next)
    }
  }
  await put(sheet.end())
  return {
    rows,
    fields: Object.fromEntries(
      wanted(job, made).flatMap(column =>
        [column.field ?? []].flat().map(key => [key, known.staff.field(key)]),
      ),
    ),
  }
}
