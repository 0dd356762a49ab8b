import { z } from 'zod'
import { comboPolicies, type ComboPolicy } from '#src/areas/combo/combo.ts'
import {
  groupEnds,
  groupStates,
  type GroupEnd,
  type GroupState,
} from '#src/areas/group/rollGroup.ts'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import { smsStates, type SmsState } from '#src/areas/member/visitor.ts'
import {
  cancelTypes,
  codeStates,
  frozenBy,
  fulfilStates,
  orderKinds,
  orderSources,
  orderStatuses,
  orderSubKinds,
  shipmentStates,
  type CancelType,
  type CodeState,
  type FrozenBy,
  type FulfilState,
  type OrderKind,
  type OrderSource,
  type OrderStatus,
  type OrderSubKind,
  type ShipmentState,
} from '#src/areas/order/order.ts'
import { refundPolicies, type RefundPolicy } from '#src/areas/order/orderRules.ts'
import { pointsKinds, type PointsKind } from '#src/areas/points/points.ts'
import {
  depositRules,
  raiseModes,
  raiseStates,
  targetTypes,
  type DepositRule,
  type RaiseMode,
  type RaiseState,
  type TargetType,
} from '#src/areas/raise/raise.ts'
import { refundTypes, type RefundType } from '#src/areas/refund/refund.ts'
import { keysOf, cents, guarded, id, unix, version } from '#src/contract/shapes.ts'

export const orderStatus = keysOf<OrderStatus>(orderStatuses)
export const storeStatus = keysOf<StoreState>(storeStates)

/** How far a group of buyers is: whoever paid, seats that staff filled, and those needed. */
export const groupLook = z.object({
  group_no: z.string(),
  state: keysOf<GroupState>(groupStates),
  end_by: keysOf<GroupEnd>(groupEnds).nullable(),
  joined_n: z.int(),
  virtual_n: z.int(),
  need_n: z.int(),
  expire_at: unix,
})

/** A campaign, as its orders show it. */
export const raiseLook = z.object({
  title: z.string(),
  state: keysOf<RaiseState>(raiseStates),
  mode: keysOf<RaiseMode>(raiseModes),
  target_type: keysOf<TargetType>(targetTypes),
  target: cents,
  cap_units: z.int(),
  deposit_cents: cents,
  deposit_rule: keysOf<DepositRule>(depositRules),
  start_at: unix,
  end_at: unix,
  balance_end_at: unix.nullable(),
  ship_at: unix,
  promised_ship_at: unix,
  extended: z.boolean(),
})

/** What every order is: its number, its kind, how far it is. */
const orderBase = {
  id,
  version,
  order_no: z.string(),
  kind: keysOf<OrderKind>(orderKinds),
  sub_kind: keysOf<OrderSubKind>(orderSubKinds),
  source: keysOf<OrderSource>(orderSources),
  status: orderStatus,
  pay_state: z.enum(['unpaid', 'part_paid', 'paid', 'closed']),
  balance_due: z.boolean(),
  fulfil_state: keysOf<FulfilState>(fulfilStates),
  refund_state: z.enum(['none', 'refunding', 'part_refunded', 'refunded']),
  frozen: z.boolean(),
  freeze_reason: z.string().nullable(),
  frozen_by: keysOf<FrozenBy>(frozenBy).nullable(),
  cancel_type: keysOf<CancelType>(cancelTypes).nullable(),
  tags: z.array(z.string()),
  remark: z.string(),
}
/** The buyer of an order, and where it was bought. */
const partiesPart = {
  member_id: id.nullable(),
  member_name: z.string(),
  phone: guarded('member.phone', z.string()),
  claimed_at: unix.nullable(),
  city_name: z.string(),
  mall_name: z.string(),
  store_id: id,
  store_name: z.string(),
  store_status: storeStatus,
  merchant_id: id,
  merchant_name: z.string(),
  /** The merchant stopped trading: what its buyers hold can't be used any more. */
  merchant_closed: z.boolean(),
}
/** What was bought: times of codes, units of goods. */
const unitsPart = {
  title: z.string(),
  image: z.string().optional(),
  /** The first item's variant. */
  sku: z.string().nullable(),
  item_count: z.int(),
  qty: z.int(),
  used: z.int(),
  refunded: z.int(),
  refunding: z.int(),
  units: z.int(),
  shipped: z.int(),
}
/** What an order comes to, in cents. */
const sumsPart = {
  pay_cents: cents,
  paid_cents: cents,
  refunded_cents: cents,
  platform_discount_cents: cents,
  store_discount_cents: cents,
  adjust_cents: cents,
}
const timesPart = {
  created_at: unix,
  paid_at: unix.nullable(),
  finished_at: unix.nullable(),
  closed_at: unix.nullable(),
  expire_pay_at: unix,
  valid_until: unix.nullable(),
  promise_at: unix.nullable(),
}
/** Refunds of an order that wait: one that the channel refused, and the oldest to be decided. */
const refundsPart = {
  payout_failed: z.boolean(),
  to_decide: z
    .object({
      id,
      version,
      state: z.enum(['applied', 'second_audit']),
      type: keysOf<RefundType>(refundTypes),
      amount_cents: cents,
      first_by: id.nullable(),
      first_name: z.string(),
      /** More than was promised. */
      override: z.boolean(),
    })
    .nullable(),
}
/** What kinds with codes have: group buys, cards, vouchers, multi-person buys, bundles. */
const codePart = {
  /** The state of the first code. */
  code_state: keysOf<CodeState>(codeStates).nullable(),
  /** What the unused paid times are worth. */
  left_cents: cents,
  /** What the buyer was promised for what is not used; null where it is no code. */
  promise: keysOf<RefundPolicy>(refundPolicies).nullable(),
  last_used_at: unix.nullable(),
  gift: z.enum(['none', 'sent', 'received']),
}
/** What cards have: times given on top, and uses that wait for another person's word. */
const cardPart = {
  bonus: z.int(),
  times_ask: z
    .object({
      tail: z.string(),
      times: z.int(),
      worth_cents: cents,
      first_by: id,
      first_name: z.string(),
      reason: z.string(),
      at: unix,
    })
    .nullable(),
}
/** What vouchers have: their face, and the bills that they were used for. */
const voucherPart = { face_cents: cents.nullable(), bill_cents: cents.nullable() }
/** What posted kinds have: their parcels, and when the receiver was changed. */
const postedPart = {
  receive_by: unix.nullable(),
  receiver_changed_at: unix.nullable(),
  parcels: z.array(
    z.object({
      courier_name: z.string(),
      tracking_no: z.string(),
      state: keysOf<ShipmentState>(shipmentStates),
    }),
  ),
}
/** What store goods have: since when they are ready, and since when the store is urged. */
const goodsPart = { ready_at: unix.nullable(), reminded_at: unix.nullable() }
/** What multi-person buys have: their group, as it stands. */
const rollBuyPart = {
  group_id: id.nullable(),
  group_role: z.enum(['leader', 'member']).nullable(),
  group: groupLook.nullable(),
}
/** What orders of campaigns have: the campaign, and what of the price came in two parts. */
const raisePart = {
  batch_id: id.nullable(),
  raise: raiseLook.nullable(),
  dues: z
    .object({
      deposit_cents: cents,
      balance_cents: cents,
      balance: z.enum(['none', 'due', 'paid', 'lapsed']),
      until: unix.nullable(),
      kept_cents: cents,
    })
    .nullable(),
}
/** What bundles have: how they were sold, and how far each part is. */
const comboPart = {
  combo_id: id.nullable(),
  bundle: z
    .object({
      name: z.string(),
      policy: keysOf<ComboPolicy>(comboPolicies),
      parts: z.array(
        z.object({ title: z.string(), status: orderStatus, left: z.int(), closed: z.boolean() }),
      ),
    })
    .nullable(),
}
/**
 * What orders of visitors have: by what they are known, whether their codes reached them, and a
 * binding that waits for another person.
 */
const visitorPart = {
  visitor: z
    .object({
      phone: guarded('order.visitor_phone', z.string()),
      openid: guarded('order.visitor_openid', z.string()),
      sms: keysOf<SmsState>(smsStates),
      bind: z
        .object({
          member_id: id,
          name: z.string(),
          first_by: id,
          first_name: z.string(),
          reason: z.string(),
          at: unix,
        })
        .nullable(),
    })
    .nullable(),
}
/** What exchanges have: their points, what they are for, and why it could not be issued. */
const pointsPart = {
  points_used: z.int(),
  points_kind: keysOf<PointsKind>(pointsKinds).nullable(),
  issue_note: z.string().nullable(),
}
/**
 * What orders of e-cards have: who took them where no member did, how far their issue is, where
 * gifts are, and what became of their money. Cents.
 */
const cardsPart = {
  cards: z
    .object({
      channel_name: z.string().nullable(),
      face_cents: cents,
      issued: z.int(),
      waiting: z.int(),
      failed: z.int(),
      /** Cards that may go back now, that may be frozen, and that are frozen. */ givable: z.int(),
      freezable: z.int(),
      frozen: z.int(),
      extendable: z.int(),
      /** The latest end of a card; null where none has one. */ valid_until: unix.nullable(),
      movable: z.int(),
      /** A change of holder that waits for another person. */ move: z
        .object({
          id,
          tail: z.string(),
          from_name: z.string(),
          to_name: z.string(),
          first_by: id,
          first_name: z.string(),
          reason: z.string(),
          at: unix,
        })
        .nullable(),
      gifts_sent: z.int(),
      gifts_received: z.int(),
      gifts_returned: z.int(),
      spent_cents: cents,
      balance_cents: cents,
      invoice: z.enum(['none', 'asked', 'issued']),
    })
    .nullable(),
}
/** A row of any order list: what every order has, and a part for each kind, null in the others. */
export const orderRow = z.object({
  ...orderBase,
  ...partiesPart,
  ...unitsPart,
  ...sumsPart,
  ...timesPart,
  ...refundsPart,
  ...codePart,
  ...cardPart,
  ...voucherPart,
  ...postedPart,
  ...goodsPart,
  ...rollBuyPart,
  ...raisePart,
  ...comboPart,
  ...visitorPart,
  ...pointsPart,
  ...cardsPart,
})
export type OrderRow = z.output<typeof orderRow>
