import type { AccountKind, Business } from '#src/areas/ledger/ledger.ts'
import type { LineState } from '#src/areas/settle/settle.ts'
import type { Text } from '#src/domain/text.ts'

/** The longest range of the overview, in days. */
export const FIGURE_DAYS = 366
/** How a figure is counted: what there is at the end of the range, or what moved within it. */
export const bases = {
  stock: ['期末余额', 'Closing'],
  flow: ['期间发生', 'In period'],
} as const satisfies Record<string, Text>
export type Basis = keyof typeof bases

type Lines = { of: 'lines'; status?: LineState }
type Entries = {
  of: 'entries'
  kinds: readonly AccountKind[]
  biz?: readonly Business[]
  /** The sides that count: a balance has both, what was paid out only one. */
  side: 'debit' | 'credit' | 'both'
  /** Whether it grows by its debits or by its credits. */
  sign: 1 | -1
  /** Whether its entries say what kind of order they are of. */
  byOrderKind: boolean
}
export type Figure = { title: Text; basis: Basis; from: Lines | Entries; how: Text }
const ordered: Text = [
  '期间下单的单位，按现在的状态',
  'Units ordered within the range, as they stand now',
]
const stock = (kinds: readonly AccountKind[], byOrderKind = false): Entries => ({
  of: 'entries',
  kinds,
  side: 'both',
  sign: -1,
  byOrderKind,
})
/** Where money lies that a buyer paid with: what a refund gives back goes there. */
const sources: readonly AccountKind[] = [
  'wechat_cash',
  'bank_cash',
  'member_balance',
  'prepaid_card',
  'points_expense',
]
/**
 * The thirteen figures of the overview, in their order (labels of the seed, domain D). Each is the
 * sum of the rows that it opens: settlement lines, or entries of the journal.
 */
export const figures = {
  total: { title: ['总额', 'Total'], basis: 'flow', from: { of: 'lines' }, how: ordered },
  pending_payment: {
    title: ['待付款', 'To pay'],
    basis: 'flow',
    from: { of: 'lines', status: 'pending_payment' },
    how: ordered,
  },
  pending_tickets: {
    title: ['待出票', 'To issue'],
    basis: 'flow',
    from: { of: 'lines', status: 'pending_tickets' },
    how: ordered,
  },
  not_settled: {
    title: ['未结算', 'Not settled'],
    basis: 'stock',
    from: stock(['escrow'], true),
    how: ['已付款、未核销的钱：“待核销款”的余额', 'Paid and not used yet: the balance of escrow'],
  },
  freezing: {
    title: ['冻结中', 'On hold'],
    basis: 'stock',
    from: stock(['merchant_frozen', 'distributor_frozen']),
    how: [
      '已核销、等待结算：冻结账户的余额',
      'Used and not settled yet: the balance of accounts on hold',
    ],
  },
  settled: {
    title: ['已结算', 'Settled'],
    basis: 'flow',
    from: {
      of: 'entries',
      kinds: ['merchant_frozen', 'distributor_frozen'],
      biz: ['settle', 'commission'],
      side: 'debit',
      sign: 1,
      byOrderKind: false,
    },
    how: ['期间从冻结转入余额的钱', 'What went from hold to balances'],
  },
  refunded: {
    title: ['已退款', 'Refunded'],
    basis: 'flow',
    from: { of: 'lines', status: 'refunded' },
    how: ordered,
  },
  canceled: {
    title: ['已取消', 'Cancelled'],
    basis: 'flow',
    from: { of: 'lines', status: 'canceled' },
    how: ordered,
  },
  balance: {
    title: ['余额', 'Balance'],
    basis: 'stock',
    from: stock(['merchant_balance', 'distributor_balance']),
    how: ['商户与分销员可提现的余额', 'What merchants and sellers may withdraw'],
  },
  pending: {
    title: ['待处理', 'In process'],
    basis: 'stock',
    from: stock(['merchant_withdrawing', 'distributor_withdrawing', 'member_withdrawing']),
    how: ['已申请、还没有打款的提现', 'Withdrawals that are not paid yet'],
  },
  refund: {
    title: ['退款', 'Refunds'],
    basis: 'flow',
    from: {
      of: 'entries',
      kinds: sources,
      biz: ['refund'],
      side: 'credit',
      sign: -1,
      byOrderKind: true,
    },
    how: ['期间退回给用户的钱', 'What went back to buyers'],
  },
  withdrawal: {
    title: ['提现', 'Withdrawals'],
    basis: 'flow',
    from: {
      of: 'entries',
      kinds: ['merchant_withdrawing', 'distributor_withdrawing', 'member_withdrawing'],
      biz: ['withdraw_paid'],
      side: 'debit',
      sign: 1,
      byOrderKind: false,
    },
    how: ['期间打款成功的提现（含手续费与税）', 'Paid out, fees and taxes included'],
  },
  wechat_fee: {
    title: ['微信手续费', 'WeChat fees'],
    basis: 'flow',
    from: {
      of: 'entries',
      kinds: ['wechat_fee_expense'],
      side: 'both',
      sign: 1,
      byOrderKind: true,
    },
    how: [
      '期间的手续费，已减去退回与商户承担的',
      'Fees less what came back and what merchants bore',
    ],
  },
} as const satisfies Record<string, Figure>
export type FigureKey = keyof typeof figures
export const figureKeys = Object.keys(figures) as FigureKey[]
export const figureOf = (key: FigureKey): Figure => figures[key]
export const figureTitles = Object.fromEntries(
  figureKeys.map(key => [key, figures[key].title]),
) as Readonly<Record<FigureKey, Text>>
/** Whether a figure says anything of one kind of orders: balances are of all orders together. */
export const tellsOrderKind = ({ from }: Figure): boolean => from.of === 'lines' || from.byOrderKind

/** How long money waits before anybody settles it: days since it was paid, each up to below the next. */
export const ages = {
  week: { title: ['7 天内', 'Up to 7 days'], from: 0 },
  month: { title: ['8–30 天', '8–30 days'], from: 7 },
  quarter: { title: ['31–90 天', '31–90 days'], from: 30 },
  older: { title: ['90 天以上', 'Over 90 days'], from: 90 },
} as const satisfies Record<string, { title: Text; from: number }>
export type AgeKey = keyof typeof ages
