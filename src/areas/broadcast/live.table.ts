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
} from 'drizzle-orm/pg-core'
import { member } from '#src/areas/member/member.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { base, cents, unix } from '#src/server/db/columns.ts'

/** 直播主播: the WeChat accounts that may host a session, once WeChat has verified who they are. */
export const live_host = pgTable('live_host', {
  ...base,
  name: varchar({ length: 32 }).notNull(),
  wechat: varchar({ length: 32 }).notNull().unique(),
  verified: boolean().notNull().default(false),
  status: text({ enum: ['on', 'off'] })
    .notNull()
    .default('on'),
})

/**
 * 直播间. Its orders, worth and refunds are counted from the orders themselves; viewers are what the
 * channel says, null where it says nothing.
 */
export const live_room = pgTable(
  'live_room',
  {
    ...base,
    title: varchar({ length: 34 }).notNull(),
    channel: text({ enum: ['mini_program', 'video_account'] }).notNull(),
    /** The channel's own number of the room; empty until the channel has made it. */
    room_no: varchar({ length: 32 }).notNull().default(''),
    host_id: integer()
      .notNull()
      .references(() => live_host.id),
    cover: varchar({ length: 255 }).notNull().default(''),
    share_image: varchar({ length: 255 }).notNull().default(''),
    background: varchar({ length: 255 }).notNull().default(''),
    city_id: integer()
      .notNull()
      .references(() => city.id),
    mall_id: integer().notNull().default(0),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    coupon_ids: jsonb().$type<number[]>().notNull().default([]),
    comments_on: boolean().notNull().default(true),
    goods_on: boolean().notNull().default(true),
    state: text({ enum: ['draft', 'planned', 'living', 'ended', 'cancelled'] })
      .notNull()
      .default('draft'),
    state_reason: varchar({ length: 255 }),
    replay_state: text({ enum: ['none', 'ready', 'published', 'hidden'] })
      .notNull()
      .default('none'),
    replay_url: varchar({ length: 512 }).notNull().default(''),
    recommended: boolean().notNull().default(false),
    viewers: integer(),
    peak: integer(),
    /** What the channel has yet to be told, and until when a process is telling it. */
    todo: text({ enum: ['create', 'edit', 'delete'] }),
    todo_until: unix(),
    /** When the channel last told us of it; when and why it last did not. */
    synced_at: unix(),
    sync_failed_at: unix(),
    sync_error: varchar({ length: 255 }),
    gone: boolean().notNull().default(false),
  },
  t => [
    check('live_room_period', sql`${t.end_at} > ${t.start_at}`),
    check(
      'live_room_replay',
      sql`${t.replay_state} = 'none' or (${t.state} = 'ended' and ${t.replay_url} <> '')`,
    ),
    index('live_room_by_state').on(t.state, t.start_at),
    index('live_room_by_city').on(t.city_id, t.start_at),
    index('live_room_by_mall').on(t.mall_id, t.start_at),
    index('live_room_by_host').on(t.host_id, t.start_at),
    index('live_room_by_replay')
      .on(t.start_at)
      .where(sql`replay_state <> 'none'`),
  ],
)

/**
 * The shelf of a room, in its order. `remaining` of `stock` is for sale at the live price and part
 * of the product's `held`: from the submission until the end, 0 before and after.
 */
export const live_product = pgTable(
  'live_product',
  {
    ...base,
    live_room_id: integer()
      .notNull()
      .references(() => live_room.id),
    product_id: integer()
      .notNull()
      .references(() => product.id),
    sort: integer().notNull(),
    price_cents: cents().notNull(),
    stock: integer().notNull(),
    remaining: integer().notNull(),
    explained_at: unix(),
  },
  t => [
    check(
      'live_product_sound',
      sql`${t.price_cents} > 0 and ${t.stock} > 0 and ${t.remaining} between 0 and ${t.stock}`,
    ),
    uniqueIndex('live_product_once').on(t.live_room_id, t.product_id),
    index('live_product_by_product').on(t.product_id),
  ],
)

/**
 * A member opened a product in a room: its orders within 24 hours are the room's. Written by the
 * shoppers' side.
 */
export const live_click = pgTable(
  'live_click',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    live_room_id: integer()
      .notNull()
      .references(() => live_room.id),
    product_id: integer().notNull(),
    member_id: integer().notNull(),
    at: unix().notNull(),
  },
  t => [
    index('live_click_by_member').on(t.member_id, t.product_id, t.at),
    index('live_click_by_room').on(t.live_room_id),
  ],
)

/**
 * The members who want to be told of a room. A notice is queued once, and sent at most once: one that was
 * begun is never begun again.
 */
export const live_subscriber = pgTable(
  'live_subscriber',
  {
    ...base,
    live_room_id: integer()
      .notNull()
      .references(() => live_room.id),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    notice: text({ enum: ['none', 'queued', 'sending', 'sent', 'failed'] })
      .notNull()
      .default('none'),
    told_at: unix(),
    answer: varchar({ length: 255 }),
  },
  t => [
    uniqueIndex('live_subscriber_once').on(t.live_room_id, t.member_id),
    index('live_subscriber_queued')
      .on(t.id)
      .where(sql`notice = 'queued'`),
  ],
)
