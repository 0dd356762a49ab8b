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
} from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { base, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import type { HotBadge, HotKind } from './recommend.ts'

export const mall_floor = pgTable(
  'mall_floor',
  {
    ...base,
    mid: integer()
      .notNull()
      .references(() => mall.id),
    name: text().notNull(),
    alias: text().notNull().default(''),
    level_no: integer().notNull(),
    map_image: text(),
    sort: integer().notNull().default(0),
    is_show: boolean().notNull().default(true),
  },
  t => [
    uniqueIndex('mall_floor_name_once').on(t.mid, plainName(t.name)),
    index('mall_floor_by_sort').on(t.mid, t.sort),
    check('mall_floor_level', sql`${t.level_no} between -5 and 99`),
  ],
)

export const mall_category = pgTable(
  'mall_category',
  {
    ...base,
    mid: integer()
      .notNull()
      .references(() => mall.id),
    /** 0 for the first level: a null would let two of one name stand side by side. */
    parent_id: integer().notNull().default(0),
    name: text().notNull(),
    icon: text().notNull().default(''),
    shop_category_ids: jsonb().$type<number[]>().notNull(),
    jump_kind: text({ enum: ['stores', 'products', 'link'] }).notNull(),
    page_link_id: integer(),
    link_params: jsonb().$type<Record<string, unknown>>(),
    sort: integer().notNull().default(0),
    is_show: boolean().notNull().default(true),
  },
  t => [
    uniqueIndex('mall_category_name_once').on(t.mid, t.parent_id, plainName(t.name)),
    index('mall_category_by_sort').on(t.mid, t.parent_id, t.sort),
  ],
)

/** What a copy replaced, so that it can be brought back. */
export const mall_category_backup = pgTable(
  'mall_category_backup',
  {
    ...base,
    mid: integer()
      .notNull()
      .references(() => mall.id),
    backup_no: text().notNull(),
    rows: jsonb().$type<(typeof mall_category.$inferSelect)[]>().notNull(),
    /** Stores recommended in the categories that were replaced. */
    stores: jsonb().$type<(typeof mall_recommend.$inferSelect)[]>().notNull(),
    created_by: integer().references(() => admin.id),
    restored_at: unix(),
  },
  t => [
    uniqueIndex('mall_category_backup_no_once').on(t.backup_no),
    index('mall_category_backup_by_mall').on(t.mid, t.created_at),
  ],
)

/**
 * One row an ordered list: its version, its title, and the lock under which it is changed. `mid` 0
 * is outside any mall, then by city.
 */
export const mall_board = pgTable(
  'mall_board',
  {
    ...base,
    city_id: integer()
      .notNull()
      .references(() => city.id),
    mid: integer().notNull(),
    block: text({
      enum: ['coupon', 'group', 'voucher', 'featured', 'shop', 'hot', 'floor', 'category'],
    }).notNull(),
    /** A guide category where the block is shop, else 0. */
    category_id: integer().notNull().default(0),
    list_version: integer().notNull().default(0),
    title: text().notNull().default(''),
    /** The person who saved its order last, for the one who comes too late. */
    set_by: integer().references(() => admin.id),
    set_at: unix(),
  },
  t => [uniqueIndex('mall_board_once').on(t.city_id, t.mid, t.block, t.category_id)],
)

export const mall_recommend = pgTable(
  'mall_recommend',
  {
    ...base,
    city_id: integer()
      .notNull()
      .references(() => city.id),
    mid: integer().notNull(),
    block: text({ enum: ['coupon', 'group', 'voucher', 'featured', 'shop'] }).notNull(),
    ref_kind: text({ enum: ['coupon', 'product', 'store'] }).notNull(),
    ref_id: integer().notNull(),
    category_id: integer().notNull().default(0),
    is_recommend: boolean().notNull(),
    sort: integer().notNull().default(0),
    start_at: unix(),
    end_at: unix(),
    contract_no: text().notNull().default(''),
    set_by: integer().references(() => admin.id),
    set_at: unix(),
    drop_reason: text(),
    dropped_at: unix(),
  },
  t => [
    // Outside any mall (mid 0) each city has a list of its own.
    uniqueIndex('mall_recommend_once').on(
      t.mid,
      t.block,
      t.category_id,
      t.ref_kind,
      t.ref_id,
      t.city_id,
    ),
    index('mall_recommend_board')
      .on(t.mid, t.block, t.category_id, t.sort)
      .where(sql`is_recommend`),
    index('mall_recommend_ref')
      .on(t.ref_kind, t.ref_id)
      .where(sql`is_recommend`),
  ],
)

export const hot_item = pgTable(
  'hot_item',
  {
    ...base,
    city_id: integer()
      .notNull()
      .references(() => city.id),
    /** 0 stands for the whole city. */
    mid: integer().notNull().default(0),
    kind: text().$type<HotKind>().notNull(),
    title: text().notNull(),
    ref_id: integer(),
    page_link_id: integer(),
    link_params: jsonb().$type<Record<string, unknown>>(),
    image: text(),
    badge: text().$type<HotBadge>().notNull().default('none'),
    sort: integer().notNull().default(0),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    click_count: integer().notNull().default(0),
    user_count: integer().notNull().default(0),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('off'),
  },
  t => [
    check('hot_item_window', sql`${t.end_at} > ${t.start_at}`),
    index('hot_item_by_place').on(t.city_id, t.mid, t.sort),
    index('hot_item_by_ref').on(t.kind, t.ref_id),
  ],
)
