import { and, asc, count, desc, eq, ilike, ne, sql } from 'drizzle-orm'
import { page_link } from '#src/areas/content/content.table.ts'
import { shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { isShownCategory } from '#src/areas/merchant/shopCategories.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { linkPicks as contract } from '#src/contract/link.ts'
import { implement } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { needsNoScope, within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { mpImg, qrImg } from './qr.ts'

const objects = {
  store: {
    table: store,
    name: store.name,
    note: sql<string>`coalesce((select m.name from mall m where m.id = "store"."mall_id"), '')`,
    where: eq(store.status, 'open'),
    scope: { city: store.city_id, mall: store.mall_id },
  },
  mall: {
    table: mall,
    name: mall.name,
    note: sql<string>`coalesce((select c.city_name from city c where c.id = "mall"."city_id"), '')`,
    where: eq(mall.status, 'online'),
    scope: { city: mall.city_id, mall: mall.id },
  },
  product: {
    table: product,
    name: product.title,
    note: sql<string>`coalesce((select m.name from merchant m where m.id = "product"."merchant_id"), '')`,
    where: eq(product.state, 'on_sale'),
    scope: { city: product.city_id, mall: product.mall_id },
  },
} as const

export const linkPicksServer = implement(contract, {
  options: async ({ page, pageSize, keyword }, { db }) => {
    const where = and(
      holding(keyword, [page_link.name, page_link.path], page_link.id),
      eq(page_link.status, 'on'),
      ne(page_link.health, 'dead'),
    )
    const list = await db
      .select({
        id: page_link.id,
        name: page_link.name,
        type: page_link.type,
        path: page_link.path,
        params: page_link.params,
        version: page_link.version,
      })
      .from(page_link)
      .where(where)
      .orderBy(asc(page_link.name), asc(page_link.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const [total] = await db.select({ n: count() }).from(page_link).where(where)
    return { list, total: total!.n }
  },
  objects: async ({ target, city_id, page, pageSize, keyword }, { db, staff }) => {
    if (target === 'category') {
      needsNoScope(staff)
      const where = and(
        isShownCategory,
        keyword ? ilike(shop_category.name, like(keyword)) : undefined,
      )
      const list = await db
        .select({ id: shop_category.id, name: shop_category.name, note: sql<string>`''` })
        .from(shop_category)
        .where(where)
        .orderBy(asc(shop_category.level), asc(shop_category.sort))
        .limit(pageSize)
        .offset((page - 1) * pageSize)
      const [total] = await db.select({ n: count() }).from(shop_category).where(where)
      return { list, total: total!.n }
    }
    const { table, name, note, where: on, scope } = objects[target]
    const where = and(
      on,
      keyword ? ilike(name, like(keyword)) : undefined,
      city_id === undefined ? undefined : eq(table.city_id, city_id),
      within(staff.scope, scope),
    )
    const list = await db
      .select({ id: table.id, name, note })
      .from(table)
      .where(where)
      .orderBy(desc(table.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, table, where)) }
  },
  getQrImg: async ({ text, size }) => qrImg(text, size),
  getMpImg: async (input, { db, now, staff, install }) =>
    mpImg({ db, now, lang: staff.lang }, input, install.wechat),
})
