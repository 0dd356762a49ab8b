import { z } from 'zod'
import {
  filmRefundKinds,
  returnStates,
  ticketProviders,
  ticketStates,
  type FilmRefundKind,
  type ReturnState,
  type TicketProviderKey,
  type TicketState,
} from '#src/areas/film/film.ts'
import {
  couponFates,
  filmRefundTabs,
  type CouponFate,
  type FilmRefundTab,
} from '#src/areas/filmRefund/filmRefund.ts'
import {
  refundSources,
  refundStates,
  refundTypes,
  type RefundSource,
  type RefundState,
  type RefundType,
} from '#src/areas/refund/refund.ts'
import { placed } from '#src/contract/call.ts'
import { several } from '#src/contract/queue.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  id,
  keysOf,
  listOf,
  page,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

const state = keysOf<RefundState>(refundStates)
const name = z.string()
export const filmRefundRow = z.object({
  id,
  refund_id: id,
  refund_no: z.string(),
  order_id: id,
  order_no: z.string(),
  kind: keysOf<FilmRefundKind>(filmRefundKinds),
  state,
  type: keysOf<RefundType>(refundTypes),
  source: keysOf<RefundSource>(refundSources),
  reason: z.string(),
  amount_cents: cents,
  /** The most that may go back. */
  cap_cents: cents,
  charge_cents: cents,
  pay_cents: cents,
  /** What the order gave back before. */
  refunded_cents: cents,
  points_back: z.int(),
  coupon: keysOf<CouponFate>(couponFates),
  provider: keysOf<TicketProviderKey>(ticketProviders),
  provider_state: keysOf<ReturnState>(returnStates),
  provider_answer: z.string(),
  tries: z.int(),
  /** Tickets that were issued go back with it, and a provider can still be asked. */
  has_tickets: z.boolean(),
  returnable: z.boolean(),
  /** What the provider gave back; before its answer what it would give, if it agrees. */
  give_back_cents: cents,
  loss_cents: cents,
  film_name: name,
  cinema_name: name,
  hall: z.string(),
  seats: z.string(),
  seat_count: z.int(),
  show_at: unix,
  ticket_state: keysOf<TicketState>(ticketStates),
  member_name: name,
  city_name: name,
  frozen: z.boolean(),
  after_settled: z.boolean(),
  assignee_id: id.nullable(),
  assignee_name: name,
  first_by: id.nullable(),
  first_name: name,
  second_name: name,
  decided_at: unix.nullable(),
  reject_reason: z.string(),
  fail_code: z.string().nullable(),
  /** The channel's words, in the reader's language where they are kept in both. */
  fail_text: z.string(),
  fails: z.int(),
  created_at: unix,
  done_at: unix.nullable(),
  version,
})
export type FilmRefundRow = z.output<typeof filmRefundRow>
const plain = {
  keyword: searched(40).optional(),
  kind: keysOf<FilmRefundKind>(filmRefundKinds).optional(),
  city_id: id.optional(),
  mall_id: id.optional(),
  assignee_id: id.optional(),
  refused: z.boolean().optional(),
}
const filters = { state: keysOf<FilmRefundTab>(filmRefundTabs).default('open'), ...plain }
const rows = 'film_refund'
const call = callsOf('film/refund', { touches: ['refund', 'order'], rows })
const answer = { state }

/** Film tickets that go back: decided by urgency, the loss in sight. */
export const filmRefunds = {
  lst: call.lists('lst', ['影票退款列表', 'Film refunds'], { filters, row: filmRefundRow }),
  /** How many rows each tab has, and what they come to, beside the other filters. */
  totals: call.read('totals', ['影票退款合计', 'Totals of film refunds'], {
    input: z.object(plain),
    output: z.object({
      tabs: z.array(
        z.object({
          state: keysOf<FilmRefundTab>(filmRefundTabs),
          count: z.int(),
          amount_cents: cents,
        }),
      ),
    }),
    permit: 'film.refund.view',
  }),
  /** Colleagues to whom one can be given. */
  people: call.read('people', ['可指派的处理人', 'Who may be assigned'], {
    input: z.object({ ...page, keyword: searched(32).optional() }),
    output: listOf(z.object({ id, name: z.string(), account: z.string() })),
    touches: ['admin', 'role'],
    scope: 'all',
    permit: 'film.refund.assign',
  }),
  approve: call.changes('approve', ['同意影票退款', 'Approve a film refund'], { answer }),
  batchApprove: call.write('batchApprove', ['批量同意影票退款', 'Approve film refunds'], {
    input: z.object({ tasks: several }),
    output: batchResult,
    scope: placed(rows, { 'tasks.id': rows }),
  }),
  reject: call.changes('reject', ['驳回影票退款', 'Reject a film refund'], {
    fields: { reason },
    answer,
  }),
  editAmount: call.changes('editAmount', ['调整影票退款金额', 'Change the amount'], {
    fields: { amount_cents: cents.min(1), reason },
    answer,
  }),
  retry: call.changes('retry', ['重试影票退款', 'Pay a film refund again'], { answer }),
  /** Cents of the cost; 0: it refused. */
  confirmProvider: call.changes(
    'confirmProvider',
    ['登记渠道退票结果', 'Write down what the provider gave back'],
    { fields: { cost_return_cents: cents.min(0) }, answer },
  ),
  assign: call.changes('assign', ['指派影票退款', 'Assign a film refund'], {
    fields: { admin_id: id },
    answer,
  }),
  export: call.startsExport('export', ['导出影票退款单', 'Export film refunds'], { filters }),
}
