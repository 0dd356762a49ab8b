import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'

/** How giving a visitor's order to a member stands. */
export const bindStates = {
  asked: ['待复核', 'To confirm'],
  bound: ['已绑定', 'Bound'],
  refused: ['未同意', 'Refused'],
  undone: ['已撤销', 'Undone'],
} as const satisfies Record<string, Text>
export type BindState = keyof typeof bindStates
/** Whether codes reached a visitor by SMS. */
export const smsStates = {
  none: ['未发送', 'Not sent'],
  queued: ['待发送', 'Queued'],
  sent: ['已送达网关', 'Sent'],
  failed: ['发送失败', 'Failed'],
} as const satisfies Record<string, Text>
export type SmsState = keyof typeof smsStates

/** How long a binding may be undone, in seconds. */
export const UNBIND_S = DAY
/**
 * Why a binding can't be undone any more, or undefined: a day at most, and nothing may have been
 * used or asked back since.
 */
export const unbindRefusal = (
  of: { claimed_at: number; used: boolean; refunded: boolean },
  now: number,
): Text | undefined => {
  if (now >= of.claimed_at + UNBIND_S)
    return ['绑定超过 24 小时，不能撤销', 'It was bound more than 24 hours ago']
  if (of.used) return ['绑定后已核销，不能撤销', 'It was redeemed since']
  if (of.refunded)
    return ['绑定后会员已申请退款，不能撤销', 'The member has asked for a refund since']
  return undefined
}

/**
 * Why a bill paid at the store can't be given back so, or undefined: whole on the day it was paid,
 * later only with the store's word, and never a part of it.
 */
export const billRefusal = (
  of: { paid_at: number; whole_cents: number; amount_cents: number | undefined; agreed: boolean },
  now: number,
): Text | undefined => {
  if (of.amount_cents !== undefined && of.amount_cents !== of.whole_cents)
    return ['买单只能整单退款', 'A bill is given back whole']
  if (dayStart(now) > dayStart(of.paid_at) && !of.agreed)
    return [
      '隔日的买单须门店同意：请写明门店何人、何时同意',
      'Paid on another day: note who of the store agreed, and when',
    ]
  return undefined
}
