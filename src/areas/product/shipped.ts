/** What is true of goods that online shops ship: their prices, their stock, and what forbids a change. */
import { centsOf, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { goodsFault, PRICE_MAX_CENTS, type GoodsFacts, type GoodsVerb } from './goods.ts'

/** So few left of a variant on sale are told as low. */
export const LOW_STOCK = 5
/** The most that a limit for one buyer may be. */
export const LIMIT_MAX = 999
/** Prices to filter by: from so many cents on, and below so many. */
export const priceBands = {
  p50: { text: ['¥50 以下', 'Below ¥50'], from: 0, below: 5000 },
  p100: { text: ['¥50–100', '¥50–100'], from: 5000, below: 10_000 },
  p300: { text: ['¥100–300', '¥100–300'], from: 10_000, below: 30_000 },
  p1000: { text: ['¥300–1000', '¥300–1000'], from: 30_000, below: 100_000 },
  more: { text: ['¥1000 以上', '¥1000 and more'], from: 100_000, below: 2_147_483_647 },
} as const satisfies Record<string, { text: Text; from: number; below: number }>
export type PriceBand = keyof typeof priceBands

/** What keeps price and stock as they are while it runs. */
export const goodsLocks = {
  activity: [
    '正在参加限时活动，活动结束后才能改价格与库存',
    'An activity runs: price and stock wait for its end',
  ],
  combo: [
    '在售组合套餐包含该商品，套餐停售后才能改价格与库存',
    'In a bundle on sale: price and stock are locked',
  ],
} as const satisfies Record<string, Text>
export type GoodsLock = keyof typeof goodsLocks

/** What the rules of shipped goods read of them. */
export type ShippedFacts = GoodsFacts & {
  lock: GoodsLock | null
  /** A shop that is open sells it. */
  has_open_shop: boolean
  /** Some of it may be sold: of a variant, where it has variants. */
  is_stocked: boolean
}
type Fault = { rule: string; text: Text }
const locked: readonly GoodsVerb[] = ['editStock', 'editPrice']
const shelfFault = (of: ShippedFacts): Fault | undefined => {
  if (!of.has_open_shop)
    return {
      rule: 'no_open_shop',
      text: ['没有营业中的店铺销售该商品', 'No open shop sells it'],
    }
  return of.is_stocked
    ? undefined
    : { rule: 'no_stock', text: ['没有可售库存，请先补货', 'Nothing is left: add stock first'] }
}
/** The rule that forbids a verb, or undefined; forced off it comes back by a new audit alone. */
export const shippedFault = (verb: GoodsVerb, of: ShippedFacts, now: number): Fault | undefined => {
  if (verb === 'onShelf' && of.state === 'forced_off')
    return {
      rule: 'forced_off',
      text: ['违规下架的商品须重新提交审核', 'Forced off: it needs a new audit'],
    }
  const fault = goodsFault(verb, of, now)
  if (fault) return fault
  if (of.lock !== null && locked.includes(verb))
    return { rule: 'locked', text: goodsLocks[of.lock] }
  return verb === 'onShelf' ? shelfFault(of) : undefined
}
/** True where a verb may start, else why not. */
export const shippedCan = (verb: GoodsVerb, of: ShippedFacts, now: number): true | Text =>
  shippedFault(verb, of, now)?.text ?? true

/** What bounds the price of a variant, in cents. */
export type PriceBounds = { list_price_cents: number; group_price_cents: number | null }
/** Why a variant may not cost so many cents, or undefined. */
export const skuPriceFault = (cents: number, of: PriceBounds): Text | undefined => {
  if (cents <= 0) return ['售价须大于 0', 'It must be above 0']
  if (cents > of.list_price_cents)
    return [
      `不能高于划线价 ¥${yuan(of.list_price_cents)}`,
      `At most the list price, ¥${yuan(of.list_price_cents)}`,
    ]
  return of.group_price_cents !== null && cents <= of.group_price_cents
    ? [
        `须高于拼团价 ¥${yuan(of.group_price_cents)}`,
        `It must be above the group price, ¥${yuan(of.group_price_cents)}`,
      ]
    : undefined
}
/** Whether a price falls by more than half. */
export const isDeepCut = (from_cents: number, to_cents: number): boolean =>
  to_cents * 2 < from_cents
/** Whether another person must agree to a price: it falls by more than half, or below the cost. */
export const needsSecond = (
  { from_cents, to_cents }: { from_cents: number; to_cents: number },
  settle_price_cents: number,
): boolean =>
  to_cents !== from_cents && (isDeepCut(from_cents, to_cents) || to_cents < settle_price_cents)

/** How a batch changes prices: to a share of each, by a sum, or to one price. */
export const priceModes = {
  percent: ['按比例（%）', 'To a share (%)'],
  add: ['加减金额', 'By a sum'],
  set: ['统一价', 'To one price'],
} as const satisfies Record<string, Text>
export type PriceMode = keyof typeof priceModes
/** The price after a batch, in cents; `value` is basis points of a share, else cents. */
export const pricedBy = (mode: PriceMode, value: number, cents: number): number => {
  if (mode === 'set') return value
  return mode === 'add' ? cents + value : Math.round((cents * value) / 10_000)
}
/** The value of a batch as it is typed, basis points or cents; undefined where it is none. */
export const valueTyped = (mode: PriceMode, typed: string): number | undefined => {
  const [, sign, amount] = /^([+-]?)(.*?)%?$/.exec(typed.normalize('NFKC').trim()) ?? []
  const value = centsOf(amount ?? '')
  if (value === undefined || value === 0 || value > PRICE_MAX_CENTS) return undefined
  if (mode !== 'add') return sign === '' ? value : undefined
  return sign === '-' ? -value : value
}
