/** What an order of a membership does when it is paid, closed or refunded: asked by the order area. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { order_item } from '#src/areas/order/order.table.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { keptWords } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { endGifts, giveGifts } from './gifts.server.ts'
import { notRenewing, openOrExtend, takeBackPeriod } from './subscriptions.server.ts'
import { vip_card, vip_card_order as v, vip_contract, vip_subscription } from './vipCard.table.ts'

export type VipOrder = typeof v.$inferSelect
/** The purchase that an order is of; none of an order of another kind. */
const purchaseOf = async (tx: Db, order_id: number): Promise<VipOrder | undefined> =>
  (await tx.select().from(v).where(eq(v.order_id, order_id)))[0]

const sayIssued = (tx: Db, order_id: number, why: string | null) =>
  tx
    .update(order_item)
    .set({
      issue_state: why === null ? 'issued' : 'failed',
      issue_note: why,
      version: sql`${order_item.version} + 1`,
    })
    .where(eq(order_item.order_id, order_id))
/** Opens the period that was bought, ends the cheaper plan that paid a part of it, gives coupons. */
const open = async (tx: Db, bought: VipOrder, now: number): Promise<void> => {
  const { member_id, card_id, days, pay_cents } = bought
  const how = bought.kind
  const { subscription, ...period } = await openOrExtend(tx, {
    member_id,
    card_id,
    days,
    how,
    paid_cents: pay_cents,
    now,
  })
  await tx
    .update(v)
    .set({
      ...period,
      subscription_id: subscription.id,
      version: sql`${v.version} + 1`,
      updated_at: now,
    })
    .where(eq(v.id, bought.id))
  if (bought.credit_of !== null) {
    await takeBackPeriod(tx, bought.credit_of, now)
    // The contract of the cheaper plan is over with it; the clock tells the channel.
    await tx
      .update(vip_subscription)
      .set(notRenewing)
      .where(eq(vip_subscription.id, subscription.id))
  }
  if (bought.contract_id !== null && how === 'buy')
    await tx
      .update(vip_contract)
      .set({ ask_at: now, updated_at: now })
      .where(and(eq(vip_contract.id, bought.contract_id), eq(vip_contract.state, 'asked')))
  await giveGifts(tx, bought, now)
}
/**
 * Opens what an order that is being paid bought; the order is held. What can't be opened (the
 * account was closed meanwhile) is said of the order, and the clock gives its money back.
 */
export const openPlan = async (tx: Db, row: Pick<Order, 'id'>, now: number): Promise<void> => {
  const bought = (await purchaseOf(tx, row.id))!
  try {
    await tx.transaction(inner => open(inner, bought, now))
    await sayIssued(tx, row.id, null)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await sayIssued(tx, row.id, keptWords([error.in('zh'), error.in('en')]))
  }
}
/** A purchase that is not paid gives its piece of the plan and its credit free; the order is held. */
export const releasePlan = async (tx: Db, order_id: number, now: number): Promise<void> => {
  const bought = await purchaseOf(tx, order_id)
  if (!bought || bought.kind !== 'buy') return
  await tx
    .update(vip_card)
    .set({ sold_count: sql`greatest(0, ${vip_card.sold_count} - 1)` })
    .where(eq(vip_card.id, bought.card_id))
  await tx
    .update(v)
    .set({ credit_of: null, version: sql`${v.version} + 1`, updated_at: now })
    .where(eq(v.id, bought.id))
  if (bought.contract_id !== null)
    await tx
      .update(vip_contract)
      .set({
        state: 'ended',
        ended_at: now,
        end_reason: keptWords(['订单未支付', 'The order was not paid']),
        ask_at: null,
      })
      .where(and(eq(vip_contract.id, bought.contract_id), eq(vip_contract.state, 'asked')))
}
/** Whoever gives up a membership gives up what was free of it too. */
const endFree = async (tx: Db, subscription_id: number, now: number): Promise<void> => {
  const free = await tx
    .select({ id: v.id })
    .from(v)
    .where(and(eq(v.subscription_id, subscription_id), isNull(v.order_id), isNull(v.ended_at)))
    .orderBy(v.id)
  for (const { id } of free) await takeBackPeriod(tx, id, now)
}
/**
 * The money of a refund is with its payer: so many days are taken back, and the coupons that were
 * not used. The order is held. Nothing of money that only came too late.
 */
export const endPlan = async (
  tx: Db,
  held: Pick<Order, 'id' | 'kind'>,
  of: { days: number; amount_cents: number; now: number },
): Promise<void> => {
  if (held.kind !== 'vip_card' || of.days === 0) return
  const bought = (await purchaseOf(tx, held.id))!
  if (bought.subscription_id === null) return
  await takeBackPeriod(tx, bought.id, of.now, of.days)
  await endGifts(tx, bought, 'revoked')
  await tx
    .update(vip_subscription)
    .set({ paid_cents: sql`greatest(0, ${vip_subscription.paid_cents} - ${of.amount_cents})` })
    .where(eq(vip_subscription.id, bought.subscription_id))
  if (bought.leaving) await endFree(tx, bought.subscription_id, of.now)
}
/** A refund comes to nothing: what it held back is free again. */
export const keepPlan = async (tx: Db, held: Pick<Order, 'id' | 'kind'>): Promise<void> => {
  if (held.kind !== 'vip_card') return
  const bought = (await purchaseOf(tx, held.id))!
  await endGifts(tx, bought, 'unused')
  if (bought.leaving) await tx.update(v).set({ leaving: false }).where(eq(v.id, bought.id))
}
