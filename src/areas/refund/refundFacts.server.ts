import { eq, getTableColumns, inArray } from 'drizzle-orm'
import { policiesOfItems } from '#src/areas/afterSalePolicy/policies.server.ts'
import type { PolicyFields } from '#src/areas/afterSalePolicy/policy.ts'
import { order_code } from '#src/areas/code/code.table.ts'
import { stopped } from '#src/areas/combo/comboParts.server.ts'
import { holdGrants } from '#src/areas/coupon/issue.server.ts'
import type { CardUnits } from '#src/areas/ecard/cardOrder.ts'
import { cardUnits } from '#src/areas/ecard/refundCards.server.ts'
import { holdWithGroup } from '#src/areas/group/groups.server.ts'
import { afterSaleEnds, receivedAt } from '#src/areas/order/afterSale.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import {
  rulesOf,
  type Order,
  type OrderCode,
  type OrderItem,
} from '#src/areas/order/orderFacts.server.ts'
import type { OrderRules } from '#src/areas/order/orderRules.ts'
import { product } from '#src/areas/product/product.table.ts'
import { readDeposit } from '#src/areas/raise/raise.server.ts'
import type { DepositFacts } from '#src/areas/raise/raise.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { refund, refund_item } from './refund.table.ts'
import type { EarlierLine, Refused } from './refundLines.ts'

export type Refund = typeof refund.$inferSelect
export type RefundLine = typeof refund_item.$inferSelect

/** Everything that decides on a new refund of an order, read once while the order is held. */
export type RefundFacts = {
  order: Order
  /** Its group has not formed yet. */
  forming: boolean
  /** `shut`: its store shut, or its merchant stopped trading. */
  items: readonly (OrderItem & { shut: boolean; seller_id: number | null })[]
  codes: readonly OrderCode[]
  /** What of its e-cards may go back; none of an order of other goods. */
  cards: readonly CardUnits[]
  refunds: readonly Refund[]
  earlier: readonly EarlierLine[]
  /** The rules that the order was made under. */
  rules: OrderRules
  /** Until when each received item may be asked back, unix seconds by item id. */
  until: ReadonlyMap<number, number>
  /** The after-sale policies that items were sold under, by item. */
  policies: ReadonlyMap<number, PolicyFields>
  deposit: DepositFacts | undefined
  /** A coupon that an exchange issued was used, or is being used. */
  couponUsed: boolean
}

/** Throws what a rule answers, if it refuses (422). */
export const refuse = (why: Refused | undefined): void => {
  if (why) throw ruled(why.rule, why.text, why.values, why.data)
}

/** What a refund gives back, line by line. */
export const linesIn = (tx: Db, of: Pick<Refund, 'id'>): Promise<RefundLine[]> =>
  tx.select().from(refund_item).where(eq(refund_item.refund_id, of.id)).orderBy(refund_item.id)
/** The lines of all refunds of an order, whatever became of them. */
export const earlierLines = (tx: Db, order_id: number): Promise<EarlierLine[]> =>
  tx
    .select({
      refund_id: refund_item.refund_id,
      item_id: refund_item.item_id,
      qty: refund_item.qty,
      shipped_qty: refund_item.shipped_qty,
      share_cents: refund_item.share_cents,
      platform_cents: refund_item.platform_cents,
      state: refund.state,
      type: refund.type,
      source: refund.source,
    })
    .from(refund_item)
    .innerJoin(refund, eq(refund.id, refund_item.refund_id))
    .where(eq(refund.order_id, order_id))
    .orderBy(refund_item.id)
/** The merchants who sell some items of an order. */
export const sellersOf = async (tx: Db, item_ids: readonly number[]): Promise<number[]> =>
  (
    await tx
      .selectDistinct({ id: product.merchant_id })
      .from(order_item)
      .innerJoin(product, eq(product.id, order_item.product_id))
      .where(inArray(order_item.id, [...item_ids]))
  ).map(one => one.id)

const itemsOf = (tx: Db, order_id: number) =>
  tx
    .select({
      ...getTableColumns(order_item),
      shut: stopped(order_item.store_id),
      seller_id: product.merchant_id,
    })
    .from(order_item)
    .leftJoin(product, eq(product.id, order_item.product_id))
    .where(eq(order_item.order_id, order_id))
    .orderBy(order_item.id)

/**
 * Holds an order, its group or campaign before it, and reads all that decides on a refund of it.
 * Throws 404 where there is no such order.
 */
export const readRefundFacts = async (tx: Db, order_id: number): Promise<RefundFacts> => {
  const { row, group } = await holdWithGroup(tx, order_id)
  const items = await itemsOf(tx, order_id)
  const rules = await rulesOf(tx, row)
  const received_at = row.kind === 'combo' ? await receivedAt(tx, order_id) : null
  return {
    order: row,
    forming: group?.state === 'forming',
    items,
    codes: await tx
      .select()
      .from(order_code)
      .where(eq(order_code.order_id, order_id))
      .orderBy(order_code.id),
    cards: await cardUnits(tx, row),
    refunds: await tx.select().from(refund).where(eq(refund.order_id, order_id)).orderBy(refund.id),
    earlier: await earlierLines(tx, order_id),
    rules,
    until: afterSaleEnds(row, { received_at, items }),
    policies: await policiesOfItems(
      tx,
      items.map(item => item.id),
    ),
    deposit: await readDeposit(tx, row),
    couponUsed: row.kind === 'points' && (await holdGrants(tx, row)).used,
  }
}
