import { and, eq, sql } from 'drizzle-orm'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { mall_category } from '#src/areas/mall/mall.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { say, type Lang } from '#src/domain/text.ts'
import { sumsOf } from '#src/domain/tree.ts'
import type { Db } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { listedIn, treeRecord, usedBy, type AskedPlaces, type Use } from '#src/server/call/tree.ts'
import { brandsOf } from './eCategories.server.ts'
import { merchant, shop_category, store } from './merchant.table.ts'
import { contractRate, heldOf, kindWords, rateWords, SHOP_CATEGORY_LEVELS } from './shopCategory.ts'

/** Categories of stores as handlers read, change and log them. */
export const shopCategories = record(shop_category, {
  object: 'shop_category',
  label: row => row.name,
  keys: [
    'parent_id',
    'name',
    'icon',
    'commission_bp',
    'need_licenses',
    'trademark_classes',
    'product_kinds',
    'status',
    'merged_into',
  ],
  places: 'all',
})
const stores = usedBy(store.category_id, ['{n} 家门店', '{n} stores'])
/** Keys of e-commerce begin at a million. */
const products = usedBy(
  product.category_id,
  ['{n} 件商品', '{n} products'],
  sql`category_id < 1000000`,
)
/** Coupons keep their terms: the number that they name leads to the category that took it over. */
const coupons: Use = {
  some: ['{n} 张优惠券', '{n} coupons'],
  counts: async (db, id) => {
    const { rows } = await db.execute<{ id: number; n: number }>(
      sql`select one::int id, count(*)::int n from ${coupon}, jsonb_array_elements_text(${coupon.apply_ids}) one where ${coupon.apply_kind} = 'category' and ${id === undefined ? sql`true` : sql`one::int = ${id}`} group by 1`,
    )
    return new Map(rows.map(row => [row.id, row.n]))
  },
  move: () => Promise.resolve(0),
}
/** The tree of them: stores and products hang on its leaves. */
export const shopCategoryTree = treeRecord(shopCategories, {
  levels: SHOP_CATEGORY_LEVELS,
  uses: [stores, products],
  leaves: true,
  beside: [
    brandsOf,
    coupons,
    listedIn(merchant.category_ids, ['{n} 个商户', '{n} merchants']),
    listedIn(mall_category.shop_category_ids, ['{n} 个商场分类', '{n} categories of malls']),
  ],
})

const none = { stores: 0, open_stores: 0, products: 0, on_sale: 0 }
type Counts = typeof none
const countsOf = async (db: Db): Promise<Map<number, Counts>> => {
  const { rows } = await db.execute<Counts & { id: number }>(sql`
    select id, sum(stores)::int stores, sum(open_stores)::int open_stores, sum(products)::int products, sum(on_sale)::int on_sale from (
      select category_id id, count(*) stores, count(*) filter (where status = 'open') open_stores, 0 products, 0 on_sale from ${store} group by 1
      union all select category_id, 0, 0, count(*), count(*) filter (where state = 'on_sale') from ${product} where category_id < 1000000 group by 1
    ) counted group by id`)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}
/** All categories in tree order, as they are shown; named one by one, as `treeRecord` says why. */
export const listedShopCategories = async (db: Db) => {
  const [tree, counts] = [await shopCategoryTree.standing(db), await countsOf(db)]
  const merged = await shopCategoryTree.tookOver(db)
  const all = sumsOf(tree, id => counts.get(id) ?? none)
  return tree.branch(null).map(row => {
    const below = all.get(row.id)!
    const own = counts.get(row.id) ?? none
    const held = heldOf(tree, row.id)
    return {
      id: row.id,
      parent_id: row.parent_id,
      level: row.level,
      sort: row.sort,
      version: row.version,
      name: row.name,
      icon: row.icon,
      status: row.status,
      need_licenses: row.need_licenses,
      trademark_classes: row.trademark_classes,
      product_kinds: row.product_kinds,
      rate_bp: held.rate_bp,
      is_shown: held.is_shown,
      own_rate_bp: row.commission_bp,
      stores: own.stores,
      stores_all: below.stores,
      open_stores: below.open_stores,
      products: own.products,
      products_all: below.products,
      on_sale: below.on_sale,
      children: tree.children(row.id).length,
      took_over: merged.get(row.id) ?? [],
    }
  })
}
/**
 * The categories that one may be moved under or merged into, each with what would come of it: the
 * rate of new contracts, what it may sell, and how much there would be.
 */
export const shopCategoryPlaces = async (db: Db, asked: AskedPlaces, lang: Lang) => {
  const { tree, total, found } = await shopCategoryTree.places(db, asked)
  const counts = await countsOf(db)
  const own = (id: number) => counts.get(id) ?? none
  const moved = own(asked.id ?? 0)
  const list = found.map(({ row, full_name }) => {
    const there = own(row.id)
    const effect = [
      ...(asked.to === 'merge'
        ? [
            say(['合并后 {n} 家门店、{m} 件商品', '{n} stores and {m} products then'], lang, {
              n: there.stores + moved.stores,
              m: there.products + moved.products,
            }),
          ]
        : []),
      say(['费率{rate}', 'take rate {rate}'], lang, {
        rate: rateWords(heldOf(tree, row.id).rate_bp, lang),
      }),
      say(['可售{kinds}', 'sells {kinds}'], lang, { kinds: kindWords(row.product_kinds, lang) }),
    ]
    return { id: row.id, full_name, effect: effect.join(' · ') }
  })
  return { total, list }
}
/** What was paid in 30 days, less refunds, in the stores of a category and of those below it. */
export const salesOf = async (db: Db, id: number, from: number): Promise<number> => {
  const ids = (await shopCategoryTree.standing(db)).branch(id).map(row => row.id)
  if (ids.length === 0) return 0
  const { rows } = await db.execute<{ gmv: string }>(
    sql`select coalesce(sum(paid_cents - refunded_cents), 0)::bigint gmv from "order" where paid_at > ${from} and store_id in (select id from ${store} where category_id in ${ids})`,
  )
  return Number(rows[0]!.gmv)
}
/** The take rate that a new contract begins with, by the categories of its merchant. */
export const newContractRate = async (tx: Db, ids: readonly number[]): Promise<number | null> =>
  ids.length === 0 ? null : contractRate(await shopCategoryTree.standing(tx), ids)

/** Shown by itself and by all above it. */
export const isShownCategory = and(
  eq(shop_category.status, 'on'),
  sql`not exists (select 1 from shop_category up left join shop_category top on top.id = up.parent_id where up.id = ${shop_category.parent_id} and (up.status = 'off' or top.status = 'off'))`,
)
