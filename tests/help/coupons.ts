import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import type { CouponTerms } from '#src/areas/coupon/coupon.ts'
import type { Db } from '#src/server/call/implement.ts'

let made = 0
/**
 * A coupon of a test's own that a member holds: ten yuan off from one yuan, at stores of any city,
 * paid by platform and merchant by seven to three, unless said otherwise.
 */
export const grantOf = async (
  tx: Db,
  {
    member_id,
    now,
    end_at = now + 30 * 86_400,
    start_at = now - 3600,
    snapshot = {},
    ...of
  }: Partial<CouponTerms> & {
    member_id: number
    now: number
    start_at?: number
    end_at?: number
    /** What the grant was claimed under, where that was something else. */ snapshot?: Partial<CouponTerms>
  },
) => {
  const n = `Q${++made}`
  const { apply_ids = [], exclude_ids = [], city_ids = [], weekdays = [], ...terms } = of
  const [kept] = await tx
    .insert(coupon)
    .values({
      coupon_no: `TC${n}`,
      name: `测试券${made}`,
      scope: 'local',
      kind: 'full_reduce',
      face_cents: 10_00,
      threshold_cents: 1_00,
      apply_kind: 'all',
      platform_share_bp: 7000,
      merchant_share_bp: 3000,
      ...terms,
      apply_ids: [...apply_ids],
      exclude_ids: [...exclude_ids],
      city_ids: [...city_ids],
      weekdays: [...weekdays],
      total: 100,
      claimed_count: 1,
      claim_kind: 'claim',
      claim_start_at: now - 86_400,
      claim_end_at: now + 86_400,
      valid_kind: 'days_after',
      valid_days: 30,
      level_ids: [],
      status: 'active',
    })
    .returning()
  const [grant] = await tx
    .insert(coupon_grant)
    .values({
      coupon_id: kept!.id,
      code: `T${n}`,
      member_id,
      grant_kind: 'claim',
      snapshot,
      start_at,
      end_at,
      status: 'unused',
    })
    .returning()
  return grant!
}
