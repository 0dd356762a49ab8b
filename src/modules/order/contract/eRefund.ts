import { z } from 'zod'
import {
  orderEvents,
  orderKinds,
  orderStatuses,
  payWays,
  shipmentStates,
  type OrderEvent,
  type OrderKind,
  type OrderStatus,
  type PayWay,
  type ShipmentState,
} from '#src/areas/order/order.ts'
import {
  postedKinds,
  refundRejects,
  refundReasons,
  refundSources,
  refundStates,
  refundTypes,
  returnConditions,
  type PostedKind,
  type RefundReason,
  type RefundReject,
  type RefundSource,
  type RefundState,
  type RefundType,
  type RefundVerb,
  type ReturnCondition,
} from '#src/areas/refund/refund.ts'
import {
  parcelStates,
  returnNews,
  type ParcelState,
  type ReturnNews,
} from '#src/areas/shipping/track.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  listOf,
  page,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const keysOf = <K extends string>(of: Readonly<Record<K, unknown>>) =>
  z.enum(Object.keys(of) as [K, ...K[]])
const state = keysOf<RefundState>(refundStates)
const type = keysOf<RefundType>(refundTypes)
const reasonCode = keysOf<RefundReason>(refundReasons)
const rejectCode = keysOf<RefundReject>(refundRejects)
export const BATCH_MAX = 100

/** A case as the queue shows it. */
export const eRefundRow = z.object({
  id,
  refund_no: z.string(),
  order_id: id,
  order_no: z.string(),
  title: z.string(),
  lines: z.int(),
  qty: z.int(),
  type,
  source: keysOf<RefundSource>(refundSources),
  reason_code: z.string().nullable(),
  reason: z.string(),
  amount_cents: cents,
  cap_cents: cents,
  evidence: z.int(),
  state,
  deadline_at: unix,
  created_at: unix,
  updated_at: unix,
  done_at: unix.nullable(),
  merchant_id: id,
  merchant_name: z.string(),
  city_id: id,
  city_name: z.string(),
  mid: z.int(),
  member_name: z.string().nullable(),
  /** What the merchant said last. */
  opinion: z.string().nullable(),
  claimed_by: z.int().nullable(),
  claimer_name: z.string().nullable(),
  claim_until: unix.nullable(),
  first_by: z.int().nullable(),
  first_name: z.string().nullable(),
  second_name: z.string().nullable(),
  intervened: z.boolean(),
  offline: z.boolean(),
  frozen: z.boolean(),
  /** Some of its units were sent; some arrived. */
  shipped: z.boolean(),
  received: z.boolean(),
  /** Of what comes back: that it is there, or does not move. */
  parcel: keysOf<ReturnNews>(returnNews).nullable(),
  /** Times the channel refused, what it said last, and whether money may go by hand now. */
  fails: z.int(),
  fail_code: z.string().nullable(),
  fail_text: z.string().nullable(),
  by_hand: z.union([z.literal(true), z.tuple([z.string(), z.string()])]),
  reject_code: z.string().nullable(),
  reject_reason: z.string().nullable(),
  version,
})
export type ERefundRow = z.output<typeof eRefundRow>

const picture = z.string().max(255)
const message = z.object({
  by: z.enum(['member', 'merchant', 'staff']),
  name: z.string(),
  text: z.string(),
  images: z.array(z.string()).optional(),
  at: unix,
})
/** A case as a negotiation file. */
export const eRefundDetail = z.object({
  row: eRefundRow,
  order: z.object({
    id,
    order_no: z.string(),
    kind: keysOf<OrderKind>(orderKinds),
    balance_due: z.boolean(),
    status: keysOf<OrderStatus>(orderStatuses),
    pay_cents: cents,
    paid_cents: cents,
    refunded_cents: cents,
    freight_cents: cents,
    platform_discount_cents: cents,
    points_used: z.int(),
    created_at: unix,
    paid_at: unix.nullable(),
    finished_at: unix.nullable(),
    freeze_reason: z.string().nullable(),
    remark: z.string(),
    receiver_name: guarded('order.receiver_name', z.string()),
    receiver_phone: guarded('order.receiver_phone', z.string()),
    receiver_address: guarded('order.receiver_address', z.string()),
  }),
  images: z.array(z.string()),
  lines: z.array(
    z.object({
      item_id: id,
      title: z.string(),
      image: z.string().nullable(),
      sku: z.string().nullable(),
      price_cents: cents,
      bought: z.int(),
      qty: z.int(),
      shipped_qty: z.int(),
      share_cents: cents,
      amount_cents: cents,
      platform_cents: cents,
    }),
  ),
  /**
   * Line by line what the amount is made of. `before_cents` is what other refunds of the order gave
   * or will give back.
   */
  money: z.object({
    share_cents: cents,
    given_cents: cents,
    freight_cents: cents,
    amount_cents: cents,
    cap_cents: cents,
    before_cents: cents,
    coupon: z.enum(['none', 'back', 'kept']),
    coupon_cents: cents,
    points_used: z.int(),
    points_back: z.int(),
    limit_cents: cents,
  }),
  paid: z.array(
    z.object({ channel: keysOf<PayWay>(payWays), amount_cents: cents, at: unix.nullable() }),
  ),
  payouts: z.array(
    z.object({
      out_no: z.string(),
      channel: keysOf<PayWay>(payWays),
      amount_cents: cents,
      state: z.enum(['pending', 'success', 'failed', 'closed']),
      fails: z.int(),
      fail_code: z.string().nullable(),
      fail_text: z.string().nullable(),
      at: unix,
    }),
  ),
  offline: z
    .object({ account: guarded('refund.bank_no', z.string()), proof: z.string().nullable() })
    .nullable(),
  outbound: z.array(
    z.object({
      courier: z.string(),
      tracking_no: z.string(),
      state: keysOf<ShipmentState>(shipmentStates),
      shipped_at: unix,
      signed_at: unix.nullable(),
      last: z.string().nullable(),
    }),
  ),
  /** Where it goes back to and by what parcel. */
  back: z
    .object({
      name: z.string(),
      phone: guarded('merchant.contact_phone', z.string()),
      address: z.string(),
      courier: z.string().nullable(),
      tracking_no: z.string().nullable(),
      received_at: unix.nullable(),
      condition: keysOf<ReturnCondition>(returnConditions).nullable(),
      track: z
        .object({
          state: keysOf<ParcelState>(parcelStates),
          traces: z.array(z.object({ at: unix, text: z.string() })),
          traced_at: unix.nullable(),
          sent_at: unix,
        })
        .nullable(),
    })
    .nullable(),
  policy: z.object({
    version_no: z.int(),
    refund: z.enum(['anytime', 'before_expiry', 'none']),
    after_sale_days: z.int(),
    auto_cents: cents,
    until: unix.nullable(),
  }),
  buyer: z
    .object({
      name: z.string(),
      phone: guarded('member.phone', z.string()),
      orders: z.int(),
      refunds: z.int(),
      refunds_90d: z.int(),
      refund_only: z.int(),
    })
    .nullable(),
  /** Earlier cases of this buyer, those of the same merchant or reason first. */
  past: z.array(
    z.object({
      id,
      refund_no: z.string(),
      title: z.string(),
      type,
      reason_code: z.string().nullable(),
      amount_cents: cents,
      state,
      at: unix,
      similar: z.boolean(),
    }),
  ),
  messages: z.array(message),
  /** What was done with it, oldest first; notes too. */
  steps: z.array(
    z.object({
      event: keysOf<OrderEvent>(orderEvents),
      verb: z.string().nullable(),
      who: z.string().nullable(),
      actor: z.enum(['member', 'staff', 'merchant', 'system', 'channel']),
      memo: z.string(),
      at: unix,
    }),
  ),
  /** The order that sends it again, free of charge. */
  reissue: z.object({ id, order_no: z.string() }).nullable(),
})
export type ERefundDetail = z.output<typeof eRefundDetail>

/** Tabs: stages, with `open` for all that waits and `mine` for what I hold. */
const filters = {
  state: z
    .enum(['open', 'mine', ...Object.keys(refundStates)] as ['open', 'mine', ...RefundState[]])
    .default('open'),
  /** Of e-commerce every case; of groups and campaigns what is to come back. */
  kind: z.enum(postedKinds).default('elist'),
  /** Number of a case, of an order, or of a parcel that came back. */
  keyword: text(40, 0).optional(),
  type: type.optional(),
  reason_code: reasonCode.optional(),
  city_id: id.optional(),
  mid: z.int().min(0).max(2147483647).optional(),
  merchant_id: id.optional(),
  /** Cents, both ends counted. */
  amount_from: cents.min(0).optional(),
  amount_to: cents.min(0).optional(),
  channel_failed: z.boolean().optional(),
  overdue: z.boolean().optional(),
  parcel: keysOf<ReturnNews>(returnNews).optional(),
  from: unix.optional(),
  to: unix.optional(),
}
const one = { id, version }
const changed = z.object({ id, state, version })
const touches = ['refund', 'order'] as const
const reason = text(500, 2)
const images = z.array(picture).max(9).optional()
const act = <S extends z.ZodRawShape>(
  verb: RefundVerb,
  title: readonly [string, string],
  more: S,
  at = 'order.eRefund',
) =>
  write(`order/eRefund/${verb}`, title, {
    input: z.object({ ...one, ...more }),
    output: changed,
    touches,
    scope: placed('refund', 'id'),
    permit: `${at}.${verb}`,
  })
const DETAIL = 'order.eRefund.detail'

export const eRefund = {
  lst: read('order/eRefund/lst', ['电商售后单', 'E-commerce after-sales'], {
    input: z.object({
      ...filters,
      sort: z.enum(['deadline', 'newest', 'amount']).default('deadline'),
      ...page,
    }),
    output: listOf(eRefundRow),
    touches,
    scope: placed('refund'),
    permit: 'order.eRefund.view',
  }),
  /** How many rows each tab has, within the other filters. */
  counts: read('order/eRefund/counts', ['售后单计数', 'Counts of cases'], {
    input: z.object(filters).omit({ state: true }),
    output: z.record(z.string(), z.int()),
    touches,
    scope: placed('refund'),
    permit: 'order.eRefund.view',
  }),
  /** How many cases of each kind are open. */
  kinds: read('order/eRefund/kinds', ['各类待处理售后', 'Open cases by kind'], {
    input: z.object({}),
    output: z.object(
      Object.fromEntries(postedKinds.map(kind => [kind, z.int()])) as Record<PostedKind, z.ZodInt>,
    ),
    touches,
    scope: placed('refund'),
    permit: 'order.eRefund.view',
  }),
  detail: read('order/eRefund/detail', ['电商售后详情', 'After-sale detail'], {
    input: z.object({ id }),
    output: eRefundDetail,
    touches,
    scope: placed('refund', 'id'),
    permit: 'order.eRefund.view',
  }),
  /** Merchants who have cases of mine, for the filter. */
  merchants: read('order/eRefund/merchants', ['售后商户', 'Merchants of cases'], {
    input: z.object({ keyword: text(40, 0).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['merchant'],
    scope: placed('merchant'),
    permit: 'order.eRefund.view',
  }),
  /** Where the goods of a case may be returned to. */
  addresses: read('order/eRefund/addresses', ['可选退货地址', 'Return addresses'], {
    input: z.object({ refund_id: id, keyword: text(40, 0).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['merchant'],
    scope: placed('merchant', { refund_id: 'refund' }),
    permit: 'order.eRefund.view',
  }),
  /** Couriers in use. */
  couriers: read('order/eRefund/couriers', ['可选快递', 'Couriers'], {
    input: z.object({ keyword: text(40, 0).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string(), sample: z.string() })),
    touches: ['courier'],
    scope: 'all',
    permit: 'order.eRefund.view',
  }),

  claim: act('claim', ['领取售后单', 'Claim a case'], {}),
  approve: act('approve', ['同意退款', 'Approve a refund'], {}),
  approveReturn: act('approveReturn', ['同意退货', 'Approve a return'], { address_id: id }),
  reject: act('reject', ['拒绝售后', 'Reject a case'], { reason_code: rejectCode, reason, images }),
  confirmReceive: act('confirmReceive', ['确认收到退货', 'Goods came back'], {
    condition: keysOf<ReturnCondition>(returnConditions).optional(),
  }),
  refuseReceive: act('refuseReceive', ['拒收退货', 'Refuse the goods'], { reason, images }),
  /** `consent`: the buyer's own words that agree to it. */
  changeAmount: act('changeAmount', ['协商改金额', 'Agree on another amount'], {
    amount_cents: cents.min(1),
    reason,
    consent: text(500, 2),
    images,
  }),
  secondApprove: act('secondApprove', ['复核通过', 'Second approval'], {}),
  secondReject: act('secondReject', ['复核驳回', 'Second rejection'], { reason }),
  retryPay: act('retryPay', ['重试退款打款', 'Pay again'], {}),
  intervene: act('intervene', ['平台介入', 'The platform decides'], { reason }),
  remark: act('remark', ['添加售后备注', 'Note on a case'], { text: text(500) }),
  batchApprove: write('order/eRefund/batchApprove', ['批量同意售后', 'Approve several'], {
    input: z.object({ cases: z.array(z.object(one)).min(1).max(BATCH_MAX) }),
    output: batchResult,
    touches,
    scope: placed('refund', { 'cases.id': 'refund' }),
    permit: 'order.eRefund.batchApprove',
  }),
  export: write('order/eRefund/export', ['导出售后单', 'Export'], {
    input: z.object({ ...filters, format: z.enum(['csv', 'xlsx']).default('xlsx') }),
    output: z.object({ job_id: id, rows_expected: z.int() }),
    touches: ['export'],
    scope: placed('refund'),
    permit: 'order.eRefund.export',
  }),

  fillReturnTracking: act(
    'fillReturnTracking',
    ['代填退货单号', 'Return tracking number'],
    {
      /** By its number where it is not named. */ courier_id: id.optional(),
      tracking_no: text(40, 6),
    },
    DETAIL,
  ),
  offlinePay: act(
    'offlinePay',
    ['转线下打款', 'Pay by hand'],
    { account: text(120, 4), proof: picture.min(1), reason },
    DETAIL,
  ),
  extendDeadline: act(
    'extendDeadline',
    ['延长时限', 'More time'],
    { hours: z.int().min(1).max(168), reason },
    DETAIL,
  ),
  reply: act('reply', ['回复买家', 'Reply to the buyer'], { text: text(500), images }, DETAIL),
  close: act('close', ['关闭售后', 'Close a case'], { reason }, DETAIL),
}
