import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { mall } from '#src/areas/place/place.table.ts'
import { base, keys } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import {
  facilityGroups,
  facilityScopes,
  type FacilityGroup,
  type FacilityScope,
} from './facility.ts'
import { store } from './merchant.table.ts'

/** 设施: what stores and malls offer beside what they sell, in the order of the filter. */
export const facility = pgTable(
  'facility',
  {
    ...base,
    name: text().notNull(),
    icon: text().notNull(),
    group: text({ enum: keys<FacilityGroup>(facilityGroups) }).notNull(),
    scope: text({ enum: keys<FacilityScope>(facilityScopes) }).notNull(),
    sort: integer().notNull().default(0),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
    /** The facility that took it over: old numbers lead there. */
    merged_into: integer(),
  },
  t => [
    uniqueIndex('facility_name_once')
      .on(plainName(t.name))
      .where(sql`merged_into is null`),
  ],
)

/** Which store has which facility: each once. */
export const store_facility = pgTable(
  'store_facility',
  {
    ...base,
    store_id: integer()
      .notNull()
      .references(() => store.id),
    facility_id: integer()
      .notNull()
      .references(() => facility.id),
  },
  t => [
    uniqueIndex('store_facility_once').on(t.store_id, t.facility_id),
    index('store_facility_by_facility').on(t.facility_id, t.store_id),
  ],
)
/** Which mall has which facility: each once. */
export const mall_facility = pgTable(
  'mall_facility',
  {
    ...base,
    mall_id: integer()
      .notNull()
      .references(() => mall.id),
    facility_id: integer()
      .notNull()
      .references(() => facility.id),
  },
  t => [
    uniqueIndex('mall_facility_once').on(t.mall_id, t.facility_id),
    index('mall_facility_by_facility').on(t.facility_id, t.mall_id),
  ],
)
