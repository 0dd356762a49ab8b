import type { Text } from '#src/domain/text.ts'
import { configScopes, type ConfigScope } from './configScope.ts'

/** The kinds whose rules stand on the page of to-store orders, and on that of e-commerce. */
export const storeScopes = [
  'visitor',
  'bulks',
  'roll_buy',
  'card',
  'voucher',
  'goods',
  'combo',
  'ecard',
] as const satisfies readonly ConfigScope[]
export const shopScopes = ['elist', 'raise', 'points'] as const satisfies readonly ConfigScope[]
export type ShopScope = (typeof shopScopes)[number]

export const refundPolicies = {
  anytime: ['随时可退', 'At any time'],
  before_expiry: ['过期前可退', 'Until it expires'],
  none: ['不可退', 'Never'],
} as const satisfies Record<string, Text>
export type RefundPolicy = keyof typeof refundPolicies
const strictness = Object.keys(refundPolicies) as RefundPolicy[]
/** Why what was not used does not go back by what its buyer was promised, or undefined. */
export const promiseRefusal = (
  policy: RefundPolicy,
  valid_until: number,
  now: number,
): Text | undefined => {
  if (policy === 'none') return ['售出时约定不可退', 'It was sold as not refundable']
  const hasEnded = policy === 'before_expiry' && valid_until <= now
  return hasEnded
    ? ['售出时约定过期前可退，现已过期', 'It was refundable until it expired, and has expired']
    : undefined
}
/** The sender on a waybill, and the account that its courier bills. */
export type Sender = {
  name: string
  phone: string
  area: string
  address: string
  courier: string
  customer_no: string
  is_default: boolean
}

/** The rules of a kind of order. Minutes, hours and days as their names say; money in cents. */
export type OrderRules = {
  pay_timeout_min: number
  refund_policy: RefundPolicy
  /** Days after its end on which what was not used is refunded by itself; null: never. */
  expired_refund_days: number | null
  auto_approve_limit_cents: number
  merchant_reverse_h: number
  platform_reverse_h: number
  /** Days that redeemed money is on hold before it may be settled. */
  hold_days: number
  group_hours: number
  remind_days: number[]
  ship_promise_h: number
  auto_receive_d: number
  extend_times: number
  pickup_refund_days: number
  /** Days after receipt on which an order that was not reviewed is reviewed by itself. */
  auto_review_days: number
  /** Whether staff may change the price of an unpaid order, and by how much of it. */
  allow_adjust: boolean
  adjust_max_bp: number
  /** Goods of several suppliers in one cart become an order each. */
  split_by_supplier: boolean
  /**
   * What a merchant owes for an order shipped past its promise: a share of its goods, at most so
   * much.
   */
  late_ship_penalty_bp: number
  late_ship_penalty_max_cents: number
  /** Where nothing of this kind is delivered, whatever a freight template says. */
  no_delivery: string[]
  senders: Sender[]
}
export type RuleName = keyof OrderRules
/** What an installation begins with. */
export const rulesAtFirst: OrderRules = {
  pay_timeout_min: 15,
  refund_policy: 'anytime',
  expired_refund_days: 1,
  auto_approve_limit_cents: 200_00,
  merchant_reverse_h: 1,
  platform_reverse_h: 24,
  hold_days: 3,
  group_hours: 24,
  remind_days: [7, 1],
  ship_promise_h: 48,
  auto_receive_d: 10,
  extend_times: 2,
  pickup_refund_days: 7,
  auto_review_days: 15,
  allow_adjust: true,
  adjust_max_bp: 3000,
  split_by_supplier: true,
  late_ship_penalty_bp: 500,
  late_ship_penalty_max_cents: 50_00,
  no_delivery: [],
  senders: [],
}

type RuleSection = { title: Text; fields: readonly RuleName[] }
const sections = {
  pay: { title: ['支付', 'Payment'], fields: ['pay_timeout_min'] },
  group: { title: ['成团', 'Forming'], fields: ['group_hours'] },
  refund: {
    title: ['退款', 'Refunds'],
    fields: [
      'refund_policy',
      'expired_refund_days',
      'auto_approve_limit_cents',
      'pickup_refund_days',
    ],
  },
  redeem: {
    title: ['核销与结算', 'Redemption and settlement'],
    fields: ['merchant_reverse_h', 'platform_reverse_h', 'hold_days'],
  },
  remind: { title: ['提醒', 'Reminders'], fields: ['remind_days'] },
  ship: {
    title: ['发货与收货', 'Shipping and receipt'],
    fields: ['ship_promise_h', 'auto_receive_d', 'extend_times', 'auto_review_days'],
  },
  late: {
    title: ['逾期发货', 'Late shipping'],
    fields: ['late_ship_penalty_bp', 'late_ship_penalty_max_cents'],
  },
  price: {
    title: ['改价与拆单', 'Prices and splitting'],
    fields: ['allow_adjust', 'adjust_max_bp', 'split_by_supplier'],
  },
  area: { title: ['配送范围', 'Where to'], fields: ['no_delivery'] },
  sender: { title: ['电子面单', 'Waybills'], fields: ['senders'] },
} as const satisfies Record<string, RuleSection>
const used: readonly RuleName[] = [
  'pay_timeout_min',
  'refund_policy',
  'auto_approve_limit_cents',
  'merchant_reverse_h',
  'platform_reverse_h',
  'hold_days',
  'remind_days',
]
const posted: readonly RuleName[] = [
  'pay_timeout_min',
  'ship_promise_h',
  'auto_receive_d',
  'extend_times',
  'auto_review_days',
  'late_ship_penalty_bp',
  'late_ship_penalty_max_cents',
  'allow_adjust',
  'adjust_max_bp',
  'split_by_supplier',
  'no_delivery',
  'senders',
]
/** Rules of what is posted among what is used at a store: goods of a group, or of a bundle. */
const sent: readonly RuleName[] = ['ship_promise_h', 'auto_receive_d']
const without = (...names: readonly RuleName[]): readonly RuleName[] =>
  posted.filter(name => !names.includes(name))
const elistOnly: readonly RuleName[] = [
  'allow_adjust',
  'adjust_max_bp',
  'split_by_supplier',
  'extend_times',
  'senders',
]
/**
 * The rules that mean something for a kind. What nobody reads for it is not offered: a campaign is
 * of one product at one price, an exchange of one thing, what a store brings is not put off, and
 * labels are printed and receipt is put off for e-commerce orders alone.
 */
const rulesOfScope: Readonly<Record<ConfigScope, readonly RuleName[]>> = {
  visitor: [...used, 'expired_refund_days'],
  bulks: [...used, 'expired_refund_days'],
  voucher: [...used, 'expired_refund_days'],
  roll_buy: [...used, ...sent, 'expired_refund_days', 'group_hours'],
  card: used,
  combo: [...used, ...sent, 'expired_refund_days'],
  goods: [
    'pay_timeout_min',
    'auto_approve_limit_cents',
    'pickup_refund_days',
    'merchant_reverse_h',
    'platform_reverse_h',
    'hold_days',
    'ship_promise_h',
    'auto_receive_d',
  ],
  ecard: ['pay_timeout_min', 'refund_policy', 'auto_approve_limit_cents'],
  elist: posted,
  raise: without(...elistOnly),
  points: without(...elistOnly),
}
export const rulesFor = (scope: ConfigScope): readonly RuleName[] => rulesOfScope[scope]
/**
 * What the buyer of a code was promised if it is not used: neither the product nor the rules of its
 * kind give more than the other. What was sold without a word of its own follows its kind; so does
 * a part of a bundle, which has a policy of its own. Null for what knows no such promise; a bill is
 * the store's word.
 */
export const promiseOf = (
  of: { kind: string; sub_kind: string },
  fulfil: string,
  product: RefundPolicy | null | undefined,
  rules: Pick<OrderRules, 'refund_policy'>,
): RefundPolicy | null =>
  fulfil !== 'code' ||
  of.sub_kind === 'pay_bill' ||
  !Object.hasOwn(configScopes, of.kind) ||
  !rulesFor(of.kind as ConfigScope).includes('refund_policy')
    ? null
    : strictness[
        Math.max(
          strictness.indexOf((of.kind === 'combo' ? null : product) ?? 'anytime'),
          strictness.indexOf(rules.refund_policy),
        )
      ]!
/** The kinds whose rules know `name`. */
export const scopesWith = (name: RuleName): ConfigScope[] =>
  (Object.keys(configScopes) as ConfigScope[]).filter(scope => rulesFor(scope).includes(name))
/** The rules of a kind as its form shows them. */
export const sectionsOf = (
  scope: ConfigScope,
): readonly { key: string; title: Text; fields: readonly RuleName[] }[] =>
  Object.entries(sections)
    .map(([key, { title, fields }]) => ({
      key,
      title: title as Text,
      fields: (fields as readonly RuleName[]).filter(name => rulesOfScope[scope].includes(name)),
    }))
    .filter(one => one.fields.length > 0)

/** The rules of one kind with what another kind has in common with it. */
export const copiedRules = (
  to: ConfigScope,
  from: ConfigScope,
  rules: OrderRules,
  source: OrderRules,
): OrderRules => {
  const shared = rulesFor(to).filter(name => rulesFor(from).includes(name))
  return { ...rules, ...Object.fromEntries(shared.map(name => [name, source[name]])) }
}

/**
 * What a change would have done to what really happened. `n` and `cents` as it was under the rules
 * then, and as it would have been under the new ones.
 */
export type RuleEffect = {
  field: RuleName
  what: Text
  before: { n: number; cents?: number | undefined }
  after: { n: number; cents?: number | undefined }
}
