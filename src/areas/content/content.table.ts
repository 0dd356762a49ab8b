import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { city } from '#src/areas/place/place.table.ts'
import { base, unix } from '#src/server/db/columns.ts'

/** A value of a link's parameters: an object's id, or a text. */
type LinkValue = string | number
export type LinkParams = Readonly<Record<string, LinkValue>>
/**
 * What a link asks for: `target` names the kind of object whose id it is; `value` is fixed by the
 * library, so nobody is asked.
 */
export type LinkParam = {
  key: string
  label: string
  target: 'text' | 'store' | 'mall' | 'product' | 'category'
  required: boolean
  value?: LinkValue
}
/** Whom something is for; empty means everyone. */
export type Audience = { new_only?: boolean; levels?: number[] }
/** `from` and `to` as `09:30`; weekdays 1 (Monday) to 7. */
export type Hours = { weekdays: number[]; from: string; to: string }

/** 页面链接: the library that banners, entries and page designs pick their targets from. */
export const page_link = pgTable(
  'page_link',
  {
    ...base,
    name: varchar({ length: 64 }).notNull(),
    type: text({ enum: ['page', 'object', 'mini_program', 'h5'] }).notNull(),
    path: varchar({ length: 255 }).notNull(),
    params: jsonb().$type<LinkParam[]>().notNull().default([]),
    /** The fixed values in one order, so that a path is unique with its parameters. */
    params_key: text().notNull().default(''),
    appid: varchar({ length: 32 }).notNull().default(''),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
    health: text({ enum: ['ok', 'off_shelf', 'dead', 'unknown'] })
      .notNull()
      .default('unknown'),
    checked_at: unix(),
  },
  t => [
    uniqueIndex('page_link_once').on(t.path, t.appid, t.params_key),
    index('page_link_by_type').on(t.type, t.id),
    index('page_link_by_health').on(t.health, t.id),
    index('page_link_by_status').on(t.status, t.id),
  ],
)

/** 城市配置项: what a city's mini-program shows beside its page design. */
export const city_setting = pgTable(
  'city_setting',
  {
    ...base,
    city_id: integer()
      .notNull()
      .references(() => city.id),
    type: text({ enum: ['re_store', 'hot_mall', 'act_area'] }).notNull(),
    /** The store or the mall; null for an activity area. */
    ref_id: integer(),
    title: varchar({ length: 32 }).notNull().default(''),
    sub_title: varchar({ length: 32 }).notNull().default(''),
    image: varchar({ length: 255 }).notNull().default(''),
    page_link_id: integer().references(() => page_link.id),
    link_params: jsonb().$type<LinkParams>().notNull().default({}),
    /** Null: from always, for ever. */
    start_at: unix(),
    end_at: unix(),
    sort: integer().notNull().default(0),
    audience: jsonb().$type<Audience>().notNull().default({}),
  },
  t => [
    check(
      'city_setting_period',
      sql`${t.end_at} is null or ${t.start_at} is null or ${t.end_at} > ${t.start_at}`,
    ),
    index('city_setting_by_city').on(t.city_id, t.type, t.sort),
    index('city_setting_by_ref').on(t.type, t.ref_id),
    index('city_setting_by_link').on(t.page_link_id),
  ],
)

/** 轮播图. `ended` is never stored: it is `online` whose end has passed. */
export const banner = pgTable(
  'banner',
  {
    ...base,
    title: varchar({ length: 64 }).notNull(),
    position: text({ enum: ['home', 'mall', 'category', 'vip', 'order_done', 'search'] }).notNull(),
    image: varchar({ length: 255 }).notNull(),
    page_link_id: integer()
      .notNull()
      .references(() => page_link.id),
    link_params: jsonb().$type<LinkParams>().notNull().default({}),
    /** 0: shown outside any mall. */
    mall_id: integer().notNull().default(0),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    status: text({ enum: ['draft', 'online', 'offline'] })
      .notNull()
      .default('draft'),
    off_reason: varchar({ length: 255 }),
    audience: jsonb().$type<Audience>().notNull().default({}),
    /** Exposures, as the mini-program reports them; clicks are counted from click_log. */
    views: integer().notNull().default(0),
  },
  t => [
    check('banner_period', sql`${t.end_at} > ${t.start_at}`),
    index('banner_by_position').on(t.position, t.status, t.start_at),
    index('banner_by_mall').on(t.mall_id),
    index('banner_by_link').on(t.page_link_id),
  ],
)

/**
 * The cities a banner is shown in, and its place in each: the order of one city is no other city's.
 */
export const banner_city = pgTable(
  'banner_city',
  {
    ...base,
    banner_id: integer()
      .notNull()
      .references(() => banner.id, { onDelete: 'cascade' }),
    city_id: integer()
      .notNull()
      .references(() => city.id),
    sort: integer().notNull(),
  },
  t => [
    uniqueIndex('banner_city_once').on(t.banner_id, t.city_id),
    index('banner_city_by_city').on(t.city_id, t.sort),
  ],
)

/** 分享卡片: one a page type and city; without a city it is the default. */
export const share_card = pgTable(
  'share_card',
  {
    ...base,
    page_type: text({
      enum: ['home', 'mall', 'store', 'bulks', 'roll_buy', 'elist', 'activity', 'card'],
    }).notNull(),
    city_id: integer().references(() => city.id),
    title_tpl: varchar({ length: 120 }).notNull(),
    image: varchar({ length: 255 }).notNull(),
    poster: jsonb()
      .$type<{ background?: string; code_x?: number; code_y?: number }>()
      .notNull()
      .default({}),
    reward_points: integer().notNull().default(0),
    daily_limit: integer().notNull().default(0),
    /** Points that may be given in all; 0 together with reward_points 0 means no reward. */
    reward_budget: integer().notNull().default(0),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
    shares: integer().notNull().default(0),
  },
  t => [uniqueIndex('share_card_once').on(t.page_type, sql`coalesce(${t.city_id}, 0)`)],
)

/**
 * Visits that came from a shared card; who of them earns the sharer points is counted from here.
 */
export const share_visit = pgTable(
  'share_visit',
  {
    ...base,
    share_card_id: integer()
      .notNull()
      .references(() => share_card.id, { onDelete: 'cascade' }),
    sharer_id: integer().notNull(),
    sharer_device: varchar({ length: 40 }).notNull(),
    visitor_id: integer(),
    visitor_device: varchar({ length: 40 }).notNull(),
    /** The order that the visit led to. */
    order_id: integer(),
    at: unix().notNull(),
  },
  t => [
    index('share_visit_by_card').on(t.share_card_id, t.at),
    index('share_visit_by_order')
      .on(t.order_id)
      .where(sql`order_id is not null`),
  ],
)

/** 客服渠道. Without a city it is the national one; with a mall it is that mall's. */
export const service_contact = pgTable(
  'service_contact',
  {
    ...base,
    scene: text({ enum: ['pre_sale', 'refund', 'after_sale', 'merchant', 'complaint'] }).notNull(),
    city_id: integer().references(() => city.id),
    mall_id: integer().notNull().default(0),
    type: text({ enum: ['phone', 'wecom', 'chat'] }).notNull(),
    value: varchar({ length: 128 }).notNull(),
    qr: varchar({ length: 255 }).notNull().default(''),
    hours: jsonb().$type<Hours[]>().notNull().default([]),
    auto_reply: varchar({ length: 255 }).notNull().default(''),
    priority: integer().notNull().default(0),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
    off_reason: varchar({ length: 255 }),
    /** When the QR runs out; null when it does not. */
    expires_at: unix(),
  },
  t => [
    index('service_contact_by_scene').on(t.scene, t.status, t.priority),
    index('service_contact_by_city').on(t.city_id, t.mall_id),
  ],
)
