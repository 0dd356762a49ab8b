import { eq, sql } from 'drizzle-orm'
import { mall_floor } from '#src/areas/mall/mall.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import type { Database } from '#src/server/db/database.ts'

let made = 0
/** A leaf of the store categories of a test's own. */
export const freshCategory = async (
  { db }: Database,
  { licences = [], kinds = [] }: { licences?: string[]; kinds?: string[] } = {},
): Promise<number> => {
  const { rows } = await db.execute<{ id: number }>(
    sql`insert into shop_category (level, name, commission_min_bp, commission_max_bp, floor_bp, need_licenses, product_kinds) values (2, ${`门店类目Q${++made}`}, 0, 5000, 1000, ${JSON.stringify(licences)}::jsonb, ${JSON.stringify(kinds)}::jsonb) returning id`,
  )
  return rows[0]!.id
}
/** A mall of a test's own with a floor and a pin. */
export const freshMall = async ({ db }: Database, of: Partial<typeof mall.$inferInsert> = {}) => {
  const [like] = await db.select().from(mall).where(eq(mall.status, 'online')).limit(1)
  const { id: _, ...columns } = like!
  const [one] = await db
    .insert(mall)
    .values({
      ...columns,
      name: `表单商场Q${++made}`,
      city_id: 1,
      lng_e6: 121_470_000,
      lat_e6: 31_230_000,
      ...of,
    })
    .returning()
  const [floor] = await db
    .insert(mall_floor)
    .values({ mid: one!.id, name: '1F', level_no: 1 })
    .returning()
  return { ...one!, floor_id: floor!.id }
}
/** The fields of a whole store, as its form sends them. */
export const wholeStore = (of: {
  merchant_id: number
  category_id: number
  mid?: number
  floor_id?: number
}) => ({
  city_id: 1,
  name: `表单门店Q${++made}`,
  mid: 0,
  door_no: '',
  address: `表单路 ${made} 号`,
  lng_e6: 121_470_000,
  lat_e6: 31_230_000,
  phone: '021-55550000',
  hours: { week: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '10:00', to: '22:00' }], holidays: [] },
  images: ['demo/a.webp', 'demo/b.webp', 'demo/c.webp'],
  avg_price_cents: 8800,
  facility_ids: [] as number[],
  ...of,
})
