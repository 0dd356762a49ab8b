import { and, eq, inArray, sql } from 'drizzle-orm'
import { dist_binding } from '#src/areas/binding/binding.table.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { moveGrowth } from '#src/areas/level/growth.server.ts'
import { movePoints } from '#src/areas/points/points.server.ts'
import { moveCustomer } from '#src/areas/wecom/matching.server.ts'
import { joined } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { countBoughtOf } from './bought.server.ts'
import { member_adjust } from './care.table.ts'
import { member } from './member.table.ts'
import { memberCan } from './member.ts'
import { members, type Member } from './members.server.ts'
import { member_merge, type MergeTrail, type MovedRows } from './merge.table.ts'
import { asksSecond, mergeNo } from './merge.ts'
import { moveMoney } from './mergeMoney.server.ts'
import { standingOf } from './mergeStanding.server.ts'

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
  ['member_merge', 'from_id'],
  ['member_merge', 'to_id'],
  ['customer_dup', 'keep_id'],
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
  ['ecard_purchase', 'member_id'],
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
): Promise<{ ended: number[]; moved: number[] }> => {
  const ended = await tx
    .update(dist_binding)
    .set({
      status: 'unbound',
      end_at: sql`greatest(${now}, ${dist_binding.bind_at} + 1)`,
      end_reason: joined([
        '账号合并，保留目标账号的绑定',
        'Accounts merged: the binding of the one that stays is kept',
      ]),
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
    .returning({ id: dist_binding.id })
  const moved = await tx
    .update(dist_binding)
    .set({ member_id: to, version: sql`${dist_binding.version} + 1` })
    .where(and(eq(dist_binding.member_id, from), eq(dist_binding.status, 'active')))
    .returning({ id: dist_binding.id })
  return { ended: ended.map(row => row.id), moved: moved.map(row => row.id) }
}
/** A seller's account goes along; two of them can't be one. */
const moveSeller = async (tx: Db, from: number, to: number): Promise<number[]> => {
  const rows = await tx
    .select({ id: distributor.id, member_id: distributor.member_id })
    .from(distributor)
    .where(inArray(distributor.member_id, [from, to]))
  if (rows.some(row => row.member_id === from) && rows.some(row => row.member_id === to))
    throw ruled('both_sellers', [
      '两个账号都是分销员，请先清退其中一个',
      'Both are sellers: let one of them quit first',
    ])
  const moved = await tx
    .update(distributor)
    .set({ member_id: to })
    .where(eq(distributor.member_id, from))
    .returning({ id: distributor.id })
  return moved.map(row => row.id)
}
/** Rows of the tables that go along, by their ids. */
const moveRows = async (tx: Db, from: number, to: number): Promise<MovedRows[]> => {
  const moved: MovedRows[] = []
  for (const [table, column] of MOVES) {
    const { rows } = await tx.execute<{ id: number }>(
      sql`update ${sql.identifier(table)} set ${sql.identifier(column)} = ${to}
        where ${sql.identifier(column)} = ${from} returning id`,
    )
    if (rows.length > 0) moved.push({ table, column, ids: rows.map(row => row.id) })
  }
  return moved
}
/** A plan that refuses the one refuses the other too. Answers the plans that do so only now. */
const copyFlags = async (tx: Db, from: number, to: number): Promise<number[]> => {
  const { rows } = await tx.execute<{ plan_id: number }>(sql`
    insert into subsidy_flag (plan_id, member_id, reason, admin_id)
    select f.plan_id, ${to}, f.reason, f.admin_id from subsidy_flag f where f.member_id = ${from}
      and not exists (select 1 from subsidy_flag h where h.plan_id = f.plan_id and h.member_id = ${to})
    returning plan_id`)
  return rows.map(row => row.plan_id)
}
/** The tags of both: the account that goes keeps its own. Answers those that the other had not. */
const uniteTags = async (tx: Db, from: number, to: number): Promise<number[]> => {
  const { rows } = await tx.execute<{ tag_id: number }>(sql`
    insert into member_tag_of (member_id, tag_id, by_id, at)
    select ${to}, o.tag_id, o.by_id, o.at from member_tag_of o where o.member_id = ${from}
    on conflict do nothing returning tag_id`)
  return rows.map(row => row.tag_id)
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

/** Refuses two of whom one can't go into the other now. */
const refuseMerge = async (
  { tx, now }: WriteContext,
  { was, target }: { was: Member; target: Member },
): Promise<void> => {
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
}

/**
 * Moves all that is one member's to another, both of whom are held: orders, codes, coupons, tags,
 * bindings and a seller's account change hands, points, growth and money move by booking rows of
 * their own, and no ledger row is rewritten. Refused where both are paid members now, or either
 * can't be dealt with. What moved is kept, so that the merge can be taken back (`unmergeMember`);
 * the money is moved last. Answers the number of the merge and the account that went.
 */
export const mergeHeld = async (
  context: WriteContext,
  { was, target }: { was: Member; target: Member },
  reason: string,
): Promise<{ merge_id: number; after: Member }> => {
  const { tx, staff, now } = context
  await refuseMerge(context, { was, target })
  const [merge] = await tx
    .insert(member_merge)
    .values({ from_id: was.id, to_id: target.id, by_id: staff.id, reason, merged_at: now })
    .returning({ id: member_merge.id })
  const biz_no = mergeNo(merge!.id)
  const of = { from: was.id, to: target.id, biz_no, operator_id: staff.id, now }
  const points = await movePoints(tx, of)
  const growth = await moveGrowth(tx, of)
  const bindings = await moveBindings(tx, { ...of, staff_id: staff.id })
  const sellers = await moveSeller(tx, was.id, target.id)
  const customer = await moveCustomer(tx, was.id, target.id)
  const rows = await moveRows(tx, was.id, target.id)
  const plans = await copyFlags(tx, was.id, target.id)
  const tags = await uniteTags(tx, was.id, target.id)
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
  const money = await moveMoney(tx, { ...of, merge_id: merge!.id })
  const trail: MergeTrail = {
    rows,
    points,
    growth,
    bindings,
    sellers,
    customer,
    plans,
    tags,
    ...money,
  }
  await tx.update(member_merge).set({ trail }).where(eq(member_merge.id, merge!.id))
  return { merge_id: merge!.id, after }
}

/** Merges an account of a person into another, on one person's word (`mergeHeld`). */
export const mergeMember = async (
  context: WriteContext,
  one: { id: number; version: number },
  { target_id, typed_uid, reason }: { target_id: number; typed_uid: string; reason: string },
): Promise<Member> => {
  const { tx, now } = context
  const { was, target } = await holdBoth(context, one, target_id)
  if (typed_uid.toUpperCase() !== was.uid)
    throw ruled(
      'typed_other',
      ['请输入被合并账号的会员号 {uid}', 'Type the number of the one that goes: {uid}'],
      { uid: was.uid },
    )
  const standing = await standingOf(tx, [was.id, target.id], now)
  if (asksSecond([...standing.values()]))
    throw ruled('merge_second', [
      '双方都有余额，或有处理中的提现、生效中的处罚：请到“客户去重”申请合并，由另一人复核',
      'There is money on both sides, an open withdrawal or a sanction: ask for it under duplicates, where another person approves',
    ])
  return (await mergeHeld(context, { was, target }, reason)).after
}
