import { and, asc, eq, gte, isNull, lte, sql, type SQL } from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { LOG_DAYS, logResults, spanOf } from '#src/areas/log/logs.ts'
import {
  changesOf,
  fieldWord,
  objectTitle,
  objects,
  type Change,
  entryOf,
} from '#src/areas/log/objects.ts'
import type { FieldWord } from '#src/areas/log/objectWord.ts'
import { historyOf } from '#src/areas/log/placed.server.ts'
import { verifyLog } from '#src/areas/log/seal.server.ts'
import { tooLong } from '#src/areas/log/tooLong.server.ts'
import { changesFor, filterText } from '#src/areas/log/words.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { moduleTitles as menuTitles } from '#src/areas/people/permits.server.ts'
import { colon, say, semicolon, type Lang, type Text } from '#src/domain/text.ts'
import { implement, type Db, type Staff } from '#src/server/call/implement.ts'
import { actionTitle, knownActions } from '#src/server/call/oplog.ts'
import { invalid, missing } from '#src/server/call/refuse.ts'
import { revert, revertible, type LogRow as Stored } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { countOf, exactCount, keptTotals, pageOf } from '#src/server/db/paging.ts'
import { pinyinOf } from '#src/server/db/pinyin.ts'
import {
  EXPORT_MAX_ROWS,
  defineExport,
  startExport,
  chosenRows,
  type Chosen,
} from '#src/server/exports/exports.ts'
import { logs, type LogDetail } from '../contract/logs.ts'

/** Modules of the log that are no module of the menu. */
const others = {
  session: ['登录', 'Sign-in'],
  export: ['导出', 'Exports'],
} as const satisfies Record<string, Text>
const moduleTitles: Readonly<Record<string, Text>> = { ...others, ...menuTitles }
const titled = (titles: Readonly<Record<string, Text>>, key: string, lang: Lang) =>
  say(entryOf(titles, key) ?? [key, key], lang)

type Filters = {
  [K in 'admin_id' | 'object_id' | 'batch_id' | 'from' | 'to']?: number | undefined
} & { [K in 'module' | 'action' | 'object_type' | 'field' | 'trace_id']?: string | undefined } & {
  result?: 'ok' | 'refused' | 'failed' | undefined
  last_id?: number | undefined
}
/** The rows that a person may see of what these filters ask for, in a period of at most 92 days. */
export const logsWhere = (filters: Filters & Chosen, scope: Staff['scope'], now: number): SQL => {
  const {
    admin_id,
    module,
    action,
    object_type,
    object_id,
    field,
    result,
    batch_id,
    trace_id,
    from,
    to,
    last_id,
  } = filters
  const span = spanOf({ from, to }, LOG_DAYS, now)
  if (!span) throw tooLong(LOG_DAYS)
  if (field !== undefined && object_type === undefined)
    throw invalid({ field: ['请先选择对象', 'Choose an object type first'] })
  const inBatch = [batch_id, object_type, object_id, field, trace_id].some(one => one !== undefined)
  return and(
    chosenRows(op_log.id, filters),
    gte(op_log.created_at, span.from),
    lte(op_log.created_at, span.to),
    inBatch ? undefined : isNull(op_log.batch_id),
    admin_id === undefined ? undefined : eq(op_log.admin_id, admin_id),
    module === undefined ? undefined : eq(op_log.module, module),
    action === undefined ? undefined : eq(op_log.action, action),
    // A field's name holds its object's type: said twice, the planner would take the rows for fewer
    // still.
    object_type === undefined || (field !== undefined && object_id === undefined)
      ? undefined
      : eq(op_log.object_type, object_type),
    object_id === undefined ? undefined : eq(op_log.object_id, object_id),
    field === undefined ? undefined : sql`${op_log.touched} @> array[${`${object_type}.${field}`}]`,
    result === undefined ? undefined : eq(op_log.result, result),
    batch_id === undefined ? undefined : eq(op_log.batch_id, batch_id),
    trace_id === undefined ? undefined : eq(op_log.trace_id, trace_id),
    last_id === undefined ? undefined : lte(op_log.id, last_id),
    within(scope, { owner: op_log.admin_id }),
  )!
}
const readerOf = (staff: Pick<Staff, 'id'>, filters: Filters) =>
  `${staff.id}|logs|${JSON.stringify(filters)}`
export const logsPage = (
  db: Db,
  staff: Pick<Staff, 'id' | 'scope'>,
  { page, pageSize, ...filters }: Filters & { page: number; pageSize: number },
  now: number,
) =>
  pageOf(db, op_log, {
    where: logsWhere(filters, staff.scope, now),
    by: op_log.created_at,
    down: true,
    atOnce: true,
    page,
    pageSize,
    reader: readerOf(staff, filters),
  })

const clip = (words: string) => (words.length > 40 ? `${words.slice(0, 40)}…` : words)
const fieldLine = ({ title, before, after, added, removed }: Change): string => {
  if (added || removed) {
    const signed = [
      ...(added ?? []).map(one => `+${clip(one)}`),
      ...(removed ?? []).map(one => `−${clip(one)}`),
    ]
    return `${title} ${signed.slice(0, 3).join(' ')}`
  }
  if (before === null) return `${title} ${clip(after ?? '—')}`
  return `${title} ${clip(before)} → ${clip(after ?? '—')}`
}
const line = (changes: readonly Change[], lang: Lang): string =>
  [
    ...changes.slice(0, 2).map(fieldLine),
    ...(changes.length > 2
      ? [say(['另 {n} 项', '{n} more'], lang, { n: changes.length - 2 })]
      : []),
  ].join(say(semicolon, lang))

/**
 * Rows as the page shows them: everything named, differences in words and by the reader's field
 * rules.
 */
const shown = async (db: Db, rows: readonly Stored[], staff: Staff): Promise<LogDetail[]> => {
  if (rows.length === 0) return []
  const [{ rows: aside }, told] = await Promise.all([
    // What stands beside each row: how its person is today, how many rows are below it, and what
    // took it back.
    db.execute<{
      id: number
      status: LogDetail['admin_status']
      items: number
      reverted_by: number | null
    }>(sql`
      select l.id, a.status, case when l.object_type = 'batch' then (select count(*)::int from op_log i where i.batch_id = l.id) else 0 end items, (select max(r.id) from op_log r where r.reverts_id = l.id and r.result = 'ok') reverted_by
      from op_log l left join admin a on a.id = l.admin_id where ${oneOf(
        sql`l.id`,
        rows.map(row => row.id),
      )}`),
    staff.can('system.logs.diff')
      ? changesFor(db, staff, rows)
      : new Map<Stored, ReturnType<typeof changesOf>>(),
  ])
  const beside = new Map(aside.map(one => [one.id, one]))
  return rows.map((row): LogDetail => {
    const { changes, withheld } = told.get(row) ?? { changes: [], withheld: 0 }
    const { status = null, items = 0, reverted_by = null } = beside.get(row.id) ?? {}
    const may = reverted_by
      ? (['已撤回', 'Taken back already'] as const)
      : revertible(row, staff.can)
    return {
      id: row.id,
      created_at: row.created_at,
      admin_id: row.admin_id,
      admin_name: row.admin_name,
      module: row.module,
      action: row.action,
      object_type: row.object_type,
      object_id: row.object_id,
      object_label: row.object_label,
      fields: row.fields,
      reason: row.reason,
      result: row.result,
      error: row.error,
      ip: row.ip,
      trace_id: row.trace_id,
      batch_id: row.batch_id,
      reverts_id: row.reverts_id,
      admin_status: status,
      module_title: titled(moduleTitles, row.module, staff.lang),
      action_title: say(actionTitle(row.action) ?? [row.action, row.action], staff.lang),
      object_title: say(
        entryOf(objects, row.object_type)?.title ??
          entryOf(moduleTitles, row.object_type) ??
          objectTitle(row.object_type),
        staff.lang,
      ),
      items,
      reverted_by,
      summary: line(changes, staff.lang),
      changes,
      withheld,
      not_revertible: may === true ? null : say(may, staff.lang),
    }
  })
}
const one = async (db: Db, id: number, staff: Staff): Promise<Stored> => {
  const [row] = await db
    .select()
    .from(op_log)
    .where(and(eq(op_log.id, id), within(staff.scope, { owner: op_log.admin_id })))
  if (!row) throw missing()
  return row
}

const ITEMS_SHOWN = 200
const filterNames = (): Readonly<Record<string, FieldWord>> => ({
  module: { title: ['模块', 'Module'], kind: 'enum', options: moduleTitles },
  action: {
    title: ['操作', 'Action'],
    kind: 'enum',
    options: Object.fromEntries([...knownActions()].map(([key, { title }]) => [key, title])),
  },
  object_type: {
    title: ['对象', 'Object'],
    kind: 'enum',
    options: Object.fromEntries(Object.entries(objects).map(([key, { title }]) => [key, title])),
  },
  object_id: { title: ['对象编号', 'Object ID'], kind: 'number' },
  field: { title: ['改动字段', 'Field'] },
  result: { title: ['结果', 'Result'], kind: 'enum', options: logResults },
  batch_id: { title: ['批次', 'Batch'], kind: 'number' },
  trace_id: { title: ['追踪号', 'Trace'] },
  last_id: { title: ['截至编号', 'Up to ID'], kind: 'number' },
})

defineExport('system.logs', {
  title: ['后台操作日志', 'Operation log'],
  permit: 'system.logs.export',
  filters: filterNames,
  columns: [
    { key: 'id', title: ['编号', 'ID'], kind: 'number' },
    { key: 'created_at', title: ['时间', 'Time'], kind: 'time' },
    { key: 'admin_name', title: ['操作人', 'Person'] },
    { key: 'module_title', title: ['模块', 'Module'] },
    { key: 'action_title', title: ['操作', 'Action'] },
    { key: 'object_title', title: ['对象', 'Object'] },
    { key: 'object_id', title: ['对象编号', 'Object ID'], kind: 'number' },
    { key: 'object_label', title: ['对象名称', 'Object name'] },
    { key: 'words', title: ['改动', 'Changes'] },
    { key: 'reason', title: ['原因', 'Reason'] },
    { key: 'result', title: ['结果', 'Result'] },
    { key: 'error', title: ['未成功原因', 'Why not'] },
    { key: 'ip', title: ['IP', 'IP'] },
    { key: 'trace_id', title: ['追踪号', 'Trace'] },
    { key: 'batch_id', title: ['批次', 'Batch'], kind: 'number' },
  ],
  count: async ({ db, staff, filters }) =>
    exactCount(
      db,
      op_log,
      logsWhere(filters as Filters, staff.scope, Number(filters['to'])),
      EXPORT_MAX_ROWS,
    ),
  rows: async ({ db, staff, filters, after, limit }) => {
    const [at, id] = (after as [number, number] | undefined) ?? [0, 0]
    const rows = await db
      .select()
      .from(op_log)
      .where(
        and(
          logsWhere(filters as Filters, staff.scope, Number(filters['to'])),
          sql`(${op_log.created_at}, ${op_log.id}) > (${at}, ${id})`,
        ),
      )
      .orderBy(asc(op_log.created_at), asc(op_log.id))
      .limit(limit)
    const last = rows.at(-1)
    const list = await shown(db, rows, staff)
    return {
      rows: list.map(row => ({
        ...row,
        result: say(logResults[row.result], staff.lang),
        words: row.changes
          .map(
            change =>
              `${change.title}${say(colon, staff.lang)}${change.before ?? '—'} → ${change.after ?? '—'}`,
          )
          .join('\n'),
      })),
      next: rows.length < limit ? undefined : [last!.created_at, last!.id],
    }
  },
})

/** Each title's pinyin is worked out once. */
const latin = new Map<string, string>()
const latinTitle = (title: string): string => {
  const known = latin.get(title) ?? pinyinOf(title)
  latin.set(title, known)
  return known
}

export default implement(logs, {
  lst: async (input, { db, staff, now }) => {
    const { page: _, pageSize: __, ...filters } = input
    const [list, counted] = await Promise.all([
      logsPage(db, staff, input, now).then(rows => shown(db, rows, staff)),
      keptTotals(db, readerOf(staff, filters), input.page === 1, () =>
        countOf(db, op_log, logsWhere(filters, staff.scope, now), op_log.created_at),
      ),
    ])
    return { list, ...counted }
  },
  choices: async (_, { db, staff }) => ({
    people: await db
      .select({ id: admin.id, name: admin.name, account: admin.account, status: admin.status })
      .from(admin)
      .where(within(staff.scope, { owner: admin.id }))
      .orderBy(admin.pinyin, admin.id),
    modules: Object.keys(moduleTitles).map(key => ({
      key,
      title: titled(moduleTitles, key, staff.lang),
    })),
    actions: [...knownActions()].map(([key, { title, module }]) => ({
      key,
      module,
      title: say(title, staff.lang),
      latin: latinTitle(title[0]),
    })),
    objects: Object.entries(objects).map(([key, { title, fields }]) => ({
      key,
      title: say(title, staff.lang),
      fields: Object.keys(fields).map(field => ({
        key: field,
        title: say(fieldWord(key, field).title, staff.lang),
      })),
    })),
  }),
  diff: async ({ id }, { db, staff }) => {
    const row = await one(db, id, staff)
    const below =
      row.object_type === 'batch'
        ? await db
            .select()
            .from(op_log)
            .where(eq(op_log.batch_id, id))
            .orderBy(op_log.id)
            .limit(ITEMS_SHOWN)
        : []
    const above =
      row.batch_id === null ? [] : await db.select().from(op_log).where(eq(op_log.id, row.batch_id))
    const [head, ...rest] = await shown(db, [row, ...above, ...below], staff)
    const items = rest.slice(above.length)
    return {
      row: head!,
      parent: above.length > 0 ? rest[0]! : null,
      items,
      more_items: Math.max(0, head!.items - items.length),
    }
  },
  objectHistory: async ({ page, pageSize, object_type, object_id, field }, { db, staff }) => {
    const where = and(
      historyOf(staff.scope, object_type, object_id),
      field === undefined
        ? undefined
        : sql`${op_log.touched} @> array[${`${object_type}.${field}`}]`,
    )
    const reader = `${staff.id}|history|${object_type}|${object_id}|${field}`
    const [list, counted] = await Promise.all([
      pageOf(db, op_log, {
        where,
        by: op_log.created_at,
        down: true,
        atOnce: true,
        page,
        pageSize,
        reader,
      }).then(rows => shown(db, rows, staff)),
      keptTotals(db, reader, page === 1, () => countOf(db, op_log, where, op_log.created_at)),
    ])
    return { list, ...counted }
  },
  revert: async ({ id, reason }, context) => {
    const row = await one(context.tx, id, context.staff)
    await revert(context, row, reason)
    return { id }
  },
  verify: async ({ after }, { db }) => verifyLog(db, after),
  export: async ({ format, columns, ...asked }, context) => {
    const span = spanOf(asked, LOG_DAYS, context.now)
    if (!span) throw tooLong(LOG_DAYS)
    // As it is now: the file is of the moment it was asked for, and not of the row that this export
    // itself leaves.
    const {
      rows: [last],
    } = await context.tx.execute<{ id: number }>(
      sql`select coalesce(max(id), 0)::int id from op_log`,
    )
    const filters = { ...asked, ...span, last_id: last!.id }
    const rows_expected = await exactCount(
      context.tx,
      op_log,
      logsWhere(filters, context.staff.scope, context.now),
      EXPORT_MAX_ROWS,
    )
    return startExport(context, {
      page: 'system.logs',
      filters,
      filters_text: await filterText(context.tx, context.staff, filters, filterNames()),
      rows_expected,
      format,
      columns,
      same: asked,
    })
  },
})
