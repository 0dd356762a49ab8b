import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  smallint,
  text,
  varchar,
} from 'drizzle-orm/pg-core'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { activityKinds, activityStates, type ActivityKind, type ActivityState } from './activity.ts'

/** 门店活动: what a store announces, for a time. */
export const store_activity = pgTable(
  'store_activity',
  {
    ...base,
    store_id: integer()
      .notNull()
      .references(() => store.id),
    /** Where its store stands; they move with it. */
    city_id: integer()
      .notNull()
      .references(() => city.id),
    mall_id: integer().notNull().default(0),
    kind: text({ enum: keys<ActivityKind>(activityKinds) }).notNull(),
    title: varchar({ length: 20 }).notNull(),
    content: text().notNull(),
    image: text().notNull().default(''),
    threshold_cents: cents(),
    reduce_cents: cents(),
    discount_x10: smallint(),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    /** Days of the week from Monday, 1; none stands for all of them. */
    weekdays: smallint().array().notNull().default([]),
    is_top: boolean().notNull().default(false),
    status: text({ enum: keys<ActivityState>(activityStates) }).notNull(),
    reason: varchar({ length: 255 }).notNull().default(''),
    /** How often the app has shown it. */
    view_count: integer().notNull().default(0),
  },
  t => [
    check('store_activity_span', sql`${t.end_at} > ${t.start_at}`),
    check('store_activity_top', sql`not ${t.is_top} or ${t.status} = 'online'`),
    index('store_activity_by_store').on(t.store_id, t.status),
    index('store_activity_by_mall').on(t.mall_id, t.id),
    index('store_activity_by_city').on(t.city_id, t.id),
    index('store_activity_by_status').on(t.status, t.end_at),
    index('store_activity_by_kind').on(t.kind, t.id),
    index('store_activity_topped')
      .on(t.mall_id)
      .where(sql`is_top`),
  ],
)
