import { and, eq, inArray, sql } from 'drizzle-orm'
import { dist_binding } from '#src/areas/binding/binding.table.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { moveGrowth } from '#src/areas/level/growth.server.ts'
import { movePoints } from '#src/areas/points/points.server.ts'
import { moveCustomer } from '#src/areas/wecom/matching.server.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { countBoughtOf } from './bought.server.ts'
import { member_adjust } from './care.table.ts'
import { member } from './member.table.ts'
import { memberCan } from './member.ts'
import { members, type Member } from './members.server.ts'

/**
 * Columns that say whose something is now: they go with a merge. Records of what somebody did then
 * stay with the account that did it (`STAYS`); a test asks every reference to a member for its place.
 */
export const MOVES: readonly (readonly [table: string, column: string])[] = [
  ['order', 'member_id'],
  ['order_code', 'holder_id'],
  ['order_bind', 'member_id'],
  ['coupon_grant', 'member_id'],
  ['film_order', 'member_id'],
  ['ecard_code', 'holder_id'],
  ['redeem_code', 'member_id'],
  ['member', 'inviter_id'],
]
/** What records who did something then, and what has a rule of its own below. */
export const STAYS: typeof MOVES = [
  ['member', 'merged_into'],
  ['points_lot', 'member_id'],
  ['points_ledger', 'member_id'],
  ['growth_ledger', 'member_id'],
  ['level_hold', 'member_id'],
  ['level_notice', 'member_id'],
  ['member_adjust', 'member_id'],
  ['member_tag_of', 'member_id'],
  ['member_closing', 'member_id'],
  ['member_achievement', 'member_id'],
  ['agreement_consent', 'member_id'],
  ['buy_limit_log', 'member_id'],
  ['dist_commission', 'buyer_id'],
  ['ecard_gift', 'from_id'],
  ['ecard_gift', 'to_id'],
  ['ecard_move', 'from_id'],
  ['ecard_move', 'to_id'],
  ['ecard_try', 'member_id'],
  ['film_pull_record', 'member_id'],
  ['live_subscriber', 'member_id'],
  ['redeem_log', 'member_id'],
  ['risk_hit', 'member_id'],
  ['subsidy_log', 'member_id'],
  ['subsidy_flag', 'member_id'],
  ['user_log', 'member_id'],
  ['vip_subscription', 'member_id'],
  ['vip_card_code', 'member_id'],
  ['vip_card_order', 'member_id'],
  ['vip_contract', 'member_id'],
  ['vip_notice', 'member_id'],
  ['sign_record', 'member_id'],
  ['profile_field', 'member_id'],
  ['comment', 'member_id'],
  ['comment_reward', 'member_id'],
  ['user_sanction', 'member_id'],
  ['dist_binding', 'member_id'],
  ['distributor', 'member_id'],
  ['wecom_customer', 'member_id'],
  ['wecom_customer', 'clash_member_id'],
  ['wecom_welcome_send', 'member_id'],
  ['segment_person', 'member_id'],
]

/** Refuses two that sit in one group, in which a member sits once. */
const refuseSameGroup = async (tx: Db, from: number, to: number): Promise<void> => {
  const { rows } = await tx.execute(sql`
    select 1 from "order" a join "order" b on b.roll_group_id = a.roll_group_id and b.member_id = ${to}
    where a.member_id = ${from} and a.pay_state <> 'closed' and a.refund_state <> 'refunded'
      and b.pay_state <> 'closed' and b.refund_state <> 'refunded' limit 1`)
  if (rows.length > 0)
    throw ruled('same_group', [
      '两个账号在同一个拼团中，请等拼团结束后再合并',
      'Both sit in one group buy: merge them once it is over',
    ])
}
const refuseAdjusting = async (tx: Db, ids: readonly number[]): Promise<void> => {
  const [waits] = await tx
    .select({ id: member_adjust.id })
    .from(member_adjust)
    .where(and(inArray(member_adjust.member_id, [...ids]), eq(member_adjust.state, 'pending')))
    .limit(1)
  if (waits)
    throw ruled('adjust_waits', [
      '其中一个账号有待复核的调整，请先处理',
      'An adjustment of one of them waits: decide it first',
    ])
}
/** Bindings of the account that goes: the other one keeps its own of the same role. */
const moveBindings = async (
  tx: Db,
  { from, to, staff_id, now }: { from: number; to: number; staff_id: number; now: number },
): Promise<void> => {
  await tx
    .update(dist_binding)
    .set({
      status: 'unbound',
      end_at: sql`greatest(${now}, ${dist_binding.bind_at} + 1)`,
      end_reason: '账号合并，保留目标账号的绑定',
      ended_by: staff_id,
      version: sql`${dist_binding.version} + 1`,
    })
    .where(
      and(
        eq(dist_binding.member_id, from),
        eq(dist_binding.status, 'active'),
        sql`exists (select 1 from dist_binding o where o.member_id = ${to} and o.role = ${dist_binding.role}
          and o.status = 'active')`,
      ),
    )
  await tx
    .update(dist_binding)
    .set({ member_id: to, version: sql`${dist_binding.version} + 1` })
    .where(and(eq(dist_binding.member_id, from), eq(dist_binding.status, 'active')))
}
/** A seller's account goes along; two of them can't be one. */
const moveSeller = async (tx: Db, from: number, to: number): Promise<void> => {
  const rows = await tx
    .select({ id: distributor.id, member_id: distributor.member_id })
    .from(distributor)
    .where(inArray(distributor.member_id, [from, to]))
  if (rows.some(row => row.member_id === from) && rows.some(row => row.member_id === to))
    throw ruled('both_sellers', [
      '两个账号都是分销员，请先清退其中一个',
      'Both are sellers: let one of them quit first',
    ])
  await tx.update(distributor).set({ member_id: to }).where(eq(distributor.member_id, from))
}
/** Both members, held in the order of their ids, as everybody holds several. */
const holdBoth = async (
  context: WriteContext,
  one: { id: number; version: number },
  to: number,
) => {
  if (one.id === to)
    throw ruled('itself', ['不能与自己合并', 'A member can’t be merged with itself'])
  const first = one.id < to ? undefined : await members.lock(context, to)
  const was = await members.heldFast(context, one)
  const target = first ?? (await members.lock(context, to))
  return { was, target }
}
const mayMerge = (row: Member): void => {
  const may = memberCan('merge', row)
  if (may !== true) throw ruled('wrong_state', [`${row.uid}：${may[0]}`, `${row.uid}: ${may[1]}`])
}

/**
 * Merges an account of a person into another: orders, codes, coupons, bindings and a seller's account
 * change hands, points and growth move by two booking rows each, and no ledger row is rewritten.
 * Refused where both are paid members now, or either can't be dealt with.
 */
export const mergeMember = async (
  context: WriteContext,
  one: { id: number; version: number },
  { target_id, typed_uid, reason }: { target_id: number; typed_uid: string; reason: string },
): Promise<Member> => {
  const { tx, staff, now } = context
  const { was, target } = await holdBoth(context, one, target_id)
  if (typed_uid.toUpperCase() !== was.uid)
    throw ruled(
      'typed_other',
      ['请输入被合并账号的会员号 {uid}', 'Type the number of the one that goes: {uid}'],
      { uid: was.uid },
    )
  mayMerge(was)
  mayMerge(target)
  const isVip = (row: Member): boolean => (row.vip_end_at ?? 0) > now
  if (isVip(was) && isVip(target))
    throw ruled('both_vip', [
      '两个账号都有生效中的付费会员，不能合并',
      'Both have a paid membership in force: they can’t be merged',
    ])
  if (isVip(was))
    throw ruled('vip_goes', [
      '被合并的账号有生效中的付费会员：请反过来合并，保留该账号',
      'The one that would go has a paid membership in force: merge the other way round',
    ])
  await refuseAdjusting(tx, [was.id, target.id])
  await refuseSameGroup(tx, was.id, target.id)
  const biz_no = `MG${was.id}-${target.id}`
  const of = { from: was.id, to: target.id, biz_no, operator_id: staff.id, now }
  await movePoints(tx, of)
  await moveGrowth(tx, of)
  await moveBindings(tx, { ...of, staff_id: staff.id })
  await moveSeller(tx, was.id, target.id)
  await moveCustomer(tx, was.id, target.id)
  for (const [table, column] of MOVES)
    await tx.execute(
      sql`update ${sql.identifier(table)} set ${sql.identifier(column)} = ${target.id}
        where ${sql.identifier(column)} = ${was.id}`,
    )
  // A plan that refuses the one refuses the other too.
  await tx.execute(sql`
    insert into subsidy_flag (plan_id, member_id, reason, admin_id)
    select f.plan_id, ${target.id}, f.reason, f.admin_id from subsidy_flag f where f.member_id = ${was.id}
      and not exists (select 1 from subsidy_flag h where h.plan_id = f.plan_id and h.member_id = ${target.id})`)
  // Whoever was invited by the one is invited by the other; nobody invites themselves.
  await tx
    .update(member)
    .set({ inviter_id: null })
    .where(and(eq(member.id, target.id), eq(member.inviter_id, target.id)))
  await countBoughtOf(tx, [was.id, target.id])
  const held = await members.lock(context, was.id)
  const after = await members.save(
    context,
    held,
    { account_state: 'merged', merged_into: target.id },
    reason,
  )
  const kept = await members.lock(context, target.id)
  await members.set(context, kept, {})
  return after
}
