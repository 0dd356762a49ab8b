import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { mallsNamed } from '#src/areas/wecom/places.server.ts'
import { wecom_staff, wecom_tag } from '#src/areas/wecom/wecom.table.ts'
import { comma, say, type Lang } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { equal, holding, listing } from '#src/server/call/record.ts'
import { candidatesAt } from './allocation.ts'
import { channel_code, channel_code_version } from './channelCode.table.ts'
import { peopleOf, type CodeHealth, type CodeState } from './channelCode.ts'
import { unableOf } from './codeRules.ts'
import { codes, inIds, mallNames, standingOf, type Code } from './codes.server.ts'
import { staffOfCodes, type StaffOfCodes } from './staffNow.server.ts'

const t = channel_code
export type CodeFilters = {
  keyword?: string | undefined
  group?: string | undefined
  status?: CodeState | undefined
  health?: CodeHealth | undefined
  mid?: number | undefined
  staff_id?: number | undefined
  tag_id?: number | undefined
  id?: number | undefined
}
const whereOf = (of: CodeFilters): SQL | undefined =>
  and(
    holding(of.keyword, [t.name, t.state_key], t.id),
    equal(t, { status: of.status, health: of.health, id: of.id, group_name: of.group }),
    of.mid === 0 ? sql`${t.mall_id} is null` : undefined,
    of.mid ? eq(t.mall_id, of.mid) : undefined,
    of.staff_id === undefined
      ? undefined
      : sql`${t.userids} @> array(select s.userid from wecom_staff s where s.id = ${of.staff_id})
          and exists (select 1 from wecom_staff s where s.id = ${of.staff_id})`,
    of.tag_id === undefined ? undefined : sql`${t.tag_ids} @> array[${of.tag_id}]::int[]`,
  )
type Counted = {
  id: number
  scans_today: number
  scans_7d: number
  adds_today: number
  lost_today: number
  adds_total: number
  cost: number
}
/** What is counted of codes: scans, adds by the state that relations tell, and what they cost. */
const countsOf = async (db: Db, ids: readonly number[], now: number) => {
  const today = dayStart(now)
  const { rows } = await db.execute<Counted>(sql`
    select c.id,
      (select coalesce(sum(s.n), 0)::int from channel_scan s
        where s.code_id = c.id and s.at >= ${today}) scans_today,
      (select coalesce(sum(s.n), 0)::int from channel_scan s
        where s.code_id = c.id and s.at >= ${today - 6 * DAY}) scans_7d,
      f.adds_today, f.lost_today, f.adds_total,
      (c.cost_cents + (select coalesce(sum(p.cost_cents), 0) from channel_cost p
        where p.code_id = c.id))::float8 "cost"
    from channel_code c cross join lateral (
      select count(*) filter (where w.added_at >= ${today})::int adds_today,
        count(*) filter (where w.lost_at >= ${today}
          and w.status in ('deleted_by_customer', 'deleted_by_staff'))::int lost_today,
        count(*)::int adds_total
      from wecom_follow w where w.source_state = c.state_key and w.source_state <> '') f
    where ${inIds(sql`c.id`, ids)}`)
  return new Map(rows.map(row => [row.id, row]))
}
/** The names of stores and tags by their ids. */
const namesOf = async (db: Db, rows: readonly Code[]) => {
  const stores = await db
    .select({ id: store.id, name: store.name })
    .from(store)
    .where(inArray(store.id, [0, ...rows.flatMap(row => row.store_id ?? [])]))
  const tags = await tagNames(
    db,
    rows.flatMap(row => row.tag_ids),
  )
  return { stores: new Map(stores.map(one => [one.id, one.name])), tags }
}
export const tagNames = async (db: Db, ids: readonly number[]) =>
  new Map(
    (
      await db
        .select({ id: wecom_tag.id, name: wecom_tag.name })
        .from(wecom_tag)
        .where(inArray(wecom_tag.id, [0, ...ids]))
    ).map(one => [one.id, one.name]),
  )
const namesIn = (staff: StaffOfCodes, userids: readonly string[]): string[] =>
  userids.map(one => staff.people.get(one)?.name ?? one)
/** Codes as their list shows them to a reader of a language, in the order given. */
export const shownCodes = async (
  db: Db,
  rows: readonly Code[],
  { now, lang }: { now: number; lang: Lang },
) => {
  const between = say(comma, lang)
  const counts = await countsOf(
    db,
    rows.map(row => row.id),
    now,
  )
  const malls = await mallNames(
    db,
    rows.flatMap(row => row.mall_id ?? []),
  )
  const names = await namesOf(db, rows)
  const staff = await staffOfCodes(
    db,
    rows.flatMap(row => peopleOf(row.body)),
    now,
  )
  return rows.map(row => {
    const of = counts.get(row.id)!
    const isLive = row.status === 'enabled'
    const now_on = isLive ? candidatesAt(row.body, now, staff.of(row.state_key)).members : []
    return {
      ...row,
      ...standingOf(row),
      has_draft: row.draft !== null && row.rev > 0,
      checking: row.way_check,
      mall_name: malls.get(row.mall_id ?? 0) ?? '',
      store_name: names.stores.get(row.store_id ?? 0) ?? '',
      duty: namesIn(
        staff,
        now_on.map(one => one.userid),
      ).join(between),
      backups: namesIn(staff, row.body.backup_userids).join(between),
      tags: row.tag_ids.flatMap(id => names.tags.get(id) ?? []).join(between),
      scans_today: of.scans_today,
      scans_7d: of.scans_7d,
      adds_today: of.adds_today,
      lost_today: of.lost_today,
      adds_total: of.adds_total,
      cost_per_add: of.cost > 0 && of.adds_total > 0 ? Math.round(of.cost / of.adds_total) : null,
    }
  })
}
/** The list of codes, the newest first. */
export const codeList = listing(codes, {
  by: t.id,
  down: true,
  where: (of: CodeFilters) => whereOf(of),
  shown: (db, rows, { now, staff }) => shownCodes(db, rows, { now, lang: staff.lang }),
})
/** How many codes have each kind of trouble, of those that the person sees. */
export const countHealth = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
): Promise<Record<string, number>> => {
  const rows = await db
    .select({ health: t.health, n: sql<number>`count(*)::int` })
    .from(t)
    .where(codes.seen(staff))
    .groupBy(t.health)
  return Object.fromEntries(rows.map(row => [row.health, row.n]))
}
/** Groups in use, the largest first. */
export const groupsOf = async (db: Db, staff: Pick<Staff, 'scope'>) =>
  db
    .select({ name: t.group_name, n: sql<number>`count(*)::int` })
    .from(t)
    .where(and(codes.seen(staff), sql`${t.group_name} <> ''`))
    .groupBy(t.group_name)
    .orderBy(sql`count(*) desc`, t.group_name)
    .limit(200)

/** Colleagues as a form and a replay look at them, for the code of a state. */
export const shownPeople = async (
  db: Db,
  userids: readonly string[],
  { state_key, lang, now }: { state_key: string; lang: Lang; now: number },
) => {
  const staff = await staffOfCodes(db, userids, now)
  const places = new Map(
    (
      await db
        .select({
          userid: wecom_staff.userid,
          place: mallsNamed(wecom_staff.mall_ids, lang),
        })
        .from(wecom_staff)
        .where(inArray(wecom_staff.userid, ['', ...userids]))
    ).map(one => [one.userid, one.place]),
  )
  return [...staff.people.values()].map(one => {
    const unable = unableOf(one)
    return {
      ...one,
      ...staff.of(state_key)(one.userid)!,
      place: places.get(one.userid) ?? '',
      unable: unable ? say(unable, lang) : '',
    }
  })
}
/** What a code was from when, the newest first. */
export const versionsOf = async (db: Db, code_id: number) => {
  const { rows } = await db.execute<{
    rev: number
    state: 'waiting' | 'done' | 'failed'
    by: string
    error: string
    errcode: number
    created_at: string
    live_at: string | null
    people: number
    shifts: number
  }>(sql`
    select v.rev, v.state, coalesce(a.name, '') "by", v.error, v.errcode, v.created_at, v.live_at,
      jsonb_array_length(v.body -> 'members')::int people,
      jsonb_array_length(v.body -> 'shifts')::int shifts
    from channel_code_version v left join admin a on a.id = v.by_id
    where v.code_id = ${code_id} order by v.rev desc limit 50`)
  return rows.map(row => ({
    ...row,
    created_at: Number(row.created_at),
    live_at: row.live_at === null ? null : Number(row.live_at),
  }))
}
export const versionOf = async (db: Db, code_id: number, rev: number) =>
  (
    await db
      .select()
      .from(channel_code_version)
      .where(and(eq(channel_code_version.code_id, code_id), eq(channel_code_version.rev, rev)))
  )[0]
/** Scans, adds and losses of a code on each of the last seven days, today last. */
export const weekOf = async (db: Db, code: Code, now: number) => {
  const from = dayStart(now) - 6 * DAY
  const { rows } = await db.execute<{ n: number; scans: number; adds: number; lost: number }>(sql`
    select n, sum(scans)::int scans, sum(adds)::int adds, sum(lost)::int lost from (
      select floor((at - ${from}) / ${DAY})::int n, n scans, 0 adds, 0 lost from channel_scan
        where code_id = ${code.id} and at >= ${from}
      union all
      select floor((added_at - ${from}) / ${DAY})::int, 0, 1, 0 from wecom_follow
        where source_state = ${code.state_key} and source_state <> '' and added_at >= ${from}
      union all
      select floor((lost_at - ${from}) / ${DAY})::int, 0, 0, 1 from wecom_follow
        where source_state = ${code.state_key} and source_state <> '' and lost_at >= ${from}
          and status in ('deleted_by_customer', 'deleted_by_staff')) one group by n`)
  return { from, rows }
}
