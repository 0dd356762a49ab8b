import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { clickTypes, type ClickType } from '#src/areas/link/clicks.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'

/**
 * 浏览与点击记录. Written by the shoppers' side, read here, kept for 180 days. The name is the one at the
 * click: what is renamed or gone since is still told.
 */
export const click_log = pgTable(
  'click_log',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** Null: a visitor without an account. */
    member_id: integer(),
    /** Seen as a visitor and joined to the member at sign-up. */
    visitor: boolean().notNull().default(false),
    device_id: varchar({ length: 40 }).notNull(),
    object_type: text({ enum: keys<ClickType>(clickTypes) }).notNull(),
    object_id: integer().notNull().default(0),
    object_name: text().notNull().default(''),
    entry: varchar({ length: 32 }).notNull(),
    city_id: integer().notNull(),
    /** 0 outside any mall. */
    mall_id: integer().notNull().default(0),
    ua: varchar({ length: 128 }),
    at: unix().notNull(),
  },
  t => [
    index('click_log_time').on(t.at, t.id),
    index('click_log_member').on(t.member_id, t.at, t.id),
    index('click_log_device').on(t.device_id, t.at, t.id),
    index('click_log_object').on(t.object_type, t.object_id, t.at, t.id),
    index('click_log_type').on(t.object_type, t.at, t.id),
    index('click_log_entry').on(t.entry, t.at, t.id),
    index('click_log_city').on(t.city_id, t.at, t.id),
    index('click_log_mall').on(t.mall_id, t.at, t.id),
    // Clicks of banners are asked for by place; among all that was clicked in a city they are few.
    index('click_log_banner_city')
      .on(t.city_id, t.at, t.id)
      .where(sql`object_type = 'banner'`),
    index('click_log_banner_mall')
      .on(t.mall_id, t.at, t.id)
      .where(sql`object_type = 'banner'`),
  ],
)

/** 封禁IP: nobody signs in from it until then. */
export const ip_ban = pgTable(
  'ip_ban',
  {
    ...base,
    ip: varchar({ length: 45 }).notNull(),
    reason: varchar({ length: 255 }).notNull(),
    until_at: unix().notNull(),
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    lifted_at: unix(),
    lifted_by: integer().references(() => admin.id),
  },
  t => [
    uniqueIndex('ip_ban_once')
      .on(t.ip)
      .where(sql`lifted_at is null`),
    index('ip_ban_time').on(t.created_at, t.id),
  ],
)
