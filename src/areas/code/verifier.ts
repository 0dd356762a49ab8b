import type { CodeState, OrderFacts } from '#src/areas/order/order.ts'
import type { Text } from '#src/domain/text.ts'
import { dateOf, timeFull } from '#src/domain/time.ts'

/** The kinds of codes that a clerk may redeem. */
export const verifyKinds = {
  bulks: ['团购', 'Group-buy'],
  roll_buy: ['拼团', 'Multi-person buy'],
  card: ['卡券', 'Card'],
  voucher: ['代金券', 'Voucher'],
  pickup: ['提货码', 'Pick-up'],
  combo: ['组合', 'Combo'],
  points: ['积分兑换', 'Points'],
  visitor: ['到店付款', 'Visitor'],
} as const satisfies Record<string, Text>
export type VerifyKind = keyof typeof verifyKinds

export const WRONG_CODES_MAX = 10
export const WRONG_CODES_WINDOW_S = 300
export const LOCK_S = 1800
/** A clerk this far from the store, in metres, is not in it. */
export const FAR_M = 1000

export type CodeFacts = {
  state: CodeState
  times_total: number
  times_bonus: number
  times_used: number
  times_refunding: number
  times_refunded: number
  valid_from: number
  valid_until: number
  order: Pick<OrderFacts, 'pay_state' | 'frozen' | 'fulfil_state'>
  freeze_reason: string | null
  last_used_at: number | null
  last_store: string | null
  /** The person who redeemed it last; null where no person did. */
  last_by: string | null
  /**
   * Where it is to be redeemed, if that is asked: the store's name, whether it takes codes at all,
   * whether the product is sold there, and the days on which the store does not take it.
   */
  store?:
    | { name: string; open: boolean; sells: boolean; excluded?: readonly string[] | undefined }
    | undefined
}
export const usesLeft = (
  code: Pick<
    CodeFacts,
    'times_total' | 'times_bonus' | 'times_used' | 'times_refunding' | 'times_refunded'
  >,
): number =>
  code.times_total + code.times_bonus - code.times_used - code.times_refunding - code.times_refunded
export type CodeAnswer = { rule: string; text: Text; values?: Record<string, string | number> }
/** Why a store can't take a code now, or undefined. */
const storeRefusal = (
  store: NonNullable<CodeFacts['store']>,
  now: number,
): CodeAnswer | undefined => {
  if (!store.sells)
    return {
      rule: 'other_store',
      text: ['该商品不适用于「{store}」', 'It can’t be used in {store}'],
      values: { store: store.name },
    }
  if (!store.open)
    return {
      rule: 'store_closed',
      text: [
        '「{store}」未营业，不能核销，请改用该商品的其他适用门店',
        '{store} is not open: use another store that takes it',
      ],
      values: { store: store.name },
    }
  if (store.excluded?.includes(dateOf(now)))
    return {
      rule: 'excluded_day',
      text: ['该商品 {date} 在「{store}」不可用', '{store} does not take it on {date}'],
      values: { date: dateOf(now), store: store.name },
    }
  return undefined
}
/** Why a paid order keeps its codes locked. */
const lockedAnswer = ({ fulfil_state }: CodeFacts['order']): CodeAnswer => {
  if (fulfil_state === 'waiting_group')
    return {
      rule: 'no_group',
      text: [
        '拼团尚未成功，成团后自动生效',
        'Its group is not formed yet; it becomes valid by itself',
      ],
    }
  if (fulfil_state === 'waiting_pickup')
    return {
      rule: 'not_ready',
      text: ['门店尚未备货完成，备好后才能提货', 'The store has not made it ready yet'],
    }
  return { rule: 'locked', text: ['券码尚未生效', 'The code is not in force yet'] }
}
const lastUse = (code: CodeFacts) => ({
  when: code.last_used_at === null ? '' : timeFull(code.last_used_at).slice(0, 16),
  store: code.last_store ?? '',
  who: code.last_by ?? '—',
})
/**
 * Why a code can't be redeemed so many times now, the first reason that holds; undefined when it
 * can.
 */
export const codeRefusal = (code: CodeFacts, now: number, times = 1): CodeAnswer | undefined => {
  if (code.order.pay_state !== 'paid')
    return { rule: 'not_paid', text: ['订单尚未付款，付款后才能核销', 'The order is not paid yet'] }
  if (code.order.frozen)
    return {
      rule: 'frozen',
      text: ['订单已冻结：{why}。请联系风控解冻', 'The order is frozen: {why}. Ask risk control'],
      values: { why: code.freeze_reason ?? '' },
    }
  if (code.state === 'locked') return lockedAnswer(code.order)
  if (code.state === 'refunded')
    return { rule: 'refunded', text: ['券码已退款，不能再使用', 'The code was refunded'] }
  if (code.state === 'refunding')
    return { rule: 'refunding', text: ['券码退款处理中，暂不能使用', 'Its refund is under way'] }
  if (code.state === 'void') return { rule: 'void', text: ['券码已作废', 'The code is void'] }
  if (code.state === 'used' || usesLeft(code) <= 0)
    return {
      rule: 'used',
      text: [
        '券码已于 {when} 在 {store} 由 {who} 核销完',
        '{who} redeemed the last of it at {when} in {store}',
      ],
      values: lastUse(code),
    }
  if (code.state === 'expired' || code.valid_until <= now)
    return {
      rule: 'expired',
      text: ['券码已于 {when} 过期', 'It expired at {when}'],
      values: { when: timeFull(code.valid_until).slice(0, 16) },
    }
  if (code.valid_from > now)
    return {
      rule: 'too_early',
      text: ['{when} 起才能使用', 'It is valid from {when}'],
      values: { when: timeFull(code.valid_from).slice(0, 16) },
    }
  const atStore = code.store && storeRefusal(code.store, now)
  if (atStore) return atStore
  if (times > usesLeft(code))
    return {
      rule: 'too_many',
      text: ['只剩 {n} 次可用，不能一次核销 {times} 次', 'Only {n} uses are left, not {times}'],
      values: { n: usesLeft(code), times },
    }
  return undefined
}

export type VerifierVerb = 'disable' | 'enable' | 'unbindWechat'
export const verifierCan = (
  verb: VerifierVerb,
  of: { status: 'active' | 'disabled'; bound: boolean },
): true | Text => {
  switch (verb) {
    case 'disable':
      return of.status === 'active' || ['已停用', 'It is off already']
    case 'enable':
      return of.status === 'disabled' || ['已是启用状态', 'It is on already']
    case 'unbindWechat':
      return of.bound || ['尚未绑定微信', 'No WeChat is bound']
  }
}
