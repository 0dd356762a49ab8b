import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { clickTypes, type ClickType } from '#src/areas/link/clicks.ts'
import { member } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import {
  limitResults,
  limitRules,
  type LimitResult,
  type LimitRule,
} from '#src/areas/risk/limits.ts'
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

/** 限购拦截. `bought_n` is what counted at that moment. */
export const buy_limit_log = pgTable(
  'buy_limit_log',
  {
    ...base,
    member_id: integer()
      .notNull()
      .references(() => member.id),
    device_id: varchar({ length: 40 }),
    product_id: integer()
      .notNull()
      .references(() => product.id),
    /** The product's place, for data scopes. */
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    activity_type: varchar({ length: 16 }),
    activity_id: integer(),
    rule: text({ enum: keys<LimitRule>(limitRules) }).notNull(),
    limit_n: integer().notNull(),
    bought_n: integer().notNull(),
    asked_n: integer().notNull(),
    result: text({ enum: keys<LimitResult>(limitResults) })
      .notNull()
      .default('blocked'),
    release_by: integer().references(() => admin.id),
    release_reason: varchar({ length: 255 }),
    release_until: unix(),
    release_order_id: integer().references(() => order.id),
  },
  t => [
    check(
      'buy_limit_log_release',
      sql`(${t.result} = 'blocked' or ${t.release_by} is not null) and (${t.result} <> 'used' or ${t.release_order_id} is not null)`,
    ),
    // One release at a time for one member and product.
    uniqueIndex('buy_limit_log_released_once')
      .on(t.member_id, t.product_id)
      .where(sql`result = 'released'`),
    index('buy_limit_log_time').on(t.created_at, t.id),
    index('buy_limit_log_member').on(t.member_id, t.created_at, t.id),
    index('buy_limit_log_product').on(t.product_id, t.created_at, t.id),
    index('buy_limit_log_rule').on(t.rule, t.created_at, t.id),
    index('buy_limit_log_result').on(t.result, t.created_at, t.id),
    index('buy_limit_log_device').on(t.device_id),
    index('buy_limit_log_city').on(t.city_id, t.created_at, t.id),
    index('buy_limit_log_mall').on(t.mall_id, t.created_at, t.id),
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
