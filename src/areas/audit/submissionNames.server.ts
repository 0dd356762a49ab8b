import { eq } from 'drizzle-orm'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import type { ProductBody } from '#src/contract/product.ts'
import type { Db } from '#src/server/call/implement.ts'
import { brandNamed, categoriesOf } from './submissionFacts.server.ts'

/** The store that a queue's row names: the first of a submission. */
const firstStore = async (tx: Db, id: number | undefined) => {
  if (id === undefined) return undefined
  const [first] = await tx
    .select({
      name: store.name,
      city_id: store.city_id,
      mall_id: store.mall_id,
      mall_name: mall.name,
    })
    .from(store)
    .leftJoin(mall, eq(mall.id, store.mall_id))
    .where(eq(store.id, id))
  return first
}
const cityName = async (tx: Db, id: number): Promise<string> => {
  const [place] = await tx.select({ name: city.city_name }).from(city).where(eq(city.id, id))
  return place?.name ?? ''
}
const categoryName = async (tx: Db, body: ProductBody): Promise<string> => {
  const kinds = categoriesOf(body.kind)
  const [kind] = await tx
    .select({ name: kinds.name })
    .from(kinds)
    .where(eq(kinds.id, body.category_id))
  return kind?.name ?? ''
}
/** Names that a queue's row shows, as they are at submission. */
export const namesShown = async (tx: Db, body: ProductBody, merchant_id: number) => {
  const [seller] = await tx
    .select({ name: merchant.name, city_id: merchant.city_id, bd: merchant.bd_admin_id })
    .from(merchant)
    .where(eq(merchant.id, merchant_id))
  const first = await firstStore(tx, body.store_ids[0])
  const city_id = first?.city_id ?? seller?.city_id ?? 0
  const city_name = await cityName(tx, city_id)
  const category_name = await categoryName(tx, body)
  const brand = await brandNamed(tx, body)
  return {
    merchant_name: seller?.name ?? '',
    owner_id: seller?.bd ?? null,
    store_name: first?.name ?? '',
    store_count: body.store_ids.length,
    store_ids: [...body.store_ids],
    city_id,
    city_name,
    mall_id: first?.mall_id ?? 0,
    mall_name: first?.mall_name ?? '',
    category_name,
    brand_name: brand?.name ?? null,
  }
}
