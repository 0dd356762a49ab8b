import { z } from 'zod'
import { comboPolicies, type ComboPolicy } from '#src/areas/combo/combo.ts'
import { payWays, type PayWay } from '#src/areas/order/order.ts'
import { refundStates, type RefundState } from '#src/areas/refund/refund.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  batchResult,
  cents,
  id,
  keysOf,
  lines,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'
import { lane } from './combo.ts'
import { BATCH_MAX } from './eRefund.ts'
import { eRefundDetail, eRefundRow, reasonCode } from './eRefundRow.ts'

/** Stages that a case of a bundle can be at: nothing of it comes back by post. */
export const comboStages = [
  'applied',
  'second_audit',
  'paying',
  'pay_failed',
  'done',
  'rejected',
  'closed',
] as const satisfies readonly RefundState[]
/**
 * What whoever decides must have seen: it is counted anew at the decision, and another sum asks for
 * another look.
 */
const figures = z.object({ amount_cents: cents, used_cents: cents, single_cents: cents })
const e = eRefundRow.shape
/** A case as the queue shows it: how much is the question. */
export const comboCaseRow = z.object({
  id,
  refund_no: e.refund_no,
  order_id: id,
  order_no: e.order_no,
  combo_id: id.nullable(),
  combo_name: z.string(),
  policy: keysOf<ComboPolicy>(comboPolicies),
  override: z.boolean(),
  /** What the case asks for, of how many parts, and how many were used. */ parts: z.int(),
  parts_all: z.int(),
  parts_used: z.int(),
  type: e.type,
  source: e.source,
  reason_code: e.reason_code,
  reason: e.reason,
  amount_cents: cents,
  cap_cents: cents,
  figures,
  /** Why the policy refuses it without an exception. */ refused: z
    .tuple([z.string(), z.string()])
    .nullable(),
  state: e.state,
  deadline_at: unix,
  created_at: unix,
  updated_at: unix,
  done_at: unix.nullable(),
  merchant_id: id,
  merchant_name: z.string(),
  city_id: id,
  city_name: z.string(),
  mid: z.int(),
  member_id: id.nullable(),
  member_name: z.string().nullable(),
  opinion: e.opinion,
  claimed_by: e.claimed_by,
  claimer_name: e.claimer_name,
  claim_until: e.claim_until,
  first_by: e.first_by,
  first_name: e.first_name,
  second_name: e.second_name,
  intervened: z.boolean(),
  offline: z.boolean(),
  frozen: z.boolean(),
  fails: z.int(),
  fail_code: e.fail_code,
  fail_text: e.fail_text,
  reject_code: e.reject_code,
  reject_reason: e.reject_reason,
  version,
})
export type ComboCaseRow = z.output<typeof comboCaseRow>
const d = eRefundDetail.shape
const comboCase = z.object({
  row: comboCaseRow,
  paid_cents: cents,
  refunded_cents: cents,
  freight_cents: cents,
  limit_cents: cents,
  /** Every part of the bundle, with what this case gives back of it. */
  lanes: z.array(
    z.object({ ...lane.shape, asked_cents: cents, asked: z.int(), by_single_cents: cents }),
  ),
  /** Its other cases, counted in what is left. */
  others: z.array(
    z.object({ id, refund_no: z.string(), state: e.state, amount_cents: cents, at: unix }),
  ),
  paid: z.array(
    z.object({ channel: keysOf<PayWay>(payWays), amount_cents: cents, at: unix.nullable() }),
  ),
  images: d.images,
  messages: d.messages,
  steps: d.steps,
  payouts: d.payouts,
  buyer: d.buyer,
  past: d.past,
})
export type ComboCase = z.output<typeof comboCase>

const filters = {
  state: z.enum(['open', 'mine', ...comboStages]).default('open'),
  /** Number of a case or of an order. */
  keyword: searched(40).optional(),
  reason_code: reasonCode.optional(),
  city_id: id.optional(),
  combo_id: id.optional(),
  merchant_id: id.optional(),
  /** Nothing of its order was used or sent. */
  unused: z.boolean().optional(),
  channel_failed: z.boolean().optional(),
  overdue: z.boolean().optional(),
  from: unix.optional(),
  to: unix.optional(),
}
const one = { id, version }
const touches = ['refund', 'order'] as const
const P = 'order.combo.refund'
const reason = lines(500, 2)
const changed = z.object({ id, state: keysOf<RefundState>(refundStates), version })
const act = <S extends z.ZodRawShape>(verb: string, title: readonly [string, string], more: S) =>
  write(`order/combo/refund/${verb}`, title, {
    input: z.object({ ...one, ...more }),
    output: changed,
    touches: [...touches],
    scope: placed('refund', 'id'),
    permit: `${P}.${verb}`,
  })

export const comboRefund = {
  lst: read('order/combo/refund/lst', ['组合套餐退款', 'Combo refunds'], {
    input: z.object({
      ...filters,
      sort: z.enum(['deadline', 'newest', 'amount']).default('deadline'),
      ...page,
    }),
    output: listOf(comboCaseRow),
    touches: [...touches],
    scope: placed('refund'),
    permit: `${P}.view`,
  }),
  counts: read('order/combo/refund/counts', ['组合退款计数', 'Counts of combo refunds'], {
    input: z.object(filters).omit({ state: true }),
    output: z.record(z.string(), z.int()),
    touches: [...touches],
    scope: placed('refund'),
    permit: `${P}.view`,
  }),
  detail: read('order/combo/refund/detail', ['组合退款档案', 'A combo refund'], {
    input: z.object({ id }),
    output: comboCase,
    touches: [...touches],
    scope: placed('refund', 'id'),
    permit: `${P}.view`,
  }),
  claim: act('claim', ['领取组合退款', 'Claim a case'], {}),
  approve: act('approve', ['同意组合退款', 'Approve a case'], { seen: figures }),
  /** These parts only; `override`: though the policy says no, which a second person decides. */
  approvePartial: act('approvePartial', ['部分同意', 'Approve some parts'], {
    items: z.array(id).min(1).max(50),
    override: z.boolean().default(false),
    reason,
    seen: figures,
  }),
  reject: act('reject', ['拒绝组合退款', 'Reject a case'], {
    reason_code: text(32),
    reason,
  }),
  secondApprove: act('secondApprove', ['复核通过', 'Second approval'], { seen: figures }),
  secondReject: act('secondReject', ['复核驳回', 'Second rejection'], { reason }),
  retryPay: act('retryPay', ['重试退款打款', 'Retry payment'], {}),
  remark: act('remark', ['添加退款备注', 'Note on a case'], { text: lines(500) }),
  /** Only where nothing of the order was used or sent, within one's own limit. */
  batchApprove: write('order/combo/refund/batchApprove', ['批量同意组合退款', 'Approve several'], {
    input: z.object({
      cases: z
        .array(z.object({ ...one, seen: figures }))
        .min(1)
        .max(BATCH_MAX),
    }),
    output: batchResult,
    touches: [...touches],
    scope: placed('refund', { 'cases.id': 'refund' }),
    permit: `${P}.batchApprove`,
  }),
  export: write('order/combo/refund/export', ['导出组合退款', 'Export'], {
    input: z.object({ ...filters, ...asksExport() }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('refund'),
    permit: `${P}.export`,
  }),
}
