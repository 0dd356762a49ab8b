import { z } from 'zod'
import {
  accountKinds,
  businesses,
  ownerKinds,
  type AccountKind,
  type Business,
  type OwnerKind,
} from '#src/areas/ledger/ledger.ts'
import {
  orderKinds,
  orderStatuses,
  type OrderKind,
  type OrderStatus,
} from '#src/areas/order/order.ts'
import { payWays, type PayWay } from '#src/areas/order/order.ts'
import { withdrawalStates, type WithdrawalState } from '#src/areas/payout/withdrawing.ts'
import { refundStates, type RefundState } from '#src/areas/refund/refund.ts'
import { lineStates, type LineState } from '#src/areas/settle/settle.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { cents, guarded, id, keysOf, searched, text, unix } from '#src/contract/shapes.ts'

const kind = keysOf<AccountKind>(accountKinds)
const owner_kind = keysOf<OwnerKind>(ownerKinds)
const owner_id = z.int().min(0)
const biz = keysOf<Business>(businesses)
const period = { from: unix.optional(), to: unix.optional() }
/** At most 93 days; without a period the last 93. */
const filters = {
  kind: kind.optional(),
  owner_kind: owner_kind.optional(),
  owner_id: id.optional(),
  account_id: id.optional(),
  biz: biz.optional(),
  /** The number of an order, a document or a transaction, whole. */ no: searched(64).optional(),
  /** The number that the channel gave a payment. */ channel_no: searched(64).optional(),
  min_cents: cents.optional(),
  max_cents: cents.optional(),
  ...period,
}
export type FlowFilters = Partial<z.output<z.ZodObject<typeof filters>>>

/** One balanced transaction. */
export const txnRow = z.object({
  id,
  view: z.literal('journal'),
  created_at: unix,
  no: z.string(),
  biz,
  biz_no: z.string(),
  memo: z.string(),
  amount_cents: cents,
  place: z.string(),
  order_id: id.nullable(),
  order_no: z.string(),
  order_kind: keysOf<OrderKind>(orderKinds).nullable(),
  reverses_no: z.string(),
  reversed_no: z.string(),
  maker: z.string(),
  checker: z.string(),
})
export type TxnRow = z.output<typeof txnRow>
const line = z.object({
  id,
  account_id: id,
  kind,
  owner_kind,
  owner_id,
  owner: z.string(),
  /** Debit positive, credit negative. */ amount_cents: cents,
  /** Null for whoever does not see all places. */ balance_after_cents: cents.nullable(),
  order_no: z.string(),
  line_id: id.nullable(),
})
export type FlowLine = z.output<typeof line>
/** An account, with what it holds now. */
export const accountRow = z.object({
  id,
  view: z.literal('account'),
  kind,
  owner_kind,
  owner_id,
  owner: z.string(),
  balance_cents: cents,
})
export type AccountRow = z.output<typeof accountRow>
/** A line of the statement of an account. */
export const entryRow = z.object({
  id,
  view: z.literal('statement'),
  at: unix,
  txn_id: id,
  no: z.string(),
  biz,
  biz_no: z.string(),
  memo: z.string(),
  order_no: z.string(),
  amount_cents: cents,
  balance_after_cents: cents,
})
export type EntryRow = z.output<typeof entryRow>

const money = ['ledger_txn']
const call = callsOf('settle/flow', { touches: money, rows: 'ledger_txn' })
const view = 'settle.flow.view'
export const flow = {
  lst: call.lists('lst', ['资金流水', 'Money journal'], { filters, row: txnRow }),
  /** What all that the filters match comes to. */
  sums: call.read('sums', ['资金流水合计', 'Sums of the journal'], {
    input: z.object(filters),
    output: z.object({ n: z.int(), amount_cents: cents }),
    permit: view,
  }),
  detail: call.read('detail', ['凭证分录', 'Lines of a transaction'], {
    input: z.object({ id }),
    output: z.object({
      lines: z.array(line),
      /** Where the withdrawal stands that it moved money of; null for any other document. */
      withdrawal: keysOf<WithdrawalState>(withdrawalStates).nullable(),
    }),
    permit: view,
  }),
  /** Owners that have an account, found by their names. */
  owners: call.lists('owners', ['账户所有者', 'Owners of accounts'], {
    filters: { keyword: searched(32).optional(), owner_kind: owner_kind.optional() },
    row: z.object({ id, name: z.string() }),
    permit: view,
    scope: { rows: 'ledger_account', by: {} },
  }),
  /** Where the money of an order is. */
  trace: call.read('trace', ['按订单追踪全链路', 'Trace an order’s money'], {
    input: z.object({ order_no: text(64) }),
    output: z.object({
      order: z.object({
        id,
        order_no: z.string(),
        kind: keysOf<OrderKind>(orderKinds),
        status: keysOf<OrderStatus>(orderStatuses),
        pay_cents: cents,
        refunded_cents: cents,
        paid_at: unix.nullable(),
        merchant_id: id,
        merchant: z.string(),
        store: z.string(),
        place: z.string(),
      }),
      payments: z.array(
        z.object({
          id,
          direction: z.enum(['in', 'out']),
          channel: keysOf<PayWay>(payWays),
          amount_cents: cents,
          state: z.enum(['pending', 'success', 'failed', 'closed']),
          out_no: z.string(),
          channel_no: z.string(),
          success_at: unix.nullable(),
        }),
      ),
      refunds: z.array(
        z.object({
          id,
          refund_no: z.string(),
          state: keysOf<RefundState>(refundStates),
          amount_cents: cents,
          created_at: unix,
        }),
      ),
      lines: z.array(
        z.object({
          id,
          unit_no: z.int(),
          status: keysOf<LineState>(lineStates),
          price_cents: cents,
          commission_cents: guarded('product.commission_bp', cents),
          fee_cents: cents,
          merchant_cents: cents,
          gone_merchant_cents: cents,
          held: z.boolean(),
          freeze_until_at: unix.nullable(),
          batch_id: id.nullable(),
          settled_at: unix.nullable(),
        }),
      ),
      txns: z.array(z.object({ ...txnRow.shape, lines: z.array(line) })),
      /** The merchant's first withdrawal since the last line was settled. */
      withdrawal: z
        .object({ id, no: z.string(), amount_cents: cents, applied_at: unix, status: z.string() })
        .nullable(),
    }),
    scope: { rows: 'order', by: {} },
    touches: [...money, 'order'],
  }),
  accounts: call.lists('accounts', ['账户', 'Accounts'], {
    filters: {
      kind: kind.optional(),
      owner_kind: owner_kind.optional(),
      owner_id: id.optional(),
      used: z.boolean().optional(),
    },
    row: accountRow,
    permit: 'settle.flow.accountView',
    scope: { rows: 'ledger_account', by: {} },
  }),
  /** The statement of an account: what it began with, its lines, what it ended with. */
  accountView: call.lists('accountView', ['查看账户明细账', 'Statement of an account'], {
    filters: { account_id: id, ...period },
    row: entryRow,
    answer: {
      account: accountRow,
      open_cents: cents,
      close_cents: cents,
      debit_cents: cents,
      credit_cents: cents,
      n: z.int(),
    },
    permit: 'settle.flow.accountView',
    scope: { rows: 'ledger_account', by: { account_id: 'ledger_account' } },
  }),
  reverse: call.write('reverse', ['红冲', 'Reverse a transaction'], {
    input: z.object({ id, reason }),
    output: z.object({ id, no: z.string() }),
  }),
  export: call.startsExport('export', ['导出流水', 'Export the journal'], { filters }),
}
