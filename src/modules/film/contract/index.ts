import { z } from 'zod'
import {
  filmRefundKinds,
  filmStages,
  showStates,
  ticketProviders,
  ticketStates,
  type FilmRefundKind,
  type FilmStage,
  type ShowState,
  type TicketProviderKey,
  type TicketState,
} from '#src/areas/film/film.ts'
import { frozenBy, type FrozenBy } from '#src/areas/order/order.ts'
import { refundStates, type RefundState } from '#src/areas/refund/refund.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  open,
  page,
  revealed,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

export const provider = keysOf<TicketProviderKey>(ticketProviders)
export const FILMS_MOST = 100
const ids = z.array(id).min(1).max(FILMS_MOST)
const seat = z.object({ row: z.int(), col: z.int() })
/** What the provider gets, and what is left: the house's own affair. */
const own = guarded('film_order.profit_cents', cents)

/** An order of films; its id and version are the order's. */
export const filmRow = z.object({
  id,
  version,
  order_no: z.string(),
  kind: z.literal('film'),
  stage: keysOf<FilmStage>(filmStages),
  pay_state: z.enum(['unpaid', 'part_paid', 'paid', 'closed']),
  refund_state: z.enum(['none', 'refunding', 'part_refunded', 'refunded']),
  frozen: z.boolean(),
  frozen_by: keysOf<FrozenBy>(frozenBy).nullable(),
  freeze_reason: z.string().nullable(),
  settled: z.boolean(),
  member_id: id,
  member_name: z.string(),
  phone: guarded('member.phone', z.string()),
  film_name: z.string(),
  cinema_id: id,
  cinema_name: z.string(),
  hall: z.string(),
  show_at: unix,
  show_end_at: unix,
  show_state: keysOf<ShowState>(showStates),
  seats: z.array(seat),
  sale_cents: cents,
  service_fee_cents: cents,
  coupon_cents: cents,
  points_cents: cents,
  pay_cents: cents,
  refunded_cents: cents,
  cost_cents: own,
  profit_cents: own,
  provider,
  provider_status: z.string(),
  ticket_state: keysOf<TicketState>(ticketStates),
  waiting_since: unix.nullable(),
  ticketed_at: unix.nullable(),
  try_count: z.int(),
  compensated_at: unix.nullable(),
  city_id: z.int(),
  mid: z.int(),
  city_name: z.string(),
  mall_name: z.string(),
  created_at: unix,
})
export type FilmRow = z.output<typeof filmRow>

const plain = {
  /** A whole order number or phone, or the beginning of a film's name. */
  keyword: searched(40).optional(),
  cinema_id: id.optional(),
  film_id: id.optional(),
  /** Moments of the payment, both ends included. */
  paid_from: unix.optional(),
  paid_to: unix.optional(),
  city_id: id.optional(),
  mid: z.int().min(0).max(2147483647).optional(),
  provider: provider.optional(),
  /** Paid and not issued for five minutes. */
  stuck: z.boolean().optional(),
  show_from: unix.optional(),
  show_to: unix.optional(),
}
const filters = { stage: keysOf<FilmStage>(filmStages).optional(), ...plain }
const finds = { keyword: { phone: ['member.phone'] } }
const touches = ['order', 'film_order', 'refund']
const call = callsOf('film/index', { touches, rows: 'order' })
const apart = { quiet: true, apart: true, touches: [...touches, 'ticket'] } as const
const ofOne = { scope: placed('order', 'id') }
const ofSeveral = { scope: placed('order', { ids: 'order' }) }

/** Film orders from the lock of their seats to settlement: to rescue what is stuck before its show. */
export const filmOrders = {
  lst: call.read('lst', ['影票订单', 'Film ticket orders'], {
    input: z.object({ ...page, ...filters }),
    output: listOf(filmRow),
    permit: 'film.index.view',
    finds,
  }),
  /** What stands in each stage, by the filters beside it: together they are all. */
  overview: call.read('overview', ['影票概览', 'Overview of film orders'], {
    input: z.object(plain),
    output: z.object({
      stages: z.array(
        z.object({ stage: keysOf<FilmStage>(filmStages), count: z.int(), pay_cents: cents }),
      ),
    }),
    permit: 'film.index.view',
    finds,
  }),
  cinemas: call.read('cinemas', ['可选影院', 'Cinemas to choose'], {
    input: z.object({ keyword: searched(40).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    permit: 'film.index.view',
    scope: placed('film_cinema'),
  }),
  /** Asks the provider what came of it; it logs itself, as all that asks a provider does. */
  syncTicket: call.write('syncTicket', ['查询出票结果', 'Check ticket status'], {
    input: z.object({ id }),
    output: z.object({ id, outcome: z.enum(['issued', 'failed', 'pending', 'silent']) }),
    ...apart,
    ...ofOne,
  }),
  /** The old number again where its result is unknown, so that the seats are never bought twice. */
  reTicket: call.write('reTicket', ['重新出票', 'Reissue'], {
    input: z.object({ id, provider: provider.optional(), reason }),
    output: z.object({ id, outcome: z.enum(['issued', 'same', 'new']), provider }),
    ...apart,
    ...ofOne,
  }),
  batchSync: call.write('batchSync', ['批量查询出票', 'Ask about several'], {
    input: z.object({ ids }),
    output: batchResult,
    ...apart,
    ...ofSeveral,
  }),
  refund: call.write('refund', ['影票退款', 'Refund tickets'], {
    input: z.object({
      ...one,
      kind: keysOf<FilmRefundKind>(filmRefundKinds),
      amount_cents: cents.min(1).optional(),
      reason,
    }),
    output: z.object({
      id,
      refund_id: id,
      refund_no: z.string(),
      amount_cents: cents,
      state: keysOf<RefundState>(refundStates),
    }),
    ...ofOne,
  }),
  /** What was not issued goes back whole; what was, by the terms of the day of sale. */
  batchRefund: call.write('batchRefund', ['批量影票退款', 'Refund several'], {
    input: z.object({ ids, reason }),
    output: batchResult,
    ...ofSeveral,
  }),
  cancelUnpaid: call.changes('cancelUnpaid', ['取消未支付影票', 'Cancel an unpaid order'], {
    fields: { reason },
  }),
  freeze: call.changes('freeze', ['冻结影票结算', 'Freeze settlement'], { fields: { reason } }),
  unfreeze: call.changes('unfreeze', ['解冻影票结算', 'Unfreeze settlement'], {
    fields: { reason },
  }),
  resendCode: call.write('resendCode', ['重发取票码', 'Send the code again'], {
    input: z.object({ id }),
    output: z.object({ id, sent: z.int() }),
    ...ofOne,
  }),
  revealPhone: call.write('revealPhone', ['查看影票手机号', 'Reveal the phone'], {
    input: z.object({ id, reason }),
    output: z.object({
      id,
      phone: open('It is shown once, with a reason', z.string()),
      ...revealed,
    }),
    touches: ['field_key'],
    ...ofOne,
  }),
  export: call.startsExport('export', ['导出影票订单', 'Export film orders'], { filters }),
}
