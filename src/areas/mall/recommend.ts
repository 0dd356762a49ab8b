import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

/**
 * The ordered blocks of a mall; `hot`, `floor` and `category` are boards too, with tables of their
 * own.
 */
export const blocks = {
  coupon: ['优惠券推荐位', 'Coupons'],
  group: ['团购推荐位', 'Group-buys'],
  voucher: ['代金券推荐位', 'Vouchers'],
  featured: ['精选商品', 'Featured'],
  shop: ['推荐门店', 'Stores'],
} as const satisfies Record<string, Text>
export type Block = keyof typeof blocks
export const blockMax: Record<Exclude<Block, 'shop'>, number> = {
  coupon: 10,
  group: 20,
  voucher: 15,
  featured: 30,
}
export const VOUCHERS_OF_ONE = 3
export const HOT_MAX = 12
/** A coupon may stand on the strip when its claim window opens within so many seconds. */
const SOON_S = 7 * DAY
/**
 * Under so many pieces stock is called thin; a sale that ends within so many seconds is called
 * ending.
 */
export const THIN = 10
export const ENDING_S = 3 * DAY

/** Why something can't stand (or stay) on a board. */
export const blockReasons = {
  not_found: ['没有找到，或不在你的数据范围内', 'Not found, or outside your data scope'],
  not_approved: ['优惠券未通过审核', 'The coupon is not approved'],
  claim_ended: ['领取已结束', 'Claiming has ended'],
  too_early: ['距开放领取超过 7 天', 'Claiming opens in more than 7 days'],
  used_up: ['已领完', 'All claimed'],
  paused: ['已暂停', 'Paused'],
  not_in_mall: ['本商场没有可用门店', 'No store of this mall takes it'],
  not_on_sale: ['不在售', 'Not on sale'],
  sale_ended: ['售卖已结束', 'The sale has ended'],
  sold_out: ['已售罄', 'Sold out'],
  wrong_kind: ['商品类型不符', 'The wrong kind of product'],
  merchant_frozen: ['商户已冻结或终止', 'The merchant is frozen or gone'],
  price_not_below_face: ['售价不低于面值', 'The price is not below the face'],
  redeem_ends_early: ['核销截止早于停售', 'Redeeming ends before the sale'],
  merchant_full: ['同一商户最多 3 张', 'At most 3 of one merchant'],
  store_not_open: ['门店未营业', 'The store is not open'],
  wrong_category: ['门店分类不在此导购分类内', 'The store’s category is not in this one'],
  full: ['推荐位已满', 'The board is full'],
  window_overlap: ['与已有展示时间重叠', 'Overlaps its window'],
  no_contract: ['付费推荐须填合同编号', 'A paid placement needs a contract number'],
} as const satisfies Record<string, Text>
export type BlockReason = keyof typeof blockReasons
/** Why the system took something off. */
export const dropReasons = {
  ...blockReasons,
  window_over: ['展示时间已过', 'Its window is over'],
} as const satisfies Record<string, Text>

export const couponStates = {
  draft: ['草稿', 'Draft'],
  auditing: ['审核中', 'In audit'],
  rejected: ['已驳回', 'Rejected'],
  waiting: ['未开始', 'Waiting'],
  active: ['发放中', 'Active'],
  paused: ['已暂停', 'Paused'],
  ended: ['已结束', 'Ended'],
  void: ['已作废', 'Void'],
} as const satisfies Record<string, Text>
export type CouponState = keyof typeof couponStates
export const couponKinds = {
  full_reduce: ['满减', 'Amount off'],
  discount: ['折扣', 'Discount'],
  direct: ['立减', 'Direct'],
  exchange: ['兑换', 'Exchange'],
  freight: ['运费', 'Freight'],
} as const satisfies Record<string, Text>
export type CouponKind = keyof typeof couponKinds

/**
 * Null, or why a coupon may not be on a mall's strip. `in_mall`: at least one store of the place
 * takes it.
 */
export const couponBlocked = (
  of: {
    status: CouponState
    claim_start_at: number
    claim_end_at: number
    total: number
    claimed_count: number
    in_mall: boolean
  },
  now: number,
): BlockReason | null => {
  const hasEnded = of.status === 'ended' || (of.status !== 'void' && of.claim_end_at <= now)
  if (of.status === 'paused') return 'paused'
  if (hasEnded) return 'claim_ended'
  if (of.status !== 'active' && of.status !== 'waiting') return 'not_approved'
  if (of.claimed_count >= of.total) return 'used_up'
  if (of.claim_start_at > now + SOON_S) return 'too_early'
  return of.in_mall ? null : 'not_in_mall'
}

export type Offer = {
  kind: string
  state: string
  stock_left: number
  sale_end_at: number
  check_end_at: number
  price_cents: number
  face_cents: number | null
  merchant_status: string
  stores_in_mall: number
}
const kindOf: Record<'group' | 'voucher' | 'featured', (kind: string) => boolean> = {
  group: kind => kind === 'bulks',
  voucher: kind => kind === 'voucher',
  featured: () => true,
}
/** Why a product is not sold now, or null. */
const unsold = (of: Offer, now: number): BlockReason | null => {
  if (of.merchant_status === 'frozen' || of.merchant_status === 'terminated')
    return 'merchant_frozen'
  if (of.state === 'ended') return 'sale_ended'
  if (of.state !== 'on_sale') return 'not_on_sale'
  if (of.sale_end_at <= now) return 'sale_ended'
  return of.stock_left <= 0 ? 'sold_out' : null
}
/** Why the terms of a product forbid it a block, or null. */
const termsBlocked = (isVoucher: boolean, of: Offer): BlockReason | null => {
  if (isVoucher) return of.price_cents >= (of.face_cents ?? 0) ? 'price_not_below_face' : null
  return of.check_end_at < of.sale_end_at ? 'redeem_ends_early' : null
}
/** Null, or why a product may not be in a block of a mall. */
export const offerBlocked = (
  block: 'group' | 'voucher' | 'featured',
  of: Offer,
  now: number,
): BlockReason | null => {
  if (!kindOf[block](of.kind)) return 'wrong_kind'
  const blocked = unsold(of, now) ?? termsBlocked(block === 'voucher', of)
  return blocked ?? (of.stores_in_mall === 0 ? 'not_in_mall' : null)
}
/** Null, or why a store may not be recommended in a guide category. */
export const storeBlocked = (of: {
  status: string
  in_mall: boolean
  gathered: boolean
}): BlockReason | null => {
  if (!of.in_mall) return 'not_in_mall'
  if (of.status !== 'open') return 'store_not_open'
  return of.gathered ? null : 'wrong_category'
}

/** A paid placement has a window and a contract number; either alone is no placement. */
export const paidFault = (of: {
  start_at?: number | undefined
  end_at?: number | undefined
  contract_no?: string | undefined
  paid?: boolean | undefined
}): BlockReason | null => (of.paid && !of.contract_no ? 'no_contract' : null)
export const windowsOverlap = (
  a: { start_at: number | null; end_at: number | null },
  b: { start_at: number | null; end_at: number | null },
): boolean =>
  (a.start_at ?? 0) < (b.end_at ?? Number.MAX_SAFE_INTEGER) &&
  (b.start_at ?? 0) < (a.end_at ?? Number.MAX_SAFE_INTEGER)
export const inWindow = (
  of: { start_at: number | null; end_at: number | null },
  now: number,
): boolean => (of.start_at ?? 0) <= now && now < (of.end_at ?? Number.MAX_SAFE_INTEGER)

export const hotKinds = {
  keyword: ['热词', 'Keyword'],
  store: ['门店', 'Store'],
  bulks: ['团购', 'Group-buy'],
  voucher: ['代金券', 'Voucher'],
  activity: ['活动', 'Activity'],
  link: ['链接', 'Link'],
} as const satisfies Record<string, Text>
export type HotKind = keyof typeof hotKinds
export const hotBadges = {
  none: ['无', 'None'],
  hot: ['热', 'Hot'],
  new: ['新', 'New'],
  sale: ['惠', 'Sale'],
} as const satisfies Record<string, Text>
export type HotBadge = keyof typeof hotBadges
/**
 * The words that advertising law forbids, as the audit knows them; a hot word is shown to
 * everybody.
 */
export const bannedWords = [
  '最低',
  '最高级',
  '第一品牌',
  '国家级',
  '绝对',
  '100%',
  '赌',
  '代购香烟',
  '处方药',
] as const
export const bannedIn = (title: string): string | undefined =>
  bannedWords.find(word => title.normalize('NFKC').toLowerCase().includes(word))
/** Live = switched on and not past its end: what counts against the 12 of a place. */
export const hotCounts = (of: { status: 'on' | 'off'; end_at: number }, now: number): boolean =>
  of.status === 'on' && of.end_at > now
