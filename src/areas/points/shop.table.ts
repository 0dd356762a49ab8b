import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { keys, unix } from '#src/server/db/columns.ts'
import { points_goods } from './points.table.ts'
import { stockMoves, type StockMove } from './shop.ts'

/** 积分商品库存流水: what is in stock is the sum of them. Append-only. */
export const points_stock_log = pgTable(
  'points_stock_log',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    goods_id: integer()
      .notNull()
      .references(() => points_goods.id),
    kind: text({ enum: keys<StockMove>(stockMoves) }).notNull(),
    delta: integer().notNull(),
    stock_after: integer().notNull(),
    /** The exchange that took or gave back. */
    order_id: integer(),
    reason: text().notNull().default(''),
    operator_id: integer().references(() => admin.id),
    at: unix().notNull(),
    /** What every row has that a page lists; it stays 0, as the row does not change. */
    version: integer().notNull().default(0),
  },
  t => [
    check('points_stock_log_after', sql`${t.stock_after} >= 0`),
    index('points_stock_log_by_goods').on(t.goods_id, t.id),
  ],
)
