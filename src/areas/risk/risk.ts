import { joined, type Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { cardMetrics } from './cardMetrics.ts'

export const riskScenes = {
  order: ['下单', 'Ordering'],
  pay: ['支付', 'Paying'],
  verify: ['核销', 'Redeeming'],
  refund: ['退款', 'Refunds'],
  coupon: ['领券', 'Coupons'],
  ecard: ['电子卡', 'E-cards'],
  points: ['积分', 'Points'],
  seckill: ['秒杀', 'Flash sales'],
} as const satisfies Record<string, Text>
export type RiskScene = keyof typeof riskScenes

/** What a rule does when it hits, from the mildest. */
export const riskActions = {
  mark: ['仅标记', 'Mark only'],
  captcha: ['要求验证码', 'Captcha'],
  hold: ['冻结订单', 'Hold the orders'],
  block: ['拦截下单', 'Block ordering'],
} as const satisfies Record<string, Text>
export type RiskAction = keyof typeof riskActions
/** Actions that stop a sale: they need a dry run first. */
export const isBlocking = (action: RiskAction): boolean => action === 'block' || action === 'hold'

export const riskStates = {
  open: ['待处理', 'Open'],
  claimed: ['处理中', 'Claimed'],
  released: ['误报放行', 'Released'],
  confirmed: ['确认风险', 'Confirmed'],
} as const satisfies Record<string, Text>
export type RiskState = keyof typeof riskStates
export const riskLevels = {
  high: ['高', 'High'],
  mid: ['中', 'Medium'],
  low: ['低', 'Low'],
} as const satisfies Record<string, Text>
export type RiskLevel = keyof typeof riskLevels
export const ruleStates = {
  draft: ['草稿', 'Draft'],
  on: ['启用', 'On'],
  off: ['停用', 'Off'],
} as const satisfies Record<string, Text>
export type RuleState = keyof typeof ruleStates

export const riskLists = {
  black: ['黑名单', 'Black list'],
  white: ['白名单', 'White list'],
} as const satisfies Record<string, Text>
export type RiskList = keyof typeof riskLists
export const listTypes = {
  member: ['会员', 'Member'],
  phone: ['手机号', 'Phone'],
  device: ['设备', 'Device'],
  ip: ['IP', 'IP'],
  address: ['地址', 'Address'],
  card: ['卡号', 'Card number'],
  licence: ['信用代码', 'Credit code'],
} as const satisfies Record<string, Text>
export type ListType = keyof typeof listTypes

/** A claim lasts so long; then the hit is anybody's again. */
export const CLAIM_S = 1800
/** The same member and rule within it are one hit. */
export const MERGE_S = 600
/**
 * A blocking rule is tried on at least so many days of real orders before it may be switched on.
 */
export const DRY_DAYS_MIN = 7
export const DRY_DAYS_MAX = 90
/** A hit of a blocking rule stops further orders for so long, unless it is released. */
export const BLOCK_S = DAY
export const WINDOW_MAX_S = 30 * DAY

type Metric = {
  scenes: readonly RiskScene[]
  unit: 'count' | 'percent' | 'cents'
  title: Text
  says: Text
  asks?: 'new_days' | 'min_sample'
}
/**
 * What can be measured on the platform's own records; `says` is a rule in words, `{w}` its window
 * and `{n}` its threshold.
 */
export const riskMetrics = {
  member_orders: {
    scenes: ['order', 'ecard', 'points'],
    unit: 'count',
    title: ['同一会员下单数', 'Orders of a member'],
    says: ['同一会员在{w}内下单达到 {n} 单', 'A member places {n} orders within {w}'],
  },
  phone_orders: {
    scenes: ['order', 'ecard', 'points'],
    unit: 'count',
    title: ['同一手机号下单数', 'Orders of a phone'],
    says: ['同一手机号在{w}内下单达到 {n} 单', 'A phone number places {n} orders within {w}'],
  },
  device_orders: {
    scenes: ['order', 'ecard', 'points'],
    unit: 'count',
    title: ['同一设备下单数', 'Orders of a device'],
    says: ['同一设备在{w}内下单达到 {n} 单', 'A device places {n} orders within {w}'],
  },
  address_orders: {
    scenes: ['order', 'points'],
    unit: 'count',
    title: ['同一收货地址下单数', 'Orders to an address'],
    says: ['同一收货地址在{w}内下单达到 {n} 单', '{n} orders are sent to one address within {w}'],
  },
  device_accounts: {
    scenes: ['order', 'coupon'],
    unit: 'count',
    title: ['同一设备下单账号数', 'Accounts on a device'],
    says: ['同一设备在{w}内有 {n} 个账号下单', '{n} accounts order on one device within {w}'],
  },
  member_paid: {
    scenes: ['pay', 'ecard'],
    unit: 'cents',
    title: ['同一会员支付金额', 'Paid by a member'],
    says: ['同一会员在{w}内支付达到 {n} 元', 'A member pays ¥{n} within {w}'],
  },
  new_voucher: {
    scenes: ['pay'],
    unit: 'cents',
    title: ['新账号购买代金券金额', 'Vouchers of a new account'],
    says: [
      '注册 {d} 天内的账号在{w}内购买代金券达到 {n} 元',
      'An account of at most {d} days buys vouchers for ¥{n} within {w}',
    ],
    asks: 'new_days',
  },
  member_vouchers: {
    scenes: ['pay'],
    unit: 'count',
    title: ['同一会员购买代金券张数', 'Vouchers a member buys'],
    says: ['同一会员在{w}内购买代金券达到 {n} 张', 'A member buys {n} vouchers within {w}'],
  },
  cash_out: {
    scenes: ['verify'],
    unit: 'count',
    title: ['同一会员在同一门店核销数', 'Redeemed by a member at one store'],
    says: [
      '同一会员在{w}内于同一门店核销 {n} 张',
      'A member redeems {n} codes at one store within {w}',
    ],
  },
  redeem_cities: {
    scenes: ['verify'],
    unit: 'count',
    title: ['同一会员核销城市数', 'Cities a member redeems in'],
    says: ['同一会员在{w}内于 {n} 个城市核销', 'A member redeems in {n} cities within {w}'],
  },
  far_redeems: {
    scenes: ['verify'],
    unit: 'count',
    title: ['同一门店远离门店核销数', 'Redeemed far from a store'],
    says: [
      '同一门店在{w}内有 {n} 次核销远离门店',
      'A store’s clerks redeem {n} times far from it within {w}',
    ],
  },
  refunds: {
    scenes: ['refund'],
    unit: 'count',
    title: ['同一会员退款数', 'Refunds of a member'],
    says: ['同一会员在{w}内退款达到 {n} 笔', 'A member asks for {n} refunds within {w}'],
  },
  refund_rate: {
    scenes: ['refund'],
    unit: 'percent',
    title: ['同一会员退款率', 'Refund rate of a member'],
    says: [
      '同一会员在{w}内退款率达到 {n}（至少 {m} 单）',
      'A member’s refund rate reaches {n} within {w} (of {m} orders or more)',
    ],
    asks: 'min_sample',
  },
  coupon_grants: {
    scenes: ['coupon'],
    unit: 'count',
    title: ['同一会员领券数', 'Coupons of a member'],
    says: ['同一会员在{w}内领券达到 {n} 张', 'A member claims {n} coupons within {w}'],
  },
  ...cardMetrics,
} as const satisfies Record<string, Metric>
export type RiskMetric = keyof typeof riskMetrics
export const metricNames = Object.fromEntries(
  Object.entries(riskMetrics).map(([key, { title }]) => [key, title]),
) as Record<RiskMetric, Text>
/** What a hit is called by its metric, or by the kind of one that no rule made. */
export const metricTitle = (key: string): Text => metricOf(key)?.title ?? [key, key]
const metricOf = (key: string): Metric | undefined =>
  Object.hasOwn(riskMetrics, key) ? riskMetrics[key as RiskMetric] : undefined
export const unitOf = (metric: RiskMetric): Metric['unit'] => riskMetrics[metric].unit
export const asksOf = (metric: RiskMetric): Metric['asks'] => metricOf(metric)?.asks
/** The scenes in which something can be measured. */
export const ruleScenes = Object.fromEntries(
  Object.entries(riskScenes).filter(([scene]) =>
    Object.values<Metric>(riskMetrics).some(one => one.scenes.includes(scene as RiskScene)),
  ),
) as Partial<Record<RiskScene, Text>>

/**
 * What a rule measures. The threshold (a count, basis points or cents, by the metric) and the
 * window stand beside it.
 */
export type RiskCondition = { metric: RiskMetric; new_days?: number; min_sample?: number }
export type Measured = {
  scene: RiskScene
  condition: RiskCondition
  threshold: number
  window_s: number
}
const between = (n: number | undefined, low: number, high: number) =>
  n !== undefined && Number.isInteger(n) && n >= low && n <= high
/** Between what a threshold lies, by the unit it is measured in. */
const thresholds: Record<Metric['unit'], { low: number; high: number; fault: Text }> = {
  count: { low: 2, high: 10_000, fault: ['请填写 2–10000 的整数', 'A whole number of 2–10000'] },
  percent: { low: 100, high: 10_000, fault: ['请填写 1%–100%', 'A percentage of 1–100'] },
  cents: {
    low: 100,
    high: 100_000_000,
    fault: ['请填写 1–1000000 元', 'An amount of 1–1,000,000 yuan'],
  },
}
/** What a condition asks besides: between what it lies, and what is said where it is not asked. */
const besides = {
  new_days: {
    low: 1,
    high: 365,
    fault: ['请填写 1–365 天', '1–365 days'],
    unasked: [
      '这个条件不使用注册天数，请清空',
      'This condition knows no account age: leave it out',
    ],
  },
  min_sample: {
    low: 2,
    high: 1000,
    fault: ['请填写 2–1000 单', '2–1000 orders'],
    unasked: [
      '这个条件不使用最少单数，请清空',
      'This condition knows no least sample: leave it out',
    ],
  },
} as const
const askedFault = (
  name: keyof typeof besides,
  isAsked: boolean,
  value: number | undefined,
): Text | undefined => {
  const { low, high, fault, unasked } = besides[name]
  if (isAsked) return between(value, low, high) ? undefined : fault
  return value === undefined ? undefined : unasked
}

/**
 * What is wrong with a rule's condition, by field, and how to mend it; nothing when it can be
 * measured.
 */
export const conditionFaults = (of: {
  scene: RiskScene
  condition: { metric: string; new_days?: number | undefined; min_sample?: number | undefined }
  threshold: number
  window_s: number
}): Readonly<Record<string, Text>> => {
  const metric = metricOf(of.condition.metric)
  const faults: Record<string, Text> = {}
  if (!metric)
    faults['condition.metric'] = [
      '没有这个条件，请从列表中选择',
      'No such condition: choose one of the list',
    ]
  else {
    if (!metric.scenes.includes(of.scene))
      faults['condition.metric'] = [
        '该场景不能使用这个条件，请换一个场景或条件',
        'This scene can’t measure it: choose another scene or condition',
      ]
    const { low, high, fault } = thresholds[metric.unit]
    if (!between(of.threshold, low, high)) faults['threshold'] = fault
    for (const asked of ['new_days', 'min_sample'] as const) {
      const wrong = askedFault(asked, metric.asks === asked, of.condition[asked])
      if (wrong) faults[`condition.${asked}`] = wrong
    }
  }
  if (!between(of.window_s, 60, WINDOW_MAX_S))
    faults['window_s'] = ['统计窗口须在 1 分钟到 30 天之间', 'A window of 1 minute to 30 days']
  return faults
}

/** A threshold or a measured value in its unit: 5, 80%, 500. */
export const valueText = (metric: RiskMetric, value: number): string => {
  const unit = unitOf(metric)
  if (unit === 'percent') return `${value / 100}%`
  if (unit === 'count') return value.toLocaleString('en-US')
  const hasCents = value % 100 !== 0
  return (value / 100).toLocaleString('en-US', { minimumFractionDigits: hasCents ? 2 : 0 })
}
const windowUnits = [
  [DAY, '天', 'd'],
  [3600, '小时', 'h'],
  [60, '分钟', 'min'],
  [1, '秒', 's'],
] as const
const windowText = (s: number): Text => {
  const [seconds, zh, en] = windowUnits.find(([unit]) => s % unit === 0)!
  return [` ${s / seconds} ${zh}`, `${s / seconds} ${en}`]
}
/** A rule in words: 同一设备在 10 分钟内下单达到 5 单. */
export const ruleText = ({ condition, threshold, window_s }: Omit<Measured, 'scene'>): Text => {
  const [zh, en] = riskMetrics[condition.metric].says
  const window = windowText(window_s)
  const fill = (text: string, w: string) =>
    text
      .replace('{w}', w)
      .replace('{n}', valueText(condition.metric, threshold))
      .replace('{d}', String(condition.new_days ?? 0))
      .replace('{m}', String(condition.min_sample ?? 0))
  return [fill(zh, window[0]), fill(en, window[1])]
}
/** What a rule found, as its hit keeps it: the rule, and what was measured, in both languages. */
export const measuredNote = (rule: Omit<Measured, 'scene'>, value: number): string => {
  const [zh, en] = ruleText(rule)
  const measured = valueText(rule.condition.metric, value)
  return joined([`${zh}，实测 ${measured}`, `${en}: ${measured}`])
}

/**
 * 0–100: half for reaching the threshold, the rest by how far beyond it, more for a member who was
 * confirmed before.
 */
export const scoreOf = (value: number, threshold: number, confirmedBefore: number): number =>
  Math.max(
    0,
    Math.min(
      100,
      Math.round(50 * Math.min(2, value / Math.max(1, threshold))) +
        10 * Math.min(3, confirmedBefore),
    ),
  )
export const levelOf = (score: number): RiskLevel => {
  if (score >= 80) return 'high'
  return score >= 60 ? 'mid' : 'low'
}
/** What is usually done about such a hit. */
export const suggested = ({
  score,
  action,
  freezable,
  frozen,
}: {
  score: number
  action: RiskAction | null
  freezable: number
  frozen: number
}): Text => {
  const level = levelOf(score)
  if (level === 'high')
    return freezable > 0
      ? [
          '冻结相关订单并确认风险，核实后加入黑名单',
          'Freeze the orders and confirm; black-list once verified',
        ]
      : ['确认风险并加入黑名单', 'Confirm it and black-list']
  if (frozen > 0)
    return [
      '订单已冻结：尽快核实，误报即放行解冻',
      'Orders are held: check soon, release if it is a false alarm',
    ]
  if (level === 'mid')
    return [
      '核对订单后决定；金额较大时先冻结',
      'Check the orders; freeze first where the amount is large',
    ]
  return action === 'block'
    ? [
        '已拦截下单：核对是否正常用户',
        'Ordering is blocked: check whether it is an ordinary member',
      ]
    : ['多为正常波动，核对后放行', 'Often ordinary: check and release']
}

export type Claimed = { state: RiskState; claimed_by: number | null; claim_until: number | null }
/** The person who holds it now; a claim that ran out holds nothing. */
export const holderOf = (hit: Claimed, now: number): number | null =>
  hit.state === 'claimed' && (hit.claim_until ?? 0) > now ? hit.claimed_by : null
/** Its state now: a claim that ran out is open again, by comparison and not by a job. */
export const stateAt = (hit: Claimed, now: number): RiskState =>
  hit.state === 'claimed' && (hit.claim_until ?? 0) <= now ? 'open' : hit.state
export type RiskVerb = 'claim' | 'release' | 'confirm' | 'freezeOrders'
/** True, or why this person can't do it to the hit now. */
export const riskCan = (verb: RiskVerb, hit: Claimed, me: number, now: number): true | Text => {
  const held = holderOf(hit, now)
  if (hit.state === 'released') return ['已判为误报并放行', 'It was released already']
  if (hit.state === 'confirmed' && verb !== 'freezeOrders')
    return ['已确认为风险', 'It was confirmed already']
  if (held !== null && held !== me) return ['正由同事处理', 'A colleague works on it']
  return true
}
/** Why nothing of a hit is given back before it was decided. */
export const refundAfterText: Text = [
  '先确认风险，再强制退款',
  'Confirm the risk first: refunds come after it',
]

/** True, or why a rule can't be switched on as it is. */
export const canEnable = (rule: {
  status: RuleState
  action: RiskAction
  dry_run_at: number | null
  dry_run_result: { days: number } | null
}): true | Text => {
  if (rule.status === 'on') return ['已启用', 'Already on']
  if (
    isBlocking(rule.action) &&
    (rule.dry_run_at === null || (rule.dry_run_result?.days ?? 0) < DRY_DAYS_MIN)
  )
    return [
      `会拦截或冻结订单的规则，须先历史试跑至少 ${DRY_DAYS_MIN} 天`,
      `A rule that stops orders is first tried on at least ${DRY_DAYS_MIN} days`,
    ]
  return true
}
