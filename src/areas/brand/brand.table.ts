import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { base, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import { LAST } from './brand.ts'
import { likeness } from './likeness.server.ts'

export const brand = pgTable(
  'brand',
  {
    ...base,
    name: text().notNull(),
    en_name: text().notNull().default(''),
    /** A to Z, and # for a name that begins with no letter. */
    initial: text().notNull(),
    logo: text().notNull().default(''),
    /** A category of to-store trade, or one of e-commerce, whose keys begin at a million. */
    category_id: integer().notNull(),
    /** Whose brand it is. */
    company: text().notNull().default(''),
    trademark_no: text().notNull().default(''),
    /** Classes of goods and services that the trademark is registered for. */
    trademark_classes: jsonb().$type<number[]>().notNull().default([]),
    trademark_end_at: unix(),
    /**
     * Authorised categories and until when; null for a brand that needs none (a merchant's own).
     */
    auth_category_ids: jsonb().$type<number[]>(),
    auth_end_at: unix(),
    /** Cities that it is recommended in; empty for all of them. */
    city_ids: jsonb().$type<number[]>().notNull().default([]),
    recommended: boolean().notNull().default(false),
    /** The place of a recommended one among them, from 0; `LAST` for every other. */
    sort: integer().notNull().default(LAST),
    followers: integer().notNull().default(0),
    state: text({ enum: ['on', 'off', 'merged'] }).notNull(),
    /** Where one that is merged leads; never to another merged one. */
    merged_into: integer(),
  },
  t => [
    uniqueIndex('brand_name_once').on(plainName(t.name)),
    index('brand_by_sort').on(t.sort, t.id),
    index('brand_by_state').on(t.state, t.sort, t.id),
    index('brand_by_category').on(t.category_id, t.sort, t.id),
    index('brand_by_likeness').on(likeness(t.name)),
    index('brand_by_english_name').on(sql`lower(${t.en_name})`),
    index('brand_by_authorisation').on(t.auth_end_at),
    index('brand_by_trademark')
      .on(t.trademark_no)
      .where(sql`trademark_no <> ''`),
    index('brand_by_target').on(t.merged_into),
  ],
)
