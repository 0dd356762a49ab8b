import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { holdOrder, system, type Actor } from '#src/areas/order/orderFacts.server.ts'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import { earlierLines, type Refund } from '#src/areas/refund/refundFacts.server.ts'
import { itemLine } from '#src/areas/refund/refundLines.ts'
import { openRefund, type Decider } from '#src/areas/refund/refunds.server.ts'
import { yuan } from '#src/domain/money.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { lockGifts } from './gifts.server.ts'
import type { VipOrder } from './orderHooks.server.ts'
import { vip_card_order as v } from './vipCard.table.ts'
import { vipOrderFacts, type VipOrderFacts } from './vipFacts.server.ts'
import { daysFor, vipOrderCan } from './vipOrder.ts'

export type GivingBack = {
  vip_order_id: number
  /** So much of what may go back (cents); all of it unless said. */
  amount_cents?: number | undefined
  reason: string
  /** The membership is given up with it, and what was free of it. */
  leaving: boolean
  actor: Actor
  by: Decider
  idem_key: string
  now: number
}
/** A dearer plan that this purchase is to pay a part of, and that nobody has paid: it is closed. */
const closeUpgrade = async (tx: Db, of: { id: number; actor: Actor; now: number }) => {
  const [upgrade] = await tx.select({ order_id: v.order_id }).from(v).where(eq(v.credit_of, of.id))
  if (upgrade)
    await closeUnpaid(tx, upgrade.order_id!, of.now, {
      type: 'system',
      actor: system,
      reason: joined([
        '抵扣的购卡订单申请退款',
        'The plan that paid a part of it is being refunded',
      ]),
    })
}
const readOf = async (tx: Db, id: number): Promise<VipOrder> => {
  const [row] = await tx.select().from(v).where(eq(v.id, id))
  if (!row) throw missing()
  return row
}
/** Throws 422 where a purchase gives nothing back now, or less than is asked. */
const refuseGiving = (row: VipOrder, facts: VipOrderFacts, asked: number | undefined): void => {
  const may = vipOrderCan('refund', { ...row, ...facts })
  if (may !== true)
    throw ruled(facts.state === 'refunding' ? 'refund_running' : 'not_refundable', may)
  if (asked !== undefined && asked > facts.refundable.cents)
    throw ruled('too_much', ['按退款规则最多可退 {max} 元', 'At most ¥{max} by its rules'], {
      max: yuan(facts.refundable.cents),
    })
}
/**
 * Gives money of a purchase back, by the rules its plan was sold under: never more than was paid
 * less what went back, nor what its used coupons were worth. The whole days that go with it, and its
 * unused coupons, are taken back with the money; until then the coupons can't be used. Throws 422
 * with the rule that refuses, a second refund while one runs among them.
 */
export const giveBackPlan = async (tx: Db, of: GivingBack): Promise<Refund> => {
  const { now } = of
  const { order_id } = await readOf(tx, of.vip_order_id)
  if (order_id === null) {
    const row = await readOf(tx, of.vip_order_id)
    refuseGiving(row, (await vipOrderFacts(tx, [row.id], now)).get(row.id)!, of.amount_cents)
  }
  await holdOrder(tx, order_id!)
  await closeUpgrade(tx, { id: of.vip_order_id, actor: of.actor, now })
  const row = await readOf(tx, of.vip_order_id)
  await lockGifts(tx, row, now)
  const facts = (await vipOrderFacts(tx, [row.id], now)).get(row.id)!
  refuseGiving(row, facts, of.amount_cents)
  const wanted = of.amount_cents ?? facts.refundable.cents
  const qty = daysFor(wanted, {
    most_cents: facts.refundable.cents,
    days: row.refund_policy === 'unused_7d' ? row.days : facts.days_left,
    left: facts.days_left,
  })
  const [item] = await tx.select().from(order_item).where(eq(order_item.order_id, order_id!))
  const earlier = await earlierLines(tx, order_id!)
  const { share_cents } = itemLine(item!, { qty, type: 'refund_only', earlier })
  if (row.leaving !== of.leaving)
    await tx.update(v).set({ leaving: of.leaving }).where(eq(v.id, row.id))
  return openRefund(tx, {
    order_id: order_id!,
    wanted: { items: [{ id: item!.id, qty }] },
    source: 'staff',
    reason: of.reason,
    amount_cents: Math.min(wanted, share_cents),
    actor: of.actor,
    by: of.by,
    plan: true,
    idem_key: of.idem_key,
    now,
  })
}
/** What a membership is made of that money may go back for, the first bought first. */
export const purchasesOf = (tx: Db, subscription_id: number): Promise<VipOrder[]> =>
  tx
    .select()
    .from(v)
    .where(and(eq(v.subscription_id, subscription_id), isNotNull(v.order_id)))
    .orderBy(v.order_id)

const SOME = 50
/**
 * Gives back what was paid and could not be opened, all of it; once for each order. Answers how
 * many. Unix seconds.
 */
export const returnUnopened = async (tx: Db, now: number): Promise<number> => {
  const rows = await tx
    .select({ id: order.id, order_no: order.order_no })
    .from(order)
    .where(
      and(
        eq(order.kind, 'vip_card'),
        eq(order.fulfil_state, 'issue_failed'),
        inArray(order.refund_state, ['none']),
      ),
    )
    .orderBy(order.id)
    .limit(SOME)
  for (const { id, order_no } of rows)
    await openRefund(tx, {
      order_id: id,
      wanted: 'all',
      source: 'system',
      cause: 'compensate',
      reason: joined([
        '会员未能开通，自动退回',
        'It could not be opened: the money goes back by itself',
      ]),
      actor: system,
      plan: true,
      idem_key: `unopened:${order_no}`,
      now,
    })
  return rows.length
}
