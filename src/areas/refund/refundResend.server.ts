import { numberOf } from '#src/areas/order/numbers.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { recount, rulesOf, type Order, type OrderItem } from '#src/areas/order/orderFacts.server.ts'
import { takeStock } from '#src/areas/product/stock.server.ts'
import { HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { sentAgainRefusal } from './refundAsk.ts'
import { earlierLines, refuse, type RefundLine } from './refundFacts.server.ts'
import { actorOf, noteStep, type Case, type Step } from './refundStep.server.ts'

/** Only goods that are posted, and that nobody gives back, can be sent again. */
const refuseItem = (item: OrderItem, line: RefundLine): void => {
  const { title } = item
  if (item.fulfil !== 'express' && item.fulfil !== 'delivery')
    throw ruled('not_posted', ['「{title}」不是邮寄商品，不能补发', '“{title}” is not posted'], {
      title,
    })
  if (item.qty - item.refunded_qty - item.refunding_qty < line.qty)
    throw ruled(
      'refunded',
      ['「{title}」已退款或退款中，不能补发', '“{title}” was refunded, or is in refund'],
      { title },
    )
}
/** The order of 0 cents that waits to be shipped, to whom and from where the first one was. */
const insertOrder = async (
  tx: Db,
  { row, held }: Case,
  of: { now: number; store_id: number; promise_at: number },
): Promise<Order> => {
  const { now } = of
  const [made] = await tx
    .insert(order)
    .values({
      member_id: held.member_id,
      visitor_phone: held.visitor_phone,
      city_id: held.city_id,
      mall_id: held.mall_id,
      merchant_id: row.merchant_id,
      store_id: of.store_id,
      receiver: held.receiver,
      config_version: held.config_version,
      agreements: held.agreements,
      order_no: numberOf('RS', now),
      kind: held.kind,
      sub_kind: 'reissue',
      source: 'admin',
      total_cents: 0,
      pay_cents: 0,
      pay_state: 'paid',
      fulfil_state: 'waiting_ship',
      refund_state: 'none',
      status: 'pending_ship',
      expire_pay_at: now,
      paid_at: now,
      promise_at: of.promise_at,
      reissue_of: held.id,
      remark: held.remark,
      created_at: now,
      updated_at: now,
    })
    .returning()
  return made!
}
const insertItem = (tx: Db, item: OrderItem, of: { order_id: number; qty: number; now: number }) =>
  tx.insert(order_item).values({
    order_id: of.order_id,
    kind: item.kind,
    product_id: item.product_id,
    sku_id: item.sku_id,
    store_stock_id: item.store_stock_id,
    snapshot: item.snapshot,
    title: item.title,
    store_id: item.store_id,
    qty: of.qty,
    price_cents: 0,
    pay_cents: 0,
    fulfil: item.fulfil,
    created_at: of.now,
    updated_at: of.now,
  })
/**
 * Sends the same goods to the same buyer again, free of charge: an order of 0 cents, linked to the
 * first. `items`: those of the first order. Throws 422 where something was sent again before, is
 * not posted, is given back or is out of stock.
 */
export const sendAgain = async (
  tx: Db,
  { row, held }: Case,
  of: Step,
  what: { lines: readonly RefundLine[]; items: readonly OrderItem[] },
): Promise<Order> => {
  const earlier = await earlierLines(tx, held.id)
  refuse(sentAgainRefusal(what.lines, { items: what.items, earlier, but: row.id }))
  const sent = what.lines.map(line => ({
    line,
    item: what.items.find(one => one.id === line.item_id)!,
  }))
  for (const { item, line } of sent) refuseItem(item, line)
  const { ship_promise_h } = await rulesOf(tx, held)
  const made = await insertOrder(
    tx,
    { row, held },
    {
      now: of.now,
      store_id: held.kind === 'combo' ? sent[0]!.item.store_id : held.store_id,
      promise_at: of.now + ship_promise_h * HOUR,
    },
  )
  for (const { item, line } of sent) {
    await takeStock(tx, item, line.qty)
    await insertItem(tx, item, { order_id: made.id, qty: line.qty, now: of.now })
  }
  await noteStep(tx, row, of, { verb: 'approve', memo: made.order_no })
  return recount(tx, made, {
    event: 'create',
    actor: actorOf(of),
    now: of.now,
    memo: row.refund_no,
    data: { refund_id: row.id, reissue_of: held.id },
  })
}
