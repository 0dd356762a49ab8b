import { z } from 'zod'
import { freightPayers, type FreightPayer } from '#src/areas/afterSalePolicy/policy.ts'
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
  refundSources,
  refundStates,
  refundTypes,
  returnConditions,
  type RefundSource,
  type RefundState,
  type RefundType,
  type ReturnCondition,
} from '#src/areas/refund/refund.ts'
import {
  parcelStates,
  returnNews,
  type ParcelState,
  type ReturnNews,
} from '#src/areas/shipping/track.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  keyText,
  open,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

export const state = keysOf<RefundState>(refundStates)
export const type = keysOf<RefundType>(refundTypes)
/** The code of a reason, built in or of /config/afterSales. */
export const reasonCode = keyText(32, 1)
export const rejectCode = text(32)

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
  member_id: id.nullable(),
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
  /** Whether what comes back is there, or does not move. */
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

export const picture = keyText(255)
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
      address: open('Where goods go back to', z.string()),
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
    /** Null of what was sold before there were policies. */
    freight_payer: keysOf<FreightPayer>(freightPayers).nullable(),
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
