import type { MerchantState, SettleCycle } from '#src/areas/merchant/merchant.ts'
import type { Text } from '#src/domain/text.ts'
import type { FeeBearer } from './settle.ts'

/** Whether a merchant's terms of settlement hold. What freezes it is the merchant's own state. */
export const settleMerchantStates = {
  active: ['正常', 'Active'],
  closed: ['已关闭', 'Closed'],
} as const satisfies Record<string, Text>
export type SettleMerchantState = keyof typeof settleMerchantStates

/** The most that a rate may be. */
export const RATE_MOST_BP = 5000
export const FREEZE_MOST_DAYS = 30

/** Where a merchant's money goes: the account of src/areas/merchant. */
export type BankAccount = {
  bank_holder: string
  bank_name: string
  bank_no: string
}
/** What one person asks of a merchant's terms and another approves; only what differs. */
export type PendingChange = {
  /** Null: as each product agreed. */
  commission_bp?: number | null
  /** When the new rate begins (unix seconds). */
  rate_from_at?: number
  freeze_days?: number
  batch_cycle?: SettleCycle
  fee_bearer?: FeeBearer
  reserve_cents?: number
  min_withdraw_cents?: number
  profit_sharing?: boolean
  sub_mchid?: string
  bank?: BankAccount
}
export type SettleTerms = {
  merchant_id: number
  commission_bp: number | null
  next_commission_bp: number | null
  rate_from_at: number | null
  freeze_days: number
  fee_bearer: FeeBearer
  /** What of its balance a merchant leaves where it is. */
  reserve_cents: number
  min_withdraw_cents: number
  pending_change: PendingChange | null
  status: SettleMerchantState
}
/** The terms of a merchant for whom nobody set any. */
export const usualTerms = (merchant_id: number): SettleTerms => ({
  merchant_id,
  commission_bp: null,
  next_commission_bp: null,
  rate_from_at: null,
  freeze_days: 3,
  fee_bearer: 'platform',
  reserve_cents: 0,
  min_withdraw_cents: 10_000,
  pending_change: null,
  status: 'active',
})
/**
 * The take rate (basis points) of what was paid at a moment, or null where each product says its
 * own. A new rate holds for what is paid from its beginning on, never for what was paid before.
 */
export const settleRateAt = (
  of: Pick<SettleTerms, 'commission_bp' | 'next_commission_bp' | 'rate_from_at'>,
  paid_at: number,
): number | null =>
  of.rate_from_at !== null && of.rate_from_at <= paid_at ? of.next_commission_bp : of.commission_bp

/** Whether a merchant is paid by the channel's profit sharing, and its own number there. */
export type Sharing = { profit_sharing: boolean; sub_mchid: string }
const subMchidForm = /^\d{8,10}$/
/** A merchant's number at WeChat Pay as it is stored: digits alone. */
export const subMchidOf = (typed: string): string => typed.normalize('NFKC').replace(/[\s-]/g, '')
/**
 * What is wrong with a number at WeChat Pay (`sub_mchid`, 8 to 10 digits), or undefined: money is
 * shared through it, so sharing can't do without.
 */
export const subMchidFault = ({ profit_sharing, sub_mchid }: Sharing): Text | undefined => {
  if (sub_mchid === '')
    return profit_sharing
      ? ['开启分账须填写特约商户号', 'Sharing needs the merchant’s number at WeChat Pay']
      : undefined
  return subMchidForm.test(sub_mchid)
    ? undefined
    : ['特约商户号为 8 至 10 位数字', 'A number at WeChat Pay has 8 to 10 digits']
}
/**
 * Whether a change takes away what splits under way are paid through: sharing itself, or the number.
 */
export const endsSharing = (was: Sharing, next: Sharing): boolean =>
  was.profit_sharing && (!next.profit_sharing || next.sub_mchid !== was.sub_mchid)

/** Why no money is paid out to a merchant now, or undefined: its new account waits for a check. */
export const payoutsFrozen = (of: Pick<SettleTerms, 'pending_change'>): Text | undefined =>
  of.pending_change?.bank
    ? [
        '收款账户变更待另一人复核，复核前暂停打款',
        'Its new account waits for another person’s check: nothing is paid out meanwhile',
      ]
    : undefined

/** Why a merchant gets no batch, or undefined. */
export const skipped = (of: {
  status: SettleMerchantState
  merchant_status: MerchantState
}): Text | undefined => {
  if (of.merchant_status === 'frozen') return ['商户已被风控冻结', 'The merchant is frozen']
  if (of.status === 'closed') return ['结算主体已关闭', 'Its terms are closed']
  return undefined
}

export type Check = { pending_by: number | null; pending_change: PendingChange | null }
/** True, or why this person does not check the change: whoever asked for it never does. */
export const mayCheck = (of: Check, me: number, asker: string): true | Text => {
  if (of.pending_change === null) return ['没有待复核的变更', 'No change waits for a check']
  return (
    of.pending_by !== me || [
      `变更由${asker}（你）提交，须由另一人复核`,
      `${asker} (you) asked for it: another person checks it`,
    ]
  )
}
