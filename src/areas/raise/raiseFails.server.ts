import { and, eq, inArray, sql } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import { cancelTypes } from '#src/areas/order/order.ts'
import { noteOrders, system, type Actor } from '#src/areas/order/orderFacts.server.ts'
import { closeBalance, closeUnpaid } from '#src/areas/order/trade.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { endRaising, holdBatch, raisedNow, succeedRaise, type Batch } from './raise.server.ts'
import { raise_batch } from './raise.table.ts'
import { isMet } from './raise.ts'

/**
 * Orders of failed campaigns whose money was not asked back yet: a frozen one waits until it is
 * free, one in refund until that is decided.
 */
export const owedByFailed = (db: Db, limit: number, batch_id?: number): Promise<{ id: number }[]> =>
  db
    .select({ id: order.id })
    .from(order)
    .innerJoin(raise_batch, eq(raise_batch.id, order.raise_batch_id))
    .where(
      and(
        eq(order.kind, 'raise'),
        eq(order.fulfil_state, 'waiting_group'),
        eq(raise_batch.state, 'failed'),
        inArray(order.pay_state, ['paid', 'part_paid']),
        inArray(order.refund_state, ['none', 'part_refunded']),
        eq(order.frozen, false),
        batch_id === undefined ? undefined : eq(raise_batch.id, batch_id),
      ),
    )
    .orderBy(order.id)
    .limit(limit)
/**
 * Everything that one payer of a failed campaign paid goes back, deposit and freight included:
 * once, however often it is asked.
 */
export const refundFailedRaise = (
  tx: Db,
  of: { order_id: number; actor: Actor; reason?: string | undefined; now: number },
) =>
  openRefund(tx, {
    order_id: of.order_id,
    wanted: 'all',
    source: 'system',
    cause: 'raise_fail',
    reason: of.reason ?? joined(['众筹失败，自动退款', 'The presale failed: refunded by itself']),
    freight: true,
    actor: of.actor,
    idem_key: `raise:${of.order_id}`,
    now: of.now,
  })

/**
 * So many are paid back in the step that ends a campaign; the clock sees to the rest, each for
 * itself.
 */
const AT_ONCE = 40
/**
 * A campaign has failed: by the clock, or because staff close it. Its unpaid orders are closed, its
 * payers get everything back.
 */
export const failRaise = async (
  tx: Db,
  batch_id: number,
  of: { end_by: 'timeout' | 'close'; now: number; actor?: Actor; reason?: string },
): Promise<Batch> => {
  const { now, reason, actor = system } = of
  const after = await endRaising(tx, await holdBatch(tx, batch_id), {
    state: 'failed',
    end_by: of.end_by,
    now,
    actor,
    reason,
  })
  const pledged = await tx
    .select({ id: order.id })
    .from(order)
    .where(
      and(
        eq(order.raise_batch_id, batch_id),
        inArray(order.pay_state, ['paid', 'part_paid']),
        sql`${order.refund_state} <> 'refunded'`,
      ),
    )
    .orderBy(order.id)
  await noteOrders(
    tx,
    pledged.map(row => row.id),
    { event: 'raise_fail', actor, at: now, memo: reason ?? '', data: { batch_id } },
  )
  for (const { id } of await tx
    .select({ id: order.id })
    .from(order)
    .where(and(eq(order.raise_batch_id, batch_id), eq(order.pay_state, 'unpaid')))
    .orderBy(order.id))
    await closeUnpaid(tx, id, now, {
      type: 'system',
      actor,
      reason: reason ?? joined(cancelTypes.raise_fail),
      cancel_type: 'raise_fail',
    })
  for (const { id } of await owedByFailed(tx, AT_ONCE, batch_id))
    await refundFailedRaise(tx, { order_id: id, actor, reason, now })
  return after
}

/**
 * The time of a campaign is over: it has met its target and succeeds, or it fails. False when it
 * has ended, or was given more time.
 */
export const endRaise = async (tx: Db, batch_id: number, now: number): Promise<boolean> => {
  const batch = await holdBatch(tx, batch_id)
  if (batch.state !== 'raising' || batch.end_at > now) return false
  if (isMet(batch, await raisedNow(tx, batch_id))) await succeedRaise(tx, batch_id, { now })
  else await failRaise(tx, batch_id, { end_by: 'timeout', now })
  return true
}

/**
 * The time for a balance is over: its order is closed, and its deposit kept or given back as was
 * promised. False when nothing was due.
 */
export const endBalance = async (tx: Db, order_id: number, now: number): Promise<boolean> => {
  const closed = await closeBalance(tx, order_id, now)
  if (!closed) return false
  if (closed.back_cents > 0)
    await openRefund(tx, {
      order_id,
      wanted: 'all',
      source: 'system',
      cause: 'balance_timeout',
      reason: joined([
        '尾款超时未付，定金按约定退回',
        'The balance was not paid in time: the deposit goes back as agreed',
      ]),
      money: { cents: closed.back_cents, payment_id: closed.payment_id },
      actor: system,
      idem_key: `balance:${order_id}`,
      now,
    })
  return true
}
