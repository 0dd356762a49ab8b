import { momentNamed } from '#src/domain/calendar.ts'
import type { Text } from '#src/domain/text.ts'
import type { ProductState } from './product.ts'

/** The kinds of products that are used at a store; goods that are sent are not. */
export const storeKinds = ['bulks', 'card', 'voucher', 'goods'] as const
export type StoreKind = (typeof storeKinds)[number]

/** Why a product can't be linked to a store, or undefined: what nobody approved is not sold yet. */
export const linkFault = (of: { state: ProductState; live_version: number }): Text | undefined =>
  of.live_version === 0 || of.state === 'draft'
    ? ['商品尚未审核通过', 'It was never approved']
    : undefined

/** What hangs on the link of a product and a store. */
export type LinkFacts = {
  state: ProductState
  /** It is off sale for a reason that goes away. */
  comes_back: boolean
  /** Other stores that take it, open or resting. */
  other_stores: number
  /** Metres to the nearest of them; null where nobody knows. */
  nearest_m: number | null
  /** Paid codes of it that nobody has used. */
  unused_codes: number
  refundable: boolean
}
/** How near another store must be, for whoever bought for this one. */
export const NEAR_M = 3000
/** Why a link can't be taken away, or undefined. */
export const unlinkFault = (of: LinkFacts): { rule: string; text: Text } | undefined => {
  const sells = of.state === 'on_sale' || of.comes_back
  if (sells && of.other_stores === 0)
    return {
      rule: 'last_store',
      text: [
        '这是在售商品的最后一家适用门店，请先下架商品或关联其他门店',
        'It is the last store of a product on sale: take that off sale, or link another store',
      ],
    }
  const near = of.nearest_m !== null && of.nearest_m <= NEAR_M
  if (of.unused_codes > 0 && !near && !of.refundable)
    return {
      rule: 'codes_unused',
      text: [
        '已售券码未使用，3 公里内没有其他适用门店，商品又不支持退款，不能取消关联',
        'Sold codes are unused, no other store within 3 km takes it, and it is not refunded',
      ],
    }
  return undefined
}

const DATE = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/
const DATES_MAX = 60
/** Days as they are kept, `YYYY-MM-DD`, of a line of them; undefined where one is none. */
export const datesOf = (typed: string): string[] | undefined => {
  const days = typed
    .normalize('NFKC')
    .split(/[\s,、;]+/)
    .filter(Boolean)
    .map(day => {
      const [, year, month, date] = DATE.exec(day) ?? []
      const plain = `${year}-${month?.padStart(2, '0')}-${date?.padStart(2, '0')}`
      return momentNamed(plain) === undefined ? undefined : plain
    })
  return days.includes(undefined) ? undefined : [...new Set(days as string[])].sort()
}
/** What is wrong with a line of days, or undefined. */
export const datesFault = (typed: string): Text | undefined => {
  const days = datesOf(typed)
  if (days === undefined) return ['日期写成 2026-10-01，多个用逗号分隔', 'Days as 2026-10-01']
  return days.length > DATES_MAX ? ['最多 60 天', '60 days at most'] : undefined
}
