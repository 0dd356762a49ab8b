import { and, asc, desc, eq, gte, inArray, isNull, like, lt, lte, sql, type SQL } from 'drizzle-orm'
import { click_log } from '#src/areas/log/trace.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import type { ClickRow } from '#src/contract/clicks.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { Refusal, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { begins } from '#src/server/db/like.ts'
import { keptTotals, pageOf } from '#src/server/db/paging.ts'
import {
  CLICK_DAYS,
  CLICKS_COUNTED,
  CLICKS_KEPT_DAYS,
  clickKeyword,
  type ClickType,
} from './clicks.ts'

const MEMBERS_MAX = 200
export type ClickFilters = {
  object_type?: ClickType | undefined
  object_id?: number | undefined
  city_id?: number | undefined
  mid?: number | undefined
  member_id?: number | undefined
  device_id?: string | undefined
  keyword?: string | undefined
  entry?: string | undefined
  start_at?: number | undefined
  end_at?: number | undefined
}
type Reader = Pick<Staff, 'id' | 'scope' | 'lang'>

/**
 * The period asked for: 7 days without one; at most 31, or 93 where a member, a device or an object
 * is named.
 */
export const clickSpan = (
  of: ClickFilters,
  now: number,
  most: number = of.member_id || of.device_id || (of.object_type && of.object_id)
    ? CLICK_DAYS.named
    : CLICK_DAYS.open,
): { from: number; to: number } => {
  const to =
    of.end_at ?? (of.start_at === undefined ? now : Math.min(now, of.start_at + most * DAY))
  const from = of.start_at ?? Math.max(0, to - 7 * DAY)
  if (from > to || to - from > most * DAY)
    throw new Refusal(
      422,
      ['一次最多查询 {n} 天，请缩短时间范围', 'At most {n} days at a time: shorten the period'],
      { n: most },
      { rule: 'period_too_long', fields: { end_at: `≤ ${most}` } },
    )
  return { from, to }
}
/**
 * Members that a keyword names: a whole phone number, or the beginning of a nickname. Undefined for
 * no keyword.
 */
const membersOf = async (db: Db, keyword: string | undefined): Promise<number[] | undefined> => {
  if (!keyword) return undefined
  const asked = clickKeyword(keyword)
  if (asked === 'part')
    throw ruled(
      'phone_whole',
      ['按手机号查询请输入完整的 11 位', 'Search by phone needs all 11 digits'],
      {},
      { fields: { keyword: '11' } },
    )
  const rows = await db
    .select({ id: member.id })
    .from(member)
    .where(
      'phone' in asked
        ? eq(member.phone, asked.phone)
        : like(member.nickname, begins(asked.nickname)),
    )
    .limit(MEMBERS_MAX)
  return rows.map(row => row.id)
}
/** The rows that a person may see of what is asked. */
export const clicksWhere = async (
  { db, scope, now }: { db: Db; scope: Staff['scope']; now: number },
  filters: ClickFilters,
  most?: number,
): Promise<SQL> => {
  const { object_type, object_id, city_id, mid, member_id, device_id, entry } = filters
  const { from, to } = clickSpan(filters, now, most)
  const named = await membersOf(db, filters.keyword)
  return and(
    gte(click_log.at, from),
    lte(click_log.at, to),
    object_type && eq(click_log.object_type, object_type),
    object_id === undefined ? undefined : eq(click_log.object_id, object_id),
    city_id === undefined ? undefined : eq(click_log.city_id, city_id),
    mid === undefined ? undefined : eq(click_log.mall_id, mid),
    member_id === undefined ? undefined : eq(click_log.member_id, member_id),
    device_id === undefined ? undefined : eq(click_log.device_id, device_id),
    entry === undefined ? undefined : eq(click_log.entry, entry),
    named && (named.length === 0 ? sql`false` : inArray(click_log.member_id, named)),
    within(scope, { city: click_log.city_id, mall: click_log.mall_id }),
  )!
}

type Totals = { total: number; total_capped?: boolean; capped?: boolean; pv: number; uv: number }
const totalled = (found: { pv: number; uv: number }): Totals => {
  const pv = Math.min(found.pv, CLICKS_COUNTED)
  return {
    total: pv,
    pv,
    uv: found.uv,
    ...(found.pv > CLICKS_COUNTED && { total_capped: true, capped: true }),
  }
}
/** Rows and visitors, of the newest 100,000 at most. */
const totalsOf = async (db: Db, where: SQL): Promise<Totals> => {
  const {
    rows: [found],
  } = await db.execute<{ pv: number; uv: number }>(sql`
    with m as materialized (select ${click_log.member_id} m, case when ${click_log.member_id} is null then ${click_log.device_id} end d from ${click_log} where ${where} order by ${click_log.at} desc, ${click_log.id} desc limit ${CLICKS_COUNTED + 1})
    select (select count(*)::int from m) pv, (select count(*)::int from (select distinct m, d from m) u) uv`)
  return totalled(found!)
}

/**
 * A click counts unless the same person clicked the same thing less than so many seconds before.
 */
const REPEAT_S = 30
const person = sql`coalesce('m' || "click_log"."member_id", 'd' || "click_log"."device_id")`
/** The clicks of `where` that count, with whose they are: all of them are read. */
export const withoutRepeats = (where: SQL | undefined): SQL => sql`(select * from (
  select "click_log".*, lag("click_log"."at") over (partition by "click_log"."object_type", "click_log"."object_id", ${person} order by "click_log"."at", "click_log"."id") as before_at, ${person} as person from "click_log" where ${where ?? sql`true`}
) every_click where before_at is null or at - before_at >= ${REPEAT_S})`
/**
 * The same, asked of one row after the other in the order of an index. A subquery with a limit is
 * never made a join, which would meet every click of a banner with every other.
 */
const isFirst = sql`(select e.id from "click_log" e where e.object_type = "click_log"."object_type" and e.object_id = "click_log"."object_id" and e.at > "click_log"."at" - ${REPEAT_S} and (e.at, e.id) < ("click_log"."at", "click_log"."id")
  and e.member_id is not distinct from "click_log"."member_id" and ("click_log"."member_id" is not null or e.device_id = "click_log"."device_id") limit 1) is null`

/**
 * Rows of the click log as every page shows them: named, the phone as it stands (the pipeline masks
 * it by the reader's rule).
 */
export const clickRows = async (
  db: Db,
  rows: readonly (typeof click_log.$inferSelect)[],
): Promise<ClickRow[]> => {
  const ids = <T>(of: readonly (T | null)[]) => [...new Set(of.filter(one => one !== null))] as T[]
  const [members, cities, malls] = [
    ids(rows.map(row => row.member_id)),
    ids(rows.map(row => row.city_id)),
    ids(rows.map(row => row.mall_id)),
  ]
  const people = new Map(
    members.length
      ? (
          await db
            .select({ id: member.id, nickname: member.nickname, phone: member.phone })
            .from(member)
            .where(inArray(member.id, members))
        ).map(one => [one.id, one])
      : [],
  )
  const cityNames = new Map(
    cities.length
      ? (
          await db
            .select({ id: city.id, name: city.city_name })
            .from(city)
            .where(inArray(city.id, cities))
        ).map(one => [one.id, one.name])
      : [],
  )
  const mallNames = new Map(
    malls.length
      ? (
          await db
            .select({ id: mall.id, name: mall.name })
            .from(mall)
            .where(inArray(mall.id, malls))
        ).map(one => [one.id, one.name])
      : [],
  )
  return rows.map(
    ({
      id,
      object_type,
      object_id,
      object_name,
      entry,
      member_id,
      visitor,
      device_id,
      city_id,
      mall_id,
      at,
    }) => ({
      id,
      object_type,
      object_id,
      object_name,
      entry,
      member_id,
      visitor,
      device_id,
      at,
      nickname: member_id === null ? null : (people.get(member_id)?.nickname ?? null),
      phone_masked: member_id === null ? null : (people.get(member_id)?.phone ?? null),
      city_id,
      city_name: cityNames.get(city_id) ?? '',
      mid: mall_id,
      mall_name: mallNames.get(mall_id) ?? '',
    }),
  )
}

/**
 * A page of clicks with its totals: the browsing history's, and, with `object_type: 'banner'`, the
 * banners'.
 */
export const clicksPage = async (
  db: Db,
  staff: Reader,
  {
    page,
    pageSize,
    before_id,
    ...filters
  }: ClickFilters & { page: number; pageSize: number; before_id?: number | undefined },
  now: number,
): Promise<Totals & { list: ClickRow[] }> => {
  const where = await clicksWhere({ db, scope: staff.scope, now }, filters)
  const key = `${staff.id}|clicks|${JSON.stringify(filters)}`
  const rows =
    before_id === undefined
      ? await pageOf(db, click_log, {
          where,
          by: click_log.at,
          down: true,
          atOnce: true,
          page,
          pageSize,
          reader: key,
        })
      : await db
          .select()
          .from(click_log)
          .where(
            and(
              where,
              sql`(${click_log.at}, ${click_log.id}) < (select b.at, b.id from click_log b where b.id = ${before_id})`,
            ),
          )
          .orderBy(desc(click_log.at), desc(click_log.id))
          .limit(pageSize)
  const totals = await keptTotals(db, key, page === 1 && before_id === undefined, () =>
    totalsOf(db, where),
  )
  return { list: await clickRows(db, rows), ...totals }
}
/**
 * A page of clicks without repeats, of a period of at most `most` days; `objects` narrows it to
 * some of the type.
 */
export const clicksOnce = async (
  { db, staff, now }: { db: Db; staff: Reader; now: number },
  {
    page,
    pageSize,
    objects,
    start_at,
    ...filters
  }: ClickFilters & {
    start_at: number
    objects?: readonly number[] | undefined
    page: number
    pageSize: number
  },
  most: number,
): Promise<Totals & { list: ClickRow[] }> => {
  // What was clicked just before the period makes a repeat of what was clicked at its beginning.
  const since = async (from: number) =>
    and(
      await clicksWhere({ db, scope: staff.scope, now }, { ...filters, start_at: from }, most + 1),
      objects && inArray(click_log.object_id, [...objects]),
    )
  const key = `${staff.id}|once|${JSON.stringify([filters, start_at, objects])}`
  const rows = await pageOf(db, click_log, {
    where: and(await since(start_at), isFirst),
    by: click_log.at,
    down: true,
    atOnce: true,
    page,
    pageSize,
    reader: key,
  })
  const totals = await keptTotals(db, key, page === 1, async () => {
    const {
      rows: [found],
    } = await db.execute<{ pv: number; uv: number }>(
      sql`select count(*)::int as pv, count(distinct person)::int as uv from (select person from ${withoutRepeats(await since(Math.max(0, start_at - REPEAT_S)))} once where at >= ${start_at} limit ${CLICKS_COUNTED + 1}) counted`,
    )
    return totalled(found!)
  })
  return { list: await clickRows(db, rows), ...totals }
}
/** How often something was clicked each Shanghai day, and by how many, without repeats. */
export const clicksByDay = async (
  db: Db,
  scope: Staff['scope'],
  of: { object_type: ClickType; object_id: number; days: number },
  now: number,
): Promise<{ day: string; clicks: number; users: number }[]> => {
  const from = dayStart(now) - (of.days - 1) * DAY
  const where = and(
    eq(click_log.object_type, of.object_type),
    eq(click_log.object_id, of.object_id),
    gte(click_log.at, from - REPEAT_S),
    lte(click_log.at, now),
    within(scope, { city: click_log.city_id, mall: click_log.mall_id }),
  )
  const { rows } = await db.execute<{ nth: number; clicks: number; users: number }>(
    sql`select ((at - ${from}) / ${DAY})::int as nth, count(*)::int clicks, count(distinct person)::int users from ${withoutRepeats(where)} once where at >= ${from} group by 1`,
  )
  const found = new Map(rows.map(row => [row.nth, row]))
  return Array.from({ length: of.days }, (_, nth) => ({
    day: dateOf(from + nth * DAY),
    clicks: found.get(nth)?.clicks ?? 0,
    users: found.get(nth)?.users ?? 0,
  }))
}
/** Rows for a file, oldest first, after a position. */
export const clicksAfter = (
  db: Db,
  where: SQL,
  after: readonly [number, number] | undefined,
  limit: number,
) =>
  db
    .select()
    .from(click_log)
    .where(
      and(where, after && sql`(${click_log.at}, ${click_log.id}) > (${after[0]}, ${after[1]})`),
    )
    .orderBy(asc(click_log.at), asc(click_log.id))
    .limit(limit)

/**
 * Somebody signed up on a device: what they saw there as a visitor becomes theirs, marked as such.
 * Rows of other members on the device stay.
 */
export const joinVisitor = (tx: Db, of: { device_id: string; member_id: number }) =>
  tx
    .update(click_log)
    .set({ member_id: of.member_id, visitor: true })
    .where(and(eq(click_log.device_id, of.device_id), isNull(click_log.member_id)))

/** Forgets what is older than 180 days, in short steps; answers how many rows went. */
export const dropOldClicks = async (db: Db, now: number, step = 5000): Promise<number> => {
  for (let gone = 0; ;) {
    const old = await db
      .delete(click_log)
      .where(
        inArray(
          click_log.id,
          db
            .select({ id: click_log.id })
            .from(click_log)
            .where(lt(click_log.at, now - CLICKS_KEPT_DAYS * DAY))
            .orderBy(click_log.at)
            .limit(step),
        ),
      )
      .returning({ id: click_log.id })
    gone += old.length
    if (old.length < step) return gone
  }
}
