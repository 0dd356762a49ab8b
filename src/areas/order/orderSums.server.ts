import { lockCoupon } from '#src/areas/coupon/coupons.server.ts'
import { freightFor } from '#src/areas/shipping/freight.server.ts'
import { holdSubsidies, type HeldSubsidy } from '#src/areas/subsidy/holding.server.ts'
import { shares } from '#src/domain/money.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Buying, Offer, SoldLine } from './buying.server.ts'
import type { Order } from './orderFacts.server.ts'
import type { OrderRules } from './orderRules.ts'

/** What is posted is sent by its freight templates, unless somebody else has worked that out. */
const freightOf = async (
  tx: Db,
  of: Buying,
  sold: readonly SoldLine[],
  rules: OrderRules,
): Promise<number> => {
  if (of.freight_cents !== undefined) return of.freight_cents
  const posted = sold.filter(one => one.fulfil === 'express')
  if (!of.receiver || posted.length === 0) return 0
  return freightFor(tx, {
    rules,
    area: of.receiver.area,
    lines: posted.map(one => ({
      product_id: one.item.id,
      qty: one.line.qty,
      price_cents: one.price_cents,
    })),
  })
}
export type CouponHeld = Awaited<ReturnType<typeof lockCoupon>>
/** What an order comes to, in cents. `other_cents`: paid by the platform beside a coupon. */
export type OrderSums = {
  total_cents: number
  freight_cents: number
  other_cents: number
  store_discount_cents: number
  platform_discount_cents: number
  /** What is paid for the goods alone. */
  goods_cents: number
  pay_cents: number
  coupon: CouponHeld | undefined
  /** What plans promise for its lines. */
  subsidies: readonly HeldSubsidy[]
}
/**
 * What subsidy plans promise. Goods that are sold under something else have a price of their own
 * already: a live room, a group, a bundle, a campaign, a bill, a discount that somebody worked out.
 */
const subsidiesFor = (
  tx: Db,
  of: Buying,
  offer: Offer,
  what: { sold: readonly SoldLine[]; store_id: number },
): Promise<readonly HeldSubsidy[]> => {
  const { group, bundle, batch, live_cents } = offer
  const own = group ?? bundle ?? batch ?? live_cents ?? of.bill_cents ?? of.platform_discount_cents
  if (own !== undefined || of.opens_group) return Promise.resolve([])
  return holdSubsidies(
    tx,
    what.sold.map(({ item, line, price_cents }) => ({
      product_id: item.id,
      store_id: what.store_id,
      mall_id: item.mall_id,
      kind: item.kind,
      price_cents,
      qty: line.qty,
    })),
    of,
  )
}
/** What plans pay of each line; the merchant's own share is apart. */
const byLine = (
  sold: readonly SoldLine[],
  subsidies: readonly HeldSubsidy[],
  cents: (of: HeldSubsidy) => number,
): number[] =>
  sold.map((_, at) =>
    subsidies.filter(one => one.at === at).reduce((sum, one) => sum + cents(one), 0),
  )
const paidByOthers = (of: HeldSubsidy): number => of.platform_cents + of.mall_cents
/** Adds an order up, and takes its coupon for it. */
export const sumUp = async (
  tx: Db,
  of: Buying,
  offer: Offer,
  what: {
    sold: readonly SoldLine[]
    kind: Order['kind']
    order_no: string
    store_id: number
    rules: OrderRules
  },
): Promise<OrderSums> => {
  const { sold, kind, order_no, store_id, rules } = what
  const { item: first, fulfil } = sold[0]!
  const total_cents = sold.reduce((sum, one) => sum + one.total_cents, 0)
  const bundled_cents = offer.bundle ? Math.max(0, total_cents - offer.bundle.price_cents) : 0
  const other_cents = Math.min(of.platform_discount_cents ?? 0, total_cents - bundled_cents - 1)
  const freight_cents = await freightOf(tx, of, sold, rules)
  const subsidies = await subsidiesFor(tx, of, offer, { sold, store_id })
  const subsidised = byLine(sold, subsidies, one => one.amount_cents)
  const coupon =
    of.coupon_grant_id === undefined
      ? undefined
      : await lockCoupon(tx, {
          grant_id: of.coupon_grant_id,
          member_id: of.member_id,
          order_no,
          kind,
          posted: fulfil === 'express',
          store_id,
          city_id: first.city_id,
          freight_cents,
          other_cents,
          reduced:
            other_cents > 0 ||
            subsidies.length > 0 ||
            offer.live_cents !== undefined ||
            kind === 'roll_buy',
          sold: sold.map((one, at) => ({
            item: one.item,
            price_cents: one.price_cents,
            cost_cents: one.total_cents - subsidised[at]!,
          })),
          now: of.now,
        })
  const sum = (cents: (one: HeldSubsidy) => number) =>
    subsidies.reduce((all, one) => all + cents(one), 0)
  const store_discount_cents =
    bundled_cents + (coupon?.merchant_cents ?? 0) + sum(one => one.merchant_cents)
  const platform_discount_cents = other_cents + (coupon?.platform_cents ?? 0) + sum(paidByOthers)
  const goods_cents = total_cents - store_discount_cents - platform_discount_cents
  return {
    total_cents,
    freight_cents,
    other_cents,
    store_discount_cents,
    platform_discount_cents,
    goods_cents,
    pay_cents: goods_cents + freight_cents,
    coupon,
    subsidies,
  }
}

/**
 * What each line pays and what the platform pays for it. A coupon and a subsidy are off the lines
 * alone that they are for; all else is spread over what is left of each.
 */
export const spread = (
  sold: readonly SoldLine[],
  sums: OrderSums,
): { pay_cents: number; platform_cents: number }[] => {
  const off = sums.coupon?.off ?? sold.map(() => 0)
  const totals = sold.map(one => one.total_cents)
  const subsidised = byLine(sold, sums.subsidies, one => one.amount_cents)
  const granted = byLine(sold, sums.subsidies, paidByOthers)
  const pays = shares(
    sums.goods_cents,
    totals.map((total, at) => total - off[at]! - subsidised[at]!),
  )
  const others = shares(sums.other_cents, totals)
  const byCoupon = shares(sums.coupon?.platform_cents ?? 0, off)
  return pays.map((pay_cents, at) => ({
    pay_cents,
    platform_cents: others[at]! + byCoupon[at]! + granted[at]!,
  }))
}
