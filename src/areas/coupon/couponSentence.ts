import { weekdays } from '#src/areas/code/voucher.ts'
import { shares, yuan } from '#src/domain/money.ts'
import { countEn, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { CouponTerms } from './coupon.ts'
import type { CouponBearer, CouponClaim, CouponValidity } from './couponWords.ts'

/** A coupon as it is written: its terms, how many there are, who may have it and until when. */
export type CouponDraft = CouponTerms & {
  total: number
  per_member: number
  /** The most that one member may claim on one day; null: as many as `per_member`. */
  per_day: number | null
  claim_kind: CouponClaim
  /** Unix seconds, as all times here. */
  claim_start_at: number
  claim_end_at: number
  valid_kind: CouponValidity
  use_start_at: number | null
  use_end_at: number | null
  valid_after_days: number | null
  valid_days: number | null
  new_only: boolean
  /** Levels of members that may have it; none: any. */
  level_ids: readonly number[]
  consent_no: string | null
  budget_cents: number | null
  recommend_text: string
}

/** Yuan as a sentence has them: 20, 9.90. */
const plain = (cents: number): string => yuan(cents).replace(/\.00$/, '')
/** A rate as the trade says it: 8500 → 8.5 (折), and 15 (% off). */
const tenths = (bp: number): string => String(bp / 1000)
const percentOff = (bp: number): string => String((10_000 - bp) / 100)

type Offer = Pick<
  CouponTerms,
  'kind' | 'face_cents' | 'threshold_cents' | 'discount_bp' | 'cap_cents'
>
/** What a coupon gives: `满 100 元减 20 元`, `8.5 折，最高减 30 元`. */
export const couponOffer = (of: Offer): Text => {
  const [from, face] = [plain(of.threshold_cents), plain(of.face_cents)]
  const [above, aboveEn] = of.threshold_cents > 0 ? [`满 ${from} 元`, ` from ¥${from}`] : ['', '']
  switch (of.kind) {
    case 'full_reduce':
      return [`满 ${from} 元减 ${face} 元`, `¥${face} off from ¥${from}`]
    case 'direct':
      return [`${above}立减 ${face} 元`, `¥${face} off${aboveEn || ', no minimum'}`]
    case 'discount': {
      const bp = of.discount_bp ?? 10_000
      const most = of.cap_cents === null ? undefined : plain(of.cap_cents)
      return [
        `${above}${above && '打 '}${tenths(bp)} 折${most ? `，最高减 ${most} 元` : ''}`,
        `${percentOff(bp)}% off${aboveEn}${most ? `, at most ¥${most}` : ''}`,
      ]
    }
    case 'exchange':
      return of.face_cents > 0
        ? [`${above}兑换一件商品，最高抵 ${face} 元`, `One item free, up to ¥${face}${aboveEn}`]
        : [`${above}兑换一件商品`, `One item free${aboveEn}`]
    case 'freight':
      return of.face_cents > 0
        ? [`${above}运费最高减 ${face} 元`, `Freight off, up to ¥${face}${aboveEn}`]
        : [`${above}免运费`, `Free delivery${aboveEn}`]
  }
}

type Applied = Pick<CouponTerms, 'scope' | 'apply_kind' | 'apply_ids' | 'exclude_ids' | 'city_ids'>
const everywhere: Readonly<Record<CouponTerms['scope'], Text>> = {
  local: ['全部门店通用', 'at every store'],
  ecom: ['商城全场通用', 'for the whole e-mall'],
}
const named: Readonly<
  Record<Exclude<CouponTerms['apply_kind'], 'all'>, readonly [Text, string, string]>
> = {
  category: [['分类', 'categories'], '个', 'category'],
  mall: [['商场', 'malls'], '个', 'mall'],
  store: [['门店', 'stores'], '家', 'store'],
  shop: [['店铺', 'shops'], '家', 'shop'],
  product: [['商品', 'products'], '件', 'product'],
}
/** What a coupon is for: `限 3 家门店`, with what is left out and in which cities. */
export const couponReach = (of: Applied): Text => {
  const n = of.apply_ids.length
  const [base, baseEn] =
    of.apply_kind === 'all'
      ? everywhere[of.scope]
      : [
          `限 ${n} ${named[of.apply_kind][1]}${named[of.apply_kind][0][0]}`,
          `for ${countEn(n, named[of.apply_kind][2], named[of.apply_kind][0][1])}`,
        ]
  const without = of.exclude_ids.length
  const out: Text =
    of.scope === 'local'
      ? [`（除 ${without} 家门店）`, ` except ${countEn(without, 'store')}`]
      : [`（除 ${without} 件商品）`, ` except ${countEn(without, 'product')}`]
  const cities = of.city_ids.length
  return [
    `${base}${without > 0 ? out[0] : ''}${cities > 0 ? `，限 ${cities} 个城市` : ''}`,
    `${baseEn}${without > 0 ? out[1] : ''}${cities > 0 ? `, in ${countEn(cities, 'city', 'cities')}` : ''}`,
  ]
}

/** A moment as a sentence has it: without its time where that is midnight. 0 is not written yet. */
const moment = (at: number): string => {
  if (at <= 0) return '…'
  const [date, time] = timeFull(at).split(' ') as [string, string]
  return time === '00:00:00' ? date : `${date} ${time.slice(0, 5)}`
}
type Valid = Pick<
  CouponDraft,
  'valid_kind' | 'use_start_at' | 'use_end_at' | 'valid_after_days' | 'valid_days'
>
/** When a coupon may be used. */
export const couponValid = (of: Valid): Text => {
  if (of.valid_kind === 'fixed') {
    const [from, to] = [of.use_start_at, of.use_end_at].map(at => (at ? moment(at) : '…'))
    return of.use_start_at
      ? [`${from} 至 ${to} 可用`, `valid from ${from} to ${to}`]
      : [`${to} 前可用`, `valid until ${to}`]
  }
  const days = of.valid_days ?? 0
  return of.valid_after_days
    ? [
        `领取满 ${of.valid_after_days} 天后 ${days} 天内可用`,
        `valid for ${countEn(days, 'day')}, starting ${countEn(of.valid_after_days, 'day')} after claiming`,
      ]
    : [`领取后 ${days} 天内可用`, `valid for ${countEn(days, 'day')} after claiming`]
}

type Shared = Pick<CouponTerms, 'platform_share_bp' | 'merchant_share_bp'>
/** Says who bears what it takes off. */
export const couponBearer = (of: Shared): CouponBearer => {
  if (of.merchant_share_bp === 0) return 'platform'
  return of.platform_share_bp === 0 ? 'merchant' : 'both'
}
const costOf = (of: Shared): Text => {
  const [platform, merchant] = [of.platform_share_bp / 100, of.merchant_share_bp / 100]
  const byWhom: Readonly<Record<CouponBearer, Text>> = {
    platform: ['费用由平台承担', 'paid for by the platform'],
    merchant: ['费用由商户承担', 'paid for by the merchant'],
    both: [
      `费用由平台承担 ${platform}%、商户承担 ${merchant}%`,
      `paid for by the platform (${platform}%) and the merchant (${merchant}%)`,
    ],
  }
  return byWhom[couponBearer(of)]
}

/** The levels that may have it, in words: `限 V3、V4 会员`. */
const couponLevels = (levels: readonly number[]): Text => {
  const named = levels.toSorted((a, b) => a - b).map(level => `V${level}`)
  return [`限 ${named.join('、')} 会员`, `${named.join(', ')} members only`]
}
/** The coupon as one sentence: what it gives, for what, to whom, until when, at whose cost. */
export const couponSentence = (of: CouponDraft): Text => {
  const days = of.weekdays.map(day => weekdays[day - 1]!)
  const parts: readonly Text[] = [
    couponOffer(of),
    couponReach(of),
    ...(of.scope === 'ecom' ? [['活动商品除外', 'excludes products in activities'] as const] : []),
    ...(of.new_only ? [['限新客', 'new customers only'] as const] : []),
    ...(of.level_ids.length > 0 ? [couponLevels(of.level_ids)] : []),
    [
      `共 ${of.total} 张，每人限 ${of.per_member} 张${of.per_day ? `、每天 ${of.per_day} 张` : ''}`,
      `${of.total} in total, ${of.per_member} per member${of.per_day ? `, ${of.per_day} per day` : ''}`,
    ],
    [
      `${moment(of.claim_start_at)} 至 ${moment(of.claim_end_at)} 领取`,
      `claimable from ${moment(of.claim_start_at)} to ${moment(of.claim_end_at)}`,
    ],
    couponValid(of),
    ...(days.length > 0
      ? [[`限${days.map(day => day[0]).join('、')}`, days.map(day => day[1]).join(', ')] as const]
      : []),
    of.stackable
      ? ['可与其他优惠同享', 'can be combined with other offers']
      : ['不与其他优惠同享', 'cannot be combined with other offers'],
    costOf(of),
  ]
  return [
    `${parts.map(part => part[0]).join('；')}。`,
    `${parts
      .map(part => part[1])
      .join('; ')
      .replace(/^\w/, first => first.toUpperCase())}.`,
  ]
}

type Costly = Pick<CouponDraft, 'kind' | 'face_cents' | 'cap_cents' | 'total'>
/** The most that one piece takes off, in cents: its face, of a discount its cap. */
const pieceCents = (of: Omit<Costly, 'total'>): number =>
  of.kind === 'discount' ? (of.cap_cents ?? 0) : of.face_cents
/** What a coupon would take off if every piece were used for the most it gives, in cents. */
export const exposure = (of: Costly): number => of.total * pieceCents(of)
/** The same by who bears it; the parts sum to the whole. */
export const maxCost = (
  of: Costly & Shared,
): { total_cents: number; platform_cents: number; merchant_cents: number } => {
  const total_cents = exposure(of)
  const [platform_cents, merchant_cents] = shares(total_cents, [
    of.platform_share_bp,
    of.merchant_share_bp,
  ])
  return { total_cents, platform_cents: platform_cents!, merchant_cents: merchant_cents! }
}
