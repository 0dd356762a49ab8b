import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { base, cents, unix } from '#src/server/db/columns.ts'
import { pointsKinds, pointsMoves, type Part, type PointsKind, type PointsMove } from './points.ts'

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
    delivery: text({ enum: ['express', 'pickup', 'auto'] }).notNull(),
    status: text({ enum: ['draft', 'on', 'off'] }).notNull(),
  },
  t => [
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
    expire_at: unix().notNull(),
  },
  t => [
    check('points_lot_remain', sql`${t.remain} between 0 and ${t.points}`),
    index('points_lot_left')
      .on(t.member_id, t.expire_at)
      .where(sql`remain > 0`),
    index('points_lot_ending')
      .on(t.expire_at)
      .where(sql`remain > 0`),
  ],
)

/** 积分流水. Append-only: a move happens once by its number, and tells the balance after it. */
export const points_ledger = pgTable(
  'points_ledger',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    kind: text({ enum: Object.keys(pointsMoves) as [PointsMove] }).notNull(),
    delta: integer().notNull(),
    balance_after: integer().notNull(),
    /** An order's or a refund's number, or what else it came by. */
    biz_no: text().notNull(),
    order_id: integer(),
    lots: jsonb().$type<Part[]>().notNull(),
    note: text().notNull().default(''),
    at: unix().notNull(),
  },
  t => [
    check('points_ledger_balance', sql`${t.balance_after} >= 0`),
    uniqueIndex('points_ledger_once').on(t.biz_no, t.kind),
    index('points_ledger_by_member').on(t.member_id, t.id),
    index('points_ledger_by_order')
      .on(t.order_id)
      .where(sql`order_id is not null`),
  ],
)
