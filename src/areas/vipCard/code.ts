import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

export const batchStates = {
  asked: ['待复核', 'Pending review'],
  making: ['制卡中', 'Being made'],
  ready: ['已制成', 'Made'],
  rejected: ['已驳回', 'Rejected'],
} as const satisfies Record<string, Text>
export type BatchState = keyof typeof batchStates
export const vipCodeStates = {
  unissued: ['未发放', 'Not handed out'],
  issued: ['已发放', 'Handed out'],
  activated: ['已激活', 'Activated'],
  frozen: ['已冻结', 'Frozen'],
  void: ['已作废', 'Void'],
  expired: ['已过期', 'Expired'],
} as const satisfies Record<string, Text>
export type VipCodeState = keyof typeof vipCodeStates

/** So many numbers in one batch at most, and so many without a second person. */
export const BATCH_MOST = 20_000
export const ALONE_MOST = 1000
/** So many wrong secrets in a row lock a number, and for so long (seconds). */
export const WRONG_MOST = 5
export const LOCKED_S = DAY

type Batch = {
  status: BatchState
  maker_id: number
  qty: number
  expire_at: number
}
export type BatchVerb = 'approveBatch' | 'rejectBatch' | 'exportSecrets' | 'issue' | 'extendBatch'
/** Whether a person may do that with a batch now, or why not. Unix seconds. */
export const batchCan = (
  verb: BatchVerb,
  of: Batch,
  { me, now }: { me: number; now: number },
): true | Text => {
  if (verb === 'approveBatch' || verb === 'rejectBatch') {
    if (of.status !== 'asked') return ['没有待复核的制卡申请', 'Nothing waits for a second person']
    return (
      of.maker_id !== me || [
        '申请人不能复核自己的制卡申请，请由他人处理',
        'Whoever asked can’t decide: let somebody else',
      ]
    )
  }
  if (of.status !== 'ready') return ['卡号尚未制成', 'Its numbers are not made yet']
  return of.expire_at > now || ['批次已过期，请重新制卡', 'The batch has expired: make another']
}

type Code = {
  status: VipCodeState
  expire_at: number
  locked_until: number | null
  member_id: number | null
}
export type VipCodeVerb = 'freeze' | 'unfreeze' | 'voidCodes' | 'rebind'
const activated: Text = [
  '已激活，只能按会员退款处理',
  'It is activated: refund the membership instead',
]
/** Whether that may be done with a number now, or why not. */
export const vipCodeCan = (verb: VipCodeVerb, of: Code, now: number): true | Text => {
  if (of.status === 'activated') return activated
  if (of.status === 'void') return ['已作废', 'It is void']
  if (verb === 'voidCodes') return true
  if (of.status === 'expired' || of.expire_at <= now) return ['已过期', 'It has expired']
  if (verb === 'freeze') return of.status !== 'frozen' || ['已冻结', 'It is frozen']
  if (verb === 'unfreeze') return of.status === 'frozen' || ['未冻结', 'It is not frozen']
  return true
}

/** What a try of a number comes to, as the mini-program hears it. */
export const tryStates = {
  active: ['激活成功', 'Activated'],
  wrong: ['卡号或密码不正确', 'The number or the secret is wrong'],
  locked: ['已锁定，请 24 小时后再试', 'Locked: try again in 24 hours'],
  used: ['已被激活', 'It was activated already'],
  expired: ['已过期', 'It has expired'],
  frozen: ['已冻结，请联系客服', 'Frozen: ask the service'],
  refused: ['不能激活，请联系客服', 'Not to be activated: ask the service'],
} as const satisfies Record<string, Text>
export type TryState = keyof typeof tryStates
/** What keeps a number whose secret is right from being activated by a member; undefined: nothing. */
export const activationRefusal = (
  of: Code,
  { member_id, now }: { member_id: number | undefined; now: number },
): Exclude<TryState, 'active' | 'wrong' | 'locked'> | undefined => {
  if (of.status === 'activated') return 'used'
  if (of.status === 'expired' || of.expire_at <= now) return 'expired'
  if (of.status === 'frozen') return 'frozen'
  if (of.status !== 'issued' || member_id === undefined) return 'refused'
  return of.member_id !== null && of.member_id !== member_id ? 'refused' : undefined
}
