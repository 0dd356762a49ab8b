import type { Text } from '#src/domain/text.ts'
import {
  accountKinds,
  accounts,
  postingFault,
  type AccountKind,
  type Business,
  type OwnerKind,
  type PostingLine,
} from './ledger.ts'

/** The longest period of one question to the journal, in days; an export may be longer. */
export const JOURNAL_DAYS = 93
/** The most lines that one adjustment has. */
export const ASK_LINES_MOST = 20
/** The most that one line of an adjustment moves, in cents. */
const ASK_CENTS_MOST = 10_000_000_000

const refund: Text = ['请从订单退款', 'Refund its order instead']
const code: Text = ['请从订单撤销核销', 'Take the redemption back on its order instead']
const batch: Text = ['请在结算批次上申请冲销', 'Ask to reverse its settlement batch instead']
const withdrawal: Text = ['请在提现单上退回', 'Give it back on its withdrawal instead']
const charge: Text = ['请在充值与扣费单上冲销', 'Reverse its top-up or charge instead']
const card: Text = ['请从电子卡订单退款', 'Refund its e-card order instead']
const redemption: Text = ['请在兑换记录上撤销', 'Take it back in the records of redemption instead']
const commission: Text = [
  '请在佣金结算明细上处理',
  'Settle it on the details of commission instead',
]
const plan: Text = ['请在补贴计划上调整', 'Change its subsidy plan instead']
/**
 * Businesses whose document has an undo of its own: reversing them by hand would leave the document
 * saying what the journal no longer does. Those that are not here are reversed by hand.
 */
const ownUndo: Partial<Record<Business, Text>> = {
  pay: refund,
  refund: ['退款已付出，请联系用户另行收款', 'It is paid out: it can’t be taken back'],
  verify: code,
  unverify: ['请重新核销', 'Redeem the code again instead'],
  settle: batch,
  debt_offset: batch,
  withdraw_apply: withdrawal,
  withdraw_paid: ['已打款，请登记退票', 'It is paid: book the returned payment instead'],
  withdraw_back: ['请重新申请提现', 'Ask for the withdrawal again instead'],
  charge_in: charge,
  charge_out: charge,
  deposit: charge,
  subsidy: plan,
  subsidy_back: plan,
  subsidy_fund: plan,
  clawback: plan,
  forfeit: refund,
  card_sale: card,
  vip_sale: refund,
  card_use: card,
  card_expire: ['请为该卡延长有效期', 'Put the end of the card off instead'],
  card_expire_back: ['该卡再次到期时自动转入收入', 'It becomes income once the card ends again'],
  card_gift: redemption,
  card_gift_back: ['请重新兑换', 'Redeem a code again instead'],
  commission,
  commission_back: commission,
  merge: [
    '请在客户去重或会员列表中撤销合并',
    'Take the merge back in customer de-duplication or the list of members',
  ],
  bank_check: [
    '打款已到商户账户，不能红冲；有差错请申请调账',
    'The money is with the merchant: where the books err, ask for an adjustment',
  ],
}
type Reversible = {
  biz: Business
  /** The transaction that it reverses, and the one that reversed it, by their numbers. */
  reverses_no: string
  reversed_no: string
}
/** True, or why this transaction is not reversed by hand. */
export const mayReverse = ({ biz, reverses_no, reversed_no }: Reversible): true | Text => {
  if (biz === 'reverse' || reverses_no !== '')
    return ['红冲凭证不能再红冲', 'A reversal is not reversed']
  if (reversed_no !== '')
    return [`已由 ${reversed_no} 红冲`, `${reversed_no} has reversed it already`]
  return ownUndo[biz] ?? true
}

/** How an adjustment that was asked for stands. */
export const askStates = {
  pending: ['待复核', 'Waits for a second person'],
  posted: ['已入账', 'Posted'],
  rejected: ['已驳回', 'Rejected'],
} as const satisfies Record<string, Text>
export type AskState = keyof typeof askStates
/** A line of an adjustment: an account, its owner and what it moves. */
export type AskLine = Pick<PostingLine, 'kind' | 'owner_kind' | 'owner_id' | 'amount_cents'>

const byDocuments: Text = [
  '余额由结算明细或单据决定，不能手工调整',
  'its balance is that of its documents: it is not adjusted by hand',
]
/**
 * Accounts whose balance equals the sum of documents at every moment (invariants 4 and 6): a line by
 * hand would break that for ever.
 */
const held: ReadonlySet<AccountKind> = new Set([
  'escrow',
  'merchant_frozen',
  'merchant_withdrawing',
  'distributor_frozen',
  'distributor_withdrawing',
  'member_withdrawing',
  'prepaid_card',
  'redpack_payable',
])
/** The kinds of accounts that an adjustment may move. */
export const adjustableKinds = Object.fromEntries(
  Object.entries(accountKinds).filter(([kind]) => !held.has(kind as AccountKind)),
) as Readonly<Partial<Record<AccountKind, Text>>>
/** The owners that accounts of a kind have; `platform` has no id. */
export const ownersOf = (kind: AccountKind): readonly OwnerKind[] => accounts[kind].owners

/** Why a line can't be: undefined where it is sound. */
const askLineFault = ({ kind, amount_cents }: AskLine): Text | undefined => {
  if (held.has(kind)) {
    const [zh, en] = accountKinds[kind]
    return [`“${zh}”${byDocuments[0]}`, `${en}: ${byDocuments[1]}`]
  }
  return Math.abs(amount_cents) > ASK_CENTS_MOST
    ? ['单行金额不能超过 1 亿元', 'A line moves at most 100 million yuan']
    : undefined
}
/** What is wrong with the lines of an adjustment as a whole: undefined where they may be asked for. */
export const askFault = (lines: readonly AskLine[]): Text | undefined => {
  if (lines.length > ASK_LINES_MOST)
    return [`最多 ${ASK_LINES_MOST} 行`, `At most ${ASK_LINES_MOST} lines`]
  const keys = new Set(lines.map(one => `${one.kind}/${one.owner_kind}/${one.owner_id}`))
  if (keys.size < lines.length)
    return ['同一账户只能出现一次，请合并', 'An account stands there twice: make it one line']
  for (const line of lines) {
    const fault = askLineFault(line)
    if (fault) return fault
  }
  return postingFault({ lines })
}
/** Debit and credit of some lines, each as a positive sum in cents. */
export const sidesOf = (lines: readonly Pick<PostingLine, 'amount_cents'>[]) => ({
  debit_cents: lines.reduce((sum, { amount_cents: cents }) => sum + Math.max(0, cents), 0),
  credit_cents: lines.reduce((sum, { amount_cents: cents }) => sum + Math.max(0, -cents), 0),
})

type Ask = { state: AskState; maker_id: number }
/** True, or why this person can't decide an adjustment (invariant 11). */
export const mayDecide = ({ state, maker_id }: Ask, me: number): true | Text => {
  if (state !== 'pending') return ['已处理', 'It is decided']
  return (
    maker_id !== me || [
      '申请人不能复核自己的调账，请由另一人处理',
      'It is your own: another person decides it',
    ]
  )
}
