/** Rules as their pages show them. */
import { and, count, desc, eq, gte, inArray, max, sql } from 'drizzle-orm'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { isGiven } from '#src/areas/coupon/claiming.server.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { wecom_customer, wecom_department, wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import type { CarriedMaterial } from '#src/areas/wecomMaterial/carried.ts'
import { figuresOfHolders, noFigures } from '#src/areas/wecomMaterial/figures.server.ts'
import { mediaFaults } from '#src/areas/wecomMaterial/media.server.ts'
import { carriedMaterials } from '#src/areas/wecomMaterial/sending.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { materialIdsIn } from './attachment.ts'
import { rulesOf, welcomes, type Rule } from './rules.server.ts'
import { wecom_welcome as t, wecom_welcome_send as s } from './welcome.table.ts'
import { sendOutcomes, type SendOutcome, type WelcomeScope, type WelcomeState } from './welcome.ts'

const idsOf = <T>(rows: readonly T[], of: (row: T) => number | null): number[] => [
  ...new Set(rows.flatMap(row => of(row) ?? [])),
]
const nothing = Object.fromEntries(Object.keys(sendOutcomes).map(key => [key, 0])) as Record<
  SendOutcome,
  number
>
/** What became of the sends of the last 7 days, by their rule, and when each was last sent. */
const weekOf = async (db: Db, now: number) => {
  const rows = await db
    .select({ id: s.welcome_id, outcome: s.outcome, n: count(), last: max(s.happened_at) })
    .from(s)
    .where(and(gte(s.happened_at, now - 7 * DAY), sql`${s.welcome_id} is not null`))
    .groupBy(s.welcome_id, s.outcome)
  const found = new Map<number, { week: typeof nothing; last: number }>()
  for (const { id, outcome, n, last } of rows) {
    const one = found.get(id!) ?? { week: { ...nothing }, last: 0 }
    one.week[outcome] = n
    one.last = Math.max(one.last, last ?? 0)
    found.set(id!, one)
  }
  return found
}
/** Advisers who may have customers, each with all departments above. */
const peopleOf = async (db: Db) => {
  const departments = await db
    .select({
      id: wecom_department.id,
      dept_id: wecom_department.dept_id,
      parent_id: wecom_department.parent_id,
      name: wecom_department.name,
    })
    .from(wecom_department)
  const byId = new Map(departments.map(one => [one.id, one]))
  const byNumber = new Map(departments.map(one => [one.dept_id, one]))
  const above = (number: number): number[] => {
    const found: number[] = []
    for (
      let at = byNumber.get(number);
      at && !found.includes(at.id);
      at = at.parent_id === null ? undefined : byId.get(at.parent_id)
    )
      found.push(at.id)
    return found
  }
  const staff = await db
    .select({
      id: wecom_staff.id,
      userid: wecom_staff.userid,
      name: wecom_staff.name,
      able: sql<boolean>`${wecom_staff.status} = 'active' and ${wecom_staff.has_contact_right}`,
      department_ids: wecom_staff.department_ids,
    })
    .from(wecom_staff)
  const able = staff
    .filter(one => one.able)
    .map(one => ({ ...one, in: new Set(one.department_ids.flatMap(above)) }))
  return { departments: byId, staff: new Map(staff.map(one => [one.id, one])), able }
}
type People = Awaited<ReturnType<typeof peopleOf>>
type Code = { welcome_id: number | null; name: string; status: string; userids: string[] }
const coveredBy = (rule: Rule, { able }: People, codes: readonly Code[]): number => {
  if (rule.scope === 'default') return able.length
  if (rule.scope === 'staff') return able.filter(one => rule.staff_ids.includes(one.id)).length
  if (rule.scope === 'department')
    return able.filter(one => rule.department_ids.some(id => one.in.has(id))).length
  const those = new Set(codes.flatMap(code => code.userids))
  return able.filter(one => those.has(one.userid)).length
}
const codesOf = async (db: Db): Promise<Code[]> =>
  db
    .select({
      welcome_id: channel_code.welcome_id,
      name: channel_code.name,
      status: channel_code.status,
      userids: channel_code.userids,
    })
    .from(channel_code)
    .where(sql`${channel_code.welcome_id} is not null`)
    .orderBy(channel_code.id)
const couponsOf = async (db: Db, rules: readonly Rule[], now: number) => {
  const ids = idsOf(rules, rule => rule.coupon_id)
  if (ids.length === 0) return new Map<number, { name: string; given: boolean }>()
  const given = sql<boolean>`(${isGiven(now)}) and ${coupon.total} > ${coupon.claimed_count}`
  const rows = await db
    .select({ id: coupon.id, name: coupon.name, given })
    .from(coupon)
    .where(inArray(coupon.id, ids))
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}
const mallsOf = async (db: Db, rules: readonly Rule[]) => {
  const ids = idsOf(rules, rule => rule.mall_id)
  const rows = await db
    .select({ id: mall.id, name: mall.name })
    .from(mall)
    .where(inArray(mall.id, [0, ...ids]))
  return new Map(rows.map(row => [row.id, row.name]))
}
const keysIn = (rule: Rule): string[] =>
  rule.attachments.flatMap(one => ('key' in one ? [one.key] : []))
/** The pictures of a rule and of the materials that it carries. */
const keysOf = (rule: Rule, carried: readonly CarriedMaterial[]): string[] => [
  ...keysIn(rule),
  ...carried.flatMap(({ piece, off }) =>
    piece && off === null && 'key' in piece ? [piece.key] : [],
  ),
]

/** Rules with whom they are for, what they came to in 7 days, and what hinders them. */
const shownRules = async (db: Db, rules: readonly Rule[], now: number) => {
  const people = await peopleOf(db)
  const [codes, weeks] = [await codesOf(db), await weekOf(db, now)]
  const [coupons, malls] = [await couponsOf(db, rules, now), await mallsOf(db, rules)]
  const carried = await carriedMaterials(
    db,
    rules.flatMap(rule => materialIdsIn(rule.attachments)),
    now,
  )
  const ids = rules.map(rule => rule.id)
  const figures = await figuresOfHolders(db, 'welcome', { ids, since: now - 7 * DAY })
  const carriedBy = (rule: Rule) => {
    const own = materialIdsIn(rule.attachments)
    return carried.filter(one => own.includes(one.id))
  }
  const faults = await mediaFaults(
    db,
    rules.flatMap(rule => keysOf(rule, carriedBy(rule))),
  )
  const bases = await db
    .select({ id: t.id, name: t.name })
    .from(t)
    .where(inArray(t.id, [0, ...idsOf(rules, rule => rule.base_id)]))
  const windows = await db
    .select({ id: t.id, base_id: t.base_id, name: t.name, hours: t.hours, status: t.status })
    .from(t)
    .where(inArray(t.base_id, [0, ...rules.map(rule => rule.id)]))
    .orderBy(t.id)
  return rules.map(rule => {
    const named = codes.filter(code => code.welcome_id === (rule.base_id ?? rule.id))
    const { week, last } = weeks.get(rule.id) ?? { week: nothing, last: 0 }
    const { sending: _, none: __, ...counted } = week
    return {
      ...rule,
      // The form writes a mall, and no departments with it.
      department_ids: rule.mall_id === null ? rule.department_ids : [],
      mall_name: rule.mall_id === null ? '' : (malls.get(rule.mall_id) ?? ''),
      departments: rule.department_ids.map(id => people.departments.get(id)?.name ?? `#${id}`),
      advisers: rule.staff_ids.map(id => people.staff.get(id)?.name ?? `#${id}`),
      codes: named.map(code => code.name),
      codes_n: named.filter(code => code.status !== 'archived').length,
      base_name: bases.find(one => one.id === rule.base_id)?.name ?? '',
      windows: windows.filter(one => one.base_id === rule.id),
      versions_n: windows.filter(one => one.base_id === rule.id).length,
      covered: coveredBy(rule, people, named),
      coupon: rule.coupon_id === null ? null : (coupons.get(rule.coupon_id) ?? null),
      materials: carriedBy(rule),
      media_fault: keysOf(rule, carriedBy(rule)).flatMap(key => faults.get(key) ?? [])[0] ?? '',
      week: counted,
      clicks: figures.get(rule.id) ?? noFigures,
      last_at: last || null,
    }
  })
}
export type WelcomeFilters = {
  keyword?: string | undefined
  scope?: WelcomeScope | undefined
  status?: WelcomeState | undefined
  mid?: number | undefined
  id?: number | undefined
}
/** A page of the rules that the person sees, in the order in which they win. */
export const listWelcomes = async (
  { page, pageSize, ...of }: WelcomeFilters & { page: number; pageSize: number },
  { db, staff, now }: { db: Db; staff: Staff; now: number },
) => {
  const all = await rulesOf(db, welcomes.seen(staff))
  const inMall = (rule: Rule) => of.mid === undefined || (rule.mall_id ?? 0) === of.mid
  const held = all.filter(
    rule =>
      inMall(rule) &&
      (of.id === undefined || rule.id === of.id) &&
      (of.scope === undefined || rule.scope === of.scope) &&
      (!of.keyword || rule.name.includes(of.keyword) || rule.text.includes(of.keyword)),
  )
  const rows = held.filter(rule => of.status === undefined || rule.status === of.status)
  const stat: Record<string, number> = {}
  for (const rule of held) stat[rule.status] = (stat[rule.status] ?? 0) + 1
  const some = rows.slice((page - 1) * pageSize, page * pageSize)
  return { list: await shownRules(db, some, now), total: rows.length, stat }
}
/** The last sends of a rule, the newest first. */
export const lastSends = async (db: Db, welcome_id: number, most = 12) =>
  db
    .select({
      id: s.id,
      adviser: sql<string>`coalesce(${wecom_staff.name}, ${s.userid})`,
      customer: sql<string>`coalesce(${wecom_customer.name}, '')`,
      happened_at: s.happened_at,
      outcome: s.outcome,
      cost_ms: s.cost_ms,
      errcode: s.errcode,
      error: s.error,
      skipped: s.skipped,
      gift: s.gift,
      gift_error: s.gift_error,
      content_n: s.content_n,
    })
    .from(s)
    .leftJoin(wecom_staff, eq(wecom_staff.id, s.staff_id))
    .leftJoin(wecom_customer, eq(wecom_customer.external_userid, s.external_userid))
    .where(eq(s.welcome_id, welcome_id))
    .orderBy(desc(s.happened_at), desc(s.id))
    .limit(most)
