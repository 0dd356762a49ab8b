/** What stands behind an application of a store, and what the rules say of it. */
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { store_facility } from '#src/areas/merchant/facility.table.ts'
import { merchant, shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { missingLicenses } from '#src/areas/merchant/merchant.ts'
import { isShownCategory } from '#src/areas/merchant/shopCategories.server.ts'
import type { StoreBody } from '#src/areas/merchant/storeForm.ts'
import { openAtDoor } from '#src/areas/merchant/storePlaces.server.ts'
import { storeTwins, type StoreTwin } from '#src/areas/merchant/storeSearch.server.ts'
import { metres } from '#src/areas/place/geo.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product, product_store } from '#src/areas/product/product.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { plainName } from '#src/server/db/names.ts'
import type { Application } from './application.table.ts'
import { storeFindings } from './storeFindings.ts'

type Store = typeof store.$inferSelect
type Merchant = typeof merchant.$inferSelect

/** A store's own data as it stands. */
export const storeBodyOf = async (db: Db, row: Store): Promise<StoreBody> => ({
  name: row.name,
  category_id: row.category_id,
  brand_id: row.brand_id,
  mall_id: row.mall_id,
  floor_id: row.floor_id,
  door_no: row.door_no ?? '',
  address: row.address,
  pin:
    row.lng_e6 === null || row.lat_e6 === null ? null : { lng_e6: row.lng_e6, lat_e6: row.lat_e6 },
  phone: row.phone,
  open_hours: row.open_hours,
  images: row.images,
  avg_price_cents: row.avg_price_cents,
  facility_ids: (
    await db
      .select({ id: store_facility.facility_id })
      .from(store_facility)
      .where(eq(store_facility.store_id, row.id))
      .orderBy(store_facility.facility_id)
  ).map(one => one.id),
})

/** Shown, not merged, and with nothing below it. */
export const isLeafCategory = and(
  isShownCategory,
  isNull(shop_category.merged_into),
  sql`not exists (select 1 from shop_category below where below.parent_id = ${shop_category.id} and below.merged_into is null)`,
)
/** A category with what it asks for; whether stores may be of it. */
export const storeCategory = async (db: Db, id: number) =>
  (
    await db
      .select({
        name: shop_category.name,
        need_licenses: shop_category.need_licenses,
        product_kinds: shop_category.product_kinds,
        is_leaf: sql<boolean>`(${isLeafCategory})`,
      })
      .from(shop_category)
      .where(eq(shop_category.id, id))
  )[0]
/** What is on sale at a store and may not be sold in a category. */
export const unfitProducts = async (db: Db, store_id: number, category_id: number) => {
  const category = await storeCategory(db, category_id)
  if (!category || category.product_kinds.length === 0) return []
  const rows = await db
    .select({ id: product.id, title: product.title, kind: product.kind })
    .from(product_store)
    .innerJoin(product, eq(product.id, product_store.product_id))
    .where(
      and(
        eq(product_store.store_id, store_id),
        eq(product_store.status, 'on'),
        eq(product.state, 'on_sale'),
      ),
    )
    .orderBy(product.id)
  return rows.filter(row => !(category.product_kinds as readonly string[]).includes(row.kind))
}
/** The merchant's other store of a name and address; a closed one counts no more. */
export const sameStore = async (
  db: Db,
  of: { id: number; merchant_id: number; name: string; address: string },
): Promise<{ id: number; name: string } | undefined> =>
  (
    await db
      .select({ id: store.id, name: store.name })
      .from(store)
      .where(
        and(
          eq(store.merchant_id, of.merchant_id),
          ne(store.id, of.id),
          ne(store.status, 'closed'),
          sql`${plainName(store.name)} = ${plainName(sql`${of.name}::text`)}`,
          sql`${plainName(store.address)} = ${plainName(sql`${of.address}::text`)}`,
        ),
      )
      .limit(1)
  )[0]
const ALIKE_BP = 5000
const placeOf = async (db: Db, row: Store, body: StoreBody) => {
  if (body.mall_id === 0) return { fits: true, metres: null }
  const [of] = await db.select().from(mall).where(eq(mall.id, body.mall_id))
  const far =
    of?.lng_e6 == null || of.lat_e6 === null || body.pin === null
      ? null
      : Math.round(metres({ lng_e6: of.lng_e6, lat_e6: of.lat_e6 }, body.pin))
  return { fits: of?.city_id === row.city_id && of.status !== 'closed', metres: far }
}
/** The store as it would be. */
export const appliedStore = async (
  db: Db,
  row: Store,
  { snapshot }: Pick<Application, 'snapshot'>,
): Promise<StoreBody> => ({ ...(await storeBodyOf(db, row)), ...snapshot.store })
type Asking = Pick<Application, 'kind' | 'snapshot' | 'changed'>
/** What the rules say of a store's application as things stand. */
export const judgeStore = async (
  db: Db,
  of: Asking,
  { row, owner, now }: { row: Store; owner: Merchant; now: number },
) => {
  const body = await appliedStore(db, row, of)
  const category = await storeCategory(db, body.category_id)
  const place = await placeOf(db, row, body)
  const same = await sameStore(db, { ...body, id: row.id, merchant_id: row.merchant_id })
  const near: StoreTwin[] = await storeTwins(db, {
    but: row.id,
    city_id: row.city_id,
    name: body.name,
    ...(body.pin && { pin: body.pin }),
  })
  const alike = near.filter(one => one.metres !== null && one.alike_bp >= ALIKE_BP)
  const found = storeFindings({
    kind: of.kind,
    merchant: owner,
    status: row.status,
    changed: of.changed,
    category,
    missing: missingLicenses(category?.need_licenses ?? [], owner.licenses, now),
    unfit: (await unfitProducts(db, row.id, body.category_id)).map(one => one.title),
    mall_fits: place.fits,
    neighbour: await openAtDoor(db, { ...body, id: row.id, status: 'open' }),
    same: same?.id,
    near: alike.map(one => one.name),
    metres: place.metres,
    has_pin: body.pin !== null,
  })
  return { found, near, body, metres: place.metres }
}
