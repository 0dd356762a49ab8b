import { weekdays } from '#src/areas/code/voucher.ts'
import type { CouponKind } from '#src/areas/mall/recommend.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { weekdayOf } from '#src/domain/calendar.ts'
import { shares, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'

/**
 * The terms that a coupon was claimed under. With a `discount_bp` of 8500 (8.5 折) the buyer pays
 * 85%.
 */
export type CouponTerms = {
  name: string
  scope: CouponScope
  kind: CouponKind
  face_cents: number
  threshold_cents: number
  discount_bp: number | null
  cap_cents: number | null
  apply_kind: 'all' | 'category' | 'mall' | 'store' | 'product' | 'shop'
  apply_ids: readonly number[]
  exclude_ids: readonly number[]
  city_ids: readonly number[]
  weekdays: readonly number[]
  stackable: boolean
  platform_share_bp: number
  merchant_share_bp: number
}
export type CouponScope = 'local' | 'ecom'
/**
 * Where a line of an order stands, as coupons see it: its categories with all above them, the
 * stores that it is good at, and what it costs after what its store takes off.
 */
export type CouponLine = {
  product_id: number
  merchant_id: number
  category_ids: readonly number[]
  stores: readonly { id: number; mall_id: number }[]
  price_cents: number
  cost_cents: number
  /** It is sold at the price of an activity, such as a flash sale. */
  in_activity: boolean
}
export type CouponOrder = {
  scope: CouponScope | null
  city_id: number
  at: number
  freight_cents: number
  lines: readonly CouponLine[]
  /** What the platform takes off besides. */ other_cents: number
  /** Its price is one of an activity, or something else comes off it. */ reduced: boolean
}
export type CouponRefusal = { rule: string; text: Text; values?: Record<string, string | number> }
/** What a coupon takes off: of each line, and who pays for it. */
export type CouponCut = {
  off: number[]
  discount_cents: number
  platform_cents: number
  merchant_cents: number
}

/** What became of the coupon of an order. */
export const couponUses = {
  locked: ['待支付，已占用', 'Taken, not yet paid'],
  used: ['已使用', 'Used'],
  back: ['已退回会员', 'Given back'],
} as const satisfies Record<string, Text>
export type CouponUse = keyof typeof couponUses
/** How long a coupon is good for that comes back with a refund after its time was over. */
export const COUPON_BACK_DAYS = 3

/**
 * Says which coupons an order takes. A bundle takes none, as each merchant has a part of it, nor
 * does what is exchanged or issued.
 */
export const couponScope = (kind: OrderKind, posted: boolean): CouponScope | null => {
  if (kind === 'combo' || kind === 'points' || kind === 'ecard' || kind === 'visitor') return null
  return posted ? 'ecom' : 'local'
}

/**
 * Whether a coupon is for a line. A coupon of stores excludes stores, as the boards of malls have
 * them; one of the e-shop excludes products, and whatever is in an activity.
 */
export const couponFor = (
  of: Pick<CouponTerms, 'scope' | 'apply_kind' | 'apply_ids' | 'exclude_ids'>,
  line: CouponLine,
): boolean => {
  const named = (ids: readonly number[]) => ids.some(id => of.apply_ids.includes(id))
  const stores =
    of.scope === 'local'
      ? line.stores.filter(store => !of.exclude_ids.includes(store.id))
      : line.stores
  const isExcluded =
    of.scope === 'local'
      ? stores.length === 0
      : line.in_activity || of.exclude_ids.includes(line.product_id)
  if (isExcluded) return false
  switch (of.apply_kind) {
    case 'all':
      return true
    case 'category':
      return named(line.category_ids)
    case 'mall':
      return named(stores.map(store => store.mall_id))
    case 'store':
      return named(stores.map(store => store.id))
    case 'product':
      return named([line.product_id])
    case 'shop':
      return named([line.merchant_id])
  }
}

/** What its terms take off goods of so much, before any bound. */
const worth = (of: CouponTerms, fit: readonly CouponLine[], freight_cents: number): number => {
  const goods = fit.reduce((sum, line) => sum + line.cost_cents, 0)
  switch (of.kind) {
    case 'full_reduce':
    case 'direct':
      return of.face_cents
    case 'discount':
      return Math.min(
        of.cap_cents ?? goods,
        Math.floor((goods * (10_000 - (of.discount_bp ?? 10_000))) / 10_000),
      )
    // Without a face all of the freight, or all of the unit.
    case 'freight':
      return Math.min(of.face_cents || freight_cents, freight_cents)
    case 'exchange':
      return Math.min(of.face_cents || goods, Math.max(...fit.map(line => line.price_cents)))
  }
}

/**
 * What a coupon takes off an order, or why it can't be used for it. Never more than the lines cost
 * that it is for, and at least a cent is left to pay for the goods.
 */
export const cutBy = (of: CouponTerms, order: CouponOrder): CouponCut | CouponRefusal => {
  if (order.scope === null)
    return {
      rule: 'coupon_kind',
      text: ['该类订单不能使用优惠券', 'Orders of this kind take no coupon'],
    }
  if (order.scope !== of.scope)
    return {
      rule: 'coupon_scope',
      text:
        of.scope === 'local'
          ? ['「{name}」只能用于到店消费', '“{name}” is for purchases at stores']
          : ['「{name}」只能用于电商商品', '“{name}” is for goods of the e-shop'],
      values: { name: of.name },
    }
  if (of.city_ids.length > 0 && !of.city_ids.includes(order.city_id))
    return {
      rule: 'coupon_city',
      text: ['「{name}」在该城市不可用', '“{name}” can’t be used in this city'],
      values: { name: of.name },
    }
  const day = weekdays[weekdayOf(order.at) - 1]!
  if (of.weekdays.length > 0 && !of.weekdays.includes(weekdayOf(order.at)))
    return {
      rule: 'coupon_weekday',
      text: [`「{name}」${day[0]}不可用`, `“{name}” can’t be used on a ${day[1]}`],
      values: { name: of.name },
    }
  if (order.reduced && !of.stackable)
    return {
      rule: 'coupon_stack',
      text: ['「{name}」不能与其他优惠同时使用', '“{name}” can’t be combined with other offers'],
      values: { name: of.name },
    }
  const fit = order.lines.filter(line => couponFor(of, line))
  if (fit.length === 0)
    return {
      rule: 'coupon_goods',
      text: ['「{name}」不适用于所购商品', '“{name}” doesn’t apply to these products'],
      values: { name: of.name },
    }
  const goods = fit.reduce((sum, line) => sum + line.cost_cents, 0)
  if (goods < of.threshold_cents)
    return {
      rule: 'coupon_threshold',
      text: [
        '满 {min} 元可用，适用商品共 {sum} 元',
        'Minimum ¥{min}; eligible products total ¥{sum}',
      ],
      values: { min: yuan(of.threshold_cents), sum: yuan(goods) },
    }
  const all = order.lines.reduce((sum, line) => sum + line.cost_cents, 0)
  const discount_cents = Math.min(
    worth(of, fit, order.freight_cents),
    goods,
    all - order.other_cents - 1,
  )
  if (discount_cents < 1)
    return {
      rule: 'coupon_nothing',
      text: ['「{name}」没有可抵扣的金额', '“{name}” takes nothing off'],
      values: { name: of.name },
    }
  const [platform_cents, merchant_cents] = shares(discount_cents, [
    of.platform_share_bp,
    of.merchant_share_bp,
  ])
  return {
    off: shares(
      discount_cents,
      order.lines.map(line => (fit.includes(line) ? line.cost_cents : 0)),
    ),
    discount_cents,
    platform_cents: platform_cents!,
    merchant_cents: merchant_cents!,
  }
}
