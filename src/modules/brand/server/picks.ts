import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import { brand } from '#src/areas/brand/brand.table.ts'
import { categoryNames, recommendedNow } from '#src/areas/brand/brands.server.ts'
import { e_category, merchant, shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import type { Handler } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import type { brands as contract } from '../contract/index.ts'

const sizeOf = (page: number, pageSize: number) => ({
  limit: pageSize,
  offset: (page - 1) * pageSize,
})
/** Rows of one page and how many there are, of a query that counts beside each row. */
const counted = <R extends { all: number }>(rows: readonly R[]) => ({
  list: rows.map(({ all: _, ...row }) => row),
  total: rows[0]?.all ?? 0,
})
const beside = sql<number>`(count(*) over ())::int`

type Picks = 'pick' | 'arranged' | 'categories' | 'freeStores' | 'freeGoods'
/** What the questions of the page choose from. */
export const picks = {
  pick: async ({ page, pageSize, keyword, but }, { db }) => {
    const where = and(
      eq(brand.state, 'on'),
      holding(keyword, [brand.name, brand.en_name], brand.id),
      but === undefined ? undefined : ne(brand.id, but),
    )
    const { limit, offset } = sizeOf(page, pageSize)
    const rows = await db
      .select({ id: brand.id, name: brand.name, category_id: brand.category_id, all: beside })
      .from(brand)
      .where(where)
      .orderBy(asc(brand.sort), asc(brand.id))
      .limit(limit)
      .offset(offset)
    const names = await categoryNames(
      db,
      rows.map(row => row.category_id),
    )
    return counted(rows.map(row => ({ ...row, category_name: names.get(row.category_id) ?? '' })))
  },
  arranged: async (_, { db }) => {
    const all = await recommendedNow(db)
    return {
      list: all.map(({ id, name }) => ({ id, name })),
      list_version: sequenceVersion(all.map(one => one.id)),
    }
  },
  categories: async ({ page, pageSize, keyword }, { db }) => {
    const { limit, offset } = sizeOf(page, pageSize)
    const { rows } = await db.execute<{ id: number; name: string; all: number }>(
      sql`select k.id, concat_ws(' / ', p.name, k.name) as name, ${beside} as all
        from (select id, parent_id, name, level, sort from ${shop_category} where status = 'on'
          union all select id, parent_id, name, level, sort from ${e_category} where status = 'on') k
        left join (select id, name from ${shop_category} union all select id, name from ${e_category}) p on p.id = k.parent_id
        where ${keyword ? sql`concat_ws(' / ', p.name, k.name) ilike ${like(keyword)}` : sql`true`}
        order by k.id < 1000000 desc, k.level, k.sort, k.id limit ${limit} offset ${offset}`,
    )
    return counted(rows)
  },
  freeStores: async ({ page, pageSize, keyword }, { db, staff }) => {
    const { limit, offset } = sizeOf(page, pageSize)
    const rows = await db
      .select({ id: store.id, name: store.name, city_name: city.city_name, all: beside })
      .from(store)
      .innerJoin(city, eq(city.id, store.city_id))
      .where(
        and(
          isNull(store.brand_id),
          holding(keyword, [store.name], store.id),
          within(staff.scope, { city: store.city_id, mall: store.mall_id }),
        ),
      )
      .orderBy(asc(store.id))
      .limit(limit)
      .offset(offset)
    return counted(rows)
  },
  freeGoods: async ({ page, pageSize, keyword }, { db, staff }) => {
    const { limit, offset } = sizeOf(page, pageSize)
    const rows = await db
      .select({
        id: product.id,
        title: product.title,
        merchant_name: merchant.name,
        all: beside,
      })
      .from(product)
      .innerJoin(merchant, eq(merchant.id, product.merchant_id))
      .where(
        and(
          isNull(product.brand_id),
          holding(keyword, [product.title], product.id),
          within(staff.scope, {
            city: product.city_id,
            mall: product.mall_id,
            owner: merchant.bd_admin_id,
          }),
        ),
      )
      .orderBy(asc(product.id))
      .limit(limit)
      .offset(offset)
    return counted(rows)
  },
} satisfies { [K in Picks]: Handler<(typeof contract)[K]> }
