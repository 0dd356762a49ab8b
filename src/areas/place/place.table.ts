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
import type { CategorySettings, Hours, MallOptions } from '#src/areas/mall/mall.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import { guideRules, type GuideRule } from './guideRule.ts'

/** What a city's mini-program shows beside its page design; `default_mid` 0: none. */
export type CitySettings = {
  home_title: string
  service_phone: string
  default_mid: number
  show_hot_mall: boolean
  show_re_store: boolean
  show_act_area: boolean
  block_order: ('hot_mall' | 're_store' | 'act_area')[]
}
/** How a city's hot malls are chosen; the malls of `manual` are rows of city_setting. */
export type HotMall = {
  title: string
  show: boolean
  mode: 'manual' | 'gmv' | 'distance'
  limit_count: number
  style: 'card' | 'list'
}

export const city = pgTable(
  'city',
  {
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
    /**
     * Null until somebody saved them. Each of the two has a lock of its own, so that whoever pauses
     * a city is not stopped by whoever arranges it.
     */
    settings: jsonb().$type<CitySettings>(),
    settings_version: integer().notNull().default(0),
    hot_mall: jsonb().$type<HotMall>(),
    hot_mall_version: integer().notNull().default(0),
  },
  t => [
    uniqueIndex('city_name_once').on(plainName(t.city_name)),
    uniqueIndex('city_adcode_once').on(t.adcode),
    uniqueIndex('city_one_default')
      .on(t.is_default)
      .where(sql`is_default`),
    index('city_by_pinyin').on(t.status, t.pinyin),
    index('city_by_sort').on(t.sort, t.id),
  ],
)

/** `mid` on the wire; 0 there means outside any mall and is never a row. */
export const mall = pgTable(
  'mall',
  {
    ...base,
    name: text().notNull(),
    pinyin: text().notNull(),
    short_name: text().notNull(),
    kind: text({ enum: ['mall', 'street', 'community'] }).notNull(),
    city_id: integer()
      .notNull()
      .references(() => city.id),
    district: text().notNull(),
    address: text().notNull(),
    /** Null until somebody put the pin; 1/1000000 degree. */
    lng_e6: integer(),
    lat_e6: integer(),
    logo: text().notNull().default(''),
    covers: jsonb().$type<string[]>().notNull().default([]),
    open_hours: jsonb().$type<Hours[]>().notNull(),
    phone: text().notNull().default(''),
    parking_note: text().notNull().default(''),
    facility_note: text().notNull().default(''),
    intro: text().notNull().default(''),
    /** Null: as every mall begins (mall/mall.ts). */
    options: jsonb().$type<MallOptions>(),
    category_settings: jsonb().$type<CategorySettings>(),
    /** Merchants whose goods no distributing store of the mall sells. */
    rival_ids: jsonb().$type<number[]>().notNull().default([]),
    /** Whose a guide's customers are who leaves a store of the mall. */
    guide_rule: text({ enum: keys<GuideRule>(guideRules) })
      .notNull()
      .default('merchant'),
    /** 0 until the settings were set once. */
    category_settings_version: integer().notNull().default(0),
    recommend_title: text().notNull().default(''),
    featured_title: text().notNull().default(''),
    status: text({ enum: ['draft', 'online', 'offline', 'closed'] }).notNull(),
    close_reason: text(),
    online_at: unix(),
    closed_at: unix(),
    is_hot: boolean().notNull().default(false),
    hot_sort: integer().notNull().default(0),
    /** Whose mall it is: "mine" in the list. */
    created_by: integer(),
    sort: integer().notNull().default(0),
    store_count: integer().notNull().default(0),
  },
  t => [
    check('mall_id_is_not_outside', sql`${t.id} > 0`),
    uniqueIndex('mall_name_once_in_city').on(t.city_id, plainName(t.name)),
    index('mall_by_pinyin').on(t.status, t.pinyin),
    index('mall_by_city').on(t.city_id, t.status, t.sort),
    index('mall_by_pin').on(t.lng_e6, t.lat_e6),
  ],
)
