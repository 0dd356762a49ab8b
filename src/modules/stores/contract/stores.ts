import { z } from 'zod'
import { auditStates, type AuditState } from '#src/areas/audit/audit.ts'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import { merchantStates, type MerchantState } from '#src/areas/merchant/merchant.ts'
import {
  shopBlocks,
  shopTypes,
  type ShopBlock,
  type ShopType,
} from '#src/areas/merchant/onlineShop.ts'
import { placed } from '#src/contract/call.ts'
import { importCalls } from '#src/contract/importing.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  basisPoints,
  batchResult,
  id,
  keysOf,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

const state = keysOf<StoreState>(storeStates)
const type = keysOf<ShopType>(shopTypes)
const effects = z.object({
  goes_off: z.int(),
  comes_back: z.int(),
  unshipped: z.int(),
  after_sales: z.int(),
  is_settled: z.boolean(),
})
export const shopRow = z.object({
  id,
  store_no: z.string(),
  name: z.string(),
  logo: z.string(),
  shop_type: type,
  city_id: z.int(),
  city_name: z.string(),
  mid: z.int(),
  mall_name: z.string(),
  merchant_id: z.int(),
  merchant_name: z.string(),
  merchant_status: keysOf<MerchantState>(merchantStates),
  category_name: z.string(),
  brand_name: z.string(),
  on_sale_count: z.int(),
  unshipped: z.int(),
  /** Shares of the paid orders of 30 days: sent past their promise, asked back; null without any. */
  late_bp: basisPoints.nullable(),
  refund_bp: basisPoints.nullable(),
  score_x10: z.int(),
  ship_area: z.string(),
  sort: z.int(),
  status: state,
  status_reason: z.string(),
  rest_until_at: unix.nullable(),
  /** What keeps it from being opened. */
  blocks: z.array(keysOf<ShopBlock>(shopBlocks)),
  /** Where its application stands that nobody has decided. */
  applied: keysOf<AuditState>(auditStates).nullable(),
  version,
  /** What hangs on it, where somebody asked (`effects`): an action tells it before it is done. */
  effects: effects.optional(),
})
export type ShopRow = z.output<typeof shopRow>

const filters = {
  keyword: searched(60).optional(),
  status: state.optional(),
  shop_type: type.optional(),
  city_id: id.optional(),
  mid: z.int().min(0).max(2147483647).optional(),
  /** A category, with all below it. */
  category_id: id.optional(),
  merchant_id: id.optional(),
  /** In trade, with nothing on sale. */
  no_goods: z.boolean().optional(),
}
const call = callsOf('stores/stores', { touches: ['store'], rows: 'store' })
const sales = ['store', 'product'] as const
const rest = { reason, until_at: unix.optional() }

/** The shops that ship goods: what they sell, how well they send it, and whether they are open. */
export const shops = {
  lst: call.lists('lst', ['线上店铺列表', 'Online shops'], {
    filters,
    row: shopRow,
    answer: { stat: z.record(z.string(), z.int()) },
    touches: ['store', 'product', 'merchant', 'order', 'application'],
  }),
  /** What a rest or a closing takes off sale, and what the shop still owes. */
  effects: call.read('effects', ['线上店铺牵涉', 'What hangs on a shop'], {
    input: z.object({ id }),
    output: effects,
    touches: ['store', 'product', 'order'],
    scope: placed('store', 'id'),
    permit: 'stores.stores.view',
  }),
  /** E-commerce categories, the branches before what is below them. */
  categories: call.read('categories', ['电商分类', 'E-commerce categories'], {
    input: z.object({}),
    output: z.object({ list: z.array(z.object({ id, name: z.string(), level: z.int() })) }),
    touches: ['e_category'],
    scope: 'all',
    permit: 'stores.stores.view',
  }),
  open: call.changes('open', ['开店', 'Open a shop'], {
    answer: { given_back: z.int() },
    touches: sales,
  }),
  rest: call.changes('rest', ['暂停网店营业', 'Rest a shop'], {
    fields: rest,
    answer: { taken_off: z.int() },
    touches: sales,
  }),
  close: call.changes('close', ['关闭网店', 'Close a shop'], {
    fields: { reason },
    answer: { taken_off: z.int() },
    touches: sales,
  }),
  setSort: call.changes('setSort', ['修改网店排序', 'Sort a shop'], {
    fields: { sort: z.int().min(0).max(9999) },
  }),
  batchRest: call.write('batchRest', ['批量暂停网店', 'Rest shops'], {
    input: z.object({ ids: z.array(id).min(1).max(100), ...rest }),
    output: batchResult,
    touches: sales,
    scope: placed('store', 'ids'),
  }),
  /** Each line of a file is a draft of a shop. */
  ...importCalls(call, 'store', {
    title: ['批量导入店铺', 'Import shops'],
    touches: ['store'],
  }),
  export: call.startsExport('export', ['导出线上店铺', 'Export online shops'], { filters }),
}
