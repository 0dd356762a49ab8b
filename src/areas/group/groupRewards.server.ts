import { and, eq, sql } from 'drizzle-orm'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { holdOrder, system } from '#src/areas/order/orderFacts.server.ts'
import { partOf } from '#src/areas/order/orderMoney.ts'
import { rulesAtFirst } from '#src/areas/order/orderRules.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { isOpen } from '#src/areas/refund/refund.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { joined } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { roll_group } from './group.table.ts'
import { holdGroup, setReward } from './groups.server.ts'

/**
 * Groups all of whose orders are through, and for so long that nothing of them can be taken back or
 * refunded by itself any more: as long as their money was on hold, and what expired is paid back.
 * Whoever led them goes free now.
 */
export const rewardsDue = async (db: Db, now: number, most: number): Promise<number[]> => {
  const rule = (name: 'hold_days' | 'expired_refund_days') =>
    sql`coalesce((c.fields->>${name})::int, ${rulesAtFirst[name]}::int)`
  const rows = await db
    .select({ id: roll_group.id })
    .from(roll_group)
    .where(
      and(
        eq(roll_group.reward_state, 'due'),
        sql`not exists (
    select 1 from "order" o left join order_config c on c.scope = o.kind and c.version_no = o.config_version where o.roll_group_id = "roll_group"."id" and o.pay_state = 'paid' and o.refund_state <> 'refunded'
      and (o.frozen or o.refund_state = 'refunding' or o.fulfil_state not in ('finished', 'expired') or o.finished_at + greatest(${rule('hold_days')}, ${rule('expired_refund_days')}) * ${DAY} > ${now}))`,
      ),
    )
    .orderBy(roll_group.id)
    .limit(most)
  return rows.map(row => row.id)
}
/**
 * Pays the leader of a group what one unit cost, by the way it was paid: once, and never more than
 * is left of the payment. False where nothing is due (any more).
 */
export const payReward = async (tx: Db, group_id: number, now: number): Promise<boolean> => {
  const group = await holdGroup(tx, group_id)
  if (group.reward_state !== 'due') return false
  const seats = await tx
    .select({ id: order.id, role: order.group_role, refund_state: order.refund_state })
    .from(order)
    .where(and(eq(order.roll_group_id, group_id), eq(order.pay_state, 'paid')))
    .orderBy(order.id)
  const leader = seats.findLast(seat => seat.role === 'leader' && seat.refund_state !== 'refunded')
  if (!leader) {
    await setReward(tx, group_id, now, { reward_state: 'none' })
    return false
  }
  const row = await holdOrder(tx, leader.id)
  const [item] = await tx
    .select()
    .from(order_item)
    .where(eq(order_item.order_id, row.id))
    .orderBy(order_item.id)
  const [paid] = await tx
    .select()
    .from(payment)
    .where(
      and(eq(payment.order_id, row.id), eq(payment.direction, 'in'), eq(payment.state, 'success')),
    )
    .orderBy(payment.id)
  const open = (
    await tx
      .select({ state: refund.state, cents: refund.amount_cents })
      .from(refund)
      .where(eq(refund.order_id, row.id))
  )
    .filter(one => isOpen(one.state))
    .reduce((sum, one) => sum + one.cents, 0)
  const cents = Math.min(
    partOf(item!.pay_cents, item!.qty, 1),
    row.paid_cents - row.refunded_cents - open,
  )
  if (row.frozen) return false
  if (!paid || cents <= 0) {
    await setReward(tx, group_id, now, { reward_state: 'none' })
    return false
  }
  await openRefund(tx, {
    order_id: row.id,
    wanted: 'all',
    source: 'system',
    cause: 'leader_free',
    reason: joined(['团长免单：全团已完成', 'Free for the leader: all of the group is through']),
    money: { cents, payment_id: paid.id },
    actor: system,
    idem_key: `reward:${group_id}`,
    now,
  })
  await setReward(tx, group_id, now, { reward_state: 'paid', reward_cents: cents })
  return true
}
