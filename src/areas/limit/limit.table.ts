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
import { ecard } from '#src/areas/ecard/ecard.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import { limitResults, limitRules, type LimitResult, type LimitRule } from './limits.ts'
import {
  limitDimensions,
  limitedKinds,
  limitScopes,
  limitWindows,
  type Exempt,
  type LimitDimension,
  type LimitedKind,
  type LimitScope,
  type LimitWay,
  type LimitWindow,
} from './rule.ts'

const kind = () => text({ enum: keys<LimitedKind>(limitedKinds) })
const dimension = () => text({ enum: keys<LimitDimension>(limitDimensions) })

/** 限购规则: how many of something one may buy. It counts from when it was switched on. */
export const buy_limit_rule = pgTable(
  'buy_limit_rule',
  {
    ...base,
    name: varchar({ length: 60 }).notNull(),
    scope_kind: text({ enum: keys<LimitScope>(limitScopes) }).notNull(),
    scope_ids: jsonb().$type<number[]>().notNull().default([]),
    ways: jsonb().$type<LimitWay[]>().notNull().default([]),
    product_kind: kind().notNull(),
    dimension: dimension().notNull(),
    per: text({ enum: keys<LimitWindow>(limitWindows) }).notNull(),
    qty: integer().notNull(),
    level_qty: jsonb().$type<Record<string, number>>().notNull().default({}),
    return_on_refund: boolean().notNull().default(true),
    /** Where it stands among the others, the first with 0. */
    priority: integer().notNull().default(0),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('off'),
    status_reason: varchar({ length: 255 }).notNull().default(''),
    exempt: jsonb().$type<Exempt[]>().notNull().default([]),
    /** Purchases that it stopped, of all times. */
    hits: integer().notNull().default(0),
    /** Goes up when it comes to count something else: what was counted before stays apart. */
    basis: integer().notNull().default(0),
    /** The place of what it names; none: it holds everywhere. */
    city_ids: jsonb().$type<number[]>().notNull().default([]),
    mall_ids: jsonb().$type<number[]>().notNull().default([]),
  },
  t => [
    check('buy_limit_rule_span', sql`${t.end_at} > ${t.start_at}`),
    check('buy_limit_rule_qty', sql`${t.qty} >= 0`),
    uniqueIndex('buy_limit_rule_name_once').on(plainName(t.name)),
    index('buy_limit_rule_in_order').on(t.priority, t.id),
    index('buy_limit_rule_by_status').on(t.status, t.priority, t.id),
    index('buy_limit_rule_by_scope').on(t.scope_kind, t.priority, t.id),
    index('buy_limit_rule_by_dimension').on(t.dimension, t.priority, t.id),
    index('buy_limit_rule_by_kind').on(t.product_kind, t.priority, t.id),
    index('buy_limit_rule_by_mall').using('gin', t.mall_ids),
    index('buy_limit_rule_hit')
      .on(t.priority, t.id)
      .where(sql`hits > 0`),
  ],
)

/**
 * 限购用量: what one has bought under a rule in a window. It is the lock: a purchase adds itself
 * where the sum stays within the limit, in one statement. A key holds a hash, never the phone.
 */
export const buy_limit_usage = pgTable(
  'buy_limit_usage',
  {
    ...base,
    rule_id: integer()
      .notNull()
      .references(() => buy_limit_rule.id, { onDelete: 'cascade' }),
    dim_hash: varchar({ length: 64 }).notNull(),
    window_key: varchar({ length: 20 }).notNull(),
    qty: integer().notNull(),
  },
  t => [
    check('buy_limit_usage_qty', sql`${t.qty} >= 0`),
    uniqueIndex('buy_limit_usage_once').on(t.rule_id, t.dim_hash, t.window_key),
  ],
)

/**
 * The quantity that an item of an order took of a rule, and how much of it was given back; whatever
 * product the item is changed to later.
 */
export const buy_limit_take = pgTable(
  'buy_limit_take',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    item_id: integer()
      .notNull()
      .references(() => order_item.id),
    rule_id: integer()
      .notNull()
      .references(() => buy_limit_rule.id, { onDelete: 'cascade' }),
    dim_hash: varchar({ length: 64 }).notNull(),
    window_key: varchar({ length: 20 }).notNull(),
    qty: integer().notNull(),
    returned: integer().notNull().default(0),
    /** The first of the item's cards that are one receiver's; null: it is of all of them. */
    unit_from: integer(),
    /** Whether refunded pieces may be bought again, as the rule said then. */
    returns: boolean().notNull(),
  },
  t => [
    check('buy_limit_take_returned', sql`${t.returned} between 0 and ${t.qty}`),
    uniqueIndex('buy_limit_take_once').on(t.item_id, t.rule_id, t.dim_hash),
    index('buy_limit_take_by_order').on(t.order_id),
    index('buy_limit_take_by_key').on(t.rule_id, t.dim_hash, t.window_key),
  ],
)

/** A rule as it stood when it stopped a purchase. */
export type LimitSaid = {
  name: string
  scope_kind: LimitScope
  dimension: LimitDimension
  per: LimitWindow
  qty: number
  return_on_refund: boolean
  start_at: number
  end_at: number
}

/**
 * 限购拦截: a purchase that a limit stopped, a product's own or a rule that was set up. `bought_n` is
 * what counted at that moment. Hits of one buyer, product and limit within a minute are one row.
 */
export const buy_limit_log = pgTable(
  'buy_limit_log',
  {
    ...base,
    /** Null for a visitor, who is known by a phone. */
    member_id: integer().references(() => member.id),
    visitor_phone: varchar({ length: 20 }),
    device_id: varchar({ length: 40 }),
    /** The product or e-card that was to be bought. */
    product_id: integer().references(() => product.id),
    ecard_id: integer().references(() => ecard.id),
    product_kind: kind().notNull().default('bulks'),
    /** The product's place, for data scopes. */
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    activity_type: varchar({ length: 16 }),
    activity_id: integer(),
    rule: text({ enum: keys<LimitRule>(limitRules) }).notNull(),
    /** The rule that was set up, and its version and words then; null of a product's own limit. */
    rule_id: integer().references(() => buy_limit_rule.id, { onDelete: 'set null' }),
    rule_version: integer(),
    rule_said: jsonb().$type<LimitSaid>(),
    dimension: dimension().notNull().default('member'),
    dim_value: varchar({ length: 64 }).notNull().default(''),
    channel: varchar({ length: 20 }).notNull().default('mini_program'),
    limit_n: integer().notNull(),
    bought_n: integer().notNull(),
    asked_n: integer().notNull(),
    /** How many more could be bought then. */
    allowed_n: integer().notNull().default(0),
    /** Hits that this row stands for, and the minute and buyer that they have in common. */
    folded: integer().notNull().default(1),
    fold_key: varchar({ length: 96 }),
    result: text({ enum: keys<LimitResult>(limitResults) })
      .notNull()
      .default('blocked'),
    release_by: integer().references(() => admin.id),
    release_reason: varchar({ length: 255 }),
    release_until: unix(),
    release_order_id: integer().references(() => order.id),
  },
  t => [
    check('buy_limit_log_what', sql`num_nonnulls(${t.product_id}, ${t.ecard_id}) = 1`),
    check(
      'buy_limit_log_release',
      sql`(${t.result} = 'blocked' or ${t.release_by} is not null) and (${t.result} <> 'used' or ${t.release_order_id} is not null)`,
    ),
    // One release at a time for one member and product.
    uniqueIndex('buy_limit_log_released_once')
      .on(t.member_id, t.product_id)
      .where(sql`result = 'released'`),
    uniqueIndex('buy_limit_log_card_released_once')
      .on(t.member_id, t.ecard_id)
      .where(sql`result = 'released' and ecard_id is not null`),
    index('buy_limit_log_time').on(t.created_at, t.id),
    index('buy_limit_log_member').on(t.member_id, t.created_at, t.id),
    index('buy_limit_log_product').on(t.product_id, t.created_at, t.id),
    uniqueIndex('buy_limit_log_fold').on(t.fold_key),
    index('buy_limit_log_kind').on(t.product_kind, t.created_at, t.id),
    index('buy_limit_log_by_rule').on(t.rule_id, t.created_at, t.id),
    index('buy_limit_log_dimension').on(t.dimension, t.created_at, t.id),
    index('buy_limit_log_rule').on(t.rule, t.created_at, t.id),
    index('buy_limit_log_result').on(t.result, t.created_at, t.id),
    index('buy_limit_log_device').on(t.device_id),
    index('buy_limit_log_city').on(t.city_id, t.created_at, t.id),
    index('buy_limit_log_mall').on(t.mall_id, t.created_at, t.id),
  ],
)
