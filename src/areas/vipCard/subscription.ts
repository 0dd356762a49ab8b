import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { VipRefundPolicy } from './vipCard.ts'

export const subscriptionStates = {
  active: ['生效中', 'Active'],
  grace: ['宽限期', 'Grace'],
  expired: ['已过期', 'Expired'],
  refunded: ['已退会', 'Refunded'],
} as const satisfies Record<string, Text>
export type SubscriptionState = keyof typeof subscriptionStates
/** How a period of membership came about. */
export const openedBy = {
  buy: ['购买', 'Bought'],
  renew: ['自动续费', 'Renewed'],
  gift: ['赠送', 'Given'],
  code: ['兑码开通', 'By a code'],
} as const satisfies Record<string, Text>
export type OpenedBy = keyof typeof openedBy

/** How long a membership whose charge failed goes on after its end, in seconds. */
export const GRACE = 7 * DAY
/** How long before its end a membership is charged for the next period, in seconds. */
export const CHARGED_BEFORE = DAY

export type Period = { start_at: number; end_at: number }
type Standing = { status: SubscriptionState; end_at: number; auto_renew: boolean }
/**
 * How a subscription stands at a moment, whether or not the clock has written it down: at its end it
 * is in grace while it renews by itself, for seven days.
 */
export const stateAt = (of: Standing, now: number): SubscriptionState => {
  if (of.status === 'refunded' || of.status === 'expired' || of.end_at > now)
    return of.status === 'grace' && of.end_at > now ? 'active' : of.status
  const waits = of.status === 'grace' || of.auto_renew
  return waits && of.end_at + GRACE > now ? 'grace' : 'expired'
}
export const isVip = (of: Standing, now: number): boolean =>
  ['active', 'grace'].includes(stateAt(of, now))

/**
 * The period that is added: after the end of a membership that runs, from now where it is over. A
 * renewal in grace begins at the end, for its member has had the days since; a purchase then begins
 * now. `reopens`: nothing ran before.
 */
export const periodOf = (
  sub: Standing | undefined,
  of: { how: OpenedBy | 'extend'; days: number; now: number },
): Period & { reopens: boolean } => {
  const runs = sub !== undefined && isVip(sub, of.now)
  const after = of.how === 'renew' ? sub?.end_at : Math.max(sub?.end_at ?? 0, of.now)
  const start_at = runs ? after! : of.now
  return { start_at, end_at: start_at + of.days * DAY, reopens: !runs }
}
/** Answers how many seconds of a period are still to come. */
export const restOf = (of: Period, now: number): number =>
  Math.max(0, of.end_at - Math.max(of.start_at, now))
/** The same in whole days. */
export const daysLeft = (of: Period, now: number): number => Math.floor(restOf(of, now) / DAY)

const UNUSED_S = 7 * DAY
/** How a member stood before days that were given began a membership, to be put back with them. */
export type BeforeDays = {
  vip_end_at: number | null
  /** The membership that had run out, which began again; null where there was none. */
  membership: {
    card_id: number
    start_at: number
    end_at: number
    saved_cents: number
    paid_cents: number
    charge_fail_count: number
    charge_error: string
  } | null
}
/**
 * Whether days that were given may be taken back: all of them while they have not begun. Of days that
 * have begun only those that began their membership, within seven days and while it has saved its
 * member nothing, as a purchase that is refunded while unused. Unix seconds.
 */
export const daysGoBack = (
  of: Period & { ended_at: number | null },
  sub: { start_at: number; saved_cents: number },
  now: number,
): boolean => {
  if (of.ended_at !== null) return false
  if (of.start_at > now) return true
  const began = of.start_at === sub.start_at
  const isFresh = of.end_at > now && now <= of.start_at + UNUSED_S
  return began && isFresh && sub.saved_cents === 0
}
export type Refundable = Period & {
  refund_policy: VipRefundPolicy
  /** Days that were bought. */
  days: number
  /** When it was paid, unix seconds. */
  paid_at: number
  pay_cents: number
  refunded_cents: number
  /** What its member saved by it so far (cents). */
  saved_cents: number
  /** What the coupons that came with it were worth that are used (cents). */
  gift_used_cents: number
}
/**
 * What may go back of a purchase by its plan's policy, in cents, and why it is nothing. Never more
 * than was paid less what went back; what was used of its gifts is taken off.
 */
export const refundableOf = (of: Refundable, now: number): { cents: number; why?: Text } => {
  const left = of.pay_cents - of.refunded_cents
  if (left <= 0) return { cents: 0, why: ['没有可退的实付金额', 'Nothing that was paid is left'] }
  const base = worthOf(of, now)
  if (typeof base !== 'number') return { cents: 0, why: base }
  const cents = Math.min(left, base - of.gift_used_cents)
  return cents > 0
    ? { cents }
    : {
        cents: 0,
        why: ['已用开卡礼券抵完，没有可退金额', 'The gifts that were used are worth more'],
      }
}
const worthOf = (of: Refundable, now: number): number | Text => {
  const { refund_policy, pay_cents } = of
  if (refund_policy === 'none') return ['该卡种售出不退', 'The plan is not refunded']
  if (refund_policy === 'unused_7d') {
    if (now > of.paid_at + UNUSED_S)
      return ['已超过购买后 7 天', 'More than 7 days since it was bought']
    return of.saved_cents <= pay_cents
      ? pay_cents - of.refunded_cents
      : ['已享优惠超过售价，不能退', 'More was saved by it than it cost']
  }
  const days = daysLeft(of, now)
  return days > 0
    ? Math.floor((pay_cents * Math.min(days, of.days)) / of.days)
    : ['没有剩余的整天数', 'No whole day is left']
}
