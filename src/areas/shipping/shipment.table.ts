import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { order } from '#src/areas/order/order.table.ts'
import {
  orderKinds,
  shipmentStates,
  type OrderKind,
  type Receiver,
  type ShipmentState,
} from '#src/areas/order/order.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import type { Trace } from './track.ts'

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
    index('shipment_by_courier').on(t.courier, t.shipped_at, t.state),
    index('shipment_problem')
      .on(t.kind, t.ordered_at, t.order_id)
      .where(sql`state = 'problem'`),
    index('shipment_moving')
      .on(t.asked_at)
      .where(sql`state in ('shipped', 'transit', 'delivering')`),
  ],
)
