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
import { after_sale_config } from '#src/areas/afterSalePolicy/afterSalePolicy.table.ts'
import { combo } from '#src/areas/combo/combo.table.ts'
import { ecard_attr, ecard_channel } from '#src/areas/ecard/ecard.table.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { points_goods } from '#src/areas/points/points.table.ts'
import { product, product_sku, store_stock } from '#src/areas/product/product.table.ts'
import { raise_batch } from '#src/areas/raise/raise.table.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  cancelTypes,
  frozenBy,
  fulfilStates,
  itemWays,
  orderKinds,
  orderStatuses,
  orderSubKinds,
  reviewers,
  type CancelType,
  type FrozenBy,
  type FulfilState,
  type Invoice,
  type ItemWay,
  type OrderKind,
  type OrderStatus,
  type OrderSubKind,
  type Receiver,
  type Reviewer,
  type Rider,
} from './order.ts'

/**
 * What a list asks of an order beyond what it is found by: an index that holds it answers alone,
 * and of ten thousand orders that are counted none is read.
 */
const told = (t: Record<'id' | 'status' | 'city_id' | 'mall_id', AnyPgColumn>) =>
  [t.id, t.status, t.city_id, t.mall_id] as const

/** `status` is derived from the four facts before it (order.ts) and never typed. */
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
    /**
     * Whose order it is; 0 of the house's own, as it owns accounts of the journal: a membership has
     * no store. A trigger looks for the others (order_seller).
     */
    merchant_id: integer().notNull(),
    store_id: integer().notNull(),
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
    /** The channel that e-cards were issued to, in the place of a buyer. */
    ecard_channel_id: integer().references(() => ecard_channel.id),
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
    /** The person of the store who brings it, and since when they are on the way. */
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
    check(
      'order_of_house',
      sql`(${t.kind} = 'vip_card') = (${t.merchant_id} = 0) and (${t.kind} = 'vip_card') = (${t.store_id} = 0)`,
    ),
    uniqueIndex('order_no_once').on(t.order_no),
    index('order_by_kind').on(t.kind, t.created_at, t.id),
    index('order_by_status').on(t.kind, t.status, t.created_at, t.id),
    index('order_by_payment').on(t.paid_at, t.city_id),
    index('order_used')
      .on(t.used_at)
      .where(sql`used_at is not null`),
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
    index('order_by_ecard_channel')
      .on(t.ecard_channel_id, t.created_at, ...told(t))
      .where(sql`ecard_channel_id is not null`),
    index('order_ecard_buyers')
      .on(t.paid_at, t.member_id, t.paid_cents)
      .where(sql`kind = 'ecard'`),
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
    /** None of an e-card, which is sold by its face, of a film and of a membership. */
    product_id: integer().references(() => product.id),
    ecard_attr_id: integer().references(() => ecard_attr.id),
    sku_id: integer().references(() => product_sku.id),
    /** What its store has of it, where stores count their own. */
    store_stock_id: integer().references(() => store_stock.id),
    /** The after-sale policy of the day of sale; none of what was sold before there were any. */
    policy_id: integer().references(() => after_sale_config.id),
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
    /** How far a channel is with issuing it: vouchers, e-cards. */
    issue_state: text({ enum: ['none', 'issuing', 'issued', 'failed'] })
      .notNull()
      .default('none'),
    issue_note: text(),
  },
  t => [
    // A film is neither a product nor a card, and so is a membership.
    check(
      'order_item_sold',
      sql`case when ${t.kind} in ('film', 'vip_card') then num_nonnulls(${t.product_id}, ${t.ecard_attr_id}) = 0 else num_nonnulls(${t.product_id}, ${t.ecard_attr_id}) = 1 end`,
    ),
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
    index('order_item_by_face')
      .on(t.ecard_attr_id, t.created_at, t.order_id)
      .where(sql`ecard_attr_id is not null`),
  ],
)
