import { z } from 'zod'
import { commissionStates, type CommissionState } from '#src/areas/commission/commission.ts'
import { sellerStates, type SellerState } from '#src/areas/distribution/sellers.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  basisPoints,
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

const rows = 'distributor'
const at = 'distribution/index/distStoreDetail'
const call = callsOf(at, { touches: [rows, 'dist_commission'], rows })
const permit = 'distribution.index.distStoreDetail.view'
const gmv = guarded('stat.gmv_cents', cents)
export const distStoreRow = z.object({
  id,
  version,
  kind: z.literal('store'),
  name: z.string(),
  store_id: id,
  store_status: z.enum(['draft', 'auditing', 'open', 'resting', 'closed']),
  mall: z.string(),
  merchant: z.string(),
  /** Where its commission goes: the account of its merchant. */
  bank_name: z.string(),
  bank_no: guarded('merchant.bank_no', z.string()),
  /** Instead of what the goods pay; null: as the goods say. */
  /** The seller's own rate; null: as the goods pay. */
  own_share_bp: guarded('product.commission_bp', basisPoints.nullable()),
  /** What it may sell; null for all that is distributed. */
  product_ids: z.array(id).nullable(),
  product_names: z.record(z.string(), z.string()),
  paused: z.boolean(),
  quitting: z.boolean(),
  is_leader: z.boolean(),
  status: keysOf<SellerState>(sellerStates),
  reason: z.string(),
  joined_at: unix.nullable(),
  order_count: z.int(),
  gmv_cents: gmv,
  last_sale_at: unix.nullable(),
  /** What may be settled now. */
  due_cents: cents,
})
export type DistStoreRow = z.output<typeof distStoreRow>
/** The most products that are named for one store, and the most that it earns (basis points). */
export const PRODUCTS_MOST = 200
const RATE_MOST = 3000
const found = listOf(z.object({ id, name: z.string() }))
const keyword = searched(40).optional()

/** A store that sells what others offer: what it brings, what it may sell and is paid. */
export const distStoreDetail = {
  detail: call.read('detail', ['分销门店详情', 'A distributing store'], {
    input: z.object({ id }),
    output: z.object({
      row: distStoreRow,
      states: z.array(
        z.object({
          status: keysOf<CommissionState>(commissionStates),
          count: z.int(),
          sum_cents: cents,
        }),
      ),
      products: z.array(z.object({ id, title: z.string(), n: z.int(), gmv_cents: gmv })),
      guides: z.array(z.object({ id, name: z.string(), customer_count: z.int() })),
    }),
    scope: placed(rows, 'id'),
    permit,
  }),
  /** Distributing stores by their names, for whoever asks the palette for one. */
  stores: call.read('stores', ['分销门店', 'Distributing stores'], {
    input: z.object({ ...page, keyword }),
    output: found,
    permit,
  }),
  /** Distributed goods of other merchants. */
  products: call.read('products', ['可分销商品', 'Products to sell'], {
    input: z.object({ ...page, keyword, of_id: id.optional() }),
    output: found,
    touches: ['dist_product'],
    scope: placed('dist_product'),
    permit,
  }),
  setProducts: call.changes('setProducts', ['设置可分销商品', 'Set products to sell'], {
    fields: { product_ids: z.array(id).max(PRODUCTS_MOST) },
  }),
  setRate: call.changes('setRate', ['设置门店佣金', 'Set the rate'], {
    fields: { rate_bp: basisPoints.max(RATE_MOST).nullable(), reason },
  }),
  /** What is past its hold goes to the balance of the merchant. */
  settleNow: call.changes('settleNow', ['发起结算', 'Settle now'], {
    answer: { moved_cents: cents, lines: z.int() },
  }),
  pause: call.changes('pause', ['暂停分销', 'Pause'], { fields: { reason } }),
  resume: call.changes('resume', ['恢复分销', 'Resume']),
  export: call.startsExport('export', ['导出门店分销', 'Export the commission'], {
    filters: { id },
    scope: placed(rows, 'id'),
  }),
}
