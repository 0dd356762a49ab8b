import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { base, keys } from '#src/server/db/columns.ts'
import { zoneKinds, type ZoneKind } from './shop.ts'

/** 积分商城分区: a shelf of the points shop; members see zones by `sort`, the lowest first. */
export const points_zone = pgTable(
  'points_zone',
  {
    ...base,
    name: text().notNull(),
    kind: text({ enum: keys<ZoneKind>(zoneKinds) }).notNull(),
    sort: integer().notNull(),
  },
  t => [
    check('points_zone_name', sql`char_length(${t.name}) between 1 and 12`),
    uniqueIndex('points_zone_name_once').on(sql`lower(${t.name})`),
  ],
)
