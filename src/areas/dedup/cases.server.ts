import { and, arrayContains, eq, inArray, or, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { wecom_customer, wecom_follow, wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { equal, listing, record } from '#src/server/call/record.ts'
import { begins } from '#src/server/db/like.ts'
import { customer_dup } from './dedup.table.ts'
import { caseNo, dupStates, type DupKind, type DupState } from './dup.ts'

const t = customer_dup
export type Dup = typeof t.$inferSelect

/** Cases as handlers read, change and log them. */
export const dups = record(customer_dup, {
  object: 'customer_dup',
  label: row => caseNo(row.id),
  keys: ['status', 'outcome', 'primary_follow_id', 'keep_id', 'drop_ids'],
  places: {
    city: { several: sql`select unnest(${t.city_ids})` },
    mall: { several: sql`select unnest(${t.mall_ids})` },
  },
  told: ({ id, version, kind, status, outcome, keep_id, drop_ids, primary_follow_id }) => ({
    id,
    version,
    kind,
    status,
    outcome,
    keep_id,
    drop_ids,
    primary_follow_id,
  }),
})

type Named = { id: number; name: string }
const namesOf = async (db: Db, rows: readonly Dup[]) => {
  const members: Named[] = await db
    .select({ id: member.id, name: member.nickname })
    .from(member)
    .where(inArray(member.id, [0, ...rows.flatMap(row => [...row.member_ids, ...row.drop_ids])]))
  const customers: Named[] = await db
    .select({ id: wecom_customer.id, name: wecom_customer.name })
    .from(wecom_customer)
    .where(inArray(wecom_customer.id, [0, ...rows.flatMap(row => row.customer_ids)]))
  const staff: Named[] = await db
    .select({ id: admin.id, name: admin.name })
    .from(admin)
    .where(inArray(admin.id, [0, ...rows.flatMap(row => [row.asked_by ?? 0, row.decided_by ?? 0])]))
  const of = (all: readonly Named[]) => new Map(all.map(one => [one.id, one.name]))
  return { members: of(members), customers: of(customers), staff: of(staff) }
}
/** The first and the main relation of each case, with its adviser. */
const followersOf = async (db: Db, rows: readonly Dup[]) =>
  new Map(
    (
      await db
        .select({ id: wecom_follow.id, name: wecom_staff.name, added_at: wecom_follow.added_at })
        .from(wecom_follow)
        .innerJoin(wecom_staff, eq(wecom_staff.id, wecom_follow.staff_id))
        .where(
          inArray(wecom_follow.id, [
            0,
            ...rows.flatMap(row => [...row.follow_ids.slice(0, 1), row.primary_follow_id ?? 0]),
          ]),
        )
    ).map(one => [one.id, one]),
  )
/** Cases as their list shows them, in the order given. */
const shownDups = async (db: Db, rows: readonly Dup[]) => {
  const names = await namesOf(db, rows)
  const followers = await followersOf(db, rows)
  return rows.map(row => {
    const people = row.member_ids.flatMap(id => names.members.get(id) ?? [])
    const contacts = row.customer_ids.flatMap(id => names.customers.get(id) ?? [])
    const first = followers.get(row.follow_ids[0] ?? 0)
    return {
      ...row,
      no: caseNo(row.id),
      names: [...new Set(people.length > 0 ? people : contacts)],
      follow_n: row.follow_ids.length,
      member_n: row.member_ids.length,
      customer_n: row.customer_ids.length,
      first_adder: first?.name ?? '',
      first_added_at: first?.added_at ?? null,
      primary_name: followers.get(row.primary_follow_id ?? 0)?.name ?? '',
      asker_name: names.staff.get(row.asked_by ?? 0) ?? '',
      decider_name: names.staff.get(row.decided_by ?? 0) ?? '',
    }
  })
}

export type DupFilters = {
  keyword?: string | undefined
  status?: DupState | undefined
  kind?: DupKind | undefined
  mid?: number | undefined
  staff_id?: number | undefined
  member_id?: number | undefined
  customer_id?: number | undefined
  id?: number | undefined
}
/** Cases whose members or contacts are called so, whose member has the number, or whose number it is. */
const foundBy = (keyword: string | undefined): SQL | undefined => {
  if (!keyword) return undefined
  const no = /^(?:QC)?(\d{1,9})$/i.exec(keyword)?.[1]
  return or(
    sql`${t.member_ids} && array(select m.id from member m where m.uid = ${keyword.toUpperCase()}
      or m.nickname like ${begins(keyword)} limit 500)`,
    sql`${t.customer_ids} && array(select c.id from wecom_customer c
      where c.name like ${begins(keyword)} limit 500)`,
    no ? eq(t.id, Number(no)) : undefined,
  )
}
/** Cases of a mall; 0 is outside any. */
const ofMall = (mid: number): SQL =>
  mid === 0 ? sql`cardinality(${t.mall_ids}) = 0` : arrayContains(t.mall_ids, [mid])
const whereOf = (of: DupFilters): SQL | undefined =>
  and(
    equal(t, {
      status: of.id === undefined ? of.status : undefined,
      kind: of.kind,
      id: of.id,
    }),
    of.mid === undefined ? undefined : ofMall(of.mid),
    of.member_id === undefined ? undefined : arrayContains(t.member_ids, [of.member_id]),
    of.customer_id === undefined ? undefined : arrayContains(t.customer_ids, [of.customer_id]),
    of.staff_id === undefined
      ? undefined
      : sql`${t.follow_ids} && array(select f.id from wecom_follow f
          where f.staff_id = ${of.staff_id} and f.status = 'following')`,
    foundBy(of.keyword),
  )
const listBy = (by: typeof t.confidence | typeof t.raised_at) =>
  listing(dups, { by, down: true, where: (of: DupFilters) => whereOf(of), shown: shownDups })
/** The list of cases: the surest first, or the newest. */
export const dupLists = { sure: listBy(t.confidence), raised: listBy(t.raised_at) }

/** How many cases of each state there are beside the other filters, of those that the person sees. */
export const countDups = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
  { status: _, ...filters }: DupFilters,
): Promise<Record<DupState, number>> => {
  const rows = await db
    .select({ status: t.status, n: sql<number>`count(*)::int` })
    .from(t)
    .where(and(dups.seen(staff), whereOf(filters)))
    .groupBy(t.status)
  const none = Object.fromEntries(Object.keys(dupStates).map(key => [key, 0]))
  return { ...none, ...Object.fromEntries(rows.map(row => [row.status, row.n])) } as never
}
