import { sql } from 'drizzle-orm'
import {
  freight_template,
  return_address,
  store,
  type merchant,
} from '#src/areas/merchant/merchant.table.ts'
import type { Database } from '#src/server/db/database.ts'
import { freshStore } from './merchants.ts'

let made = 0
type Merchant = Pick<typeof merchant.$inferSelect, 'id' | 'city_id'>
/** A leaf of the e-commerce categories of a test's own. */
export const freshECategory = async (
  { db }: Database,
  {
    licences = [],
    commission_bp = null,
  }: { licences?: string[]; commission_bp?: number | null } = {},
): Promise<number> => {
  const { rows } = await db.execute<{ id: number }>(
    sql`insert into e_category (level, name, commission_bp, commission_min_bp, commission_max_bp, floor_bp, need_licenses) values (1, ${`网店类目Q${++made}`}, ${commission_bp}, 0, 5000, 1000, ${JSON.stringify(licences)}::jsonb) returning id`,
  )
  return rows[0]!.id
}
/** A freight template and a return address of a merchant. */
export const freshShipping = async ({ db }: Database, { id: merchant_id }: { id: number }) => {
  const [template] = await db
    .insert(freight_template)
    .values({
      merchant_id,
      name: `模板${++made}`,
      mode: 'piece',
      regions: [
        { areas: ['310000', '330000'], first: 1, first_cents: 700, next: 1, next_cents: 100 },
      ],
      free_rules: [],
      no_delivery: [],
    })
    .returning()
  const [address] = await db
    .insert(return_address)
    .values({
      merchant_id,
      name: '张仓',
      phone: '13700001111',
      area: '浙江省杭州市西湖区',
      address: '文三路 1 号',
    })
    .returning()
  return { freight_template_id: template!.id, return_address_id: address!.id }
}
/** A shop of a merchant that ships goods, with all that opening it asks for but goods. */
export const freshShop = async (
  database: Database,
  owner: Merchant,
  of: Partial<typeof store.$inferInsert> = {},
) => {
  const category_id = of.category_id ?? (await freshECategory(database))
  return freshStore(database, owner, {
    kind: 'online',
    shop_type: 'flagship',
    name: `测试网店Q${++made}`,
    category_id,
    category_ids: [category_id],
    address: '',
    ship_area: '浙江省杭州市',
    invoice: 'plain',
    status: 'resting',
    ...(await freshShipping(database, owner)),
    ...of,
  })
}
