import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  varchar,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { pageTypes, type Block, type PageType } from './blocks.ts'

/**
 * 页面方案: one page of a city, a category or a brand, its draft and which of its versions is live. A
 * template is one of nothing that only has a draft.
 */
export const page_scheme = pgTable(
  'page_scheme',
  {
    ...base,
    type: text({ enum: keys<PageType>(pageTypes) }).notNull(),
    /** Null where the page is of no city, as a brand’s. */
    city_id: integer().references(() => city.id),
    /** 0 where the page is of no category, or of no brand. */
    category_id: integer().notNull().default(0),
    brand_id: integer().notNull().default(0),
    name: varchar({ length: 64 }).notNull().default(''),
    /** Null while nobody is changing what is live. */
    draft: jsonb().$type<Block[]>(),
    draft_by: integer().references(() => admin.id),
    draft_at: unix(),
    live_version_id: integer().references((): AnyPgColumn => page_version.id),
    scheduled_version_id: integer().references((): AnyPgColumn => page_version.id),
    scheduled_at: unix(),
    is_template: boolean().notNull().default(false),
    /** The template that is shown wherever nobody has published a page of its type. */
    is_fallback: boolean().notNull().default(false),
  },
  t => [
    uniqueIndex('page_scheme_once')
      .on(t.type, sql`coalesce(${t.city_id}, 0)`, t.category_id, t.brand_id)
      .where(sql`not ${t.is_template}`),
    uniqueIndex('page_scheme_template_once')
      .on(t.type, t.name)
      .where(sql`${t.is_template}`),
    uniqueIndex('page_scheme_fallback_once')
      .on(t.type)
      .where(sql`${t.is_fallback}`),
    index('page_scheme_by_category')
      .on(t.category_id)
      .where(sql`category_id > 0`),
    index('page_scheme_due')
      .on(t.scheduled_at)
      .where(sql`${t.scheduled_at} is not null`),
  ],
)

/**
 * 页面版本: what was published, or is to be. Only its publication may still come to it: a trigger
 * refuses every other change.
 */
export const page_version = pgTable(
  'page_version',
  {
    ...base,
    scheme_id: integer()
      .notNull()
      .references(() => page_scheme.id),
    no: integer().notNull(),
    body: jsonb().$type<Block[]>().notNull(),
    note: varchar({ length: 255 }).notNull().default(''),
    by_admin: integer().references(() => admin.id),
    /** Null until it was live, also of one whose schedule was cancelled. */
    published_at: unix(),
    /** The number of the version that it is a copy of. */
    from_rollback: integer(),
  },
  t => [uniqueIndex('page_version_no_once').on(t.scheme_id, t.no)],
)

defineKinds({
  page_scheme: at('page_scheme', { city: 't.city_id', shared: 't.city_id is null' }),
})
