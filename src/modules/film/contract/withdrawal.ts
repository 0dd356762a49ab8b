import { z } from 'zod'
import { placed } from '#src/contract/call.ts'
import { cents, guarded, id, keyText, listOf, page, unix, version } from '#src/contract/shapes.ts'
import { callsAt, revealCall, withdrawalCalls, withdrawalRow } from '#src/contract/withdrawals.ts'

const call = callsAt('film/withdrawal')
const VIEW = 'film.withdrawal.view'
const DETAIL = 'film.withdrawal.detail'
const money = guarded('withdrawal.amount_cents', cents)
const account = z.object({
  id,
  name: z.string(),
  city_name: z.string(),
  mall_name: z.string(),
  frozen: z.boolean(),
  not_settled_cents: money,
  freezing_cents: money,
  balance_cents: money,
  withdrawing_cents: money,
  withdrawn_cents: money,
  refunded_cents: money,
  fee_cents: money,
})
export type FilmAccountRow = z.output<typeof account>
const statement = z.object({
  from_at: unix.nullable(),
  opening_cents: money,
  income_cents: money,
  refunds_cents: money,
  fee_cents: money,
  adjust_cents: money,
  back_cents: money,
  withdrawn_cents: money,
  closing_cents: money,
  difference_cents: money,
  lines_difference_cents: money,
})
const frozen = z.object({
  id,
  order_no: z.string(),
  film_name: z.string(),
  show_at: unix,
  pay_cents: money,
  reason: z.string(),
})
const order = z.object({
  id,
  order_no: z.string(),
  film_name: z.string(),
  show_at: unix,
  seat_count: z.int(),
  pay_cents: money,
  fee_cents: money,
  merchant_cents: money,
  gone_cents: money,
  batches: z.int(),
  batch_no: z.string(),
})
export type FilmStatementOrder = z.output<typeof order>

/** Film income that its owners ask for: the cashier's withdrawals, of film owners alone. */
export const filmWithdrawals = {
  ...withdrawalCalls(call, VIEW),
  revealAccount: revealCall(call, 'revealAccount'),
  /** Where the money of each owner is, and what left it. */
  accounts: call.read('accounts', ['影票账户', 'Film accounts'], {
    input: z.object({}),
    output: z.object({ list: z.array(account) }),
    permit: VIEW,
  }),
  uploadInvoice: call.changes('uploadInvoice', ['上传发票', 'Upload an invoice'], {
    fields: { image: keyText(200), amount_cents: cents.min(1) },
    answer: { status: withdrawalRow.shape.status },
  }),
  detail: call.read('detail', ['影票提现详情', 'A film withdrawal'], {
    input: z.object({ id }),
    output: z.object({
      row: withdrawalRow,
      statement,
      frozen: z.array(frozen),
    }),
    permit: `${DETAIL}.view`,
    scope: placed('withdrawal', 'id'),
  }),
  /** The orders whose settlements a request is made of. */
  orders: call.read('orders', ['提现对应的订单', 'Orders of a withdrawal'], {
    input: z.object({ id, ...page }),
    output: listOf(order),
    permit: `${DETAIL}.view`,
    scope: placed('withdrawal', 'id'),
  }),
  /** Counts the statement anew from the journal; the answer says what it is off by. */
  recheck: call.write('recheck', ['重新核对流水', 'Check the statement again'], {
    input: z.object({ id, version }),
    output: z.object({ id, version, difference_cents: money, lines_difference_cents: money }),
    permit: `${DETAIL}.recheck`,
    scope: placed('withdrawal', 'id'),
  }),
  exportStatement: call.startsExport('exportStatement', ['导出对账明细', 'Export the statement'], {
    filters: { id },
    permit: `${DETAIL}.export`,
  }),
}
