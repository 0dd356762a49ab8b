import { and, eq, inArray, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { endCards, lockCards } from '#src/areas/ecard/refundCards.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import type { Order, OrderCode, OrderItem } from '#src/areas/order/orderFacts.server.ts'
import { codeStateOf } from '#src/areas/order/orderUnits.ts'
import { restock } from '#src/areas/product/stock.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Refund, RefundLine } from './refundFacts.server.ts'

/** The codes that lines give back, by their id. */
const codesOf = async (
  tx: Db,
  lines: readonly Pick<RefundLine, 'code_id'>[],
): Promise<Map<number, OrderCode>> => {
  const ids = lines.flatMap(line => line.code_id ?? [])
  const codes =
    ids.length === 0 ? [] : await tx.select().from(order_code).where(inArray(order_code.id, ids))
  return new Map(codes.map(code => [code.id, code]))
}

/** Locks the units of lines (`1`), or gives them free (`-1`). */
type Way = 1 | -1
const lockItem = (tx: Db, line: RefundLine, way: Way) =>
  tx
    .update(order_item)
    .set({
      refunding_qty: sql`${order_item.refunding_qty} + ${way * line.qty}`,
      version: sql`${order_item.version} + 1`,
    })
    .where(eq(order_item.id, line.item_id))
const lockCode = async (
  tx: Db,
  code: OrderCode,
  of: { line: RefundLine; way: Way; now: number },
): Promise<OrderCode | undefined> => {
  const { line, way, now } = of
  const times_refunding = code.times_refunding + way * line.qty
  // A locked code stays locked: nothing of it can be used either way.
  const state = code.state === 'locked' ? 'locked' : 'unused'
  const [after] = await tx
    .update(order_code)
    .set({
      times_refunding,
      left_times: code.left_times - way * line.paid_times,
      left_pay_cents: code.left_pay_cents - way * line.share_cents,
      left_platform_cents: code.left_platform_cents - way * line.platform_cents,
      left_settle_cents: code.left_settle_cents - way * line.settle_cents,
      state: codeStateOf({ ...code, state, times_refunding }, now),
      version: code.version + 1,
      updated_at: now,
    })
    .where(and(eq(order_code.id, code.id), eq(order_code.version, code.version)))
    .returning()
  return after
}
/**
 * Locks the units of a refund's lines, so that they can't be used or shipped while it is open; or
 * gives them free again. The order must be held.
 */
export const lockUnits = async (
  tx: Db,
  lines: readonly RefundLine[],
  way: Way,
  now: number,
): Promise<void> => {
  await lockCards(tx, lines, way, now)
  const codes = await codesOf(tx, lines)
  for (const line of lines) {
    const code = line.code_id === null ? undefined : codes.get(line.code_id)!
    if (!code) await lockItem(tx, line, way)
    else {
      const after = await lockCode(tx, code, { line, way, now })
      if (after) codes.set(after.id, after)
    }
  }
}

/** A code's times become refunded. Answers the units of its item that can be sold again. */
const refundCode = async (
  tx: Db,
  code: OrderCode,
  of: { line: RefundLine; item: OrderItem; now: number },
): Promise<{ after: OrderCode; restocked: number }> => {
  const { line, item, now } = of
  const counts = {
    times_refunding: code.times_refunding - line.qty,
    times_refunded: code.times_refunded + line.qty,
  }
  const staysLocked = code.state === 'locked' && counts.times_refunded < code.times_total
  const [after] = await tx
    .update(order_code)
    .set({
      ...counts,
      refunded_cents: code.refunded_cents + line.amount_cents,
      state: codeStateOf({ ...code, state: staysLocked ? 'locked' : 'unused', ...counts }, now),
      version: code.version + 1,
      updated_at: now,
    })
    .where(eq(order_code.id, code.id))
    .returning()
  // A code that was never used, and of which nothing is left, is a unit that can be sold again.
  const wholeCode = counts.times_refunded === code.times_total + code.times_bonus
  const restocked = item.fulfil === 'pickup' ? line.qty : Number(wholeCode)
  await tx
    .update(order_item)
    .set({
      refunded_cents: sql`${order_item.refunded_cents} + ${line.amount_cents}`,
      stock_returned: sql`${order_item.stock_returned} + ${restocked}`,
    })
    .where(eq(order_item.id, item.id))
  return { after: after!, restocked }
}
/** Units of goods become refunded. Answers those that can be sold again. */
const refundGoods = async (
  tx: Db,
  line: RefundLine,
  row: Pick<Refund, 'type' | 'return_condition'>,
): Promise<number> => {
  // What came back sound is sold again; what was only refunded stays with its buyer.
  const cameBackSound = row.type === 'return_refund' && (row.return_condition ?? 'good') === 'good'
  const restocked = line.qty - (cameBackSound ? 0 : line.shipped_qty)
  await tx
    .update(order_item)
    .set({
      refunding_qty: sql`${order_item.refunding_qty} - ${line.qty}`,
      refunded_qty: sql`${order_item.refunded_qty} + ${line.qty}`,
      refunded_cents: sql`${order_item.refunded_cents} + ${line.amount_cents}`,
      stock_returned: sql`${order_item.stock_returned} + ${restocked}`,
      shipped_qty: sql`${order_item.shipped_qty} - ${line.shipped_qty}`,
      received_qty: sql`least(${order_item.received_qty}, ${order_item.shipped_qty} - ${line.shipped_qty})`,
    })
    .where(eq(order_item.id, line.item_id))
  return restocked
}
/**
 * The units of a refund that is paid become refunded, and what can be sold again returns to stock.
 * The order must be held.
 */
export const refundUnits = async (
  tx: Db,
  lines: readonly RefundLine[],
  of: { refund: Refund; held: Pick<Order, 'id' | 'sub_kind'>; now: number },
): Promise<void> => {
  if (lines.length === 0) return
  await endCards(tx, lines, of.now)
  const items = await tx.select().from(order_item).where(eq(order_item.order_id, of.held.id))
  const codes = await codesOf(tx, lines)
  for (const line of lines) {
    const item = items.find(one => one.id === line.item_id)!
    let restocked: number
    if (line.code_id === null) restocked = await refundGoods(tx, line, of.refund)
    else {
      const code = codes.get(line.code_id)!
      const done = await refundCode(tx, code, { line, item, now: of.now })
      codes.set(code.id, done.after)
      restocked = done.restocked
    }
    // What was sent again was never a sale.
    const sold = of.held.sub_kind === 'reissue' ? 0 : restocked
    if (restocked > 0) await restock(tx, item, restocked, sold)
  }
}
