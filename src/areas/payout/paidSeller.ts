import { sellerStates, type SellerKind, type SellerState } from '#src/areas/distribution/sellers.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

/** What decides whether commission is paid out to a seller. */
export type PaidSeller = {
  kind: SellerKind
  status: SellerState
  /** When they quit (unix seconds); null for who has not. */
  quit_at?: number | null | undefined
  real_name_ok: boolean
  /** What they owe of commission that was taken back (cents); undefined where it may not be seen. */
  debt_cents?: number | undefined
}
/** Whoever quit may ask for what they earned so long after it. */
const CLAIM_DAYS = 180
/** Why a seller can't ask for commission any more at a moment (unix seconds), or undefined. */
export const claimOver = ({ status, quit_at }: PaidSeller, now: number): Text | undefined =>
  status === 'quit' && now >= (quit_at ?? 0) + CLAIM_DAYS * DAY
    ? [
        `分销员清退已超过 ${CLAIM_DAYS} 天，不能再申请提现`,
        `The seller quit more than ${CLAIM_DAYS} days ago: nothing is asked for any more`,
      ]
    : undefined
/**
 * Why no commission is paid out to a seller now (domain B, invariant 19), or undefined. Whoever quit
 * is still paid what they asked for in time (`claimOver`).
 */
export const sellerBarred = (of: PaidSeller): Text | undefined => {
  if (of.kind === 'store')
    return [
      '分销门店的佣金随商户余额结算，请由商户提现',
      'A store’s commission is in its merchant’s balance: the merchant withdraws it',
    ]
  if (of.status !== 'active' && of.status !== 'quit') {
    const [zh, en] = sellerStates[of.status]
    return [
      `分销员${zh}，不能提现；恢复正常后再处理，或驳回退回余额`,
      `The seller is ${en.toLowerCase()}: wait until they are active, or reject it`,
    ]
  }
  if (!of.real_name_ok)
    return [
      '分销员尚未实名认证，不能提现',
      'The seller’s identity is not verified: nothing is paid out',
    ]
  if (of.debt_cents)
    return [
      `分销员有欠款 ${yuan(of.debt_cents)} 元未还清，不能提现；请驳回，退回的金额会先抵欠款`,
      `The seller owes ¥${yuan(of.debt_cents)}: reject it, and what goes back pays that first`,
    ]
  return undefined
}
