/** Submissions of coupons as their queues list, claim and log them. */
import { and, eq, gt, gte, ilike, inArray, lt, lte, or, sql, type SQL } from 'drizzle-orm'
import { PRESSING_S, waits, type Wait } from '#src/areas/application/application.ts'
import { holderOf, stateAt } from '#src/areas/audit/audit.ts'
import { claimsOf } from '#src/areas/audit/claiming.server.ts'
import { couponKinds, type CouponKind } from '#src/areas/mall/recommend.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { like } from '#src/server/db/like.ts'
import { countOf, pageOf } from '#src/server/db/paging.ts'
import { coupon_audit, coupon_audit_viewer, type CouponAudit } from './couponAudit.table.ts'
import { couponAuditCan, type CouponQueue, type CouponSort } from './couponAudit.ts'

const t = coupon_audit
/** Claiming and deciding submissions of coupons. */
export const couponAudits = claimsOf({
  table: t,
  viewers: coupon_audit_viewer,
  places: { city: { several: sql`select jsonb_array_elements_text(${t.city_ids})::int` } },
  can: couponAuditCan,
  mayDecide: staffId => sql`${t.owner_id} is distinct from ${staffId}`,
  takenBack: ['该优惠券已于 {when} 撤回审核', 'It was withdrawn at {when}'],
})

/** A submission in the operation log. */
export const noteCouponAudit = (
  { log }: Pick<WriteContext, 'log'>,
  was: CouponAudit | null,
  after: CouponAudit,
  more: { reason?: string | undefined; after?: object } = {},
): void =>
  log({
    object_type: 'coupon_audit',
    object_id: after.id,
    object_label: after.title.slice(0, 64),
    before: was && { state: was.state, version: was.version },
    after: {
      state: after.state,
      version: after.version,
      ...(was === null && { exposure_cents: after.exposure_cents, round: after.round }),
      ...(after.reason_code && { reason_code: after.reason_code }),
      ...more.after,
    },
    ...(more.reason && { reason: more.reason }),
  })

const tabs = ['open', 'mine', 'need_more', 'approved', 'rejected', 'withdrawn'] as const
export type CouponTab = (typeof tabs)[number]
export type CouponAuditFilters = {
  keyword?: string | undefined
  kind?: CouponKind | undefined
  wait?: Wait | undefined
  city_id?: number | undefined
  flagged?: boolean | undefined
  /** Whether a second person decides it. */
  second?: boolean | undefined
}
type Asked = { state: CouponTab } & CouponAuditFilters
type Asker = { staff: Pick<Staff, 'id' | 'scope'>; now: number }

const inTab = (tab: CouponTab, me: number, now: number): SQL | undefined => {
  if (tab === 'open') return eq(t.is_open, true)
  if (tab === 'mine') return and(eq(t.is_open, true), eq(t.claimed_by, me), gt(t.claim_until, now))
  return eq(t.state, tab)
}
const inWait = (wait: Wait, now: number): SQL | undefined => {
  if (wait === 'late') return lte(t.sla_at, now)
  return wait === 'pressing'
    ? and(gt(t.sla_at, now), lte(t.sla_at, now + PRESSING_S))
    : gt(t.sla_at, now + PRESSING_S)
}
/** The filters that stand beside the tabs, as a condition. */
export const matchingAudits = (
  { keyword, kind, wait, city_id, flagged, second }: CouponAuditFilters,
  now: number,
): SQL | undefined =>
  and(
    keyword
      ? or(
          ilike(t.title, like(keyword)),
          /^\d{1,9}$/.test(keyword) ? eq(t.id, Number(keyword)) : undefined,
        )
      : undefined,
    kind && eq(t.kind, kind),
    wait && inWait(wait, now),
    city_id === undefined ? undefined : sql`${t.city_ids} @> ${JSON.stringify([city_id])}::jsonb`,
    flagged === undefined ? undefined : eq(t.flagged, flagged),
    second === undefined ? undefined : sql`(${t.state} = 'second_audit') = ${second}`,
  )
/** The condition of a queue's tab, its filters and the reader's data: for list, counts and export. */
export const couponAuditsWhere = (
  queue: CouponQueue,
  { state, ...filters }: Asked,
  { staff, now }: Asker,
): SQL | undefined =>
  and(
    eq(t.queue, queue),
    inTab(state, staff.id, now),
    matchingAudits(filters, now),
    couponAudits.inScope(staff.scope),
  )
/** What a list does not show, and what is longer than all that it does. */
const unlisted = ['goods', 'last_snapshot'] as const
type Listed = Omit<CouponAudit, (typeof unlisted)[number]>
/** Submissions as their queue shows them. */
export const couponAuditItems = async (db: Db, rows: readonly Listed[], now: number) => {
  if (rows.length === 0) return []
  const cities = await db
    .select({ id: city.id, name: city.city_name })
    .from(city)
    .where(inArray(city.id, [0, ...new Set(rows.flatMap(row => row.city_ids))]))
  const people = await db
    .select({ id: admin.id, name: admin.name })
    .from(admin)
    .where(
      inArray(admin.id, [0, ...rows.flatMap(row => [row.owner_id ?? 0, row.submitted_by ?? 0])]),
    )
  const nameIn = (of: readonly { id: number; name: string }[], id: number | null) =>
    of.find(one => one.id === id)?.name ?? ''
  return rows.map(({ snapshot, ...row }) => {
    const holder = holderOf(row, now)
    return {
      ...row,
      terms: snapshot,
      city_name: row.city_ids.map(id => nameIn(cities, id)).join('、'),
      bd_name: nameIn(people, row.owner_id),
      submitter_name: nameIn(people, row.submitted_by),
      state: stateAt(row, now),
      claimed_by: holder,
      claimer_name: holder === null ? null : row.claimer_name,
      claim_until: holder === null ? null : row.claim_until,
    }
  })
}
/** A page of a tab: what waits by its deadline or exposure, what is decided by its decision, the newest first. */
export const couponAuditPage = async (
  db: Db,
  queue: CouponQueue,
  { page, pageSize, sort, ...asked }: Asked & { sort: CouponSort; page: number; pageSize: number },
  asker: Asker,
) => {
  const { state } = asked
  const where = couponAuditsWhere(queue, asked, asker)
  const isDecided = state === 'approved' || state === 'rejected' || state === 'withdrawn'
  const byTime = isDecided ? t.decided_at : t.sla_at
  const rows = await pageOf(db, t, {
    where,
    by: sort === 'exposure' ? t.exposure_cents : byTime,
    down: sort === 'exposure' || isDecided,
    page,
    pageSize,
    but: unlisted,
    reader: `${asker.staff.id}|coupon_audit|${queue}|${sort}|${JSON.stringify(asked)}`,
  })
  return {
    list: await couponAuditItems(db, rows as Listed[], asker.now),
    ...(await countOf(db, t, where)),
  }
}
/** How many rows each tab has, and of what waits each kind and each age, in one query. */
export const couponAuditCounts = async (
  db: Db,
  queue: CouponQueue,
  filters: CouponAuditFilters,
  asker: Asker,
): Promise<Record<string, number>> => {
  const counted = (name: string, state: CouponTab, more: CouponAuditFilters) =>
    sql`(select count(*)::int from ${t} where ${couponAuditsWhere(queue, { ...more, state }, asker) ?? sql`true`}) as ${sql.identifier(name)}`
  const columns = [
    ...tabs.map(tab => counted(tab, tab, filters)),
    ...Object.keys(couponKinds).map(kind =>
      counted(`kind_${kind}`, 'open', { ...filters, kind: kind as CouponKind }),
    ),
    ...Object.keys(waits).map(wait =>
      counted(`wait_${wait}`, 'open', { ...filters, wait: wait as Wait }),
    ),
  ]
  return (await db.execute<Record<string, number>>(sql`select ${sql.join(columns, sql`, `)}`))
    .rows[0]!
}
/** What I decided today; `seconds_each` is the mean from claim to decision. */
export const couponAuditsToday = async (db: Db, queue: CouponQueue, me: number, now: number) => {
  const [row] = await db
    .select({
      approved: sql<number>`count(*) filter (where ${t.state} = 'approved')::int`,
      rejected: sql<number>`count(*) filter (where ${t.state} = 'rejected')::int`,
      asked: sql<number>`count(*) filter (where ${t.state} = 'need_more')::int`,
      seconds_each: sql<
        number | null
      >`round(avg(${t.decided_at} - ${t.claimed_at}) filter (where ${t.decided_at} >= ${t.claimed_at}))::int`,
    })
    .from(t)
    .where(and(eq(t.queue, queue), eq(t.decided_by, me), gte(t.decided_at, dayStart(now))))
  return row!
}
/** How often each code was given in the last thirty whole days. */
export const couponCodesUsed = async (
  db: Db,
  queue: CouponQueue,
  now: number,
): Promise<Record<string, number>> => {
  const to = dayStart(now)
  const rows = await db
    .select({ code: t.reason_code, n: sql<number>`count(*)::int` })
    .from(t)
    .where(
      and(
        eq(t.queue, queue),
        eq(t.state, 'rejected'),
        gte(t.decided_at, to - 30 * DAY),
        lt(t.decided_at, to),
      ),
    )
    .groupBy(t.reason_code)
  return Object.fromEntries(rows.map(row => [row.code, row.n]))
}
