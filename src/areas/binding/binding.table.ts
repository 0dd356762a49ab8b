import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  varchar,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  bindingAskStates,
  bindingRoles,
  bindingSources,
  bindingStates,
  type BindingAskState,
  type BindingRole,
  type BindingSource,
  type BindingState,
} from './binding.ts'

/** 客户绑定: rows are never deleted; a transfer ends one and begins another. */
export const dist_binding = pgTable(
  'dist_binding',
  {
    ...base,
    member_id: integer()
      .notNull()
      .references(() => member.id),
    distributor_id: integer()
      .notNull()
      .references(() => distributor.id),
    role: text({ enum: keys<BindingRole>(bindingRoles) }).notNull(),
    source: text({ enum: keys<BindingSource>(bindingSources) }).notNull(),
    /** Where its seller stands. */
    city_id: integer().notNull(),
    mall_id: integer().notNull().default(0),
    bind_at: unix().notNull(),
    expire_at: unix().notNull(),
    /** Nobody takes the customer over before, but by a second approval. */
    protect_until: unix().notNull(),
    end_at: unix(),
    end_reason: varchar({ length: 200 }).notNull().default(''),
    /** The binding that a transfer ended for this one. */
    from_id: integer().references((): AnyPgColumn => dist_binding.id),
    /** Bound by staff, and ended by staff. */
    maker_id: integer().references(() => admin.id),
    ended_by: integer().references(() => admin.id),
    /** The binding of the other role that began within an hour: both say the customer is theirs. */
    rival_id: integer().references((): AnyPgColumn => dist_binding.id),
    /** The store whose pool has the customer since: it keeps its claim until the binding is over. */
    pool_store_id: integer().references(() => store.id),
    /** Since when the guide and the customer are no longer friends in WeCom. */
    friend_lost_at: unix(),
    order_count: integer().notNull().default(0),
    paid_cents: cents().notNull().default(0),
    last_order_at: unix(),
    status: text({ enum: keys<BindingState>(bindingStates) })
      .notNull()
      .default('active'),
  },
  t => [
    check('dist_binding_span', sql`${t.expire_at} > ${t.bind_at}`),
    uniqueIndex('dist_binding_once')
      .on(t.member_id, t.role)
      .where(sql`status = 'active'`),
    index('dist_binding_by_status').on(t.status, t.id),
    index('dist_binding_by_seller').on(t.distributor_id, t.status, t.id),
    index('dist_binding_by_member').on(t.member_id, t.id),
    index('dist_binding_by_source').on(t.source, t.id),
    index('dist_binding_by_city').on(t.city_id, t.id),
    index('dist_binding_by_mall').on(t.mall_id, t.id),
    index('dist_binding_by_spend').on(t.status, t.paid_cents, t.id),
    index('dist_binding_by_order').on(t.status, t.last_order_at, t.id),
    index('dist_binding_due')
      .on(t.expire_at)
      .where(sql`status = 'active'`),
    index('dist_binding_disputed')
      .on(t.id)
      .where(sql`status = 'active' and rival_id is not null`),
    index('dist_binding_pooled')
      .on(t.pool_store_id, t.id)
      .where(sql`pool_store_id is not null`),
    index('dist_binding_lost')
      .on(t.friend_lost_at)
      .where(sql`status = 'active' and friend_lost_at is not null`),
  ],
)

/** 转移申请: a transfer within the protection time, which another person carries out or turns down. */
export const dist_binding_ask = pgTable(
  'dist_binding_ask',
  {
    ...base,
    binding_id: integer()
      .notNull()
      .references(() => dist_binding.id),
    to_id: integer()
      .notNull()
      .references(() => distributor.id),
    /** Where the binding stands. */
    city_id: integer().notNull(),
    mall_id: integer().notNull().default(0),
    reason: varchar({ length: 255 }).notNull(),
    maker_id: integer()
      .notNull()
      .references(() => admin.id),
    checker_id: integer().references(() => admin.id),
    state: text({ enum: keys<BindingAskState>(bindingAskStates) })
      .notNull()
      .default('pending'),
    decided_at: unix(),
    reject_reason: varchar({ length: 255 }).notNull().default(''),
    /** The binding that came of it. */
    made_id: integer().references(() => dist_binding.id),
  },
  t => [
    check('dist_binding_ask_second', sql`${t.checker_id} <> ${t.maker_id}`),
    check(
      'dist_binding_ask_decided',
      sql`(${t.state} in ('pending', 'lapsed')) = (${t.checker_id} is null)`,
    ),
    uniqueIndex('dist_binding_ask_once')
      .on(t.binding_id)
      .where(sql`state = 'pending'`),
    index('dist_binding_ask_by_state').on(t.state, t.id),
    index('dist_binding_ask_by_city').on(t.city_id, t.id),
    index('dist_binding_ask_by_mall').on(t.mall_id, t.id),
  ],
)

defineKinds({
  dist_binding: at('dist_binding', { city: 't.city_id', mall: 't.mall_id' }),
  dist_binding_ask: at('dist_binding_ask', { city: 't.city_id', mall: 't.mall_id' }),
})
