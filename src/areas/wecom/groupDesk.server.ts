import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { mall } from '#src/areas/place/place.table.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { equal, holding, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { countOf } from '#src/server/db/paging.ts'
import { tagsNamed } from './customers.server.ts'
import {
  faultsOf,
  groupCan,
  ROOM_LOW,
  SILENT_AFTER,
  type GroupState,
  type GroupTab,
  type GroupVerb,
} from './groups.ts'
import { joinsOf } from './joinWays.server.ts'
import { wecom_staff } from './wecom.table.ts'
import { STALE_AFTER } from './wecom.ts'
import { wecom_group } from './wecomGroup.table.ts'

const t = wecom_group
export type Group = typeof wecom_group.$inferSelect
/** Chats as handlers read, change and log them; one without a mall is seen by headquarters alone. */
export const groups = record(wecom_group, {
  object: 'wecom_group',
  label: row => row.name,
  keys: ['mall_id', 'notice_draft'],
  places: {
    mall: t.mall_id,
    city: sql`(select m.city_id from mall m where m.id = ${t.mall_id})`,
  },
  told: ({ id, name, status, owner_id, mall_id, member_count, notice_draft, version }) => ({
    id,
    name,
    status,
    owner_id,
    mall_id,
    member_count,
    notice_draft,
    version,
  }),
})

export type GroupFilters = {
  keyword?: string | undefined
  status?: GroupState | undefined
  mid?: number | undefined
  owner_id?: number | undefined
  tag_id?: number | undefined
  quick?: GroupTab | undefined
  id?: number | undefined
}
/** What is wrong with a chat, as a condition; the same as `faultsOf` says of a row. */
const tabs = (now: number): Readonly<Record<GroupTab, SQL>> => ({
  owner_left: sql`${t.status} = 'owner_left'`,
  full: sql`${t.status} <> 'dismissed' and ${t.max_members} - ${t.member_count} <= ${ROOM_LOW}`,
  silent: sql`${t.status} <> 'dismissed'
    and coalesce(${t.last_active_at}, 0) < ${now - SILENT_AFTER}`,
  unbound: sql`${t.status} <> 'dismissed' and ${t.mall_id} is null`,
})
/** How many chats each tab has, of those that the person sees. */
export const countGroupTabs = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
  now: number,
): Promise<Record<string, number>> => {
  const counted: [string, number][] = []
  for (const [key, where] of Object.entries(tabs(now)))
    counted.push([key, (await countOf(db, t, and(groups.seen(staff), where))).total])
  return Object.fromEntries(counted)
}
type Counted = {
  id: number
  joins: number
  leaves: number
  matched: number
  unmatched: number
  ordered: number
  masses: number
  removals: number
  waits: number
}
/** What is counted of chats: who came and went in a week, members among them, what is under way. */
const countsOf = async (db: Db, ids: readonly number[], now: number) => {
  const since = dateOf(now - 6 * DAY)
  const { rows } = await db.execute<Counted>(sql`
    with chosen as (select unnest(${sql.param(`{${ids.join()}}`)}::int[]) id),
    moves as (select v.group_id, count(*) filter (where v.kind = 'join')::int joins,
        count(*) filter (where v.kind = 'leave')::int leaves
      from wecom_group_move v join chosen on chosen.id = v.group_id where v.day >= ${since}
      group by 1),
    people as (select p.group_id, count(c.member_id)::int matched,
        count(*) filter (where c.member_id is null)::int unmatched,
        count(*) filter (where b.last_order_at >= ${now - 30 * DAY})::int ordered
      from wecom_group_member p join chosen on chosen.id = p.group_id
      left join wecom_customer c on c.id = p.customer_id left join member b on b.id = c.member_id
      where p.left_at is null and p.kind = 'customer' group by 1)
    select chosen.id, coalesce(moves.joins, 0) joins, coalesce(moves.leaves, 0) leaves,
      coalesce(people.matched, 0) matched, coalesce(people.unmatched, 0) unmatched,
      coalesce(people.ordered, 0) ordered,
      (select count(*)::int from wecom_send_result r where r.group_id = chosen.id
        and r.month = ${dateOf(now).slice(0, 7)} and r.status in ('unsent', 'sent')) masses,
      (select count(*)::int from wecom_removal m where m.group_id = chosen.id
        and not ${removed(sql`m`)}) removals,
      (select count(*)::int from wecom_transfer w where w.group_id = chosen.id
        and w.status = 'waiting') waits
    from chosen left join moves on moves.group_id = chosen.id
      left join people on people.group_id = chosen.id`)
  return new Map(rows.map(row => [row.id, row]))
}
const nothing: Omit<Counted, 'id'> = {
  joins: 0,
  leaves: 0,
  matched: 0,
  unmatched: 0,
  ordered: 0,
  masses: 0,
  removals: 0,
  waits: 0,
}
/** Whether who was to be taken out has left the chat since; `m` is a row of wecom_removal. */
export const removed = (m: SQL): SQL => sql`(exists (select 1 from wecom_group_member p
    where p.group_id = ${m}.group_id and p.userid = ${m}.userid and p.left_at >= ${m}.asked_at)
  or exists (select 1 from wecom_group_move v where v.group_id = ${m}.group_id
    and v.userid = ${m}.userid and v.kind = 'leave' and v.at >= ${m}.asked_at))`

const ownersOf = async (db: Db, rows: readonly Group[]) =>
  new Map(
    (
      await db
        .select({ id: wecom_staff.id, name: wecom_staff.name, status: wecom_staff.status })
        .from(wecom_staff)
        .where(inArray(wecom_staff.id, [0, ...rows.flatMap(row => row.owner_id ?? [])]))
    ).map(one => [one.id, one]),
  )
const mallsOf = async (db: Db, rows: readonly Group[]) =>
  new Map(
    (
      await db
        .select({ id: mall.id, name: mall.name })
        .from(mall)
        .where(inArray(mall.id, [0, ...rows.flatMap(row => row.mall_id ?? [])]))
    ).map(one => [one.id, one.name]),
  )
/** Chats as their list and their page show them, in the order given. */
export const shownGroups = async (db: Db, rows: readonly Group[], now: number) => {
  const ids = rows.map(row => row.id)
  const counts = await countsOf(db, ids, now)
  const owners = await ownersOf(db, rows)
  const malls = await mallsOf(db, rows)
  const joins = await joinsOf(db, ids)
  const tags = await tagsNamed(
    db,
    rows.flatMap(row => row.tag_ids),
  )
  return rows.map(({ chat_id: _, admin_userids: __, ...row }) => {
    const of = counts.get(row.id) ?? nothing
    return {
      ...row,
      owner: owners.get(row.owner_id ?? 0) ?? null,
      mall_name: malls.get(row.mall_id ?? 0) ?? '',
      tags: row.tag_ids.flatMap(id => {
        const tag = tags.get(id)
        return tag ? [{ id, name: tag.name }] : []
      }),
      customer_count: row.member_count - row.staff_count,
      faults: faultsOf(row, now),
      joins_7d: of.joins,
      leaves_7d: of.leaves,
      matched_count: of.matched,
      unmatched_count: of.unmatched,
      ordered_30d: of.ordered,
      mass_count: of.masses,
      removal_count: of.removals,
      waiting_count: of.waits,
      join: joins.get(row.id) ?? null,
      is_stale: row.status !== 'dismissed' && now - row.synced_at > STALE_AFTER,
    }
  })
}
/** A chat by its id alone, locked, where nothing speaks against the verb. */
export const lockedGroup = async (
  context: WriteContext,
  verb: GroupVerb,
  id: number,
): Promise<Group> => {
  const { version } = await groups.lock(context, id)
  return heldGroup(context, verb, { id, version })
}
/** The chat as the person holds it, where nothing speaks against the verb; `fast` locks it. */
export const heldGroup = async (
  context: WriteContext,
  verb: GroupVerb,
  one: { id: number; version: number },
  { fast = true }: { fast?: boolean } = {},
): Promise<Group> => {
  const was = await (fast ? groups.heldFast(context, one) : groups.held(context, one))
  const [shown] = await shownGroups(context.tx, [was], context.now)
  const may = groupCan(verb, shown!)
  if (may !== true) throw ruled(`group_${verb}`, may)
  return was
}
const whereOf = (of: GroupFilters, now: number): SQL | undefined =>
  and(
    holding(of.keyword, [t.name], t.id),
    equal(t, { status: of.status, owner_id: of.owner_id, id: of.id }),
    of.mid === 0 ? sql`${t.mall_id} is null` : undefined,
    of.mid ? eq(t.mall_id, of.mid) : undefined,
    of.tag_id === undefined ? undefined : sql`${t.tag_ids} @> array[${of.tag_id}]::int[]`,
    of.quick && tabs(now)[of.quick],
  )
const listBy = (by: typeof t.id | typeof t.member_count) =>
  listing(groups, {
    by,
    down: true,
    where: (of: GroupFilters, { now }) => whereOf(of, now),
    shown: (db, rows, { now }) => shownGroups(db, rows, now),
  })
/** The list of chats: the newest first, or the fullest. */
export const groupLists = { id: listBy(t.id), fill: listBy(t.member_count) }
