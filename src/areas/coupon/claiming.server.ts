import { randomInt } from 'node:crypto'
import { and, eq, gt, lte, or, sql, type SQL } from 'drizzle-orm'
import { refuseBenefits } from '#src/areas/member/benefits.server.ts'
import { withoutBenefits, type AccountState } from '#src/areas/member/member.ts'
import { plainLine } from '#src/areas/userLog/noting.server.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { planned } from '#src/server/db/oneOf.ts'
import { coupon, type coupon_grant } from './coupon.table.ts'
import { couponStateAt } from './couponRules.ts'
import { termKeys } from './coupons.server.ts'

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
type Rule =
  | 'benefits'
  | 'per_member'
  | 'per_day'
  | 'not_claimed'
  | 'new_only'
  | 'level'
  | 'use_over'
/** What decided about a claim, as it stood while the coupon was held, and its pieces. */
type Said = Pick<Coupon, 'name' | 'per_member' | 'per_day'> & {
  /** Null where it was given. */
  rule: Rule | null
  /** Null where there is no such member. */
  account_state: AccountState | null
  benefits_frozen: boolean
  level: number
  /** Pieces that the member had, in all and of today. */
  n: number
  today: number
  grants: Grant[]
}

/** The terms of a held coupon, as its pieces keep them. */
const termsHeld = sql.raw(
  `jsonb_build_object(${termKeys.map(key => `'${key}', held.${key}`).join(', ')})`,
)
/** From when until when a piece is good that is given now; unix seconds. */
const goodFor = (now: number): SQL => sql`
  select case when held.valid_kind = 'fixed' then greatest(held.use_start_at, ${now}::bigint)
      else ${now}::bigint + coalesce(held.valid_after_days, 0) * ${DAY}::bigint end start_at,
    case when held.valid_kind = 'fixed' then coalesce(held.use_end_at, ${now}::bigint)
      else ${now}::bigint + (coalesce(held.valid_after_days, 0) + coalesce(held.valid_days, 30)) * ${DAY}::bigint end end_at`
/** The first rule that a claim breaks: of the member, of their pieces, of whom the coupon is for. */
const broken = ({ kind, qty, now }: Claiming): SQL => {
  // A piece that is given anew stands for the one that was lost, and counts as nothing more.
  const counts = kind !== 'compensate'
  // Staff who give it away answer for the member that they choose.
  const chooses = counts && kind !== 'admin'
  return sql`case
    when who.benefits_frozen or who.account_state = any(${sql.param([...withoutBenefits])}::text[]) then 'benefits'
    when ${counts}::boolean and who.n + ${qty}::int > held.per_member then 'per_member'
    when ${counts}::boolean and who.today + ${qty}::int > held.per_day then 'per_day'
    when ${kind === 'claim'}::boolean and held.claim_kind <> 'claim' then 'not_claimed'
    when ${chooses}::boolean and who.bought then 'new_only'
    when ${chooses}::boolean and (held.vip_only or held.level_ids <> '[]' and not held.level_ids @> to_jsonb(who.level)) then 'level'
    when good.end_at <= ${now}::bigint then 'use_over' end`
}
/**
 * Decides a claim and writes its pieces with the line of the member's log, in one statement that a
 * connection plans once. It holds the coupon while one is left; what the member has is read after
 * that, by a function of the database that sees what others committed meanwhile. Undefined where the
 * coupon is not given or too few are left.
 */
const decide = async (tx: Db, of: Claiming): Promise<Said | undefined> => {
  const { coupon_id, member_id, qty, kind, now, by } = of
  const codes = Array.from({ length: qty }, (_, at) => of.codes?.[at] ?? newCode())
  const detail = { coupon_id, qty, ...(by && { by: 'staff' as const }) }
  const line = plainLine({ kind: 'coupon', detail, at: now })
  const { rows } = await tx.execute<Said>(sql`${planned}
    with held as materialized (select * from coupon where coupon.id = ${coupon_id} and ${isGiven(now)}
        and coupon.claimed_count + ${qty}::int <= coupon.total for no key update),
      said as materialized (select held.id, who.*, good.*, ${broken(of)} rule
        from held cross join lateral coupon_claimer(held.id, ${member_id}::int, ${dayStart(now)}::bigint, ${kind === 'code'}::boolean, held.new_only) who
          cross join lateral (${goodFor(now)}) good),
      taken as (update coupon set claimed_count = coupon.claimed_count + ${qty}::int, updated_at = ${now}::bigint
        from said where coupon.id = said.id and said.rule is null returning coupon.id),
      given as (insert into coupon_grant (coupon_id, code, member_id, grant_kind, snapshot, start_at, end_at, operator_id, reason, status, created_at, updated_at)
        select held.id, c.code, ${member_id}::int, ${kind}::text, ${termsHeld}, said.start_at, said.end_at, ${by?.admin_id ?? null}::int, ${by?.reason ?? null}::text, 'unused', ${now}::bigint, ${now}::bigint
        from taken join held using (id) join said using (id), unnest(${sql.param(codes)}::text[]) with ordinality as c(code, at) order by c.at
        returning *),
      noted as (insert into user_log (request_id, member_id, kind, risk, detail, at)
        select 'coupon:' || min(given.id), ${member_id}::int, ${line.kind}::text, ${line.risk}::int, ${JSON.stringify(line.detail)}::jsonb, ${now}::bigint
        from given having count(*) > 0 on conflict (request_id) do nothing)
    select held.name, held.per_member, held.per_day, said.rule, said.account_state, said.benefits_frozen, said.level, said.n, said.today,
      (select jsonb_agg(to_jsonb(given) order by given.id) from given) grants
    from held left join said on true`)
  return rows[0]
}

type Told = Readonly<Record<Exclude<Rule, 'benefits'>, Text>>
const refusals: Told = {
  per_member: [
    '每人限领 {max} 张“{name}”，该会员已有 {n} 张',
    'A member may have {max} of “{name}”, and has {n}',
  ],
  per_day: [
    '每人每天限领 {max} 张“{name}”，该会员今天已领 {n} 张',
    'A member may have {max} of “{name}” a day, and had {n} today',
  ],
  not_claimed: ['“{name}”不能直接领取', '“{name}” is not claimed by members'],
  new_only: ['“{name}”仅限新客领取', '“{name}” is for newcomers'],
  // Nobody is a VIP by payment yet.
  level: [
    '“{name}”仅限指定会员等级领取，该会员为 V{level}',
    '“{name}” is for some levels, and this member is V{level}',
  ],
  use_over: ['优惠券“{name}”已过使用期', '“{name}” is past its use'],
}
/** Throws why a claim was refused; nothing was written then. */
const refuse = (rule: Rule, has: Said): never => {
  const { name, level, account_state, benefits_frozen } = has
  if (rule === 'benefits') {
    refuseBenefits({ account_state: account_state!, benefits_frozen })
    throw new Error('The database knows of other benefits than the rule does')
  }
  const values: Partial<Record<Rule, Record<string, string | number>>> = {
    per_member: { max: has.per_member, name, n: has.n },
    per_day: { max: has.per_day!, name, n: has.today },
    level: { name, level },
  }
  throw ruled(rule, refusals[rule], values[rule] ?? { name })
}

/**
 * Gives pieces of a coupon to a member, by one statement that decides who has the last one: it holds
 * the coupon until it ends (or the transaction does), and what one member has of it is counted under
 * that lock. Outside of a transaction it commits by itself. Throws a refusal that says why nothing
 * was given; nothing was written then.
 */
export const claimCoupon = async (
  tx: Db,
  of: Claiming,
): Promise<{ coupon: Pick<Coupon, 'id' | 'name'>; grants: Grant[] }> => {
  const said = await decide(tx, of)
  if (!said) throw await lateFor(tx, of.coupon_id, of.now)
  if (said.account_state === null) throw missing()
  if (said.rule !== null) return refuse(said.rule, said)
  return { coupon: { id: of.coupon_id, name: said.name }, grants: said.grants }
}
