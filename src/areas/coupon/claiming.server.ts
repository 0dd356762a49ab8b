import { randomInt } from 'node:crypto'
import { and, eq, gt, lte, or, sql, type SQL } from 'drizzle-orm'
import { refuseBenefits } from '#src/areas/member/benefits.server.ts'
import type { AccountState } from '#src/areas/member/member.ts'
import { plainLine } from '#src/areas/userLog/noting.server.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { coupon, type coupon_grant } from './coupon.table.ts'
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
/** What decides about a claim, as it stood before its pieces were written, and these pieces. */
type Said = {
  account_state: AccountState
  benefits_frozen: boolean
  level: number
  /** Pieces that the member has, in all and of today. */
  n: number
  today: number
  /** Whether they ever paid for an order; asked where the coupon is for newcomers alone. */
  bought: boolean
  grants: Grant[]
}
/**
 * Writes the pieces and the line of the member's log, and reads what decides, in one statement that
 * sees none of what it writes: a refusal undoes all of it. The coupon is held already, so what the
 * member has of it is counted as others left it. Nobody where there is no such member.
 */
const give = async (tx: Db, of: Claiming, held: Coupon): Promise<Said | undefined> => {
  const { member_id, qty, kind, now } = of
  const { start_at, end_at } = validFrom(held, now)
  const codes = Array.from({ length: qty }, (_, at) => of.codes?.[at] ?? newCode())
  const detail = { coupon_id: held.id, qty, ...(of.by && { by: 'staff' as const }) }
  const line = plainLine({ kind: 'coupon', detail, at: now })
  // A redemption that was undone took its piece back: its code may be redeemed again.
  const standing = kind === 'code' ? sql`and g.status <> 'revoked'` : sql``
  const bought = held.new_only
    ? sql`exists (select 1 from "order" o where o.member_id = ${member_id} and o.pay_state = 'paid')`
    : sql`false`
  const { rows } = await tx.execute<Said>(sql`
    with who as (select m.id, m.account_state, m.benefits_frozen, m.level from member m where m.id = ${member_id}),
      has as (select count(*)::int n, count(*) filter (where g.created_at >= ${dayStart(now)})::int today
        from coupon_grant g where g.coupon_id = ${held.id} and g.member_id = ${member_id} ${standing}),
      given as (insert into coupon_grant (coupon_id, code, member_id, grant_kind, snapshot, start_at, end_at, operator_id, reason, status, created_at, updated_at)
        select ${held.id}::int, c.code, who.id, ${kind}::text, ${JSON.stringify(couponTerms(held))}::jsonb, ${start_at}::bigint, ${end_at}::bigint, ${of.by?.admin_id ?? null}::int, ${of.by?.reason ?? null}::text, 'unused', ${now}::bigint, ${now}::bigint
        from who, unnest(${sql.param(codes)}::text[]) with ordinality as c(code, at) order by c.at
        returning *),
      noted as (insert into user_log (request_id, member_id, kind, risk, detail, at)
        select 'coupon:' || min(given.id), ${member_id}::int, ${line.kind}::text, ${line.risk}::int, ${JSON.stringify(line.detail)}::jsonb, ${now}::bigint
        from given having count(*) > 0 on conflict (request_id) do nothing)
    select who.account_state, who.benefits_frozen, who.level, has.n, has.today, ${bought} bought,
      (select jsonb_agg(to_jsonb(given) order by given.id) from given) grants from who, has`)
  return rows[0]
}

/** Refuses one who has as many as a member may have. */
const refuseMany = (of: Coupon, { qty }: Claiming, has: Said): void => {
  if (has.n + qty > of.per_member)
    throw ruled(
      'per_member',
      [
        '每人限领 {max} 张“{name}”，该会员已有 {n} 张',
        'A member may have {max} of “{name}”, and has {n}',
      ],
      { max: of.per_member, name: of.name, n: has.n },
    )
  if (of.per_day !== null && has.today + qty > of.per_day)
    throw ruled(
      'per_day',
      [
        '每人每天限领 {max} 张“{name}”，该会员今天已领 {n} 张',
        'A member may have {max} of “{name}” a day, and had {n} today',
      ],
      { max: of.per_day, name: of.name, n: has.today },
    )
}
/** Refuses one whom the coupon is not for. Staff who give it away answer for whom they choose. */
const refuseOthers = (of: Coupon, { kind }: Claiming, { bought, level }: Said): void => {
  if (kind === 'admin' || kind === 'compensate') return
  if (kind === 'claim' && of.claim_kind !== 'claim')
    throw ruled('not_claimed', ['“{name}”不能直接领取', '“{name}” is not claimed by members'], {
      name: of.name,
    })
  if (of.new_only && bought)
    throw ruled('new_only', ['“{name}”仅限新客领取', '“{name}” is for newcomers'], {
      name: of.name,
    })
  // Nobody is a VIP by payment yet.
  if (of.vip_only || (of.level_ids.length > 0 && !of.level_ids.includes(level)))
    throw ruled(
      'level',
      [
        '“{name}”仅限指定会员等级领取，该会员为 V{level}',
        '“{name}” is for some levels, and this member is V{level}',
      ],
      { name: of.name, level },
    )
}

/**
 * Gives pieces of a coupon to a member. The one guarded UPDATE decides who has the last one, and
 * holds the coupon until the transaction ends: what one member has of it is counted under that lock
 * by the one statement that writes the pieces.
 * Throws a refusal that says why nothing was given; who goes on after it undoes the UPDATE (a
 * savepoint).
 */
export const claimCoupon = async (
  tx: Db,
  of: Claiming,
): Promise<{ coupon: Coupon; grants: Grant[] }> => {
  const { coupon_id, qty, now } = of
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
  const said = await give(tx, of, given)
  if (!said) throw missing()
  refuseBenefits(said)
  // What is given anew for a piece that was lost stands for that one.
  if (of.kind !== 'compensate') refuseMany(given, of, said)
  refuseOthers(given, of, said)
  if (validFrom(given, now).end_at <= now)
    throw ruled('use_over', ['优惠券“{name}”已过使用期', '“{name}” is past its use'], {
      name: given.name,
    })
  return { coupon: given, grants: said.grants }
}
