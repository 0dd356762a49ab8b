import { z } from 'zod'
import { auditStates, BATCH_TIME_UNDO_SECONDS, type AuditState } from '#src/areas/audit/audit.ts'
import { merchantStates, type MerchantState } from '#src/areas/merchant/merchant.ts'
import {
  GOODS_MAX,
  PRICE_MAX_CENTS,
  refundPolicies,
  SORT_MAX,
  STOCK_MAX,
  type RefundPolicy,
} from '#src/areas/product/goods.ts'
import { productStates, type ProductState } from '#src/areas/product/product.ts'
import {
  placed,
  type Call,
  type Result,
  type Schema,
  type Sent,
  type Write,
} from '#src/contract/call.ts'
import { importCalls } from '#src/contract/importing.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  basisPoints,
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  keyText,
  listOf,
  page,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { tuan } from '#src/modules/audit/contract.ts'

const state = keysOf<ProductState>(productStates)
export const goodsRow = z.object({
  id,
  title: z.string(),
  image: z.string(),
  merchant_name: z.string(),
  merchant_status: keysOf<MerchantState>(merchantStates),
  contract_end_at: unix.nullable(),
  city_name: z.string(),
  mall_name: z.string(),
  category_name: z.string(),
  /** Its first store that takes it, 0 without one; and how many take it. */
  store_id: z.int(),
  store_name: z.string(),
  store_count: z.int(),
  list_price_cents: cents,
  price_cents: cents,
  settle_price_cents: guarded('product.settle_price_cents', cents),
  commission_bp: guarded('product.commission_bp', basisPoints),
  distribution_bp: guarded('product.commission_bp', basisPoints.nullable()),
  /** Several may buy it together at a price of its own. */
  group_need: z.int().nullable(),
  group_price_cents: cents.nullable(),
  /** What may still be sold, and what unpaid orders hold besides. */
  stock_left: z.int(),
  held: z.int(),
  sold: z.int(),
  redeemed: z.int(),
  /** Sold codes that nobody has used, and until when the last of them is promised. */
  unused_codes: z.int(),
  promised_until: unix.nullable(),
  sale_start_at: unix,
  sale_end_at: unix,
  check_start_at: unix,
  check_end_at: unix,
  refund_policy: keysOf<RefundPolicy>(refundPolicies),
  sort: z.int(),
  state,
  off_reason: z.string(),
  comes_back: z.boolean(),
  live_version: z.int(),
  /** What is submitted of it and waits, with the price that it asks for. */
  audit_state: keysOf<AuditState>(auditStates).nullable(),
  audit_price_cents: cents.nullable(),
  version,
})
export type GoodsRow = z.output<typeof goodsRow>

const filters = {
  keyword: searched(60).optional(),
  state: state.optional(),
  city_id: id.optional(),
  mid: z.int().min(0).max(2147483647).optional(),
  store_id: id.optional(),
  /** A category, with all below it. */
  category_id: id.optional(),
  /** Several may buy it together. */
  group: z.boolean().optional(),
  /** On sale, and its sale ends within days. */
  ending: z.boolean().optional(),
  /** Redeeming ends before the codes that are sold do. */
  short_redeem: z.boolean().optional(),
  /** On sale, and nothing is left. */
  sold_out: z.boolean().optional(),
}
const call = callsOf('shop/goods', { touches: ['product'], rows: 'product' })
const stock = z.int().min(0).max(STOCK_MAX)
const sort = z.int().min(0).max(SORT_MAX)
const price = z.int().min(1).max(PRICE_MAX_CENTS)
const permit = 'shop.goods.view'
type Parsed<C> = C extends Call<infer _, infer P, infer __> ? P : never
type Times = typeof tuan.batchUpdateStartAndCheckTime
type Logs = typeof tuan.timeLogs

/** Group-buys that stores sell: their prices, stock and times, and whether they are on sale. */
export const goods = {
  lst: call.lists('lst', ['门店团购商品', 'Store group-buys'], {
    filters,
    row: goodsRow,
    touches: ['product', 'merchant', 'store', 'audit', 'order'],
  }),
  /** The rows that a grid edits, in the order asked for. */
  rows: call.read('rows', ['表格中的团购', 'Group-buys of a grid'], {
    input: z.object({ ids: z.array(id).min(1).max(GOODS_MAX) }),
    output: z.object({
      list: z.array(
        z.object({
          ...goodsRow.shape,
          /** The person who changed it last. */
          changed_by: z.object({ name: z.string(), at: unix }).nullable(),
        }),
      ),
    }),
    touches: ['product', 'audit'],
    permit,
  }),
  /** Stores to filter by. */
  stores: call.read('stores', ['可选门店', 'Stores to choose'], {
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
    touches: ['shop_category'],
    scope: 'all',
    permit,
  }),
  onShelf: call.changes('onShelf', ['上架团购', 'Put a group-buy on sale']),
  offShelf: call.changes('offShelf', ['下架团购', 'Take a group-buy off sale'], {
    fields: { reason },
  }),
  forceOff: call.changes('forceOff', ['违规下架团购', 'Force a group-buy off sale'], {
    fields: { reason },
  }),
  /** Sets what may still be sold; what orders hold is kept besides. */
  editStock: call.changes('editStock', ['修改库存', 'Change the stock'], {
    fields: { stock, reason },
  }),
  setSort: call.changes('setSort', ['修改排序', 'Set the sort order'], { fields: { sort } }),
  /** Null: nobody distributes it any more. */
  setDistribution: call.changes('setDistribution', ['设为分销商品', 'Distribute'], {
    fields: { rate_bp: basisPoints.nullable() },
    touches: ['product', 'dist_product'],
  }),
  batchOff: call.write('batchOff', ['批量下架', 'Take selected off sale'], {
    input: z.object({ ids: z.array(id).min(1).max(GOODS_MAX), reason }),
    output: batchResult,
    scope: placed('product'),
  }),
  /**
   * Saves what was edited in a grid, row by row: stock and order at once, prices by an audit. A row
   * that somebody changed meanwhile, or that a rule forbids, stays as it is.
   */
  saveGrid: call.write('saveGrid', ['保存表格修改', 'Save a grid'], {
    input: z.object({
      rows: z
        .array(
          z.object({
            id,
            version,
            price_cents: price.optional(),
            settle_price_cents: price.optional(),
            group_price_cents: price.optional(),
            stock_left: stock.optional(),
            sort: sort.optional(),
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
    touches: ['product', 'audit'],
    scope: placed('product'),
  }),
  /** As `tuan/batchUpdateStartAndCheckTime` of the audit pages, under this page’s right. */
  batchTime: call.write(
    'batchUpdateStartAndCheckTime',
    ['批量改售卖与核销时间', 'Change sale and redeem times'],
    {
      input: tuan.batchUpdateStartAndCheckTime.input as unknown as Schema<
        Sent<Times>,
        Parsed<Times>
      >,
      output: tuan.batchUpdateStartAndCheckTime.output as unknown as Schema<unknown, Result<Times>>,
      touches: ['product', 'audit', 'time_log'],
      scope: placed('product'),
      undo: {
        call: (): Write => goods.undoBatch,
        input: done =>
          done.dry_run || done.ok_count === 0
            ? undefined
            : { batch_no: done.batch_no, reason: '撤销' },
        seconds: BATCH_TIME_UNDO_SECONDS,
      },
    },
  ),
  timeLogs: call.read('timeLogs', ['改期日志', 'Time changes'], {
    input: tuan.timeLogs.input as unknown as Schema<Sent<Logs>, Parsed<Logs>>,
    output: tuan.timeLogs.output as unknown as Schema<unknown, Result<Logs>>,
    touches: ['time_log'],
  }),
  /** Takes a batch back within 24 hours, where nothing changed since. */
  undoBatch: call.write('undoBatch', ['撤销一次批量改期', 'Undo a batch change'], {
    input: z.object({ batch_no: keyText(24, 1), reason }),
    output: z.object({ batch_no: z.string(), undone: z.int(), left: z.int() }),
    touches: ['product', 'audit', 'time_log'],
    scope: placed('product'),
  }),
  /** Each line of a file changes a product as a row of the grid does. */
  ...importCalls(call, 'product', {
    title: ['批量导入价格与库存', 'Import prices and stock'],
    fields: { reason },
    touches: ['product', 'audit'],
  }),
  export: call.startsExport('export', ['导出团购', 'Export group-buys'], { filters }),
}
/** A row of a grid as it is saved. */
export type GoodsEdit = Parsed<typeof goods.saveGrid>['rows'][number]
