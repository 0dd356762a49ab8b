import type { OrderStatus } from '#src/areas/order/order.ts'
import type { Text } from '#src/domain/text.ts'
import { dayStart } from '#src/domain/time.ts'

export const limitRules = {
  per_order: ['每单限购', 'Per order'],
  per_day: ['每日限购', 'Per day'],
  per_person: ['每人限购', 'Per person'],
  new_only: ['仅限新客', 'New members only'],
  per_device: ['每台设备限购', 'Per device'],
  per_phone: ['每个手机号限购', 'Per phone'],
  /** A rule that was set up: the row names it. */
  rule: ['限购规则', 'Limit rule'],
} as const satisfies Record<string, Text>
export type LimitRule = keyof typeof limitRules

export const limitResults = {
  blocked: ['已拦截', 'Blocked'],
  released: ['已放行', 'Released'],
  used: ['放行已用', 'Release used'],
} as const satisfies Record<string, Text>
/** What the log of limits calls an issue of cards to a channel, beside ways of buying. */
export const CARD_CHANNEL = 'card_channel'
/** Names a buyer that is no member. */
export const buyerless = ({ channel }: { channel: string }): Text =>
  channel === CARD_CHANNEL ? ['渠道发卡', 'A card channel'] : ['访客', 'Visitor']
export type LimitResult = keyof typeof limitResults

/** A release lasts at most so long. */
export const RELEASE_HOURS = 72

export type Bought = {
  status: OrderStatus
  refund_state: 'none' | 'refunding' | 'part_refunded' | 'refunded'
  qty: number
  refunded_qty: number
  created_at: number
}
/**
 * Why an order of the member's does not count towards a limit; undefined when it does. Cancelled
 * and wholly refunded orders never count, and those made after the block did not then.
 */
export const uncounted = (rule: LimitRule, order: Bought, blocked_at: number): Text | undefined => {
  if (order.created_at > blocked_at) return ['拦截之后下单', 'Made after the block']
  if (order.status === 'cancelled') return ['已取消', 'Cancelled']
  if (order.refund_state === 'refunded' || order.refunded_qty >= order.qty)
    return ['已全部退款', 'Wholly refunded']
  if (rule === 'per_order') return ['每单单独计算', 'Each order by itself']
  if (rule === 'per_day' && order.created_at < dayStart(blocked_at))
    return ['不在当天', 'Another day']
  return undefined
}
/** How many pieces count. For `new_only` an earlier order counts as one, whatever it holds. */
export const boughtOf = (rule: LimitRule, orders: readonly Bought[], blocked_at: number): number =>
  orders
    .filter(order => !uncounted(rule, order, blocked_at))
    .reduce((sum, order) => sum + (rule === 'new_only' ? 1 : order.qty - order.refunded_qty), 0)

/** True when a purchase of `asked` on top of `bought` is more than the limit allows. */
export const overLimit = (
  rule: LimitRule,
  limit: number,
  bought: number,
  asked: number,
): boolean => {
  if (rule === 'new_only') return bought > 0
  return rule === 'per_order' ? asked > limit : bought + asked > limit
}

export type LimitRow = { result: LimitResult; release_until: number | null }
/** A release that nobody used in time is a block again. */
export const limitStands = ({ result, release_until }: LimitRow, now: number): LimitResult =>
  result === 'released' && (release_until ?? 0) <= now ? 'blocked' : result
/** True, or why this block can't be released now. */
export const canRelease = (row: LimitRow, now: number): true | Text => {
  const stands = limitStands(row, now)
  if (stands === 'used') return ['放行已被使用，不能再次放行', 'Its release was used already']
  if (stands === 'released') return ['已经放行，尚未使用', 'Released already, not used yet']
  return true
}
