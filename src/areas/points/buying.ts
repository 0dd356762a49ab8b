import {
  earningKinds,
  pointsFor,
  timesFor,
  type BuyConfig,
  type Buyer,
  type RateConfig,
} from '#src/areas/pointsRule/rule.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'

/** What decides how many points an order earns. */
export type BuyFacts = {
  /** The rule in force when it was paid; null where none was on. */
  rule: BuyConfig | null
  rate: RateConfig
  order: {
    kind: string
    has_member: boolean
    pay_state: string
    fulfil_state: string
    paid_cents: number
    refunded_cents: number
    /** It may be given back as long as nothing of it is used. */
    refundable: boolean
  }
  items: readonly {
    title: string
    pay_cents: number
    kind: string
    categories: readonly number[]
    store_id: number
  }[]
  buyer: Buyer
  /** Points that the member earned by other orders on that Shanghai day; the most there may be. */
  today: number
  daily_cap: number | null
}
type Step = { text: Text; points: number | null }
export type Explained = { steps: Step[]; points: number; waits: boolean }

const isExcluded = (rule: BuyConfig, item: BuyFacts['items'][number]): boolean =>
  rule.exclude.store.includes(item.store_id) ||
  item.categories.some(id =>
    rule.exclude[item.kind === 'elist' ? 'e_category' : 'shop_category'].includes(id),
  )
/** Why an order earns nothing whatever was paid, or undefined. */
const earnsNot = ({ rule, order }: BuyFacts): Text | undefined => {
  if (!rule) return ['支付时没有启用的消费积分规则', 'No rule of spending was on when it was paid']
  if (!order.has_member) return ['订单没有会员，不发积分', 'The order has no member']
  const kinds: readonly string[] = rule.kinds
  if (!(earningKinds as readonly string[]).includes(order.kind) || !kinds.includes(order.kind))
    return ['该业务不参与消费送积分', 'Orders of this kind earn nothing']
  if (order.pay_state !== 'paid') return ['订单未付清', 'It is not paid in full']
  return undefined
}
/** Whether points of a paid order wait until it is used. */
const waitsFor = ({ rule, order }: BuyFacts): boolean =>
  order.fulfil_state !== 'finished' && (rule!.at === 'used' || order.refundable)

/**
 * How many points an order earns, step by step: what was really paid less what went back and what is
 * excluded, at the rate and the highest multiplier, rounded down once, up to the day's cap.
 */
export const explainBuy = (facts: BuyFacts): Explained => {
  const steps: Step[] = []
  const add = (text: Text, points: number | null = null) => steps.push({ text, points })
  const not = earnsNot(facts)
  if (not) {
    add(not, 0)
    return { steps, points: 0, waits: false }
  }
  const rule = facts.rule!
  const { order, items, rate } = facts
  const left = Math.max(0, order.paid_cents - order.refunded_cents)
  add([
    `实付 ${yuan(order.paid_cents)} 元，已退 ${yuan(order.refunded_cents)} 元，剩 ${yuan(left)} 元`,
    `Paid ¥${yuan(order.paid_cents)}, ¥${yuan(order.refunded_cents)} back, ¥${yuan(left)} left`,
  ])
  const all = items.reduce((sum, item) => sum + item.pay_cents, 0)
  const out = items.filter(item => isExcluded(rule, item))
  const gone = out.reduce((sum, item) => sum + item.pay_cents, 0)
  const base = gone === 0 ? left : Math.floor((left * (all - gone)) / Math.max(1, all))
  if (gone > 0)
    add([
      `排除 ${out.length} 件商品，计分金额 ${yuan(base)} 元`,
      `${out.length} lines are excluded: ¥${yuan(base)} counts`,
    ])
  const plain = pointsFor(rate, base, 10_000)
  add(
    [
      `每元得 ${yuan(rate.earn_hundredths)} 积分，按单向下取整`,
      `${yuan(rate.earn_hundredths)} points a yuan, rounded down`,
    ],
    plain,
  )
  const times = timesFor(rate.multipliers, facts.buyer)
  const earned = pointsFor(rate, base, times)
  if (times !== 10_000)
    add([`倍率 ×${times / 10_000}（只取最高）`, `Times ${times / 10_000} (the highest)`], earned)
  const room = facts.daily_cap === null ? earned : Math.max(0, facts.daily_cap - facts.today)
  const points = Math.min(earned, room)
  if (points < earned)
    add(
      [
        `当日上限 ${facts.daily_cap}，已得 ${facts.today}`,
        `At most ${facts.daily_cap} a day, ${facts.today} were earned`,
      ],
      points,
    )
  const waits = waitsFor(facts)
  if (waits)
    add(['使用前可退，核销或收货后发放', 'It can be given back until it is used: they come then'])
  return { steps, points, waits }
}
