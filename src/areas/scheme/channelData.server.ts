import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { brand } from '#src/areas/brand/brand.table.ts'
import { publicWall } from '#src/areas/brandWall/walls.server.ts'
import { eCategoryTree } from '#src/areas/merchant/eCategories.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { onSale } from './blockGoods.server.ts'
import { most, type Asked } from './blockItem.server.ts'

/** Categories right below the page’s that are shown and have something on sale there, with how much. */
export const subcategories = async (db: Db, of: Asked) => {
  const tree = await eCategoryTree.standing(db)
  const counted = await db
    .select({ id: product.category_id, n: sql<number>`count(*)::int` })
    .from(product)
    .where(onSale(of))
    .groupBy(product.category_id)
  const sums = new Map(counted.map(row => [row.id, row.n]))
  return tree
    .children(of.key.category_id)
    .flatMap(row => {
      const n = tree.branch(row.id).reduce((sum, one) => sum + (sums.get(one.id) ?? 0), 0)
      if (row.status === 'off' || n === 0) return []
      return [{ id: row.id, title: row.name, note: `${n} 件`, image: row.picture || row.icon }]
    })
    .slice(0, most(of))
}
const onWall = async (db: Db, { key, now }: Asked) =>
  (await publicWall(db, key, now)).map(({ id, name, en_name, logo }) => ({
    id,
    title: name,
    note: en_name,
    image: logo,
  }))
export const wallBrands = async (db: Db, of: Asked) => (await onWall(db, of)).slice(0, most(of))

const fields = {
  id: brand.id,
  title: brand.name,
  note: brand.en_name,
  image: brand.logo,
}
export const header = (db: Db, { key }: Asked) =>
  db
    .select({
      ...fields,
      note: sql<string>`concat_ws(' · ', nullif(${brand.en_name}, ''), ${brand.followers} || ' 人关注')`,
    })
    .from(brand)
    .where(and(eq(brand.id, key.brand_id), eq(brand.state, 'on')))
export const brandStores = (db: Db, of: Asked) =>
  db
    .select({
      id: store.id,
      title: store.name,
      note: sql<string>`concat_ws(' · ', ${city.city_name}, ${store.address})`,
      image: store.logo,
    })
    .from(store)
    .innerJoin(city, eq(city.id, store.city_id))
    .where(
      and(
        eq(store.brand_id, of.key.brand_id),
        of.key.city_id > 0 ? eq(store.city_id, of.key.city_id) : undefined,
        eq(store.kind, 'offline'),
        eq(store.status, 'open'),
      ),
    )
    .orderBy(desc(store.is_recommend), asc(store.id))
    .limit(most(of))
/** Inside a category the others of its wall, elsewhere those of the brand’s own category. */
export const relatedBrands = async (db: Db, of: Asked) => {
  const { brand_id, category_id } = of.key
  if (category_id > 0)
    return (await onWall(db, of)).filter(one => one.id !== brand_id).slice(0, most(of))
  const own = db.select({ id: brand.category_id }).from(brand).where(eq(brand.id, brand_id))
  return db
    .select(fields)
    .from(brand)
    .where(and(inArray(brand.category_id, own), ne(brand.id, brand_id), eq(brand.state, 'on')))
    .orderBy(asc(brand.sort), asc(brand.id))
    .limit(most(of))
}
