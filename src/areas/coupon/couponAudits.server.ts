/** Submissions of coupons as their queues list, claim and log them. */
import { inArray, sql } from 'drizzle-orm'
import { holderOf, stateAt } from '#src/areas/audit/audit.ts'
import { claimsOf } from '#src/areas/audit/claiming.server.ts'
import {
  isDecidedTab,
  waitingOf,
  type Asker,
  type WaitingFilters,
  type WaitingTab,
} from '#src/areas/audit/waiting.server.ts'
import { couponKinds, type CouponKind } from '#src/areas/mall/recommend.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { comma, say } from '#src/domain/text.ts'
import type { Db, WriteContext, Staff } from '#src/server/call/implement.ts'
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

export type CouponTab = WaitingTab
export type CouponAuditFilters = WaitingFilters & {
  kind?: CouponKind | undefined
  /** Whether a second person decides it. */
  second?: boolean | undefined
}
type Asked = { state: CouponTab } & CouponAuditFilters

const waiting = waitingOf<typeof t, CouponAuditFilters>({
  table: t,
  inScope: couponAudits.inScope,
  inCity: city_id => sql`${t.city_ids} @> ${JSON.stringify([city_id])}::jsonb`,
  more: ({ second }) =>
    second === undefined ? undefined : sql`(${t.state} = 'second_audit') = ${second}`,
})
/** The filters and figures of the queues of coupons (waiting.server.ts). */
export const {
  matching: matchingAudits,
  where: couponAuditsWhere,
  today: couponAuditsToday,
  codesUsed: couponCodesUsed,
} = waiting
/** How many rows each tab has, and of what waits each kind and each age. */
export const couponAuditCounts = (
  db: Db,
  queue: CouponQueue,
  filters: CouponAuditFilters,
  asker: Asker,
) => waiting.counts(db, queue, filters, { ...asker, kinds: couponKinds })
/** What a list does not show, and what is longer than all that it does. */
const unlisted = ['goods', 'last_snapshot'] as const
type Listed = Omit<CouponAudit, (typeof unlisted)[number]>
type Reader = { now: number; staff: Pick<Staff, 'lang'> }
/** Submissions as their queue shows them. */
export const couponAuditItems = async (db: Db, rows: readonly Listed[], { now, staff }: Reader) => {
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
      city_name: row.city_ids.map(id => nameIn(cities, id)).join(say(comma, staff.lang)),
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
  asker: Asker & Reader,
) => {
  const { state } = asked
  const where = couponAuditsWhere(queue, asked, asker)
  const isDecided = isDecidedTab(state)
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
    list: await couponAuditItems(db, rows as Listed[], asker),
    ...(await countOf(db, t, where)),
  }
}
