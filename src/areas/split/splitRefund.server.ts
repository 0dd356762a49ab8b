import { eq } from 'drizzle-orm'
import { yuan } from '#src/domain/money.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { dist_split_order } from './split.table.ts'
import { openSplits, splitStates, type SplitState } from './split.ts'

/**
 * Refuses to take back the use of an order that the channel shares or has shared: its lines would be
 * paid for though nobody used them. 422 `shared`.
 */
export const refuseWhileShared = async (tx: Db, order_id: number): Promise<void> => {
  const [split] = await tx
    .select()
    .from(dist_split_order)
    .where(eq(dist_split_order.order_id, order_id))
  if (split)
    throw ruled('shared', [
      `订单已进入分账（${split.split_no}），不能撤销核销；请在“分账订单”中回退后退款`,
      `Its money is being shared (${split.split_no}): give the shares back and refund it instead`,
    ])
}
/**
 * Refuses to give back money of an order that the channel shares or has shared, until so much of it
 * was given back there: 422 `shared`. What was unfrozen is the merchant's, who is asked for it.
 */
export const refuseShared = async (tx: Db, order_id: number, cents: number): Promise<void> => {
  const [split] = await tx
    .select()
    .from(dist_split_order)
    .where(eq(dist_split_order.order_id, order_id))
  if (!split || split.status === 'unfrozen') return
  const [zh, en] = splitStates[split.status]
  if ((openSplits as readonly SplitState[]).includes(split.status))
    throw ruled('shared', [
      `订单${zh}，不能退款；请先在“分账订单”中等它完成并回退，或解冻剩余资金`,
      `Its profit sharing is ${en.toLowerCase()}: let it finish and give the shares back, or unfreeze it`,
    ])
  const missing = cents - split.returned_cents
  if (missing > 0)
    throw ruled('shared', [
      `订单已分账，请先在“分账订单”中回退 ${yuan(missing)} 元再退款`,
      `Its money is shared: give ¥${yuan(missing)} of the shares back first`,
    ])
}
