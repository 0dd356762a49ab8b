import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { member } from '#src/areas/member/member.table.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { configScopes, type ConfigScope } from './configScope.ts'
import { order } from './order.table.ts'
import {
  messageKinds,
  orderEvents,
  orderStatuses,
  type MessageKind,
  type OrderEvent,
  type OrderStatus,
} from './order.ts'
import type { OrderRules } from './orderRules.ts'

/**
 * A visitor's order is given to a member: at once where the phone is the member's, else when
 * another person agrees.
 */
export const order_bind = pgTable(
  'order_bind',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    /** When its order was placed, and where. */
    ordered_at: unix().notNull(),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    state: text({ enum: ['asked', 'bound', 'refused', 'undone'] }).notNull(),
    first_by: integer().notNull(),
    reason: text().notNull(),
    second_by: integer(),
    second_reason: text(),
    bound_at: unix(),
  },
  t => [
    check('order_bind_second_is_another', sql`${t.second_by} <> ${t.first_by}`),
    uniqueIndex('order_bind_once')
      .on(t.order_id)
      .where(sql`state in ('asked', 'bound')`),
    index('order_bind_by_order').on(t.order_id, t.id),
    index('order_bind_asked')
      .on(t.ordered_at, t.order_id, t.city_id, t.mall_id)
      .where(sql`state = 'asked'`),
  ],
)

/**
 * 订单日志: what happened to an order, in its own words; the operation log has what staff changed.
 * Append-only.
 */
export const order_log = pgTable(
  'order_log',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    order_id: integer().notNull(),
    event: text({ enum: keys<OrderEvent>(orderEvents) }).notNull(),
    from_status: text({ enum: keys<OrderStatus>(orderStatuses) }),
    to_status: text({ enum: keys<OrderStatus>(orderStatuses) }),
    actor_type: text({ enum: ['member', 'staff', 'merchant', 'system', 'channel'] }).notNull(),
    actor_id: integer(),
    memo: text().notNull().default(''),
    data: jsonb().$type<Record<string, unknown>>(),
    at: unix().notNull(),
  },
  t => [index('order_log_by_order').on(t.order_id, t.id)],
)

/** What is sent to a buyer about an order, and whether it arrived. */
export const order_message = pgTable(
  'order_message',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    kind: text({ enum: keys<MessageKind>(messageKinds) }).notNull(),
    phone: text(),
    text: text().notNull(),
    state: text({ enum: ['queued', 'sent', 'failed'] })
      .notNull()
      .default('queued'),
    tries: integer().notNull().default(0),
    answer: text(),
    sent_at: unix(),
    admin_id: integer(),
    /** The key of a message that goes out once: the same key of an order is never sent twice. */
    once: text(),
  },
  t => [
    uniqueIndex('order_message_once')
      .on(t.order_id, t.once)
      .where(sql`once is not null`),
    index('order_message_by_order').on(t.order_id, t.id),
    index('order_message_queue')
      .on(t.id)
      .where(sql`state = 'queued'`),
    index('order_message_lost')
      .on(t.order_id)
      .where(sql`kind = 'code' and state = 'failed'`),
  ],
)

/** 订单规则版本: an order keeps the version that it was made under. */
export const order_config = pgTable(
  'order_config',
  {
    ...base,
    scope: text({ enum: keys<ConfigScope>(configScopes) }).notNull(),
    version_no: integer().notNull(),
    fields: jsonb().$type<OrderRules>().notNull(),
    reason: text().notNull(),
    effective_at: unix().notNull(),
    state: text({ enum: ['current', 'old'] }).notNull(),
    by_admin: integer(),
  },
  t => [
    uniqueIndex('order_config_version_once').on(t.scope, t.version_no),
    uniqueIndex('order_config_current_once')
      .on(t.scope)
      .where(sql`state = 'current'`),
  ],
)
