import { randomInt } from 'node:crypto'
import { and, eq, gt, lte, ne, or, sql, type SQL } from 'drizzle-orm'
import { refuseFrozenBenefits } from '#src/areas/member/benefits.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { noteUser } from '#src/areas/userLog/noting.server.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { coupon, coupon_grant } from './coupon.table.ts'
import { couponStateAt } from './couponRules.ts'
import { couponTerms } from './coupons.server.ts'

type Coupon = typeof coupon.$inferSelect
type Grant = typeof coupon_grant.$inferSelect

/** A coupon that gives out pieces at a moment, whenever the clock last looked at it. */
export const isGiven = (now: number): SQL =>
  and(
    or(
      eq(coupon.status, 'active'),
      and(eq(coupon.status, 'waiting'), lte(coupon.claim_start_at, now)),
    ),
    gt(coupon.claim_end_at, now),
  )!

/** No letters or digits that are taken for one another. */
const SIGNS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_LENGTH = 12
/** The code of a grant, from the system's own chance. */
const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')

const closed: Readonly<Record<ReturnType<typeof couponStateAt>, Text>> = {
  draft: ['优惠券“{name}”尚未提交审核', '“{name}” is a draft'],
  auditing: ['优惠券“{name}”审核中，不能发放', '“{name}” is in audit'],
  rejected: ['优惠券“{name}”审核未通过，不能发放', '“{name}” was rejected'],
  waiting: ['优惠券“{name}”还未开始发放', '“{name}” is not given out yet'],
  active: ['优惠券“{name}”已领完', 'All of “{name}” is claimed'],
  paused: ['优惠券“{name}”已暂停领取', '“{name}” is paused'],
  ended: ['优惠券“{name}”已结束发放', '“{name}” has ended'],
  void: ['优惠券“{name}”已作废', '“{name}” is void'],
}
/** Why nothing of it was given: its state, or that too few are left. */
const lateFor = async (tx: Db, id: number, now: number): Promise<Refusal> => {
  const [of] = await tx.select().from(coupon).where(eq(coupon.id, id))
  if (!of) return missing()
  const state = couponStateAt(of, now)
  const left = of.total - of.claimed_count
  return state === 'active' && left > 0
    ? ruled('few_left', ['优惠券“{name}”只剩 {left} 张', '{left} of “{name}” are left'], {
        name: of.name,
        left,
      })
    : ruled(state === 'active' ? 'used_up' : 'not_given', closed[state], { name: of.name })
}

/** From when until when a piece is good that is given at a moment; unix seconds. */
const validFrom = (of: Coupon, now: number): { start_at: number; end_at: number } => {
  if (of.valid_kind === 'fixed')
    return { start_at: Math.max(of.use_start_at ?? now, now), end_at: of.use_end_at ?? now }
  const start_at = now + (of.valid_after_days ?? 0) * DAY
  return { start_at, end_at: start_at + (of.valid_days ?? 30) * DAY }
}

type Claiming = {
  coupon_id: number
  member_id: number
  qty: number
  kind: Grant['grant_kind']
  now: number
  /** The caller gives each piece its code, which a number of its own makes; else chance draws them. */
  codes?: readonly string[]
  by?: { admin_id: number; reason: string }
}
/** Refuses one who has as many as a member may have; their coupon is held. */
const refuseMany = async (tx: Db, of: Coupon, { member_id, qty, kind, now }: Claiming) => {
  const t = coupon_grant
  // A redemption that was undone took its piece back: its code may be redeemed again.
  const standing = kind === 'code' ? ne(t.status, 'revoked') : undefined
  const [has] = await tx
    .select({
      n: sql<number>`count(*)::int`,
      today: sql<number>`count(*) filter (where ${t.created_at} >= ${dayStart(now)})::int`,
    })
    .from(t)
    .where(and(eq(t.coupon_id, of.id), eq(t.member_id, member_id), standing))
  if (has!.n + qty > of.per_member)
    throw ruled(
      'per_member',
      [
        '每人限领 {max} 张“{name}”，该会员已有 {n} 张',
        'A member may have {max} of “{name}”, and has {n}',
      ],
      { max: of.per_member, name: of.name, n: has!.n },
    )
  if (of.per_day !== null && has!.today + qty > of.per_day)
    throw ruled(
      'per_day',
      [
        '每人每天限领 {max} 张“{name}”，该会员今天已领 {n} 张',
        'A member may have {max} of “{name}” a day, and had {n} today',
      ],
      { max: of.per_day, name: of.name, n: has!.today },
    )
}
/** Refuses one whose level is not among those of the coupon; nobody is a VIP by payment yet. */
const refuseLevel = async (tx: Db, of: Coupon, member_id: number): Promise<void> => {
  if (!of.vip_only && of.level_ids.length === 0) return
  const [has] = await tx
    .select({ level: member.level })
    .from(member)
    .where(eq(member.id, member_id))
  if (of.vip_only || !of.level_ids.includes(has?.level ?? 0))
    throw ruled(
      'level',
      [
        '“{name}”仅限指定会员等级领取，该会员为 V{level}',
        '“{name}” is for some levels, and this member is V{level}',
      ],
      { name: of.name, level: has?.level ?? 0 },
    )
}
/** Refuses one whom the coupon is not for. Staff who give it away answer for whom they choose. */
const refuseOthers = async (tx: Db, of: Coupon, { member_id, kind }: Claiming) => {
  if (kind === 'admin' || kind === 'compensate') return
  if (kind === 'claim' && of.claim_kind !== 'claim')
    throw ruled('not_claimed', ['“{name}”不能直接领取', '“{name}” is not claimed by members'], {
      name: of.name,
    })
  if (of.new_only) {
    const [bought] = await tx
      .select({ id: order.id })
      .from(order)
      .where(and(eq(order.member_id, member_id), eq(order.pay_state, 'paid')))
      .limit(1)
    if (bought)
      throw ruled('new_only', ['“{name}”仅限新客领取', '“{name}” is for newcomers'], {
        name: of.name,
      })
  }
  await refuseLevel(tx, of, member_id)
}

/**
 * Gives pieces of a coupon to a member. The one guarded UPDATE decides who has the last one, and
 * holds the coupon until the transaction ends: what one member has of it is counted under that lock.
 * Throws a refusal that says why nothing was given; who goes on after it undoes the UPDATE (a
 * savepoint).
 */
export const claimCoupon = async (
  tx: Db,
  of: Claiming,
): Promise<{ coupon: Coupon; grants: Grant[] }> => {
  const { coupon_id, member_id, qty, now } = of
  const [given] = await tx
    .update(coupon)
    .set({ claimed_count: sql`${coupon.claimed_count} + ${qty}` })
    .where(
      and(
        eq(coupon.id, coupon_id),
        isGiven(now),
        sql`${coupon.claimed_count} + ${qty} <= ${coupon.total}`,
      ),
    )
    .returning()
  if (!given) throw await lateFor(tx, coupon_id, now)
  await refuseFrozenBenefits(tx, member_id)
  // What is given anew for a piece that was lost stands for that one.
  if (of.kind !== 'compensate') await refuseMany(tx, given, of)
  await refuseOthers(tx, given, of)
  const { start_at, end_at } = validFrom(given, now)
  if (end_at <= now)
    throw ruled('use_over', ['优惠券“{name}”已过使用期', '“{name}” is past its use'], {
      name: given.name,
    })
  const grants = await tx
    .insert(coupon_grant)
    .values(
      Array.from({ length: qty }, (_, at) => ({
        coupon_id,
        code: of.codes?.[at] ?? newCode(),
        member_id,
        grant_kind: of.kind,
        snapshot: couponTerms(given),
        start_at,
        end_at,
        operator_id: of.by?.admin_id ?? null,
        reason: of.by?.reason ?? null,
        status: 'unused' as const,
        created_at: now,
        updated_at: now,
      })),
    )
    .returning()
  await noteUser(tx, {
    kind: 'coupon',
    member_id,
    request_id: `coupon:${grants[0]!.id}`,
    detail: { coupon_id, qty, ...(of.by && { by: 'staff' as const }) },
    at: now,
  })
  return { coupon: given, grants }
}
