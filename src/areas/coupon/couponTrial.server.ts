import { and, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { product } from '#src/areas/product/product.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { cutBy, type CouponLine, type CouponScope, type CouponTerms } from './coupon.ts'
import { linesFor } from './coupons.server.ts'

/** The kinds of orders that coupons of a scope are used for. */
const tried: Readonly<Record<CouponScope, readonly OrderKind[]>> = {
  local: ['bulks', 'voucher', 'card', 'goods'],
  ecom: ['elist'],
}
/** So many of the latest orders are looked through for one that the coupon fits. */
const LOOKED = 30

/** Orders that a coupon of the scope may be tried on, of what the person sees. */
export const triedOrders = (scope: CouponScope, staff: Pick<Staff, 'scope'>) =>
  and(
    inArray(order.kind, [...tried[scope]]),
    isNotNull(order.member_id),
    within(staff.scope, { city: order.city_id, mall: order.mall_id }),
  )
type Order = typeof order.$inferSelect
const linesOf = (db: Db, orders: readonly Order[]) =>
  db
    .select({ item: order_item, product, shop_name: merchant.name })
    .from(order_item)
    .innerJoin(product, eq(product.id, order_item.product_id))
    .innerJoin(merchant, eq(merchant.id, product.merchant_id))
    .where(
      inArray(
        order_item.order_id,
        orders.map(one => one.id),
      ),
    )
    .orderBy(order_item.id)

export type Trial = {
  order: Order
  lines: { title: string; shop_name: string; qty: number; cost_cents: number; off_cents: number }[]
  discount_cents: number
  platform_cents: number
  merchant_cents: number
  refused: { text: Text; values?: Record<string, string | number> } | null
}
type Line = Awaited<ReturnType<typeof linesOf>>[number]
type Seen = { line: Line; as: CouponLine; cost_cents: number }
const costOf = ({ item }: Line): number => item.price_cents * item.qty
const tryOn = (of: CouponTerms, one: Order, seen: readonly Seen[]): Trial => {
  const cut = cutBy(of, {
    scope: of.scope,
    city_id: one.city_id,
    at: one.created_at,
    freight_cents: one.freight_cents,
    lines: seen.map(each => each.as),
    other_cents: 0,
    reduced: false,
  })
  const isRefused = 'rule' in cut
  return {
    order: one,
    lines: seen.map(({ line: { item, shop_name }, cost_cents }, at) => ({
      title: item.title,
      shop_name,
      qty: item.qty,
      cost_cents,
      off_cents: isRefused ? 0 : cut.off[at]!,
    })),
    discount_cents: isRefused ? 0 : cut.discount_cents,
    platform_cents: isRefused ? 0 : cut.platform_cents,
    merchant_cents: isRefused ? 0 : cut.merchant_cents,
    refused: isRefused ? cut : null,
  }
}
/**
 * What a coupon would take off an order that was placed, by the very `cutBy` of checkout; where none
 * is named, off the latest that it fits, or else the latest; undefined where there is none. Nothing
 * is changed.
 */
export const trialOf = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
  of: CouponTerms,
  order_id: number | undefined,
): Promise<Trial | undefined> => {
  const orders = await db
    .select()
    .from(order)
    .where(
      and(
        triedOrders(of.scope, staff),
        order_id === undefined ? undefined : eq(order.id, order_id),
      ),
    )
    .orderBy(desc(order.created_at), desc(order.id))
    .limit(order_id === undefined ? LOOKED : 1)
  if (orders.length === 0) return undefined
  const lines = await linesOf(db, orders)
  const seen = await linesFor(
    db,
    lines.map(line => ({
      item: line.product,
      price_cents: line.item.price_cents,
      cost_cents: costOf(line),
    })),
  )
  const all = lines.map((line, at): Seen => ({ line, as: seen[at]!, cost_cents: costOf(line) }))
  const byOrder = grouped(all, one => one.line.item.order_id)
  const trials = orders.flatMap(one => {
    const own = byOrder.get(one.id)
    return own ? [tryOn(of, one, own)] : []
  })
  return trials.find(trial => !trial.refused) ?? trials[0]
}
