import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  pointsBiz,
  pointsKinds,
  pointsMoves,
  type Part,
  type PointsBiz,
  type PointsKind,
  type PointsMove,
  type WrongBalance,
} from './points.ts'
import { deliveries, shopStates, type Delivery, type ShopState } from './shop.ts'
import { points_zone } from './zone.table.ts'

/**
 * 积分商品: what is exchanged, for how many points and how much cash; where it is supplied from is its
 * product.
 */
export const points_goods = pgTable(
  'points_goods',
  {
    ...base,
    kind: text({ enum: Object.keys(pointsKinds) as [PointsKind] }).notNull(),
    name: text().notNull(),
    product_id: integer()
      .notNull()
      .references(() => product.id),
    coupon_id: integer().references(() => coupon.id),
    points_price: integer().notNull(),
    cash_cents: cents().notNull().default(0),
    stock: integer().notNull(),
    held: integer().notNull().default(0),
    sold: integer().notNull().default(0),
    /** Exchanges of one member that were not cancelled; null: any number. */
    limit_per_member: integer(),
    delivery: text({ enum: keys<Delivery>(deliveries) }).notNull(),
    status: text({ enum: keys<ShopState>(shopStates) }).notNull(),
    off_reason: text().notNull().default(''),
    /** Goods stand in one zone; members see the highest number first. No two there have the same. */
    zone_id: integer()
      .notNull()
      .references(() => points_zone.id),
    sort: integer().notNull(),
    images: jsonb().$type<string[]>().notNull().default([]),
    detail: text().notNull().default(''),
    original_cents: cents().notNull().default(0),
    /** What one costs the platform. */
    cost_cents: cents().notNull().default(0),
    /** The lowest level that may exchange it; null: everybody. */
    level_min: integer(),
    start_at: unix(),
    end_at: unix(),
  },
  t => [
    index('points_goods_by_zone').on(t.zone_id, t.sort),
    index('points_goods_by_product').on(t.product_id),
    check('points_goods_period', sql`${t.start_at} < ${t.end_at}`),
    check('points_goods_worth', sql`${t.original_cents} >= 0 and ${t.cost_cents} >= 0`),
    check('points_goods_price', sql`${t.points_price} > 0 and ${t.cash_cents} >= 0`),
    check('points_goods_stock', sql`${t.stock} >= 0 and ${t.held} >= 0`),
    check('points_goods_coupon', sql`(${t.kind} = 'coupon') = (${t.coupon_id} is not null)`),
  ],
)

/** 积分批次: points with the day they end. What is left of all lots is what the member has. */
export const points_lot = pgTable(
  'points_lot',
  {
    ...base,
    member_id: integer()
      .notNull()
      .references(() => member.id),
    points: integer().notNull(),
    remain: integer().notNull(),
    /** The part that ended on its day is never taken again. */
    expired: integer().notNull().default(0),
    /** The lot whose points came back in this one, because it had ended meanwhile. */
    origin_id: integer().references((): AnyPgColumn => points_lot.id),
    expire_at: unix().notNull(),
  },
  t => [
    check('points_lot_remain', sql`${t.remain} between 0 and ${t.points}`),
    index('points_lot_by_origin')
      .on(t.origin_id)
      .where(sql`origin_id is not null`),
    index('points_lot_left')
      .on(t.member_id, t.expire_at)
      .where(sql`remain > 0`),
    index('points_lot_ending')
      .on(t.expire_at)
      .where(sql`remain > 0`),
  ],
)

/**
 * 积分流水. Append-only but for `reversed_by`: a move happens once by its number, and tells the balance
 * after it. Points that come in are a lot of their own, unless they go back to others.
 */
export const points_ledger = pgTable(
  'points_ledger',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    kind: text({ enum: keys<PointsMove>(pointsMoves) }).notNull(),
    biz_kind: text({ enum: keys<PointsBiz>(pointsBiz) }).notNull(),
    /** An order's or a refund's number, or what else it came by. */
    biz_no: text().notNull(),
    delta: integer().notNull(),
    frozen_delta: integer().notNull().default(0),
    debt_delta: integer().notNull().default(0),
    balance_after: integer().notNull(),
    /** The rule by which it was earned. */
    rule_id: integer().references(() => points_rule.id),
    /** When what came in ends. */
    expire_at: unix(),
    order_id: integer(),
    lots: jsonb().$type<Part[]>().notNull(),
    /** The row that this one takes back, whole or in part. */
    reverses_id: integer().references((): AnyPgColumn => points_ledger.id),
    /** The row that took this one back, once nothing of it is left to take. */
    reversed_by: integer().references((): AnyPgColumn => points_ledger.id),
    title: text().notNull().default(''),
    note: text().notNull().default(''),
    operator_id: integer().references(() => admin.id),
    at: unix().notNull(),
    /** What every row has that a page lists; it stays 0, as the row does not change. */
    version: integer().notNull().default(0),
  },
  t => [
    check('points_ledger_balance', sql`${t.balance_after} >= 0`),
    uniqueIndex('points_ledger_once').on(t.biz_kind, t.biz_no, t.kind),
    index('points_ledger_by_member').on(t.member_id, t.id),
    index('points_ledger_by_order')
      .on(t.order_id)
      .where(sql`order_id is not null`),
    index('points_ledger_by_number').on(t.biz_no),
    index('points_ledger_by_kind').on(t.kind, t.at, t.id),
    index('points_ledger_by_biz').on(t.biz_kind, t.at, t.id),
    index('points_ledger_by_rule')
      .on(t.rule_id, t.at, t.id)
      .where(sql`rule_id is not null`),
    index('points_ledger_by_operator')
      .on(t.operator_id, t.at, t.id)
      .where(sql`operator_id is not null`),
    index('points_ledger_by_size').on(sql`abs(delta)`, t.id),
    index('points_ledger_by_time').on(t.at, t.id),
    index('points_ledger_by_reversed')
      .on(t.reverses_id)
      .where(sql`reverses_id is not null`),
  ],
)
/** 流水备注: what was found out about a move later, since its row is never changed. */
export const points_note = pgTable(
  'points_note',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    ledger_id: integer()
      .notNull()
      .references(() => points_ledger.id),
    note: text().notNull(),
    operator_id: integer()
      .notNull()
      .references(() => admin.id),
    at: unix().notNull(),
  },
  t => [index('points_note_by_row').on(t.ledger_id, t.id)],
)
/** 待结算积分: orders of which something changed that points depend on; the clock settles them. */
export const points_due = pgTable(
  'points_due',
  { order_id: integer().primaryKey(), at: unix().notNull() },
  t => [index('points_due_by_time').on(t.at)],
)
defineKinds({
  points_goods: at('points_goods', {
    city: '(select p.city_id from product p where p.id = t.product_id)',
    mall: '(select p.mall_id from product p where p.id = t.product_id)',
  }),
  points_ledger: at('points_ledger', {
    city: '(select m.city_id from member m where m.id = t.member_id)',
  }),
})
/** 积分核对: what the ledger, the lots and the members' balances came to at a time. */
export const points_check = pgTable(
  'points_check',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    at: unix().notNull(),
    /** The person who asked for it; null: the clock. */
    operator_id: integer().references(() => admin.id),
    members: integer().notNull(),
    ledger_points: cents().notNull(),
    lot_points: cents().notNull(),
    balance_points: cents().notNull(),
    /** How many members differ, and the first of them. */
    wrong_n: integer().notNull(),
    wrong: jsonb().$type<WrongBalance[]>().notNull(),
  },
  t => [index('points_check_by_time').on(t.at, t.id)],
)
