import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, varchar } from 'drizzle-orm/pg-core'
import { page_link, type Audience, type LinkParams } from '#src/areas/content/content.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { entryPositions, type EntryPosition } from './entryIcon.ts'

/** 首页入口: an icon on a city's home that leads somewhere; its order is that of its place. */
export const entry_icon = pgTable(
  'entry_icon',
  {
    ...base,
    city_id: integer()
      .notNull()
      .references(() => city.id),
    position: text({ enum: keys<EntryPosition>(entryPositions) }).notNull(),
    title: varchar({ length: 10 }).notNull(),
    icon: varchar({ length: 255 }).notNull(),
    page_link_id: integer()
      .notNull()
      .references(() => page_link.id),
    link_params: jsonb().$type<LinkParams>().notNull().default({}),
    /** Empty without one; past `badge_until` nobody sees it. */
    badge: varchar({ length: 8 }).notNull().default(''),
    badge_until: unix(),
    audience: jsonb().$type<Audience>().notNull().default({}),
    start_at: unix(),
    end_at: unix(),
    sort: integer().notNull().default(0),
    status: text({ enum: ['online', 'offline'] })
      .notNull()
      .default('offline'),
    off_reason: varchar({ length: 255 }).notNull().default(''),
  },
  t => [
    check('entry_icon_span', sql`${t.end_at} > ${t.start_at}`),
    index('entry_icon_by_place').on(t.city_id, t.position, t.sort),
    index('entry_icon_by_link').on(t.page_link_id),
  ],
)

defineKinds({ entry_icon: at('entry_icon', { city: 't.city_id' }) })
