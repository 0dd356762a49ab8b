import {
  lineOf,
  merchants,
  ours,
  type AccountKind,
  type Posting,
  type PostingLine,
} from '#src/areas/ledger/ledger.ts'
import { shares } from '#src/domain/money.ts'
import {
  accountOf,
  balanced,
  feeOfPayment,
  posting,
  type OrderBook,
  type PaidFact,
  type RefundFact,
} from './orderBook.ts'
import {
  baseLeft,
  isOpen,
  spreadBack,
  takeBack,
  userOf,
  type Back,
  type Line,
} from './orderLines.ts'
import { dropSellers, takeSellers } from './orderSellers.ts'
import { earn } from './orderUses.ts'
import { ownSale } from './split.ts'

const sum = <T>(of: readonly T[], n: (one: T) => number): number =>
  of.reduce((all, one) => all + n(one), 0)

/** What a refund takes from where the money of a line is now. */
const takenFrom = (book: OrderBook, line: Line, back: Back): PostingLine[] => {
  const own = { line_id: line.id }
  const { spend } = book.around
  const used = !isOpen(line)
  const ofSellers = takeSellers(line, back.sellers, { used, spend })
  if (!used) return lineOf(ours('escrow'), back.base, own)
  const borne = line.distributor_bearer === 'merchant' ? sum(back.sellers, cents => cents) : 0
  const rest = [
    ...lineOf(ours('commission_income'), back.commission, own),
    ...lineOf(ours('wechat_fee_expense'), back.base - back.commission - back.merchant - borne, own),
    ...ofSellers,
  ]
  if (line.status !== 'settled')
    return [...lineOf(merchants('merchant_frozen', line.merchant_id), back.merchant, own), ...rest]
  const paid = spend(merchants('merchant_balance', line.merchant_id), back.merchant)
  return [
    ...lineOf(merchants('merchant_balance', line.merchant_id), paid, own),
    ...lineOf(merchants('merchant_debt', line.merchant_id), back.merchant - paid, own),
    ...rest,
  ]
}
const outsOf = (book: OrderBook, refund: RefundFact): PaidFact[] =>
  book.facts.payments.filter(one => one.direction === 'out' && one.refund_id === refund.id)
const paidOut = (book: OrderBook, outs: readonly PaidFact[]): PostingLine[] =>
  outs.flatMap(out => lineOf(accountOf(book, out.channel), -out.amount_cents))
const ofRefund = (refund: RefundFact) => ({
  biz: 'refund' as const,
  biz_id: refund.id,
  biz_no: refund.no,
  key: `refund:${refund.id}`,
  at: refund.at,
})

/** The channel's fee on what went back of lines that are not settled: never more than it was. */
const feeBack = (book: OrderBook, refund: RefundFact, cents: number): Posting[] =>
  posting(book, { ...ofRefund(refund), biz: 'fee_back', key: `fee_back:${refund.id}` }, [
    ...lineOf(ours('wechat_cash'), cents),
    ...lineOf(ours('wechat_fee_expense'), -cents),
  ])
/** What came too late goes back from where it waited, and its fee with it. */
const refundLate = (book: OrderBook, refund: RefundFact, outs: readonly PaidFact[]): Posting[] => {
  const late = book.facts.payments.find(one => one.id === refund.payment_id)
  const cents = sum(outs, one => one.amount_cents)
  const fee = late ? Math.round((feeOfPayment(late) * cents) / Math.max(1, late.amount_cents)) : 0
  return [
    ...posting(book, ofRefund(refund), balanced(paidOut(book, outs))),
    ...feeBack(book, refund, fee),
  ]
}
/** A leader goes free: the house pays what the leader had paid, and no merchant gets less. */
const goFree = (book: OrderBook, cents: number): void => {
  const lines = book.lines.filter(line => line.refund_id === null)
  const parts = shares(
    Math.min(
      cents,
      sum(lines, line => line.cash_cents),
    ),
    lines.map(line => line.cash_cents),
  )
  lines.forEach((line, at) => {
    line.cash_cents -= parts[at]!
    line.platform_subsidy_cents += parts[at]!
  })
}
/** What the house sold goes back from where its money is; the fee by cumulative rounding. */
const refundOwn = (
  book: OrderBook,
  refund: RefundFact,
  { outs, account }: { outs: readonly PaidFact[]; account: AccountKind },
): Posting[] => {
  const cents = sum(outs, one => one.amount_cents)
  const paid = sum(
    book.facts.payments.filter(one => one.direction === 'in'),
    one => one.amount_cents,
  )
  const before = sum(
    book.facts.refunds.filter(
      one => one.done && (one.at < refund.at || (one.at === refund.at && one.id < refund.id)),
    ),
    one => sum(outsOf(book, one), out => out.amount_cents),
  )
  const feeAt = (of: number) => Math.round((book.fee_cents * of) / Math.max(1, paid))
  return [
    ...posting(book, ofRefund(refund), [...lineOf(ours(account), cents), ...paidOut(book, outs)]),
    ...feeBack(book, refund, feeAt(before + cents) - feeAt(before)),
  ]
}

/**
 * What a unit that went back keeps (a deposit, less that was agreed) is its seller's from now on, as
 * if it had been used.
 */
const keepRest = (book: OrderBook, refund: RefundFact, ended: readonly Line[]): Posting[] => {
  const kept = ended.filter(line => isOpen(line) && baseLeft(line) > 0)
  if (kept.length === 0) return []
  const forfeit = book.facts.forfeits.find(one => one.refund_id === refund.id)
  if (forfeit) shareForfeit(kept, forfeit.merchant_cents)
  return posting(
    book,
    {
      ...ofRefund(refund),
      biz: forfeit ? 'forfeit' : 'verify',
      key: `left:${refund.id}`,
    },
    earn(kept, { at: refund.at, hold_until: refund.at + book.facts.hold_s, verify_id: null }),
  )
}
/** Shares what a kept deposit brings its merchant among the lines that it was for. */
export const shareForfeit = (lines: readonly Line[], merchant_cents: number): void => {
  const left = lines.map(baseLeft)
  if (merchant_cents > sum(left, one => one)) return
  lines.forEach(dropSellers)
  shares(merchant_cents, left).forEach((merchant, at) => {
    const line = lines[at]!
    const commission = left[at]! - merchant
    // What is gone of either part stays; what is left is shared anew.
    line.merchant_cents = line.gone_merchant_cents + merchant
    line.commission_cents = line.gone_commission_cents + commission
    line.fee_bearer = 'platform'
  })
}

/** The postings of a refund that is done; its lines move along. */
export const applyRefund = (book: OrderBook, refund: RefundFact): Posting[] => {
  const outs = outsOf(book, refund)
  const amount_cents = sum(outs, one => one.amount_cents)
  if (book.facts.order.channel) return []
  if (refund.cause === 'late_pay') return refundLate(book, refund, outs)
  const own = ownSale(book.facts.order.kind)
  if (own) return refundOwn(book, refund, { outs, account: own.account })
  if (refund.cause === 'leader_free') {
    goFree(book, amount_cents)
    return posting(book, ofRefund(refund), [
      ...lineOf(ours('subsidy_expense'), amount_cents),
      ...paidOut(book, outs),
    ])
  }
  const paid = book.lines.filter(line => line.paid_at !== null)
  const { takes, rest } = spreadBack(paid, { ...refund, amount_cents })
  let subsidy = 0
  let fee = 0
  const from: PostingLine[] = []
  for (const { line, cents, ends } of takes) {
    const back = takeBack(line, cents, ends)
    from.push(...takenFrom(book, line, back))
    subsidy += back.base - cents
    if (line.status !== 'settled') fee += back.fee
    if (ends) line.refund_id = refund.id
    if (baseLeft(line) === 0 && (ends || line.refund_id !== null || userOf(line) > 0))
      line.status = 'refunded'
  }
  const byHand = outs.every(one => one.channel === 'offline')
  return [
    ...posting(book, ofRefund(refund), [
      ...from,
      ...lineOf(ours('suspense'), rest),
      ...lineOf(ours('subsidy_expense'), -subsidy),
      ...paidOut(book, outs),
    ]),
    ...(byHand ? [] : feeBack(book, refund, fee)),
    ...keepRest(
      book,
      refund,
      takes.filter(take => take.ends).map(take => take.line),
    ),
  ]
}
