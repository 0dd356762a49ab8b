import { z } from 'zod'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import { productStates, type ProductState } from '#src/areas/product/product.ts'
import { storeKinds } from '#src/areas/product/storeLink.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  id,
  keysOf,
  keyText,
  listOf,
  page,
  searched,
  version,
} from '#src/contract/shapes.ts'

const store_id = id
/** A product as one store has it: linked there, or to be linked. */
export const storeGoods = z.object({
  /** The product’s. */
  id,
  store_id,
  title: z.string(),
  image: z.string(),
  kind: z.enum(storeKinds),
  price_cents: cents,
  state: keysOf<ProductState>(productStates),
  off_reason: z.string(),
  comes_back: z.boolean(),
  live_version: z.int(),
  /** What is left of it everywhere. */
  stock_left: z.int(),
  has_skus: z.boolean(),
  linked: z.boolean(),
  /** What this store still may sell; null where it counts nothing of its own. */
  store_stock: z.int().nullable(),
  unavailable_dates: z.array(z.string()),
  other_stores: z.int(),
  nearest_m: z.int().nullable(),
  unused_codes: z.int(),
  refundable: z.boolean(),
  /** The link’s own; 0 where there is none. */
  version,
})
export type StoreGoods = z.output<typeof storeGoods>

const call = callsOf('shop/stores/linkGoods', { touches: ['store', 'product'], rows: 'store' })
const ofStore = placed('store', { store_id: 'store' })
const link = { store_id, product_id: id, version }
const permit = 'shop.stores.linkGoods.view'

/** The products that can be used at a store, in their order there, and within which limits. */
export const linkGoods = {
  linked: call.read('linked', ['门店适用商品', 'Products of a store'], {
    input: z.object({ store_id }),
    output: z.object({
      store: z.object({
        id,
        name: z.string(),
        status: keysOf<StoreState>(storeStates),
        merchant_name: z.string(),
      }),
      list: z.array(storeGoods),
      list_version: z.int(),
    }),
    scope: ofStore,
    permit,
  }),
  free: call.read('free', ['可关联商品', 'Products to link'], {
    input: z.object({ ...page, store_id, keyword: searched(40).optional() }),
    output: listOf(storeGoods),
    scope: ofStore,
    permit,
  }),
  /** Other stores of the merchant, to copy to. */
  siblings: call.read('siblings', ['同商户门店', 'Stores of the merchant'], {
    input: z.object({ ...page, store_id, keyword: searched(40).optional() }),
    output: listOf(z.object({ id, name: z.string(), city_name: z.string() })),
    scope: ofStore,
    permit: 'shop.stores.linkGoods.copyToStore',
  }),
  link: call.write('link', ['关联商品', 'Link a product'], {
    input: z.object({ store_id, product_id: id }),
    output: z.object({ id, given_back: z.int() }),
    scope: ofStore,
  }),
  batchLink: call.write('batchLink', ['批量关联', 'Link products'], {
    input: z.object({ store_id, product_ids: z.array(id).min(1).max(100) }),
    output: batchResult,
    scope: ofStore,
  }),
  unlink: call.write('unlink', ['取消关联', 'Unlink a product'], {
    input: z.object({ ...link, reason }),
    output: z.object({ id, taken_off: z.int() }),
    scope: ofStore,
  }),
  sort: call.sorts('sort', ['调整商品顺序', 'Arrange products'], {
    fields: { store_id },
    scope: ofStore,
  }),
  /** What is not sent stays. */
  setLimit: call.write('setLimit', ['设置门店限制', 'Limit a product here'], {
    input: z.object({
      ...link,
      stock: z.int().min(0).max(1_000_000).optional(),
      unavailable_dates: z.array(keyText(10)).max(60),
    }),
    output: z.object({ id, version }),
    scope: ofStore,
  }),
  /** Links there what is linked here, and is not there yet. */
  copyToStore: call.write('copyToStore', ['复制到其他门店', 'Copy to another store'], {
    input: z.object({ store_id, to_store_id: id }),
    output: z.object({ id, copied: z.int() }),
    scope: placed('store', { store_id: 'store', to_store_id: 'store' }),
  }),
}
