import {
  lineOf,
  ours,
  type AccountOf,
  type Business,
  type Posting,
  type PostingLine,
} from '#src/areas/ledger/ledger.ts'
import type { PayWay } from '#src/areas/order/order.ts'
import type { BackLine, Line } from './orderLines.ts'
import type { Spend } from './orderSellers.ts'
import type { FeeBearer } from './settle.ts'
import {
  feeOf,
  sourceOf,
  type SoldItem,
  type SoldOrder,
  type SoldUnit,
  type Sources,
} from './split.ts'

/** A payment that succeeded, in or out. */
export type PaidFact = {
  id: number
  direction: 'in' | 'out'
  channel: PayWay
  amount_cents: number
  fee_cents: number
  refund_id: number | null
  at: number
}
/** A redemption of a code. */
export type UseFact = {
  id: number
  code_id: number
  state: 'valid' | 'reversed'
  paid_times: number
  pay_cents: number
  verified_at: number
  reversed_at: number | null
  hold_until: number
}
/** A refund that is done; of money that came too late also one that is still on its way. */
export type RefundFact = {
  id: number
  no: string
  done: boolean
  type: string
  cause: string
  /** The one payment that it goes back to. */
  payment_id: number | null
  freight_cents: number
  at: number
  units: readonly BackLine[]
}
/** A deposit that its buyer does not get back. */
export type ForfeitFact = {
  id: number
  refund_id: number | null
  merchant_cents: number
  at: number
}
/** All that the books of an order depend on, as it stands. */
export type OrderFacts = {
  order: SoldOrder & {
    id: number
    order_no: string
    created_at: number
    member_id: number | null
    city_id: number
    mall_id: number
    pay_state: 'unpaid' | 'part_paid' | 'paid' | 'closed'
    paid_at: number | null
    /** When its goods were received, where they were. */
    received_at: number
    /** A channel of cards paid with its own balance, which no account of ours holds. */
    channel: boolean
  }
  items: readonly SoldItem[]
  payments: readonly PaidFact[]
  uses: readonly UseFact[]
  refunds: readonly RefundFact[]
  forfeits: readonly ForfeitFact[]
  /** How long received goods are on hold (seconds). */
  hold_s: number
}
/** What the books know beside the order. */
export type Surroundings = {
  /** Whether a posting of this key stands. */
  posted: (idem_key: string) => boolean
  newId: () => number
  bearerOf: (merchant_id: number) => FeeBearer
  /** Takes so much of a balance as is there; answers it (cents). */
  spend: Spend
  /** Also what was taken back since is told, for a history. */
  whole?: boolean
}
/** The books of one order: its lines, which move, and what was paid. */
export type OrderBook = {
  facts: OrderFacts
  units: readonly SoldUnit[]
  lines: Line[]
  sources: Sources
  fee_cents: number
  around: Surroundings
}
export type OrderEvent =
  | { kind: 'pay'; at: number; paid: PaidFact; late: boolean }
  | { kind: 'free'; at: number }
  | { kind: 'use'; at: number; use: UseFact }
  | { kind: 'unuse'; at: number; use: UseFact }
  | { kind: 'receive'; at: number }
  | { kind: 'refund'; at: number; refund: RefundFact }
  | { kind: 'forfeit'; at: number; forfeit: ForfeitFact }

const sum = <T>(of: readonly T[], n: (one: T) => number): number =>
  of.reduce((all, one) => all + n(one), 0)
/** Where money of a channel lies: what a card holds is owed, and what points pay is an expense. */
export const accountOf = (book: OrderBook, channel: PayWay): AccountOf => {
  const { member_id } = book.facts.order
  if (channel === 'offline') return ours('bank_cash')
  if (channel === 'ecard') return ours('prepaid_card')
  if (channel === 'points') return ours('points_expense')
  if (channel !== 'balance') return ours('wechat_cash')
  return member_id === null
    ? ours('suspense')
    : { kind: 'member_balance', owner_kind: 'member', owner_id: member_id }
}
/** The fee of a payment: what its channel told, else by its rate; by hand and from a balance none. */
export const feeOfPayment = (paid: PaidFact): number => {
  if (sourceOf(paid.channel) !== 'cash_cents' || paid.channel === 'offline') return 0
  return paid.fee_cents > 0 ? paid.fee_cents : feeOf(paid.amount_cents)
}
/** The posting of an order; none where nothing moves. The lines become the posting's own. */
export const posting = (
  book: OrderBook,
  of: { biz: Business; biz_id: number; biz_no?: string; key: string; at: number },
  lines: PostingLine[],
): Posting[] => {
  const { id, order_no, city_id, mall_id } = book.facts.order
  if (lines.length === 0) return []
  for (const line of lines) line.order_id = id
  return [
    {
      biz: of.biz,
      biz_id: of.biz_id,
      biz_no: of.biz_no ?? order_no,
      idem_key: of.key,
      at: of.at,
      place: { city_id, mall_id },
      lines,
    },
  ]
}
/** What is not accounted for by the lines waits in suspense, so that every cent is somewhere. */
export const balanced = (lines: readonly PostingLine[]): PostingLine[] => [
  ...lines,
  ...lineOf(ours('suspense'), -sum(lines, line => line.amount_cents)),
]
