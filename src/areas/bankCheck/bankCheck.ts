import { lineOf, ours, type Posting } from '#src/areas/ledger/ledger.ts'
import { bankKinds, holderFault, type BankKind } from '#src/areas/merchant/merchant.ts'
import { joined, type Text } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'

/** How far a small payment to a settlement account has come. */
export const bankCheckStates = {
  sending: ['打款中', 'Being paid'],
  waiting: ['待填写金额', 'Awaits the amount'],
  verified: ['已验证', 'Verified'],
  void: ['已作废', 'Void'],
  failed: ['打款失败', 'Payment failed'],
} as const satisfies Record<string, Text>
export type BankCheckState = keyof typeof bankCheckStates

/** Why a payment that left proves nothing any more. */
export const voidReasons = {
  wrong: ['金额 3 次不符', 'Three wrong amounts'],
  replaced: ['已重新打款', 'Paid anew'],
  changed: ['结算账户已变更', 'The account was changed'],
  expired: ['7 天内未填写金额', 'No amount within 7 days'],
} as const satisfies Record<string, Text>
export type VoidReason = keyof typeof voidReasons

/** So many payments a day for a merchant (specification, page of the merchant form). */
export const CHECKS_A_DAY = 3
/** So many amounts are taken for one payment; after the last wrong one it is void. */
export const TRIES = 3
/** So long a payment awaits its amount, in seconds: every one of them comes to an end and is posted. */
export const AWAITS_S = 7 * DAY
/** The largest payment, in cents; the smallest is one. */
export const CENTS_MOST = 99

/** A settlement account as a merchant has it. */
export type Account = {
  name: string
  legal_name: string
  bank_kind: BankKind | null
  bank_holder: string | null
  bank_name: string | null
  bank_no: string | null
}
/** Where no bank is connected: nothing can be paid, and who can mend that. */
export const noBankText: Text = [
  '未接入银行打款（BANK_TRANSFER_URL），请联系系统管理员配置后再试',
  'No bank is connected (BANK_TRANSFER_URL): ask whoever runs this system to set it up',
]
export const incompleteText: Text = [
  '结算账户不完整：请先填写账户类型、户名、开户行和账号，并保存或审核通过',
  'The account is incomplete: enter its kind, holder, bank and number, and save it or have it approved',
]
/** Whether an account has all that a payment to it needs. */
export const isWholeAccount = (of: Account): boolean =>
  of.bank_kind !== null &&
  of.bank_kind in bankKinds &&
  Boolean(of.bank_holder && of.bank_name && of.bank_no)
/** Why nothing is paid to an account, or undefined; a personal one is the legal person's own. */
export const accountFault = (of: Account): Text | undefined =>
  isWholeAccount(of) ? holderFault({ ...of, bank_holder: of.bank_holder ?? '' }) : incompleteText

/** The number of a payment at the bank and in the books, by its id; its table makes the same. */
export const checkNo = (id: number): string => `BV${String(id).padStart(10, '0')}`
/**
 * What the house spends on a payment that left, in the journal: once for its number, when it has
 * ended. Its memo says when the money left; times are unix seconds.
 */
export const checkPosting = (
  of: { id: number; amount_cents: number; sent_at: number },
  at: number,
): Posting => ({
  biz: 'bank_check',
  biz_id: of.id,
  biz_no: checkNo(of.id),
  idem_key: `bank_check:${of.id}`,
  at,
  memo: joined([
    `打款验证 ${checkNo(of.id)}，${timeFull(of.sent_at)} 打款`,
    `Account check ${checkNo(of.id)}, sent at ${timeFull(of.sent_at)}`,
  ]),
  lines: [
    ...lineOf(ours('bank_fee_expense'), of.amount_cents),
    ...lineOf(ours('bank_cash'), -of.amount_cents),
  ],
})
