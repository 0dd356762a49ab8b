import { and, eq, inArray } from 'drizzle-orm'
import { payment } from '#src/areas/payment/payment.table.ts'
import { yuan } from '#src/domain/money.ts'
import { explained } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { order_item } from './order.table.ts'
import { holdOrder, recount, rulesOf, type Actor, type Order } from './orderFacts.server.ts'
import { adjusted, adjustFault } from './orderMoney.ts'
import { orderCan } from './orderVerbs.ts'

/**
 * Another price for an order that is not paid, once: spread over its items to the cent. The payment
 * that was asked for is closed and another asked for in its place, by a number of its own; what
 * still comes in by the old one goes back (`receivePayment`).
 */
export const adjustPrice = async (
  tx: Db,
  of: { order_id: number; adjust_cents: number; actor: Actor; reason: string; now: number },
): Promise<Order> => {
  const { now, adjust_cents } = of
  const row = await holdOrder(tx, of.order_id)
  const may = orderCan('adjustPrice', row)
  if (may !== true) throw ruled('not_adjustable', may)
  const rules = await rulesOf(tx, row)
  if (!rules.allow_adjust)
    throw ruled('no_adjust', [
      '该类订单的规则不允许改价',
      'The rules of its kind allow no change of price',
    ])
  const fault = adjustFault(row, adjust_cents, rules.adjust_max_bp)
  if (fault) throw ruled('adjust_bounds', fault)
  const items = await tx
    .select()
    .from(order_item)
    .where(eq(order_item.order_id, row.id))
    .orderBy(order_item.id)
  const pays = adjusted(
    items.map(item => item.pay_cents),
    adjust_cents,
  )
  for (const [at, item] of items.entries())
    await tx
      .update(order_item)
      .set({ pay_cents: pays[at]!, version: item.version + 1, updated_at: now })
      .where(eq(order_item.id, item.id))
  const pay_cents = row.pay_cents + adjust_cents
  const [asked] = await tx
    .update(payment)
    .set({ state: 'closed', updated_at: now })
    .where(
      and(
        eq(payment.order_id, row.id),
        eq(payment.direction, 'in'),
        inArray(payment.state, ['pending']),
      ),
    )
    .returning()
  await tx.insert(payment).values({
    order_id: row.id,
    direction: 'in',
    stage: 'full',
    channel: asked?.channel ?? 'embedded',
    amount_cents: pay_cents,
    out_no: `${row.order_no}-2`,
    state: 'pending',
    created_at: now,
    updated_at: now,
  })
  return recount(tx, row, {
    event: 'adjust',
    actor: of.actor,
    now,
    memo: explained(`¥${yuan(row.pay_cents)} → ¥${yuan(pay_cents)}`, of.reason),
    data: { adjust_cents },
    set: { adjust_cents, pay_cents },
  })
}
