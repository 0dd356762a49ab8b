import { z } from 'zod'
import { ticketRequestStates, type TicketRequestState } from '#src/areas/film/film.ts'
import { orderEvents, type OrderEvent } from '#src/areas/order/order.ts'
import { refundStates, type RefundState } from '#src/areas/refund/refund.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  lines,
  listOf,
  page,
  revealed,
  searched,
  unix,
} from '#src/contract/shapes.ts'
import { filmRow, provider } from './index.ts'

const seat = z.object({ row: z.int(), col: z.int() })
const own = guarded('film_order.profit_cents', cents)
export const filmDetail = z.object({
  row: filmRow,
  /** The plan of its hall, with the seats that other orders hold. */
  hall: z.object({
    name: z.string(),
    rows: z.int(),
    cols: z.int(),
    gaps: z.array(seat),
    taken: z.array(seat),
  }),
  price: z.object({
    origin_cents: cents,
    subsidy_cents: cents,
    wechat_fee_cents: own,
    /** What the provider gave back of the cost. */
    given_back_cents: own,
  }),
  ticket_code: guarded('film_order.ticket_code', z.string().nullable()),
  code_sent_at: unix.nullable(),
  code_sent_n: z.int(),
  lock_expire_at: unix,
  /** When its settlement ends its freeze, and when it was settled. */
  freeze_until_at: unix.nullable(),
  settled_at: unix.nullable(),
  requests: z.array(
    z.object({
      id,
      out_no: z.string(),
      provider,
      state: keysOf<TicketRequestState>(ticketRequestStates),
      answer: z.string(),
      provider_no: z.string().nullable(),
      tries: z.int(),
      by: z.string(),
      reason: z.string(),
      at: unix,
    }),
  ),
  refunds: z.array(
    z.object({
      id,
      refund_no: z.string(),
      amount_cents: cents,
      state: keysOf<RefundState>(refundStates),
      reason: z.string(),
      at: unix,
    }),
  ),
  log: z.array(
    z.object({
      id,
      event: keysOf<OrderEvent>(orderEvents),
      by: z.string(),
      memo: z.string(),
      at: unix,
    }),
  ),
  others: z.array(filmRow),
})
export type FilmDetail = z.output<typeof filmDetail>

const call = callsOf('film/index/detail', {
  touches: ['order', 'film_order', 'refund'],
  rows: 'order',
})
const ofOne = { scope: placed('order', 'id') }
export const filmOrderDetail = {
  detail: call.read('detail', ['影票订单详情', 'Film order'], {
    input: z.object({ id }),
    output: filmDetail,
    permit: 'film.index.detail.view',
    ...ofOne,
  }),
  /** Logged, and refused once the order goes back. */
  revealCode: call.write('revealCode', ['查看取票码', 'Reveal the ticket code'], {
    input: z.object({ id, reason }),
    output: z.object({ id, code: z.string(), ...revealed }),
    touches: ['order', 'field_key'],
    ...ofOne,
  }),
  addNote: call.write('addNote', ['添加影票备注', 'Add a note'], {
    input: z.object({ id, note: lines(500, 1) }),
    output: z.object({ id }),
    ...ofOne,
  }),
  /** Coupons that are given out now. */
  coupons: call.read('coupons', ['可选优惠券', 'Coupons to choose'], {
    input: z.object({ keyword: searched(40).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: [],
    permit: 'film.index.detail.compensate',
    scope: placed('coupon'),
  }),
  /** Makes up for trouble with a coupon, once an order. */
  compensate: call.write('compensate', ['影票补偿优惠券', 'Compensate with a coupon'], {
    input: z.object({ id, coupon_id: id, reason }),
    output: z.object({ id, name: z.string() }),
    scope: placed('order', { id: 'order', coupon_id: 'coupon' }),
  }),
}
