import { divisions, provinces } from '#src/areas/place/divisions.ts'
import { areaWords, isArea } from '#src/areas/shipping/freight.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { phoneFault } from '#src/domain/phone.ts'
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
): Text | undefined =>
  policy === 'none'
    ? ['售出时约定不可退', 'It was sold as not refundable']
    : policy === 'before_expiry' && valid_until <= now
      ? ['售出时约定过期前可退，现已过期', 'It was refundable until it expired, and has expired']
      : undefined
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

/**
 * How long what was received may be asked back where a category of goods differs from its kind:
 * with all below it that say nothing of their own. `exempt`: the law's seven days don't hold for
 * it.
 */
export type CategoryWindow = { category_id: number; name: string; days: number; exempt: boolean }

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
  after_sale_days: number
  after_sale_by_category: CategoryWindow[]
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
  after_sale_days: 7,
  after_sale_by_category: [],
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

const units = {
  min: ['分钟', 'min'],
  h: ['小时', 'h'],
  d: ['天', 'days'],
  times: ['次', 'times'],
} as const satisfies Record<string, Text>
/** `refund`: a change of it is a change of what buyers get back, and is confirmed twice. */
export type RuleField = { title: Text; hint?: Text; refund?: true } & (
  | {
      kind: 'number'
      min: number
      max: number
      unit: Text
      /** What an empty one means, where it may be empty. */ none?: Text
    }
  | { kind: 'money'; min: number; max: number }
  | { kind: 'percent'; min: number; max: number }
  | { kind: 'choice'; options: Readonly<Record<string, Text>> }
  | { kind: 'flag' }
  | { kind: 'days'; min: number; max: number; most: number }
  | { kind: 'areas' }
  | { kind: 'senders'; most: number }
  | { kind: 'windows'; most: number }
)
/**
 * Every rule with its bounds and words: contracts, forms, the log and the tests read this table.
 */
export const ruleFields = {
  pay_timeout_min: {
    title: ['支付时限', 'Time to pay'],
    kind: 'number',
    min: 5,
    max: 1440,
    unit: units.min,
    hint: ['超时未付自动关闭并释放库存', 'Unpaid past it: closed, and its stock is free'],
  },
  refund_policy: {
    title: ['未使用退款', 'Refund when unused'],
    kind: 'choice',
    options: refundPolicies,
    refund: true,
  },
  expired_refund_days: {
    title: ['过期自动退', 'Refund after expiry'],
    kind: 'number',
    min: 0,
    max: 7,
    unit: units.d,
    none: ['不自动退', 'Not by itself'],
    hint: ['过期后第几天自动退款；留空为不自动退', 'Days after expiry; empty: not by itself'],
    refund: true,
  },
  auto_approve_limit_cents: {
    title: ['自动同意退款上限', 'Agreed to by itself up to'],
    kind: 'money',
    min: 0,
    max: 100_000_00,
    hint: [
      '商户逾期未处理的仅退款，在此金额内自动同意；不能高于你的退款额度',
      'Unanswered refunds without return, up to this; never above your own limit',
    ],
    refund: true,
  },
  merchant_reverse_h: {
    title: ['商户撤销核销', 'Merchant takes back within'],
    kind: 'number',
    min: 0,
    max: 720,
    unit: units.h,
    hint: ['不能长于平台撤销时限', 'Not longer than the platform’s'],
  },
  platform_reverse_h: {
    title: ['平台撤销核销', 'Platform takes back within'],
    kind: 'number',
    min: 0,
    max: 720,
    unit: units.h,
    hint: ['不能长于结算冻结期', 'Not longer than money is on hold'],
  },
  hold_days: {
    title: ['结算冻结期', 'Money on hold'],
    kind: 'number',
    min: 0,
    max: 30,
    unit: units.d,
    hint: ['核销后款项冻结，期满才可结算', 'After redemption, before it may be settled'],
  },
  group_hours: {
    title: ['成团时限', 'Time to form'],
    kind: 'number',
    min: 1,
    max: 72,
    unit: units.h,
  },
  remind_days: {
    title: ['到期提醒', 'Reminders'],
    kind: 'days',
    min: 1,
    max: 30,
    most: 5,
    hint: ['到期前几天提醒顾客', 'Days before it expires'],
  },
  ship_promise_h: {
    title: ['发货承诺', 'Shipped within'],
    kind: 'number',
    min: 1,
    max: 720,
    unit: units.h,
    hint: [
      '付款（拼团为成团）后须在此时间内发出或备好',
      'From payment, or from a group’s forming, until shipped or ready',
    ],
  },
  auto_receive_d: {
    title: ['自动确认收货', 'Received by itself'],
    kind: 'number',
    min: 3,
    max: 30,
    unit: units.d,
    hint: ['发货后未确认，期满视为收货', 'After shipping, if nobody says so'],
  },
  extend_times: {
    title: ['可延长收货', 'Receipt put off'],
    kind: 'number',
    min: 0,
    max: 5,
    unit: units.times,
  },
  after_sale_days: {
    title: ['售后期', 'After-sale period'],
    kind: 'number',
    min: 7,
    max: 90,
    unit: units.d,
    hint: [
      '收货后可申请售后；七天无理由不能少于 7 天',
      'After receipt; never below the 7 days of the law',
    ],
    refund: true,
  },
  after_sale_by_category: {
    title: ['分类售后期', 'After-sale period by category'],
    kind: 'windows',
    most: 60,
    refund: true,
  },
  pickup_refund_days: {
    title: ['逾期未提自动退', 'Refund when not picked up'],
    kind: 'number',
    min: 1,
    max: 30,
    unit: units.d,
    refund: true,
  },
  auto_review_days: {
    title: ['自动好评', 'Reviewed by itself'],
    kind: 'number',
    min: 1,
    max: 60,
    unit: units.d,
    hint: ['收货后未评价，期满自动评价', 'After receipt, if nobody reviewed'],
  },
  allow_adjust: { title: ['允许改价', 'Price may be changed'], kind: 'flag' },
  adjust_max_bp: {
    title: ['最多优惠', 'By at most'],
    kind: 'percent',
    min: 0,
    max: 9000,
    hint: ['改价最多降低原价的比例', 'How much of the price staff may take off'],
  },
  split_by_supplier: { title: ['按供应商拆单', 'Split by supplier'], kind: 'flag' },
  late_ship_penalty_bp: {
    title: ['逾期发货扣款', 'Penalty for late shipping'],
    kind: 'percent',
    min: 0,
    max: 3000,
    hint: ['按订单商品金额；0 为不扣', 'Of the goods; 0: none'],
  },
  late_ship_penalty_max_cents: {
    title: ['单笔扣款上限', 'Penalty at most'],
    kind: 'money',
    min: 0,
    max: 1_000_00,
  },
  no_delivery: { title: ['不配送区域', 'Not delivered to'], kind: 'areas' },
  senders: { title: ['寄件人', 'Senders'], kind: 'senders', most: 10 },
} as const satisfies Record<RuleName, RuleField>
const fieldAt = (name: RuleName): RuleField => ruleFields[name]
const isRefundRule = (name: RuleName): boolean => fieldAt(name).refund === true

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
      'after_sale_days',
      'after_sale_by_category',
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
  'auto_approve_limit_cents',
  'after_sale_days',
  'after_sale_by_category',
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
const sent: readonly RuleName[] = ['after_sale_days', 'ship_promise_h', 'auto_receive_d']
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
    'after_sale_days',
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
/**
 * Days after receipt in which goods may be asked back: what the nearest category that says so has,
 * of theirs and those above it, else what their kind has.
 */
export const afterSaleDays = (
  rules: Pick<OrderRules, 'after_sale_days' | 'after_sale_by_category'>,
  path: readonly number[],
): number => {
  for (const id of path) {
    const own = rules.after_sale_by_category.find(one => one.category_id === id)
    if (own) return own.days
  }
  return rules.after_sale_days
}
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

const whole = (value: unknown, min: number, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max
const bounds = (field: RuleField & { min: number; max: number }): Text => {
  const shown = (n: number) =>
    field.kind === 'money' ? yuan(n) : field.kind === 'percent' ? percent(n) : n
  const unit: Text =
    field.kind === 'number'
      ? field.unit
      : field.kind === 'money'
        ? ['元', 'yuan']
        : field.kind === 'days'
          ? units.d
          : ['', '']
  return [
    `须为 ${shown(field.min)}–${shown(field.max)} ${unit[0]}`.trim(),
    `From ${shown(field.min)} to ${shown(field.max)} ${unit[1]}`.trim(),
  ]
}
const senderFault = (sender: Sender): Text | undefined =>
  sender.name.trim() === ''
    ? ['请填写寄件人姓名', 'Name the sender']
    : phoneFault(sender.phone)
      ? phoneFault(sender.phone)
      : !divisions.has(sender.area)
        ? ['请填写寄件城市，如「杭州」', 'Name the city, such as 杭州']
        : sender.address.trim() === ''
          ? ['请填写寄件地址', 'Write the address']
          : undefined
/** What is wrong with one rule by itself, or undefined. */
export const ruleFault = (name: RuleName, value: unknown): Text | undefined => {
  const field = fieldAt(name)
  switch (field.kind) {
    case 'number':
      return (value === null && field.none) || whole(value, field.min, field.max)
        ? undefined
        : bounds(field)
    case 'money':
      return whole(value, field.min, field.max) ? undefined : bounds(field)
    case 'percent':
      return whole(value, field.min, field.max) && value % 100 === 0 ? undefined : bounds(field)
    case 'choice':
      return Object.hasOwn(field.options, String(value)) ? undefined : ['请选择一项', 'Choose one']
    case 'flag':
      return typeof value === 'boolean' ? undefined : ['请选择是或否', 'Yes or no']
    case 'days': {
      const days = value as readonly number[]
      return days.length > field.most
        ? [`最多 ${field.most} 次`, `At most ${field.most}`]
        : new Set(days).size < days.length
          ? ['有重复的天数', 'A day stands twice']
          : days.every(day => whole(day, field.min, field.max))
            ? undefined
            : bounds(field)
    }
    case 'areas': {
      const unknown = (value as readonly string[]).filter(code => !isArea(code))
      return unknown.length > 0
        ? [
            `没有这些地区：${unknown.slice(0, 5).join('、')}`,
            `There are no such places: ${unknown.slice(0, 5).join(', ')}`,
          ]
        : provinces.every(one => (value as readonly string[]).includes(one.adcode))
          ? ['不能全国都不配送', 'Something must be delivered somewhere']
          : undefined
    }
    case 'senders': {
      const senders = value as readonly Sender[]
      const [n, fault] =
        senders
          .map((sender, at) => [at, senderFault(sender)] as const)
          .find(([, wrong]) => wrong) ?? []
      return senders.length > field.most
        ? [`最多 ${field.most} 个寄件人`, `At most ${field.most}`]
        : fault
          ? [`第 ${n! + 1} 个：${fault[0]}`, `No. ${n! + 1}: ${fault[1]}`]
          : senders.length > 0 && senders.filter(one => one.is_default).length !== 1
            ? ['须有且只有一个默认寄件人', 'One of them is the default']
            : undefined
    }
    case 'windows': {
      const windows = value as readonly CategoryWindow[]
      const { min, max } = ruleFields.after_sale_days
      const wrong = windows.find(one => !whole(one.days, 0, max))
      const short = windows.find(one => one.days < min && !one.exempt)
      return windows.length > field.most
        ? [`最多 ${field.most} 个分类`, `At most ${field.most} categories`]
        : new Set(windows.map(one => one.category_id)).size < windows.length
          ? ['有重复的分类', 'A category stands twice']
          : wrong
            ? [`${wrong.name}：须为 0–${max} 天`, `${wrong.name}: from 0 to ${max} days`]
            : short
              ? [
                  `${short.name}：不能少于法定 ${min} 天，除非该分类不适用七天无理由退货`,
                  `${short.name}: not below the ${min} days of the law, unless it is exempt from them`,
                ]
              : undefined
    }
  }
}

export type RuleFaults = Partial<Record<RuleName, Text>>
/**
 * What is wrong with the rules of a kind, each at its field: its bounds, and what holds between
 * them. `by` is whoever saves over the rules `was`: nobody raises what is agreed to by itself above
 * what they might agree to.
 */
export const rulesFaults = (
  scope: ConfigScope,
  rules: OrderRules,
  by?: { refund_limit_cents: number; was: OrderRules },
): RuleFaults => {
  const names = rulesFor(scope)
  const faults: RuleFaults = {}
  for (const name of names) {
    const fault = ruleFault(name, rules[name])
    if (fault) faults[name] = fault
  }
  if (names.includes('platform_reverse_h')) {
    if (rules.merchant_reverse_h > rules.platform_reverse_h)
      faults.merchant_reverse_h ??= [
        `不能长于平台撤销时限（${rules.platform_reverse_h} 小时）`,
        `Not longer than the platform’s ${rules.platform_reverse_h} h`,
      ]
    if (rules.platform_reverse_h > rules.hold_days * 24)
      faults.platform_reverse_h ??= [
        `不能长于结算冻结期（${rules.hold_days} 天 = ${rules.hold_days * 24} 小时）`,
        `Not longer than money is on hold (${rules.hold_days} d = ${rules.hold_days * 24} h)`,
      ]
  }
  if (
    by &&
    names.includes('auto_approve_limit_cents') &&
    rules.auto_approve_limit_cents > by.refund_limit_cents &&
    rules.auto_approve_limit_cents !== by.was.auto_approve_limit_cents
  )
    faults.auto_approve_limit_cents ??= [
      `不能高于你的退款额度 ${yuan(by.refund_limit_cents)} 元`,
      `Not above your own refund limit, ¥${yuan(by.refund_limit_cents)}`,
    ]
  return faults
}

const both = (zh: string, en = zh): Text => [zh, en]
/** A rule's value in business words. */
export const ruleWords = (name: RuleName, value: OrderRules[RuleName]): Text => {
  const field = fieldAt(name)
  switch (field.kind) {
    case 'number':
      return value === null
        ? (field.none ?? both('—'))
        : both(`${String(value)} ${field.unit[0]}`, `${String(value)} ${field.unit[1]}`)
    case 'money':
      return both(`${yuan(value as number)} 元`, `¥${yuan(value as number)}`)
    case 'percent':
      return both(percent(value as number))
    case 'choice':
      return field.options[value as string] ?? both(String(value))
    case 'flag':
      return value ? ['是', 'Yes'] : ['否', 'No']
    case 'days': {
      const days = value as number[]
      return days.length === 0
        ? ['不提醒', 'None']
        : both(`提前 ${days.join('、')} 天`, `${days.join(', ')} days before`)
    }
    case 'areas':
      return (value as string[]).length === 0 ? ['无', 'None'] : both(areaWords(value as string[]))
    case 'windows': {
      const all = value as CategoryWindow[]
      return all.length === 0
        ? ['无', 'None']
        : [
            all
              .map(one => `${one.name} ${one.days} 天${one.exempt ? '（不适用七天无理由）' : ''}`)
              .join('；'),
            all
              .map(
                one =>
                  `${one.name} ${one.days} days${one.exempt ? ' (exempt from the seven)' : ''}`,
              )
              .join('; '),
          ]
    }
    case 'senders': {
      const all = value as Sender[]
      return all.length === 0
        ? ['无', 'None']
        : both(
            all
              .map(
                one =>
                  `${one.name} ${one.phone} ${divisions.get(one.area)?.city_name ?? ''}${one.address}${one.customer_no && `（${one.customer_no}）`}${one.is_default ? '，默认' : ''}`,
              )
              .join('；'),
          )
    }
  }
}
/**
 * Whether two values of a rule are the same: the database keeps an object's keys in an order of its
 * own.
 */
export const sameRule = (a: unknown, b: unknown): boolean => ordered(a) === ordered(b)
const ordered = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
export type RuleChange = {
  field: RuleName
  title: Text
  before: Text
  after: Text
  refund: boolean
}
/**
 * What differs between two sets of rules of a kind, in business words and in the order of the form.
 */
export const rulesDiff = (
  scope: ConfigScope,
  before: OrderRules,
  after: OrderRules,
): RuleChange[] =>
  sectionsOf(scope)
    .flatMap(one => one.fields)
    .filter(name => !sameRule(before[name], after[name]))
    .map(name => ({
      field: name,
      title: fieldAt(name).title,
      before: ruleWords(name, before[name]),
      after: ruleWords(name, after[name]),
      refund: isRefundRule(name),
    }))
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
