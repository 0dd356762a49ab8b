import { and, eq } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import { cancelTypes } from '#src/areas/order/order.ts'
import { holdOrder, noteOrder, system, type Actor } from '#src/areas/order/orderFacts.server.ts'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { endGroup, holdGroup, paidOf, type Group } from './groups.server.ts'

/**
 * A group has failed: by the clock, or because staff dissolve it. Its payers get all their money
 * back, its unpaid seats are closed. A frozen order waits until it is free (`refundFailed`).
 */
export const failGroup = async (
  tx: Db,
  group_id: number,
  of: { end_by: 'timeout' | 'dissolve'; now: number; actor?: Actor; reason?: string },
): Promise<Group> => {
  const group = await holdGroup(tx, group_id)
  const actor = of.actor ?? system
  const after = await endGroup(tx, group, {
    state: 'failed',
    end_by: of.end_by,
    now: of.now,
    actor,
    reason: of.reason,
  })
  for (const { id } of await paidOf(tx, group_id))
    await noteOrder(tx, {
      order_id: id,
      event: 'group_fail',
      actor,
      at: of.now,
      memo: of.reason ?? '',
      data: { group_id },
    })
  for (const { id } of await tx
    .select({ id: order.id })
    .from(order)
    .where(and(eq(order.roll_group_id, group_id), eq(order.pay_state, 'unpaid')))
    .orderBy(order.id))
    await closeUnpaid(tx, id, of.now, {
      type: 'system',
      actor,
      reason: of.reason ?? joined(cancelTypes.group_fail),
      cancel_type: 'group_fail',
    })
  await refundFailed(tx, group_id, { now: of.now, actor, ...(of.reason && { reason: of.reason }) })
  return after
}
/**
 * Opens the refunds that a failed group still owes: once an order, however often it is asked.
 * Answers how many. The group must be held.
 */
export const refundFailed = async (
  tx: Db,
  group_id: number,
  of: { now: number; actor: Actor; reason?: string },
): Promise<number> => {
  let n = 0
  for (const { id } of await paidOf(tx, group_id)) {
    const row = await holdOrder(tx, id)
    if (row.frozen || row.refund_state === 'refunding') continue
    await openRefund(tx, {
      order_id: id,
      wanted: 'all',
      source: 'system',
      cause: 'group_fail',
      reason: of.reason ?? joined(['拼团失败，自动退款', 'The group failed: refunded by itself']),
      freight: true,
      actor: of.actor,
      idem_key: `group:${group_id}:${id}`,
      now: of.now,
    })
    n++
  }
  return n
}
