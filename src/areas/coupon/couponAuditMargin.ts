import { weekdayOf } from '#src/domain/calendar.ts'
import { DAY } from '#src/domain/time.ts'
import { cutBy, type CouponLine, type CouponOrder, type CouponTerms } from './coupon.ts'
import type { AuditedTerms, GoodsThen } from './couponAudit.ts'

/** A product as an auditor weighs it: what one unit sells for and what the platform pays for it. */
export type Weighed = {
  id: number
  title: string
  merchant_name: string
  city_id: number
  price_cents: number
  settle_price_cents: number
  line: CouponLine
}
/** Says which fact of a product changed since the submission; undefined where none did. */
export const changedSince = (
  then: GoodsThen,
  of: Pick<Weighed, 'id' | 'price_cents' | 'settle_price_cents'>,
): 'price' | 'settle' | 'new' | undefined => {
  const was = then.of[of.id]
  if (!was) return then.whole ? 'new' : undefined
  if (was[0] !== of.price_cents) return 'price'
  return was[1] === of.settle_price_cents ? undefined : 'settle'
}

/** The first moment from `now` on at which a coupon may be used, by its days of the week. */
const usableAt = (of: Pick<CouponTerms, 'weekdays'>, now: number): number => {
  const days = Array.from({ length: 7 }, (_, at) => now + at * DAY)
  return days.find(at => of.weekdays.length === 0 || of.weekdays.includes(weekdayOf(at))) ?? now
}
type Bought = { of: Weighed; qty: number }
/** An order of some goods as checkout would see it, on a day on which the coupon may be used. */
export const orderOf = (
  terms: CouponTerms,
  bought: readonly Bought[],
  { now, freight_cents }: { now: number; freight_cents: number },
): CouponOrder => ({
  scope: terms.scope,
  city_id: terms.city_ids[0] ?? bought[0]?.of.city_id ?? 0,
  at: usableAt(terms, now),
  freight_cents: terms.kind === 'freight' ? freight_cents : 0,
  lines: bought.map(({ of, qty }) => ({ ...of.line, cost_cents: of.price_cents * qty })),
  other_cents: 0,
  reduced: false,
})
/** How many units of a product reach the threshold; at least one. */
export const unitsFor = (
  { threshold_cents }: Pick<CouponTerms, 'threshold_cents'>,
  price_cents: number,
): number => Math.max(1, Math.ceil(threshold_cents / Math.max(1, price_cents)))
const nothing = { discount_cents: 0, platform_cents: 0, merchant_cents: 0 }
/** What a coupon makes of the smallest purchase of one product that it could be used for. */
export const marginOf = (
  terms: CouponTerms,
  of: Weighed,
  at: { now: number; freight_cents: number },
) => {
  const qty = unitsFor(terms, of.price_cents)
  const cut = cutBy(terms, orderOf(terms, [{ of, qty }], at))
  const { discount_cents, platform_cents, merchant_cents } = 'rule' in cut ? nothing : cut
  const sum_cents = of.price_cents * qty
  return {
    qty,
    sum_cents,
    discount_cents,
    platform_cents,
    merchant_cents,
    pay_cents: sum_cents - discount_cents,
    /** The platform keeps this: the part that merchants bear costs it nothing. */
    margin_cents: qty * (of.price_cents - of.settle_price_cents) - platform_cents,
  }
}

const meet = (a: readonly number[], b: readonly number[]): boolean => a.some(one => b.includes(one))
/**
 * Whether two coupons can be had for the same goods in the same place and time: both for
 * everything, or for the same category, mall, store, shop or product.
 */
export const overlaps = (of: AuditedTerms, other: AuditedTerms): boolean => {
  if (of.scope !== other.scope || of.apply_kind !== other.apply_kind) return false
  if (of.claim_start_at > other.claim_end_at || other.claim_start_at > of.claim_end_at) return false
  const isEverywhere = of.city_ids.length === 0 || other.city_ids.length === 0
  if (!isEverywhere && !meet(of.city_ids, other.city_ids)) return false
  return of.apply_kind === 'all' || meet(of.apply_ids, other.apply_ids)
}
