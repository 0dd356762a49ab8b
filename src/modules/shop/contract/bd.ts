import { z } from 'zod'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import { bdStates, type BdState } from '#src/areas/merchant/bd.ts'
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
  unix,
} from '#src/contract/shapes.ts'

const month = z.int().min(200_001).max(299_912)
/** Somebody who looks after stores, by what they reach this month. */
export const bdRow = z.object({
  id,
  name: z.string(),
  account: z.string(),
  active: z.boolean(),
  month,
  stores: z.int(),
  open_stores: z.int(),
  merchants: z.int(),
  contracts_ending: z.int(),
  new_stores: z.int(),
  gmv_cents: guarded('stat.gmv_cents', cents),
  gmv_target_cents: guarded('stat.gmv_cents', cents.nullable()),
  new_store_target: z.int().nullable(),
  version: z.int(),
})
export type BdRow = z.output<typeof bdRow>
/** A store, and who looks after it. */
export const bdStoreRow = z.object({
  id,
  store_no: z.string(),
  name: z.string(),
  merchant_name: z.string(),
  city_name: z.string(),
  mall_name: z.string(),
  status: keysOf<StoreState>(storeStates),
  bd_state: keysOf<BdState>(bdStates),
  bd_name: z.string(),
  since_at: unix.nullable(),
  version: z.int(),
})
export type BdStoreRow = z.output<typeof bdStoreRow>
const ids = z.array(id).min(1).max(500)
const view = 'shop.bd.view'
const call = callsOf('shop/bd', { touches: ['bd', 'store', 'merchant'], rows: 'store' })
const keyword = searched(40).optional()

/** The stores and merchants that people look after. */
export const shopBd = {
  /** By person, in this month. */
  lst: call.read('lst', ['BD 管辖', 'BD assignments'], {
    input: z.object({ ...page, keyword }),
    output: z.object({ ...listOf(bdRow).shape, orphans: z.int() }),
    touches: ['bd', 'store', 'merchant', 'order', 'admin'],
    permit: view,
  }),
  /** By store. */
  stores: call.read('stores', ['门店与 BD', 'Stores and their BDs'], {
    input: z.object({
      ...page,
      keyword,
      bd_state: z.enum(['owned', 'orphan']).optional(),
      city_id: id.optional(),
      admin_id: id.optional(),
    }),
    output: listOf(bdStoreRow),
    touches: ['bd', 'store', 'admin'],
    permit: view,
  }),
  /** Colleagues who may look after stores. */
  bds: call.read('bds', ['可选 BD', 'BDs to choose'], {
    input: z.object({ ...page, keyword, but: id.optional() }),
    output: listOf(z.object({ id, name: z.string(), account: z.string() })),
    touches: ['admin'],
    scope: placed('admin'),
    permit: view,
  }),
  /** What changed hands of a store, or of a person; the newest first. */
  history: call.read('history', ['移交记录', 'Handover records'], {
    input: z.object({ ...page, store_id: id.optional(), admin_id: id.optional() }),
    output: listOf(
      z.object({
        id,
        store_id: id,
        store_name: z.string(),
        bd_name: z.string(),
        start_at: unix,
        end_at: unix.nullable(),
        reason: z.string(),
        by_name: z.string(),
      }),
    ),
    touches: ['bd'],
    permit: view,
  }),
  /** Each store says what became of it. */
  assign: call.write('assign', ['分配门店', 'Assign stores'], {
    input: z.object({ store_ids: ids, admin_id: id, reason }),
    output: batchResult,
    scope: placed('store', { store_ids: 'store', admin_id: 'admin' }),
  }),
  /** All that a person has, or what they have in one city. */
  handover: call.write('handover', ['整体移交', 'Hand over everything'], {
    input: z.object({
      from_admin_id: id,
      to_admin_id: id,
      city_id: id.optional(),
      reason,
    }),
    output: z.object({ stores: z.int(), merchants: z.int() }),
    touches: ['bd', 'store', 'merchant', 'audit'],
    scope: placed('store', { to_admin_id: 'admin', city_id: 'city' }),
  }),
  /** Stores that nobody looks after are one's own from now on. */
  claimOrphan: call.write('claimOrphan', ['认领无主门店', 'Claim stores'], {
    input: z.object({ store_ids: ids }),
    output: batchResult,
    scope: placed('store', { store_ids: 'store' }),
  }),
  setTarget: call.write('setTarget', ['设置月度目标', 'Set a month’s target'], {
    input: z.object({
      admin_id: id,
      month,
      gmv_target_cents: cents.min(0),
      new_store_target: z.int().min(0).max(9999),
    }),
    output: z.object({ id }),
    touches: ['bd'],
    scope: placed('admin', { admin_id: 'admin' }),
  }),
  export: call.startsExport('export', ['导出管辖表', 'Export the assignments'], {
    filters: {
      keyword,
      bd_state: z.enum(['owned', 'orphan']).optional(),
      city_id: id.optional(),
      admin_id: id.optional(),
    },
  }),
}
