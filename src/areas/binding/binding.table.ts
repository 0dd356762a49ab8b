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
import { member } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  bindingRoles,
  bindingSources,
  bindingStates,
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
  ],
)

defineKinds({
  dist_binding: at('dist_binding', { city: 't.city_id', mall: 't.mall_id' }),
})
