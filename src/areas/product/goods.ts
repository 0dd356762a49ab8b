import type { MerchantState } from '#src/areas/merchant/merchant.ts'
import type { Text } from '#src/domain/text.ts'
import { productStates, type ProductState } from './product.ts'

/** So long before its sale ends a product is told as ending. */
export const ENDING_DAYS = 7
/** So many products are changed at once at most. */
export const GOODS_MAX = 500
export const STOCK_MAX = 1_000_000
export const SORT_MAX = 999_999
export const PRICE_MAX_CENTS = 100_000_000

export const refundPolicies = {
  anytime: ['随时退', 'Any time'],
  before_expiry: ['过期前可退', 'Before it expires'],
  none: ['不可退', 'Not refunded'],
} as const satisfies Record<string, Text>
export type RefundPolicy = keyof typeof refundPolicies

/** What the rules of a product that stores sell read of it. */
export type GoodsFacts = {
  state: ProductState
  live_version: number
  sale_end_at: number
  /** The platform took it off sale, and brings it back when the reason is gone. */
  comes_back: boolean
  merchant_status: MerchantState
  contract_end_at: number | null
}
/** Verb → the states that it may start from. */
const from = {
  onShelf: ['off_sale'],
  offShelf: ['on_sale'],
  forceOff: ['on_sale', 'off_sale', 'ended'],
  editStock: ['on_sale', 'off_sale', 'ended'],
  editPrice: ['on_sale', 'off_sale'],
  setDistribution: ['on_sale', 'off_sale'],
  setLimit: ['on_sale', 'off_sale'],
} as const satisfies Record<string, readonly ProductState[]>
export type GoodsVerb = keyof typeof from

/** Why a merchant can't sell now, or undefined: nothing of it goes on sale then. */
const sellerFault = (of: GoodsFacts, now: number): { rule: string; text: Text } | undefined => {
  if (of.merchant_status !== 'active')
    return {
      rule: 'merchant_inactive',
      text: ['商户已冻结或终止，不能上架', 'Its merchant may not trade now'],
    }
  return of.contract_end_at !== null && of.contract_end_at <= now
    ? {
        rule: 'contract_ended',
        text: ['商户合同已到期，续约后才能上架', 'The contract has ended: renew it first'],
      }
    : undefined
}
const shelfFault = (of: GoodsFacts, now: number): { rule: string; text: Text } | undefined => {
  const seller = sellerFault(of, now)
  if (seller) return seller
  if (of.comes_back)
    return {
      rule: 'comes_back',
      text: ['平台原因下架，原因消除后自动恢复', 'It comes back by itself when the reason is gone'],
    }
  if (of.live_version === 0)
    return { rule: 'never_approved', text: ['商品尚未审核通过', 'It was never approved'] }
  return of.sale_end_at <= now
    ? {
        rule: 'sale_ended',
        text: ['售卖已结束，请先延期', 'Its sale has ended: prolong it first'],
      }
    : undefined
}
/** The rule that forbids a verb, or undefined. */
export const goodsFault = (
  verb: GoodsVerb,
  of: GoodsFacts,
  now: number,
): { rule: string; text: Text } | undefined => {
  if (!(from[verb] as readonly ProductState[]).includes(of.state))
    return { rule: 'wrong_state', text: productStates[of.state] }
  return verb === 'onShelf' ? shelfFault(of, now) : undefined
}
/** True where a verb may start, else why not. */
export const goodsCan = (verb: GoodsVerb, of: GoodsFacts, now: number): true | Text =>
  goodsFault(verb, of, now)?.text ?? true

/** The prices of a group-buy; `group_price_cents` where several may buy together. */
export type Prices = {
  list_price_cents: number
  price_cents: number
  settle_price_cents?: number | undefined
  group_price_cents?: number | null | undefined
}
/** What is wrong with prices, by the field that is to be mended; the same an audit finds. */
export const priceFaults = (of: Prices): Partial<Record<keyof Prices, Text>> => ({
  ...(of.price_cents >= of.list_price_cents && {
    price_cents: ['售价须低于门市价', 'It must be below the list price'],
  }),
  ...(of.settle_price_cents !== undefined &&
    of.settle_price_cents > of.price_cents && {
      settle_price_cents: ['结算价不能高于售价', 'It can’t be above the price'],
    }),
  ...(of.group_price_cents != null &&
    of.group_price_cents >= of.price_cents && {
      group_price_cents: ['拼团价须低于售价', 'It must be below the price'],
    }),
})
/** What is wrong with what a distributor earns, or undefined: it is paid of the platform’s share. */
export const distributionFault = (rate_bp: number, commission_bp: number): Text | undefined =>
  rate_bp > commission_bp
    ? [`不能高于平台佣金 ${commission_bp / 100}%`, `At most the take rate, ${commission_bp / 100}%`]
    : undefined
