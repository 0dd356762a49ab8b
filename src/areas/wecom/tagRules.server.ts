import { and, eq, sql, type SQL } from 'drizzle-orm'
import { dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { like } from '#src/server/db/like.ts'
import type { TagRule } from './tagging.ts'
import { wecom_tag } from './wecom.table.ts'

const ints = (ids: readonly number[]): SQL => sql`${sql.param(`{${ids.join()}}`)}::int[]`
const inMalls = ({ mall_ids = [] }: TagRule): SQL =>
  mall_ids.length > 0 ? sql`and o.mall_id = any(${ints(mall_ids)})` : sql``
type Span = { from: number; to: number }
const within = (at: SQL, { from, to }: Span): SQL => sql`${at} >= ${from} and ${at} < ${to}`
/** What happened of each kind within a time: the customer, a name of the event, and when. */
const happened: Readonly<Record<TagRule['kind'], (rule: TagRule, span: Span) => SQL>> = {
  spend: (rule, span) => sql`
    select c.id customer_id, 'pay:' || o.id event, o.paid_at "at" from "order" o
      join wecom_customer c on c.member_id = o.member_id
    where ${within(sql`o.paid_at`, span)} and o.paid_cents >= ${rule.min_cents ?? 0} ${inMalls(rule)}`,
  verify: (rule, span) => sql`
    select c.id, 'use:' || o.id, o.used_at from wecom_customer c
      join "order" o on o.member_id = c.member_id
    where ${within(sql`o.used_at`, span)} ${inMalls(rule)}`,
  visit: (_, span) => sql`
    select c.id, 'visit:' || (m.last_visit_at + 28800) / 86400, m.last_visit_at from wecom_customer c
      join member m on m.id = c.member_id where ${within(sql`m.last_visit_at`, span)}`,
  join: ({ group_ids = [] }, span) => sql`
    select c.id, 'join:' || v.group_id || ':' || v.at, v.at from wecom_group_move v
      join wecom_customer c on c.external_userid = v.userid
    where v.kind = 'join' and v.day >= ${dateOf(span.from)} and ${within(sql`v.at`, span)}
      ${group_ids.length > 0 ? sql`and v.group_id = any(${ints(group_ids)})` : sql``}`,
  keyword: ({ words = [] }, span) => sql`
    select n.customer_id, 'note:' || n.id, n.at from wecom_note n
    where ${within(sql`n.at`, span)} and n.content ilike any(${sql.param(words.map(word => like(word)))}::text[])
    union all
    select f.customer_id, 'remark:' || f.id, f.updated_at from wecom_follow f
    where ${within(sql`f.updated_at`, span)}
      and (f.remark || ' ' || f.description) ilike any(${sql.param(words.map(word => like(word)))}::text[])`,
}
type Event = { customer_id: number; event: string; at: string }
/** The latest thing of a rule that happened to each customer within a time (unix seconds). */
export const latestEvents = async (db: Db, rule: TagRule, span: Span, most: number) =>
  (
    await db.execute<Event>(sql`
      select distinct on (h.customer_id) h.* from (${happened[rule.kind](rule, span)}) h(customer_id, event, "at")
        join wecom_customer w on w.id = h.customer_id and w.state = 'following'
      order by h.customer_id, h."at" desc limit ${most}`)
  ).rows.map(row => ({ ...row, at: Number(row.at) }))

/**
 * Has WeCom give a tag to customers who have it of nobody yet, each by the first adviser in service.
 * `to` names them.
 */
const giveTo = (tx: Db, tag_id: number, of: { to: SQL; now: number; by: number | null }) =>
  tx.execute(sql`
    insert into wecom_task (kind, customer_id, follow_id, staff_id, body, next_at, created_at, asked_by)
    select distinct on (f.customer_id) 'tag', f.customer_id, f.id, f.staff_id,
      jsonb_build_object('add', array[${tag_id}::int]), ${of.now}, ${of.now}, ${of.by}::int
    from wecom_follow f join wecom_staff s on s.id = f.staff_id
      join wecom_customer c on c.id = f.customer_id
    where f.status = 'following' and s.status = 'active' and s.has_contact_right
      and f.customer_id in (${of.to})
      and not exists (select 1 from wecom_follow o where o.customer_id = f.customer_id
        and o.status = 'following' and o.tag_ids @> array[${tag_id}::int])
      and not exists (select 1 from wecom_task k where k.customer_id = f.customer_id
        and k.kind = 'tag' and k.state = 'waiting' and k.body -> 'add' @> ${tag_id}::text::jsonb)
    order by f.customer_id, (f.id = c.primary_follow_id) desc nulls last, f.added_at, f.id
    returning id`)
/** Gives a tag for one thing that happened, unless it was given for that before. */
export const giveForEvent = async (
  tx: Db,
  of: { tag_id: number; customer_id: number; event: string; at: number },
  { now, by }: { now: number; by: number },
): Promise<boolean> => {
  const { rows } = await tx.execute(sql`
    insert into wecom_tag_hit (tag_id, customer_id, event, at)
    values (${of.tag_id}, ${of.customer_id}, ${of.event}, ${of.at})
    on conflict do nothing returning customer_id`)
  if (rows.length === 0) return false
  const given = await giveTo(tx, of.tag_id, { to: sql`${of.customer_id}`, now, by })
  return given.rows.length > 0
}
/** What is looked at again: a transaction that began earlier may commit later. */
const OVERLAP = 900
/**
 * Gives tags for what happened since each rule was looked at; each thing counts once for a customer,
 * however often it is looked at. Answers how many customers get one.
 */
export const runTagRules = async ({
  database,
  now,
}: {
  database: Database
  now: number
}): Promise<number> => {
  const tags = await database.db
    .select()
    .from(wecom_tag)
    .where(and(eq(wecom_tag.status, 'active'), sql`${wecom_tag.auto_rule} ->> 'on' = 'true'`))
    .orderBy(wecom_tag.id)
  let n = 0
  for (const tag of tags)
    n += await database.transaction(async tx => {
      const [row] = await tx.select().from(wecom_tag).where(eq(wecom_tag.id, tag.id)).for('update')
      const rule = row?.auto_rule
      if (!rule?.on || row!.status !== 'active') return 0
      const span = { from: (row!.rule_seen_at ?? now) - OVERLAP, to: now }
      const hits = await tx.execute<{ customer_id: number }>(sql`
        insert into wecom_tag_hit (tag_id, customer_id, event, at)
        select ${tag.id}, h.customer_id, h.event, h."at" from (${happened[rule.kind](rule, span)}) h(customer_id, event, "at")
          join wecom_customer w on w.id = h.customer_id and w.state = 'following'
        on conflict do nothing returning customer_id`)
      await tx.execute(sql`update wecom_tag set rule_seen_at = ${now} where id = ${tag.id}`)
      if (hits.rows.length === 0) return 0
      const ids = hits.rows.map(one => one.customer_id)
      const to = sql`select unnest(${ints([...new Set(ids)])})`
      return (await giveTo(tx, tag.id, { to, now, by: null })).rows.length
    })
  return n
}
