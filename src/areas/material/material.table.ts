import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { product } from '#src/areas/product/product.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  materialHits,
  materialKinds,
  materialStates,
  type CodeArea,
  type MaterialHit,
  type MaterialKind,
  type MaterialState,
} from './material.ts'

/** 推广素材 */
export const dist_material = pgTable(
  'dist_material',
  {
    ...base,
    title: varchar({ length: 30 }).notNull(),
    kind: text({ enum: keys<MaterialKind>(materialKinds) }).notNull(),
    /** The goods that it is for; none: for no one product. */
    product_id: integer().references(() => product.id),
    /** Pictures and videos: ids of uploads. */
    files: jsonb().$type<string[]>().notNull().default([]),
    code_area: jsonb().$type<CodeArea>(),
    content: varchar({ length: 1000 }).notNull().default(''),
    /** Empty: for every mall. */
    mall_ids: jsonb().$type<number[]>().notNull().default([]),
    start_at: unix().notNull(),
    end_at: unix(),
    sort: integer().notNull().default(0),
    view_count: integer().notNull().default(0),
    download_count: integer().notNull().default(0),
    share_count: integer().notNull().default(0),
    order_count: integer().notNull().default(0),
    /** The prices that its title and text print (cents), as they were written (`printedIn`). */
    printed_cents: integer().array().notNull().default([]),
    /** When somebody published it though its text names another price. */
    price_confirmed_at: unix(),
    /** The live price that was confirmed then (cents). */
    confirmed_cents: cents(),
    reason: varchar({ length: 200 }).notNull().default(''),
    status: text({ enum: keys<MaterialState>(materialStates) })
      .notNull()
      .default('draft'),
  },
  t => [
    check('dist_material_span', sql`${t.end_at} > ${t.start_at}`),
    index('dist_material_by_status').on(t.status, t.sort, t.id),
    index('dist_material_by_sort').on(t.sort, t.id),
    index('dist_material_by_product').on(t.product_id),
    index('dist_material_by_mall').using('gin', t.mall_ids),
    index('dist_material_for_all')
      .on(t.sort, t.id)
      .where(sql`mall_ids = '[]'::jsonb`),
    index('dist_material_due')
      .on(t.end_at)
      .where(sql`status = 'on'`),
  ],
)

/** 素材访问: a device that was counted on a day (Shanghai); forgotten two days later. */
export const dist_material_hit = pgTable(
  'dist_material_hit',
  {
    ...base,
    material_id: integer()
      .notNull()
      .references(() => dist_material.id),
    what: text({ enum: keys<MaterialHit>(materialHits) }).notNull(),
    day: varchar({ length: 10 }).notNull(),
    device: varchar({ length: 40 }).notNull(),
  },
  t => [
    uniqueIndex('dist_material_hit_once').on(t.material_id, t.what, t.day, t.device),
    index('dist_material_hit_by_day').on(t.day),
  ],
)

defineKinds({
  dist_material: at('dist_material', {
    cities: 'select m.city_id from mall m where t.mall_ids @> to_jsonb(m.id)',
    malls: 'select jsonb_array_elements_text(t.mall_ids)::int',
    shared: "t.mall_ids = '[]'::jsonb",
  }),
})
