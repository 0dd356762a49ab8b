import { and, desc, eq, gte, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { MARK_ENOUGH } from '#src/areas/export/fileMark.ts'
import { export_job } from '#src/areas/export/job.table.ts'
import { EXTEND_DAYS_MAX, exportCan } from '#src/areas/log/logs.ts'
import { filterWords } from '#src/areas/log/words.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { forbidden, missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { countOf, listed } from '#src/server/db/paging.ts'
import {
  bumped,
  cancelJob,
  jobLine,
  linkJob,
  retryJob,
  type Job,
} from '#src/server/exports/exportJobs.ts'
import {
  EXPORT_MAX_ROWS,
  exportNamed,
  lockExportsOf,
  startExport,
} from '#src/server/exports/exports.ts'
import { ALL_EXPORTS } from '#src/server/http/downloads.ts'
import { exportLogs, type ExportRow } from '../contract/exportLogs.ts'

/**
 * Everyone's: the right to it, within the person's data; a file of others may hold rows of
 * anywhere.
 */
const visible = ({ id, scope, can }: Staff): SQL =>
  can(ALL_EXPORTS)
    ? sql`(${export_job.admin_id} = ${id} or ${within(scope, { owner: export_job.admin_id }) ?? sql`true`})`
    : eq(export_job.admin_id, id)
const titleOf = (page: string, lang: Staff['lang']) =>
  say(exportNamed(page)?.title ?? [page, page], lang)
const shown = async (db: Db, rows: readonly Job[], staff: Staff): Promise<ExportRow[]> => {
  const people = [
    ...new Set(rows.flatMap(row => [row.admin_id, ...(row.revoked_by ? [row.revoked_by] : [])])),
  ]
  const names = new Map(
    people.length === 0
      ? []
      : (
          await db
            .select({ id: admin.id, name: admin.name })
            .from(admin)
            .where(inArray(admin.id, people))
        ).map(one => [one.id, one.name] as const),
  )
  return rows.map(row => ({
    ...row,
    title: titleOf(row.page, staff.lang),
    admin_name: names.get(row.admin_id) ?? '',
    mine: row.admin_id === staff.id,
    revoked_by_name: row.revoked_by === null ? null : (names.get(row.revoked_by) ?? null),
  }))
}
const one = async (tx: Db, id: number, staff: Staff): Promise<Job> => {
  const [job] = await tx
    .select()
    .from(export_job)
    .where(and(eq(export_job.id, id), visible(staff)))
  if (!job) throw missing()
  return job
}
/** Held until the end of the call. */
const held = async ({ tx, staff }: WriteContext, id: number): Promise<Job> => {
  await one(tx, id, staff)
  const [job] = await tx.select().from(export_job).where(eq(export_job.id, id)).for('update')
  return job!
}
const changed = async (
  context: WriteContext,
  job: Job,
  set: Partial<typeof export_job.$inferInsert>,
  reason?: string,
): Promise<ExportRow> => {
  const [after] = await context.tx
    .update(export_job)
    .set({ ...set, version: bumped })
    .where(and(eq(export_job.id, job.id), eq(export_job.state, 'done')))
    .returning()
  context.log(
    jobLine(
      job,
      Object.fromEntries(
        Object.entries(set).filter(([key]) => key === 'state' || key === 'expires_at'),
      ),
      reason,
    ),
  )
  return (await shown(context.tx, [after!], context.staff))[0]!
}

export default implement(exportLogs, {
  lst: async ({ page, pageSize, mine, state, page_key, admin_id, from, to }, { db, staff }) => {
    if (!mine && !staff.can(ALL_EXPORTS)) throw forbidden()
    const where = and(
      visible(staff),
      mine ? eq(export_job.admin_id, staff.id) : undefined,
      state && eq(export_job.state, state),
      page_key === undefined ? undefined : eq(export_job.page, page_key),
      admin_id === undefined ? undefined : eq(export_job.admin_id, admin_id),
      from === undefined ? undefined : gte(export_job.created_at, from),
      to === undefined ? undefined : lte(export_job.created_at, to),
    )
    const rows = await db
      .select()
      .from(export_job)
      .where(where)
      .orderBy(desc(export_job.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return listed({ page, pageSize }, rows, shown(db, rows, staff), () =>
      countOf(db, export_job, where),
    )
  },
  all: async (_, { db, staff }) => {
    const people = await db
      .selectDistinct({ id: admin.id, name: admin.name, pinyin: admin.pinyin })
      .from(export_job)
      .innerJoin(admin, eq(admin.id, export_job.admin_id))
      .where(visible(staff))
      .orderBy(admin.pinyin)
    const pages = await db
      .selectDistinct({ key: export_job.page })
      .from(export_job)
      .where(visible(staff))
      .orderBy(export_job.page)
    return {
      people: people.map(({ id, name }) => ({ id, name })),
      pages: pages.map(({ key }) => ({ key, title: titleOf(key, staff.lang) })),
    }
  },
  download: async ({ id }, context) => {
    const job = await held(context, id)
    const permit = exportNamed(job.page)?.permit
    if (
      !permit ||
      !context.staff.can(permit) ||
      (job.admin_id !== context.staff.id && !seesAll(context.staff.scope))
    )
      throw forbidden()
    return linkJob(context, job)
  },
  retry: async ({ id }, context) => {
    await lockExportsOf(context.tx, (await one(context.tx, id, context.staff)).admin_id)
    return (
      await shown(context.tx, [await retryJob(context, await held(context, id))], context.staff)
    )[0]!
  },
  cancel: async ({ id }, context) =>
    (
      await shown(context.tx, [await cancelJob(context, await held(context, id))], context.staff)
    )[0]!,
  // For oneself, whoever's it was: by one's own rights and data.
  rerun: async ({ id }, context) => {
    const { tx, staff, now } = context
    const job = await held(context, id)
    const may = exportCan('rerun', job, now)
    if (may !== true) throw ruled('export_open', may, {}, { current: job.state })
    const made = exportNamed(job.page)
    if (!made || !staff.can(made.permit)) throw forbidden()
    const rows_expected = made.count
      ? await made.count({ db: tx, staff, filters: job.filters })
      : Math.min(job.rows_expected, EXPORT_MAX_ROWS)
    return startExport(context, {
      page: job.page,
      filters: job.filters,
      filters_text: job.filters_text,
      rows_expected,
      format: job.format,
      columns: job.columns ?? undefined,
    })
  },
  viewFilters: async ({ id }, { db, staff }) => {
    const job = await one(db, id, staff)
    return {
      id,
      title: titleOf(job.page, staff.lang),
      text: job.filters_text,
      filters: await filterWords(db, staff, job.filters, exportNamed(job.page)?.filters?.()),
    }
  },
  verify: async ({ mark, known }, { db, staff }) => {
    if ([...BigInt(`0x${known}`).toString(2)].filter(bit => bit === '1').length < MARK_ENOUGH)
      throw ruled('mark_short', [
        '能读出的标记太少，无法判断：请用行数更多的原文件',
        'Too little of the mark can be read: use a file with more of its rows',
      ])
    const bits = (hex: SQL | string) => sql`('x' || ${hex})::bit(64)`
    const rows = await db
      .select()
      .from(export_job)
      .where(
        and(
          visible(staff),
          sql`(${bits(sql`${export_job.mark}`)} # ${bits(mark)}) & ${bits(known)} = 0::bit(64)`,
        ),
      )
      .limit(2)
    // What fits two tells neither.
    return { found: rows.length === 1 ? (await shown(db, rows, staff))[0]! : null }
  },
  revoke: async ({ id, reason }, context) => {
    const job = await held(context, id)
    const may = exportCan('revoke', job, context.now)
    if (may !== true) throw ruled('export_no_file', may, {}, { current: job.state })
    return changed(
      context,
      job,
      {
        state: 'revoked',
        revoked_by: context.staff.id,
        revoked_at: context.now,
        revoke_reason: reason,
      },
      reason,
    )
  },
  extend: async ({ id, days }, context) => {
    const job = await held(context, id)
    const may = exportCan('extend', job, context.now)
    if (may !== true) throw ruled('export_no_file', may, {}, { current: job.state })
    if (job.extended_days + days > EXTEND_DAYS_MAX)
      throw ruled(
        'extended_enough',
        ['最多共延长 {max} 天，已延长 {n} 天', 'At most {max} days in all; {n} are used'],
        { max: EXTEND_DAYS_MAX, n: job.extended_days },
      )
    return changed(context, job, {
      expires_at: job.expires_at! + days * DAY,
      extended_days: job.extended_days + days,
    })
  },
})
