import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { pairedRows, segmentsOf, type RelationEvent } from './relation.ts'
import { wecom_customer, wecom_follow, wecom_follow_event, wecom_staff } from './wecom.table.ts'

const intsOf = (ids: Iterable<number>) => sql`${sql.param(`{${[...ids].join()}}`)}::int[]`
const sorted = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** What happened between a customer and an adviser, by their ids here. */
export type Happened = RelationEvent & { customer_id: number; staff_id: number }

/** Holds advisers, in the order of their ids; rows that refer to them are written meanwhile. */
const holdStaff = async (tx: Db, ids: Iterable<number>): Promise<void> => {
  const all = sorted(ids)
  if (all.length === 0) return
  await tx
    .select({ id: wecom_staff.id })
    .from(wecom_staff)
    .where(inArray(wecom_staff.id, all))
    .orderBy(wecom_staff.id)
    .for('no key update')
}
/** Counts the live relations of advisers, each held while it is counted. */
export const recountStaff = async (tx: Db, ids: Iterable<number>): Promise<void> => {
  const all = sorted(ids)
  if (all.length === 0) return
  await holdStaff(tx, all)
  await tx.execute(sql`
    update wecom_staff s set customer_count = n.n from (
      select s.id, (select count(*)::int from wecom_follow f
        where f.staff_id = s.id and f.status = 'following') n
      from wecom_staff s where s.id = any(${intsOf(all)})) n
    where n.id = s.id and s.customer_count <> n.n`)
}
/** Brings what customers tell of their relations up to these; the caller holds the customers. */
export const recountCustomers = async (tx: Db, ids: Iterable<number>): Promise<void> => {
  const all = sorted(ids)
  if (all.length === 0) return
  await tx.execute(sql`
    update wecom_customer c set follow_count = n.live, first_add_at = n.first,
      state = case when c.state = 'merged' then 'merged' when n.live > 0 then 'following'
        else 'lost' end,
      lost_at = case when n.live > 0 then null else n.lost end,
      primary_follow_id = coalesce(
        (select f.id from wecom_follow f where f.id = c.primary_follow_id
          and f.status = 'following'),
        (select f.id from wecom_follow f where f.customer_id = c.id and f.status = 'following'
          order by f.added_at, f.id limit 1)),
      version = c.version + 1
    from (select c.id, count(f.id) filter (where f.status = 'following')::int live,
        min(f.added_at) first, max(f.lost_at) lost
      from wecom_customer c left join wecom_follow f on f.customer_id = c.id
      where c.id = any(${intsOf(all)}) group by c.id) n
    where n.id = c.id and (c.follow_count <> n.live or c.first_add_at is distinct from n.first
      or (n.live = 0 and c.lost_at is distinct from n.lost) or (n.live > 0 and c.lost_at is not null)
      or (c.state <> 'merged' and (c.state = 'following') <> (n.live > 0))
      or (n.live > 0 and not exists (select 1 from wecom_follow f
        where f.id = c.primary_follow_id and f.status = 'following')))`)
}

/** Holds customers, in the order of their ids, as everybody holds several. */
export const holdCustomers = async (tx: Db, ids: Iterable<number>): Promise<void> => {
  const all = sorted(ids)
  if (all.length === 0) return
  await tx
    .select({ id: wecom_customer.id })
    .from(wecom_customer)
    .where(inArray(wecom_customer.id, all))
    .orderBy(wecom_customer.id)
    .for('no key update')
}

type Pair = { customer_id: number; staff_id: number }
/** Writes the rows of one customer and adviser as all that is known of them says. */
const refold = async (tx: Db, { customer_id, staff_id }: Pair): Promise<boolean> => {
  const of = and(eq(wecom_follow.customer_id, customer_id), eq(wecom_follow.staff_id, staff_id))
  const events = await tx
    .select({ kind: wecom_follow_event.kind, at: wecom_follow_event.at })
    .from(wecom_follow_event)
    .where(
      and(
        eq(wecom_follow_event.customer_id, customer_id),
        eq(wecom_follow_event.staff_id, staff_id),
      ),
    )
  const rows = await tx.select().from(wecom_follow).where(of)
  const { kept, fresh } = pairedRows(rows, segmentsOf(events))
  const moved = kept.filter(
    ({ row, segment }) =>
      row.added_at !== segment.added_at ||
      row.status !== segment.status ||
      row.lost_at !== segment.lost_at,
  )
  // What ends is written before what begins: of two rows one is live at a time.
  for (const { row, segment } of moved.toSorted(
    (a, b) => Number(a.segment.status === 'following') - Number(b.segment.status === 'following'),
  ))
    await tx
      .update(wecom_follow)
      .set({ ...segment, version: row.version + 1 })
      .where(eq(wecom_follow.id, row.id))
  if (fresh.length > 0)
    await tx
      .insert(wecom_follow)
      .values(fresh.map(segment => ({ customer_id, staff_id, ...segment })))
  return moved.length + fresh.length > 0
}

/**
 * Takes what happened between customers and advisers, in any order and however often it comes: rows,
 * counts and states follow from all that is known. Answers the customers that it changed.
 */
export const applyRelations = async (tx: Db, happened: readonly Happened[]): Promise<number[]> => {
  if (happened.length === 0) return []
  await holdCustomers(
    tx,
    happened.map(one => one.customer_id),
  )
  await holdStaff(
    tx,
    happened.map(one => one.staff_id),
  )
  await tx
    .insert(wecom_follow_event)
    .values(
      happened.map(({ customer_id, staff_id, kind, at }) => ({ customer_id, staff_id, kind, at })),
    )
    .onConflictDoNothing()
  const pairs = new Map(happened.map(one => [`${one.customer_id}:${one.staff_id}`, one]))
  const changed: Pair[] = []
  for (const pair of pairs.values()) if (await refold(tx, pair)) changed.push(pair)
  await recountCustomers(
    tx,
    changed.map(one => one.customer_id),
  )
  await recountStaff(
    tx,
    changed.map(one => one.staff_id),
  )
  return sorted(changed.map(one => one.customer_id))
}

/** The live relation of a customer and an adviser. */
export const liveFollow = async (tx: Db, { customer_id, staff_id }: Pair) => {
  const [row] = await tx
    .select()
    .from(wecom_follow)
    .where(
      and(
        eq(wecom_follow.customer_id, customer_id),
        eq(wecom_follow.staff_id, staff_id),
        eq(wecom_follow.status, 'following'),
      ),
    )
  return row
}
