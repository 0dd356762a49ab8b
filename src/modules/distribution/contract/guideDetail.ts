import { z } from 'zod'
import { commissionStates, type CommissionState } from '#src/areas/commission/commission.ts'
import { sellerStates, type SellerState } from '#src/areas/distribution/sellers.ts'
import { guideRules, type GuideRule } from '#src/areas/place/guideRule.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  basisPoints,
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

const rows = 'distributor'
const at = 'distribution/index/guideDetail'
const call = callsOf(at, { touches: [rows, 'dist_binding', 'dist_commission'], rows })
const permit = 'distribution.index.guideDetail.view'
const gmv = guarded('stat.gmv_cents', cents)
const place = z.object({ at: z.int(), among: z.int() })
export const guideRow = z.object({
  id,
  version,
  kind: z.literal('guide'),
  name: z.string(),
  phone: guarded('distributor.phone', z.string()),
  store_id: id,
  store: z.string(),
  mall: z.string(),
  /** Whose the customers are once the guide leaves the store. */
  guide_rule: keysOf<GuideRule>(guideRules),
  merchant: z.string(),
  wecom_userid: z.string(),
  /** Instead of what the goods pay a guide; null: as the goods say. */
  /** The seller's own rate; null: as the goods pay. */
  own_share_bp: guarded('product.commission_bp', basisPoints.nullable()),
  real_name_ok: z.boolean(),
  status: keysOf<SellerState>(sellerStates),
  is_leader: z.boolean(),
  quitting: z.boolean(),
  reason: z.string(),
  joined_at: unix.nullable(),
  customer_count: z.int(),
  order_count: z.int(),
  gmv_cents: gmv,
  last_sale_at: unix.nullable(),
})
export type GuideRow = z.output<typeof guideRow>
/** A guide earns at most so much of what was paid (basis points): the ceiling of profit sharing. */
const RATE_MOST = 3000
const named = listOf(z.object({ id, name: z.string(), store: z.string() }))
const filters = { id }

/** One store guide: the work, the money and what is done about both. */
export const guideDetail = {
  detail: call.read('detail', ['导购详情', 'A guide'], {
    input: z.object({ id }),
    output: z.object({
      row: guideRow,
      states: z.array(
        z.object({
          status: keysOf<CommissionState>(commissionStates),
          count: z.int(),
          sum_cents: cents,
        }),
      ),
      /** What the merchant bears of it. */
      borne_cents: cents,
      products: z.array(z.object({ id, title: z.string(), n: z.int(), gmv_cents: gmv })),
      /** By sales, among guides of the store and of the mall; null outside malls. */
      in_store: place,
      in_mall: place.nullable(),
      /** Withdrawals under way, which stay claimable when the guide leaves. */
      withdrawing: z.int(),
    }),
    scope: placed(rows, 'id'),
    permit,
  }),
  /** Guides of the same store who may take the customers. */
  successors: call.read('successors', ['可接任导购', 'Who may succeed'], {
    input: z.object({ ...page, keyword: searched(40).optional(), of_id: id.optional() }),
    output: named,
    permit,
  }),
  /** Open stores that a guide may go to. */
  stores: call.read('stores', ['可调往门店', 'Stores to go to'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['store'],
    scope: placed('store'),
    permit,
  }),
  changeStore: call.changes('changeStore', ['更换门店', 'Change the store'], {
    fields: { store_id: id, reason },
    answer: { pooled: z.int() },
    scope: placed(rows, { id: rows, store_id: 'store' }),
  }),
  bindWecom: call.changes('bindWecom', ['绑定企微成员', 'Bind in WeCom'], {
    fields: { userid: keyText(40, 1) },
  }),
  setRate: call.changes('setRate', ['设置导购佣金', 'Set the rate'], {
    fields: { rate_bp: basisPoints.max(RATE_MOST).nullable(), reason },
  }),
  freeze: call.changes('freeze', ['冻结资格', 'Freeze'], { fields: { reason } }),
  leave: call.changes('leave', ['办理离职', 'Offboard a guide'], {
    fields: { successor_id: id.optional(), reason },
    answer: { handed: z.int(), pooled: z.int(), on_hold_cents: cents },
    scope: placed(rows, { id: rows, successor_id: rows }),
  }),
  export: call.startsExport('export', ['导出业绩', 'Export the commission'], {
    filters,
    scope: placed(rows, 'id'),
  }),
}
