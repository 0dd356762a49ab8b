/** What the forms of a shop begin with. */
import { eq } from 'drizzle-orm'
import { openAbout } from '#src/areas/application/applying.server.ts'
import { shopBodyOf, shopChange } from '#src/areas/application/shopJudge.server.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import { freight_template, merchant, return_address } from '#src/areas/merchant/merchant.table.ts'
import { shopCategories } from '#src/areas/merchant/onlineShops.server.ts'
import { hoursFrom } from '#src/areas/merchant/storeHours.ts'
import type { Store } from '#src/areas/merchant/storeRecord.server.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import type { ShopProfile } from '../contract/form.ts'

export const profileOf = async (
  db: Db,
  row: Store,
  { lang }: Pick<Staff, 'lang'>,
): Promise<ShopProfile> => {
  const open = await openAbout(db, { merchant_id: row.merchant_id, store_id: row.id })
  const isAsked = open?.kind === 'eshop_change' && open.state === 'need_more'
  const body = { ...shopBodyOf(row), ...(isAsked && open.snapshot.eshop) }
  const [beside] = await db
    .select({
      merchant_name: merchant.name,
      merchant_status: merchant.status,
      city_name: city.city_name,
    })
    .from(merchant)
    .innerJoin(city, eq(city.id, row.city_id))
    .where(eq(merchant.id, row.merchant_id))
  const nameOf = async (
    table: typeof brand | typeof mall | typeof freight_template,
    id: number | null,
  ) =>
    id
      ? ((await db.select({ name: table.name }).from(table).where(eq(table.id, id)))[0]?.name ?? '')
      : ''
  const [back] = row.return_address_id
    ? await db.select().from(return_address).where(eq(return_address.id, row.return_address_id))
    : []
  const categories = await shopCategories(db, body.category_ids)
  return {
    ...row,
    ...beside!,
    ...body,
    mid: row.mall_id,
    mall_name: await nameOf(mall, row.mall_id),
    categories: categories.map(({ id, name }) => ({ id, name })),
    brand_name: await nameOf(brand, body.brand_id),
    hours: row.hours ?? hoursFrom(row.open_hours),
    freight_name: await nameOf(freight_template, row.freight_template_id),
    return_to: back ?? null,
    status_reason: row.status_reason ?? '',
    application: open
      ? { ...open, reason: open.reason ?? '', ...(await shopChange(db, open, row, lang)) }
      : null,
  }
}
