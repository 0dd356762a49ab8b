import { and, asc, eq, ilike, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { page_link } from '#src/areas/content/content.table.ts'
import { notify_group } from '#src/areas/notice/duty.table.ts'
import { say, type Lang } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { sumsOf, type Tree } from '#src/domain/tree.ts'
import type { Db } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { treeRecord, usedBy, type AskedPlaces } from '#src/server/call/tree.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import {
  heldBy,
  ISSUE_LEVELS,
  issueSides,
  sidesWithFallback,
  slaWords,
  type IssueFacts,
} from './issueCate.ts'
import { issue_cate, service_ticket } from './service.table.ts'

/** Times are told of so many seconds. */
const LATELY_S = 90 * DAY
type TicketFigures = {
  tickets: number
  /** Not finished yet, and those of them that are past what was promised. */
  open: number
  late: number
  /** From opening to finishing on average, of those finished lately, seconds. */
  handled_s: number | null
  /** How many of those whose first answer was due lately had it in time, basis points. */
  on_time_bp: number | null
}
const noTickets: TicketFigures = {
  tickets: 0,
  open: 0,
  late: 0,
  handled_s: null,
  on_time_bp: null,
}
/** How the tickets of each category fare. */
const ticketFigures = async (db: Db, now: number): Promise<Map<number, TicketFigures>> => {
  const since = now - LATELY_S
  const { rows } = await db.execute<TicketFigures & { id: number }>(sql`
    select category_id id, count(*)::int tickets,
      count(*) filter (where finished_at is null)::int open,
      count(*) filter (where finished_at is null and finish_by < ${now})::int late,
      round(avg(finished_at - opened_at) filter (where finished_at >= ${since}))::int handled_s,
      (10000 * count(*) filter (where answer_by >= ${since} and answered_at <= answer_by) / nullif(count(*) filter (where answer_by >= ${since} and (answered_at is not null or answer_by < ${now})), 0))::int on_time_bp
    from service_ticket group by category_id`)
  return new Map(rows.map(({ id, ...figures }) => [id, figures]))
}

type Row = typeof issue_cate.$inferSelect
/** Issue categories as handlers read, change and log them. */
export const issueCates = record(issue_cate, {
  object: 'issue_cate',
  label: row => row.name,
  keys: [
    'parent_id',
    'side',
    'name',
    'handler_group_id',
    'first_h',
    'finish_h',
    'auto_reply',
    'article_id',
    'fallback',
    'status',
    'merged_into',
  ],
  places: 'all',
})
/** The tree of them. */
export const issueTree = treeRecord(issueCates, {
  levels: ISSUE_LEVELS,
  uses: [usedBy(service_ticket.category_id, ['{n} 张工单', '{n} tickets'])],
})

/** Each side keeps a category for what fits nowhere, to which new tickets can be filed. */
export const keepsFallback = (tree: Tree<IssueFacts>, after: readonly IssueFacts[]): void => {
  const left = sidesWithFallback(after)
  const lost = [...sidesWithFallback(tree.rows)].find(side => !left.has(side))
  if (lost)
    throw ruled(
      'last_fallback',
      [
        '这是{side}侧最后一个启用的兜底分类，请先把另一个设为兜底',
        'It is the last one in use for what is left of {side}: mark another one first',
      ],
      { side: issueSides[lost][0] },
    )
}
/** Categories of one side stand together. */
export const sameSide = (row: Row, other: Row | undefined): void => {
  if (other && other.side !== row.side)
    throw ruled('other_side', [
      '消费者与商家的分类不能混放',
      'Categories of consumers and of merchants don’t mix',
    ])
}
/** What a category has of its own once it has nobody above it to have it from. */
export const ownAtTop = (tree: Tree<Row>, row: Row): Partial<Row> => {
  const { handler_group_id, first_h, finish_h } = heldBy(tree, row.id)
  return { handler_group_id, first_h, finish_h }
}

/** All groups, or pages, by their ids. */
const named = async (db: Db, table: Names) =>
  new Map(
    (
      await db
        .select({ id: table.id, name: table.name, status: table.status })
        .from(table as typeof notify_group)
    ).map(one => [one.id, one]),
  )
/** All categories in tree order, as they are shown; named one by one, as `treeRecord` says why. */
export const listedCates = async (db: Db, now: number) => {
  const [tree, figures, groups, articles] = [
    await issueTree.standing(db),
    await ticketFigures(db, now),
    await named(db, notify_group),
    await named(db, page_link),
  ]
  const merged = await issueTree.tookOver(db)
  const own = (id: number) => figures.get(id) ?? noTickets
  const below = sumsOf(tree, id => ({ tickets: own(id).tickets }))
  return tree.branch(null).map(row => {
    const held = heldBy(tree, row.id)
    const group = held.handler_group_id === null ? undefined : groups.get(held.handler_group_id)
    const fare = own(row.id)
    return {
      id: row.id,
      parent_id: row.parent_id,
      level: row.level,
      sort: row.sort,
      version: row.version,
      name: row.name,
      side: row.side,
      status: row.status,
      fallback: row.fallback,
      auto_reply: row.auto_reply,
      article_id: row.article_id,
      first_h: held.first_h,
      finish_h: held.finish_h,
      is_open: held.open,
      tickets: fare.tickets,
      tickets_all: below.get(row.id)!.tickets,
      open: fare.open,
      late: fare.late,
      handled_s: fare.handled_s,
      on_time_bp: fare.on_time_bp,
      own_group_id: row.handler_group_id,
      own_sla: row.first_h !== null,
      group_name: group?.name ?? '',
      group_off: group?.status === 'off',
      article_name: row.article_id === null ? '' : (articles.get(row.article_id)?.name ?? ''),
      children: tree.children(row.id).length,
      took_over: merged.get(row.id) ?? [],
    }
  })
}
type Names = typeof notify_group | typeof page_link
type Asked = { keyword?: string | undefined; page: number; pageSize: number }
/** Rows of a table of names that are in use. */
export const inUse = async (db: Db, table: Names, { keyword, page, pageSize }: Asked) => {
  const of = table as PgTable & { id: PgColumn; name: PgColumn; status: PgColumn }
  const where = and(eq(of.status, 'on'), keyword ? ilike(of.name, like(keyword)) : undefined)
  const list = (await db
    .select({ id: of.id, name: of.name })
    .from(of)
    .where(where)
    .orderBy(asc(of.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)) as { id: number; name: string }[]
  return { list, ...(await countOf(db, of, where)) }
}
/** Whether one of them is in use, and stays so until the transaction ends. */
export const isOn = async (tx: Db, table: Names, id: number) => {
  // Its columns are those of the table that is asked.
  const of = table as typeof notify_group
  const [row] = await tx.select({ status: of.status }).from(of).where(eq(of.id, id)).for('share')
  return row?.status === 'on'
}
/**
 * The categories that one may be moved under or merged into, each with what would come of it: who
 * handles its tickets by when, and how many there would be.
 */
export const catePlaces = async (db: Db, asked: AskedPlaces, lang: Lang) => {
  const { to, id } = asked
  const { tree, total, found } = await issueTree.places(
    db,
    asked,
    (row, target) => row === undefined || target.side === row.side,
  )
  const [counts, groups] = [await issueTree.counts(db), await named(db, notify_group)]
  const effectAt = (target: number): string => {
    const { handler_group_id, ...times } = heldBy(tree, target)
    const n = (counts.get(target) ?? 0) + (counts.get(id ?? 0) ?? 0)
    return [
      ...(to === 'merge' ? [say(['合并后 {n} 张工单', '{n} tickets then'], lang, { n })] : []),
      groups.get(handler_group_id ?? 0)?.name ?? say(['未设处理组', 'no group'], lang),
      slaWords(times, lang),
    ].join(' · ')
  }
  const list = found.map(({ row, full_name }) => ({
    id: row.id,
    full_name,
    effect: effectAt(row.id),
  }))
  return { total, list }
}
