import { eq } from 'drizzle-orm'
import { liveBody } from '#src/areas/audit/submission.server.ts'
import { product, product_sku, product_store } from '#src/areas/product/product.table.ts'
import type { Database } from '#src/server/db/database.ts'
import { freshMerchant } from './merchants.ts'
import { freshShop } from './shops.ts'
import { freshProduct } from './trade.ts'

/** Goods of an open shop with two variants, of 10 each at 100 and 120 yuan; 150 is their list price. */
export const freshGoods = async (
  database: Database,
  values: Partial<typeof product.$inferInsert> = {},
) => {
  const own = await freshMerchant(database)
  const shop = await freshShop(database, own, { status: 'open' })
  const { id } = await database.transaction(async tx => {
    const { item } = await freshProduct(tx, 'elist')
    await tx.delete(product_sku).where(eq(product_sku.product_id, item.id))
    return item
  })
  const skus = await database.db
    .insert(product_sku)
    .values([
      { product_id: id, code: 'A', name: '小', price_cents: 10_000, stock: 10 },
      { product_id: id, code: 'B', name: '大', price_cents: 12_000, stock: 10 },
    ])
    .returning()
  await database.db.insert(product_store).values({ product_id: id, store_id: shop.id })
  await database.db
    .update(product)
    .set({
      merchant_id: own.id,
      store_ids: [shop.id],
      list_price_cents: 15_000,
      price_cents: 10_000,
      settle_price_cents: 8000,
      stock: 20,
      held: 0,
      group_price_cents: null,
      group_need: null,
      category_id: shop.category_id,
      ...values,
    })
    .where(eq(product.id, id))
  const { brand_id: _, ...body } = (await liveBody(database.db, id))!
  await database.pool.query(
    `update product_version set body = $2::jsonb where product_id = $1 and state = 'live'`,
    [
      id,
      JSON.stringify({
        ...body,
        category_id: shop.category_id,
        freight_template_id: shop.freight_template_id,
        return_address_id: shop.return_address_id,
        store_ids: [shop.id],
        list_price_cents: 15_000,
        price_cents: 10_000,
        settle_price_cents: 8000,
        stock: 20,
        skus: skus.map(({ code, name, price_cents, stock }) => ({
          code,
          name,
          price_cents,
          stock,
        })),
      }),
    ],
  )
  return { id, own, shop, small: skus[0]!, large: skus[1]! }
}
