import { and, desc, eq, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { OrderTrial } from '#src/contract/orderTrial.ts'
import { grouped } from '#src/domain/grouped.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
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
const trialsOf = async (db: Db, of: CouponTerms, orders: readonly Order[]): Promise<Trial[]> => {
  if (orders.length === 0) return []
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
  return orders.flatMap(one => {
    const own = byOrder.get(one.id)
    return own ? [tryOn(of, one, own)] : []
  })
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
  const trials = await trialsOf(db, of, orders)
  return trials.find(trial => !trial.refused) ?? trials[0]
}

/** Where the newest orders of what a coupon is for are found: each column leads an index by time. */
const newestAt = ({ apply_kind }: CouponTerms) => {
  switch (apply_kind) {
    case 'product':
      return {
        from: sql`order_item i join "order" on "order".id = i.order_id`,
        by: sql`i.product_id`,
        kind: sql`i.kind`,
        at: sql`i.created_at`,
      }
    case 'store':
      return { ...ofOrder, by: order.store_id }
    case 'mall':
      return { ...ofOrder, by: order.mall_id }
    case 'shop':
      return { ...ofOrder, by: order.merchant_id }
    case 'category':
    case 'all':
      return { ...ofOrder, by: undefined }
  }
}
const ofOrder = { from: sql`"order"`, kind: sql`${order.kind}`, at: sql`${order.created_at}` }
/** The newest paid orders that a coupon may be for, of what the person sees; a few of each of its goods. */
const newestPaid = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
  of: CouponTerms,
): Promise<Order[]> => {
  const { from, by, kind, at } = newestAt(of)
  const kinds = sql`unnest(${sql.param([...tried[of.scope]])}::text[]) k (kind)`
  const each = by
    ? sql`${kinds} cross join unnest(${sql.param([...of.apply_ids])}::int[]) v (id)`
    : kinds
  const seen: (SQL | undefined)[] = [
    sql`${kind} = k.kind`,
    by && sql`${by} = v.id`,
    eq(order.pay_state, 'paid'),
    isNotNull(order.member_id),
    within(staff.scope, { city: order.city_id, mall: order.mall_id }),
  ]
  const { rows } = await db.execute<{ id: number }>(
    sql`select n.id from ${each} cross join lateral (select ${order.id} id, ${at} at from ${from} where ${and(...seen)} order by ${at} desc limit ${LOOKED}) n group by n.id, n.at order by n.at desc, n.id desc limit ${LOOKED}`,
  )
  if (rows.length === 0) return []
  return db
    .select()
    .from(order)
    .where(
      inArray(
        order.id,
        rows.map(row => row.id),
      ),
    )
    .orderBy(desc(order.created_at), desc(order.id))
}
/**
 * What a coupon would have taken off the newest paid order that it fits, of what the person sees;
 * undefined where it fits none of the newest. Nothing is changed.
 */
export const fittingTrial = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
  of: CouponTerms,
): Promise<Trial | undefined> =>
  (await trialsOf(db, of, await newestPaid(db, staff, of))).find(trial => !trial.refused)

/** A trial as it is shown to a reader, with what the buyer would pay in cents. */
export const shownTrial = ({ order: one, refused, ...trial }: Trial, lang: Lang): OrderTrial => {
  const sum = trial.lines.reduce((all, line) => all + line.cost_cents, 0)
  return {
    ...trial,
    order_id: one.id,
    order_no: one.order_no,
    freight_cents: one.freight_cents,
    pay_cents: sum + one.freight_cents - trial.discount_cents,
    refused: refused ? say(refused.text, lang, refused.values) : '',
  }
}
