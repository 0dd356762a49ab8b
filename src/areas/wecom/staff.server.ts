import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { comma, say } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { equal, holding, listing, record } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { wecom_department, wecom_staff } from './wecom.table.ts'
import type { StaffState, StaffTab } from './wecom.ts'
import { wecom_task } from './wecomWork.table.ts'

const t = wecom_staff
const malls = sql`select unnest(${t.mall_ids})`
/** Whether somebody works for a mall; 0: for none. */
export const inMall = (mall_ids: SQL, mid: number): SQL =>
  mid === 0 ? sql`${mall_ids} = '{}'` : sql`${mall_ids} @> array[${mid}]::int[]`
/** What places advisers: the malls they serve. */
const staffPlaces = {
  mall: { several: malls },
  city: { several: sql`select m.city_id from mall m where m.id = any(${t.mall_ids})` },
}
/** The advisers that a person sees. */
export const staffSeen = ({ scope }: Pick<Staff, 'scope'>): SQL | undefined =>
  within(scope, staffPlaces)
/** Advisers as handlers read, change and log them. */
export const advisers = record(wecom_staff, {
  object: 'wecom_staff',
  label: row => row.name,
  keys: ['admin_id', 'daily_add_cap'],
  places: staffPlaces,
  told: ({ id, name, status, admin_id, daily_add_cap, version }) => ({
    id,
    name,
    status,
    admin_id,
    daily_add_cap,
    version,
  }),
})

export type StaffFilters = {
  keyword?: string | undefined
  status?: StaffState | undefined
  mid?: number | undefined
  dept?: number | undefined
  quick?: StaffTab | undefined
  id?: number | undefined
}
const addedToday = (now: number) => sql`(select count(*)::int from wecom_follow f
  where f.staff_id = ${t.id} and f.added_at >= ${dayStart(now)})`
/** What the tabs of the list are of, at a moment. */
const tabs = (now: number): Readonly<Record<StaffTab, SQL>> => ({
  handover: sql`${t.status} = 'left' and (${t.customer_count} > 0 or exists (
    select 1 from wecom_group g where g.owner_id = ${t.id} and g.status = 'owner_left'))`,
  over_cap: sql`${t.daily_add_cap} is not null and ${addedToday(now)} >= ${t.daily_add_cap}`,
  no_right: sql`${t.status} = 'active' and not ${t.has_contact_right}`,
  unbound: sql`${t.status} = 'active' and ${t.admin_id} is null`,
})
/** How many advisers each tab has, of those that the person sees. */
export const countStaffTabs = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
  now: number,
): Promise<Record<string, number>> => {
  const counted: [string, number][] = []
  for (const [key, where] of Object.entries(tabs(now)))
    counted.push([key, (await countOf(db, t, and(staffSeen(staff), where))).total])
  return Object.fromEntries(counted)
}
type Counted = {
  id: number
  today: number
  new_7d: number
  lost_7d: number
  groups: number
  waits: number
}
/** What is counted of advisers: who came and went, chats that they own, hand-overs on their way. */
const countsOf = async (db: Db, ids: readonly number[], now: number) => {
  const [week, today] = [now - 7 * DAY, dayStart(now)]
  const { rows } = await db.execute<Counted>(sql`
    select s.id, (select count(*) filter (where f.added_at >= ${today})::int from wecom_follow f
        where f.staff_id = s.id and f.added_at >= ${Math.min(week, today)}) today,
      (select count(*)::int from wecom_follow f where f.staff_id = s.id
        and f.added_at >= ${week}) new_7d,
      (select count(*)::int from wecom_follow f where f.staff_id = s.id and f.lost_at >= ${week}
        and f.status in ('deleted_by_customer', 'deleted_by_staff')) lost_7d,
      (select count(*)::int from wecom_group g where g.owner_id = s.id
        and g.status <> 'dismissed') groups,
      (select count(*)::int from wecom_transfer w where w.from_staff_id = s.id
        and w.status = 'waiting') waits
    from wecom_staff s where s.id = any(${sql.param(`{${ids.join()}}`)}::int[])`)
  return new Map(rows.map(row => [row.id, row]))
}
const namesOf = async (db: Db, rows: readonly (typeof wecom_staff.$inferSelect)[]) => {
  const departments = new Map(
    (
      await db
        .select({ dept_id: wecom_department.dept_id, name: wecom_department.name })
        .from(wecom_department)
    ).map(one => [one.dept_id, one.name]),
  )
  const mallIds = [...new Set(rows.flatMap(row => row.mall_ids))]
  const mallNames = new Map(
    (
      await db
        .select({ id: mall.id, name: mall.name })
        .from(mall)
        .where(inArray(mall.id, [0, ...mallIds]))
    ).map(one => [one.id, one.name]),
  )
  const adminIds = rows.flatMap(row => row.admin_id ?? [])
  const admins = new Map(
    (
      await db
        .select({ id: admin.id, name: admin.name })
        .from(admin)
        .where(inArray(admin.id, [0, ...adminIds]))
    ).map(one => [one.id, one.name]),
  )
  return { departments, mallNames, admins }
}
/** What became of the codes that were asked for. */
const codesOf = async (db: Db, ids: readonly number[]) => {
  const rows = await db
    .select({ staff_id: wecom_task.staff_id, state: wecom_task.state, error: wecom_task.error })
    .from(wecom_task)
    .where(and(eq(wecom_task.kind, 'code'), inArray(wecom_task.staff_id, [0, ...ids])))
    .orderBy(wecom_task.id)
  return new Map(rows.map(row => [row.staff_id, row]))
}
/** Advisers as their list shows them, in the order given. */
const shownStaff = async (
  db: Db,
  rows: readonly (typeof wecom_staff.$inferSelect)[],
  { now, staff }: { now: number; staff: Pick<Staff, 'lang'> },
) => {
  const between = say(comma, staff.lang)
  const ids = rows.map(row => row.id)
  const [counts, names, codes] = [
    await countsOf(db, ids, now),
    await namesOf(db, rows),
    await codesOf(db, ids),
  ]
  return rows.map(row => {
    const of = counts.get(row.id)
    const code = codes.get(row.id)
    return {
      ...row,
      departments: row.department_ids.flatMap(id => names.departments.get(id) ?? []).join(between),
      malls: row.mall_ids.flatMap(id => names.mallNames.get(id) ?? []).join(between),
      admin_name: names.admins.get(row.admin_id ?? 0) ?? '',
      added_today: of?.today ?? 0,
      new_7d: of?.new_7d ?? 0,
      lost_7d: of?.lost_7d ?? 0,
      group_count: of?.groups ?? 0,
      waiting_count: of?.waits ?? 0,
      code_qr: row.code_qr ?? '',
      code_state: row.code_qr ? ('done' as const) : (code?.state ?? ('none' as const)),
      code_error: code?.state === 'failed' ? code.error : '',
    }
  })
}
const whereOf = (of: StaffFilters, now: number): SQL | undefined =>
  and(
    holding(of.keyword, [t.name, t.userid]),
    equal(t, { status: of.status, id: of.id }),
    of.mid === undefined ? undefined : inMall(sql`${t.mall_ids}`, of.mid),
    of.dept === undefined
      ? undefined
      : sql`${t.department_ids} && (with recursive down as (
          select d.id, d.dept_id from wecom_department d where d.id = ${of.dept}
          union select c.id, c.dept_id from wecom_department c join down on c.parent_id = down.id)
          select array_agg(dept_id) from down)`,
    of.quick && tabs(now)[of.quick],
  )
const listBy = (by: typeof t.id | typeof t.customer_count) =>
  listing(advisers, {
    by,
    down: true,
    where: (of: StaffFilters, { now }) => whereOf(of, now),
    shown: shownStaff,
  })
/** The list of advisers: those with the most customers first, or by their numbers. */
export const staffLists = { held: listBy(t.customer_count), id: listBy(t.id) }
