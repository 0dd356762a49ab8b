import { z } from 'zod'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import { shopTypes, type ShopType } from '#src/areas/merchant/onlineShop.ts'
import { PRICE_MAX_CENTS, STOCK_MAX } from '#src/areas/product/goods.ts'
import { productStates, type ProductState } from '#src/areas/product/product.ts'
import { goodsSources, type GoodsSource } from '#src/areas/product/shopLink.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  page,
  searched,
  version,
} from '#src/contract/shapes.ts'

const store_id = id
/** Goods as one shop has them: on its shelf, or to be put there. */
export const shelfRow = z.object({
  /** The product’s. */
  id,
  store_id,
  title: z.string(),
  image: z.string(),
  source: keysOf<GoodsSource>(goodsSources),
  shop_type: keysOf<ShopType>(shopTypes),
  merchant_name: z.string(),
  category_name: z.string(),
  has_contract: z.boolean(),
  is_licensed: z.boolean(),
  state: keysOf<ProductState>(productStates),
  off_reason: z.string(),
  live_version: z.int(),
  list_price_cents: cents,
  /** The lowest of its variants; what this shop asks for that one, where it asks its own. */
  price_cents: cents,
  shop_price_cents: cents.nullable(),
  settle_price_cents: guarded('product.settle_price_cents', cents),
  /** What is left of the price here after the cost. */
  margin_bp: guarded('product.settle_price_cents', z.int()),
  /** What is left of it everywhere; what this shop may still sell, null where it shares that. */
  stock_left: z.int(),
  shop_stock: z.int().nullable(),
  /** What the shares of other shops leave of it. */
  stock_free: z.int(),
  unpaid: z.int(),
  /** Other shops that sell it, the first three by name. */
  other_shops: z.int(),
  other_names: z.array(z.string()),
  linked: z.boolean(),
  /** The link’s own; 0 where there is none. */
  version,
})
export type ShelfRow = z.output<typeof shelfRow>

const call = callsOf('stores/linkGoods', { touches: ['store', 'product'], rows: 'store' })
const ofShop = placed('store', { store_id: 'store' })
const link = { store_id, product_id: id, version }
const permit = 'stores.linkGoods.view'

/** What an online shop sells, in its order there, at its own price and from its own share. */
export const linkGoods = {
  linked: call.read('linked', ['店铺货架', 'Shelf of a shop'], {
    input: z.object({ store_id }),
    output: z.object({
      shop: z.object({
        id,
        name: z.string(),
        status: keysOf<StoreState>(storeStates),
        shop_type: keysOf<ShopType>(shopTypes),
        merchant_name: z.string(),
      }),
      list: z.array(shelfRow),
      list_version: z.int(),
    }),
    scope: ofShop,
    permit,
  }),
  free: call.read('free', ['商品池', 'Goods pool'], {
    input: z.object({
      ...page,
      store_id,
      keyword: searched(40).optional(),
      source: keysOf<GoodsSource>(goodsSources).optional(),
    }),
    output: listOf(shelfRow),
    scope: ofShop,
    permit,
  }),
  /** Other online shops, to copy from. */
  shops: call.read('shops', ['可复制的店铺', 'Shops to copy from'], {
    input: z.object({ ...page, store_id, keyword: searched(40).optional() }),
    output: listOf(z.object({ id, name: z.string(), goods_count: z.int() })),
    scope: ofShop,
    permit: 'stores.linkGoods.copyShelf',
  }),
  link: call.write('link', ['上架到店铺', 'Put on the shelf'], {
    input: z.object({ store_id, product_id: id }),
    output: z.object({ id, given_back: z.int() }),
    scope: ofShop,
  }),
  batchLink: call.write('batchLink', ['批量选品', 'Put selected on the shelf'], {
    input: z.object({ store_id, product_ids: z.array(id).min(1).max(100) }),
    output: batchResult,
    scope: ofShop,
  }),
  unlink: call.write('unlink', ['移出店铺', 'Take off the shelf'], {
    input: z.object({ ...link, reason }),
    output: z.object({ id, taken_off: z.int() }),
    scope: ofShop,
  }),
  /** Null: the price that holds everywhere. */
  setPrice: call.write('setPrice', ['设置店铺价', 'Set shop price'], {
    input: z.object({
      ...link,
      price_cents: z.int().min(1).max(PRICE_MAX_CENTS).nullable(),
    }),
    output: z.object({ id, version }),
    scope: ofShop,
  }),
  /** How many this shop may still sell; what its unpaid orders hold is kept besides. */
  setStock: call.write('setStock', ['设置店铺库存', 'Set shop stock'], {
    input: z.object({ ...link, stock: z.int().min(0).max(STOCK_MAX) }),
    output: z.object({ id, version }),
    scope: ofShop,
  }),
  sort: call.sorts('sort', ['调整商品顺序', 'Order the shelf'], {
    fields: { store_id },
    scope: ofShop,
  }),
  /** Puts on this shelf what stands on another, and tells what may not and why. */
  copyShelf: call.write('copyShelf', ['复制其他店铺货架', 'Copy another shelf'], {
    input: z.object({ store_id, from_store_id: id }),
    output: z.object({
      id,
      copied: z.int(),
      skipped: z.array(z.object({ id, title: z.string(), text: z.string() })),
    }),
    scope: placed('store', { store_id: 'store', from_store_id: 'store' }),
  }),
}
