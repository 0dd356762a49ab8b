import type { Text } from '#src/domain/text.ts'
import type { FulfilState, ItemWay, OrderEvent, OrderFacts, OrderKind } from './order.ts'

export const orderStepTitles = {
  create: ['下单', 'Ordered'],
  pay: ['支付', 'Paid'],
  group: ['成团', 'Group formed'],
  raise: ['众筹成功', 'Target met'],
  balance: ['付尾款', 'Balance'],
  ready: ['备货', 'Made ready'],
  ship: ['发货', 'Shipped'],
  deliver: ['送达', 'Delivered'],
  receive: ['收货', 'Received'],
  pickup: ['提货', 'Picked up'],
  use: ['核销', 'Redeemed'],
  issue: ['发放', 'Issued'],
  finish: ['完成', 'Finished'],
  cancelled: ['已取消', 'Cancelled'],
  refunded: ['已退款', 'Refunded'],
  expired: ['已过期', 'Expired'],
} as const satisfies Record<string, Text>
type OrderStepKey = keyof typeof orderStepTitles
/** A step of an order's way; `n` is how many units of how many are behind it, `at` unix seconds. */
export type OrderStep = {
  key: OrderStepKey
  mark: 'done' | 'now' | 'todo' | 'stop'
  at?: number
  n?: readonly [done: number, all: number]
}
/** What the way of an order is told by. */
export type StepFacts = OrderFacts & {
  kind: OrderKind
  created_at: number
  paid_at: number | null
  ready_at: number | null
  closed_at: number | null
  finished_at: number | null
  /** How its items come to the buyer. */
  ways: readonly ItemWay[]
  units: number
  used: number
  shipped: number
  log: readonly { event: OrderEvent; at: number }[]
}

const byWay: Readonly<Record<ItemWay, readonly OrderStepKey[]>> = {
  code: ['use'],
  express: ['ship', 'receive'],
  pickup: ['ready', 'pickup'],
  delivery: ['ready', 'deliver'],
  virtual: ['issue'],
}
const eventOf: Partial<Record<OrderStepKey, OrderEvent>> = {
  group: 'group_success',
  raise: 'raise_success',
  balance: 'pay_balance',
  ship: 'ship',
  deliver: 'deliver',
  receive: 'receive',
  pickup: 'redeem',
  use: 'redeem',
  issue: 'issue',
}
/** Which steps have been taken when an order is fulfilled so far; the next one is where it stands. */
const behind: Readonly<Record<FulfilState, readonly OrderStepKey[]>> = {
  none: [],
  waiting_group: [],
  waiting_ship: ['group', 'raise', 'balance'],
  part_shipped: ['group', 'raise', 'balance'],
  shipped: ['group', 'raise', 'balance', 'ready', 'ship'],
  waiting_pickup: ['group', 'raise', 'balance'],
  delivering: ['group', 'raise', 'balance', 'ready'],
  waiting_use: ['group', 'raise', 'balance'],
  part_used: ['group', 'raise', 'balance'],
  issuing: [],
  issue_failed: [],
  finished: [
    'group',
    'raise',
    'balance',
    'ready',
    'ship',
    'deliver',
    'receive',
    'pickup',
    'use',
    'issue',
  ],
  expired: ['group', 'raise', 'balance', 'ready'],
}

const wayOf = (of: StepFacts): OrderStepKey[] => [
  'create',
  'pay',
  ...(of.kind === 'roll_buy' ? (['group'] as const) : []),
  ...(of.kind === 'raise' ? (['raise'] as const) : []),
  ...(of.balance_due || of.log.some(one => one.event === 'pay_balance')
    ? (['balance'] as const)
    : []),
  ...new Set(of.ways.flatMap(way => byWay[way])),
  'finish',
]
const lastOf = (of: StepFacts, event: OrderEvent | undefined): number | undefined => {
  const times = of.log.flatMap(one => (one.event === event ? [one.at] : []))
  return times.length > 0 ? Math.max(...times) : undefined
}
const timeOf = (of: StepFacts, key: OrderStepKey): number | undefined => {
  if (key === 'create') return of.created_at
  if (key === 'pay') return of.paid_at ?? undefined
  if (key === 'ready') return of.ready_at ?? undefined
  if (key === 'finish') return of.finished_at ?? undefined
  return lastOf(of, eventOf[key])
}
/**
 * How far a step is that units are counted for; nothing where there is one of them, or where they
 * are of items that come in several ways.
 */
const countOf = (of: StepFacts, key: OrderStepKey): OrderStep['n'] => {
  const isCounted = key === 'use' || key === 'ship'
  const comeOneWay = new Set(of.ways).size === 1
  if (!isCounted || !comeOneWay || of.units <= 1) return undefined
  return [key === 'use' ? of.used : of.shipped, of.units]
}
const isTaken = (of: StepFacts, key: OrderStepKey): boolean => {
  if (key === 'create') return true
  if (key === 'pay') return of.pay_state === 'paid' || of.pay_state === 'part_paid'
  if (key === 'finish') return of.finished_at !== null
  if (key === 'balance') return !of.balance_due
  if (key === 'ready' && of.ready_at !== null) return true
  return behind[of.fulfil_state].includes(key)
}
const endAt = (key: OrderStepKey, at: number | null | undefined): OrderStep => ({
  key,
  mark: 'stop',
  ...(at ? { at } : {}),
})
/** What ended an order before its way was gone, if anything did. */
const endOf = (of: StepFacts): OrderStep | undefined => {
  if (of.pay_state === 'closed') return endAt('cancelled', of.closed_at)
  if (of.refund_state === 'refunded') return endAt('refunded', lastOf(of, 'refund_done'))
  if (of.fulfil_state === 'expired') return endAt('expired', lastOf(of, 'expire'))
  return undefined
}

/**
 * The way of an order: steps that were taken, with their times, the one where it stands, and those
 * to come. An order that ended early shows what was done, and its end.
 */
export const orderSteps = (of: StepFacts): readonly OrderStep[] => {
  const steps = wayOf(of).map(key => {
    const [at, n] = [timeOf(of, key), countOf(of, key)]
    return { key, taken: isTaken(of, key), ...(n && { n }), ...(at !== undefined && { at }) }
  })
  const end = endOf(of)
  if (end)
    return [
      ...steps
        .filter(({ taken, key }) => taken && key !== 'finish')
        .map(({ taken: _, ...step }) => ({ ...step, mark: 'done' as const })),
      end,
    ]
  const here = steps.findIndex(({ taken }) => !taken)
  const isStopped = of.frozen || of.fulfil_state === 'issue_failed'
  return steps.map(({ taken, at, ...step }, i) => {
    if (taken) return { ...step, ...(at !== undefined && { at }), mark: 'done' as const }
    if (i === here) return { ...step, mark: isStopped ? ('stop' as const) : ('now' as const) }
    return { ...step, mark: 'todo' as const }
  })
}
