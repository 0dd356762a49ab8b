import { and, inArray, sql, type SQL } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { advisersOfMasses } from '#src/areas/wecom/massFigures.server.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { equal, holding, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { namesOfRefs } from './refs.server.ts'
import { segment as t, segment_use } from './segment.table.ts'
import { segmentCan, type SegmentKind, type SegmentState, type SegmentVerb } from './segment.ts'
import { refKey, ruleSaid } from './sentence.ts'

export type Segment = typeof t.$inferSelect
/** Segments as handlers read, change and log them: the whole house’s; their people stand in places. */
export const segments = record(t, {
  object: 'segment',
  label: row => row.name,
  keys: ['name', 'kind', 'rule', 'exclude_ids', 'status', 'customer_count', 'archive_reason'],
  places: 'all',
  told: ({ refs: _, ...row }) => row,
})

const isRunning = sql`(exists (select 1 from wecom_send_task k
    where k.id = u.send_task_id and k.status in ('scheduled', 'sending'))
  or exists (select 1 from row_job j where j.id = u.job_id and j.state in ('queued', 'running')))`
/** What each segment is used for: tasks in all, and those that have not ended with other segments. */
const usesOf = async (db: Db, ids: readonly number[]) => {
  const { rows } = await db.execute<{ id: number; used: number; live: number }>(sql`
    select s.id,
      (select count(*)::int from ${segment_use} u where u.segment_id = s.id) as used,
      (select count(*)::int from ${segment_use} u where u.segment_id = s.id and ${isRunning})
        + (select count(*)::int from ${t} o where o.refs @> array['segment:' || s.id]
          and o.status <> 'archived') as live
    from ${t} s where s.id = any(${sql.param(`{${ids.join()}}`)}::int[])`)
  const by = new Map(rows.map(row => [row.id, row]))
  return (id: number) => ({ used: by.get(id)?.used ?? 0, live: by.get(id)?.live ?? 0 })
}
/** Segments as their list and pane show them, in the order given; sentences in the reader's language. */
const shownSegments = async (db: Db, rows: readonly Segment[], { lang }: { lang: 'zh' | 'en' }) => {
  if (rows.length === 0) return []
  const uses = await usesOf(
    db,
    rows.map(row => row.id),
  )
  const { names, gone } = await namesOfRefs(
    db,
    rows.flatMap(row => row.refs),
  )
  const owners = new Map(
    (
      await db
        .select({ id: admin.id, name: admin.name })
        .from(admin)
        .where(
          inArray(
            admin.id,
            rows.map(row => row.owner_id),
          ),
        )
    ).map(one => [one.id, one.name]),
  )
  return rows.map(row => ({
    ...row,
    said: row.rule ? ruleSaid(row.rule, { names, without: row.exclude_ids }, lang) : '',
    names: Object.fromEntries(row.refs.map(key => [key, names[key] ?? ''])),
    gone: row.refs.filter(key => gone.includes(key)).map(key => names[key] ?? key),
    delta: row.prev_count === null ? null : row.customer_count - row.prev_count,
    owner_name: owners.get(row.owner_id) ?? '',
    used_n: uses(row.id).used,
    live_uses: uses(row.id).live,
    progress:
      row.counted_to === null
        ? null
        : { n: row.counted_n, done: row.counted_to, until: row.count_until ?? 0 },
  }))
}
type SegmentFilters = {
  keyword?: string | undefined
  kind?: SegmentKind | undefined
  status?: SegmentState | undefined
  owner_id?: number | undefined
  id?: number | undefined
}
const whereOf = (of: SegmentFilters): SQL | undefined =>
  and(
    holding(of.keyword, [t.name], t.id),
    equal(t, { kind: of.kind, status: of.status, owner_id: of.owner_id, id: of.id }),
  )
const listBy = (by: typeof t.id | typeof t.customer_count) =>
  listing(segments, {
    by,
    down: true,
    where: (of: SegmentFilters) => whereOf(of),
    shown: (db, rows, { staff }) => shownSegments(db, rows, staff),
  })
/** The list of segments: the newest first, or the largest. */
export const segmentLists = { id: listBy(t.id), size: listBy(t.customer_count) }
/** How many segments there are of each state, beside the other filters. */
export const countByState = async (
  db: Db,
  { status: _, ...of }: SegmentFilters,
): Promise<Record<string, number>> => {
  const rows = await db
    .select({ status: t.status, n: sql<number>`count(*)::int` })
    .from(t)
    .where(whereOf(of))
    .groupBy(t.status)
  return Object.fromEntries(rows.map(row => [row.status, row.n]))
}
/** The segment as the person holds it, locked, where nothing speaks against the verb. */
export const heldSegment = async (
  context: WriteContext,
  verb: SegmentVerb,
  one: { id: number; version: number },
): Promise<Segment> => {
  const was = await segments.heldFast(context, one)
  await needSegment(context.tx, verb, was)
  return was
}
/** Throws 422 where something speaks against the verb. */
const needSegment = async (tx: Db, verb: SegmentVerb, was: Segment): Promise<void> => {
  const live_uses = (await usesOf(tx, [was.id]))(was.id).live
  const may = segmentCan(verb, { ...was, live_uses })
  if (may !== true) throw ruled(`segment_${verb}`, may)
}
/** The segments that each one names, by what it is made of and what it leaves out. */
export const linksOfSegments = async (db: Db): Promise<(id: number) => readonly number[]> => {
  const rows = await db.select({ id: t.id, refs: t.refs }).from(t)
  const prefix = refKey('segment', 0).slice(0, -1)
  const by = new Map(
    rows.map(row => [
      row.id,
      row.refs.flatMap(key => (key.startsWith(prefix) ? [Number(key.slice(prefix.length))] : [])),
    ]),
  )
  return id => by.get(id) ?? []
}
/** What a segment was used for, the latest first, with how it went; texts adviser by adviser. */
export const usesOfSegment = async (db: Db, id: number) => {
  const { rows } = await db.execute<{
    id: number
    kind: 'send' | 'coupon'
    people_n: number
    begun_n: number
    created_at: string
    by_name: string
    what: string
    done_n: number
    state: string | null
    task_id: number | null
  }>(sql`
    select u.id, u.kind, u.send_task_id as task_id, u.people_n, u.begun_n, u.created_at, a.name as by_name,
      coalesce(c.name, k.content, '') as what,
      case when u.kind = 'send' then (select count(*)::int from wecom_send_result r
          where r.task_id = u.send_task_id and r.status = 'sent')
        else coalesce(j.rows_done - j.rows_failed, u.begun_n) end as done_n,
      coalesce(k.status, j.state) as state
    from ${segment_use} u join admin a on a.id = u.by_id
      left join coupon c on c.id = u.coupon_id
      left join wecom_send_task k on k.id = u.send_task_id
      left join row_job j on j.id = u.job_id
    where u.segment_id = ${id} order by u.id desc limit 20`)
  const advisers = await advisersOfMasses(
    db,
    rows.flatMap(row => row.task_id ?? []),
  )
  return rows.map(({ task_id, ...row }) => ({
    ...row,
    created_at: Number(row.created_at),
    what: row.what.slice(0, 60),
    advisers: advisers.get(task_id ?? 0) ?? [],
  }))
}
/** Those of some segments that others may be made of. */
export const usableIds = async (db: Db, ids: readonly number[]): Promise<readonly number[]> =>
  (
    await db
      .select({ id: t.id })
      .from(t)
      .where(and(inArray(t.id, [0, ...ids]), inArray(t.status, ['ready', 'computing'])))
  ).map(row => row.id)
