import { z } from 'zod'
import {
  commissionRoles,
  commissionStates,
  type CommissionRole,
  type CommissionState,
} from '#src/areas/commission/commission.ts'
import { sellerKinds } from '#src/areas/distribution/sellers.ts'
import { businesses } from '#src/areas/ledger/ledger.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

/** Basis points of goods, which the rates of commission tell of. */
const bp = guarded('product.commission_bp', z.int())
export const COMMISSIONS_MOST = 200
const ids = z.array(id).min(1).max(COMMISSIONS_MOST)
const status = keysOf<CommissionState>(commissionStates)

export const commissionRow = z.object({
  id,
  /** Its number, by which questions call it. */
  name: z.string(),
  order: z.object({ id, order_no: z.string(), kind: keysOf(orderKinds) }).nullable(),
  unit_no: z.int().nullable(),
  title: z.string(),
  product_id: id.nullable(),
  distributor_id: id,
  seller: z.string(),
  seller_kind: keysOf(sellerKinds),
  team: z.string(),
  role: keysOf<CommissionRole>(commissionRoles),
  base_cents: cents,
  commission_bp: bp,
  fixed: z.boolean(),
  amount_cents: cents,
  reversed_cents: cents,
  left_cents: cents,
  status,
  held: z.boolean(),
  holder: z.string(),
  reason: z.string(),
  /** Why its order can still be refunded, where it can. */
  refundable: z.enum(['after_sale', 'refunding']).nullable(),
  paid_at: unix.nullable(),
  frozen_until: unix.nullable(),
  settled_at: unix.nullable(),
  split_no: z.string(),
  city_id: z.int(),
  mid: z.int(),
  version,
})
export type CommissionRow = z.output<typeof commissionRow>

const number = z.int().min(0).max(2147483647)
const filters = {
  status: status.optional(),
  role: keysOf<CommissionRole>(commissionRoles).optional(),
  distributor_id: id.optional(),
  /** The beginning of a seller's name. */
  seller: searched(20).optional(),
  /** A whole order number. */
  order_no: searched(32).optional(),
  product_id: id.optional(),
  held: z.boolean().optional(),
  /** Refunded or clawed back in part or whole. */
  cut: z.boolean().optional(),
  city_id: number.optional(),
  mid: number.optional(),
  paid_from: unix.optional(),
  paid_to: unix.optional(),
  settled_from: unix.optional(),
  settled_to: unix.optional(),
}
const call = callsOf('distribution/settlementDetails', {
  touches: ['dist_commission', 'settle_line', 'ledger_txn'],
  rows: 'dist_commission',
})
const onRows = {
  input: z.object({ ids, reason }),
  output: batchResult,
  scope: placed('dist_commission', { ids: 'dist_commission' }),
}

/** Commission line by line: which order gave whom how much, and how far it is. */
export const commissionDetails = {
  lst: call.lists('lst', ['佣金结算明细', 'Commission line by line'], {
    filters,
    row: commissionRow,
    answer: {
      stat: z.record(z.string(), z.int()),
      /** By state: what is left of the commission of all rows that match (cents). */
      sums: z.record(z.string(), cents),
    },
  }),
  /** How an amount came to be: its formula, what took of it, and every posting of it. */
  explain: call.read('explain', ['佣金计算过程', 'How a commission is calculated'], {
    input: z.object({ id }),
    output: z.object({
      id,
      goods_bp: bp,
      level_bp: bp,
      plus_bp: bp,
      base_cents: cents,
      amount_cents: cents,
      reversed_cents: cents,
      /** Before the margin or the ceiling cut it. */
      uncut_cents: cents.nullable(),
      fixed_cents: cents.nullable(),
      bearer: z.enum(['platform', 'merchant']),
      binding: z
        .object({ id, member_id: id, role: z.string(), source: z.string(), bind_at: unix })
        .nullable(),
      /** What of its line was refunded to its buyer, of how much (cents). */
      refunded_cents: cents,
      user_cents: cents,
      entries: z.array(
        z.object({
          id,
          no: z.string(),
          biz: keysOf(businesses),
          account: z.string(),
          amount_cents: cents,
          at: unix,
        }),
      ),
    }),
    scope: placed('dist_commission', 'id'),
  }),
  settleNow: call.changes('settleNow', ['提前结算佣金', 'Settle a commission now'], {
    fields: { reason },
  }),
  batchSettle: call.write('batchSettle', ['批量结算佣金', 'Settle commission'], {
    input: z.object({ ids }),
    output: batchResult,
    scope: placed('dist_commission', { ids: 'dist_commission' }),
  }),
  hold: call.write('hold', ['暂缓结算佣金', 'Hold commission'], onRows),
  release: call.write('release', ['解除暂缓佣金', 'Release commission'], {
    ...onRows,
    input: z.object({ ids }),
  }),
  cancel: call.changes('cancel', ['取消佣金', 'Cancel a commission'], { fields: { reason } }),
  clawBack: call.changes('clawBack', ['追回佣金', 'Claw a commission back'], {
    fields: { amount_cents: cents.min(1), reason },
  }),
  export: call.startsExport('export', ['导出佣金结算明细', 'Export commission'], { filters }),
}
