import { z } from 'zod'
import { auditStates, type AuditState } from '#src/areas/audit/audit.ts'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import { merchantStates, type MerchantState } from '#src/areas/merchant/merchant.ts'
import { storeProblems, type StoreProblem } from '#src/areas/merchant/store.ts'
import { placed } from '#src/contract/call.ts'
import { importCalls } from '#src/contract/importing.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  mobile,
  open,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const state = keysOf<StoreState>(storeStates)
/** 0 outside any mall. */
const mid = z.int().min(0).max(2147483647)
const effects = z.object({ goes_off: z.int(), comes_back: z.int(), codes_here: z.int() })
export const storeRow = z.object({
  id,
  store_no: z.string(),
  name: z.string(),
  logo: z.string(),
  city_id: z.int(),
  city_name: z.string(),
  mid: z.int(),
  mall_name: z.string(),
  floor_id: z.int().nullable(),
  floor_name: z.string(),
  door_no: z.string(),
  address: open('A store’s own, where customers go', z.string()),
  phone: open('A store’s own, which customers call', z.string()),
  open_hours: z.string(),
  avg_price_cents: cents,
  category_name: z.string(),
  brand_name: z.string(),
  merchant_id: z.int(),
  merchant_name: z.string(),
  merchant_status: keysOf<MerchantState>(merchantStates),
  bd_name: z.string(),
  score_x10: z.int(),
  is_recommend: z.boolean(),
  on_sale_count: z.int(),
  verifier_count: z.int(),
  gmv_30d_cents: guarded('stat.gmv_cents', cents),
  verified_30d: z.int(),
  problems: z.array(keysOf<StoreProblem>(storeProblems)),
  status: state,
  status_reason: z.string(),
  rest_until_at: unix.nullable(),
  version,
  /** Where its application stands that nobody has decided. */
  applied: keysOf<AuditState>(auditStates).nullable(),
  /** What hangs on it, where somebody asked (`effects`): an action tells it before it is done. */
  effects: effects.optional(),
})
export type StoreRow = z.output<typeof storeRow>

const filters = {
  keyword: searched(60).optional(),
  status: state.optional(),
  city_id: id.optional(),
  mid: mid.optional(),
  floor_id: id.optional(),
  /** A category, with all below it. */
  category_id: id.optional(),
  merchant_id: id.optional(),
  recommended: z.boolean().optional(),
  /** In trade, and nothing on sale can be used there. */
  no_deals: z.boolean().optional(),
  /** It lacks something its customers look for. */
  problem: z.boolean().optional(),
}
const call = callsOf('shop/stores', { touches: ['store'], rows: 'store' })
const sales = ['store', 'product'] as const
const rest = { reason, until_at: unix.optional() }
const ids = z.array(id).min(1).max(100)
const picked = { keyword: searched(40).optional() }

/** The stores that stand somewhere: where, whose, and what is sold for them. */
export const stores = {
  lst: call.lists('lst', ['门店列表', 'Stores'], {
    filters,
    row: storeRow,
    answer: { stat: z.record(z.string(), z.int()) },
    touches: ['store', 'product', 'merchant', 'mall_floor', 'verifier', 'application'],
  }),
  /** What a rest or a closing takes off sale, and what an opening gives back. */
  effects: call.read('effects', ['门店牵涉', 'Impact on a store'], {
    input: z.object({ id }),
    output: effects,
    touches: ['store', 'product', 'order'],
    scope: placed('store', 'id'),
    permit: 'shop.stores.view',
  }),
  /** Categories that stores are of, the branches before what is below them. */
  categories: call.read('categories', ['门店分类', 'Categories of stores'], {
    input: z.object({}),
    output: z.object({ list: z.array(z.object({ id, name: z.string(), level: z.int() })) }),
    touches: ['shop_category'],
    scope: 'all',
    permit: 'shop.stores.view',
  }),
  /** Floors of a mall. */
  floors: call.read('floors', ['商场楼层', 'Floors of a mall'], {
    input: z.object({ ...page, ...picked, mid: id }),
    output: listOf(z.object({ id, name: z.string(), alias: z.string() })),
    touches: ['mall_floor'],
    scope: placed('mall_floor', { mid: 'mall' }),
    permit: 'shop.stores.view',
  }),
  /** Malls of a city that a store may move into, and the place outside them (0). */
  malls: call.read('malls', ['可迁入商场', 'Malls to move into'], {
    input: z.object({ ...page, ...picked, city_id: id }),
    output: listOf(z.object({ id: mid, name: z.string() })),
    touches: ['mall'],
    scope: placed('mall', { city_id: 'city' }),
    permit: 'shop.stores.moveMall',
  }),
  open: call.changes('open', ['恢复营业', 'Reopen a store'], {
    answer: { given_back: z.int() },
    touches: sales,
  }),
  rest: call.changes('rest', ['暂停营业', 'Pause a store'], {
    fields: rest,
    answer: { taken_off: z.int() },
    touches: sales,
  }),
  close: call.changes('close', ['闭店', 'Close a store'], {
    fields: { reason },
    answer: { taken_off: z.int() },
    touches: sales,
  }),
  /** What it sold before stays with the old mall. */
  moveMall: call.changes('moveMall', ['迁移商场', 'Move a store'], {
    fields: { mid, floor_id: id.optional(), door_no: text(20, 0).default('') },
    touches: ['store', 'product', 'mall_floor'],
  }),
  recommend: call.changes('recommend', ['设为推荐', 'Recommend a store']),
  unrecommend: call.changes('unrecommend', ['取消推荐', 'Remove from recommended a store']),
  /** Somebody new, or a clerk of the same merchant who works here too from now on. */
  addVerifier: call.write('addVerifier', ['添加核销员', 'Add a clerk'], {
    input: z.object({ id, phone: mobile, name: text(32).optional() }),
    output: z.object({ id, verifier_id: id, made: z.boolean() }),
    touches: ['store', 'verifier'],
  }),
  batchRest: call.write('batchRest', ['批量暂停营业', 'Pause stores'], {
    input: z.object({ ids, ...rest }),
    output: batchResult,
    touches: sales,
    scope: placed('store', 'ids'),
  }),
  batchMoveFloor: call.write('batchMoveFloor', ['批量换楼层', 'Move stores to a floor'], {
    input: z.object({ ids, floor_id: id }),
    output: batchResult,
    touches: ['store', 'mall_floor'],
    scope: placed('store', 'ids'),
  }),
  /** Each line of a file is a draft of a store. */
  ...importCalls(call, 'store', {
    title: ['批量导入门店', 'Import stores'],
    touches: ['store'],
  }),
  export: call.startsExport('export', ['导出门店', 'Export stores'], { filters }),
}
