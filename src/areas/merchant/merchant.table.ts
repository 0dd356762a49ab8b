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
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { brand } from '#src/areas/brand/brand.table.ts'
import { mall_floor } from '#src/areas/mall/mall.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import {
  freightModes,
  type FreeRule,
  type FreightMode,
  type FreightRegion,
} from '#src/areas/shipping/freight.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import {
  bankKinds,
  merchantStates,
  settleCycles,
  type BankKind,
  type MerchantState,
  type SettleCycle,
} from './merchant.ts'
import { invoices, shopTypes, type ShopInvoice, type ShopType } from './onlineShop.ts'
import type { ShopProductKind } from './shopCategory.ts'
import type { StoreHours } from './storeHours.ts'

export type Qualification = { name: string; no: string; expire_at: number | null }

/**
 * Categories of to-store trade; the commission range and licences of a category bind every product
 * in it.
 */
export const shop_category = pgTable(
  'shop_category',
  {
    ...base,
    parent_id: integer(),
    level: integer().notNull(),
    name: text().notNull(),
    /** A picture that was uploaded; empty where there is none. */
    icon: text().notNull().default(''),
    /** The take rate that new contracts begin with; null: as the category above, or as agreed. */
    commission_bp: integer(),
    commission_min_bp: integer().notNull(),
    commission_max_bp: integer().notNull(),
    /** Below this share of the list price (or face) an offer is flagged. */
    floor_bp: integer().notNull(),
    need_licenses: jsonb().$type<string[]>().notNull(),
    /** Classes of trademarks that cover it, one of which a brand must have; none: as the one above. */
    trademark_classes: jsonb().$type<number[]>().notNull().default([]),
    /** The kinds of products that it takes; without any it takes all. */
    product_kinds: jsonb().$type<ShopProductKind[]>().notNull().default([]),
    sort: integer().notNull().default(0),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
    /** The category that took it over: old numbers lead there. */
    merged_into: integer(),
  },
  t => [
    check('shop_category_commission', sql`${t.commission_bp} between 0 and 5000`),
    uniqueIndex('shop_category_name_once')
      .on(sql`coalesce(${t.parent_id}, 0)`, plainName(t.name))
      .where(sql`merged_into is null`),
    index('shop_category_merged')
      .on(t.merged_into)
      .where(sql`merged_into is not null`),
    index('shop_category_by_parent').on(t.parent_id, t.sort),
    index('shop_category_by_name').on(t.name),
  ],
)

/**
 * Categories of the e-commerce side; the same rules, other goods. Their keys begin at a million, so
 * that one of the other side is never taken for one of these.
 */
export const e_category = pgTable(
  'e_category',
  {
    ...base,
    id: integer().primaryKey().generatedByDefaultAsIdentity({ startWith: 1_000_001 }),
    parent_id: integer(),
    level: integer().notNull(),
    name: text().notNull(),
    /** Pictures that were uploaded; empty where there is none. */
    icon: text().notNull().default(''),
    picture: text().notNull().default(''),
    /** What is ordered pays so much; null: as the category above, or as each product agreed. */
    commission_bp: integer(),
    commission_min_bp: integer().notNull(),
    commission_max_bp: integer().notNull(),
    floor_bp: integer().notNull(),
    need_licenses: jsonb().$type<string[]>().notNull(),
    /** Classes of trademarks that cover it, one of which a brand must have; none: as the one above. */
    trademark_classes: jsonb().$type<number[]>().notNull().default([]),
    sort: integer().notNull().default(0),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
    /** Products of a hidden category are still found by searching. */
    searchable: boolean().notNull().default(true),
    /** The category that took it over: old numbers lead there. */
    merged_into: integer(),
  },
  t => [
    check('e_category_commission', sql`${t.commission_bp} between 0 and 5000`),
    uniqueIndex('e_category_name_once')
      .on(sql`coalesce(${t.parent_id}, 0)`, plainName(t.name))
      .where(sql`merged_into is null`),
    index('e_category_merged')
      .on(t.merged_into)
      .where(sql`merged_into is not null`),
    index('e_category_by_parent').on(t.parent_id, t.sort),
    index('e_category_by_name').on(t.name),
  ],
)

export const merchant = pgTable(
  'merchant',
  {
    ...base,
    merchant_no: text().notNull(),
    name: text().notNull(),
    license_no: text().notNull(),
    license_image: text().notNull(),
    license_expire_at: unix(),
    legal_name: text().notNull(),
    legal_id_no: text(),
    contact_name: text().notNull(),
    contact_phone: text().notNull(),
    licenses: jsonb().$type<Qualification[]>().notNull(),
    /** What it trades in, of the to-store categories: they say which licences it needs. */
    category_ids: jsonb().$type<number[]>().notNull().default([]),
    contract_no: text(),
    contract_start_at: unix(),
    contract_end_at: unix(),
    /** The take rate of the contract; a new one holds from `commission_from_at` on (`rateAt`). */
    commission_bp: integer().notNull().default(0),
    next_commission_bp: integer(),
    commission_from_at: unix(),
    /** Where money is settled to; without an account nothing can be paid out. */
    bank_kind: text({ enum: keys<BankKind>(bankKinds) }),
    bank_holder: text(),
    bank_name: text(),
    bank_no: text(),
    /**
     * When a small payment proved that the account is the merchant's, and who typed its amount in. A
     * trigger clears both with any change of the account (`merchant_account_changed`).
     */
    bank_verified_at: unix(),
    bank_verified_by: integer(),
    settle_cycle: text({ enum: keys<SettleCycle>(settleCycles) })
      .notNull()
      .default('weekly'),
    deposit_cents: cents().notNull().default(0),
    /** The owner signs in to the merchants' app by it, and replaces it where that is asked. */
    app_password_hash: text(),
    app_must_change: boolean().notNull().default(false),
    city_id: integer()
      .notNull()
      .references(() => city.id),
    /** The staff member who brought it in; scope `own` reads this. */
    bd_admin_id: integer(),
    status: text({ enum: keys<MerchantState>(merchantStates) }).notNull(),
    status_reason: text(),
    store_count: integer().notNull().default(0),
  },
  t => [
    uniqueIndex('merchant_no_once').on(t.merchant_no),
    uniqueIndex('merchant_license_once')
      .on(t.license_no)
      .where(sql`status <> 'terminated'`),
    index('merchant_by_status').on(t.status, t.id),
    index('merchant_by_city').on(t.city_id, t.status, t.id),
    index('merchant_by_bd').on(t.bd_admin_id, t.id),
    index('merchant_by_contract')
      .on(t.contract_end_at)
      .where(sql`status in ('active', 'frozen')`),
    index('merchant_by_license')
      .on(t.license_expire_at)
      .where(sql`status in ('active', 'frozen')`),
    // By these another merchant is found that may be the same.
    index('merchant_by_name').on(plainName(t.name)),
    index('merchant_by_phone').on(t.contact_phone),
    index('merchant_by_bank')
      .on(t.bank_no)
      .where(sql`bank_no is not null`),
    index('merchant_without_bank')
      .on(t.id)
      .where(sql`bank_no is null`),
  ],
)

/** True of a store in trade that lacks something its customers look for (`storeProblems`). */
export const storeProblem = sql`kind = 'offline' and status in ('open', 'resting') and (lng_e6 is null or (mall_id > 0 and floor_id is null) or brand_id is null or phone = '' or logo = '')`

export const store = pgTable(
  'store',
  {
    ...base,
    store_no: text().notNull(),
    kind: text({ enum: ['offline', 'online'] }).notNull(),
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    brand_id: integer().references(() => brand.id),
    category_id: integer().notNull(),
    name: text().notNull(),
    /**
     * The pairs of neighbours in its name without marks and spaces, as the migration's function makes
     * them: PostgreSQL's own trigrams know no Chinese where the database's locale is C.
     */
    name_pairs: text()
      .array()
      .notNull()
      .generatedAlwaysAs(sql`name_pairs(name)`),
    city_id: integer()
      .notNull()
      .references(() => city.id),
    /** 0 outside any mall. */
    mall_id: integer().notNull().default(0),
    floor: text(),
    /**
     * A floor of its mall; none outside, and none where nobody has placed it yet. `floor` is that
     * floor's name as merchants wrote it.
     */
    floor_id: integer().references(() => mall_floor.id),
    door_no: text(),
    logo: text().notNull().default(''),
    /** Tenths of a star, 0 to 50. */
    score_x10: integer().notNull().default(0),
    address: text().notNull(),
    phone: text().notNull(),
    /** Where it stands, and how far it delivers; a store without a radius delivers nothing. */
    lng_e6: integer(),
    lat_e6: integer(),
    delivery_radius_m: integer(),
    /** As customers read them: of `hours`, where those were ever set. */
    open_hours: text().notNull(),
    hours: jsonb().$type<StoreHours>(),
    images: jsonb().$type<string[]>().notNull().default([]),
    avg_price_cents: cents().notNull(),
    /** Shown before the others of its kind. */
    is_recommend: boolean().notNull().default(false),
    status: text({ enum: ['draft', 'auditing', 'open', 'resting', 'closed'] }).notNull(),
    status_reason: text(),
    /** A resting store opens by itself then; without a time somebody opens it. */
    rest_until_at: unix(),
    /** Where an online shop stands among others: the highest first. */
    sort: integer().notNull().default(0),
    /** What follows is of online shops alone. */
    shop_type: text({ enum: keys<ShopType>(shopTypes) }),
    /** E-commerce categories; `category_id` is the first of them. */
    category_ids: jsonb().$type<number[]>().notNull().default([]),
    /** The take rate of what it sells; null: what the category of each product says. */
    commission_bp: integer(),
    commission_reason: text(),
    ship_area: text(),
    /** Goods that name no template of their own are sent by this one. */
    freight_template_id: integer().references((): AnyPgColumn => freight_template.id),
    return_address_id: integer().references((): AnyPgColumn => return_address.id),
    invoice: text({ enum: keys<ShopInvoice>(invoices) }),
    /** Whose draft it is: nobody else sees it. */
    draft_by: integer(),
  },
  t => [
    uniqueIndex('store_no_once').on(t.store_no),
    index('store_by_status').on(t.status, t.id),
    index('store_by_category').on(t.category_id, t.id),
    index('store_recommended')
      .on(t.id)
      .where(sql`is_recommend`),
    index('store_with_problem').on(t.id).where(storeProblem),
    index('store_resting')
      .on(t.rest_until_at)
      .where(sql`status = 'resting'`),
    index('store_by_merchant').on(t.merchant_id),
    index('store_by_mall').on(t.mall_id, t.status),
    index('store_by_floor').on(t.floor_id),
    index('store_by_city').on(t.city_id, t.status),
    index('store_by_brand').on(t.brand_id),
    // By these a store is found that may be the same.
    index('store_by_place')
      .on(t.lat_e6, t.lng_e6)
      .where(sql`lat_e6 is not null`),
    index('store_by_name').on(plainName(t.name)),
    index('store_by_pairs').using('gin', t.name_pairs),
    check('store_commission', sql`${t.commission_bp} between 0 and 5000`),
    index('store_shops')
      .on(t.sort, t.id)
      .where(sql`kind = 'online'`),
    uniqueIndex('store_shop_name_once')
      .on(t.merchant_id, plainName(t.name))
      .where(sql`kind = 'online' and status <> 'closed'`),
    uniqueIndex('store_self_run_once')
      .on(t.mall_id)
      .where(sql`shop_type = 'self_run' and status <> 'closed'`),
  ],
)

/**
 * Whether anything is on sale at a store. Triggers of the database keep it, whoever changes the state
 * of a product or where it is sold (`store_shelf_settled`); each finds it out anew.
 */
export const store_shelf = pgTable(
  'store_shelf',
  {
    store_id: integer()
      .primaryKey()
      .references(() => store.id, { onDelete: 'cascade' }),
    sells: boolean().notNull().default(false),
  },
  t => [
    index('store_shelf_empty')
      .on(t.store_id)
      .where(sql`not sells`),
  ],
)

/**
 * 运费模板: the platform's own (without a merchant) may be used by every merchant. One that was deleted
 * is off and stays: what was sold by it is still sent by it.
 */
export const freight_template = pgTable(
  'freight_template',
  {
    ...base,
    merchant_id: integer().references(() => merchant.id),
    name: text().notNull(),
    mode: text({ enum: Object.keys(freightModes) as [FreightMode] }).notNull(),
    regions: jsonb().$type<FreightRegion[]>().notNull(),
    free_rules: jsonb().$type<FreeRule[]>().notNull(),
    no_delivery: jsonb().$type<readonly string[]>().notNull(),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
  },
  t => [index('freight_template_by_merchant').on(t.merchant_id)],
)

export const return_address = pgTable(
  'return_address',
  {
    ...base,
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    name: text().notNull(),
    phone: text().notNull(),
    area: text().notNull(),
    address: text().notNull(),
    /** Offered first; each merchant that has addresses has one such. */
    is_default: boolean().notNull().default(false),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
  },
  t => [
    index('return_address_by_merchant').on(t.merchant_id),
    uniqueIndex('return_address_default_once')
      .on(t.merchant_id)
      .where(sql`is_default`),
    check('return_address_default_on', sql`not ${t.is_default} or ${t.status} = 'on'`),
  ],
)
