import { z } from 'zod'
import { commissionStates, type CommissionState } from '#src/areas/commission/commission.ts'
import { adjustStates, type AdjustState } from '#src/areas/distribution/sellers.ts'
import { withdrawalStates, type WithdrawalState } from '#src/areas/payout/withdrawing.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  mobile,
  page,
  searched,
  unix,
} from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'
import { sellerRow } from './index.ts'

const gmv = guarded('stat.gmv_cents', cents)
const money = guarded('withdrawal.amount_cents', cents)
export const trend = z.object({
  points: z.array(z.object({ day: z.string(), gmv_cents: gmv, refunded_cents: cents })),
  products: z.array(z.object({ id, title: z.string(), n: z.int(), gmv_cents: gmv })),
})
export const step = z.enum(['day', 'week']).default('day')
/** The most that one adjustment may be, in cents. */
const MOST = 100_000_000
const rows = 'distributor'
const call = callsOf('distribution/index/expertDetail', {
  touches: [rows, 'dist_commission', 'dist_adjust', 'withdrawal'],
  rows,
})
const one = { scope: placed(rows, 'id'), permit: 'distribution.index.expertDetail.view' }

/** One seller’s whole account. */
export const expertDetail = {
  detail: call.read('detail', ['分销员详情', 'A seller'], {
    input: z.object({ id }),
    output: z.object({
      row: sellerRow,
      id_no: guarded('distributor.id_no', z.string()),
      member_name: z.string(),
      states: z.array(
        z.object({
          status: keysOf<CommissionState>(commissionStates),
          count: z.int(),
          sum_cents: cents,
        }),
      ),
      adjusted_cents: cents,
      risks: z.object({
        own_orders: z.int(),
        same_device: z.int(),
        hits: z.int(),
        back_after_settling: z.int(),
      }),
      withdrawals: z.array(
        z.object({
          id,
          no: z.string(),
          amount_cents: money,
          status: keysOf<WithdrawalState>(withdrawalStates),
          applied_at: unix,
        }),
      ),
      adjustments: z.array(
        z.object({
          id,
          amount_cents: cents,
          reason: z.string(),
          state: keysOf<AdjustState>(adjustStates),
          created_at: unix,
        }),
      ),
      periods: z.array(
        z.object({
          id,
          group_name: z.string(),
          is_leader: z.boolean(),
          start_at: unix,
          end_at: unix.nullable(),
          reason: z.string(),
        }),
      ),
      levels: z.array(
        z.object({
          id,
          at: unix,
          by: z.string(),
          before: z.int().nullable(),
          after: z.int().nullable(),
          reason: z.string(),
        }),
      ),
    }),
    ...one,
  }),
  /** Sales and refunds over time, and what sold most. */
  trend: call.read('trend', ['业绩趋势', 'Sales over time'], {
    input: z.object({ id, by: step }),
    output: trend,
    ...one,
  }),
  /** Distributed products on sale, for a poster. */
  products: call.read('products', ['可推广商品', 'Products to promote'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(z.object({ id, title: z.string() })),
    touches: ['dist_product', 'product'],
    scope: placed('dist_product'),
    permit: one.permit,
  }),
  adjustCommission: call.changes('adjustCommission', ['调整佣金', 'Adjust commission'], {
    fields: {
      amount_cents: cents
        .min(-MOST)
        .max(MOST)
        .refine(amount => amount !== 0, {
          message: joined(['金额不能为 0', 'Can’t be 0']),
        }),
      reason,
    },
    answer: { waits: z.boolean() },
  }),
  approveAdjust: call.changes('approveAdjust', ['通过佣金调整', 'Approve an adjustment'], {
    scope: placed('dist_adjust', 'id'),
  }),
  rejectAdjust: call.changes('rejectAdjust', ['驳回佣金调整', 'Reject an adjustment'], {
    fields: { reason },
    scope: placed('dist_adjust', 'id'),
  }),
  changePhone: call.changes('changePhone', ['更换手机号', 'Change the phone'], {
    fields: { phone: mobile, reason },
  }),
  genPoster: call.write('genPoster', ['生成专属海报', 'Create poster'], {
    input: z.object({ id, product_id: id }),
    output: z.object({ name: z.string(), svg: z.string(), link: z.string() }),
  }),
  export: call.startsExport('export', ['导出业绩明细', 'Export the commission'], {
    filters: { id },
    scope: placed(rows, 'id'),
  }),
}
