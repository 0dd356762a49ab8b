import { couponKinds, type CouponKind } from '#src/areas/mall/recommend.ts'
import type { Text } from '#src/domain/text.ts'
import type { CouponScope, CouponTerms } from './coupon.ts'

/** What a coupon may be for; which of them a scope has says `appliesOf`. */
export const couponApplies = {
  all: ['全部', 'Everything'],
  category: ['分类', 'Categories'],
  mall: ['商场', 'Malls'],
  store: ['门店', 'Stores'],
  shop: ['店铺', 'Shops'],
  product: ['商品', 'Products'],
} as const satisfies Record<CouponTerms['apply_kind'], Text>
export type CouponApply = keyof typeof couponApplies
/** How a coupon comes to its member. */
export const couponClaims = {
  claim: ['会员领取', 'Claimed by members'],
  auto_new: ['新客自动发放', 'Given to new customers'],
  admin: ['定向发放', 'Given by staff'],
  code: ['兑换码', 'Redeem code'],
  points: ['积分兑换', 'For points'],
  activity: ['活动发放', 'Given by an activity'],
} as const satisfies Record<string, Text>
export type CouponClaim = keyof typeof couponClaims
export const couponValidities = {
  fixed: ['固定时间', 'Fixed dates'],
  days_after: ['领取后若干天', 'Days after claiming'],
} as const satisfies Record<string, Text>
export type CouponValidity = keyof typeof couponValidities
/** These may bear what a coupon takes off. */
export const couponBearers = {
  platform: ['平台承担', 'The platform'],
  merchant: ['商户承担', 'The merchant'],
  both: ['平台与商户共担', 'Both'],
} as const satisfies Record<string, Text>
export type CouponBearer = keyof typeof couponBearers

const kindsIn: Readonly<Record<CouponScope, readonly CouponKind[]>> = {
  local: ['full_reduce', 'discount', 'direct', 'exchange'],
  ecom: ['full_reduce', 'discount', 'direct', 'freight'],
}
const appliesIn: Readonly<Record<CouponScope, readonly CouponApply[]>> = {
  local: ['all', 'category', 'mall', 'store', 'product'],
  ecom: ['all', 'shop', 'category', 'product'],
}
const some = <K extends string>(
  words: Readonly<Record<K, Text>>,
  keys: readonly K[],
): Readonly<Record<K, Text>> =>
  Object.fromEntries(keys.map(key => [key, words[key]])) as Record<K, Text>
/** The kinds that a coupon of a scope may have, with their words. */
export const kindsOf = (scope: CouponScope) => some(couponKinds, kindsIn[scope])
/** What a coupon of a scope may be for, with its words. */
export const appliesOf = (scope: CouponScope) => some(couponApplies, appliesIn[scope])

/** How a piece that a member holds may stand. */
export const couponPieces = {
  unused: ['未使用', 'Unused'],
  locked: ['已占用', 'Reserved'],
  used: ['已使用', 'Used'],
  expired: ['已过期', 'Expired'],
  revoked: ['已收回', 'Taken back'],
} as const satisfies Record<string, Text>
export type CouponPiece = keyof typeof couponPieces
/** How a piece came to its member. */
export const couponGrantKinds = {
  ...couponClaims,
  compensate: ['售后补偿', 'Compensation'],
} as const satisfies Record<string, Text>
