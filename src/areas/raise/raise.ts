import { partOf } from '#src/areas/order/orderMoney.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, HOUR, timeFull } from '#src/domain/time.ts'

export const raiseStates = {
  draft: ['未开始', 'Not begun'],
  raising: ['众筹中', 'Raising'],
  success: ['众筹成功', 'Succeeded'],
  failed: ['众筹失败', 'Failed'],
  shipping: ['发货中', 'Shipping'],
  finished: ['已完结', 'Finished'],
} as const satisfies Record<string, Text>
export type RaiseState = keyof typeof raiseStates
/** What ended the raising. */
export const raiseEnds = {
  target: ['到期达标', 'Target met'],
  declare: ['宣布成功', 'Declared by staff'],
  timeout: ['到期未达标', 'Target not met'],
  close: ['后台关闭', 'Closed by staff'],
} as const satisfies Record<string, Text>
export type RaiseEnd = keyof typeof raiseEnds
export const raiseModes = {
  full: ['全款', 'In full'],
  deposit: ['定金', 'Deposit'],
} as const satisfies Record<string, Text>
export type RaiseMode = keyof typeof raiseModes
export const depositRules = {
  refund: ['定金可退', 'Deposit given back'],
  forfeit: ['定金不退', 'Deposit kept'],
} as const satisfies Record<string, Text>
export type DepositRule = keyof typeof depositRules
export const targetTypes = {
  units: ['件数', 'Units'],
  cents: ['金额', 'Money'],
} as const satisfies Record<string, Text>
export type TargetType = keyof typeof targetTypes
/** Why a deposit was kept. */
export const forfeitCauses = {
  balance_timeout: ['尾款超时', 'Balance not paid'],
  withdrawn: ['成功后退单', 'Given up after success'],
} as const satisfies Record<string, Text>
export type ForfeitCause = keyof typeof forfeitCauses

/** Raising is extended once, by so many days at most. */
const EXTEND_MAX_DAYS = 30
/** How long a buyer has for the balance, and by how much staff may lengthen that for one order. */
export const BALANCE_S = 72 * HOUR
export const BALANCE_EXTEND_S = 72 * HOUR
/** Later than promised by more than this, and everybody may have all their money back. */
const FREE_DELAY_S = 7 * DAY
/** A buyer is reminded of the balance once in this time. */
export const REMIND_EVERY_S = 24 * HOUR
/** A campaign with less time than this is looked after first. */
export const ENDING_SOON_S = 3 * DAY
export const BALANCE_SOON_S = 24 * HOUR

export type RaiseLook = {
  state: RaiseState
  mode: RaiseMode
  end_at: number
  ship_at: number
  extended: boolean
}
export type RaiseVerb =
  | 'extendRaise'
  | 'declareSuccess'
  | 'closeRaise'
  | 'remindBalance'
  | 'delayShip'
const over = (state: RaiseState): Text => {
  if (state === 'failed') return ['众筹已失败，正在退款', 'It has failed: everybody is paid back']
  if (state === 'draft') return ['众筹还没开始', 'It has not begun']
  return ['众筹已成功', 'It has succeeded already']
}
const hasSucceeded = (state: RaiseState): boolean => state === 'success' || state === 'shipping'
/**
 * What staff may do with a campaign as it is now, or why not; handlers, menus and tests all ask
 * here.
 */
export const raiseCan = (verb: RaiseVerb, of: RaiseLook): true | Text => {
  switch (verb) {
    case 'extendRaise':
      if (of.state !== 'raising') return over(of.state)
      return !of.extended || ['每场众筹只能延长一次', 'It was extended once already']
    case 'declareSuccess':
    case 'closeRaise':
      return of.state === 'raising' ? true : over(of.state)
    case 'remindBalance':
      if (of.mode !== 'deposit')
        return ['全款众筹没有尾款', 'It was paid in full: there is no balance']
      return (
        hasSucceeded(of.state) || ['众筹成功后才有尾款', 'Balances are due once it has succeeded']
      )
    case 'delayShip':
      if (of.state === 'raising' || hasSucceeded(of.state)) return true
      return of.state === 'failed' ? over('failed') : ['没有待发的商品', 'Nothing is left to ship']
  }
}

/** Whether goods are so much later than promised that any buyer may give them back. */
export const isFreeToLeave = (of: { ship_at: number; promised_ship_at: number }): boolean =>
  of.ship_at - of.promised_ship_at > FREE_DELAY_S
/**
 * Whether a deposit stays where it is when its buyer gives up: only once the campaign has
 * succeeded, where that was said before, and while it keeps its own promise.
 */
export const keepsDeposit = (of: {
  state: RaiseState
  mode: RaiseMode
  deposit_rule: DepositRule
  ship_at: number
  promised_ship_at: number
}): boolean =>
  of.mode === 'deposit' &&
  of.deposit_rule === 'forfeit' &&
  (of.state === 'success' || of.state === 'shipping' || of.state === 'finished') &&
  !isFreeToLeave(of)

/** What is known of an order's deposit: its payment, what is left of it, and the balance's payment. */
export type DepositFacts = {
  deposit: { id: number; left_cents: number } | undefined
  keeps: boolean
  balance_id: number | null
  part_paid: boolean
}
/**
 * What of the deposit stays when `n` of `left` units that were not sent are given back, by the word
 * of the campaign (cents); and where the rest goes: of two payments only to the balance.
 */
export const depositKept = (
  facts: DepositFacts | undefined,
  of: { n: number; left: number },
): { kept_cents: number; payment_id: number | null } => {
  if (!facts) return { kept_cents: 0, payment_id: null }
  const { deposit, keeps } = facts
  if (!deposit || facts.part_paid)
    return {
      kept_cents: deposit && keeps ? deposit.left_cents : 0,
      payment_id: deposit?.id ?? null,
    }
  const kept_cents = keeps ? partOf(deposit.left_cents, of.left, of.n) : 0
  return { kept_cents, payment_id: kept_cents === 0 ? null : facts.balance_id }
}

/** What was raised: paid and not given back, in units and in cents. */
export type Raised = { units: number; cents: number }
export const raisedBy = (type: TargetType, of: Raised): number =>
  type === 'units' ? of.units : of.cents
export const isMet = (of: { target_type: TargetType; target: number }, raised: Raised): boolean =>
  raisedBy(of.target_type, raised) >= of.target
/**
 * Where it will stand at its end, should it go on as in the last `days` days: what was raised, and
 * as much a day as then.
 */
export const forecast = (
  of: { target_type: TargetType; end_at: number; now: number; days: number },
  raised: Raised,
  lately: Raised,
): number =>
  Math.round(
    raisedBy(of.target_type, raised) +
      (raisedBy(of.target_type, lately) / of.days) * Math.max(0, (of.end_at - of.now) / DAY),
  )

/** Why raising can't be extended to then, or true. */
export const extendRefusal = (of: { end_at: number }, until: number): true | Text => {
  if (until <= of.end_at)
    return [
      `只能延长：须晚于现在的截止时间 ${timeFull(of.end_at)}`,
      `Only longer: later than ${timeFull(of.end_at)}`,
    ]
  const latest = of.end_at + EXTEND_MAX_DAYS * DAY
  if (until > latest)
    return [
      `最多延长 ${EXTEND_MAX_DAYS} 天，即到 ${timeFull(latest)}`,
      `By ${EXTEND_MAX_DAYS} days at most, to ${timeFull(latest)}`,
    ]
  return true
}
