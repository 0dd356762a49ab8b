import { sql } from 'drizzle-orm'
import { check, integer, jsonb, pgTable, unique } from 'drizzle-orm/pg-core'
import { brand } from '#src/areas/brand/brand.table.ts'
import { e_category } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, unix } from '#src/server/db/columns.ts'
import type { WallTile } from './brandWall.ts'

/** 分类品牌墙: the brands below a category, in a city or, without one, in the whole country. */
export const brand_wall = pgTable(
  'brand_wall',
  {
    ...base,
    category_id: integer()
      .notNull()
      .references(() => e_category.id, { onDelete: 'cascade' }),
    city_id: integer().references(() => city.id),
    /** What consumers get, as it was published; null until then. */
    published: jsonb().$type<WallTile[]>(),
    published_at: unix(),
    published_by: integer().references(() => admin.id),
  },
  t => [unique('brand_wall_once').on(t.category_id, t.city_id).nullsNotDistinct()],
)
/** A brand of a wall as it is being arranged. */
export const category_brand = pgTable(
  'category_brand',
  {
    ...base,
    wall_id: integer()
      .notNull()
      .references(() => brand_wall.id, { onDelete: 'cascade' }),
    brand_id: integer()
      .notNull()
      .references(() => brand.id, { onDelete: 'cascade' }),
    sort: integer().notNull().default(0),
    pinned_until: unix(),
    start_at: unix(),
    end_at: unix(),
  },
  t => [
    unique('category_brand_once').on(t.wall_id, t.brand_id),
    check('category_brand_span', sql`${t.end_at} > ${t.start_at}`),
  ],
)

defineKinds({
  brand_wall: at('brand_wall', { city: 't.city_id', shared: 't.city_id is null' }),
  category_brand: at('category_brand', {
    city: '(select w.city_id from brand_wall w where w.id = t.wall_id)',
    shared: '(select w.city_id from brand_wall w where w.id = t.wall_id) is null',
  }),
})
