import { and, eq, ne, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { numberOf } from '#src/areas/order/numbers.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import {
  holdOrder,
  noteOrder,
  recount,
  rulesNow,
  rulesOf,
  system,
  type Actor,
  type Order,
} from '#src/areas/order/orderFacts.server.ts'
import type { OrderRules } from '#src/areas/order/orderRules.ts'
import { codeStateOf, productOf } from '#src/areas/order/orderUnits.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { holdBatch, type Batch } from '#src/areas/raise/raise.server.ts'
import { yuan } from '#src/domain/money.ts'
import { joined, withAside } from '#src/domain/text.ts'
import { HOUR, timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { conflict, missing, ruled } from '#src/server/call/refuse.ts'
import { roll_group } from './group.table.ts'
import { FORCE_MIN, groupEnds, rewardStates, type RewardEnd } from './rollGroup.ts'

export type Group = typeof roll_group.$inferSelect
/** A group and its orders change together: the group is held before any of them. */
export const holdGroup = async (tx: Db, id: number): Promise<Group> => {
  const [row] = await tx.select().from(roll_group).where(eq(roll_group.id, id)).for('update')
  if (!row) throw missing()
  return row
}

/**
 * Holds an order, and its group or campaign before it, as everybody does who may change both.
 * Answers them as they are now.
 */
export const holdWithGroup = async (
  tx: Db,
  order_id: number,
): Promise<{ row: Order; group: Group | undefined; batch: Batch | undefined }> => {
  const [known] = await tx
    .select({ roll_group_id: order.roll_group_id, raise_batch_id: order.raise_batch_id })
    .from(order)
    .where(eq(order.id, order_id))
  if (!known) throw missing()
  const group = known.roll_group_id === null ? undefined : await holdGroup(tx, known.roll_group_id)
  const batch =
    known.raise_batch_id === null ? undefined : await holdBatch(tx, known.raise_batch_id)
  return { row: await holdOrder(tx, order_id), group, batch }
}

/**
 * A group opens, with the time to form that the rules allow: of the day, or those that the order
 * which opens it was made under. Once the sale is over nobody can join: it ends then, an hour from
 * now at the earliest.
 */
export const openGroup = async (
  tx: Db,
  of: Pick<
    Group,
    'product_id' | 'city_id' | 'mall_id' | 'need_n' | 'group_price_cents' | 'single_price_cents'
  > & { leader_free?: boolean; rules?: Pick<OrderRules, 'group_hours'>; now: number },
): Promise<Group> => {
  const {
    now,
    product_id,
    city_id,
    mall_id,
    need_n,
    group_price_cents,
    single_price_cents,
    leader_free = false,
  } = of
  const { group_hours } = of.rules ?? (await rulesNow(tx, 'roll_buy')).rules
  const [sold] = await tx
    .select({ sale_end_at: product.sale_end_at })
    .from(product)
    .where(eq(product.id, product_id))
  const expire_at = Math.max(now + HOUR, Math.min(now + group_hours * HOUR, sold!.sale_end_at))
  const [made] = await tx
    .insert(roll_group)
    .values({
      product_id,
      city_id,
      mall_id,
      need_n,
      group_price_cents,
      single_price_cents,
      leader_free,
      expire_at,
      group_no: numberOf('PT', now),
      state: 'forming',
      created_at: now,
      updated_at: now,
    })
    .returning()
  return made!
}

/** What a group was offered at, as the order that opens it keeps it. */
export type GroupTerms = { need_n: number; single_price_cents: number; leader_free: boolean }
/** The payment of whoever buys to lead opens a group: nobody waits for a leader who never pays. */
export const leadGroup = async (
  tx: Db,
  row: Order,
  rules: OrderRules,
  now: number,
): Promise<Seat> => {
  const [item] = await tx.select().from(order_item).where(eq(order_item.order_id, row.id))
  return takeFirst(tx, {
    product_id: productOf(item!),
    city_id: row.city_id,
    mall_id: row.mall_id,
    group_price_cents: item!.price_cents,
    ...(item!.snapshot['group'] as GroupTerms),
    rules,
    now,
  })
}
export type Seat = { group_id: number; role: 'leader' | 'member'; full: boolean }
const takeFirst = async (tx: Db, of: Parameters<typeof openGroup>[1]): Promise<Seat> => {
  const { id, need_n } = await openGroup(tx, of)
  await tx.update(roll_group).set({ joined_n: 1 }).where(eq(roll_group.id, id))
  return { group_id: id, role: 'leader', full: need_n === 1 }
}

/**
 * A payment takes a seat. Of two last payers at once one joins and the other leads a new group of
 * the same product, by the rules of their order. `full`: this seat was the last.
 */
export const takeSeat = async (
  tx: Db,
  group_id: number,
  rules: OrderRules,
  now: number,
): Promise<Seat> => {
  const group = await holdGroup(tx, group_id)
  const [seated] = await tx
    .update(roll_group)
    .set({
      joined_n: sql`${roll_group.joined_n} + 1`,
      version: sql`${roll_group.version} + 1`,
      updated_at: now,
    })
    .where(
      and(
        eq(roll_group.id, group_id),
        eq(roll_group.state, 'forming'),
        sql`${roll_group.expire_at} > ${now}`,
        sql`${roll_group.joined_n} + ${roll_group.virtual_n} < ${roll_group.need_n}`,
      ),
    )
    .returning()
  if (seated)
    return {
      group_id,
      role: seated.joined_n === 1 ? 'leader' : 'member',
      full: seated.joined_n + seated.virtual_n === seated.need_n,
    }
  return takeFirst(tx, { ...group, rules, now })
}

/**
 * A member sits in a group once: whoever holds the group may ask. An order that is closed or wholly
 * refunded is no seat.
 */
export const refuseSecondSeat = async (
  tx: Db,
  group_id: number,
  member_id: number,
): Promise<void> => {
  const [seat] = await tx
    .select({ order_no: order.order_no })
    .from(order)
    .where(
      and(
        eq(order.roll_group_id, group_id),
        eq(order.member_id, member_id),
        ne(order.pay_state, 'closed'),
        ne(order.refund_state, 'refunded'),
      ),
    )
    .limit(1)
  if (seat)
    throw ruled(
      'one_seat',
      [
        '该会员已在此团中（订单 {no}），不能重复参团',
        'This member is in the group already (order {no})',
      ],
      { no: seat.order_no },
    )
}

/** For whoever came second: how the group ended, when, and by whom. */
const over = async (tx: Db, group: Group) => {
  const [who] =
    group.ended_by === null
      ? []
      : await tx.select({ name: admin.name }).from(admin).where(eq(admin.id, group.ended_by))
  const [zh, en] = groupEnds[group.end_by ?? 'timeout']
  const values = {
    who: who?.name ?? '',
    when: timeFull(group.ended_at ?? group.updated_at),
    zh,
    en,
  }
  return conflict(
    group.state === 'success'
      ? [
          '该团已于 {when} 成团（{zh} {who}），不能再改',
          'It formed at {when} ({en} {who}): that is final',
        ]
      : [
          '该团已于 {when} 结束（{zh} {who}），不能再改',
          'It ended at {when} ({en} {who}): that is final',
        ],
    values,
    group,
  )
}
/** Ends a forming group: whoever ends it first has ended it, the other is told how. */
export const endGroup = async (
  tx: Db,
  group: Group,
  of: {
    state: 'success' | 'failed'
    end_by: NonNullable<Group['end_by']>
    now: number
    virtual_n?: number
    actor?: Actor
    reason?: string | undefined
  },
): Promise<Group> => {
  const by = {
    ended_by: of.actor?.type === 'staff' ? (of.actor.id ?? null) : null,
    end_reason: of.reason ?? null,
  }
  const [after] = await tx
    .update(roll_group)
    .set({
      state: of.state,
      end_by: of.end_by,
      ended_at: of.now,
      ...by,
      ...(of.virtual_n !== undefined && { virtual_n: of.virtual_n }),
      version: sql`${roll_group.version} + 1`,
      updated_at: of.now,
    })
    .where(and(eq(roll_group.id, group.id), eq(roll_group.state, 'forming')))
    .returning()
  if (!after) throw await over(tx, group)
  return after
}

/**
 * The orders that a group holds: paid and not wholly refunded, in the order in which they are held.
 */
export const paidOf = (tx: Db, group_id: number) =>
  tx
    .select({ id: order.id })
    .from(order)
    .where(
      and(
        eq(order.roll_group_id, group_id),
        eq(order.pay_state, 'paid'),
        sql`${order.refund_state} <> 'refunded'`,
      ),
    )
    .orderBy(order.id)

/**
 * A group has formed: the codes of its paid orders come into force and its parcels may go. Forced
 * by staff (`virtual` seats are marked, no order stands behind them) only with two real payers.
 */
export const succeedGroup = async (
  tx: Db,
  group_id: number,
  of: { end_by: 'full' | 'force'; now: number; actor?: Actor; reason?: string },
): Promise<Group> => {
  const { now, actor = system } = of
  const group = await holdGroup(tx, group_id)
  if (of.end_by === 'force' && group.state === 'forming' && group.joined_n < FORCE_MIN)
    throw ruled(
      'too_few',
      ['至少 {min} 人实际付款才能手动成团，现有 {n} 人', 'At least {min} must have paid; {n} have'],
      { min: FORCE_MIN, n: group.joined_n },
    )
  const after = await endGroup(tx, group, {
    state: 'success',
    end_by: of.end_by,
    now,
    actor,
    reason: of.reason,
    ...(of.end_by === 'force' && { virtual_n: group.need_n - group.joined_n }),
  })
  for (const { id } of await paidOf(tx, group_id)) {
    const row = await holdOrder(tx, id)
    for (const code of await tx
      .select()
      .from(order_code)
      .where(
        and(
          eq(order_code.order_id, id),
          eq(order_code.state, 'locked'),
          ne(order_code.kind, 'pickup'),
        ),
      )) {
      await tx
        .update(order_code)
        .set({
          state: codeStateOf({ ...code, state: 'unused' }, now),
          version: code.version + 1,
          updated_at: now,
        })
        .where(eq(order_code.id, code.id))
    }
    const rules = await rulesOf(tx, row)
    await recount(tx, row, {
      event: 'group_success',
      actor,
      now,
      ...(of.reason && { memo: of.reason }),
      data: { group_id },
      set: row.sub_kind === 'express' ? { promise_at: now + rules.ship_promise_h * 3600 } : {},
    })
  }
  return group.leader_free ? await promiseReward(tx, after, { actor, now }) : after
}

/**
 * The people who stay in a formed group: its leader, the last of those who led it, and the others.
 */
const stayingOf = async (tx: Db, group_id: number) => {
  const seats = await tx
    .select({ id: order.id, role: order.group_role })
    .from(order)
    .where(
      and(
        eq(order.roll_group_id, group_id),
        eq(order.pay_state, 'paid'),
        ne(order.refund_state, 'refunded'),
      ),
    )
    .orderBy(order.id)
  const leader = seats.findLast(seat => seat.role === 'leader')?.id
  return { leader, others: seats.filter(seat => seat.id !== leader).length }
}
/** How the reward of a group stands. The group must be held. */
export const setReward = async (
  tx: Db,
  group_id: number,
  now: number,
  set: Pick<Group, 'reward_state'> & Partial<Pick<Group, 'reward_cents'>>,
): Promise<Group> =>
  (
    await tx
      .update(roll_group)
      .set({ ...set, version: sql`${roll_group.version} + 1`, updated_at: now })
      .where(eq(roll_group.id, group_id))
      .returning()
  )[0]!
/** The leader of a group that has formed will go free, if there is one and somebody came along. */
const promiseReward = async (
  tx: Db,
  group: Group,
  of: { actor: Actor; now: number },
): Promise<Group> => {
  const { leader, others } = await stayingOf(tx, group.id)
  if (leader === undefined || others === 0) return group
  await noteOrder(tx, {
    order_id: leader,
    event: 'reward',
    actor: of.actor,
    at: of.now,
    memo: joined(['已成团，全团完成后返还', 'It has formed: paid once all of it is through']),
    data: { group_id: group.id },
  })
  return setReward(tx, group.id, of.now, { reward_state: 'due' })
}
/**
 * Somebody of a group has all the money back: nobody is rewarded for leading nobody. What was not
 * paid yet is not earned; what was, the leader owes. The group must be held.
 */
export const loseReward = async (tx: Db, group_id: number, now: number): Promise<void> => {
  const group = await holdGroup(tx, group_id)
  if (group.reward_state !== 'due' && group.reward_state !== 'paid') return
  const { leader, others } = await stayingOf(tx, group_id)
  if (leader !== undefined && others > 0) return
  if (group.reward_state === 'due') {
    await setReward(tx, group_id, now, { reward_state: 'none' })
    return
  }
  // A leader who gave back what was bought has had no more than the rest of its price.
  if (leader === undefined) return
  await setReward(tx, group_id, now, { reward_state: 'clawed' })
  await noteOrder(tx, {
    order_id: leader,
    event: 'reward_back',
    actor: system,
    at: now,
    memo: joined([
      `其他成员均已退款，应追回 ${yuan(group.reward_cents ?? 0)} 元`,
      `The others were all refunded: ¥${yuan(group.reward_cents ?? 0)} are to be taken back`,
    ]),
    data: { group_id, amount_cents: group.reward_cents },
  })
}

/**
 * What a leader owes is settled: the money was handed back, or it is given up, which nobody does
 * above what they may refund alone. Whoever comes second is told so.
 */
export const endReward = async (
  tx: Db,
  of: {
    group_id: number
    as: RewardEnd
    by: { id: number; limit_cents: number }
    reason: string
    now: number
  },
): Promise<{ before: Group; after: Group }> => {
  const before = await holdGroup(tx, of.group_id)
  if (before.reward_state !== 'clawed')
    throw ruled(
      'nothing_owed',
      ['没有待追回的团长免单（现为「{zh}」）', 'No reward is to be taken back (it is “{en}”)'],
      { zh: rewardStates[before.reward_state][0], en: rewardStates[before.reward_state][1] },
    )
  const owed = before.reward_cents ?? 0
  if (of.as === 'waived' && owed > of.by.limit_cents)
    throw ruled('limit', ['金额超过你的审批额度 {max} 元', 'It is above your limit of ¥{max}'], {
      max: yuan(of.by.limit_cents),
    })
  const after = await setReward(tx, of.group_id, of.now, { reward_state: of.as })
  const { leader } = await stayingOf(tx, of.group_id)
  if (leader !== undefined)
    await noteOrder(tx, {
      order_id: leader,
      event: 'reward_back',
      actor: { type: 'staff', id: of.by.id },
      at: of.now,
      memo: joined([
        `${rewardStates[of.as][0]} ${yuan(owed)} 元：${of.reason}`,
        `${rewardStates[of.as][1]} ¥${yuan(owed)}: ${of.reason}`,
      ]),
      data: { group_id: of.group_id, amount_cents: owed },
    })
  return { before, after }
}

/** More time for a forming group, up to the end of the product's sale. */
export const extendGroup = async (
  tx: Db,
  of: {
    group_id: number
    until: number
    sale_end_at: number
    actor: Actor
    reason: string
    now: number
  },
): Promise<Group> => {
  const group = await holdGroup(tx, of.group_id)
  if (group.state !== 'forming') throw await over(tx, group)
  if (of.until <= group.expire_at)
    throw ruled(
      'not_later',
      ['只能延长：须晚于现在的截止时间 {when}', 'Only longer: later than {when}'],
      { when: timeFull(group.expire_at) },
    )
  if (of.until > of.sale_end_at)
    throw ruled(
      'after_sale',
      ['不能超过商品的售卖截止时间 {when}', 'Not past the end of the product’s sale, {when}'],
      { when: timeFull(of.sale_end_at) },
    )
  const [after] = await tx
    .update(roll_group)
    .set({
      expire_at: of.until,
      extended: true,
      version: sql`${roll_group.version} + 1`,
      updated_at: of.now,
    })
    .where(eq(roll_group.id, of.group_id))
    .returning()
  for (const { id } of await paidOf(tx, of.group_id))
    await noteOrder(tx, {
      order_id: id,
      event: 'group_extend',
      actor: of.actor,
      at: of.now,
      memo: joined(withAside(of.reason, timeFull(of.until))),
    })
  return after!
}

/**
 * A payer of a group got all the money back: the seat of one that forms is free again, and one that
 * has formed has a member less. The group must be held.
 */
export const freeSeat = (tx: Db, group_id: number, now: number) =>
  tx
    .update(roll_group)
    .set({
      joined_n: sql`${roll_group.joined_n} - 1`,
      version: sql`${roll_group.version} + 1`,
      updated_at: now,
    })
    .where(
      and(
        eq(roll_group.id, group_id),
        ne(roll_group.state, 'failed'),
        sql`${roll_group.joined_n} > 0`,
      ),
    )
