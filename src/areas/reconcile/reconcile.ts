import type { AskLine } from '#src/areas/ledger/journal.ts'
import type { Text } from '#src/domain/text.ts'

/** Whose bill it is. */
export const billChannels = {
  wechat: ['微信支付', 'WeChat Pay'],
  bank: ['银行', 'Bank'],
} as const satisfies Record<string, Text>
export type BillChannel = keyof typeof billChannels

/** Which bill of a channel it is: the fund bill alone says what left by transfers. */
export const billForms = {
  trade: ['交易账单', 'Trade bill'],
  fund: ['资金账单', 'Fund bill'],
  bank: ['银行流水', 'Bank statement'],
} as const satisfies Record<string, Text>
export type BillForm = keyof typeof billForms

/** The bills that WeChat Pay makes of a day, which can be fetched from it. */
export type FetchedForm = Exclude<BillForm, 'bank'>
export const fetchedForms = {
  trade: billForms.trade,
  fund: billForms.fund,
} as const satisfies Record<FetchedForm, Text>

/** How far a bill is that the channel is asked for. */
export const fetchStates = {
  waiting: ['等待获取', 'Waiting'],
  done: ['已获取', 'Fetched'],
  none: ['当日无账单', 'No bill'],
  failed: ['获取失败', 'Failed'],
} as const satisfies Record<string, Text>
export type FetchState = keyof typeof fetchStates

/** What a row of a bill is about. */
export const itemKinds = {
  pay: ['收款', 'Payment'],
  refund: ['退款', 'Refund'],
  fee: ['手续费', 'Fee'],
  transfer: ['打款', 'Transfer'],
  sweep: ['结算到账', 'Settled to the bank'],
  income: ['到账', 'Money in'],
  fee_back: ['手续费退回', 'Fee refund'],
  share: ['分账', 'Shared'],
  share_back: ['分账回退', 'Share given back'],
  other_in: ['其他收入', 'Other money in'],
  other_out: ['其他支出', 'Other money out'],
} as const satisfies Record<string, Text>
export type ItemKind = keyof typeof itemKinds
const grow: readonly ItemKind[] = ['pay', 'income', 'fee_back', 'share_back', 'other_in']
/** Whether a row of a bill makes the channel's account more; what leaves and fees make it less. */
export const growsBy = (kind: ItemKind): boolean => grow.includes(kind)

/** What the two sides say of each other. */
export const diffs = {
  matched: ['一致', 'Matched'],
  missing_ours: ['平台缺记录', 'Missing here'],
  missing_channel: ['账单缺记录', 'Missing there'],
  amount: ['金额不一致', 'Amounts differ'],
  status: ['状态不一致', 'States differ'],
} as const satisfies Record<string, Text>
export type Diff = keyof typeof diffs

export const itemStates = {
  open: ['待处理', 'Open'],
  asked: ['调账复核中', 'Adjustment asked'],
  resolved: ['已处理', 'Resolved'],
} as const satisfies Record<string, Text>
export type ItemState = keyof typeof itemStates

/** How a difference is dealt with. */
export const methods = {
  take_over: ['我来跟进', 'I take it over'],
  note: ['说明后关闭', 'Close with a note'],
  adjust: ['申请调账', 'Request an adjustment'],
} as const satisfies Record<string, Text>
export type Method = keyof typeof methods

/** A row of a bill, in our words. */
export type BillRow = {
  /** Line of the file, from 1. */ line: number
  kind: ItemKind
  /** Unix seconds. */ at: number
  /** Our number, and the channel's. */ our_no: string
  channel_no: string
  /** What moved, never negative, in cents. */ cents: number
  /** Null where the bill tells fees in rows of their own. */ fee_cents: number | null
  /** As the channel calls it. */ status: 'success' | 'pending' | 'failed'
  /** What the bill calls it, where we have no kind for it. */ word?: string | undefined
}
/** A bill as it was read. */
export type Bill = { channel: BillChannel; form: BillForm; day: string; rows: BillRow[] }

/** What rows of a bill come to, in cents: money in, money out, and the channel's fees. */
export const sumsOf = (rows: readonly BillRow[]) => {
  const sum = (of: (row: BillRow) => number) => rows.reduce((all, row) => all + of(row), 0)
  return {
    in_cents: sum(row => (growsBy(row.kind) ? row.cents : 0)),
    out_cents: sum(row => (growsBy(row.kind) ? 0 : row.cents)),
    fee_cents: sum(row => row.fee_cents ?? (row.kind === 'fee' ? row.cents : 0)),
  }
}

type Status = BillRow['status']
type Side = { cents: number; status: Status }
/** What the bill says beside what we know; undefined for a side that has none. */
export const diffOf = (ours: Side | undefined, theirs: Side | undefined): Diff => {
  if (!ours) return 'missing_ours'
  if (!theirs) return 'missing_channel'
  if (ours.status !== theirs.status) return 'status'
  return ours.cents === theirs.cents ? 'matched' : 'amount'
}
/** What we have of a payment, a refund, a transfer, or money that left or came in by the bank. */
export type OurRow = Side & {
  kind: ItemKind
  our_no: string
  channel_no: string
  /** The fee that we booked (cents). */ fee_cents: number
  at: number
  payment_id: number | null
  order_id: number | null
}
/** An item as it is to be written: both sides, and what they say of each other. */
export type ItemDraft = {
  kind: ItemKind
  our_no: string
  channel_no: string
  our_cents: number | null
  channel_cents: number | null
  fee_cents: number
  channel_status: Status | null
  word: string
  diff: Diff
  at: number
  payment_id: number | null
  order_id: number | null
}
/**
 * The items of one row of a bill: itself, and its fee where that differs from the one we booked. A
 * fee is compared only where the payment is: without it there is nothing to compare it with.
 */
export const itemsOf = (theirs: Omit<BillRow, 'line'>, ours: OurRow | undefined): ItemDraft[] => {
  const common = {
    our_no: theirs.our_no,
    channel_no: theirs.channel_no,
    channel_status: theirs.status,
    word: theirs.word ?? '',
    at: theirs.at,
    payment_id: ours?.payment_id ?? null,
    order_id: ours?.order_id ?? null,
  }
  const item: ItemDraft = {
    ...common,
    kind: theirs.kind,
    our_cents: ours?.cents ?? null,
    channel_cents: theirs.cents,
    fee_cents: theirs.fee_cents ?? 0,
    diff: diffOf(ours, theirs),
  }
  if (theirs.kind !== 'pay' || !ours || theirs.fee_cents === null) return [item]
  if (ours.fee_cents === theirs.fee_cents) return [item]
  return [
    item,
    {
      ...common,
      kind: 'fee',
      our_cents: ours.fee_cents,
      channel_cents: theirs.fee_cents,
      fee_cents: 0,
      diff: 'amount',
    },
  ]
}
/** The item of something that we have and the bill of its day has not. */
export const missingItem = ({ cents, status: _, fee_cents: __, ...ours }: OurRow): ItemDraft => ({
  ...ours,
  our_cents: cents,
  channel_cents: null,
  fee_cents: 0,
  channel_status: null,
  word: '',
  diff: 'missing_channel',
})

type Item = {
  diff: Diff
  status: ItemState
  our_cents: number | null
  channel_cents: number | null
}
/** What the channel has beyond us, in cents. */
export const gapOf = ({ our_cents, channel_cents }: Pick<Item, 'our_cents' | 'channel_cents'>) =>
  (channel_cents ?? 0) - (our_cents ?? 0)
/** True, or why a difference can't be resolved this way now. */
export const mayResolve = (item: Item, method?: Method): true | Text => {
  if (item.diff === 'matched') return ['两边一致，无需处理', 'It is matched: nothing to resolve']
  if (item.status === 'asked')
    return ['调账正在复核，请等待结果', 'Its adjustment waits for a second person']
  if (item.status === 'resolved') return ['已处理', 'It is resolved']
  return method !== 'adjust' || gapOf(item) !== 0
    ? true
    : ['两边金额相同，无需调账，请说明后关闭', 'The amounts are equal: close it with a note']
}
/**
 * The lines of the adjustment that mends a difference (debit positive): the account of the channel
 * takes what its bill has beyond us, against the expense for a fee and against suspense for the rest.
 */
export const mendingLines = (
  item: Pick<Item, 'our_cents' | 'channel_cents'> & { kind: ItemKind; channel: BillChannel },
): AskLine[] => {
  const house = (kind: AskLine['kind'], amount_cents: number): AskLine => ({
    kind,
    owner_kind: 'platform',
    owner_id: 0,
    amount_cents,
  })
  const cash = item.channel === 'bank' ? 'bank_cash' : 'wechat_cash'
  const gap = gapOf(item)
  const grows = growsBy(item.kind)
  const isFee = item.kind === 'fee' || item.kind === 'fee_back'
  const against = isFee ? 'wechat_fee_expense' : 'suspense'
  return [house(cash, grows ? gap : -gap), house(against, grows ? -gap : gap)]
}
