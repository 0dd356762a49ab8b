import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { GRACE, isVip, stateAt, type SubscriptionState } from './subscription.ts'

export const contractStates = {
  asked: ['待签约', 'To be signed'],
  signed: ['已签约', 'Signed'],
  ending: ['解约中', 'Being ended'],
  ended: ['已解约', 'Ended'],
} as const satisfies Record<string, Text>
export type ContractState = keyof typeof contractStates
export const chargeStates = {
  pending: ['扣款中', 'Being charged'],
  success: ['已扣款', 'Charged'],
  failed: ['扣款失败', 'Failed'],
} as const satisfies Record<string, Text>
export type ChargeState = keyof typeof chargeStates
export const extensionStates = {
  asked: ['待复核', 'Pending review'],
  given: ['已同意', 'Given'],
  refused: ['已驳回', 'Rejected'],
} as const satisfies Record<string, Text>

/** More days than this need a second person, and more than this nobody gives at once. */
export const EXTEND_ALONE = 365
export const EXTEND_MOST = 3650
/** So many charges asked for by hand in so many seconds. */
export const RETRY_MOST = 3
export const RETRY_IN = 7 * DAY
/** A charge that failed is tried again by the clock after so long (seconds). */
export const CHARGE_AGAIN = DAY
/** A reminder at most once in so long (seconds). */
const REMIND_AGAIN = DAY
/** What is charged at a channel stays open so long (seconds). */
export const CHARGE_OPEN = DAY

/** Why a channel refused a charge: WeChat's words for a deduction on a contract. */
export const chargeFaults: Readonly<Record<string, Text>> = {
  no_channel: ['未配置代扣渠道', 'No channel for deductions is set up'],
  CONTRACT_NOT_EXIST: ['签约已失效或用户已解约', 'The contract is gone, or its member ended it'],
  CONTRACT_ENDED: ['签约已解除，未扣款', 'Its contract is over: nothing was charged'],
  ORDER_CLOSED: ['续费订单已关闭，未扣款', 'Its order was closed: nothing was charged'],
  NOTENOUGH: ['付款账户余额不足', 'The payer’s balance is too low'],
  BANKERROR: ['银行卡扣款失败', 'The bank refused the card'],
  ACCOUNTERROR: ['付款账户异常', 'The payer’s account is not in order'],
  USER_NOT_EXIST: ['用户账号已注销', 'The payer’s account is closed'],
  RULELIMIT: ['超出扣款限额或频次', 'Above the limit of the channel'],
  CARD_EXPIRED: ['银行卡已过期', 'The bank card has expired'],
  USERPAYING_TIMEOUT: ['扣款等待超时', 'The deduction took too long'],
  SYSTEMERROR: ['渠道系统繁忙', 'The channel is busy'],
}
/** The refusals after which a contract is over. */
export const endsContract = (code: string): boolean =>
  code === 'CONTRACT_NOT_EXIST' || code === 'USER_NOT_EXIST'

export type PaidMember = {
  status: SubscriptionState
  start_at: number
  end_at: number
  auto_renew: boolean
  charge_fail_count: number
  /** The state of the contract that was signed last; null where none was. */
  contract: ContractState | null
  /** Whether a charge of it waits for its answer. */
  charging: boolean
  /** Charges that staff asked for in the last seven days. */
  retries: number
  /** An extension that waits for a second person, and who asked for it. */
  asked: { asker_id: number } | null
  reminded_at: number | null
  /** Money of its purchases that may go back now (cents), and why it is nothing. */
  refundable: { cents: number; why?: Text | undefined }
  refunding: boolean
}
export type PaidVerb =
  | 'extend'
  | 'approveExtend'
  | 'rejectExtend'
  | 'stopRenew'
  | 'retryCharge'
  | 'refundRemain'
  | 'sendRenewRemind'
/** Whether a person may do that with a membership at a moment, or why not. Unix seconds. */
export const paidCan = (
  verb: PaidVerb,
  of: PaidMember,
  { me, now }: { me: number; now: number },
): true | Text => {
  switch (verb) {
    case 'extend':
      return canExtend(of)
    case 'approveExtend':
    case 'rejectExtend':
      return canDecide(of, me)
    case 'stopRenew':
      return of.auto_renew || ['未开启自动续费', 'It does not renew by itself']
    case 'retryCharge':
      return canRetry(of, now)
    case 'refundRemain':
      return canLeave(of, now)
    case 'sendRenewRemind':
      return canRemind(of, now)
  }
}
const canExtend = (of: PaidMember): true | Text => {
  if (of.status === 'refunded') return ['已退会，请让会员重新购卡', 'It was refunded: buy again']
  return of.asked === null || ['有延期申请待复核', 'An extension waits for a second person']
}
const canDecide = (of: PaidMember, me: number): true | Text => {
  if (of.asked === null) return ['没有待复核的延期申请', 'No extension waits']
  return (
    of.asked.asker_id !== me || [
      '申请人不能复核自己的延期申请，请由他人处理',
      'Whoever asked can’t decide: let somebody else',
    ]
  )
}
const canRetry = (of: PaidMember, now: number): true | Text => {
  if (of.contract !== 'signed' || !of.auto_renew)
    return ['签约已解除，不能扣款', 'Its contract is over: nothing may be charged']
  if (of.charging) return ['扣款处理中，请稍后再看结果', 'A charge waits for its answer']
  if (of.charge_fail_count === 0) return ['没有失败的扣款', 'No charge of it has failed']
  if (of.end_at + GRACE <= now)
    return ['宽限期已过，请让会员重新购卡', 'Its grace is over: buy again']
  return (
    of.retries < RETRY_MOST || [
      `7 天内最多重新扣款 ${RETRY_MOST} 次`,
      `At most ${RETRY_MOST} tries in 7 days`,
    ]
  )
}
const canLeave = (of: PaidMember, now: number): true | Text => {
  if (!isVip(of, now)) return ['会员已失效', 'The membership is over']
  if (of.refunding) return ['有退款正在处理', 'A refund of it is on its way']
  if (of.charging) return ['扣款处理中，请稍后再退会', 'A charge waits for its answer']
  return of.refundable.cents > 0 || (of.refundable.why ?? ['没有可退金额', 'Nothing to refund'])
}
const canRemind = (of: PaidMember, now: number): true | Text => {
  if (stateAt(of, now) === 'refunded') return ['已退会', 'It was refunded']
  return (
    of.reminded_at === null ||
    of.reminded_at + REMIND_AGAIN <= now || ['24 小时内已提醒过', 'Reminded within 24 hours']
  )
}
