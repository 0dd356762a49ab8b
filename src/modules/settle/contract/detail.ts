import { z } from 'zod'
import { merchantStates, settleCycles, type SettleCycle } from '#src/areas/merchant/merchant.ts'
import { batchStates, confirmers, type BatchState } from '#src/areas/settle/batch.ts'
import { feeBearers, lineStates, type FeeBearer, type LineState } from '#src/areas/settle/settle.ts'
import {
  FREEZE_MOST_DAYS,
  RATE_MOST_BP,
  settleMerchantStates,
} from '#src/areas/settle/settleMerchant.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  keyText,
  listOf,
  page,
  searched,
  settled,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const count = z.int().min(0)
const commission = guarded('product.commission_bp', cents)
const keyword = searched(40).optional()
const stat = z.record(z.string(), count)
const view = 'settle.detail.view'
export const BATCHES_MOST = 100
const ids = z.array(id).min(1).max(BATCHES_MOST)

export const batchRow = z.object({
  kind: z.literal('batch'),
  id,
  /** What questions about it call it: its number and whose it is. */
  name: z.string(),
  no: z.string(),
  merchant_id: id,
  merchant_name: z.string(),
  period_from: z.string(),
  period_to: z.string(),
  line_count: count,
  gross_cents: cents,
  merchant_discount_cents: cents,
  subsidy_cents: cents,
  commission_cents: commission,
  distributor_cents: commission,
  fee_cents: cents,
  refund_deduct_cents: cents,
  debt_deduct_cents: cents,
  payable_cents: settled,
  status: keysOf<BatchState>(batchStates),
  sent_at: unix.nullable(),
  confirm_deadline_at: unix.nullable(),
  confirmed_by: keysOf(confirmers).nullable(),
  confirmed_at: unix.nullable(),
  proof: z.string(),
  reason: z.string(),
  txn_no: z.string(),
  maker_id: id,
  maker: z.string(),
  poster: z.string(),
  posted_at: unix.nullable(),
  /** Asks to reverse it; another person does it. */
  reverse_by: id.nullable(),
  reverse_name: z.string(),
  reverse_at: unix.nullable(),
  reverse_reason: z.string(),
  reversed_name: z.string(),
  reversed_at: unix.nullable(),
  reverse_txn_no: z.string(),
  created_at: unix,
  version,
})
export type BatchRow = z.output<typeof batchRow>

export const lineRow = z.object({
  kind: z.literal('line'),
  id,
  order_id: id,
  order_no: z.string(),
  unit_no: z.int(),
  title: z.string(),
  merchant_id: id,
  merchant_name: z.string(),
  store_id: id,
  store_name: z.string(),
  price_cents: cents,
  subsidy_cents: cents,
  merchant_discount_cents: cents,
  commission_cents: commission,
  fee_cents: cents,
  fee_bearer: keysOf<FeeBearer>(feeBearers),
  merchant_cents: settled,
  gone_merchant_cents: settled,
  refunded_user_cents: cents,
  status: keysOf<LineState>(lineStates),
  paid_at: unix.nullable(),
  verified_at: unix.nullable(),
  freeze_until_at: unix.nullable(),
  settled_at: unix.nullable(),
  held: z.boolean(),
  hold_reason: z.string(),
  held_by: z.string(),
  batch_id: id.nullable(),
  batch_no: z.string(),
  version,
})
export type LineRow = z.output<typeof lineRow>

const terms = {
  commission_bp: guarded('product.commission_bp', z.int().min(0).max(RATE_MOST_BP).nullable()),
  freeze_days: z.int().min(0).max(FREEZE_MOST_DAYS),
  batch_cycle: keysOf<SettleCycle>(settleCycles),
  fee_bearer: keysOf<FeeBearer>(feeBearers),
  reserve_cents: cents.min(0),
  min_withdraw_cents: cents.min(0),
}
/** Whether it is paid by the channel's profit sharing, and its own number there. */
const sharing = { profit_sharing: z.boolean(), sub_mchid: z.string() }
const account = {
  bank_holder: z.string(),
  bank_name: z.string(),
  bank_no: guarded('merchant.bank_no', z.string()),
}
export const settleMerchantRow = z.object({
  kind: z.literal('merchant'),
  id,
  merchant_id: id,
  name: z.string(),
  merchant_status: keysOf(merchantStates),
  ...terms,
  next_commission_bp: guarded('product.commission_bp', z.int().nullable()),
  rate_from_at: unix.nullable(),
  ...sharing,
  ...account,
  /** What waits for another person's check: only what differs, and its account apart. */
  pending: z
    .object({
      ...z.object({ ...terms, ...sharing }).partial().shape,
      rate_from_at: unix.optional(),
      bank: z.object(account).optional(),
    })
    .nullable(),
  pending_by: id.nullable(),
  pending_name: z.string(),
  pending_at: unix.nullable(),
  status: keysOf(settleMerchantStates),
  version,
})
export type SettleMerchantRow = z.output<typeof settleMerchantRow>

const batch = callsOf('settle/detail', {
  touches: ['settle_batch', 'settle_line', 'ledger_txn'],
  rows: 'settle_batch',
})
const batchFilters = {
  status: keysOf<BatchState>(batchStates).optional(),
  /** What waits for a second person to reverse it. */
  reversing: z.boolean().optional(),
  keyword,
}
/** Batches: what is settled with a merchant at once. */
export const batches = {
  lst: batch.lists('lst', ['结算批次', 'Settlement batches'], {
    filters: batchFilters,
    row: batchRow,
    answer: { stat },
    permit: view,
  }),
  /** Whether its lines are still those that it was calculated from, and what would differ. */
  look: batch.read('look', ['批次核对', 'A batch against its lines'], {
    input: z.object({ id }),
    output: z.object({
      fresh: z.boolean(),
      line_count: count,
      payable_cents: settled,
      debt_cents: cents,
    }),
    permit: view,
    scope: placed('settle_batch', 'id'),
  }),
  /** What stands on the statement of a batch: its lines, the first of them. */
  statement: batch.read('download', ['下载结算单', 'Statement of a batch'], {
    input: z.object({ id }),
    output: z.object({ batch: batchRow, ...account, lines: z.array(lineRow), left: count }),
    scope: placed('settle_batch', 'id'),
  }),
  merchants: batch.read('merchantsFound', ['可结算的商户', 'Merchants to settle'], {
    input: z.object({ ...page, keyword }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['merchant'],
    permit: view,
    scope: placed('merchant'),
  }),
  generate: batch.write('generate', ['生成批次', 'Generate batches'], {
    input: z.object({
      /** Any moments of its first and its last day. */
      from: unix,
      to: unix,
      merchant_ids: z.array(id).max(BATCHES_MOST).optional(),
    }),
    output: z.object({
      done: count,
      skipped: z.array(z.object({ id, name: z.string(), why: z.string() })),
      empty: count,
      job_id: id.nullable(),
    }),
    touches: ['settle_batch', 'settle_line', 'job'],
    scope: placed('settle_batch', { merchant_ids: 'merchant' }),
  }),
  recalc: batch.changes('recalc', ['重算批次', 'Calculate a batch again']),
  send: batch.changes('send', ['发送商户确认', 'Send a batch to its merchant']),
  confirm: batch.changes('confirm', ['代商户确认', 'Confirm for the merchant'], {
    fields: { proof: keyText(200, 1) },
  }),
  dispute: batch.changes('dispute', ['登记异议', 'Record a dispute'], { fields: { reason } }),
  post: batch.changes('post', ['批次入账', 'Post a batch']),
  batchPost: batch.write('batchPost', ['批量入账', 'Post batches'], {
    input: z.object({ ids }),
    output: batchResult,
    scope: placed('settle_batch', { ids: 'settle_batch' }),
  }),
  void: batch.changes('void', ['作废批次', 'Void a batch'], { fields: { reason } }),
  /** Asks to take a posting back; another person does it, or refuses. */
  askReverse: batch.changes('askReverse', ['申请冲销批次', 'Ask to reverse a batch'], {
    fields: { reason },
  }),
  reverse: batch.changes('reverse', ['冲销批次', 'Reverse a batch']),
  refuseReverse: batch.changes('refuseReverse', ['驳回冲销', 'Refuse a reversal'], {
    fields: { reason },
  }),
  export: batch.startsExport('export', ['导出结算单', 'Export batches'], {
    filters: batchFilters,
  }),
}

const line = callsOf('settle/detail', {
  touches: ['settle_line', 'settle_batch'],
  rows: 'settle_line',
})
const onLines = {
  input: z.object({ ids, reason }),
  output: batchResult,
  scope: placed('settle_line', { ids: 'settle_line' }),
}
/** Lines: one for each unit sold. */
export const settleLines = {
  lst: line.lists('lines', ['结算明细', 'Settlement lines'], {
    filters: {
      status: keysOf<LineState>(lineStates).optional(),
      batch_id: id.optional(),
      /** A whole number of an order. */
      order_no: searched(32).optional(),
      held: z.boolean().optional(),
    },
    row: lineRow,
    answer: { stat },
    permit: view,
  }),
  hold: line.write('hold', ['冻结明细', 'Hold lines'], onLines),
  release: line.write('release', ['解冻明细', 'Release lines'], onLines),
}

const entity = callsOf('settle/detail', {
  touches: ['settle_merchant', 'merchant'],
  rows: 'settle_merchant',
})
/** The terms that merchants are settled on. */
export const settleMerchants = {
  lst: entity.lists('entities', ['结算主体', 'Settlement terms'], {
    filters: { pending: z.boolean().optional(), keyword },
    row: settleMerchantRow,
    permit: view,
  }),
  /** Asks for a change of the fields that are sent; another person approves it. */
  editMerchant: entity.changes('editMerchant', ['修改结算主体', 'Change terms'], {
    fields: {
      ...z
        .object({
          ...terms,
          commission_bp: z.int().min(0).max(RATE_MOST_BP).nullable(),
          rate_from_at: unix,
          bank_holder: text(60),
          bank_name: text(60),
          bank_no: keyText(32),
        })
        .partial().shape,
      reason,
    },
  }),
  /** Asks for another way to be paid: by profit sharing or not, through which number. */
  setSharing: entity.changes('setSharing', ['修改微信分账', 'Change profit sharing'], {
    fields: { profit_sharing: z.boolean(), sub_mchid: keyText(32), reason },
  }),
  approveMerchant: entity.changes('approveMerchant', ['复核主体变更', 'Approve a change of terms']),
  rejectMerchant: entity.changes('rejectMerchant', ['驳回主体变更', 'Reject a change of terms'], {
    fields: { reason },
  }),
}
