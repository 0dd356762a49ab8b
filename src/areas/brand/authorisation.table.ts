import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { base, unix } from '#src/server/db/columns.ts'
import { brand } from './brand.table.ts'
import type { ChainLink } from './brandBody.ts'

/** Suggestions of a brand for a store that somebody has put aside. */
export const brand_ignored = pgTable(
  'brand_ignored',
  {
    ...base,
    store_id: integer()
      .notNull()
      .references(() => store.id, { onDelete: 'cascade' }),
    brand_id: integer()
      .notNull()
      .references(() => brand.id, { onDelete: 'cascade' }),
    admin_id: integer().notNull(),
  },
  t => [
    uniqueIndex('brand_ignored_once').on(t.store_id, t.brand_id),
    index('brand_ignored_by_brand').on(t.brand_id),
  ],
)

/** Which merchant may use a brand, by whose leave, and until when. */
export const brand_authorisation = pgTable(
  'brand_authorisation',
  {
    ...base,
    brand_id: integer()
      .notNull()
      .references(() => brand.id, { onDelete: 'cascade' }),
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    /** The application that it was given by; null where it stood before those. */
    application_id: integer(),
    chain: jsonb().$type<ChainLink[]>().notNull().default([]),
    start_at: unix().notNull(),
    /** Null: without end. */
    end_at: unix(),
  },
  t => [
    uniqueIndex('brand_authorisation_once').on(t.brand_id, t.merchant_id),
    index('brand_authorisation_by_merchant').on(t.merchant_id),
    index('brand_authorisation_by_end').on(t.end_at),
    check('brand_authorisation_ends_later', sql`${t.end_at} > ${t.start_at}`),
  ],
)
