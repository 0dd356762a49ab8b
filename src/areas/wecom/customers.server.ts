import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { joinedNames } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { equal, listing, record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { begins } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { inMall, staffSeen } from './staff.server.ts'
import { tasksOf } from './tasks.server.ts'
import { wecom_customer, wecom_follow, wecom_staff, wecom_tag } from './wecom.table.ts'
import {
  customerCan,
  shortExternal,
  STALE_AFTER,
  type AddWay,
  type CustomerState,
  type CustomerTab,
  type CustomerVerb,
} from './wecom.ts'

const t = wecom_customer
export type Customer = typeof wecom_customer.$inferSelect
const malls = sql`select unnest(s.mall_ids) from wecom_follow f
  join wecom_staff s on s.id = f.staff_id where f.customer_id = ${t.id}`
const places = {
  mall: { several: malls },
  city: { several: sql`select m.city_id from mall m where m.id in (${malls})` },
}
export const customersSeen = ({ scope }: Pick<Staff, 'scope'>): SQL | undefined =>
  within(scope, places)
/** Customers as handlers read, change and log them. */
export const customers = record(wecom_customer, {
  object: 'wecom_customer',
  label: row => row.name,
  keys: ['member_id'],
  places,
  // Neither how to reach the person nor the ids that WeCom knows them by are shown.
  told: ({ id, name, state, member_id, follow_count, version }) => ({
    id,
    name,
    state,
    member_id,
    follow_count,
    version,
  }),
})

/** The live relations of customers, the first of each first. */
const livesOf = (db: Db, ids: readonly number[]) =>
  db
    .select({
      id: wecom_follow.id,
      customer_id: wecom_follow.customer_id,
      staff_id: wecom_follow.staff_id,
      staff_name: wecom_staff.name,
      status: wecom_staff.status,
      has_contact_right: wecom_staff.has_contact_right,
      tag_ids: wecom_follow.tag_ids,
      remark: wecom_follow.remark,
      description: wecom_follow.description,
      add_way: wecom_follow.add_way,
      source_state: wecom_follow.source_state,
    })
    .from(wecom_follow)
    .innerJoin(wecom_staff, eq(wecom_staff.id, wecom_follow.staff_id))
    .where(
      and(inArray(wecom_follow.customer_id, [0, ...ids]), eq(wecom_follow.status, 'following')),
    )
    .orderBy(wecom_follow.added_at, wecom_follow.id)
type Live = Awaited<ReturnType<typeof livesOf>>[number]
const inService = (one: Pick<Live, 'status' | 'has_contact_right'>): boolean =>
  one.status === 'active' && one.has_contact_right

/** The live relation that something is written to: the one named, or the first of an adviser in service. */
export const followFor = async (
  tx: Db,
  customer: Customer,
  follow_id: number | undefined,
): Promise<Live> => {
  const lives = await livesOf(tx, [customer.id])
  const able = lives.filter(inService)
  if (follow_id !== undefined) {
    const named = lives.find(one => one.id === follow_id)
    if (!named) throw missing()
    if (!inService(named))
      throw ruled(
        'adviser_off',
        [
          '{who} 已离职或停用，不能写入企微',
          '{who} is not in service: nothing is written to WeCom',
        ],
        { who: named.staff_name },
      )
    return named
  }
  const first = able.find(one => one.id === customer.primary_follow_id) ?? able[0]
  if (!first)
    throw ruled('nobody_follows', ['没有在职的跟进成员', 'No adviser in service follows them'])
  return first
}
/** The relations of a customer that something is written to, where there are several. */
export type Which = { which?: 'first' | 'all' | undefined; follow_id?: number | undefined }
/**
 * The live relations that something is written to, of advisers in service whom the person sees: the
 * one named, the first, or all. Throws 422 where there are several and nobody said which.
 */
export const followsFor = async (
  { tx, staff }: Pick<WriteContext, 'tx' | 'staff'>,
  customer: Customer,
  { which, follow_id }: Which,
): Promise<Live[]> => {
  const seen = new Set(
    (await tx.select({ id: wecom_staff.id }).from(wecom_staff).where(staffSeen(staff))).map(
      one => one.id,
    ),
  )
  const lives = (await livesOf(tx, [customer.id])).filter(one => seen.has(one.staff_id))
  if (follow_id !== undefined) {
    if (!lives.some(one => one.id === follow_id)) throw missing()
    return [await followFor(tx, customer, follow_id)]
  }
  const able = lives.filter(inService)
  if (able.length === 0)
    throw ruled('nobody_follows', ['没有在职的跟进成员', 'No adviser in service follows them'])
  if (able.length === 1 || which === 'all') return able
  if (which === undefined)
    throw ruled(
      'which_follow',
      [
        '{name} 由 {who} 共同跟进，请选择写给全部成员还是其中一位',
        '{who} all follow {name}: say whether it is for all of them, or for whom',
      ],
      { name: customer.name, who: joinedNames(able.map(one => one.staff_name)) },
    )
  return [able.find(one => one.id === customer.primary_follow_id) ?? able[0]!]
}
type MemberOf = {
  id: number
  nickname: string
  uid: string
  level: number
  account_state: string
}
const membersOf = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, MemberOf>> =>
  new Map(
    (
      await db
        .select({
          id: member.id,
          nickname: member.nickname,
          uid: member.uid,
          level: member.level,
          account_state: member.account_state,
        })
        .from(member)
        .where(inArray(member.id, [0, ...ids]))
    ).map(one => [one.id, one]),
  )
/** Tags by their ids, those that are invalid among them. */
export const tagsNamed = async (db: Db, ids: readonly number[]) =>
  new Map(
    (
      await db
        .select({ id: wecom_tag.id, name: wecom_tag.name, status: wecom_tag.status })
        .from(wecom_tag)
        .where(inArray(wecom_tag.id, [0, ...new Set(ids)]))
    ).map(one => [one.id, one]),
  )
/** Customers as their lists and panes show them, in the order given. */
export const shownCustomers = async (db: Db, rows: readonly Customer[], now: number) => {
  const ids = rows.map(row => row.id)
  const lives = await livesOf(db, ids)
  const people = await membersOf(
    db,
    rows.flatMap(row => [row.member_id ?? 0, row.clash_member_id ?? 0]),
  )
  const tags = await tagsNamed(
    db,
    lives.flatMap(one => one.tag_ids),
  )
  const tasks = await tasksOf(db, ids)
  return rows.map(({ external_userid, ...row }) => {
    const own = lives.filter(one => one.customer_id === row.id)
    const first = own.find(one => one.id === row.primary_follow_id) ?? own[0]
    const { waiting, refused } = tasks(row.id)
    return {
      ...row,
      external_short: shortExternal(external_userid),
      member: people.get(row.member_id ?? 0) ?? null,
      clash: people.get(row.clash_member_id ?? 0) ?? null,
      advisers: own.map(one => ({
        follow_id: one.id,
        staff_id: one.staff_id,
        name: one.staff_name,
      })),
      live_count: own.filter(inService).length,
      remark: first?.remark ?? '',
      description: first?.description ?? '',
      add_way: first?.add_way ?? ('unknown' as const),
      source_state: first?.source_state ?? '',
      tags: [...new Set(own.flatMap(one => one.tag_ids))].flatMap(id => {
        const tag = tags.get(id)
        return tag ? [{ id, name: tag.name }] : []
      }),
      is_stale: now - row.synced_at > STALE_AFTER,
      waiting_count: waiting,
      refused: refused && {
        kind: refused.kind,
        error: refused.error,
        errcode: refused.errcode,
      },
    }
  })
}
/** The customer, where nothing speaks against the verb. */
export const heldCustomer = async (
  context: WriteContext,
  verb: CustomerVerb,
  one: { id: number; version?: number },
): Promise<Customer> => {
  const { version } = one
  const was =
    version === undefined
      ? await customers.lock(context, one.id)
      : await customers.heldFast(context, { id: one.id, version })
  const [shown] = await shownCustomers(context.tx, [was], context.now)
  const may = customerCan(verb, shown!)
  if (may !== true) throw ruled(`customer_${verb}`, may)
  return was
}

export type CustomerFilters = {
  keyword?: string | undefined
  state?: Exclude<CustomerState, 'merged'> | undefined
  mid?: number | undefined
  staff_id?: number | undefined
  tag_id?: number | undefined
  add_way?: AddWay | undefined
  quick?: CustomerTab | undefined
  member_id?: number | undefined
  id?: number | undefined
}
/** What the tabs of the list are of, at a moment. */
const tabs = (now: number): Readonly<Record<CustomerTab, SQL>> => ({
  unmatched: sql`${t.member_id} is null`,
  clash: sql`${t.clash_member_id} is not null`,
  lost_week: sql`${t.lost_at} >= ${now - 7 * DAY}`,
  silent: sql`${t.state} = 'following' and ${t.last_active_at} < ${now - 30 * DAY}`,
  several: sql`${t.follow_count} > 1`,
  refused: sql`${t.id} in (select k.customer_id from wecom_task k where k.state = 'failed')`,
})
/** How many customers each tab has, of those that the person sees. */
export const countCustomerTabs = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
  now: number,
): Promise<Record<string, number>> => {
  const counted: [string, number][] = []
  const base = and(customersSeen(staff), sql`${t.state} <> 'merged'`)
  for (const [key, where] of Object.entries(tabs(now)))
    counted.push([key, (await countOf(db, t, and(base, where))).total])
  return Object.fromEntries(counted)
}
const foundBy = (keyword: string | undefined): SQL | undefined =>
  keyword
    ? or(
        sql`${t.name} like ${begins(keyword)}`,
        sql`${t.member_id} in (select m.id from member m where m.uid = ${keyword.toUpperCase()}
          or m.nickname like ${begins(keyword)})`,
      )
    : undefined
const byFollow = ({ staff_id, tag_id, add_way, mid }: CustomerFilters): SQL | undefined => {
  if ([staff_id, tag_id, add_way, mid].every(one => one === undefined)) return undefined
  const where = and(
    sql`f.customer_id = ${t.id} and f.status = 'following'`,
    staff_id === undefined ? undefined : sql`f.staff_id = ${staff_id}`,
    tag_id === undefined ? undefined : sql`f.tag_ids @> array[${tag_id}]::int[]`,
    add_way === undefined ? undefined : sql`f.add_way = ${add_way}`,
    mid === undefined
      ? undefined
      : sql`f.staff_id in (select s.id from wecom_staff s
          where ${inMall(sql`s.mall_ids`, mid)})`,
  )
  return sql`exists (select 1 from wecom_follow f where ${where})`
}
/** The customers that are meant by these filters. */
export const customersWhere = (of: CustomerFilters, now: number): SQL | undefined =>
  and(
    sql`${t.state} <> 'merged'`,
    foundBy(of.keyword),
    equal(t, { state: of.state, member_id: of.member_id, id: of.id }),
    byFollow(of),
    of.quick && tabs(now)[of.quick],
  )
const listBy = (by: typeof t.id | typeof t.last_active_at) =>
  listing(customers, {
    by,
    down: by === t.id,
    where: (of: CustomerFilters, { now }) => customersWhere(of, now),
    shown: (db, rows, { now }) => shownCustomers(db, rows, now),
  })
/** The list of customers: the newest first, or those with whom nobody spoke for longest. */
export const customerLists = { id: listBy(t.id), active: listBy(t.last_active_at) }
