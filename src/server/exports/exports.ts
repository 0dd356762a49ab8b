/**
 * Exports: a module says once what a page's export holds, a handler starts a job of it, a worker
 * writes the file.
 *
 * ```ts
 * // At the top of modules/audit/server.ts:
 * defineExport('audit.bulks', {
 *   title: ['团购审核', 'Group-buy audit'],
 *   permit: 'audit.bulks.export',
 *   columns: [
 *     { key: 'id', title: ['编号', 'ID'] },
 *     { key: 'price_cents', title: ['售价', 'Price'], kind: 'money' },
 *     { key: 'settle_price_cents', title: ['结算价', 'Settle price'], kind: 'money', field: 'product.settle_price_cents' },
 *     { key: 'submitted_at', title: ['提交时间', 'Submitted'], kind: 'time' },
 *   ],
 *   // The rows after `after` (undefined at first), at most `limit`, in a fixed order; `next` is
 *   // where the following batch begins.
 *   rows: async ({ db, staff, filters, now, after, limit }) => ({ rows, next: rows.at(-1)?.id }),
 * })
 * // In the handler of the export's call; it answers the contract's { job_id, rows_expected }:
 * export: (input, context) =>
 *   startExport(context, {
 *     page: 'audit.bulks',
 *     filters,
 *     filters_text: '待审核，上海',
 *     rows_expected: total,
 *     format: input.format,
 *   }),
 * ```
 *
 * `staff` is the person as they are when the file is written: their scope and field rules of that
 * moment apply. Whoever may no longer export gets a failed job. The same person, page and filters
 * while one waits or runs answers that job.
 *
 * A file is of one instant: on PostgreSQL all its batches are read in one snapshot, so that no row
 * is in it that the filters did not match at that instant, none is missing, and none is half old
 * and half new. It takes no lock. The embedded database has no snapshots beside other work (one
 * connection serves everybody): there each batch begins after the last row of the one before by a
 * key that never changes (the id, or the moment of making and the id), so that no row stands in a
 * file twice, and none is left out that was there when the file was begun and matched the filters
 * until it was read; what matches only since then, or no longer, may stand in it or not. `now` is
 * one moment for the whole file: nothing becomes "late" or "expiring" while it is written. With its
 * process an instant is gone: an export whose process ended is begun again from nothing, and its
 * job says how often (`runs`).
 */
import { createHash } from 'node:crypto'
import { and, count, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { export_job } from '#src/areas/export/job.table.ts'
import type { FieldWord } from '#src/areas/log/objectWord.ts'
import type { Call } from '#src/contract/call.ts'
import { exportBegun } from '#src/contract/shapes.ts'
import { clause, say, type Lang, type Text } from '#src/domain/text.ts'
import type { Db, Install, Staff, WriteContext } from '#src/server/call/implement.ts'
import { parseInput } from '#src/server/call/parse.ts'
import { forbidden, invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { isPlaced, watched } from '#src/server/call/scoped.ts'
import { openBell } from '#src/server/jobs/jobQueue.ts'
import { isSameSecret } from '#src/server/sessions/sameSecret.ts'

export type ExportColumn = {
  key: string
  title: Text
  /**
   * money: cents, written as yuan with two decimals · time: unix seconds, written in Shanghai time
   * · number · text, the default.
   */
  kind?: 'text' | 'money' | 'time' | 'number'
  /** The guarded field it is, so that role rules mask or drop the column. */
  field?: string | readonly string[]
}
export type ExportRow = Readonly<Record<string, unknown>>
export type ExportOf = {
  title: Text
  /** Asked again when the file is written and when it is fetched. */
  permit: string
  columns: readonly ExportColumn[]
  rows: (of: {
    db: Db
    staff: Staff
    filters: Record<string, unknown>
    now: number
    after: unknown
    limit: number
  }) => Promise<{ rows: readonly ExportRow[]; next: unknown }>
  /**
   * How many rows are read at a time from a database server. More pays where one query reads them
   * all; rows that are put together as the screen shows them keep to `BATCH`.
   */
  batch?: number
  /**
   * What the filters are called where they have no common name (areas/log/objects.ts): who looks at
   * the file later reads them in words.
   */
  filters?: () => Readonly<Record<string, FieldWord>>
  /**
   * How many rows the filters match now; without it, making the same file again expects as many as
   * the last time.
   */
  count?: (of: { db: Db; staff: Staff; filters: Record<string, unknown> }) => Promise<number>
}

export const EXPORT_MAX_ROWS = 1_000_000
export const EXPORT_MAX_RUNNING = 3
/** Rows read at a time: so few that a list asked meanwhile is answered in between. */
export const BATCH = 500
const EXPORT_LOCK = 41_801

const known = new Map<string, ExportOf>()
/** Tells the worker how a page's export is made. `page` is the page's stem: `audit.bulks`. */
export const defineExport = (page: string, of: ExportOf): void => {
  known.set(page, of)
}
type Starts = (input: unknown, context: WriteContext) => Promise<unknown>
/** The calls that start exports, by their paths. */
const starters = new Map<string, { call: Call; handler: Starts }>()
/** Keeps a call that starts an export, with its handler, which also counts for it. */
export const noteExportCall = (call: Call, handler: Starts): void => {
  if (call.output === exportBegun) starters.set(call.path, { call, handler })
}
/** An export has the scope of the call that starts it, which has the same permit. */
const starterOf = ({ permit }: ExportOf): Call | undefined =>
  [...starters.values()].find(({ call }) => call.permit === permit)?.call
/**
 * How a page's export is made, within the scope that its call declares: rows that were read without
 * asking what the person may see never reach the file.
 */
export const exportNamed = (page: string): ExportOf | undefined => {
  const of = known.get(page)
  const call = of && starterOf(of)
  if (!of || !call) return of
  const { count: counted, rows } = of
  return {
    ...of,
    rows: asked => readWithin(call, asked, rows, found => found.rows.length > 0),
    ...(counted && { count: asked => readWithin(call, asked, counted, n => n > 0) }),
  }
}
/** One reading of rows, by a person whose scope somebody must have asked for. */
const readWithin = async <A extends { staff: Staff }, R>(
  call: Call,
  asked: A,
  read: (asked: A) => Promise<R>,
  holds: (found: R) => boolean,
): Promise<R> => {
  if (!isPlaced(call.scope) || seesAll(asked.staff.scope)) return read(asked)
  const { staff, asked: looked } = watched(asked.staff)
  const found = await read({ ...asked, staff })
  if (holds(found) && !looked())
    throw new Error(`The export of ${call.path} was read without asking what the person may see`)
  return found
}
/** Exports that no call starts, by their pages. */
export const unstartedExports = (calls: readonly Call[]): string[] =>
  [...known].flatMap(([page, of]) => (calls.some(call => call.permit === of.permit) ? [] : [page]))

/** Rows that were chosen one by one, beside what the filters say. */
export type Chosen = { ids?: readonly number[] | undefined }
/** The chosen rows of a table; without any, every row. */
export const chosenRows = (column: PgColumn, filters: object): SQL | undefined => {
  const { ids } = filters as Chosen
  return ids && inArray(column, [...ids])
}
/** The filters in words, and how many rows were chosen. */
const wordsOf = ({ filters, filters_text }: Begun, lang: Lang): string => {
  const { ids } = filters as Chosen
  const chosen = ids && say(['所选 {n} 条', '{n} selected'], lang, { n: ids.length })
  // What is made again says so already.
  const words = chosen && !filters_text.startsWith(chosen) ? [chosen, filters_text] : [filters_text]
  return words.filter(Boolean).join(say(clause, lang)).slice(0, 255)
}

/** The same filters in any order of keys have the same hash. */
const hashOf = (
  filters: Record<string, unknown>,
  { format, columns }: Pick<Begun, 'format' | 'columns'>,
): string =>
  createHash('sha1')
    .update(
      JSON.stringify([
        format,
        columns,
        Object.entries(filters)
          .filter(([, value]) => value !== undefined)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ]),
    )
    .digest('hex')

export const exportBell = openBell()

/** One person's starts wait for each other, so that two at once count each other. */
export const lockExportsOf = (tx: Db, admin_id: number) =>
  tx.execute(sql`select pg_advisory_xact_lock(${EXPORT_LOCK}, ${admin_id})`)

const LINK_LIVES_S = 120
/** Whose link it is, and the session it was given in, with which it ends. */
export type LinkOf = { job: number; by: number; session: number }
const linkText = ({ job, by, session }: LinkOf, until: number) =>
  `export:${job}:${by}:${session}:${until}`
/**
 * The address by which a person (`by`) fetches an export without a header, for two minutes of
 * their session: its signature is the right.
 */
export const linkTo = (install: Pick<Install, 'sign'>, of: LinkOf, now: number) => {
  const expires_at = now + LINK_LIVES_S
  const { job, by, session } = of
  const query = new URLSearchParams({
    job: String(job),
    by: String(by),
    session: String(session),
    until: String(expires_at),
    sign: install.sign(linkText(of, expires_at)),
  })
  return { url: `/api/manageback/export/file?${query}`, expires_at }
}
/**
 * The job that a link is for, the person and the session it was given to; undefined when it was not
 * made by us or is too old.
 */
export const jobOfLink = (
  install: Pick<Install, 'sign'>,
  query: Readonly<Record<string, unknown>>,
  now: number,
): LinkOf | undefined => {
  const [job, by, session, until] = ['job', 'by', 'session', 'until'].map(key => Number(query[key]))
  const of = { job: job!, by: by!, session: session! }
  const { sign } = query
  const numbers = [...Object.values(of), until!].every(Number.isSafeInteger)
  if (!numbers || typeof sign !== 'string' || until! < now) return undefined
  return isSameSecret(sign, install.sign(linkText(of, until!))) ? of : undefined
}

type Begun = {
  page: string
  filters: Record<string, unknown>
  filters_text: string
  rows_expected: number
  format: 'csv' | 'xlsx'
  /** The keys of the columns that are wanted; all of them where none is named. */
  columns?: readonly string[] | undefined
  /** The filters as asked, where `filters` has the moment filled in: what makes two requests the same. */
  same?: Record<string, unknown>
}
/** Where an export is only counted, it begins nothing and hands over what it would begin with. */
type Counting = { counted?: (of: Begun) => void }
/**
 * What an export would be of now: how many rows, and which columns it has. The handler of the call
 * that starts it is asked, by the rules of that call, and starts nothing.
 */
export const wouldExport = async (
  context: WriteContext,
  path: string,
  asked: unknown,
): Promise<{ of: ExportOf; rows: number; format: 'csv' | 'xlsx' }> => {
  const found = starters.get(path)
  if (!found) throw missing()
  if (!context.staff.can(found.call.permit)) throw forbidden()
  const parsed = parseInput(found.call.input, asked, context.staff.lang)
  if ('fields' in parsed) throw invalid(parsed.fields)
  let begun: Begun | undefined
  const nothing = () => {}
  const counting: WriteContext & Counting = {
    ...context,
    afterCommit: nothing,
    log: nothing,
    changed: nothing,
    ended: nothing,
    counted: of => {
      begun = of
    },
  }
  await found.handler(parsed.input, counting)
  const of = begun && known.get(begun.page)
  if (!begun || !of) throw missing()
  return { of, rows: begun.rows_expected, format: begun.format }
}

/**
 * Queues an export inside the call's transaction. Refuses over a million rows and over three jobs
 * at a time.
 */
export const startExport = async (
  {
    tx,
    staff,
    afterCommit,
    counted,
  }: Pick<WriteContext, 'tx' | 'staff' | 'afterCommit'> & Counting,
  { same, ...of }: Begun,
): Promise<{ job_id: number; rows_expected: number }> => {
  const kind = known.get(of.page)
  if (!kind) throw new Error(`No export is defined for ${of.page}`)
  if (counted) {
    counted(of)
    return { job_id: 0, rows_expected: of.rows_expected }
  }
  if (of.columns?.some(key => !kind.columns.some(column => column.key === key)))
    throw invalid({ columns: ['没有这一列', 'There is no such column'] })
  if (of.rows_expected > EXPORT_MAX_ROWS)
    throw ruled(
      'export_too_large',
      [
        '共 {n} 行，一次最多导出 {max} 行，请缩小筛选范围',
        '{n} rows; at most {max} at a time, narrow the filters',
      ],
      { n: of.rows_expected, max: EXPORT_MAX_ROWS },
    )
  const filters_hash = hashOf(same ?? of.filters, of)
  const mine = and(
    eq(export_job.admin_id, staff.id),
    inArray(export_job.state, ['queued', 'running']),
  )
  await lockExportsOf(tx, staff.id)
  const [already] = await tx
    .select()
    .from(export_job)
    .where(and(mine, eq(export_job.page, of.page), eq(export_job.filters_hash, filters_hash)))
  if (already) return { job_id: already.id, rows_expected: already.rows_expected }
  const [busy] = await tx.select({ n: count() }).from(export_job).where(mine)
  if ((busy?.n ?? 0) >= EXPORT_MAX_RUNNING)
    throw ruled(
      'export_busy',
      [
        '已有 {n} 个导出任务在进行，请等待完成或先取消一个',
        '{n} exports are under way: wait for one or cancel one',
      ],
      { n: busy!.n },
    )
  const [made] = await tx
    .insert(export_job)
    .values({
      ...of,
      columns: of.columns ? [...of.columns] : null,
      filters_text: wordsOf(of, staff.lang),
      filters_hash,
      admin_id: staff.id,
      lang: staff.lang,
    })
    .returning({ id: export_job.id })
  afterCommit(exportBell.ring)
  return { job_id: made!.id, rows_expected: of.rows_expected }
}
