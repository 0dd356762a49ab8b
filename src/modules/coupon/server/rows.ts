import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import type { CouponScope } from '#src/areas/coupon/coupon.ts'
import { excludedKind, reachedBy } from '#src/areas/coupon/couponReach.server.ts'
import { coupons, standing, type Coupon } from '#src/areas/coupon/couponRecord.server.ts'
import { couponStateAt } from '#src/areas/coupon/couponRules.ts'
import { couponOffer, couponReach } from '#src/areas/coupon/couponSentence.ts'
import {
  couponApplies,
  couponBearers,
  couponClaims,
  type CouponApply,
  type CouponBearer,
  type CouponClaim,
} from '#src/areas/coupon/couponWords.ts'
import {
  couponKinds,
  couponStates,
  type CouponKind,
  type CouponState,
} from '#src/areas/mall/recommend.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { percent } from '#src/domain/money.ts'
import { say } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { equal, exporting, holding, listing } from '#src/server/call/record.ts'
import { missing } from '#src/server/call/refuse.ts'
import type { CouponWhole } from '../contract/coupon.ts'

export type Filters = {
  keyword?: string
  status?: CouponState
  kind?: CouponKind
  apply_kind?: CouponApply
  claim_kind?: CouponClaim
  bearer?: CouponBearer
  mid?: number
  store_id?: number
  created_by?: number
}
const bornBy: Readonly<Record<CouponBearer, SQL>> = {
  platform: sql`${coupon.platform_share_bp} = 10000`,
  merchant: sql`${coupon.platform_share_bp} = 0`,
  both: sql`${coupon.platform_share_bp} between 1 and 9999`,
}
const naming = (kind: CouponApply, id: number | undefined): SQL | undefined =>
  id === undefined
    ? undefined
    : and(eq(coupon.apply_kind, kind), sql`${coupon.apply_ids} @> ${JSON.stringify([id])}::jsonb`)
const outsideMalls = sql`(${coupon.apply_kind} = 'store' and exists (select 1 from jsonb_array_elements_text(${coupon.apply_ids}) one join store s on s.id = one::int where s.mall_id = 0))`
const namesOf = async (db: Db, rows: readonly Coupon[]): Promise<ReadonlyMap<number, string>> => {
  const ids = [...new Set(rows.flatMap(row => row.created_by ?? []))]
  const people =
    ids.length === 0
      ? []
      : await db
          .select({ id: admin.id, name: admin.name })
          .from(admin)
          .where(inArray(admin.id, ids))
  return new Map(people.map(one => [one.id, one.name]))
}
/** The coupons of a scope, as their list has them. */
export const listOfScope = (scope: CouponScope) =>
  listing(coupons, {
    by: coupon.id,
    down: true,
    where: ({ keyword, status, bearer, mid, store_id, ...same }: Filters, { now }) =>
      and(
        eq(coupon.scope, scope),
        equal(coupon, same),
        status && standing(status, now),
        bearer && bornBy[bearer],
        mid === 0 ? outsideMalls : naming('mall', mid),
        naming('store', store_id),
        holding(keyword, [coupon.name, coupon.coupon_no], coupon.id),
      ),
    shown: async (db, rows, { now }) => {
      const names = await namesOf(db, rows)
      return rows.map(row => ({
        ...row,
        status: couponStateAt(row, now),
        reason: row.reason ?? '',
        creator_name: names.get(row.created_by ?? 0) ?? '',
      }))
    },
  })

const nothing = { unused: 0, locked: 0, used: 0, expired: 0, revoked: 0 }
/** How the pieces of a coupon stand, and how many came back with a refund. */
const piecesOf = async (db: Db, id: number): Promise<CouponWhole['pieces']> => {
  const states = await db
    .select({ status: coupon_grant.status, n: sql<number>`count(*)::int` })
    .from(coupon_grant)
    .where(eq(coupon_grant.coupon_id, id))
    .groupBy(coupon_grant.status)
  const [back] = await db
    .select({ n: sql<number>`count(distinct ${coupon_grant.id})::int` })
    .from(coupon_grant)
    .innerJoin(order, eq(order.coupon_grant_id, coupon_grant.id))
    .innerJoin(refund, eq(refund.order_id, order.id))
    .where(
      and(eq(coupon_grant.coupon_id, id), eq(refund.coupon_back, true), eq(refund.state, 'done')),
    )
  return {
    ...nothing,
    ...Object.fromEntries(states.map(({ status, n }) => [status, n])),
    returned: back?.n ?? 0,
  }
}
const sourceOf = async (db: Db, id: number | null): Promise<CouponWhole['source']> => {
  if (id === null) return null
  const [of] = await db
    .select({ id: coupon.id, name: coupon.name, n: coupon.claimed_count, used: coupon.used_count })
    .from(coupon)
    .where(eq(coupon.id, id))
  if (!of) return null
  const used_bp = of.n === 0 ? null : Math.round((of.used / of.n) * 10_000)
  return { id: of.id, name: of.name, used_bp }
}
/** A coupon of a scope with all that stands beside it. Throws 404 for one of the other scope. */
export const wholeOf = async (
  db: Db,
  scope: CouponScope,
  id: number,
  { staff, now }: { staff: Staff; now: number },
): Promise<CouponWhole> => {
  const row = await coupons.read(db, staff, id)
  if (row.scope !== scope) throw missing()
  const applies = await reachedBy(db, scope, row.apply_kind, row.apply_ids)
  const excludes = await reachedBy(db, scope, excludedKind(scope), row.exclude_ids)
  const cities =
    row.city_ids.length === 0
      ? []
      : await db
          .select({ id: city.id, name: city.city_name })
          .from(city)
          .where(inArray(city.id, row.city_ids))
  const names = await namesOf(db, [row])
  return {
    ...row,
    status: couponStateAt(row, now),
    reason: row.reason ?? '',
    creator_name: names.get(row.created_by ?? 0) ?? '',
    applies,
    excludes,
    cities,
    dead: [...applies, ...excludes].flatMap(one =>
      one.why ? [{ id: one.id, name: one.name, why: say(one.why, staff.lang) }] : [],
    ),
    pieces: await piecesOf(db, row.id),
    source: await sourceOf(db, row.copy_from_id),
    copies: await db.$count(coupon, eq(coupon.copy_from_id, row.id)),
    approved: row.approved as CouponWhole['approved'],
  }
}
const rate = (part: number, of: number): string =>
  of === 0 ? '' : percent(Math.round((part / of) * 10_000))
/** The export of a list of coupons. */
export const couponExport = (
  list: ReturnType<typeof listOfScope>,
  of: { page: string; title: readonly [string, string]; permit: string },
) =>
  exporting(list, {
    ...of,
    columns: [
      { key: 'coupon_no', title: ['券编号', 'Number'] },
      { key: 'name', title: ['名称', 'Name'] },
      { key: 'kind', title: ['类型', 'Kind'] },
      { key: 'offer', title: ['优惠', 'Offer'] },
      { key: 'reach', title: ['适用范围', 'Scope'] },
      { key: 'total', title: ['总量', 'How many'], kind: 'number' },
      { key: 'claimed_count', title: ['已领', 'Claimed'], kind: 'number' },
      { key: 'used_count', title: ['已用', 'Used'], kind: 'number' },
      { key: 'use_rate', title: ['使用率', 'Use rate'] },
      { key: 'cost_cents', title: ['已减免', 'Cost so far'], kind: 'money' },
      { key: 'budget_cents', title: ['预算', 'Budget'], kind: 'money' },
      { key: 'bearer', title: ['平台承担', 'Paid by platform'] },
      { key: 'claim_kind', title: ['领取方式', 'Claim method'] },
      { key: 'claim_start_at', title: ['领取开始', 'Claim from'], kind: 'time' },
      { key: 'claim_end_at', title: ['领取截止', 'Claim until'], kind: 'time' },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'reason', title: ['原因', 'Why'] },
      { key: 'creator_name', title: ['负责人', 'Owner'] },
      { key: 'created_at', title: ['创建时间', 'Created'], kind: 'time' },
    ],
    words: ({ status, kind, apply_kind, claim_kind, bearer, keyword }, lang) => [
      status && say(couponStates[status], lang),
      kind && say(couponKinds[kind], lang),
      apply_kind && say(couponApplies[apply_kind], lang),
      claim_kind && say(couponClaims[claim_kind], lang),
      bearer && say(couponBearers[bearer], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      kind: say(couponKinds[row.kind], lang),
      offer: say(couponOffer(row), lang),
      reach: say(couponReach(row), lang),
      use_rate: rate(row.used_count, row.claimed_count),
      bearer: percent(row.platform_share_bp),
      claim_kind: say(couponClaims[row.claim_kind], lang),
      status: say(couponStates[row.status], lang),
    }),
  })
