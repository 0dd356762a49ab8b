/** How far members are with badges, counted from what stands, piece by piece. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { achievement as a, achievement_count as c } from './achievement.table.ts'
import type { BadgeMetric } from './achievement.ts'

const within = (at: SQL) => sql`${at} >= coalesce(a.start_at, 0)
  and (a.end_at is null or ${at} < a.end_at)`
const paid = sql`from "order" o where o.member_id = m.id and o.pay_state = 'paid'
  and o.refund_state <> 'refunded' and ${within(sql`o.paid_at`)}`
const visits = sql`r.member_id = m.id and r.kind = 'spot' and not r.is_void and ${within(sql`r.at`)}`
// A streak that began before a season counts the days inside it alone.
const inside = sql`(r.day - coalesce(a.start_at - (a.start_at + 28800) % 86400, 0)) / 86400 + 1`
/** What each metric counts of member m for badge a: one query of an index of the member. */
const queries: Readonly<Record<BadgeMetric, SQL>> = {
  order_count: sql`select count(*) ${paid}`,
  paid_cents: sql`select sum(o.paid_cents - o.refunded_cents) ${paid}`,
  checkin_days: sql`select count(distinct r.day) from sign_record r where ${visits}`,
  mall_count: sql`select count(distinct s.mall_id) from sign_record r
    join checkin_spot s on s.id = r.spot_id where ${visits}`,
  sign_streak: sql`select max(least(r.streak, ${inside})) from sign_record r
    where r.member_id = m.id and r.kind <> 'spot' and not r.is_void and ${within(sql`r.at`)}`,
  comment_count: sql`select count(*) from comment k where k.member_id = m.id
    and k.order_item_id is not null and k.state = 'shown' and not k.hidden_by_parent
    and k.deleted_at is null and ${within(sql`k.created_at`)}`,
  invite_count: sql`select count(*) from member i where i.inviter_id = m.id
    and i.account_state <> 'merged' and ${within(sql`i.register_at`)}`,
}
const cases = sql.join(
  Object.entries(queries).map(([metric, query]) => sql`when ${metric} then (${query})`),
  sql` `,
)
/** Selects member_id, achievement_id and progress of members m by badges a, as facts stand now. */
const counted = (ids: readonly number[], badges: SQL): SQL => sql`
  select m.id member_id, a.id achievement_id, coalesce(case a.metric ${cases} end, 0)::bigint progress
  from (select unnest(${sql.param(ids)}::int[]) id) m cross join achievement a where ${badges}`
/** How far a member is with each badge, by the badge's id; counted now, and not kept. */
export const progressOf = async (db: Db, member_id: number): Promise<Map<number, number>> => {
  const { rows } = await db.execute<{ achievement_id: number; progress: string }>(
    counted([member_id], sql`a.status <> 'draft'`),
  )
  return new Map(rows.map(row => [row.achievement_id, Number(row.progress)]))
}
/**
 * Counts members anew for all badges that are on, and keeps what came out; a member with nothing
 * gets no row. Any number of times with the same end.
 */
export const countMembers = async (tx: Db, ids: readonly number[], now: number): Promise<void> => {
  if (ids.length === 0) return
  // Badges are held before members, as whoever awards one holds them.
  await tx.execute(sql`select id from ${a} where status = 'on' order by id for key share`)
  await tx.execute(sql`
    insert into member_achievement as k (member_id, achievement_id, progress, state, created_at,
      updated_at)
    select n.member_id, n.achievement_id, n.progress, 'progress', ${now}::bigint, ${now}::bigint
    from (${counted(ids, sql`a.status = 'on'`)}) n
    where n.progress > 0 or exists (select 1 from member_achievement h
      where h.member_id = n.member_id and h.achievement_id = n.achievement_id)
    order by n.member_id, n.achievement_id
    on conflict (member_id, achievement_id) do update set progress = excluded.progress,
      updated_at = excluded.updated_at where k.progress <> excluded.progress`)
}

const PIECE = 500
/** Seconds that a change may take from its moment until it is committed. */
const LATE = 300
type Count = typeof c.$inferSelect
/** The next members of a count, by id: everybody, or those with a fact between its moments. */
const nextOf = async (tx: Db, run: Count, most: number): Promise<number[]> => {
  const between = (at: string) =>
    sql`${sql.raw(at)} >= ${run.since} and ${sql.raw(at)} < ${run.until}`
  const touched = sql`m.id in (
    select o.member_id from "order" o where ${between('o.paid_at')}
    union select f.member_id from refund f where ${between('f.done_at')}
    union select r.member_id from sign_record r where ${between('r.at')}
    union select w.member_id from comment_reward w where ${between('w.at')}
    union select i.inviter_id from member i where i.inviter_id is not null
      and ${between('i.register_at')})`
  const { rows } = await tx.execute<{ id: number }>(sql`
    select m.id from member m where m.id > ${run.after} and m.account_state = 'normal'
      and ${run.kind === 'all' ? sql`true` : touched} order by m.id limit ${most}`)
  return rows.map(row => row.id)
}
/**
 * Counts the next members of an open count in one transaction that also moves on where it begins:
 * what was broken off goes on there. Answers whether some are left.
 */
export const countPiece = async (
  tx: Db,
  kind: Count['kind'],
  now: number,
  most = PIECE,
): Promise<boolean> => {
  const [run] = await tx
    .select()
    .from(c)
    .where(and(eq(c.kind, kind), eq(c.done, false)))
    .for('update', { skipLocked: true })
  if (!run) return false
  const ids = await nextOf(tx, run, most)
  await countMembers(tx, ids, now)
  const done = ids.length < most
  await tx
    .update(c)
    .set({ after: ids.at(-1) ?? run.after, members_n: run.members_n + ids.length, done })
    .where(eq(c.id, run.id))
  return !done
}
/** Begins a count of everybody; answers its id, or null where one is open. */
export const beginCount = async (
  tx: Db,
  { admin_id, now }: { admin_id?: number; now: number },
): Promise<number | null> => {
  const [row] = await tx
    .insert(c)
    .values({ kind: 'all', since: 0, until: now, admin_id: admin_id ?? null })
    .onConflictDoNothing()
    .returning()
  return row?.id ?? null
}
/** The count of those whose facts changed since the last one; it goes over a little again. */
export const beginRecent = async (tx: Db, now = unixNow()): Promise<void> => {
  await tx
    .insert(c)
    .values({ kind: 'recent', since: now - LATE, until: now })
    .onConflictDoUpdate({
      target: c.kind,
      targetWhere: sql`kind = 'recent'`,
      set: { since: sql`${c.until} - ${LATE}`, until: now, after: 0, done: false },
      setWhere: sql`${c.done} and ${c.until} < ${now}`,
    })
}
