import { and, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { equal, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { begins } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { member_adjust, member_tag, member_tag_of } from './care.table.ts'
import { member } from './member.table.ts'
import {
  agoBands,
  growthBands,
  memberCan,
  pointsBands,
  type AccountState,
  type AgoBand,
  type GrowthBand,
  type MemberTab,
  type MemberVerb,
  type PointsBand,
  type RegisterSource,
  type Risk,
  type VipBand,
} from './member.ts'
import { member_merge } from './merge.table.ts'

const t = member
export type Member = typeof member.$inferSelect
type One = { id: number; version: number }

/** Members as handlers read, change and log them. */
export const members = record(member, {
  object: 'member',
  label: row => `${row.nickname} ${row.uid}`,
  keys: [
    'nickname',
    'avatar',
    'level',
    'level_keep_until',
    'benefits_frozen',
    'benefits_reason',
    'account_state',
    'merged_into',
  ],
  places: { city: member.city_id },
  // A refusal shows the row to whoever was late, but not how to reach the person.
  told: ({ phone: _, unionid: __, birthday: ___, ...row }) => row,
})

/** The member as the person holds it, locked, where nothing speaks against the verb. */
export const heldMember = async (
  context: WriteContext,
  verb: MemberVerb,
  one: One,
): Promise<Member> => {
  const was = await members.heldFast(context, one)
  const [adjust] = await context.tx
    .select({ maker_id: member_adjust.maker_id })
    .from(member_adjust)
    .where(and(eq(member_adjust.member_id, was.id), eq(member_adjust.state, 'pending')))
  const may = memberCan(verb, { ...was, adjust: adjust ?? null })
  if (may !== true)
    throw ruled('wrong_state', may, {}, { current: { account_state: was.account_state } })
  return was
}

export type MemberFilters = {
  keyword?: string | undefined
  city_id?: number | undefined
  level?: number | undefined
  account_state?: AccountState | undefined
  register_source?: RegisterSource | undefined
  points?: PointsBand | undefined
  growth?: GrowthBand | undefined
  vip?: VipBand | undefined
  ordered?: AgoBand | undefined
  visited?: AgoBand | undefined
  tag_id?: number | undefined
  quick?: MemberTab | undefined
  member_id?: number | undefined
}
/** Members by a whole phone, a member number, an id, or how the nickname begins. */
export const foundBy = (keyword: string | undefined): SQL | undefined => {
  if (!keyword) return undefined
  const phone = mobileOf(keyword)
  if (phone) return eq(t.phone, phone)
  return or(
    eq(t.uid, keyword.toUpperCase()),
    sql`${t.nickname} like ${begins(keyword)}`,
    /^\d{1,9}$/.test(keyword) ? eq(t.id, Number(keyword)) : undefined,
  )
}
const inBand = (
  column: PgColumn,
  band: { from?: number; below?: number } | undefined,
): SQL | undefined =>
  band &&
  and(
    band.from === undefined ? undefined : sql`${column} >= ${band.from}`,
    band.below === undefined ? undefined : sql`${column} < ${band.below}`,
  )
const sinceBand = (column: PgColumn, band: AgoBand | undefined, now: number): SQL | undefined => {
  if (!band) return undefined
  const of: { within?: number; before?: number; never?: true } = agoBands[band]
  if (of.never) return sql`${column} is null`
  return of.within === undefined
    ? sql`${column} < ${now - of.before! * DAY}`
    : sql`${column} >= ${now - of.within * DAY}`
}
const byVip = (band: VipBand | undefined, now: number): SQL | undefined => {
  if (!band) return undefined
  const end = t.vip_end_at
  const is: Readonly<Record<VipBand, SQL>> = {
    now: sql`${end} > ${now}`,
    soon: sql`${end} > ${now} and ${end} <= ${now + 30 * DAY}`,
    over: sql`${end} <= ${now}`,
    never: sql`${end} is null`,
  }
  return is[band]
}
/** What the tabs of the list are of, at a moment. */
const tabs = (now: number): Readonly<Record<MemberTab, SQL>> => ({
  vip: sql`${t.vip_end_at} > ${now}`,
  adjusting: sql`${t.id} in (select a.member_id from ${member_adjust} a where a.state = 'pending')`,
  frozen: sql`${t.benefits_frozen}`,
  debt: sql`${t.points_debt} > 0`,
})
/** How many members each tab has, of those that the person sees. */
export const countTabs = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
  now: number,
): Promise<Record<string, number>> => {
  const counted: [string, number][] = []
  for (const [key, where] of Object.entries(tabs(now)))
    counted.push([key, (await countOf(db, member, and(members.seen(staff), where))).total])
  return Object.fromEntries(counted)
}
/** The members that filters match at a moment (unix seconds). */
const membersWhere = (of: MemberFilters, now: number): SQL | undefined =>
  and(
    foundBy(of.keyword),
    equal(t, {
      id: of.member_id,
      city_id: of.city_id,
      level: of.level,
      account_state: of.account_state,
      register_source: of.register_source,
    }),
    inBand(t.points, of.points && pointsBands[of.points]),
    inBand(t.growth, of.growth && growthBands[of.growth]),
    byVip(of.vip, now),
    sinceBand(t.last_order_at, of.ordered, now),
    sinceBand(t.last_visit_at, of.visited, now),
    of.tag_id === undefined
      ? undefined
      : sql`${t.id} in (select g.member_id from ${member_tag_of} g where g.tag_id = ${of.tag_id})`,
    of.quick && tabs(now)[of.quick],
  )

/** The adjustment that waits of each member, with who asked for it. */
const adjustsWaiting = async (db: Db, ids: readonly number[]) => {
  const a = member_adjust
  const rows = await db
    .select({
      id: a.id,
      version: a.version,
      member_id: a.member_id,
      kind: a.kind,
      delta: a.delta,
      reason: a.reason,
      state: a.state,
      maker_id: a.maker_id,
      maker: admin.name,
      created_at: a.created_at,
    })
    .from(a)
    .innerJoin(admin, eq(admin.id, a.maker_id))
    .where(and(inArray(a.member_id, [...ids]), eq(a.state, 'pending')))
  return new Map(rows.map(row => [row.member_id, row]))
}
/** The tags of each member, in the order they were set. */
const tagsOf = async (db: Db, ids: readonly number[]) => {
  const rows = await db
    .select({ member_id: member_tag_of.member_id, id: member_tag.id, name: member_tag.name })
    .from(member_tag_of)
    .innerJoin(member_tag, eq(member_tag.id, member_tag_of.tag_id))
    .where(inArray(member_tag_of.member_id, [...ids]))
    .orderBy(member_tag_of.at, member_tag.id)
  return (id: number) =>
    rows.filter(row => row.member_id === id).map(row => ({ id: row.id, name: row.name }))
}
/** Members on the blacklist, and those that staff watch. */
const risksOf = async (
  db: Db,
  rows: readonly Member[],
  now: number,
): Promise<ReadonlyMap<number, Risk>> => {
  const ids = rows.map(row => row.id)
  const { rows: listed } = await db.execute<{ id: number; high: boolean }>(sql`
    select m.id, bool_or(of.high) as high from member m join lateral (
      select true as high from risk_list l where l.list = 'black' and l.status = 'on'
        and (l.until_at is null or l.until_at > ${now})
        and ((l.type = 'member' and l.value = m.id::text) or (l.type = 'phone' and l.value = m.phone))
      union all
      select false from user_sanction s where s.member_id = m.id and s.kind = 'watch' and s.status = 'active'
    ) of on true where m.id in ${ids} group by m.id`)
  return new Map(listed.map(({ id, high }) => [id, high ? ('high' as const) : ('watch' as const)]))
}
/** When each member that went into another did so, of merges that stand. */
const mergesOf = async (db: Db, rows: readonly Member[]) => {
  const ids = rows.filter(row => row.merged_into !== null).map(row => row.id)
  if (ids.length === 0) return new Map<number, number>()
  const merges = await db
    .select({ id: member_merge.from_id, at: member_merge.merged_at })
    .from(member_merge)
    .where(and(inArray(member_merge.from_id, ids), isNull(member_merge.undone_at)))
  return new Map(merges.map(one => [one.id, one.at]))
}
/** Members as their list and pane show them, in the order given. */
export const shownMembers = async (db: Db, rows: readonly Member[], now: number) => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const [adjusts, tags, risky, merges] = [
    await adjustsWaiting(db, ids),
    await tagsOf(db, ids),
    await risksOf(db, rows, now),
    await mergesOf(db, rows),
  ]
  const cities = new Map(
    (await db.select({ id: city.id, name: city.city_name }).from(city)).map(one => [
      one.id,
      one.name,
    ]),
  )
  const others = [...new Set(rows.flatMap(row => [row.inviter_id, row.merged_into]))].filter(
    id => id !== null,
  )
  const names = new Map(
    others.length === 0
      ? []
      : (
          await db
            .select({ id: t.id, nickname: t.nickname, uid: t.uid })
            .from(t)
            .where(inArray(t.id, others))
        ).map(one => [one.id, `${one.nickname} ${one.uid}`]),
  )
  return rows.map(row => ({
    ...row,
    city_name: cities.get(row.city_id) ?? '',
    inviter_name: names.get(row.inviter_id ?? 0) ?? '',
    merged_name: names.get(row.merged_into ?? 0) ?? '',
    merged_at: merges.get(row.id) ?? null,
    tags: tags(row.id),
    risk: risky.get(row.id) ?? ('none' as const),
    adjust: adjusts.get(row.id) ?? null,
  }))
}
const listBy = (by: typeof t.id | typeof t.total_paid_cents | typeof t.points | typeof t.growth) =>
  listing(members, {
    by,
    down: true,
    where: (filters: MemberFilters, { now }) => membersWhere(filters, now),
    shown: (db, rows, { now }) => shownMembers(db, rows, now),
  })
/** The list of members: the newest first, or whoever paid, has or grew most. */
export const memberLists = {
  id: listBy(t.id),
  paid: listBy(t.total_paid_cents),
  points: listBy(t.points),
  growth: listBy(t.growth),
}
