import { z } from 'zod'
import { auditStates, type AuditState } from '#src/areas/audit/audit.ts'
import { merchantStates, type MerchantState } from '#src/areas/merchant/merchant.ts'
import { GOODS_MAX, PRICE_MAX_CENTS, SORT_MAX, STOCK_MAX } from '#src/areas/product/goods.ts'
import { productStates, type ProductState } from '#src/areas/product/product.ts'
import {
  goodsLocks,
  LIMIT_MAX,
  priceBands,
  priceModes,
  type GoodsLock,
  type PriceBand,
  type PriceMode,
} from '#src/areas/product/shipped.ts'
import { placed } from '#src/contract/call.ts'
import { importCalls } from '#src/contract/importing.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  basisPoints,
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  page,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

const state = keysOf<ProductState>(productStates)
/** A variant: `version` is its own, for grids. */
const sku = z.object({
  id,
  code: z.string(),
  name: z.string(),
  price_cents: cents,
  stock_left: z.int(),
  held: z.int(),
  sold: z.int(),
  version,
})
export const shippedRow = z.object({
  id,
  title: z.string(),
  image: z.string(),
  merchant_name: z.string(),
  merchant_status: keysOf<MerchantState>(merchantStates),
  contract_end_at: unix.nullable(),
  city_name: z.string(),
  mall_name: z.string(),
  category_name: z.string(),
  /** Its first shop, 0 without one; and how many sell it. */
  store_id: z.int(),
  store_name: z.string(),
  store_count: z.int(),
  /** Without variants it is its own. */
  skus: z.array(sku),
  list_price_cents: cents,
  /** The lowest of its variants. */
  price_cents: cents,
  group_price_cents: cents.nullable(),
  settle_price_cents: guarded('product.settle_price_cents', cents),
  distribution_bp: guarded('product.commission_bp', basisPoints.nullable()),
  /** What may still be sold, and what unpaid orders hold besides. */
  stock_left: z.int(),
  held: z.int(),
  /** A variant that is nearly or all sold, of goods on sale. */
  is_low: z.boolean(),
  /** Units that were paid in 30 days; the share of their orders that asked for money back. */
  sold_30d: z.int(),
  refund_bp: basisPoints.nullable(),
  limit_per_member: z.int().nullable(),
  sort: z.int(),
  state,
  off_reason: z.string(),
  comes_back: z.boolean(),
  live_version: z.int(),
  sale_end_at: unix,
  lock: keysOf<GoodsLock>(goodsLocks).nullable(),
  has_open_shop: z.boolean(),
  is_stocked: z.boolean(),
  audit_state: keysOf<AuditState>(auditStates).nullable(),
  audit_price_cents: cents.nullable(),
  version,
})
export type ShippedRow = z.output<typeof shippedRow>

const filters = {
  keyword: searched(60).optional(),
  state: state.optional(),
  city_id: id.optional(),
  store_id: id.optional(),
  /** An e-commerce category, with all below it. */
  category_id: id.optional(),
  price: keysOf<PriceBand>(priceBands).optional(),
  /** On sale, and a variant is nearly or all sold. */
  low_stock: z.boolean().optional(),
}
const call = callsOf('stores/goods', { touches: ['product'], rows: 'product' })
const permit = 'stores.goods.view'
const stock = z.int().min(0).max(STOCK_MAX)
const price_cents = z.int().min(1).max(PRICE_MAX_CENTS)
const ids = z.array(id).min(1).max(GOODS_MAX)
const touches = ['product', 'audit']
/** The variant that is meant; goods without variants leave it out. */
const sku_id = id.optional()

/** Goods that online shops ship: what their variants cost, how many are left, how they sell. */
export const goods = {
  lst: call.lists('lst', ['线上店铺商品', 'Online shop goods'], {
    filters,
    row: shippedRow,
    touches: ['product', 'merchant', 'store', 'audit', 'order'],
  }),
  /** Variants of one product, to choose from. */
  skus: call.read('skus', ['商品规格', 'Variants of goods'], {
    input: z.object({ ...page, product_id: id, keyword: searched(40).optional() }),
    output: listOf(sku),
    scope: placed('product', { product_id: 'product' }),
    permit,
  }),
  /** The rows that a grid edits, a line for each variant. */
  rows: call.read('rows', ['表格中的规格', 'Variants of a grid'], {
    input: z.object({ ids }),
    output: z.object({
      list: z.array(
        z.object({
          ...sku.shape,
          product_id: id,
          title: z.string(),
          list_price_cents: cents,
          group_price_cents: cents.nullable(),
          state,
          lock: keysOf<GoodsLock>(goodsLocks).nullable(),
          audit_state: keysOf<AuditState>(auditStates).nullable(),
          /** The person who changed it last. */
          changed_by: z.object({ name: z.string(), at: unix }).nullable(),
        }),
      ),
    }),
    touches,
    permit,
  }),
  /** Shops to filter by. */
  shops: call.read('shops', ['可选店铺', 'Shops to choose'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['store'],
    scope: placed('store'),
    permit,
  }),
  /** Categories to filter by, the branches before what is below them. */
  categories: call.read('categories', ['可选分类', 'Categories to choose'], {
    input: z.object({}),
    output: z.object({ list: z.array(z.object({ id, name: z.string(), level: z.int() })) }),
    touches: ['e_category'],
    scope: 'all',
    permit,
  }),
  onShelf: call.changes('onShelf', ['上架商品', 'Put goods on sale']),
  offShelf: call.changes('offShelf', ['下架商品', 'Take goods off sale'], { fields: { reason } }),
  forceOff: call.changes('forceOff', ['违规下架商品', 'Force goods off'], { fields: { reason } }),
  /** Sets what may still be sold; what orders hold is kept besides. */
  editStock: call.changes('editStock', ['修改库存', 'Change the stock'], {
    fields: { sku_id, stock },
  }),
  /** `in_audit`: another person decides it, and the old price sells until then. */
  editPrice: call.changes('editPrice', ['修改价格', 'Change the price'], {
    fields: { sku_id, price_cents, reason },
    answer: { in_audit: z.boolean() },
    touches,
  }),
  /** Null: as many as they like. */
  setLimit: call.changes('setLimit', ['设置限购', 'Set purchase limit'], {
    fields: { limit_per_member: z.int().min(1).max(LIMIT_MAX).nullable() },
  }),
  setSort: call.changes('setSort', ['修改排序', 'Set the sort order'], {
    fields: { sort: z.int().min(0).max(SORT_MAX) },
  }),
  batchOff: call.write('batchOff', ['批量下架', 'Take selected off sale'], {
    input: z.object({ ids, reason }),
    output: batchResult,
    scope: placed('product'),
  }),
  /**
   * Changes the prices of all variants of each product: `value` is basis points of a share, else
   * cents. A trial first; then, with its versions, the change of the rows that can be.
   */
  batchEditPrice: call.write('batchEditPrice', ['批量改价', 'Change prices in bulk'], {
    input: z.object({
      ids,
      mode: keysOf<PriceMode>(priceModes),
      value: z.int().min(-PRICE_MAX_CENTS).max(PRICE_MAX_CENTS),
      reason,
      dry_run: z.boolean(),
      expect: z.array(z.object({ id, version })).max(GOODS_MAX).optional(),
    }),
    output: z.object({
      dry_run: z.boolean(),
      asked: z.object({ mode: keysOf<PriceMode>(priceModes), value: z.int(), reason: z.string() }),
      rows: z.array(
        z.object({
          id,
          title: z.string(),
          version: z.int(),
          result: z.enum(['ok', 'in_audit', 'failed']),
          text: z.string(),
          prices: z.array(z.object({ name: z.string(), from_cents: cents, to_cents: z.int() })),
        }),
      ),
    }),
    touches,
    scope: placed('product'),
  }),
  /** Saves what was edited in a grid, variant by variant; `id` and `version` are the variant’s. */
  saveGrid: call.write('saveGrid', ['保存表格修改', 'Save a grid'], {
    input: z.object({
      rows: z
        .array(
          z.object({
            id,
            product_id: id,
            version,
            price_cents: price_cents.optional(),
            stock_left: stock.optional(),
          }),
        )
        .min(1)
        .max(GOODS_MAX),
      reason,
    }),
    output: z.object({
      results: z.array(
        z.object({
          id,
          result: z.enum(['saved', 'conflict', 'error']),
          text: z.string(),
          fields: z.record(z.string(), z.string()),
          by: z.object({ name: z.string(), at: unix }).optional(),
        }),
      ),
    }),
    touches,
    scope: placed('product'),
  }),
  /**
   * Each line of a file changes a variant as a row of the grid does, and what is the product’s own.
   */
  ...importCalls(call, 'product', {
    title: ['批量导入价格与库存', 'Import prices and stock'],
    fields: { reason },
    touches,
  }),
  export: call.startsExport('export', ['导出商品', 'Export goods'], { filters }),
}
