import { z } from 'zod'
import { orderEvents, payWays, type OrderEvent, type PayWay } from '#src/areas/order/order.ts'
import { refundStates, type RefundState } from '#src/areas/refund/refund.ts'
import { contractStates, type ContractState } from '#src/areas/vipCard/renewal.ts'
import { openedBy, type OpenedBy } from '#src/areas/vipCard/subscription.ts'
import { refundPolicies, type VipRefundPolicy } from '#src/areas/vipCard/vipCard.ts'
import {
  buyStates,
  vipOrderStates,
  type BuyState,
  type VipOrderState,
} from '#src/areas/vipCard/vipOrder.ts'
import { placed, write } from '#src/contract/call.ts'
import { memberFinds } from '#src/contract/finds.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  lines,
  listOf,
  mobile,
  open,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const count = z.int().min(0)
const words = z.tuple([z.string(), z.string()]).readonly()
const kind = keysOf<OpenedBy>(openedBy)
const state = keysOf<VipOrderState>(vipOrderStates)
/** What may go back of a purchase now, and why it is nothing. */
export const refundable = z.object({ cents, why: words.optional() })
export const vipOrderRow = z.object({
  id,
  version,
  order_no: z.string(),
  /** The order that it was paid by; none of what cost nothing. */
  order_id: id.nullable(),
  has_order: z.boolean(),
  member_id: id,
  member_name: z.string(),
  phone: guarded('member.phone', z.string()),
  city_name: z.string(),
  card_id: id,
  card_name: z.string(),
  kind,
  days: count,
  state,
  channel: keysOf<PayWay>(payWays).nullable(),
  pay_cents: cents,
  refunded_cents: cents,
  credit_cents: cents,
  refundable,
  /** Whole days that go with all of it. */
  days_left: count,
  refund_policy: keysOf<VipRefundPolicy>(refundPolicies),
  refund_error: z.string(),
  /** A refund of it that waits for a person, or for the channel. */
  open_refund: z
    .object({
      id,
      version,
      state: keysOf<RefundState>(refundStates),
      amount_cents: cents,
      first_by: id.nullable(),
    })
    .nullable(),
  gifts: count,
  gifts_missing: count,
  gift_used_cents: cents,
  start_at: unix.nullable(),
  end_at: unix.nullable(),
  ended_at: unix.nullable(),
  paid_at: unix.nullable(),
  source: z.string(),
  distributor: z.string(),
  note: z.string(),
  created_at: unix,
})
export type VipOrderRow = z.output<typeof vipOrderRow>

const filters = {
  /** A whole order number, a phone, a member number, or how a nickname begins. */
  keyword: searched(40).optional(),
  member_id: id.optional(),
  card_id: id.optional(),
  kind: kind.optional(),
  status: state.optional(),
  city_id: id.optional(),
  from: unix.optional(),
  to: unix.optional(),
}
export type VipOrderFilters = z.output<z.ZodObject<typeof filters>>
const touches = ['vip_card_order', 'vip_subscription', 'order', 'refund']
const call = callsOf('vip/card/order', { touches, rows: 'vip_card_order' })
const view = 'vip.card.order.view'
/** A purchase, and the refund of it as the person saw it. */
const which = z.object({ id, refund_id: id, refund_version: version })
const decided = z.object({ id, refund_id: id, state: keysOf<RefundState>(refundStates) })
const trail = z.object({
  contract: z
    .object({
      contract_no: open('A member’s with the payment channel, no merchant’s', z.string()),
      state: keysOf<ContractState>(contractStates),
      signed_at: unix.nullable(),
      price_cents: cents,
    })
    .nullable(),
  payments: z.array(
    z.object({
      id,
      out_no: z.string(),
      channel_no: z.string().nullable(),
      channel: keysOf<PayWay>(payWays),
      direction: z.enum(['in', 'out']),
      amount_cents: cents,
      state: z.enum(['pending', 'success', 'failed', 'closed']),
      fail_text: z.string().nullable(),
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
  gifts: z.array(z.object({ coupon_id: id, name: z.string(), state: z.string() })),
  log: z.array(
    z.object({
      id,
      event: keysOf<OrderEvent>(orderEvents),
      memo: z.string(),
      by: z.string(),
      at: unix,
    }),
  ),
})

export type VipTrail = z.output<typeof trail>

/** Purchases of memberships: what was paid and went back, and which period each bought. */
export const vipOrders = {
  lst: call.read('lst', ['购卡订单', 'VIP card orders'], {
    input: z.object({ ...page, ...filters }),
    output: z.object({ ...listOf(vipOrderRow).shape, stat: z.record(z.string(), z.int()) }),
    permit: view,
    finds: memberFinds,
  }),
  /** What the orders of the filters brought, and what went back of it. */
  totals: call.read('totals', ['购卡合计', 'Totals of VIP card orders'], {
    input: z.object(filters),
    output: z.object({ orders: count, paid_cents: cents, refunded_cents: cents, net_cents: cents }),
    permit: view,
    finds: memberFinds,
  }),
  /** How it was paid, given back and signed, step by step. */
  trail: call.read('trail', ['支付与签约轨迹', 'Payment and contract of an order'], {
    input: z.object({ id }),
    output: trail,
    permit: view,
    scope: placed('vip_card_order', 'id'),
  }),
  plans: call.read('plans', ['可选卡种', 'Plans to choose'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['vip_card'],
    permit: view,
    scope: 'all',
  }),
  refund: call.write('refund', ['购卡退款', 'Refund a VIP card order'], {
    input: z.object({ ...one, amount_cents: cents.min(1).optional(), reason }),
    output: z.object({
      id,
      refund_id: id,
      refund_no: z.string(),
      amount_cents: cents,
      state: keysOf<RefundState>(refundStates),
    }),
    scope: placed('vip_card_order', 'id'),
  }),
  /** The second person agrees to a refund above the first one's limit: it is paid. */
  approveRefund: call.write('approveRefund', ['同意购卡退款', 'Agree to a refund'], {
    input: which,
    output: decided,
    scope: placed('vip_card_order', 'id'),
  }),
  /** Ends it without paying: the membership and its coupons stay. */
  rejectRefund: call.write('rejectRefund', ['驳回购卡退款', 'Reject a refund'], {
    input: which.extend({ reason }),
    output: decided,
    scope: placed('vip_card_order', 'id'),
  }),
  retryRefund: call.write('retryRefund', ['重新打款', 'Pay a refund again'], {
    input: which,
    output: decided,
    scope: placed('vip_card_order', 'id'),
  }),
  closeUnpaid: call.changes('closeUnpaid', ['关闭未支付购卡订单', 'Close an unpaid order'], {
    fields: { reason },
  }),
  /** The channel is asked outside any transaction; what it says is taken like its own word. */
  syncPay: call.write('syncPay', ['同步支付结果', 'Sync the payment'], {
    input: z.object({ id }),
    output: z.object({ id, said: z.enum(['success', 'pending', 'failed', 'unknown', 'none']) }),
    quiet: true,
    apart: true,
    scope: placed('vip_card_order', 'id'),
  }),
  resendGift: call.write('resendGift', ['补发开卡礼券', 'Reissue missing coupons'], {
    input: z.object({ id }),
    output: z.object({ id, given: count, failed: count, msg: z.string() }),
    touches: [...touches, 'coupon'],
    scope: placed('vip_card_order', 'id'),
  }),
  addNote: call.changes('addNote', ['备注购卡订单', 'Note on an order'], {
    fields: { note: lines(500, 0) },
  }),
  export: call.startsExport('export', ['导出购卡订单', 'Export VIP card orders'], { filters }),
}
/** For the mini-program (docs/app-api.md): without a session, bounded by address, kept in no log. */
export const vipBuyApp = {
  buy: write('vip/app/buy', ['购买会员卡', 'Buy a membership'], {
    input: z.object({
      card_id: id,
      phone: mobile,
      renew: z.boolean().optional(),
      source: text(30).optional(),
      device: z
        .string()
        .regex(/^[\w-]{16,40}$/)
        .optional(),
    }),
    output: z.object({
      state: keysOf<BuyState>(buyStates),
      order_no: z.string(),
      pay_cents: cents,
      credit_cents: cents,
      /** Until when it is to be paid. */
      pay_until: unix.nullable(),
    }),
    touches,
    scope: { none: 'Whoever knows a phone may order for it; only a payment opens anything' },
    permit: 'public',
    quiet: true,
  }),
}
