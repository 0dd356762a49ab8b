import { and, asc, desc, eq, gt, inArray, sql, type SQL } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { comma, say } from '#src/domain/text.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import {
  customerLists,
  customers,
  heldCustomer,
  tagsNamed,
  type Customer,
} from './customers.server.ts'
import { mallsNamed } from './places.server.ts'
import { advisers, staffSeen } from './staff.server.ts'
import type { TimelineKind } from './timeline.ts'
import { wecom_follow, wecom_staff } from './wecom.table.ts'
import type { CustomerVerb } from './wecom.ts'
import { wecom_note } from './wecomWork.table.ts'

type Reader = { staff: Staff; now: number }
/** Those of some colleagues whom the person sees. */
const seenAmong = async (db: Db, staff: Staff, ids: readonly number[]) =>
  new Set(
    (
      await db
        .select({ id: wecom_staff.id })
        .from(wecom_staff)
        .where(and(inArray(wecom_staff.id, [0, ...ids]), staffSeen(staff)))
    ).map(one => one.id),
  )
/**
 * Whether others follow a customer now: advisers of malls that the person does not see, and none of
 * theirs. Such a customer is shown masked, and nothing is done with them.
 */
const isOthers = async (db: Db, staff: Staff, customer_id: number): Promise<boolean> => {
  const lives = await db
    .select({ staff_id: wecom_follow.staff_id })
    .from(wecom_follow)
    .where(and(eq(wecom_follow.customer_id, customer_id), eq(wecom_follow.status, 'following')))
  if (lives.length === 0) return false
  const seen = await seenAmong(
    db,
    staff,
    lives.map(one => one.staff_id),
  )
  return seen.size === 0
}
/** The customer as its list shows it, and whether it is others' now. */
export const customerShown = async (db: Db, { staff, now }: Reader, was: Customer) => {
  const [row] = await customerLists.id.shown(db, [was], { staff, now })
  const others = await isOthers(db, staff, was.id)
  return others
    ? { ...row!, others, remark: '', tags: [], corp_name: '', member: null, clash: null, phone: '' }
    : { ...row!, others }
}
/** The customer as the person holds it, where nothing speaks against the verb; 422 for one of others. */
export const heldOwn = async (
  context: WriteContext,
  verb: CustomerVerb,
  one: { id: number; version?: number },
): Promise<Customer> => {
  const was = await heldCustomer(context, verb, one)
  if (await isOthers(context.tx, context.staff, was.id))
    throw ruled('customer_others', [
      '客户由其他商场的成员跟进，仅可查看',
      'Advisers of another mall follow the customer: it is only looked at',
    ])
  return was
}
/** The live relation that is named, of an adviser whom the person sees; 404 otherwise. */
export const ownFollow = async (
  { tx, staff }: WriteContext,
  of: { customer_id: number; follow_id: number },
) => {
  const [follow] = await tx
    .select()
    .from(wecom_follow)
    .where(
      and(
        eq(wecom_follow.id, of.follow_id),
        eq(wecom_follow.customer_id, of.customer_id),
        eq(wecom_follow.status, 'following'),
      ),
    )
  if (!follow) throw missing()
  const adviser = await advisers.read(tx, staff, follow.staff_id)
  return { follow, adviser }
}
/** A customer's relations, live ones first; of advisers of other malls what they noted is hidden. */
export const relationsOf = async (db: Db, staff: Staff, customer_id: number) => {
  const rows = await db
    .select({
      row: wecom_follow,
      name: wecom_staff.name,
      staff_status: wecom_staff.status,
      malls: mallsNamed(wecom_staff.mall_ids, staff.lang),
    })
    .from(wecom_follow)
    .innerJoin(wecom_staff, eq(wecom_staff.id, wecom_follow.staff_id))
    .where(eq(wecom_follow.customer_id, customer_id))
    .orderBy(sql`${wecom_follow.lost_at} desc nulls first`, desc(wecom_follow.added_at))
  const seen = await seenAmong(
    db,
    staff,
    rows.map(({ row }) => row.staff_id),
  )
  const tags = await tagsNamed(
    db,
    rows.flatMap(({ row }) => row.tag_ids),
  )
  return rows.map(({ row, name, ...of }) => {
    const hidden = !seen.has(row.staff_id)
    return {
      id: row.id,
      staff_id: row.staff_id,
      name,
      ...of,
      hidden,
      status: row.status,
      stage: row.stage,
      add_way: row.add_way,
      source_state: hidden ? '' : row.source_state,
      remark: hidden ? '' : row.remark,
      description: hidden ? '' : row.description,
      tags: hidden ? [] : row.tag_ids.flatMap(id => tags.get(id)?.name ?? []),
      added_at: row.added_at,
      lost_at: row.lost_at,
    }
  })
}
const chatPlaces = (staff: Staff): SQL =>
  within(staff.scope, {
    mall: sql`g.mall_id`,
    city: sql`(select m.city_id from mall m where m.id = g.mall_id)`,
  }) ?? sql`true`
/** The chats that a customer is or was in; those of others' malls have no name. */
export const chatsOfCustomer = async (db: Db, staff: Staff, { external_userid }: Customer) => {
  const { rows } = await db.execute<{
    id: number
    name: string
    seen: boolean
    status: 'normal' | 'owner_left' | 'transferring' | 'dismissed'
    joined_at: string
    left_at: string | null
  }>(sql`
    select g.id, case when ${chatPlaces(staff)} then g.name else '' end "name",
      ${chatPlaces(staff)} seen, g.status, p.joined_at, p.left_at
    from wecom_group_member p join wecom_group g on g.id = p.group_id
    where p.userid = ${external_userid} order by p.left_at desc nulls first, p.joined_at desc
    limit 50`)
  return rows.map(row => ({
    ...row,
    seen: row.seen === true,
    joined_at: Number(row.joined_at),
    left_at: row.left_at === null ? null : Number(row.left_at),
  }))
}

/** What advisers and WeCom did: relations, and hand-overs in the place of what they ended and began. */
const contactsSql = (id: number, others: boolean): SQL => sql`
  select 'add:' || f.id "key", 'added' kind, f.added_at "at", s.name who, '' other,
    case when ${others} then '' else coalesce(c.name, '') end "text", '' state from wecom_follow f join wecom_staff s on s.id = f.staff_id
    left join channel_code c on c.state_key = f.source_state and f.source_state <> ''
  where f.customer_id = ${id} and not exists (select 1 from wecom_transfer w
    where w.follow_id = f.taken_from_id and w.to_staff_id = f.staff_id and w.status = 'done')
  union all
  select 'end:' || f.id, f.status, f.lost_at, s.name, '', '', ''
  from wecom_follow f join wecom_staff s on s.id = f.staff_id
  where f.customer_id = ${id} and f.lost_at is not null and not (f.status = 'transferred'
    and exists (select 1 from wecom_transfer w where w.follow_id = f.id and w.status = 'done'))
  union all
  select 'transfer:' || w.id, 'transfer', coalesce(w.done_at, w.created_at), f.name, t.name,
    case when w.status in ('failed', 'cap_reached') then w.fail_reason else w.reason end, w.status
  from wecom_transfer w join wecom_staff f on f.id = w.from_staff_id
    join wecom_staff t on t.id = w.to_staff_id where w.customer_id = ${id}`
const chatsSql = ({ external_userid }: Customer, staff: Staff): SQL => sql`
  select 'chat:' || v.group_id || ':' || v.kind || ':' || v.day,
    case v.kind when 'join' then 'joined' else 'left' end, v.at,
    case when ${chatPlaces(staff)} then g.name else '' end, '', '', ''
  from wecom_group_move v join wecom_group g on g.id = v.group_id
  where v.userid = ${external_userid}`
/** What was noted, written and sent from here. */
const workSql = (id: number, { lang }: Pick<Staff, 'lang'>): SQL => sql`
  select 'note:' || n.id, 'note', n.at, a.name, '', n.content, ''
  from wecom_note n join admin a on a.id = n.by_id where n.customer_id = ${id}
  union all
  select 'task:' || k.id, k.kind, k.done_at, coalesce(a.name, ''), coalesce(s.name, ''),
    case when k.state = 'failed' then k.error when k.kind = 'remark'
      then coalesce(k.body ->> 'remark', '') else coalesce((select string_agg(g.name, ${say(comma, lang)}
        order by g.id) from wecom_tag g where g.id in (select jsonb_array_elements_text(
          coalesce(k.body -> 'add', k.body -> 'remove', '[]'))::int)), '') end, k.state
  from wecom_task k left join admin a on a.id = k.asked_by
    left join wecom_staff s on s.id = k.staff_id
  where k.customer_id = ${id} and k.kind in ('tag', 'remark') and k.state <> 'waiting'
  union all
  select 'mass:' || r.id, 'mass', r.sent_at, s.name, '', left(m.content, 60), ''
  from wecom_send_result r join wecom_send_task m on m.id = r.task_id
    join wecom_staff s on s.id = r.staff_id
  where r.customer_id = ${id} and r.status = 'sent' and r.sent_at is not null`
const boughtSql = (member_id: number, mine: SQL): SQL => sql`
  select 'order:' || o.id, 'order', o.paid_at, '', o.order_no, o.pay_cents::text, o.kind
  from "order" o where o.member_id = ${member_id} and o.paid_at is not null and ${mine}
  union all
  select 'used:' || o.id, 'used', o.used_at, '', o.order_no, o.pay_cents::text, o.kind
  from "order" o where o.member_id = ${member_id} and o.used_at is not null and ${mine}
  union all
  select 'coupon:' || c.id, 'coupon', c.created_at, '', n.name, '', c.status
  from coupon_grant c join coupon n on n.id = c.coupon_id where c.member_id = ${member_id}`

type Entry = {
  key: string
  kind: TimelineKind
  at: string
  who: string
  other: string
  text: string
  state: string
}
/**
 * One timeline of all that is known of a customer, the latest first, each thing once: a hand-over
 * that is done stands in the place of the relation that it ended and of the one that it began. Of a
 * customer of others only who followed when is told. `state` is a hand-over's or a task's.
 */
export const timelineOf = async (
  db: Db,
  { staff, customer }: { staff: Staff; customer: Customer },
  { page, pageSize }: { page: number; pageSize: number },
) => {
  const others = await isOthers(db, staff, customer.id)
  const orders = within(staff.scope, { city: sql`o.city_id`, mall: sql`o.mall_id` }) ?? sql`true`
  const parts = [
    contactsSql(customer.id, others),
    ...(others ? [] : [chatsSql(customer, staff), workSql(customer.id, staff)]),
    ...(others || customer.member_id === null ? [] : [boughtSql(customer.member_id, orders)]),
  ]
  const { rows } = await db.execute<Entry>(sql`
    select * from (${sql.join(parts, sql` union all `)}) everything
    order by "at" desc, "key" desc limit ${pageSize + 1} offset ${(page - 1) * pageSize}`)
  return {
    list: rows.slice(0, pageSize).map(row => ({
      ...row,
      at: Number(row.at),
    })),
    more: rows.length > pageSize,
  }
}
/** When somebody is to come back to a customer next, and what for; null where nothing is planned. */
export const nextOf = async (db: Db, customer_id: number, now: number) => {
  const [row] = await db
    .select({ at: wecom_note.next_at, content: wecom_note.content, by: admin.name })
    .from(wecom_note)
    .innerJoin(admin, eq(admin.id, wecom_note.by_id))
    .where(and(eq(wecom_note.customer_id, customer_id), gt(wecom_note.next_at, now)))
    .orderBy(asc(wecom_note.next_at))
    .limit(1)
  return row ? { ...row, at: row.at! } : null
}
/** Notes what was found out about a customer; the time to come back lies ahead. */
export const addNote = async (
  context: WriteContext,
  was: Customer,
  { content, next_at }: { content: string; next_at: number | undefined },
): Promise<void> => {
  const { tx, staff, now } = context
  if (next_at !== undefined && next_at <= now)
    throw ruled('next_past', ['下次跟进时间须在现在之后', 'The next time lies in the past'])
  await tx
    .insert(wecom_note)
    .values({ customer_id: was.id, content, next_at: next_at ?? null, by_id: staff.id, at: now })
  customers.log(context, was, {
    after: { note: content.slice(0, 60), ...(next_at !== undefined && { next_at }) },
  })
}
