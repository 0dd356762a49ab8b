import { and, asc, eq, inArray, isNotNull, lt, ne, notInArray, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruleWhere } from './compile.server.ts'
import { namesOfRefs } from './refs.server.ts'
import { segment as t, segment_person as p, segment_use } from './segment.table.ts'
import type { Segment } from './segmentRows.server.ts'

/** Ids of members that one step looks at: few, so that nobody else waits long. */
const COUNT_PIECE = 20_000

/** What a segment that is to be counted anew is set to; the list that holds stays until it is done. */
export const begunCount = { status: 'computing' as const, counted_to: 0, counted_n: 0 }
const notCounting = { counted_to: null, counted_n: 0, count_until: null }
/** Forgets lists that nothing was done with. */
const dropOld = async (tx: Db, { id }: Segment, gen: number): Promise<void> => {
  const used = tx
    .select({ gen: segment_use.gen })
    .from(segment_use)
    .where(eq(segment_use.segment_id, id))
  await tx.delete(p).where(and(eq(p.segment_id, id), lt(p.gen, gen), notInArray(p.gen, used)))
}
/** What is half counted of a segment is of no use once its rule is another. */
export const dropHalf = async (tx: Db, { id, gen }: Segment): Promise<void> =>
  void (await tx.delete(p).where(and(eq(p.segment_id, id), sql`${p.gen} > ${gen}`)))

const stepOf = async (tx: Db, of: Segment, now: number): Promise<void> => {
  const gen = of.gen + 1
  const from = of.counted_to ?? 0
  const [last] = await tx
    .select({ id: sql<number>`coalesce(max(${member.id}), 0)::int` })
    .from(member)
  const until = from === 0 ? last!.id : (of.count_until ?? last!.id)
  const to = Math.min(until, from + COUNT_PIECE)
  if (from === 0) await dropHalf(tx, of)
  const put = await tx.execute(sql`
    insert into ${p} (segment_id, gen, member_id)
    select ${of.id}, ${gen}, ${member.id} from ${member}
    where ${member.id} > ${from} and ${member.id} <= ${to}
      and ${ruleWhere(of.rule!, of.exclude_ids, { now, probe: true })}`)
  const n = of.counted_n + (put.rowCount ?? 0)
  if (to < until) {
    await tx
      .update(t)
      .set({ counted_to: to, counted_n: n, count_until: until })
      .where(eq(t.id, of.id))
    return
  }
  await tx
    .update(t)
    .set({
      ...notCounting,
      gen,
      status: 'ready',
      prev_count: of.refreshed_at === null ? null : of.customer_count,
      customer_count: n,
      refreshed_at: now,
      version: of.version + 1,
    })
    .where(eq(t.id, of.id))
  await dropOld(tx, of, gen)
}
/**
 * Counts a piece of one segment that waits for it, and puts its new list in force once it is whole:
 * until then the one before holds. A segment that others are made of comes before them. Answers
 * whether there was anything to do.
 */
export const countPiece = async (tx: Db, now: number): Promise<boolean> => {
  const [of] = await tx
    .select()
    .from(t)
    .where(
      and(
        eq(t.status, 'computing'),
        sql`not exists (select 1 from ${t} o where o.status = 'computing' and o.id <> ${t.id}
          and ${t.refs} @> array['segment:' || o.id])`,
      ),
    )
    .orderBy(asc(t.updated_at), asc(t.id))
    .limit(1)
    .for('update', { skipLocked: true })
  if (!of) return false
  await stepOf(tx, of, now)
  return true
}
/** Counts everything that waits, one transaction a piece; answers how many pieces there were. */
export const countAll = async (
  database: { transaction: <T>(run: (tx: Db) => Promise<T>) => Promise<T> },
  now: number,
  most: number,
): Promise<number> => {
  let pieces = 0
  while (pieces < most && (await database.transaction(tx => countPiece(tx, now)))) pieces++
  return pieces
}
/** Has all segments by a rule counted again; answers how many. */
export const countNightly = async (tx: Db): Promise<number> =>
  (
    await tx
      .update(t)
      .set({ ...begunCount, version: sql`${t.version} + 1` })
      .where(and(eq(t.kind, 'rule'), eq(t.status, 'ready')))
      .returning({ id: t.id })
  ).length
/**
 * Takes segments out of use whose rule names what is gone, and then those that are made of them;
 * answers how many.
 */
export const dropStale = async (tx: Db): Promise<number> => {
  let dropped = 0
  for (let more = true; more;) {
    const rows = await tx
      .select()
      .from(t)
      .where(
        and(
          inArray(t.status, ['ready', 'computing']),
          ne(t.kind, 'static'),
          isNotNull(t.rule),
          sql`${t.refs} <> '{}'`,
        ),
      )
      .orderBy(asc(t.id))
      .for('update')
    const { gone } = await namesOfRefs(
      tx,
      rows.flatMap(row => row.refs),
    )
    const stale = rows.filter(row => row.refs.some(key => gone.includes(key)))
    for (const row of stale)
      await tx
        .update(t)
        .set({ ...notCounting, status: 'stale', version: row.version + 1 })
        .where(eq(t.id, row.id))
    dropped += stale.length
    more = stale.length > 0
  }
  return dropped
}
