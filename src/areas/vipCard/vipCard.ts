import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'

export const planKinds = {
  trial: ['体验卡', 'Trial'],
  month: ['月卡', 'Monthly'],
  quarter: ['季卡', 'Quarterly'],
  year: ['年卡', 'Yearly'],
  custom: ['自定义', 'Custom'],
} as const satisfies Record<string, Text>
export type PlanKind = keyof typeof planKinds
/** How long a plan of a kind lasts, in days; a trial and a custom plan say it themselves. */
export const usualDays: Readonly<Partial<Record<PlanKind, number>>> = {
  month: 30,
  quarter: 90,
  year: 365,
}
/** The kinds that may renew by themselves. */
export const renewable: readonly PlanKind[] = ['month', 'quarter', 'year']

export const planStates = {
  draft: ['草稿', 'Draft'],
  on: ['在售', 'On sale'],
  off: ['已下架', 'Off sale'],
} as const satisfies Record<string, Text>
export type PlanState = keyof typeof planStates

export const refundPolicies = {
  none: ['售出不退', 'No refund'],
  unused_7d: ['7 天内未享权益可全额退', 'All of it within 7 days while unused'],
  prorate: ['按剩余整天数退', 'By the whole days left'],
} as const satisfies Record<string, Text>
export type VipRefundPolicy = keyof typeof refundPolicies

/** What a member of a plan has, beside the coupons at the start and the prices of members. */
export const benefits = {
  price: ['会员价', 'Member prices'],
  points: ['双倍积分', 'Double points'],
  freight: ['每月免运费', 'Free delivery each month'],
  birthday: ['生日礼', 'Birthday gift'],
  service: ['专属客服', 'Own service line'],
  parking: ['免费停车', 'Free parking'],
  early: ['新品优先购', 'First to buy what is new'],
} as const satisfies Record<string, Text>
export type Benefit = keyof typeof benefits

/** The most that a plan may last, in days. */
export const DAYS_MOST = 3650
export const GIFTS_MOST = 10

export type Plan = {
  kind: PlanKind
  days: number
  price_cents: number
  /** What the first purchase of a member costs; null where it is like any other. */
  first_price_cents: number | null
  original_cents: number
  auto_renew: boolean
  /** The number of the contract for automatic renewal, as it is signed with the channel. */
  contract_template: string
  benefits: readonly Benefit[]
  gift_coupon_ids: readonly number[]
  /** So many of a plan for one member; 0: any number. */
  buy_limit: number
  /** So many are for sale in all; null: any number. */
  stock: number | null
  refund_policy: VipRefundPolicy
}
/** What is wrong with a plan as it is written, by field. */
export const planFaults = (
  of: Plan & { sold_count?: number },
): Readonly<Partial<Record<keyof Plan, Text>>> => {
  const usual = usualDays[of.kind]
  return {
    ...(usual !== undefined &&
      of.days !== usual && {
        days: [
          `${planKinds[of.kind][0]}固定为 ${usual} 天`,
          `${planKinds[of.kind][1]} is ${usual} days`,
        ] as const,
      }),
    ...(of.price_cents > of.original_cents && {
      price_cents: ['售价不能高于原价', 'The price is above the original price'] as const,
    }),
    ...(of.first_price_cents !== null &&
      of.first_price_cents > of.price_cents && {
        first_price_cents: ['首购价不能高于售价', 'The first price is above the price'] as const,
      }),
    ...(of.auto_renew && renewFault(of)),
    ...(of.stock !== null &&
      of.stock < (of.sold_count ?? 0) && {
        stock: [
          `库存不能少于已售 ${of.sold_count} 份`,
          `Stock can’t be below the ${of.sold_count} sold`,
        ] as const,
      }),
  }
}
const renewFault = (of: Plan): Readonly<Partial<Record<keyof Plan, Text>>> => {
  if (!renewable.includes(of.kind))
    return {
      auto_renew: [
        '仅月卡、季卡、年卡可自动续费',
        'Only monthly, quarterly and yearly plans renew',
      ],
    }
  return of.contract_template.trim() === ''
    ? {
        contract_template: [
          '自动续费须填写已签约的扣款模板号',
          'Automatic renewal needs the number of a signed contract template',
        ],
      }
    : {}
}

export type PlanVerb = 'edit' | 'onShelf' | 'offShelf' | 'setBenefits' | 'del'
/** Whether that may be done with a plan as it stands, or why not. */
export const planCan = (
  verb: PlanVerb,
  of: { status: PlanState; benefits: readonly string[]; sold_count: number },
): true | Text => {
  switch (verb) {
    case 'onShelf':
      if (of.status === 'on') return ['已在售', 'It is on sale']
      return of.benefits.length > 0 || ['请先配置权益再上架', 'Set its benefits first']
    case 'offShelf':
      return of.status === 'on' || ['未在售', 'It is not on sale']
    case 'del':
      if (of.sold_count > 0)
        return ['已有售出，不能删除，只能下架', 'It was sold: take it off sale instead']
      return of.status === 'draft' || ['只能删除草稿', 'Only a draft is deleted']
    default:
      return true
  }
}
/** How many of a plan may still be sold; null: any number. */
export const leftOf = (of: { stock: number | null; sold_count: number }): number | null =>
  of.stock === null ? null : Math.max(0, of.stock - of.sold_count)

/** What a plan is, in one sentence. */
export const planSentence = (of: Plan): Text => {
  const price = yuan(of.price_cents)
  const first = of.first_price_cents === null ? undefined : yuan(of.first_price_cents)
  const n = of.gift_coupon_ids.length
  const zh = [
    `${planKinds[of.kind][0]} ${of.days} 天，¥${price}${first === undefined ? '' : `（首购 ¥${first}）`}`,
    of.auto_renew ? '到期自动续费' : '到期不续费',
    of.benefits.length > 0 && `享${of.benefits.map(one => benefits[one][0]).join('、')}`,
    n > 0 && `开卡送 ${n} 张券`,
    of.buy_limit > 0 && `每人限购 ${of.buy_limit} 次`,
    refundPolicies[of.refund_policy][0],
  ]
  const en = [
    `${planKinds[of.kind][1]}, ${of.days} days for ¥${price}${first === undefined ? '' : ` (first ¥${first})`}`,
    of.auto_renew ? 'renews by itself' : 'does not renew',
    of.benefits.length > 0 && of.benefits.map(one => benefits[one][1].toLowerCase()).join(', '),
    n > 0 && `${n} coupons at the start`,
    of.buy_limit > 0 && `${of.buy_limit} a member`,
    refundPolicies[of.refund_policy][1].toLowerCase(),
  ]
  return [zh.filter(Boolean).join('；'), en.filter(Boolean).join('; ')]
}
/** What a member pays for a plan now: the first price once, before anything of it was bought. */
export const priceFor = (
  of: Pick<Plan, 'price_cents' | 'first_price_cents'>,
  bought: number,
): number => (bought === 0 ? (of.first_price_cents ?? of.price_cents) : of.price_cents)
