/** Goods as an online shop has them on its shelf, or may put them there. */
import { and, eq, exists, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { eCategoryTree } from '#src/areas/merchant/eCategories.server.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import type { Store } from '#src/areas/merchant/storeRecord.server.ts'
import { product, store_stock } from '#src/areas/product/product.table.ts'
import {
  marginOf,
  shelfFault,
  suppliedTypes,
  suppliesNow,
  type GoodsSource,
} from '#src/areas/product/shopLink.ts'
import type { Link } from '#src/areas/product/storeLinks.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { whole } from '#src/server/db/whole.ts'
import type { ShelfRow } from '../contract/linkGoods.ts'

type Product = typeof product.$inferSelect
const typeOf = (of: Store) => of.shop_type ?? ('flagship' as const)

/**
 * The goods that a shop of its kind may look at: its merchant's, and where it sells what others
 * supply, those of merchants that do.
 */
export const poolOf = (of: Store, now: number, source?: GoodsSource): SQL => {
  const own = eq(product.merchant_id, of.merchant_id)
  const supplied = and(
    ne(product.merchant_id, of.merchant_id),
    exists(
      sql`(select 1 from merchant m where m.id = ${product.merchant_id} and m.status = 'active' and m.contract_start_at <= ${now} and (m.contract_end_at is null or m.contract_end_at > ${now}))`,
    ),
  )!
  const none = sql`false`
  const others = suppliedTypes.includes(typeOf(of)) ? supplied : none
  const whose = { own, supply: others }
  return and(eq(product.kind, 'elist'), source ? whose[source] : or(own, others))!
}

type Beside = {
  product_id: number
  shop_stock: number | null
  others_share: number
  unpaid: number
  other_shops: number
  other_names: string[]
}
/** How many of some goods this shop and other shops hold. */
const besideOf = async (
  db: Db,
  of: Store,
  ids: readonly number[],
): Promise<Map<number, Beside>> => {
  const { rows } = await db.execute<Beside>(sql`
    select p.id product_id, here.shop_stock, there.others_share, there.other_shops, there.other_names,
      (select count(distinct o.id)::int from order_item i join "order" o on o.id = i.order_id where i.product_id = p.id and i.store_id = ${of.id} and o.pay_state = 'unpaid') unpaid
    from product p
      left join lateral (select t.stock - t.held shop_stock from store_stock t where t.product_id = p.id and t.sku_id is null and t.store_id = ${of.id}) here on true
      cross join lateral (select coalesce(sum(t.stock - t.held), 0)::int others_share, count(s.id)::int other_shops, coalesce((array_agg(s.name order by s.name))[1:3], '{}') other_names
        from product_store ps join store s on s.id = ps.store_id left join store_stock t on t.product_id = ps.product_id and t.sku_id is null and t.store_id = ps.store_id
        where ps.product_id = p.id and ps.status = 'on' and ps.store_id <> ${of.id} and s.kind = 'online') there
    where p.id = any(${sql.param(`{${ids.join()}}`)}::int[])`)
  return new Map(rows.map(row => [row.product_id, row]))
}

/** Goods as a shop has them, in the order given. */
export const shelfOf = async (
  db: Db,
  of: Store,
  products: readonly Product[],
  { links, now }: { links: ReadonlyMap<number, Link>; now: number },
): Promise<ShelfRow[]> => {
  if (products.length === 0) return []
  const beside = await besideOf(
    db,
    of,
    products.map(one => one.id),
  )
  const sellers = await db
    .select()
    .from(merchant)
    .where(inArray(merchant.id, [...new Set(products.map(one => one.merchant_id))]))
  const by = new Map(sellers.map(one => [one.id, one]))
  const tree = await eCategoryTree.standing(db)
  return products.map(one => {
    const seller = by.get(one.merchant_id)!
    const { others_share, ...here } = beside.get(one.id)!
    const link = links.get(one.id)
    const stock_left = one.stock - one.held
    const shop_price_cents = link?.price_cents ?? null
    const path = tree.row(one.category_id) ? tree.path(one.category_id) : []
    return {
      ...here,
      id: one.id,
      store_id: of.id,
      title: one.title,
      image: one.images[0] ?? '',
      source: one.merchant_id === of.merchant_id ? ('own' as const) : ('supply' as const),
      shop_type: typeOf(of),
      merchant_name: seller.name,
      category_name: path.at(-1)?.name ?? '',
      has_contract: suppliesNow(seller, now),
      is_licensed: path.some(kind => of.category_ids.includes(kind.id)),
      state: one.state,
      off_reason: one.off_reason ?? '',
      live_version: one.live_version,
      list_price_cents: one.list_price_cents,
      price_cents: one.price_cents,
      shop_price_cents,
      settle_price_cents: one.settle_price_cents,
      margin_bp: marginOf(shop_price_cents ?? one.price_cents, one.settle_price_cents),
      stock_left,
      stock_free: Math.max(0, stock_left - others_share),
      linked: link !== undefined,
      version: link?.version ?? 0,
    }
  })
}
/** Refuses goods that a shop may not sell as they stand; with the row that says why. */
export const needShelf = async (
  db: Db,
  of: Store,
  sold: Product,
  now: number,
): Promise<ShelfRow> => {
  const [row] = await shelfOf(db, of, [sold], { links: new Map(), now })
  const fault = shelfFault(row!)
  if (fault) throw ruled(fault.rule, fault.text)
  return row!
}
/** The share that a shop has of a product; undefined where it shares what all have. */
export const shareOf = async (tx: Db, of: Store, product_id: number) =>
  (
    await tx
      .select()
      .from(store_stock)
      .where(
        and(
          eq(store_stock.product_id, product_id),
          eq(store_stock.store_id, of.id),
          isNull(store_stock.sku_id),
        ),
      )
      .for('update')
  )[0]
/** Online shops to copy a shelf from, with how much stands on it. */
export const goodsCount = sql<number>`(select count(*)::int from product_store ps where ps.store_id = ${whole(store.id)} and ps.status = 'on')`
