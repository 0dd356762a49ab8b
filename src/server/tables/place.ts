import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { base, unix } from './columns.ts'

export const city = pgTable('city', {
  ...base,
  city_name: text().notNull(),
  adcode: text().notNull(),
  initial: text().notNull(),
  pinyin: text().notNull(),
  /** Decimal texts, as the map service speaks them. */
  lng: text().notNull(),
  lat: text().notNull(),
  status: text({ enum: ['preparing', 'open', 'paused'] }).notNull(),
  is_default: boolean().notNull().default(false),
  sort: integer().notNull().default(0),
  opened_at: unix(),
}, t => [uniqueIndex('city_name_once').on(t.city_name), uniqueIndex('city_adcode_once').on(t.adcode), index('city_by_pinyin').on(t.status, t.pinyin)])

/** `mid` on the wire; 0 there means outside any mall and is never a row. */
export const mall = pgTable('mall', {
  ...base,
  name: text().notNull(),
  pinyin: text().notNull(),
  short_name: text().notNull(),
  kind: text({ enum: ['mall', 'street', 'community'] }).notNull(),
  city_id: integer().notNull().references(() => city.id),
  district: text().notNull(),
  address: text().notNull(),
  open_hours: text().notNull(),
  status: text({ enum: ['draft', 'online', 'offline', 'closed'] }).notNull(),
  close_reason: text(),
  online_at: unix(),
  closed_at: unix(),
  is_hot: boolean().notNull().default(false),
  sort: integer().notNull().default(0),
  store_count: integer().notNull().default(0),
}, t => [check('mall_id_is_not_outside', sql`${t.id} > 0`), uniqueIndex('mall_name_once_in_city').on(t.city_id, t.name), index('mall_by_pinyin').on(t.status, t.pinyin)])
