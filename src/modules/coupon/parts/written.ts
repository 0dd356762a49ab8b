import { ask, type Ask } from '#commands/command.ts'
import type { CouponScope } from '#src/areas/coupon/coupon.ts'
import { COUPON_TOTAL_MAX } from '#src/areas/coupon/couponRules.ts'
import type { CouponDraft } from '#src/areas/coupon/couponSentence.ts'
import type { CouponApply } from '#src/areas/coupon/couponWords.ts'
import type { Text } from '#src/domain/text.ts'

/** The fields that the form writes, under the names of its calls. */
type Own = Omit<
  CouponDraft,
  | 'scope'
  | 'apply_ids'
  | 'discount_bp'
  | 'platform_share_bp'
  | 'merchant_share_bp'
  | 'weekdays'
  | 'level_ids'
  | 'exclude_ids'
  | 'city_ids'
>
type Answered<T> = { [K in keyof T]?: Exclude<T[K], null> }
/** The answers of the form; a question that is not asked has no answer. */
export type CouponAnswers = Answered<Own> &
  Partial<Record<Exclude<CouponApply, 'all'>, number[]>> & {
    discount?: string
    zero_confirmed?: boolean
    exclude_ids?: number[]
    city_ids?: number[]
    weekdays?: string[]
    level_ids?: string[]
    platform_share?: number
  }
/** The values that stand for answers which are still missing, in a form half written. */
const missing: Own = {
  name: '',
  kind: 'full_reduce',
  face_cents: 0,
  threshold_cents: 0,
  cap_cents: null,
  apply_kind: 'all',
  stackable: false,
  total: 0,
  per_member: 0,
  per_day: null,
  claim_kind: 'claim',
  claim_start_at: 0,
  claim_end_at: 0,
  valid_kind: 'fixed',
  use_start_at: null,
  use_end_at: null,
  valid_after_days: null,
  valid_days: null,
  new_only: false,
  consent_no: null,
  budget_cents: null,
  recommend_text: '',
}
const rateOf = (typed: string | undefined): number | null => {
  const rate = Number(typed?.trim() || Number.NaN)
  return rate > 0 && rate <= 10 ? Math.round(rate * 1000) : null
}
/**
 * The fields that are sent of the answers. A time that is half typed is no number yet: it is
 * missing.
 */
export const writtenOf = (of: CouponAnswers) => {
  const own = Object.fromEntries(
    Object.entries(missing).map(([name, none]) => {
      const value = of[name as keyof Own] ?? none
      return [name, Number.isNaN(value) ? none : value]
    }),
  ) as Own
  const platform = Math.round((of.platform_share ?? 100) * 100)
  return {
    ...own,
    discount_bp: rateOf(of.discount),
    apply_ids: own.apply_kind === 'all' ? [] : (of[own.apply_kind] ?? []),
    exclude_ids: of.exclude_ids ?? [],
    city_ids: of.city_ids ?? [],
    weekdays: (of.weekdays ?? []).map(Number),
    level_ids: (of.level_ids ?? []).map(Number),
    platform_share_bp: platform,
    merchant_share_bp: 10_000 - platform,
  }
}
export const draftOf = (scope: CouponScope, of: CouponAnswers): CouponDraft => ({
  ...writtenOf(of),
  scope,
})
/** The names under which the server refuses a field, as the questions are called here. */
export const namesHere: Record<string, string> = {
  discount_bp: 'discount',
  apply_ids: 'apply_kind',
  platform_share_bp: 'platform_share',
  merchant_share_bp: 'platform_share',
}

/** The parts of the form, with the questions of each; `wide` ones take a line of their own. */
export const formParts: readonly {
  title: Text
  names: readonly string[]
  wide?: readonly string[]
}[] = [
  {
    title: ['优惠', 'Offer'],
    names: [
      'name',
      'kind',
      'threshold_cents',
      'face_cents',
      'discount',
      'cap_cents',
      'zero_confirmed',
    ],
  },
  {
    title: ['适用范围', 'Scope'],
    names: ['apply_kind'],
    wide: ['city_ids', 'category', 'mall', 'store', 'shop', 'product', 'exclude_ids'],
  },
  {
    title: ['领取', 'Claiming'],
    names: [
      'total',
      'per_member',
      'per_day',
      'claim_kind',
      'claim_start_at',
      'claim_end_at',
      'new_only',
    ],
    wide: ['level_ids'],
  },
  {
    title: ['使用', 'Use'],
    names: [
      'valid_kind',
      'use_start_at',
      'use_end_at',
      'valid_after_days',
      'valid_days',
      'stackable',
    ],
    wide: ['weekdays'],
  },
  {
    title: ['费用', 'Cost'],
    names: ['platform_share', 'consent_no', 'budget_cents', 'recommend_text'],
  },
]

/** The answers that may still change of a coupon that was approved. */
export const openAsks = (claimed: number): Record<string, Ask> => ({
  total: ask.number({
    label: ['发放总量（张）', 'Quantity'],
    min: Math.max(1, claimed),
    max: COUPON_TOTAL_MAX,
    hint: ['只能增加；超出预算须重新审核', 'Can only be raised; over budget it is audited again'],
    initial: rows => rows[0]?.total,
  }),
  per_member: ask.number({
    label: ['每人限领（张）', 'Limit per member'],
    min: 1,
    max: COUPON_TOTAL_MAX,
    hint: ['只能提高', 'Can only be raised'],
    initial: rows => rows[0]?.per_member,
  }),
  claim_end_at: ask.time({
    label: ['领取截止', 'Claim until'],
    hint: ['只能延后', 'Can only be moved later'],
    initial: rows => rows[0]?.claim_end_at,
  }),
  recommend_text: ask.text({
    label: ['推荐语', 'Tagline'],
    max: 40,
    optional: true,
    initial: rows => rows[0]?.recommend_text || undefined,
  }),
})
