import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { offReasons, type OffReason } from '#src/areas/merchant/merchant.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { LOW_STOCK } from './shipped.ts'

/** The sale window, then the window in which codes may be redeemed. */
export type Span = {
  sale_start_at: number
  sale_end_at: number
  check_start_at: number
  check_end_at: number
}

/** True of a row that has few left to sell; written out, for an index holds no parameter. */
export const lowStock = sql.raw(`stock - held <= ${LOW_STOCK}`)

export const product = pgTable(
  'product',
  {
    ...base,
    kind: text({ enum: ['bulks', 'card', 'voucher', 'goods', 'elist'] }).notNull(),
    title: text().notNull(),
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    /** Cache of product_store. */
    store_ids: jsonb().$type<number[]>().notNull(),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    brand_id: integer(),
    category_id: integer().notNull(),
    images: jsonb().$type<string[]>().notNull(),
    list_price_cents: cents().notNull(),
    price_cents: cents().notNull(),
    settle_price_cents: cents().notNull(),
    commission_bp: integer().notNull(),
    stock: integer().notNull(),
    held: integer().notNull().default(0),
    sold: integer().notNull().default(0),
    sale_start_at: unix().notNull(),
    sale_end_at: unix().notNull(),
    check_start_at: unix().notNull(),
    check_end_at: unix().notNull(),
    valid_days: integer(),
    refund_policy: text({ enum: ['anytime', 'before_expiry', 'none'] }).notNull(),
    times_total: integer(),
    face_cents: cents(),
    min_spend_cents: cents(),
    per_bill_limit: integer(),
    /** How many must buy together for `group_price_cents`; null where nobody can. */
    group_need: integer(),
    group_price_cents: cents(),
    /** Whoever leads a group of it has a unit free. */
    group_leader_free: boolean().notNull().default(false),
    state: text({
      enum: ['draft', 'auditing', 'on_sale', 'off_sale', 'ended', 'forced_off'],
    }).notNull(),
    off_reason: text(),
    /**
     * Why the platform itself took it off sale: it is on sale again when all of these are gone, if
     * nothing else happened to it. Whoever puts it on sale otherwise empties them.
     */
    taken_off: text({ enum: keys<OffReason>(offReasons) })
      .array()
      .notNull()
      .default([]),
    /** 0 until a version was approved. */
    live_version: integer().notNull().default(0),
    /** Where it stands among others in a list: the highest first. */
    sort: integer().notNull().default(0),
    /** What whoever brings a buyer earns of its price; null where nobody does. */
    distribution_bp: integer(),
    /** The most units that one member may buy in all; null where nobody counts. */
    limit_per_member: integer(),
    /** The running price window (an activity) that forbids a change of times. */
    in_activity: boolean().notNull().default(false),
    /**
     * Characters and pairs of the title, for a keyword of one or two Chinese characters
     * (domain/search.ts).
     */
    grams: text().array().notNull(),
  },
  t => [
    check('product_stock', sql`${t.stock} >= 0 and ${t.held} >= 0`),
    index('product_by_merchant').on(t.merchant_id, t.kind, t.state),
    index('product_by_kind').on(t.kind, t.state, t.id),
    index('product_by_brand').on(t.brand_id),
    index('product_by_category').on(t.category_id, t.state),
    index('product_by_mall').on(t.mall_id, t.kind, t.state),
    index('product_by_city').on(t.city_id, t.kind, t.id),
    index('product_by_sort').on(t.kind, t.sort, t.id),
    index('product_by_price').on(t.kind, t.price_cents, t.id),
    // In the order of the list, so that a page of few or of many needs no sort.
    index('product_ending')
      .on(t.sort, t.id, t.sale_end_at)
      .where(sql`kind = 'bulks' and state = 'on_sale'`),
    index('product_sold_out')
      .on(t.sort, t.id)
      .where(sql`kind = 'bulks' and state = 'on_sale' and stock <= held`),
    index('product_in_groups')
      .on(t.sort, t.id)
      .where(sql`kind = 'bulks' and group_need is not null`),
    index('product_low')
      .on(t.id)
      .where(sql`kind = 'elist' and state = 'on_sale' and ${lowStock}`),
    index('product_by_grams').using('gin', t.grams),
    index('product_taken_off')
      .on(t.merchant_id)
      .where(sql`taken_off <> '{}'`),
  ],
)

/** What was submitted, as submitted; never changed after. One of them is live. */
export const product_version = pgTable(
  'product_version',
  {
    ...base,
    product_id: integer()
      .notNull()
      .references(() => product.id),
    no: integer().notNull(),
    body: jsonb().$type<ProductBody>().notNull(),
    /** Names of the fields that differ from the version live at the time. */
    changed: jsonb().$type<string[]>().notNull(),
    state: text({
      enum: ['draft', 'auditing', 'live', 'retired', 'rejected', 'withdrawn'],
    }).notNull(),
    /** The auditor who edited it while approving; null for the merchant's own. */
    edited_by: integer(),
  },
  t => [
    uniqueIndex('product_version_no_once').on(t.product_id, t.no),
    uniqueIndex('product_version_one_live')
      .on(t.product_id)
      .where(sql`${t.state} = 'live'`),
  ],
)

export const product_sku = pgTable(
  'product_sku',
  {
    ...base,
    product_id: integer()
      .notNull()
      .references(() => product.id),
    code: text().notNull(),
    name: text().notNull(),
    price_cents: cents().notNull(),
    stock: integer().notNull(),
    held: integer().notNull().default(0),
    sold: integer().notNull().default(0),
    image: text(),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
  },
  t => [
    check('product_sku_stock', sql`${t.stock} >= 0 and ${t.held} >= 0`),
    uniqueIndex('product_sku_code_once').on(t.product_id, t.code),
    index('product_sku_low')
      .on(t.product_id)
      .where(sql`status = 'on' and ${lowStock}`),
  ],
)

export const product_store = pgTable(
  'product_store',
  {
    ...base,
    product_id: integer()
      .notNull()
      .references(() => product.id),
    store_id: integer()
      .notNull()
      .references(() => store.id),
    /** Where it stands among the products of the store. */
    sort: integer().notNull().default(0),
    /** What an online shop asks for its cheapest variant (cents); null where it asks what all do. */
    price_cents: cents(),
    /** Days on which this store does not take it, as `YYYY-MM-DD`. */
    unavailable_dates: jsonb().$type<string[]>().notNull().default([]),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
  },
  t => [
    uniqueIndex('product_store_once').on(t.product_id, t.store_id),
    index('product_store_by_store').on(t.store_id, t.status),
  ],
)

/**
 * What a store has of a product, or of one of its variants. A product without rows here is not
 * counted by store.
 */
export const store_stock = pgTable(
  'store_stock',
  {
    ...base,
    product_id: integer()
      .notNull()
      .references(() => product.id),
    sku_id: integer().references(() => product_sku.id),
    store_id: integer()
      .notNull()
      .references(() => store.id),
    stock: integer().notNull(),
    held: integer().notNull().default(0),
    sold: integer().notNull().default(0),
  },
  t => [
    check('store_stock_stock', sql`${t.stock} >= 0 and ${t.held} >= 0`),
    unique('store_stock_once').on(t.product_id, t.sku_id, t.store_id).nullsNotDistinct(),
  ],
)

export type TimeItem = {
  product_id: number
  title: string
  before: Span
  after: Span
  ok: boolean
  fail_reason?: string
  /** The product's version after the change. */ version?: number
}
/** Batches of the group-buy time change. */
export const product_time_log = pgTable(
  'product_time_log',
  {
    ...base,
    batch_no: text().notNull(),
    operator_id: integer().notNull(),
    operator_name: text().notNull(),
    reason: text().notNull(),
    changes: jsonb().$type<{ mode: string; shift_days?: number } & Partial<Span>>().notNull(),
    product_count: integer().notNull(),
    ok_count: integer().notNull(),
    fail_count: integer().notNull(),
    items: jsonb().$type<TimeItem[]>().notNull(),
    product_ids: integer().array().notNull(),
    status: text({ enum: ['done', 'partial', 'undone'] }).notNull(),
    undo_until_at: unix(),
  },
  t => [
    uniqueIndex('product_time_log_no_once').on(t.batch_no),
    index('product_time_log_by_time').on(t.created_at, t.id),
    index('product_time_log_by_operator').on(t.operator_id, t.created_at),
    index('product_time_log_by_product').using('gin', t.product_ids),
  ],
)
