import type { Text } from '#src/domain/text.ts'

/** What a member price is for, from the widest to the narrowest. */
export const discountScopes = {
  all: ['全平台', 'Everything'],
  mall: ['商场', 'Mall'],
  category: ['类目', 'Category'],
  store: ['门店', 'Store'],
  product: ['商品', 'Product'],
} as const satisfies Record<string, Text>
export type DiscountScope = keyof typeof discountScopes
const widest = Object.keys(discountScopes) as DiscountScope[]

export const WHOLE_BP = 10_000
/** From 1 to 9.9 of 10 parts of the price. */
export const DISCOUNT_LEAST = 1000
export const DISCOUNT_MOST = 9900

export type DiscountLine = {
  card_id: number
  scope: DiscountScope
  /** 0 of everything. */
  scope_id: number
  /** What remains of the price, in basis points. */
  discount_bp: number
  /** The most that an order saves; 0: any amount. */
  cap_cents: number
  platform_share_bp: number
  merchant_share_bp: number
  consent_no: string
  start_at: number
  end_at: number
}
/** What is wrong with a line as it is written, by field. */
export const discountFaults = (
  of: DiscountLine,
): Readonly<Partial<Record<keyof DiscountLine, Text>>> => ({
  ...(of.scope !== 'all' &&
    of.scope_id === 0 && { scope_id: ['请选择对象', 'Choose what it is for'] }),
  ...(of.platform_share_bp + of.merchant_share_bp !== WHOLE_BP && {
    platform_share_bp: [
      '平台与商户分摊合计须为 100%',
      'The shares of platform and merchant make 100% together',
    ],
  }),
  ...(of.merchant_share_bp > 0 &&
    of.consent_no.trim() === '' && {
      consent_no: [
        '商户承担折扣须登记商户同意书编号',
        'A part that the merchant bears needs the number of its consent',
      ],
    }),
  ...(of.end_at <= of.start_at && { end_at: ['须晚于开始时间', 'Must be later than it begins'] }),
})
type Placed = Pick<DiscountLine, 'card_id' | 'scope' | 'scope_id' | 'start_at' | 'end_at'>
/** Whether two lines of one plan are for the same at the same time. */
export const overlaps = (a: Placed, b: Placed): boolean =>
  a.card_id === b.card_id &&
  a.scope === b.scope &&
  a.scope_id === b.scope_id &&
  a.start_at < b.end_at &&
  b.start_at < a.end_at

export type DiscountVerb = 'enable' | 'disable' | 'edit'
/** Whether that may be done with a line now, or why not. Unix seconds. */
export const discountCan = (
  verb: DiscountVerb,
  of: Pick<DiscountLine, 'end_at' | 'merchant_share_bp' | 'consent_no'> & { status: 'on' | 'off' },
  now: number,
): true | Text => {
  if (verb === 'disable') return of.status === 'on' || ['已停用', 'It is disabled']
  if (verb === 'edit')
    return of.status === 'off' || ['请先停用再修改', 'Disable it before it is changed']
  if (of.status === 'on') return ['已启用', 'It is enabled']
  if (of.end_at <= now) return ['已过期，请先改期', 'It is over: change its period first']
  return of.merchant_share_bp === 0 || of.consent_no !== ''
    ? true
    : ['缺少商户同意书编号', 'The merchant’s consent is missing']
}

/** What is bought, as lines are chosen for it. */
export type Bought = {
  product_id: number
  store_id: number
  category_id: number
  mall_id: number
}
/** Whether a line is for what is bought. */
export const isFor = (of: Pick<DiscountLine, 'scope' | 'scope_id'>, bought: Bought): boolean =>
  of.scope === 'all' || bought[`${of.scope}_id`] === of.scope_id
/**
 * The line that gives the price: of those in force the most specific, product over store over
 * category over mall over everything. Two of one scope never are in force at once.
 */
export const lineFor = <L extends Pick<DiscountLine, 'scope' | 'scope_id' | 'start_at' | 'end_at'>>(
  lines: readonly L[],
  bought: Bought,
  now: number,
): L | undefined =>
  lines
    .filter(one => isFor(one, bought) && one.start_at <= now && one.end_at > now)
    .toSorted((a, b) => widest.indexOf(b.scope) - widest.indexOf(a.scope))[0]
/**
 * What a member pays for one piece, in cents: the discount up to its cap, and never below what is
 * settled with the merchant unless the platform bears all of it.
 */
export const memberPrice = (
  of: Pick<DiscountLine, 'discount_bp' | 'cap_cents' | 'platform_share_bp'>,
  { price_cents, settle_cents }: { price_cents: number; settle_cents: number },
): number => {
  const off = price_cents - Math.ceil((price_cents * of.discount_bp) / WHOLE_BP)
  const saved = of.cap_cents > 0 ? Math.min(off, of.cap_cents) : off
  const least = of.platform_share_bp === WHOLE_BP ? 0 : Math.min(settle_cents, price_cents)
  return Math.max(price_cents - saved, least)
}
/** Basis points of the price as one says a discount: 8000 is 8 折, or 20% off. */
export const discountText = (bp: number): Text => [
  `${(bp / 1000).toFixed(2).replace(/\.?0+$/, '')} 折`,
  `${Number(((WHOLE_BP - bp) / 100).toFixed(2))}% off`,
]
