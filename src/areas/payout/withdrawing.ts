import {
  lineOf,
  ours,
  type AccountKind,
  type AccountOf,
  type OwnerKind,
  type Posting,
  type PostingLine,
} from '#src/areas/ledger/ledger.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, HOUR, dateOf, dayStart } from '#src/domain/time.ts'
import { sellerBarred, type PaidSeller } from './paidSeller.ts'

export const withdrawalStates = {
  pending: ['待审核', 'To review'],
  approved: ['已通过', 'Approved'],
  paying: ['打款中', 'Being paid'],
  wait_confirm: ['待收款确认', 'Payee to confirm'],
  paid: ['已打款', 'Paid'],
  failed: ['打款失败', 'Failed'],
  rejected: ['已驳回', 'Rejected'],
  canceled: ['已撤销', 'Canceled'],
} as const satisfies Record<string, Text>
export type WithdrawalState = keyof typeof withdrawalStates
/** The states in which money lies in `…_withdrawing` (invariant 6). */
export const openStates = ['pending', 'approved', 'paying', 'wait_confirm', 'failed'] as const

export const withdrawalOwners = {
  merchant: ['商户', 'Merchant'],
  distributor: ['分销员', 'Distributor'],
  member: ['会员', 'Member'],
  film: ['影片代理', 'Film agent'],
} as const satisfies Record<string, Text>
export type WithdrawalOwner = keyof typeof withdrawalOwners

export const payoutChannels = {
  bank: ['对公转账', 'Bank transfer'],
  wechat_transfer: ['微信商家转账', 'WeChat transfer'],
  alipay: ['支付宝', 'Alipay'],
  offline: ['线下打款', 'Offline'],
} as const satisfies Record<string, Text>
export type PayoutChannel = keyof typeof payoutChannels
/** Whether a channel answers by itself; the others go by a file or by hand and are written down. */
export const asksChannel = (channel: PayoutChannel): boolean => channel === 'wechat_transfer'

export const riskFlags = {
  new_card: ['新收款账户', 'New account'],
  night: ['深夜申请', 'Asked at night'],
  jump: ['金额突增', 'Amount jumped'],
  refunds: ['退款率高', 'Many refunds'],
} as const satisfies Record<string, Text>
export type RiskFlag = keyof typeof riskFlags

/** Why a withdrawal is rejected, in the order of their numbers. */
export const rejectReasons = {
  name: ['收款人与登记名不符', 'Payee is not the registered name'],
  account: ['收款账户异常', 'Trouble with the account'],
  risk: ['交易存在风险，核实中', 'Trades are being looked into'],
  refund: ['退款未处理完', 'Refunds are open'],
  papers: ['资料不全', 'Papers are missing'],
  other: ['其他', 'Other'],
} as const satisfies Record<string, Text>
export type RejectReason = keyof typeof rejectReasons

/** The least that a film owner asks for at a time (domain B, film withdrawals). */
export const FILM_MIN_CENTS = 100_00
/** A film owner's account that is newer than that needs a second check. */
export const NEW_ACCOUNT_S = 3 * DAY

/** What of a withdrawal can be changed by an administrator (setting `withdraw`). */
export const withdrawSettings = {
  /** Above it two different people approve. */
  second_cents: 50_000_00,
  min_cents: 10_00,
  /** So many a day of one owner. */
  daily: 3,
  /** Basis points of the amount that the house keeps, and at least so much. */
  fee_bp: { merchant: 10, film: 10, distributor: 0, member: 0 } as Record<WithdrawalOwner, number>,
  /** Basis points withheld as income tax. */
  tax_bp: { merchant: 0, film: 0, distributor: 0, member: 0 } as Record<WithdrawalOwner, number>,
  /** Sellers ask so often a month, and only between these days of it; two people from so much on. */
  sellers: { min_cents: 10_00, second_cents: 200_00, monthly: 4, from_day: 1, to_day: 31 },
}
export type WithdrawSettings = typeof withdrawSettings

/** Why a seller may not ask today, by the days of the month that they may; undefined where they may. */
export const outsideWindow = (
  { from_day, to_day }: WithdrawSettings['sellers'],
  now: number,
): Text | undefined => {
  const day = Number(dateOf(now).slice(8))
  return day >= from_day && day <= to_day
    ? undefined
    : [
        `每月 ${from_day} 日至 ${to_day} 日可以提现，请到时再申请`,
        `Commission is asked for from day ${from_day} to day ${to_day} of a month: ask again then`,
      ]
}

/** Whether an applicant was told by SMS why nothing is paid: what the gateway said last decides. */
export const tellStates = {
  none: ['无需通知', 'None'],
  queued: ['待发送', 'Queued'],
  sent: ['已发送', 'Sent'],
  failed: ['发送失败', 'Failed'],
} as const satisfies Record<string, Text>
export type TellState = keyof typeof tellStates
/** What an applicant reads of a rejected withdrawal: which one, and why. */
export const rejectionText = (of: { no: string; amount_cents: number; reason: string }): string =>
  `您的提现申请 ${of.no}（${yuan(of.amount_cents)} 元）未通过：${of.reason}。款项已退回余额。`

/** WeChat Pay closes a transfer that its payee did not confirm by then. */
export const CONFIRM_S = DAY

type Owner = { owner_kind: WithdrawalOwner; owner_id: number }
const accountsOfKind: Record<WithdrawalOwner, [OwnerKind, AccountKind, AccountKind]> = {
  merchant: ['merchant', 'merchant_balance', 'merchant_withdrawing'],
  // A film agent is a merchant whose goods are films.
  film: ['merchant', 'merchant_balance', 'merchant_withdrawing'],
  distributor: ['distributor', 'distributor_balance', 'distributor_withdrawing'],
  member: ['member', 'member_balance', 'member_withdrawing'],
}
/** The accounts between which an owner's money moves. */
export const moneyOf = ({
  owner_kind,
  owner_id,
}: Owner): { balance: AccountOf; withdrawing: AccountOf } => {
  const [owner, balance, withdrawing] = accountsOfKind[owner_kind]
  return {
    balance: { kind: balance, owner_kind: owner, owner_id },
    withdrawing: { kind: withdrawing, owner_kind: owner, owner_id },
  }
}

type Parts = { amount_cents: number; fee_cents: number; tax_cents: number; net_cents: number }
/** The parts of an amount (cents, rounded half up): amount = net + fee + tax. */
export const partsOf = (
  owner_kind: WithdrawalOwner,
  amount_cents: number,
  { fee_bp, tax_bp }: Pick<WithdrawSettings, 'fee_bp' | 'tax_bp'>,
): Parts => {
  const share = (bp: number) => Math.floor((amount_cents * bp + 5000) / 10_000)
  const [fee_cents, tax_cents] = [share(fee_bp[owner_kind]), share(tax_bp[owner_kind])]
  return { amount_cents, fee_cents, tax_cents, net_cents: amount_cents - fee_cents - tax_cents }
}

type Asked = Owner &
  Parts & {
    id: number
    no: string
    channel: PayoutChannel
    /** Absent where no channel was asked: a person paid it from the bank. */
    out_bill_no?: string | null | undefined
    city_id: number
    mall_id: number
  }
const movesOf = {
  apply: 'withdraw_apply',
  paid: 'withdraw_paid',
  back: 'withdraw_back',
} as const
const linesOf = {
  apply: of => {
    const { balance, withdrawing } = moneyOf(of)
    return [...lineOf(balance, of.amount_cents), ...lineOf(withdrawing, -of.amount_cents)]
  },
  back: of => {
    const { balance, withdrawing } = moneyOf(of)
    return [...lineOf(withdrawing, of.amount_cents), ...lineOf(balance, -of.amount_cents)]
  },
  paid: of => [
    ...lineOf(moneyOf(of).withdrawing, of.amount_cents),
    ...lineOf(
      ours(of.out_bill_no && asksChannel(of.channel) ? 'wechat_cash' : 'bank_cash'),
      -of.net_cents,
    ),
    ...lineOf(ours('withdraw_fee_income'), -of.fee_cents),
    ...lineOf(ours('tax_payable'), -of.tax_cents),
  ],
} satisfies Record<keyof typeof movesOf, (of: Asked) => PostingLine[]>
/**
 * What a withdrawal posts (domain D, posting rules): its money is set aside as it is asked for, leaves
 * once, or goes back in full with its fee. Each posts once in its life.
 */
export const withdrawalPosting = (
  move: keyof typeof movesOf,
  of: Asked,
  { at, maker_id, checker_id }: { at: number; maker_id?: number; checker_id?: number },
): Posting => ({
  biz: movesOf[move],
  biz_id: of.id,
  biz_no: of.no,
  // Paid and given back exclude each other: they share one key, so that the journal takes one.
  idem_key: `withdraw:${move === 'apply' ? 'apply' : 'end'}:${of.id}`,
  at,
  place: { city_id: of.city_id, mall_id: of.mall_id },
  lines: linesOf[move](of),
  ...(maker_id !== undefined && { maker_id }),
  ...(checker_id !== undefined && { checker_id }),
})

/** What is known of an applicant when they ask. */
export type RiskFacts = {
  at: number
  amount_cents: number
  /** When the account was first paid to or written down; null where never. */
  account_since: number | null
  /** What was paid to this owner before, the newest first. */
  paid_before: readonly number[]
  /** Orders of the last 30 days, and those of them that were refunded. */
  orders: number
  refunded: number
}
const NEW_CARD_S = 7 * DAY
const JUMP = 3
const JUMP_FROM_CENTS = 1000_00
const REFUND_BP = 2000
const REFUND_FROM = 10
/** What makes a cashier look twice (page's row in the specification). */
export const riskOf = (of: RiskFacts): RiskFlag[] => {
  const average =
    of.paid_before.reduce((sum, cents) => sum + cents, 0) / Math.max(1, of.paid_before.length)
  const hour = Math.floor((of.at - dayStart(of.at)) / HOUR)
  const found: Record<RiskFlag, boolean> = {
    new_card: of.account_since === null || of.at - of.account_since < NEW_CARD_S,
    night: hour < 6,
    jump:
      of.paid_before.length > 0 &&
      of.amount_cents >= JUMP_FROM_CENTS &&
      of.amount_cents > average * JUMP,
    refunds: of.orders >= REFUND_FROM && of.refunded * 10_000 >= of.orders * REFUND_BP,
  }
  return (Object.keys(found) as RiskFlag[]).filter(flag => found[flag])
}

/** What a person sees of a withdrawal before they do something about it. */
export type Reviewed = {
  status: WithdrawalState
  channel: PayoutChannel
  need_second: boolean
  hold: boolean
  canceling: boolean
  reviewer_id: number | null
  second_reviewer_id: number | null
  /** The member of staff whose own the applicant is. */
  owner_admin_id: number | null
  /** The seller who asks; none for any other owner. */
  seller?: PaidSeller | null
  /** Its owner is a company that sends an invoice of the same amount. */
  needs_invoice?: boolean
  owner_kind?: WithdrawalOwner
  amount_cents?: number | null
  invoice_cents?: number | null
}
export const verbs = {
  approve: ['pending'],
  secondApprove: ['pending'],
  reject: ['pending'],
  pay: ['approved'],
  markPaid: ['approved', 'paying'],
  markFailed: ['paying'],
  query: ['paying', 'wait_confirm'],
  retry: ['failed'],
  cancel: ['approved', 'wait_confirm'],
  back: ['failed'],
  hold: ['pending', 'approved', 'failed'],
  unhold: ['pending', 'approved', 'failed'],
  uploadInvoice: ['pending'],
} as const satisfies Record<string, readonly WithdrawalState[]>
export type WithdrawalVerb = keyof typeof verbs
const wrongState: Record<WithdrawalVerb, Text> = {
  approve: ['只有待审核的提现单可以通过', 'Only one to review is approved'],
  secondApprove: ['只有待复审的大额提现单可以复审', 'Only one that waits for a second person'],
  reject: ['只有待审核的提现单可以驳回', 'Only one to review is rejected'],
  pay: ['只有已通过的提现单可以打款', 'Only an approved one is paid'],
  markPaid: [
    '只有已通过或打款中的提现单可以登记打款',
    'Only one approved or being paid is marked as paid',
  ],
  markFailed: ['只有打款中的提现单可以登记失败', 'Only one being paid is marked as failed'],
  query: ['没有等待渠道结果', 'No answer of a channel is waited for'],
  retry: ['只有打款失败的提现单可以重试', 'Only a failed one is tried again'],
  cancel: [
    '只有已通过或待收款确认的提现单可以撤销',
    'Only one approved or not yet confirmed is canceled',
  ],
  back: ['只有打款失败的提现单可以退回余额', 'Only a failed one goes back to the balance'],
  hold: ['已打款或已结束的提现单不能挂起', 'One that is being paid or is over is not put on hold'],
  unhold: ['没有挂起', 'It is not on hold'],
  uploadInvoice: ['只有待审核的提现单可以上传发票', 'Only one to review takes an invoice'],
}
const heldBack: Text = ['已挂起，先取消挂起', 'It is on hold: take it off first']
const goOn: readonly WithdrawalVerb[] = ['approve', 'secondApprove', 'pay', 'markPaid', 'retry']
/** Verbs of whoever hands out the money: never one of those who approved it. */
const pays: readonly WithdrawalVerb[] = ['pay', 'markPaid', 'retry']

const byChannel = (verb: WithdrawalVerb, of: Reviewed): Text | undefined => {
  const asks = asksChannel(of.channel)
  switch (verb) {
    case 'query':
      return asks ? undefined : ['此渠道没有结果可查，请登记打款结果', 'This channel tells nothing']
    case 'pay':
      return of.channel === 'bank' || asks
        ? undefined
        : ['此渠道不能发起打款，请线下打款后登记', 'Pay it offline and mark it as paid']
    case 'markPaid':
      return asks && of.status === 'paying'
        ? ['已发给渠道，以渠道结果为准', 'The channel has it: its answer decides']
        : undefined
    case 'markFailed':
      return asks ? ['以渠道结果为准', 'The channel’s answer decides'] : undefined
    default:
      return undefined
  }
}
/** The applicant's own BD reviews nothing of theirs, and who approved it does not pay it. */
const byPerson = (verb: WithdrawalVerb, of: Reviewed, me: number): Text | undefined => {
  if (
    of.owner_admin_id === me &&
    (verb === 'approve' || verb === 'secondApprove' || verb === 'reject')
  )
    return ['申请人由你负责，须由他人审核', 'The applicant is yours: another person reviews it']
  if (verb === 'secondApprove' && of.reviewer_id === me)
    return ['初审人是你，须由另一人复审', 'You approved it first: another person is needed']
  if (pays.includes(verb) && (of.reviewer_id === me || of.second_reviewer_id === me))
    return ['你审核过这笔提现，须由他人打款', 'You approved it: another person pays it']
  return undefined
}
/** True, or why this person can't do this with it now. */
export const withdrawalCan = (verb: WithdrawalVerb, of: Reviewed, me: number): true | Text => {
  if (!(verbs[verb] as readonly WithdrawalState[]).includes(of.status)) return wrongState[verb]
  const second = of.need_second && of.reviewer_id !== null
  if (verb === 'approve' && second)
    return ['已初审，等待大额复审', 'Approved once: it waits for the second person']
  if (verb === 'secondApprove' && !second) return wrongState.secondApprove
  if (verb === 'hold' && of.hold) return ['已经挂起', 'It is on hold']
  if (verb === 'unhold' && !of.hold) return wrongState.unhold
  if (of.hold && goOn.includes(verb)) return heldBack
  if (of.canceling && verb === 'cancel')
    return ['正在向渠道撤销', 'The channel is being asked to cancel it']
  return (
    byChannel(verb, of) ??
    byPerson(verb, of, me) ??
    bySeller(verb, of) ??
    byInvoice(verb, of) ??
    true
  )
}
/** A company's money is agreed to against its invoice alone. */
const byInvoice = (verb: WithdrawalVerb, of: Reviewed): Text | undefined => {
  if (verb === 'uploadInvoice')
    return of.owner_kind === undefined || of.owner_kind === 'film'
      ? undefined
      : ['只有影票经营主体开具发票', 'Only owners of films send an invoice']
  if (!of.needs_invoice || (verb !== 'approve' && verb !== 'secondApprove')) return undefined
  if (of.invoice_cents === null || of.invoice_cents === undefined)
    return ['公司主体须先上传发票', 'A company sends its invoice first']
  return of.invoice_cents === of.amount_cents
    ? undefined
    : ['发票金额与提现金额不一致', 'The invoice is of another amount']
}
/** What left for a bank has left: its answer is written down whatever became of the seller. */
const bySeller = (verb: WithdrawalVerb, of: Reviewed): Text | undefined =>
  of.seller && goOn.includes(verb) && of.status !== 'paying' ? sellerBarred(of.seller) : undefined
/**
 * The number of the next try: the one before, unless the channel's books hold that one as failed for
 * good (`bill_ended`). So a number whose end is unknown is never replaced.
 */
export const nextBillNo = (of: {
  no: string
  out_bill_no: string | null
  bill_ended: boolean
  bills: number
}): { out_bill_no: string; bills: number } =>
  of.out_bill_no !== null && !of.bill_ended
    ? { out_bill_no: of.out_bill_no, bills: of.bills }
    : { out_bill_no: of.bills === 0 ? of.no : `${of.no}R${of.bills + 1}`, bills: of.bills + 1 }
/** The withdrawal's own number behind the number of one of its bills. */
export const noOfBill = (out_bill_no: string): string => out_bill_no.replace(/R\d+$/, '')
