import { and, asc, eq, inArray, ne, sql, type SQL } from 'drizzle-orm'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { codes } from '#src/areas/channelCode/codes.server.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { holding, listing } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { PAID_DAYS, type FileFilters, type FileState } from './customerFiles.ts'
import {
  customers,
  customersSeen,
  customersWhere,
  shownCustomers,
  type Customer,
} from './customers.server.ts'
import { mallsNamed } from './places.server.ts'
import { staffSeen } from './staff.server.ts'
import { wecom_customer, wecom_follow, wecom_staff } from './wecom.table.ts'
import type { AddWay } from './wecom.ts'

const t = wecom_customer
const ints = (ids: readonly number[]): SQL => sql`${sql.param(`{${ids.join()}}`)}::int[]`
/** Customers of whom a live relation has any of the tags. */
const tagged = (ids: readonly number[]): SQL =>
  sql`${t.id} in (select f.customer_id from wecom_follow f
    where f.status = 'following' and f.tag_ids && ${ints(ids)})`
const byTags = ({ tag_ids = [], tags_how = 'any' }: FileFilters): SQL | undefined => {
  if (tag_ids.length === 0) return undefined
  if (tags_how === 'all') return and(...tag_ids.map(id => tagged([id])))
  return tags_how === 'any' ? tagged(tag_ids) : sql`not (${tagged(tag_ids)})`
}
/** Followed, or lost by what ended the last relation. */
const stands = (rel: FileState): SQL =>
  rel === 'following'
    ? eq(t.state, 'following')
    : sql`${t.state} = 'lost' and exists (select 1 from wecom_follow f where f.customer_id = ${t.id}
        and f.status = ${rel} and f.lost_at = ${t.lost_at})`
const bound = (is: FileFilters['bound']): SQL | undefined => {
  if (is === undefined) return undefined
  return is === 'yes' ? sql`${t.member_id} is not null` : sql`${t.member_id} is null`
}
/** The customers that are meant by the filters of their files. */
export const filesWhere = (of: FileFilters, now: number): SQL | undefined => {
  const { keyword, mid, staff_id, add_way, member_id, id } = of
  return and(
    customersWhere(
      { keyword, mid, staff_id, add_way: add_way as AddWay | undefined, member_id, id },
      now,
    ),
    byTags(of),
    of.rel && stands(of.rel),
    bound(of.bound),
    of.code_id === undefined
      ? undefined
      : sql`${t.id} in (select f.customer_id from wecom_follow f join channel_code c
          on c.state_key = f.source_state where c.id = ${of.code_id} and f.source_state <> '')`,
    of.from === undefined ? undefined : sql`${t.first_add_at} >= ${of.from}`,
    of.to === undefined ? undefined : sql`${t.first_add_at} <= ${of.to}`,
  )
}

/** What members paid within the days that are told, in cents, where the person sees the orders. */
const paidOf = async (db: Db, rows: readonly Customer[], { staff, now }: Asker) => {
  const ids = rows.flatMap(row => row.member_id ?? [])
  const mine = within(staff.scope, { city: sql`o.city_id`, mall: sql`o.mall_id` }) ?? sql`true`
  const found =
    ids.length === 0
      ? []
      : (
          await db.execute<{ id: number; cents: string }>(sql`
            select o.member_id id, sum(o.paid_cents - o.refunded_cents) cents from "order" o
            where o.member_id = any(${ints(ids)}) and o.paid_at >= ${now - PAID_DAYS * DAY}
              and ${mine} group by 1`)
        ).rows
  return new Map(found.map(row => [row.id, Number(row.cents)]))
}
type Asker = { staff: Staff; now: number }
type Contact = {
  customer_id: number
  status: string
  code_id: number | null
  code_name: string | null
}
/** The last relation of each customer, and the code that it came by. */
const lastContacts = async (db: Db, ids: readonly number[]) => {
  const { rows } = await db.execute<Contact>(sql`
    select distinct on (f.customer_id) f.customer_id, f.status, c.id code_id, c.name code_name
    from wecom_follow f join wecom_customer w on w.id = f.customer_id
      left join channel_code c on c.state_key = f.source_state and f.source_state <> ''
    where f.customer_id = any(${ints([0, ...ids])})
    order by f.customer_id, (f.id = w.primary_follow_id) desc nulls last,
      f.lost_at desc nulls first, f.id desc`)
  return new Map(rows.map(row => [row.customer_id, row]))
}
/** Customers as their files list them, in the order given. */
const shownFiles = async (db: Db, rows: readonly Customer[], asker: Asker) => {
  const ids = rows.map(row => row.id)
  const [shown, paid, contacts] = [
    await shownCustomers(db, rows, asker.now),
    await paidOf(db, rows, asker),
    await lastContacts(db, ids),
  ]
  return shown.map(row => {
    const last = contacts.get(row.id)
    const primary = row.advisers.find(one => one.follow_id === row.primary_follow_id)
    return {
      ...row,
      primary: (primary ?? row.advisers[0])?.name ?? '',
      rel: row.state === 'following' ? ('following' as const) : lostAs(last?.status),
      code: last?.code_id == null ? null : { id: last.code_id, name: last.code_name ?? '' },
      paid_cents: row.member_id === null ? null : (paid.get(row.member_id) ?? 0),
    }
  })
}
/** What a relation that ended is told as; one that was handed over leaves nobody to blame. */
const lostAs = (status: string | undefined): FileState | null =>
  status === 'deleted_by_customer' || status === 'deleted_by_staff' ? status : null

const listBy = (by: typeof t.id | typeof t.first_add_at) =>
  listing(customers, {
    by,
    down: true,
    where: (of: FileFilters, { now }) => filesWhere(of, now),
    shown: shownFiles,
  })
/** The files of customers: by their numbers, or those added last first. */
export const customerFiles = { id: listBy(t.id), added: listBy(t.first_add_at) }

/** How many customers stand in each way, of those that the person sees. */
export const countFileStates = async (db: Db, staff: Staff): Promise<Record<string, number>> => {
  const base = and(customersSeen(staff), ne(t.state, 'merged'))
  const counted: [string, number][] = []
  for (const rel of ['following', 'deleted_by_customer', 'deleted_by_staff'] as const)
    counted.push([rel, (await countOf(db, t, and(base, stands(rel)))).total])
  return Object.fromEntries(counted)
}
/**
 * What the corp's contacts come to, of customers that the person sees: live relations, the people
 * behind them (two accounts of one unionid are one), and who came and went today.
 */
export const countFiles = async (db: Db, { staff, now }: Asker) => {
  const today = dayStart(now)
  const { rows } = await db.execute<Record<'relations' | 'people' | 'added' | 'lost', number>>(sql`
    select count(*) filter (where f.status = 'following')::int relations,
      count(distinct coalesce(${t.unionid}, ${t.external_userid}))
        filter (where f.status = 'following')::int people,
      count(*) filter (where f.added_at >= ${today})::int added,
      count(*) filter (where f.lost_at >= ${today}
        and f.status in ('deleted_by_customer', 'deleted_by_staff'))::int lost
    from ${t} join wecom_follow f on f.customer_id = ${t.id}
    where ${and(ne(t.state, 'merged'), customersSeen(staff))}`)
  return rows[0]!
}

type Picked = { page: number; pageSize: number; keyword?: string | undefined }
/** A page of live codes that the person sees, to filter by. */
export const pickCodes = async (
  { page, pageSize, keyword }: Picked,
  { db, staff }: { db: Db; staff: Staff },
) => {
  const c = channel_code
  const where = and(codes.seen(staff), ne(c.status, 'draft'), holding(keyword, [c.name], c.id))
  const list = await db
    .select({ id: c.id, name: c.name })
    .from(c)
    .where(where)
    .orderBy(asc(c.name), asc(c.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, c, where)) }
}
/** A page of advisers whom the person sees, those who left behind the others. */
export const pickAdvisers = async (
  { page, pageSize, keyword }: Picked,
  { db, staff }: { db: Db; staff: Staff },
) => {
  const s = wecom_staff
  const where = and(staffSeen(staff), holding(keyword, [s.name, s.userid], s.id))
  const list = await db
    .select({ id: s.id, name: s.name, status: s.status })
    .from(s)
    .where(where)
    .orderBy(sql`${s.status} = 'left'`, asc(s.name), asc(s.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, s, where)) }
}
/** A page of those who follow a customer now and whom the person sees, the first of them first. */
export const pickFollows = async (
  { page, pageSize, keyword, of }: Picked & { of?: number | undefined },
  { db, staff }: { db: Db; staff: Staff },
) => {
  const row = of === undefined ? undefined : await customers.find(db, staff, of)
  const own = and(
    eq(wecom_follow.staff_id, wecom_staff.id),
    eq(wecom_follow.customer_id, row?.id ?? 0),
    eq(wecom_follow.status, 'following'),
  )
  const where = and(staffSeen(staff), holding(keyword, [wecom_staff.name]))
  const list = await db
    .select({
      id: wecom_follow.id,
      staff_id: wecom_staff.id,
      name: wecom_staff.name,
      status: wecom_staff.status,
      place: mallsNamed(wecom_staff.mall_ids, staff.lang),
    })
    .from(wecom_staff)
    .innerJoin(wecom_follow, own)
    .where(where)
    .orderBy(asc(wecom_follow.added_at), asc(wecom_follow.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const mine = db
    .select({ id: wecom_follow.staff_id })
    .from(wecom_follow)
    .where(and(eq(wecom_follow.customer_id, row?.id ?? 0), eq(wecom_follow.status, 'following')))
  return { list, ...(await countOf(db, wecom_staff, and(inArray(wecom_staff.id, mine), where))) }
}
