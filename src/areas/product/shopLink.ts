/** Which goods an online shop may sell, at which price and how many of them. */
import type { MerchantState } from '#src/areas/merchant/merchant.ts'
import type { ShopType } from '#src/areas/merchant/onlineShop.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import type { ProductState } from './product.ts'
import { linkFault } from './storeLink.ts'

/** Whose goods stand in the pool: the merchant’s own, or other merchants’ that the platform supplies. */
export const goodsSources = {
  own: ['商户自有', 'Its own'],
  supply: ['平台供货', 'Platform supply'],
} as const satisfies Record<string, Text>
export type GoodsSource = keyof typeof goodsSources
/** The kinds of shops that sell what other merchants supply; a flagship sells its own alone. */
export const suppliedTypes: readonly ShopType[] = ['mall', 'self_run']

type Fault = { rule: string; text: Text }
/** What decides whether a shop may sell some goods. */
export type ShelfFacts = {
  state: ProductState
  live_version: number
  source: GoodsSource
  shop_type: ShopType
  /** Its merchant trades under a contract that runs. */
  has_contract: boolean
  /** Its category, or one above it, is among those that the shop was approved for. */
  is_licensed: boolean
  category_name: string
}
/** Why a shop may not sell these goods, or undefined. */
export const shelfFault = (of: ShelfFacts): Fault | undefined => {
  const unfit = linkFault(of)
  if (unfit) return { rule: 'never_approved', text: unfit }
  if (of.source === 'supply' && !suppliedTypes.includes(of.shop_type))
    return {
      rule: 'other_merchant',
      text: ['旗舰店只能销售本商户的商品', 'A flagship sells the goods of its merchant alone'],
    }
  if (!of.has_contract)
    return {
      rule: 'no_contract',
      text: ['供货商户没有生效中的合同，续约后才能上架', 'Its merchant has no contract that runs'],
    }
  return of.is_licensed
    ? undefined
    : {
        rule: 'unlicensed',
        text: [
          `店铺没有「${of.category_name}」的经营类目，请先在店铺资料中申请`,
          `The shop is not approved for ${of.category_name}: apply for it first`,
        ],
      }
}
/** Whether a merchant supplies goods now: it trades, and its contract has begun and runs. */
export const suppliesNow = (
  of: { status: MerchantState; contract_start_at: number | null; contract_end_at: number | null },
  now: number,
): boolean =>
  of.status === 'active' &&
  of.contract_start_at !== null &&
  of.contract_start_at <= now &&
  (of.contract_end_at === null || of.contract_end_at > now)

/** Why a shop may not let go of goods, or undefined. */
export const letGoFault = (of: {
  unpaid: number
  state: ProductState
  other_shops: number
}): Fault | undefined => {
  if (of.unpaid > 0)
    return {
      rule: 'unpaid',
      text: [
        `本店有 ${of.unpaid} 笔未支付订单，支付或关闭后才能移出`,
        `${of.unpaid} orders of this shop are unpaid: wait until they are paid or closed`,
      ],
    }
  return of.state === 'on_sale' && of.other_shops === 0
    ? {
        rule: 'last_shop',
        text: [
          '这是在售商品的最后一家店铺，请先下架商品或上架到其他店铺',
          'It is the last shop of goods on sale: take them off sale, or link another shop',
        ],
      }
    : undefined
}
/** Why a shop may not ask so many cents for its cheapest variant, or undefined. */
export const shopPriceFault = (
  cents: number,
  of: { settle_price_cents: number; list_price_cents: number },
): Text | undefined => {
  if (cents < of.settle_price_cents)
    return [
      `不能低于结算价 ¥${yuan(of.settle_price_cents)}`,
      `At least the settle price, ¥${yuan(of.settle_price_cents)}`,
    ]
  return cents > of.list_price_cents
    ? [
        `不能高于划线价 ¥${yuan(of.list_price_cents)}`,
        `At most the list price, ¥${yuan(of.list_price_cents)}`,
      ]
    : undefined
}
/** What a variant costs in a shop: all move by as much as its cheapest. In cents, never below 1. */
export const shopPriceOf = (
  variant_cents: number,
  of: { price_cents: number; shop_price_cents: number | null },
): number =>
  of.shop_price_cents === null
    ? variant_cents
    : Math.max(1, variant_cents + of.shop_price_cents - of.price_cents)
/** The share of a price that is left after the cost, in basis points; negative below it. */
export const marginOf = (price_cents: number, settle_price_cents: number): number =>
  price_cents > 0 ? Math.round(((price_cents - settle_price_cents) * 10_000) / price_cents) : 0
