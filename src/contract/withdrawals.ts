import { z } from 'zod'
import {
  sellerKinds,
  sellerStates,
  type SellerKind,
  type SellerState,
} from '#src/areas/distribution/sellers.ts'
import {
  payoutChannels,
  rejectReasons,
  riskFlags,
  tellStates,
  withdrawalOwners,
  withdrawalStates,
  type PayoutChannel,
  type RejectReason,
  type RiskFlag,
  type TellState,
  type WithdrawalOwner,
  type WithdrawalState,
} from '#src/areas/payout/withdrawing.ts'
import { placed } from './call.ts'
import { several, why } from './queue.ts'
import { callsOf } from './record.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  keyText,
  open,
  revealed,
  searched,
  text,
  unix,
  version,
} from './shapes.ts'

const money = guarded('withdrawal.amount_cents', cents)
const status = keysOf<WithdrawalState>(withdrawalStates)
const person = id.nullable()
export const withdrawalRow = z.object({
  id,
  no: z.string(),
  /** Whose money it is. */
  title: z.string(),
  owner_kind: keysOf<WithdrawalOwner>(withdrawalOwners),
  owner_id: id,
  /** The member of staff whose own the applicant is. */
  owner_admin_id: person,
  city_name: z.string(),
  amount_cents: money,
  fee_cents: money,
  tax_cents: money,
  net_cents: money,
  balance_before_cents: money,
  balance_after_cents: money,
  channel: keysOf<PayoutChannel>(payoutChannels),
  payee_name: z.string(),
  /** The name that the account must bear, as it is today; null where the channel compares it. */
  registered_name: z.string().nullable(),
  payee_no: guarded('withdrawal.bank_no', z.string()),
  bank_name: z.string().nullable(),
  risk_flags: z.array(keysOf<RiskFlag>(riskFlags)),
  status,
  need_second: z.boolean(),
  hold: z.boolean(),
  canceling: z.boolean(),
  reviewer_id: person,
  reviewer_name: z.string(),
  second_reviewer_id: person,
  second_reviewer_name: z.string(),
  payer_name: z.string(),
  reason_code: keysOf<RejectReason>(rejectReasons).nullable(),
  reason: z.string(),
  tell_state: keysOf<TellState>(tellStates),
  /** What the gateway said last, in the reader's language where we said it. */
  tell_answer: z.string(),
  out_bill_no: z.string().nullable(),
  channel_no: z.string().nullable(),
  channel_error: z.string().nullable(),
  proof: z.string(),
  /** A film owner's invoice; a company's must be of the same amount. */
  needs_invoice: z.boolean(),
  invoice_image: z.string(),
  invoice_cents: guarded('withdrawal.amount_cents', cents.nullable()),
  confirm_until_at: unix.nullable(),
  applied_at: unix,
  reviewed_at: unix.nullable(),
  second_reviewed_at: unix.nullable(),
  paid_at: unix.nullable(),
  ended_at: unix.nullable(),
  /** What was paid to this owner last. */
  last_paid_at: unix.nullable(),
  last_paid_cents: guarded('withdrawal.amount_cents', cents.nullable()),
  /** The seller whose commission it is; null for any other owner. */
  seller: z
    .object({
      kind: keysOf<SellerKind>(sellerKinds),
      status: keysOf<SellerState>(sellerStates),
      level_no: z.int(),
      group_name: z.string(),
      real_name_ok: z.boolean(),
      /** What they owe now, of commission that was taken back. */
      debt_cents: money,
    })
    .nullable(),
  version,
})
export type WithdrawalRow = z.output<typeof withdrawalRow>
const plain = {
  keyword: searched(64).optional(),
  owner_kind: keysOf<WithdrawalOwner>(withdrawalOwners).optional(),
  channel: keysOf<PayoutChannel>(payoutChannels).optional(),
  city_id: id.optional(),
  flagged: z.boolean().optional(),
}
const filters = { status: status.default('pending'), ...plain }
const rows = 'withdrawal'
const answer = { status }
const batch = {
  input: z.object({ tasks: several }),
  output: batchResult,
  scope: placed(rows, { 'tasks.id': rows }),
}

/**
 * The calls by which money that was asked for is reviewed, paid, tried again or given back: of all
 * owners at one address, of sellers at another.
 */
export const withdrawalCalls = (call: ReturnType<typeof callsOf>, view: string) => ({
  lst: call.lists('lst', ['提现列表', 'Withdrawals'], { filters, row: withdrawalRow }),
  /** How many there are in each state beside the other filters, and how much they are. */
  totals: call.read('totals', ['提现合计', 'Totals of withdrawals'], {
    input: z.object(plain),
    output: z.object({
      states: z.array(z.object({ status, count: z.int(), amount_cents: money, net_cents: money })),
    }),
    permit: view,
  }),
  /** What stands beside one: the owner's money now, and what they asked for before. */
  beside: call.read('beside', ['提现详情', 'A withdrawal'], {
    input: z.object({ id }),
    output: z.object({
      balance_cents: money,
      /** Orders of 30 days, or of a seller all; what of them was refunded. */
      orders: z.int(),
      refunded: z.int(),
      /** What a seller sold in all, and how much of it went back; null for any other owner. */
      sales: z
        .object({
          gmv_cents: guarded('withdrawal.amount_cents', cents),
          refunded_cents: guarded('withdrawal.amount_cents', cents),
          /** Orders that they bought of themselves: no commission is due of these. */
          own_orders: z.int(),
        })
        .nullable(),
      before: z.array(
        z.object({
          id,
          no: z.string(),
          status,
          amount_cents: money,
          payee_no: guarded('withdrawal.bank_no', z.string()),
          applied_at: unix,
        }),
      ),
    }),
    permit: view,
    scope: placed(rows, 'id'),
  }),
  approve: call.changes('approve', ['通过提现', 'Approve a withdrawal'], { answer }),
  secondApprove: call.changes('secondApprove', ['大额复审', 'Approve a large one second'], {
    answer,
  }),
  batchApprove: call.write('batchApprove', ['批量通过提现', 'Approve withdrawals'], batch),
  reject: call.changes('reject', ['驳回提现', 'Reject a withdrawal'], {
    fields: { reason_code: keysOf<RejectReason>(rejectReasons), reason: why },
    answer,
  }),
  pay: call.changes('pay', ['发起打款', 'Pay a withdrawal'], { answer }),
  batchPay: call.write('batchPay', ['批量打款', 'Pay withdrawals'], batch),
  markPaid: call.changes('markPaid', ['登记打款', 'Mark as paid'], {
    fields: { channel_no: text(64), proof: keyText(200) },
    answer,
  }),
  markFailed: call.changes('markFailed', ['登记打款失败', 'Mark as failed'], {
    fields: { reason: why },
    answer,
  }),
  query: call.changes('query', ['查询渠道结果', 'Check with the channel'], { answer }),
  retry: call.changes('retry', ['重试打款', 'Retry payment'], { answer }),
  cancel: call.changes('cancel', ['撤销打款', 'Cancel a payout'], {
    fields: { reason: why },
    answer,
  }),
  back: call.changes('back', ['退回余额', 'Return to balance'], {
    fields: { reason: why },
    answer,
  }),
  hold: call.changes('hold', ['挂起提现', 'Put on hold'], { fields: { reason: why }, answer }),
  unhold: call.changes('unhold', ['取消挂起', 'Take off hold'], { answer }),
  export: call.startsExport('export', ['导出打款文件', 'Export payouts'], { filters }),
})
/** Tells an account that is masked, for a reason that is logged. */
export const revealCall = (call: ReturnType<typeof callsOf>, name: string) =>
  call.write(name, ['查看收款账号', 'Reveal the account'], {
    input: z.object({ id, reason: why }),
    output: z.object({
      id,
      payee_no: open('What was asked for', z.string()),
      ...revealed,
    }),
    touches: ['field_key'],
  })
export type WithdrawalCalls = ReturnType<typeof withdrawalCalls>
/** What the calls of such a page have in common. */
export const callsAt = (at: string) => callsOf(at, { touches: [rows, 'ledger'], rows })
