import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  varchar,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { rewardStates, type RewardState } from '#src/areas/group/rollGroup.ts'
import { member, merchant, return_address, store } from '#src/areas/merchant/merchant.table.ts'
import { points_goods } from '#src/areas/points/points.table.ts'
import { product, product_sku, store_stock } from '#src/areas/product/product.table.ts'
import {
  depositRules,
  forfeitCauses,
  raiseEnds,
  raiseModes,
  raiseStates,
  targetTypes,
  type DepositRule,
  type ForfeitCause,
  type RaiseEnd,
  type RaiseMode,
  type RaiseState,
  type TargetType,
} from '#src/areas/raise/raise.ts'
import {
  refundCauses,
  refundSources,
  refundStates,
  refundTypes,
  returnConditions,
  type RefundCause,
  type RefundSource,
  type RefundState,
  type RefundType,
  type ReturnCondition,
} from '#src/areas/refund/refund.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import type { ReturnTrack, Trace } from '#src/areas/shipping/track.ts'
import { base, cents, unix } from '#src/server/db/columns.ts'
import { configScopes, type ConfigScope } from './configScope.ts'
import {
  cancelTypes,
  codeStates,
  frozenBy,
  fulfilStates,
  itemWays,
  messageKinds,
  orderEvents,
  orderKinds,
  orderStatuses,
  orderSubKinds,
  payWays,
  reviewers,
  settleStates,
  shipmentStates,
  timesAskStates,
  type CancelType,
  type CodeState,
  type FrozenBy,
  type FulfilState,
  type Invoice,
  type ItemWay,
  type MessageKind,
  type OrderEvent,
  type OrderKind,
  type OrderStatus,
  type OrderSubKind,
  type PayWay,
  type Receiver,
  type Reviewer,
  type Rider,
  type SettleState,
  type ShipmentState,
  type TimesAskState,
} from './order.ts'
import { type OrderRules } from './orderRules.ts'

const keys = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]]

/**
 * What a list asks of an order beyond what it is found by: an index that holds it answers alone,
 * and of ten thousand orders that are counted none is read.
 */
const told = (t: Record<'id' | 'status' | 'city_id' | 'mall_id', AnyPgColumn>) =>
  [t.id, t.status, t.city_id, t.mall_id] as const
/** `status` is derived from the four facts before it (domain/order.ts) and never typed. */
export const order = pgTable(
  'order',
  {
    ...base,
    order_no: text().notNull(),
    kind: text({ enum: keys<OrderKind>(orderKinds) }).notNull(),
    sub_kind: text({ enum: keys<OrderSubKind>(orderSubKinds) })
      .notNull()
      .default('code'),
    /** Null for a visitor who has not been bound to a member. */
    member_id: integer().references(() => member.id),
    visitor_phone: text(),
    visitor_openid: text(),
    /** When a visitor's order was bound to a member; the mark of a visitor's order stays. */
    claimed_at: unix(),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    store_id: integer()
      .notNull()
      .references(() => store.id),
    source: text({ enum: ['mini_program', 'h5', 'live', 'qr', 'api', 'admin'] }).notNull(),
    total_cents: cents().notNull(),
    freight_cents: cents().notNull().default(0),
    store_discount_cents: cents().notNull().default(0),
    platform_discount_cents: cents().notNull().default(0),
    /** A price changed by staff before payment, once; below zero makes it cheaper. */
    adjust_cents: cents().notNull().default(0),
    points_used: integer().notNull().default(0),
    coupon_grant_id: integer(),
    pay_cents: cents().notNull(),
    paid_cents: cents().notNull().default(0),
    refunded_cents: cents().notNull().default(0),
    pay_state: text({ enum: ['unpaid', 'part_paid', 'paid', 'closed'] }).notNull(),
    balance_due: boolean().notNull().default(false),
    fulfil_state: text({ enum: keys<FulfilState>(fulfilStates) }).notNull(),
    refund_state: text({ enum: ['none', 'refunding', 'part_refunded', 'refunded'] }).notNull(),
    frozen: boolean().notNull().default(false),
    freeze_reason: text(),
    frozen_by: text({ enum: keys<FrozenBy>(frozenBy) }),
    /** The risk hit that froze it: only that one's release gives it free. */
    freeze_hit_id: integer().references(() => risk_hit.id),
    status: text({ enum: keys<OrderStatus>(orderStatuses) }).notNull(),
    cancel_type: text({ enum: keys<CancelType>(cancelTypes) }),
    /** Until when it must be paid; once a balance is due, until when that must be. */
    expire_pay_at: unix().notNull(),
    paid_at: unix(),
    finished_at: unix(),
    closed_at: unix(),
    valid_until: unix(),
    /** The version of each agreement that the member consented to, by its type. */
    agreements: jsonb().$type<Readonly<Record<string, number>>>().notNull().default({}),
    /**
     * The short link that the order is counted for: the last that its device opened within 7 days
     * before.
     */
    h5_link_id: integer(),
    /** The device it was placed on; null where none was told. */
    device_id: varchar({ length: 40 }),
    /**
     * The live room that the order is counted for: where its member last opened the product, within
     * 24 hours before.
     */
    live_room_id: integer(),
    roll_group_id: integer().references(() => roll_group.id),
    group_role: text({ enum: ['leader', 'member'] }),
    raise_batch_id: integer().references(() => raise_batch.id),
    combo_id: integer().references(() => combo.id),
    /** The rules of its kind when it was made: later ones never change its timers or rights. */
    config_version: integer().notNull().default(0),
    receiver: jsonb().$type<Receiver | null>(),
    receiver_changed_at: unix(),
    /** What the buyer wrote. Staff's notes are in order_log. */
    remark: text().notNull().default(''),
    tags: jsonb().$type<string[]>().notNull().default([]),
    /** The invoice that the buyer asked for, if any. */
    invoice: jsonb().$type<Invoice | null>(),
    /** When the goods must be ready or shipped; null for what needs neither. */
    promise_at: unix(),
    ready_at: unix(),
    /** After this what was shipped counts as received. */
    receive_by: unix(),
    receive_extended: integer().notNull().default(0),
    /** What its merchant owes because a parcel left past the promise. */
    late_penalty_cents: cents().notNull().default(0),
    /** When its store was last urged. */
    reminded_at: unix(),
    /** Who of the store brings it, and since when they are on the way. */
    rider: jsonb().$type<Rider | null>(),
    dispatched_at: unix(),
    /** The order that this one sends again, free of charge. */
    reissue_of: integer(),
    /**
     * What its lists are filtered by, counted with its facts: the face of a voucher, whether
     * anything was shipped or used, whether a refund of it waits for a decision, when it was last
     * redeemed.
     */
    face_cents: cents(),
    begun: boolean().notNull().default(false),
    deciding: boolean().notNull().default(false),
    used_at: unix(),
    /** When what was received was reviewed, once, and whose review it is. */
    reviewed_at: unix(),
    review_by: text({ enum: keys<Reviewer>(reviewers) }),
  },
  t => [
    check(
      'order_money',
      sql`${t.refunded_cents} <= ${t.paid_cents} and ${t.pay_cents} = ${t.total_cents} + ${t.freight_cents} + ${t.adjust_cents} - ${t.store_discount_cents} - ${t.platform_discount_cents}`,
    ),
    uniqueIndex('order_no_once').on(t.order_no),
    index('order_by_kind').on(t.kind, t.created_at, t.id),
    index('order_by_status').on(t.kind, t.status, t.created_at, t.id),
    index('order_by_payment').on(t.paid_at, t.city_id),
    index('order_paid').on(t.kind, t.paid_at, t.status, t.created_at),
    index('order_issue_failed')
      .on(t.kind, t.created_at)
      .where(sql`fulfil_state = 'issue_failed'`),
    index('order_by_creation').on(t.created_at, t.status, t.city_id),
    index('order_by_merchant').on(t.merchant_id, t.kind, t.created_at),
    index('order_by_merchant_status').on(t.merchant_id, t.kind, t.status, t.created_at),
    index('order_by_member').on(t.member_id, t.created_at, t.id),
    index('order_by_device')
      .on(t.device_id, t.created_at)
      .where(sql`device_id is not null`),
    index('order_by_h5_link')
      .on(t.h5_link_id, t.created_at)
      .where(sql`h5_link_id is not null`),
    index('order_by_store').on(t.store_id, t.kind, t.created_at, ...told(t)),
    index('order_by_store_status').on(t.store_id, t.kind, t.status, t.created_at),
    index('order_by_mall').on(t.mall_id, t.kind, t.created_at),
    index('order_by_mall_status').on(t.mall_id, t.kind, t.status, t.created_at),
    index('order_by_city').on(t.city_id, t.kind, t.created_at),
    index('order_by_city_status').on(t.city_id, t.kind, t.status, t.created_at),
    index('order_by_group')
      .on(t.roll_group_id)
      .where(sql`roll_group_id is not null`),
    index('order_by_batch')
      .on(t.raise_batch_id, t.kind, t.created_at, ...told(t))
      .where(sql`raise_batch_id is not null`),
    index('order_by_combo')
      .on(t.combo_id, t.kind, t.created_at, ...told(t))
      .where(sql`combo_id is not null`),
    index('order_by_visitor')
      .on(t.visitor_phone, t.created_at)
      .where(sql`visitor_phone is not null`),
    index('order_by_visitor_tail')
      .on(sql`right(visitor_phone, 4)`, t.created_at, t.id)
      .where(sql`visitor_phone is not null`),
    index('order_by_openid')
      .on(t.visitor_openid)
      .where(sql`visitor_openid is not null`),
    index('order_late_paid')
      .on(t.kind, t.created_at)
      .where(sql`cancel_type = 'late_pay'`),
    index('order_by_receiver')
      .on(sql`(receiver->>'phone')`, t.created_at)
      .where(sql`receiver is not null`),
    index('order_by_receiver_tail')
      .on(sql`right(receiver->>'phone', 4)`, t.created_at, t.id)
      .where(sql`receiver is not null`),
    index('order_tagged')
      .on(t.kind, t.created_at, t.tags, ...told(t))
      .where(sql`tags <> '[]'`),
    index('order_told').on(
      t.id,
      t.kind,
      t.created_at,
      t.status,
      t.city_id,
      t.mall_id,
      t.fulfil_state,
    ),
    index('order_frozen')
      .on(t.kind, t.created_at)
      .where(sql`frozen`),
    index('order_refunding')
      .on(t.kind, t.created_at)
      .where(sql`refund_state = 'refunding'`),
    index('order_part_refunding')
      .on(t.kind, t.created_at)
      .where(sql`refund_state = 'refunding' and begun`),
    index('order_deciding')
      .on(t.kind, t.created_at)
      .where(sql`deciding`),
    index('order_unclaimed')
      .on(t.kind, t.created_at, ...told(t))
      .where(sql`member_id is null`),
    index('order_by_visitor_channel')
      .on(t.source, t.created_at, ...told(t))
      .where(sql`kind = 'visitor'`),
    index('order_by_visitor_source')
      .on(t.source, t.status, t.created_at)
      .where(sql`kind = 'visitor'`),
    index('order_group_unused')
      .on(t.kind, t.created_at)
      .where(sql`fulfil_state = 'waiting_use' and roll_group_id is not null`),
    index('order_by_face')
      .on(t.face_cents, t.kind, t.created_at, ...told(t))
      .where(sql`face_cents is not null`),
    index('order_to_use')
      .on(t.kind, t.created_at, t.id, t.used_at, t.paid_at, t.city_id, t.mall_id)
      .where(sql`fulfil_state in ('waiting_use', 'part_used')`),
    index('order_to_use_at')
      .on(t.merchant_id, t.kind, t.created_at, ...told(t))
      .where(sql`fulfil_state in ('waiting_use', 'part_used')`),
    index('order_unpaid')
      .on(t.expire_pay_at)
      .where(sql`pay_state = 'unpaid'`),
    index('order_balance_due')
      .on(t.expire_pay_at)
      .where(sql`balance_due`),
    index('order_promised')
      .on(
        t.kind,
        t.created_at,
        t.promise_at,
        t.id,
        t.fulfil_state,
        t.refund_state,
        t.status,
        t.city_id,
        t.mall_id,
        t.ready_at,
      )
      .where(
        sql`promise_at is not null and fulfil_state in ('waiting_ship', 'part_shipped', 'waiting_pickup', 'part_used')`,
      ),
    index('order_expiring')
      .on(t.kind, t.valid_until, t.created_at, t.id, t.city_id, t.mall_id)
      .where(sql`fulfil_state in ('waiting_use', 'part_used')`),
    index('order_waiting_group')
      .on(t.kind, t.created_at, t.roll_group_id, ...told(t))
      .where(sql`fulfil_state = 'waiting_group'`),
    index('order_waiting_raise')
      .on(t.raise_batch_id, t.kind, t.created_at, ...told(t))
      .where(sql`fulfil_state = 'waiting_group' and raise_batch_id is not null`),
    index('order_address_changed')
      .on(t.kind, t.created_at)
      .where(sql`receiver_changed_at is not null`),
    index('order_by_reissue')
      .on(t.reissue_of)
      .where(sql`reissue_of is not null`),
    index('order_parts_to_receive')
      .on(t.receive_by)
      .where(sql`kind = 'combo' and fulfil_state in ('waiting_use', 'part_used')`),
    index('order_to_receive')
      .on(t.receive_by)
      .where(sql`fulfil_state in ('shipped', 'delivering')`),
    index('order_by_live_room')
      .on(t.live_room_id)
      .where(sql`live_room_id is not null`),
    index('order_to_review')
      .on(t.finished_at)
      .where(
        sql`reviewed_at is null and fulfil_state = 'finished' and sub_kind in ('express', 'full', 'deposit')`,
      ),
  ],
)

export const order_item = pgTable(
  'order_item',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    /**
     * Its order's, whose `created_at` is its own too: by both an order is found through what it
     * sold.
     */
    kind: text({ enum: keys<OrderKind>(orderKinds) }).notNull(),
    product_id: integer()
      .notNull()
      .references(() => product.id),
    sku_id: integer().references(() => product_sku.id),
    /** What its store has of it, where stores count their own. */
    store_stock_id: integer().references(() => store_stock.id),
    /** What was exchanged for points. */
    points_goods_id: integer().references(() => points_goods.id),
    /** The product as it was sold; a later version never changes it. */
    snapshot: jsonb().$type<Record<string, unknown>>().notNull(),
    title: text().notNull(),
    store_id: integer().notNull(),
    qty: integer().notNull(),
    price_cents: cents().notNull(),
    pay_cents: cents().notNull(),
    platform_cents: cents().notNull().default(0),
    used_qty: integer().notNull().default(0),
    refunding_qty: integer().notNull().default(0),
    refunded_qty: integer().notNull().default(0),
    shipped_qty: integer().notNull().default(0),
    received_qty: integer().notNull().default(0),
    refunded_cents: cents().notNull().default(0),
    /** How many of the refunded ones went back on sale. */
    stock_returned: integer().notNull().default(0),
    fulfil: text({ enum: keys<ItemWay>(itemWays) }).notNull(),
    /** Of what is issued by a channel: vouchers, e-cards. */
    issue_state: text({ enum: ['none', 'issuing', 'issued', 'failed'] })
      .notNull()
      .default('none'),
    issue_note: text(),
  },
  t => [
    index('order_item_by_order').on(t.order_id),
    index('order_item_by_product').on(t.product_id, t.kind, t.created_at, t.order_id),
    index('order_item_of_bundle')
      .on(t.store_id, t.created_at, t.order_id)
      .where(sql`kind = 'combo'`),
    index('order_item_open_of_bundle')
      .on(t.store_id, t.created_at, t.order_id)
      .where(sql`kind = 'combo' and used_qty + refunded_qty < qty`),
    index('order_item_by_points_goods')
      .on(t.points_goods_id, t.kind, t.created_at, t.order_id)
      .where(sql`points_goods_id is not null`),
  ],
)

export const order_code = pgTable(
  'order_code',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    item_id: integer()
      .notNull()
      .references(() => order_item.id),
    product_id: integer().notNull(),
    code: text().notNull(),
    kind: text({
      enum: ['bulks', 'roll_buy', 'card', 'voucher', 'pickup', 'combo', 'points', 'visitor'],
    }).notNull(),
    /** When its order was placed: lists of orders find it here in their order. */
    ordered_at: unix().notNull(),
    times_total: integer().notNull(),
    times_bonus: integer().notNull().default(0),
    times_used: integer().notNull().default(0),
    times_refunding: integer().notNull().default(0),
    times_refunded: integer().notNull().default(0),
    pay_cents: cents().notNull(),
    platform_cents: cents().notNull().default(0),
    settle_cents: cents().notNull(),
    refunded_cents: cents().notNull().default(0),
    /**
     * Paid times that are neither used nor refunded nor in refund, and what they are worth: the
     * last of them takes the rest, so that all sums meet to the cent.
     */
    left_times: integer().notNull(),
    left_pay_cents: cents().notNull(),
    left_platform_cents: cents().notNull().default(0),
    left_settle_cents: cents().notNull(),
    /** Who holds it now, when it was given away. */
    holder_id: integer(),
    gift_state: text({ enum: ['none', 'sent', 'received'] })
      .notNull()
      .default('none'),
    /** Days that it stays valid after its first use; what its validity was before that. */
    first_use_days: integer(),
    valid_before_use: unix(),
    valid_from: unix().notNull(),
    valid_until: unix().notNull(),
    state: text({ enum: keys<CodeState>(codeStates) }).notNull(),
  },
  t => [
    check(
      'order_code_left',
      sql`${t.left_times} >= 0 and ${t.left_pay_cents} >= 0 and ${t.left_platform_cents} >= 0 and ${t.left_settle_cents} >= 0 and (${t.left_times} > 0 or ${t.left_pay_cents} = 0)`,
    ),
    check(
      'order_code_times',
      sql`${t.times_used} + ${t.times_refunding} + ${t.times_refunded} <= ${t.times_total} + ${t.times_bonus}`,
    ),
    uniqueIndex('order_code_once').on(t.code),
    index('order_code_by_order').on(t.order_id),
    index('order_code_by_product').on(t.product_id, t.state, t.valid_until),
    index('order_code_gifted')
      .on(t.kind, t.ordered_at, t.order_id)
      .where(sql`gift_state = 'sent'`),
    index('order_code_lying')
      .on(t.order_id)
      .where(sql`state = 'expired' and left_times > 0`),
    index('order_code_to_expire')
      .on(t.valid_until)
      .where(sql`state in ('unused', 'part_used')`),
  ],
)

export const verify_record = pgTable(
  'verify_record',
  {
    ...base,
    code_id: integer()
      .notNull()
      .references(() => order_code.id),
    order_id: integer().notNull(),
    /** When its order was placed: by it an order is found through what was redeemed of it. */
    ordered_at: unix().notNull(),
    item_id: integer().notNull(),
    product_id: integer().notNull(),
    kind: text({ enum: keys<OrderKind>(orderKinds) }).notNull(),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    store_id: integer().notNull(),
    way: text({ enum: ['scan', 'input', 'platform', 'api', 'auto'] }).notNull(),
    /** The clerk who redeemed it; null for the platform's own and automatic ones. */
    verifier_id: integer(),
    /** The member of staff who redeemed it for the store: the same person may not reverse it. */
    admin_id: integer(),
    times: integer().notNull(),
    /**
     * Of these times those that were paid for; the others were given on top and are worth nothing.
     */
    paid_times: integer().notNull(),
    pay_cents: cents().notNull(),
    platform_cents: cents().notNull().default(0),
    commission_cents: cents().notNull(),
    settle_cents: cents().notNull(),
    /** The bill that a voucher was used for. */
    bill_no: text(),
    bill_cents: cents(),
    /** Whether further ones that hold are on its bill: of one store, number and Shanghai day. */
    bill_many: boolean().notNull().default(false),
    distance_m: integer(),
    abnormal: boolean().notNull().default(false),
    abnormal_reason: text(),
    state: text({ enum: ['valid', 'reversed'] }).notNull(),
    verified_at: unix().notNull(),
    reversed_at: unix(),
    reversed_by: integer(),
    reverse_reason: text(),
    settle_state: text({ enum: keys<SettleState>(settleStates) })
      .notNull()
      .default('holding'),
    /** Until then the money is on hold. */
    hold_until: unix().notNull(),
  },
  t => [
    index('verify_by_time').on(t.verified_at, t.city_id),
    index('verify_by_store').on(t.store_id, t.kind, t.verified_at),
    index('verify_by_code').on(t.code_id),
    index('verify_by_verifier').on(t.verifier_id, t.verified_at),
    index('verify_by_order').on(t.order_id),
    index('verify_by_kind').on(t.kind, t.verified_at, t.id),
    index('verify_by_settle').on(t.kind, t.settle_state, t.verified_at, t.id),
    index('verify_far')
      .on(t.kind, t.verified_at)
      .where(sql`distance_m > 1000`),
    index('verify_by_bill')
      .on(t.store_id, t.bill_no)
      .where(sql`bill_no is not null`),
    index('verify_many_on_bill')
      .on(t.kind, t.ordered_at, t.order_id, t.city_id, t.mall_id)
      .where(sql`bill_many and state = 'valid'`),
    index('verify_abnormal')
      .on(t.kind, t.verified_at)
      .where(sql`abnormal`),
    index('verify_abnormal_of_order')
      .on(t.kind, t.ordered_at, t.order_id, t.city_id, t.mall_id)
      .where(sql`abnormal`),
    index('verify_held')
      .on(t.hold_until)
      .where(sql`settle_state = 'holding'`),
  ],
)

/** 退款/售后单: what is asked back, decided and paid out; its steps are in domain/refund.ts. */
export const refund = pgTable(
  'refund',
  {
    ...base,
    refund_no: text().notNull(),
    order_id: integer()
      .notNull()
      .references(() => order.id),
    order_kind: text({ enum: keys<OrderKind>(orderKinds) }).notNull(),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    merchant_id: integer().notNull(),
    member_id: integer(),
    type: text({ enum: keys<RefundType>(refundTypes) }).notNull(),
    source: text({ enum: keys<RefundSource>(refundSources) }).notNull(),
    cause: text({ enum: keys<RefundCause>(refundCauses) }).notNull(),
    reason_code: text(),
    reason: text().notNull(),
    images: jsonb().$type<string[]>().notNull().default([]),
    amount_cents: cents().notNull(),
    freight_cents: cents().notNull().default(0),
    /**
     * The most that it may pay back: what its units are worth, and the freight where that is owed.
     */
    cap_cents: cents().notNull(),
    /** The one payment that it goes back to; null: to all in proportion to what is left on each. */
    payment_id: integer(),
    /** Of a deposit what stays with the seller, as was promised. */
    kept_cents: cents().notNull().default(0),
    coupon_back: boolean().notNull().default(false),
    /** Of a bundle: given back though its policy says no, which a second person agrees to. */
    policy_override: boolean().notNull().default(false),
    points_back: integer().notNull().default(0),
    state: text({ enum: keys<RefundState>(refundStates) }).notNull(),
    /** Whoever works on it, until then. */
    claimed_by: integer(),
    claim_until: unix(),
    first_by: integer(),
    second_by: integer(),
    decided_at: unix(),
    reject_code: text(),
    reject_reason: text(),
    return_address_id: integer().references(() => return_address.id),
    return_courier: text(),
    return_tracking_no: text(),
    /** Where the courier says it is; null until its number is known. */
    return_track: jsonb().$type<ReturnTrack | null>(),
    return_received_at: unix(),
    return_condition: text({ enum: keys<ReturnCondition>(returnConditions) }),
    deadline_at: unix().notNull(),
    /** The platform decides in the merchant's place. */
    intervened: boolean().notNull().default(false),
    /**
     * Paid by hand: asked for by `first_by`, agreed to by `second_by`; the channel is never asked
     * again.
     */
    offline: boolean().notNull().default(false),
    offline_account: text(),
    offline_proof: text(),
    messages: jsonb().$type<RefundMessage[]>().notNull().default([]),
    /** The same key never opens a second refund. */
    idem_key: text(),
    done_at: unix(),
  },
  t => [
    check('refund_second_is_another', sql`${t.second_by} <> ${t.first_by}`),
    check('refund_within_cap', sql`${t.amount_cents} >= 0 and ${t.amount_cents} <= ${t.cap_cents}`),
    uniqueIndex('refund_no_once').on(t.refund_no),
    uniqueIndex('refund_key_once').on(t.idem_key),
    index('refund_by_state').on(t.state, t.deadline_at, t.id),
    index('refund_by_kind').on(t.order_kind, t.state, t.deadline_at, t.id),
    index('refund_by_creation').on(t.order_kind, t.created_at, t.id),
    index('refund_by_done').on(t.done_at, t.city_id),
    index('refund_open')
      .on(t.order_kind, t.deadline_at, t.id)
      .where(
        sql`state in ('applied', 'second_audit', 'wait_return', 'returning', 'paying', 'pay_failed')`,
      ),
    index('refund_by_change').on(t.order_kind, t.state, t.updated_at, t.id),
    index('refund_by_amount').on(t.order_kind, t.amount_cents, t.id),
    index('refund_by_reason').on(t.order_kind, t.reason_code, t.created_at, t.id),
    index('refund_by_order').on(t.order_id),
    index('refund_late')
      .on(t.order_id)
      .where(sql`cause = 'late_pay' and state <> 'done'`),
    index('refund_by_merchant').on(t.merchant_id, t.created_at),
    index('refund_by_city').on(t.city_id, t.order_kind, t.created_at),
    index('refund_by_mall').on(t.mall_id, t.order_kind, t.created_at),
    index('refund_by_type').on(t.order_kind, t.type, t.created_at, t.id),
    index('refund_by_claimer')
      .on(t.claimed_by, t.claim_until)
      .where(sql`claimed_by is not null`),
    index('refund_by_return')
      .on(t.return_tracking_no)
      .where(sql`return_tracking_no is not null`),
    index('refund_by_member').on(t.member_id, t.created_at),
  ],
)

export type RefundMessage = {
  by: 'member' | 'merchant' | 'staff'
  name: string
  text: string
  images?: string[]
  at: number
}

/** What of an order is refunded: codes with their times, or a number of units of an item. */
export const refund_item = pgTable(
  'refund_item',
  {
    ...base,
    refund_id: integer()
      .notNull()
      .references(() => refund.id),
    item_id: integer()
      .notNull()
      .references(() => order_item.id),
    code_id: integer().references(() => order_code.id),
    /** Units; of a code its times, paid and given ones. */
    qty: integer().notNull(),
    /** Of a code those of them that were paid for. */
    paid_times: integer().notNull().default(0),
    /** Of an item those that were shipped already. */
    shipped_qty: integer().notNull().default(0),
    /**
     * What they are worth; `amount_cents` is what is paid back for them, less where less was
     * agreed.
     */
    share_cents: cents().notNull(),
    amount_cents: cents().notNull(),
    platform_cents: cents().notNull().default(0),
    settle_cents: cents().notNull().default(0),
  },
  t => [
    check('refund_item_within_share', sql`${t.amount_cents} <= ${t.share_cents}`),
    index('refund_item_by_refund').on(t.refund_id),
    index('refund_item_by_item').on(t.item_id),
    index('refund_item_by_code').on(t.code_id),
  ],
)

/** 支付流水: money in, and money back out of what came in. */
export const payment = pgTable(
  'payment',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    refund_id: integer().references(() => refund.id),
    direction: text({ enum: ['in', 'out'] }).notNull(),
    stage: text({ enum: ['full', 'deposit', 'balance', 'refund'] }).notNull(),
    channel: text({ enum: keys<PayWay>(payWays) }).notNull(),
    amount_cents: cents().notNull(),
    fee_cents: cents().notNull().default(0),
    /** Our number: the channel pays it once however often it is sent. */
    out_no: text().notNull(),
    channel_no: text(),
    /** Of money out: the payment that it goes back to. */
    parent_id: integer(),
    state: text({ enum: ['pending', 'success', 'failed', 'closed'] }).notNull(),
    fail_code: text(),
    fail_text: text(),
    tries: integer().notNull().default(0),
    /** How often the channel refused it. */
    fails: integer().notNull().default(0),
    /** When the channel is asked next. */
    ask_at: unix(),
    success_at: unix(),
  },
  t => [
    uniqueIndex('payment_no_once').on(t.out_no),
    uniqueIndex('payment_out_once')
      .on(t.refund_id, t.parent_id)
      .where(sql`direction = 'out' and state in ('pending', 'success')`),
    index('payment_by_order').on(t.order_id),
    index('payment_by_refund')
      .on(t.refund_id)
      .where(sql`refund_id is not null`),
    index('payment_refused')
      .on(t.refund_id)
      .where(sql`fails > 0`),
    index('payment_waiting')
      .on(t.ask_at)
      .where(sql`state = 'pending' and direction = 'out'`),
  ],
)

/**
 * 发放记录: what a channel was asked to issue, each under a number of its own. Of one item at most one
 * is under way or done.
 */
export const issue_attempt = pgTable(
  'issue_attempt',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    item_id: integer()
      .notNull()
      .references(() => order_item.id),
    out_no: text().notNull(),
    state: text({ enum: ['pending', 'success', 'failed'] }).notNull(),
    /** What the channel said last, in its own words; of a success its number. */
    answer: text().notNull().default(''),
    channel_no: text(),
    tries: integer().notNull().default(0),
    ask_at: unix(),
    answered_at: unix(),
    /** Who of staff asked for it again, and why. */
    asked_by: integer(),
    reason: text(),
  },
  t => [
    uniqueIndex('issue_attempt_no_once').on(t.out_no),
    uniqueIndex('issue_attempt_one')
      .on(t.item_id)
      .where(sql`state in ('pending', 'success')`),
    index('issue_attempt_by_order').on(t.order_id),
    index('issue_attempt_waiting')
      .on(t.ask_at)
      .where(sql`state = 'pending'`),
  ],
)

/** 包裹 */
export const shipment = pgTable(
  'shipment',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    /** Its order's kind, and when that was placed. */
    kind: text({ enum: keys<OrderKind>(orderKinds) }).notNull(),
    ordered_at: unix().notNull(),
    /** The courier's code. */
    courier: text().notNull(),
    tracking_no: text().notNull(),
    items: jsonb().$type<{ item_id: number; qty: number }[]>().notNull(),
    receiver: jsonb().$type<Receiver | null>(),
    state: text({ enum: keys<ShipmentState>(shipmentStates) }).notNull(),
    traces: jsonb().$type<Trace[]>().notNull().default([]),
    traced_at: unix(),
    /** When its courier was asked last, whatever came of it; 0: never. */
    asked_at: unix().notNull().default(0),
    shipped_by: integer(),
    shipped_at: unix().notNull(),
    signed_at: unix(),
  },
  t => [
    index('shipment_by_order').on(t.order_id),
    index('shipment_by_tracking').on(t.tracking_no),
    index('shipment_problem')
      .on(t.kind, t.ordered_at, t.order_id)
      .where(sql`state = 'problem'`),
    index('shipment_moving')
      .on(t.asked_at)
      .where(sql`state in ('shipped', 'transit', 'delivering')`),
  ],
)

/**
 * A visitor's order is given to a member: at once where the phone is the member's, else when
 * another person agrees.
 */
export const order_bind = pgTable(
  'order_bind',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    /** When its order was placed, and where. */
    ordered_at: unix().notNull(),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    state: text({ enum: ['asked', 'bound', 'refused', 'undone'] }).notNull(),
    first_by: integer().notNull(),
    reason: text().notNull(),
    second_by: integer(),
    second_reason: text(),
    bound_at: unix(),
  },
  t => [
    check('order_bind_second_is_another', sql`${t.second_by} <> ${t.first_by}`),
    uniqueIndex('order_bind_once')
      .on(t.order_id)
      .where(sql`state in ('asked', 'bound')`),
    index('order_bind_by_order').on(t.order_id, t.id),
    index('order_bind_asked')
      .on(t.ordered_at, t.order_id, t.city_id, t.mall_id)
      .where(sql`state = 'asked'`),
  ],
)

/**
 * Uses of a card that would be given on top, above the limit of whoever asks: another person
 * agrees, or not.
 */
export const times_ask = pgTable(
  'times_ask',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    /** When its order was placed. */
    ordered_at: unix().notNull(),
    code_id: integer()
      .notNull()
      .references(() => order_code.id),
    times: integer().notNull(),
    /** What they were worth when they were asked for, with all that had been given before. */
    worth_cents: cents().notNull(),
    state: text({ enum: keys<TimesAskState>(timesAskStates) }).notNull(),
    first_by: integer().notNull(),
    reason: text().notNull(),
    second_by: integer(),
    second_reason: text(),
  },
  t => [
    check('times_ask_second_is_another', sql`${t.second_by} <> ${t.first_by}`),
    uniqueIndex('times_ask_once')
      .on(t.order_id)
      .where(sql`state = 'asked'`),
    index('times_ask_by_order').on(t.order_id, t.id),
    index('times_ask_asked')
      .on(t.ordered_at, t.order_id)
      .where(sql`state = 'asked'`),
  ],
)

/** 拼团 */
export const roll_group = pgTable(
  'roll_group',
  {
    ...base,
    group_no: text().notNull(),
    product_id: integer()
      .notNull()
      .references(() => product.id),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    need_n: integer().notNull(),
    /** Paid orders that are not wholly refunded; never above need_n. */
    joined_n: integer().notNull().default(0),
    /** Seats that staff filled when they declared it formed: no order stands behind them. */
    virtual_n: integer().notNull().default(0),
    group_price_cents: cents().notNull(),
    single_price_cents: cents().notNull(),
    expire_at: unix().notNull(),
    state: text({ enum: ['forming', 'success', 'failed'] }).notNull(),
    end_by: text({ enum: ['full', 'force', 'timeout', 'dissolve'] }),
    ended_at: unix(),
    /** Who of staff ended it, and why. */
    ended_by: integer(),
    end_reason: text(),
    extended: boolean().notNull().default(false),
    /** Whoever leads it has one unit free, once all of it is through; what that came to. */
    leader_free: boolean().notNull().default(false),
    reward_state: text({ enum: keys<RewardState>(rewardStates) })
      .notNull()
      .default('none'),
    reward_cents: cents(),
  },
  t => [
    check(
      'roll_group_seats',
      sql`${t.joined_n} >= 0 and ${t.joined_n} + ${t.virtual_n} <= ${t.need_n}`,
    ),
    uniqueIndex('roll_group_no_once').on(t.group_no),
    index('roll_group_by_state').on(t.state, t.expire_at, t.id),
    index('roll_group_by_city').on(t.city_id, t.id, t.state, t.mall_id),
    index('roll_group_by_product').on(t.product_id, t.id, t.state, t.city_id, t.mall_id),
    index('roll_group_rewards')
      .on(t.reward_state, t.id)
      .where(sql`reward_state in ('due', 'clawed')`),
  ],
)

/** 众筹场次 */
export const raise_batch = pgTable(
  'raise_batch',
  {
    ...base,
    product_id: integer()
      .notNull()
      .references(() => product.id),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    title: text().notNull(),
    target_type: text({ enum: keys<TargetType>(targetTypes) }).notNull(),
    target: cents().notNull(),
    cap_units: integer().notNull(),
    /**
     * Units that orders hold, paid or not: no more than the cap. What was raised is counted from
     * orders, never here.
     */
    taken_units: integer().notNull().default(0),
    mode: text({ enum: keys<RaiseMode>(raiseModes) }).notNull(),
    /** Of a unit. */
    deposit_cents: cents().notNull().default(0),
    deposit_rule: text({ enum: keys<DepositRule>(depositRules) })
      .notNull()
      .default('refund'),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    balance_end_at: unix(),
    ship_at: unix().notNull(),
    /** The day of shipping that was promised first. */
    promised_ship_at: unix().notNull(),
    extended: boolean().notNull().default(false),
    state: text({ enum: keys<RaiseState>(raiseStates) }).notNull(),
    /** Who asks for success below the target; another person must agree. */
    declare_by: integer(),
    declare_reason: text(),
    declare_at: unix(),
    /** How the raising ended, when, and who of staff ended it and why. */
    end_by: text({ enum: keys<RaiseEnd>(raiseEnds) }),
    ended_at: unix(),
    ended_by: integer(),
    end_reason: text(),
  },
  t => [
    check('raise_batch_cap', sql`${t.taken_units} between 0 and ${t.cap_units}`),
    check(
      'raise_batch_second_is_another',
      sql`${t.end_by} <> 'declare' or ${t.ended_by} <> ${t.declare_by}`,
    ),
    index('raise_batch_by_state').on(t.state, t.end_at),
    index('raise_batch_by_product').on(t.product_id, t.id),
  ],
)

/**
 * 定金收入: a deposit that its buyer does not get back, and who has how much of it. One that was given
 * back after all stays, marked so.
 */
export const deposit_forfeit = pgTable(
  'deposit_forfeit',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    batch_id: integer()
      .notNull()
      .references(() => raise_batch.id),
    /** The refund that left it behind; null where the balance was not paid. */
    refund_id: integer().references(() => refund.id),
    merchant_id: integer().notNull(),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    cause: text({ enum: keys<ForfeitCause>(forfeitCauses) }).notNull(),
    amount_cents: cents().notNull(),
    merchant_cents: cents().notNull(),
    platform_cents: cents().notNull(),
    state: text({ enum: ['valid', 'returned'] })
      .notNull()
      .default('valid'),
    returned_at: unix(),
  },
  t => [
    check(
      'deposit_forfeit_split',
      sql`${t.amount_cents} > 0 and ${t.merchant_cents} + ${t.platform_cents} = ${t.amount_cents}`,
    ),
    uniqueIndex('deposit_forfeit_timeout_once')
      .on(t.order_id)
      .where(sql`refund_id is null`),
    uniqueIndex('deposit_forfeit_refund_once')
      .on(t.refund_id)
      .where(sql`refund_id is not null`),
    index('deposit_forfeit_by_order').on(t.order_id),
    index('deposit_forfeit_by_batch').on(t.batch_id),
    index('deposit_forfeit_by_merchant').on(t.merchant_id, t.created_at),
  ],
)

/** 组合套餐: several parts under one payment. */
export const combo = pgTable('combo', {
  ...base,
  name: text().notNull(),
  /** `whole`: all or nothing once a part was used. */
  policy: text({ enum: ['whole', 'part'] }).notNull(),
  price_cents: cents().notNull(),
  parts: jsonb().$type<{ product_id: number; qty: number }[]>().notNull(),
  status: text({ enum: ['on', 'off'] }).notNull(),
})

/**
 * 订单日志: what happened to an order, in its own words; the operation log has what staff changed.
 * Append-only.
 */
export const order_log = pgTable(
  'order_log',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    order_id: integer().notNull(),
    event: text({ enum: keys<OrderEvent>(orderEvents) }).notNull(),
    from_status: text({ enum: keys<OrderStatus>(orderStatuses) }),
    to_status: text({ enum: keys<OrderStatus>(orderStatuses) }),
    actor_type: text({ enum: ['member', 'staff', 'merchant', 'system', 'channel'] }).notNull(),
    actor_id: integer(),
    memo: text().notNull().default(''),
    data: jsonb().$type<Record<string, unknown>>(),
    at: unix().notNull(),
  },
  t => [index('order_log_by_order').on(t.order_id, t.id)],
)

/** What is sent to a buyer about an order, and whether it arrived. */
export const order_message = pgTable(
  'order_message',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    kind: text({ enum: keys<MessageKind>(messageKinds) }).notNull(),
    phone: text(),
    text: text().notNull(),
    state: text({ enum: ['queued', 'sent', 'failed'] })
      .notNull()
      .default('queued'),
    tries: integer().notNull().default(0),
    answer: text(),
    sent_at: unix(),
    admin_id: integer(),
    /** What is told once: the same of the same order never goes out a second time. */
    once: text(),
  },
  t => [
    uniqueIndex('order_message_once')
      .on(t.order_id, t.once)
      .where(sql`once is not null`),
    index('order_message_by_order').on(t.order_id, t.id),
    index('order_message_queue')
      .on(t.id)
      .where(sql`state = 'queued'`),
    index('order_message_lost')
      .on(t.order_id)
      .where(sql`kind = 'code' and state = 'failed'`),
  ],
)

/** 订单规则版本: an order keeps the version that it was made under. */
export const order_config = pgTable(
  'order_config',
  {
    ...base,
    scope: text({ enum: keys<ConfigScope>(configScopes) }).notNull(),
    version_no: integer().notNull(),
    fields: jsonb().$type<OrderRules>().notNull(),
    reason: text().notNull(),
    effective_at: unix().notNull(),
    state: text({ enum: ['current', 'old'] }).notNull(),
    by_admin: integer(),
  },
  t => [
    uniqueIndex('order_config_version_once').on(t.scope, t.version_no),
    uniqueIndex('order_config_current_once')
      .on(t.scope)
      .where(sql`state = 'current'`),
  ],
)
