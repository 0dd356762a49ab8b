import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'

/** The policy that holds where no category says otherwise. */
export const DEFAULT_CATEGORY = 0
/** What the operation log calls the policy of a category, whatever its version. */
export const policyId = (category_id: number): number => category_id + 1
export const categoryOf = (id: number): number => id - 1

/** Days of 《消费者权益保护法》第二十五条 in which goods go back without a reason. */
export const LAW_DAYS = 7
export const RETURN_MAX_DAYS = 30
export const ANSWER_MAX_H = 720
export const PHOTOS_MAX = 9
export const AUTO_MAX_CENTS = 100_000_00
export const LATE_MAX_BP = 3000
export const LATE_MAX_CENTS = 1_000_00

/** Whoever pays for goods that are sent back. */
export const freightPayers = {
  buyer: ['买家承担', 'Buyer'],
  merchant: ['商家承担', 'Merchant'],
  by_fault: ['按责任承担', 'Party at fault'],
} as const satisfies Record<string, Text>
export type FreightPayer = keyof typeof freightPayers

/**
 * What a version says. Days from receipt; hours from the application; money in cents, shares in
 * basis points. A buyer's score is a percentage (`buyerScore`).
 */
export type PolicyFields = {
  no_reason_days: number
  /** The law's seven days don't hold for the category. */
  exempt: boolean
  freight_payer: FreightPayer
  /** Pictures that a refund without a return needs once the goods arrived. */
  evidence_photos: number
  merchant_h: number
  platform_h: number
  /** What an unanswered refund of unsent goods is agreed to by itself up to. */
  auto_agree_cents: number
  /** A buyer with this score is agreed to at once, up to `fast_limit_cents`; 0 cents: never. */
  fast_score: number
  fast_limit_cents: number
  /** What a buyer is due for each day that goods leave late: a share of them, at most so much. */
  late_day_bp: number
  late_max_cents: number
}
/** What an installation begins with. */
export const policyAtFirst: PolicyFields = {
  no_reason_days: LAW_DAYS,
  exempt: false,
  freight_payer: 'buyer',
  evidence_photos: 1,
  merchant_h: 48,
  platform_h: 96,
  auto_agree_cents: 200_00,
  fast_score: 90,
  fast_limit_cents: 0,
  late_day_bp: 0,
  late_max_cents: 0,
}
export type PolicyName = keyof PolicyFields
export const policyNames = Object.keys(policyAtFirst) as PolicyName[]

type Bounds = readonly [min: number, max: number, zh: string, en: string]
const bounds = {
  no_reason_days: [0, RETURN_MAX_DAYS, '天', 'days'],
  evidence_photos: [1, PHOTOS_MAX, '张', 'pictures'],
  merchant_h: [1, ANSWER_MAX_H, '小时', 'hours'],
  platform_h: [1, ANSWER_MAX_H, '小时', 'hours'],
  fast_score: [0, 100, '分', 'points'],
} as const satisfies Partial<Record<PolicyName, Bounds>>
export type PolicyFaults = Partial<Record<PolicyName, Text>>
const boundFaults = (of: PolicyFields): PolicyFaults =>
  Object.fromEntries(
    Object.entries<Bounds>(bounds).flatMap(([name, [min, max, zh, en]]) => {
      const n = of[name as keyof typeof bounds]
      return Number.isInteger(n) && n >= min && n <= max
        ? []
        : [[name, [`须为 ${min}–${max} ${zh}`, `From ${min} to ${max} ${en}`]]]
    }),
  )
/** Days below the law's are for exempt categories alone, and all goods are never exempt. */
export const daysFault = (
  of: Pick<PolicyFields, 'no_reason_days' | 'exempt'>,
  category_id: number,
): Text | undefined =>
  of.no_reason_days < LAW_DAYS && (!of.exempt || category_id === DEFAULT_CATEGORY)
    ? [
        `不少于法定的 ${LAW_DAYS} 天；不适用七天无理由的分类请单独设置`,
        `At least the ${LAW_DAYS} days of the law, unless a category is exempt from them`,
      ]
    : undefined
/**
 * What is wrong with a policy, each at its field. `by` is whoever saves over `was`: nobody raises
 * what is agreed to by itself above what they might agree to.
 */
export const policyFaults = (
  of: PolicyFields,
  category_id: number,
  by?: { refund_limit_cents: number; was: PolicyFields },
): PolicyFaults => {
  const faults = boundFaults(of)
  const days = daysFault(of, category_id)
  if (days) faults.no_reason_days ??= days
  if (of.exempt && category_id === DEFAULT_CATEGORY)
    faults.exempt = ['默认政策适用于全部商品，不能豁免', 'It holds for all goods: none is exempt']
  if (of.merchant_h >= of.platform_h)
    faults.merchant_h ??= [
      `须短于平台时限（${of.platform_h} 小时）`,
      `Shorter than the platform’s ${of.platform_h} hours`,
    ]
  if (of.fast_limit_cents > of.auto_agree_cents)
    faults.fast_limit_cents = [
      `极速退款上限不能高于自动同意上限 ${yuan(of.auto_agree_cents)} 元`,
      `Fast refunds go up to what is agreed to by itself, ¥${yuan(of.auto_agree_cents)}`,
    ]
  if (
    by &&
    of.auto_agree_cents > by.refund_limit_cents &&
    of.auto_agree_cents !== by.was.auto_agree_cents
  )
    faults.auto_agree_cents = [
      `不能高于你的退款额度 ${yuan(by.refund_limit_cents)} 元`,
      `Not above your own refund limit, ¥${yuan(by.refund_limit_cents)}`,
    ]
  return faults
}

/**
 * What holds for a category: what the nearest of `path` has, the category itself first, else the
 * default.
 */
export const policyOn = <T>(
  path: readonly number[],
  current: ReadonlyMap<number, T>,
): T | undefined => {
  const nearest = path.find(id => current.has(id))
  return current.get(nearest ?? DEFAULT_CATEGORY)
}
/**
 * What holds for a case of several goods: it is answered as soon as any of them asks for, and money
 * is agreed to without a person only where all of them allow it.
 */
export const policyOfAll = (all: readonly PolicyFields[]): PolicyFields => {
  const [first = policyAtFirst] = all
  const rows = all.length === 0 ? [first] : all
  const least = (of: (one: PolicyFields) => number) => Math.min(...rows.map(of))
  return {
    ...first,
    evidence_photos: least(one => one.evidence_photos),
    merchant_h: least(one => one.merchant_h),
    platform_h: least(one => one.merchant_h) + least(one => one.platform_h - one.merchant_h),
    auto_agree_cents: least(one => one.auto_agree_cents),
    fast_score: -least(one => -one.fast_score),
    fast_limit_cents: least(one => one.fast_limit_cents),
  }
}

/** Orders of the last year before which nobody has a score. */
const SCORED_ORDERS = 3
export const SCORED_DAYS = 365
/** The share of a buyer's paid orders that had no refund, in percent; few orders tell nothing. */
export const buyerScore = ({ paid, refunded }: { paid: number; refunded: number }): number =>
  paid < SCORED_ORDERS ? 0 : Math.floor(((paid - Math.min(refunded, paid)) * 100) / paid)
/** Whether a refund of unsent goods is agreed to at once. */
export const isFast = (
  policy: Pick<PolicyFields, 'fast_score' | 'fast_limit_cents'>,
  of: { amount_cents: number; score: number },
): boolean =>
  policy.fast_limit_cents > 0 &&
  of.amount_cents <= policy.fast_limit_cents &&
  of.score >= policy.fast_score
/** What a buyer is due whose goods left `late_days` too late (each day that began counts), cents. */
export const lateDue = (
  policy: Pick<PolicyFields, 'late_day_bp' | 'late_max_cents'>,
  of: { late_days: number; goods_cents: number },
): number =>
  Math.min(
    Math.round((of.goods_cents * policy.late_day_bp * Math.max(0, of.late_days)) / 10_000),
    policy.late_max_cents,
  )
