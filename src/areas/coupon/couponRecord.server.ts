import { and, eq, gt, inArray, lte, or, sql, type SQL } from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import type { CouponState } from '#src/areas/mall/recommend.ts'
import { joined } from '#src/domain/text.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { isGiven } from './claiming.server.ts'
import { coupon, coupon_grant, type ApprovedCoupon } from './coupon.table.ts'
import { couponCan, couponStateAt, type CouponVerb } from './couponRules.ts'
import { couponTerms } from './coupons.server.ts'
import { writtenFields } from './couponWritten.ts'

export type Coupon = typeof coupon.$inferSelect
const citiesOf = sql`select jsonb_array_elements_text(${coupon.city_ids})::int`
export const coupons = record(coupon, {
  object: 'coupon',
  label: row => row.name,
  keys: [...writtenFields, 'copy_from_id', 'status', 'reason'],
  // Everybody who sees anything sees one that is good in every city.
  places: ({ scope }) => {
    if (seesAll(scope)) return undefined
    if (scope.cities.length === 0 && scope.malls.length === 0) return sql`false`
    return or(sql`${coupon.city_ids} = '[]'`, within(scope, { city: { several: citiesOf } }))
  },
})

/** Refuses a person who does not see every city of a coupon: a change holds in all of them. */
export const needItsCities = ({ scope }: Staff, city_ids: readonly number[]): void => {
  if (seesAll(scope)) return
  const mine = scope.cities as readonly number[]
  if (city_ids.length === 0 || !city_ids.every(id => mine.includes(id)))
    throw ruled('other_cities', [
      '该券在你的数据范围以外的城市也可用，不能由你修改；请只选你负责的城市',
      'It is also good in cities outside your scope: choose only your own',
    ])
}

/**
 * A coupon of a scope where its state allows the verb, held until the transaction ends; as the
 * person read it where they say a version. Throws 404, 409 or 422.
 */
export const heldFor = async (
  context: WriteContext,
  scope: Coupon['scope'],
  verb: CouponVerb,
  one: { id: number; version?: number },
): Promise<Coupon> => {
  const { version } = one
  const was =
    version === undefined
      ? await coupons.lock(context, one.id)
      : await coupons.heldFast(context, { id: one.id, version })
  if (was.scope !== scope) throw missing()
  needItsCities(context.staff, was.city_ids)
  const status = couponStateAt(was, context.now)
  const may = couponCan(verb, status)
  if (may !== true) throw ruled('wrong_state', may, {}, { current: { status } })
  return was
}

/** The terms of a coupon as an approval takes them down: `approved` of the table. */
export const approvedTerms = (of: Coupon): ApprovedCoupon => ({
  ...couponTerms(of),
  total: of.total,
  per_member: of.per_member,
  per_day: of.per_day,
  claim_kind: of.claim_kind,
  claim_start_at: of.claim_start_at,
  claim_end_at: of.claim_end_at,
  valid_kind: of.valid_kind,
  use_start_at: of.use_start_at,
  use_end_at: of.use_end_at,
  valid_after_days: of.valid_after_days,
  valid_days: of.valid_days,
  new_only: of.new_only,
  consent_no: of.consent_no,
  budget_cents: of.budget_cents,
  recommend_text: of.recommend_text,
  level_ids: of.level_ids,
  vip_only: of.vip_only,
})

const moving = ['waiting', 'active', 'paused'] as const
/** The coupons that stand in a state at a moment, as `couponStateAt` says it. */
export const standing = (state: CouponState, now: number): SQL => {
  if (state === 'ended')
    return or(
      eq(coupon.status, 'ended'),
      and(inArray(coupon.status, [...moving]), lte(coupon.claim_end_at, now)),
    )!
  if (state === 'active') return isGiven(now)
  const stored = eq(coupon.status, state)
  if (state === 'waiting')
    return and(stored, gt(coupon.claim_start_at, now), gt(coupon.claim_end_at, now))!
  return state === 'paused' ? and(stored, gt(coupon.claim_end_at, now))! : stored
}
/** The state of each row at a moment, for counts. */
export const stateNow = (now: number): SQL<CouponState> =>
  sql`case when ${coupon.status} in ('waiting', 'active', 'paused') and ${coupon.claim_end_at} <= ${now} then 'ended' when ${coupon.status} = 'waiting' and ${coupon.claim_start_at} <= ${now} then 'active' else ${coupon.status} end`

const TURNED_AT_ONCE = 500
/**
 * Begins what waits for its time and ends what is past it, each with a line in the log, by the
 * system. Answers how many.
 */
export const turnCoupons = async (tx: Db, now: number): Promise<number> => {
  const { rows } = await tx.execute<{
    id: number
    name: string
    scope: Coupon['scope']
    was: string
    is: string
  }>(sql`
    with due as (
      select c.id, c.status was, case when c.claim_end_at <= ${now} then 'ended' else 'active' end "is" from coupon c
      where c.status in ('waiting', 'active', 'paused') and (c.claim_end_at <= ${now} or (c.status = 'waiting' and c.claim_start_at <= ${now}))
      order by c.id limit ${TURNED_AT_ONCE} for update of c skip locked)
    update coupon c set status = due.is, version = c.version + 1, updated_at = ${now}
    from due where due.id = c.id returning c.id, c.name, c.scope, due.was, due.is`)
  if (rows.length > 0)
    await tx.insert(op_log).values(
      rows.map(({ id, name, scope, was, is }) => ({
        admin_id: null,
        admin_name: systemName,
        module: 'coupon',
        action: `${scope === 'local' ? 'coupon' : 'ecoupon'}.index.turn`,
        object_type: 'coupon',
        object_id: id,
        object_label: name,
        before: { status: was },
        after: { status: is },
        reason: joined(
          is === 'ended'
            ? ['已到领取截止时间', 'Claiming is over']
            : ['已到领取开始时间', 'Claiming begins'],
        ),
        result: 'ok' as const,
      })),
    )
  return rows.length === TURNED_AT_ONCE ? rows.length + (await turnCoupons(tx, now)) : rows.length
}

/**
 * Takes back what nobody has used of a coupon; what an order has taken or used stays its member's.
 * The coupon is held. Answers how many.
 */
export const revokeUnused = async (
  tx: Db,
  of: { coupon_id: number; reason: string; now: number },
): Promise<number> =>
  (
    await tx
      .update(coupon_grant)
      .set({
        status: 'revoked',
        reason: of.reason,
        version: sql`${coupon_grant.version} + 1`,
        updated_at: of.now,
      })
      .where(and(eq(coupon_grant.coupon_id, of.coupon_id), eq(coupon_grant.status, 'unused')))
      .returning({ id: coupon_grant.id })
  ).length
/** Takes back the piece of a code where nobody has used it; answers whether it did. */
export const takeBackGrant = async (
  tx: Db,
  of: { code: string; reason: string; now: number },
): Promise<boolean> =>
  (
    await tx
      .update(coupon_grant)
      .set({
        status: 'revoked',
        reason: of.reason,
        version: sql`${coupon_grant.version} + 1`,
        updated_at: of.now,
      })
      .where(and(eq(coupon_grant.code, of.code), eq(coupon_grant.status, 'unused')))
      .returning({ id: coupon_grant.id })
  ).length > 0
