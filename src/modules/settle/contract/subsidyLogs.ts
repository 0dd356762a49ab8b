import { z } from 'zod'
import { orderKinds } from '#src/areas/order/order.ts'
import { logKinds } from '#src/areas/subsidy/subsidy.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  asksExport,
  batchResult,
  cents,
  exportBegun,
  id,
  keysOf,
  listOf,
  page,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

export const groupings = {
  plan: ['按计划', 'By plan'],
  day: ['按日', 'By day'],
  merchant: ['按商户', 'By merchant'],
  member: ['按会员', 'By member'],
  device: ['按设备', 'By device'],
} as const
export type Grouping = keyof typeof groupings

const kind = keysOf(logKinds)
const claim = z.object({
  amount_cents: cents,
  reason: z.string(),
  maker: z.string(),
  maker_id: id,
  checker: z.string(),
  state: z.enum(['asked', 'done', 'rejected']),
})
export const logRow = z.object({
  id,
  created_at: unix,
  plan_id: id,
  plan_name: z.string(),
  kind,
  order: z.object({ id, order_no: z.string(), kind: keysOf(orderKinds) }).nullable(),
  qty: z.int(),
  member_id: id.nullable(),
  nickname: z.string(),
  merchant_id: id.nullable(),
  merchant_name: z.string(),
  device_id: z.string(),
  amount_cents: cents,
  platform_cents: cents,
  mall_cents: cents,
  merchant_cents: cents,
  used_after_cents: cents,
  /** The journal's transaction of it; null where nothing flowed. */
  txn: z.object({ id, no: z.string() }).nullable(),
  memo: z.string(),
  /** What can still be claimed back of a grant. */
  left_cents: cents,
  flagged: z.boolean(),
  /** The last claim of a grant. */
  claim: claim.nullable(),
  version,
})
export type LogRow = z.output<typeof logRow>
const filters = {
  plan_id: id.optional(),
  /** A whole order number. */
  order_no: searched(40).optional(),
  member_id: id.optional(),
  merchant_id: id.optional(),
  kind: kind.optional(),
  mid: z.int().min(0).max(2147483647).optional(),
  from: unix.optional(),
  to: unix.optional(),
}
const call = callsOf('settle/subsidyLogs', {
  touches: ['subsidy_log'],
  rows: 'subsidy_log',
})
const view = 'settle.subsidyLogs.view'
const ids = z.array(id).min(1).max(100)

/** Every cent of subsidy: what was promised, granted and taken back, and who bore it. */
export const subsidyLogs = {
  /** At most 92 days; without a period the last 92. */
  lst: call.read('lst', ['补贴记录', 'Subsidy log'], {
    input: z.object({ ...page, ...filters }),
    output: listOf(logRow).extend({
      sums: z.object({ granted_cents: cents, back_cents: cents, platform_cents: cents }),
    }),
    permit: view,
    touches: ['subsidy_log', 'subsidy_plan', 'order'],
  }),
  /** Subtotals of what the filters match; by member and device, the largest first. */
  groups: call.read('groups', ['补贴汇总', 'Subtotals of subsidies'], {
    input: z.object({ by: keysOf(groupings), ...filters }),
    output: z.object({
      rows: z.array(
        z.object({
          key: z.string(),
          name: z.string(),
          granted_cents: cents,
          back_cents: cents,
          orders: z.int(),
          /** How many members are in it: several on one device may be one person. */
          members: z.int(),
        }),
      ),
    }),
    permit: 'settle.subsidyLogs.groupBy',
  }),
  flag: call.write('flag', ['标记可疑补贴', 'Flag subsidies'], {
    input: z.object({ ids, reason }),
    output: batchResult,
    scope: placed('subsidy_log', 'ids'),
  }),
  unflag: call.write('unflag', ['取消可疑标记', 'Unflag subsidies'], {
    input: z.object({ ids, reason }),
    output: batchResult,
    scope: placed('subsidy_log', 'ids'),
  }),
  /** Asks for it; another person decides. */
  clawback: call.write('clawback', ['申请追回补贴', 'Request subsidy clawback'], {
    input: z.object({ ids, reason }),
    output: batchResult,
    scope: placed('subsidy_log', 'ids'),
  }),
  approveClaim: call.write('approveClaim', ['复核追回补贴', 'Claim a subsidy back'], {
    input: z.object({ id }),
    output: z.object({ id, state: z.string() }),
    touches: ['subsidy_log', 'subsidy_plan'],
  }),
  rejectClaim: call.write('rejectClaim', ['驳回追回申请', 'Refuse a claim'], {
    input: z.object({ id, reason }),
    output: z.object({ id, state: z.string() }),
  }),
  export: call.write('export', ['导出补贴记录', 'Export the subsidy log'], {
    input: z.object({ ...filters, ...asksExport() }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('subsidy_log'),
  }),
}
