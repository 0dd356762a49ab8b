import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { base, cents } from '#src/server/db/columns.ts'

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
