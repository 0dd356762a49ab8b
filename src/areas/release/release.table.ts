import { sql } from 'drizzle-orm'
import {
  check,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  unique,
  varchar,
} from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { features, type Feature } from './featureSwitch.ts'

/** 功能开关: how far a feature is released in a place; without a city it is for the whole country. */
export const feature_switch = pgTable(
  'feature_switch',
  {
    ...base,
    feature: text({ enum: keys<Feature>(features) }).notNull(),
    city_id: integer().references(() => city.id),
    mall_id: integer().references(() => mall.id),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('off'),
    percent: smallint().notNull().default(0),
    /** The oldest version of the app that has it, such as 3.2.0; empty: any. */
    min_version: varchar({ length: 16 }).notNull().default(''),
    /** Members who have it at any percent; kept with the country's switch. */
    testers: jsonb().$type<number[]>().notNull().default([]),
    reason: varchar({ length: 255 }).notNull().default(''),
    changed_by: integer().references(() => admin.id),
    changed_at: unix().notNull(),
  },
  t => [
    unique('feature_switch_one').on(t.feature, t.city_id, t.mall_id).nullsNotDistinct(),
    check('feature_switch_percent', sql`${t.percent} between 0 and 100`),
    check('feature_switch_place', sql`${t.mall_id} is null or ${t.city_id} is not null`),
  ],
)

defineKinds({
  feature_switch: at('feature_switch', {
    city: 't.city_id',
    mall: 't.mall_id',
    shared: 't.city_id is null',
  }),
})
