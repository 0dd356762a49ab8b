import { and, asc, sql } from 'drizzle-orm'
import {
  compareAudiences,
  drillInto,
  saveSelection,
  type Bar,
  type Compared,
} from '#src/areas/portrait/comparing.server.ts'
import {
  attrsInOrder,
  disableAttr,
  saveAttr,
  sortAttrs,
} from '#src/areas/portrait/defining.server.ts'
import { shapesOf } from '#src/areas/portrait/names.server.ts'
import { estimatedWords, sampledWords, shownOf, type Cell } from '#src/areas/portrait/portrait.ts'
import { peopleByIds } from '#src/areas/segment/people.server.ts'
import { segment } from '#src/areas/segment/segment.table.ts'
import { say } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type Staff } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { paged } from '#src/server/call/tree.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { portrait as contract } from '../contract/portrait.ts'

/** So many people stand beside a bar. */
const SHOWN = 20
type Asked = Compared & { dim?: string | undefined }
const barsOf = async (db: Db, { dim, ...of }: Asked, asker: { staff: Staff; now: number }) => {
  const told = await compareAudiences(db, of, asker)
  return { ...told, rows: told.rows.filter(row => dim === undefined || row.dim === dim) }
}
type FileAsked = Asked & { ids?: readonly number[] | undefined }
const chosen = (rows: readonly Bar[], ids: FileAsked['ids']): Bar[] =>
  rows.filter(row => ids?.includes(row.id) ?? true)

const handlers = {
  lst: async ({ page, pageSize, ...of }, { db, staff, now }) => {
    const { rows, sides } = await barsOf(db, of, { staff, now })
    return { ...paged(rows, { page, pageSize }), sides }
  },
  drill: async (of, { db, staff, now }) => {
    const found = await drillInto(db, of, { staff, now })
    if (found === null) return { people: [], n: null, sampled: null }
    const { ids, n, sampled } = found
    return { people: await peopleByIds(db, ids.slice(0, SHOWN)), n, sampled }
  },
  segments: async ({ keyword, page, pageSize }, { db }) => {
    const where = and(
      sql`${segment.status} <> 'archived' and ${segment.refreshed_at} is not null`,
      holding(keyword, [segment.name], segment.id),
    )
    const list = await db
      .select({ id: segment.id, name: segment.name })
      .from(segment)
      .where(where)
      .orderBy(asc(segment.name), asc(segment.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, segment, where)) }
  },
  dims: async (_, { db, staff }) => ({
    list: (await shapesOf(db, staff.lang)).map(({ key, title }) => ({ key, title })),
  }),
  attrs: async ({ keyword, page, pageSize }, { db }) => {
    const { list, list_version } = await attrsInOrder(db)
    const found = keyword ? list.filter(row => row.label.includes(keyword)) : list
    return { ...paged(found, { page, pageSize }), list_version }
  },
  saveSegment: (of, context) => saveSelection(context, of),
  saveAttr: (of, context) => saveAttr(context, of),
  sortAttr: (of, context) => sortAttrs(context, of),
  disableAttr: ({ id, reason }, context) => disableAttr(context, id, reason),
  export: async ({ format, columns, ids, ...filters }, context) => {
    const { rows, sides } = await barsOf(context.tx, filters, context)
    return startExport(context, {
      page: 'customer.portrait',
      filters: { ...filters, ids },
      filters_text: sides
        .map(one => `${one.name} ${one.refreshed_at === null ? '' : timeFull(one.refreshed_at)}`)
        .join(' / '),
      rows_expected: chosen(rows, ids).length,
      format,
      columns,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

const counted = (cell: Cell | null): string => (cell === null ? '' : shownOf(cell))
const shared = (cell: Cell | null): string =>
  cell === null || cell.tenths === null ? '' : `${(cell.tenths / 10).toFixed(1)}%`
defineExport('customer.portrait', {
  title: ['客户画像', 'Portrait'],
  permit: contract.export.permit,
  columns: [
    { key: 'dim', title: ['维度', 'Dimension'] },
    { key: 'label', title: ['分布', 'Group'] },
    { key: 'a', title: ['人群 A 人数', 'Audience A'] },
    { key: 'a_share', title: ['人群 A 占比', 'Share of A'] },
    { key: 'b', title: ['人群 B 人数', 'Audience B'] },
    { key: 'b_share', title: ['人群 B 占比', 'Share of B'] },
    { key: 'read', title: ['刷新时间', 'Updated'] },
  ],
  rows: async ({ db, staff, filters, after, now }) => {
    if (after !== undefined) return { rows: [], next: undefined }
    const asked = filters as FileAsked
    const { rows, sides } = await barsOf(db, asked, { staff, now })
    const read = sides
      .map(one =>
        [
          one.refreshed_at === null ? '' : timeFull(one.refreshed_at),
          one.sampled === null ? '' : say(sampledWords, staff.lang, { n: one.sampled }),
          one.estimated ? say(estimatedWords, staff.lang) : '',
        ]
          .filter(Boolean)
          .join(' '),
      )
      .join(' / ')
    return {
      rows: chosen(rows, asked.ids).map(row => ({
        dim: row.dim_title,
        label: row.label,
        a: counted(row.a),
        a_share: shared(row.a),
        b: counted(row.b),
        b_share: shared(row.b),
        read,
      })),
      next: undefined,
    }
  },
})

export const portraitServer = implement(contract, handlers)
