import { z } from 'zod'
import { couponSorts, type AuditedTerms, type CouponQueue } from '#src/areas/coupon/couponAudit.ts'
import { couponRefuseCodes, type CouponRefuseCode } from '#src/areas/coupon/couponAuditRules.ts'
import { couponKinds, couponStates, type CouponKind } from '#src/areas/mall/recommend.ts'
import { placed } from '#src/contract/call.ts'
import {
  decided,
  left,
  queueCalls,
  several,
  takenBackBy,
  waitingDetail,
  waitingRow,
  why,
} from '#src/contract/queue.ts'
import { callsOf, one } from '#src/contract/record.ts'
import { batchResult, cents, guarded, id, keysOf, lines, open, unix } from '#src/contract/shapes.ts'
import type { Text } from '#src/domain/text.ts'

const kind = keysOf<CouponKind>(couponKinds)
const code = keysOf<CouponRefuseCode>(couponRefuseCodes)
const ids = z.array(z.int()).readonly()
/** What a coupon promised when it was submitted. */
const terms = z.object({
  name: z.string(),
  scope: z.enum(['local', 'ecom']),
  kind,
  face_cents: z.int(),
  threshold_cents: z.int(),
  discount_bp: z.int().nullable(),
  cap_cents: z.int().nullable(),
  apply_kind: z.enum(['all', 'category', 'mall', 'store', 'product', 'shop']),
  apply_ids: ids,
  exclude_ids: ids,
  city_ids: ids,
  total: z.int(),
  per_member: z.int(),
  per_day: z.int().nullable(),
  claim_kind: z.enum(['claim', 'auto_new', 'admin', 'code', 'points', 'activity']),
  claim_start_at: unix,
  claim_end_at: unix,
  valid_kind: z.enum(['fixed', 'days_after']),
  use_start_at: unix.nullable(),
  use_end_at: unix.nullable(),
  valid_after_days: z.int().nullable(),
  valid_days: z.int().nullable(),
  weekdays: ids,
  level_ids: ids,
  vip_only: z.boolean(),
  new_only: z.boolean(),
  stackable: z.boolean(),
  platform_share_bp: z.int(),
  merchant_share_bp: z.int(),
  consent_no: z.string().nullable(),
  budget_cents: z.int().nullable(),
  recommend_text: z.string(),
}) satisfies z.ZodType<AuditedTerms>

/** `bd_name` is who made the coupon. */
const { merchant_id: _, ...waits } = waitingRow
/** A row of the queue. */
export const couponAuditItem = z.object({
  ...waits,
  coupon_id: id,
  kind,
  terms,
  exposure_cents: z.int(),
  first_name: z.string().nullable(),
  first_at: unix.nullable(),
  leave_out: ids,
})
export type CouponAuditItem = z.output<typeof couponAuditItem>

const cut = {
  discount_cents: z.int(),
  platform_cents: z.int(),
  merchant_cents: z.int(),
}
/** A product with what the coupon makes of the smallest purchase of it. */
const couponSample = z.object({
  id,
  title: z.string(),
  merchant_name: z.string(),
  price_cents: z.int(),
  settle_price_cents: guarded('product.settle_price_cents', cents),
  qty: z.int(),
  pay_cents: z.int(),
  ...cut,
  margin_cents: guarded('product.settle_price_cents', z.int()),
  /** The fact that is not as it was at the submission. */
  changed: z.enum(['price', 'settle', 'new']).nullable(),
})
export type CouponSample = z.output<typeof couponSample>
const refusal = z.object({
  text: z.tuple([z.string(), z.string()]),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
})
export const couponAuditDetail = z.object({
  task: couponAuditItem,
  coupon_no: z.string(),
  status: keysOf(couponStates),
  /** The terms of the submission before this one. */
  last: terms.nullable(),
  /** Names of what it is for and not for, by their ids. */
  names: z.object({
    apply_ids: z.record(z.string(), z.string()),
    exclude_ids: z.record(z.string(), z.string()),
  }),
  size: z.object({ goods: z.int(), merchants: z.int() }),
  /** Goods that lose most by it, the worst first. */
  samples: z.array(couponSample),
  /** Coupons that can be had for the same goods in the same place and time. */
  beside: z.array(
    z.object({
      id,
      coupon_no: z.string(),
      name: z.string(),
      status: keysOf(couponStates),
      terms,
      /**
       * The goods of the trial, and what checkout takes off by each of the two coupons and by the
       * better.
       */
      trial: z
        .object({
          sum_cents: z.int(),
          own_cents: z.int(),
          other_cents: z.int(),
          most_cents: z.int(),
        })
        .nullable(),
    }),
  ),
  beside_count: z.int(),
  /** The sums that it would take off orders that were paid. */
  examples: z.array(
    z.object({
      id,
      order_no: z.string(),
      at: unix,
      titles: z.array(z.string()),
      total_cents: z.int(),
      cut: z.object(cut).nullable(),
      refused: refusal.nullable(),
    }),
  ),
  /** The cart of goods of two merchants that costs most. */
  cart: z
    .object({
      lines: z.array(
        z.object({
          id,
          title: z.string(),
          merchant_name: z.string(),
          qty: z.int(),
          cost_cents: open('What the coupon takes off, no product’s', z.int()),
          off_cents: z.int(),
          platform_cents: z.int(),
          merchant_cents: z.int(),
          margin_cents: guarded('product.settle_price_cents', z.int()),
        }),
      ),
      ...cut,
    })
    .nullable(),
  budget: z.object({
    month_cents: z.int(),
    promised_cents: z.int(),
    platform_cents: z.int(),
  }),
  limit_cents: z.int(),
  /** The record of the coupons of its maker. */
  maker: z.object({
    approved: z.int(),
    rejected: z.int(),
    claimed: z.int(),
    used: z.int(),
  }),
  trail: z.array(z.object({ at: unix, by: z.string(), action: z.string(), reason: z.string() })),
  ...waitingDetail(kind),
})
export type CouponAuditDetail = z.output<typeof couponAuditDetail>

const rows = 'coupon_audit'
const decides = ['coupon_audit', 'coupon'] as const
const byTasks = placed(rows, { 'tasks.id': rows })
const refused = { reason_code: code, reason: why }
type Named = (title: Text) => Text
/** The calls by which one submission is decided, or several. */
const decidingCalls = (call: ReturnType<typeof callsOf>, named: Named, view: string) => {
  const back = takenBackBy(call, named(['撤销决定：', 'Undo a decision of']), {
    touches: decides,
    view,
    rows,
  })
  const decision = { output: decided, touches: decides, undo: back.single }
  const batch = { output: batchResult, touches: decides, scope: byTasks, undo: back.batch }
  const reasoned = z.object({ ...one, reason: why })
  return {
    approve: call.write('approve', named(['通过', 'Approve']), {
      input: z.object(one),
      ...decision,
    }),
    /** The same where goods lose money by it: says why it is approved all the same. */
    approveKnowing: call.write('approveKnowing', named(['确认负毛利并通过', 'Approve at a loss']), {
      input: reasoned,
      ...decision,
    }),
    /** The second decision, by finance. */
    finance: call.write('finance', named(['财务复审通过', 'Approve as finance']), {
      input: reasoned,
      ...decision,
    }),
    reject: call.write('reject', named(['驳回', 'Reject']), {
      input: z.object({ ...one, ...refused }),
      ...decision,
    }),
    /** Rejects and names goods that would better be left out. */
    excludeGoods: call.write('excludeGoods', named(['建议排除商品并驳回', 'Reject for products']), {
      input: z.object({ ...one, product_ids: z.array(id).min(1).max(100), reason: why }),
      ...decision,
    }),
    batchApprove: call.write('batchApprove', named(['批量通过', 'Approve selected']), {
      input: z.object({ tasks: several }),
      ...batch,
    }),
    batchReject: call.write('batchReject', named(['批量驳回', 'Reject selected']), {
      input: z.object({ tasks: several, ...refused }),
      ...batch,
    }),
    undo: back.undo,
  }
}
/** The calls of a queue of coupons: of stores, and of the e-shop. */
const auditCalls = (queue: CouponQueue, what: Text) => {
  const view = `${queue}.audit.view`
  const call = callsOf(`${queue}/audit`, { touches: [rows], rows })
  const named: Named = ([zh, en]) => [`${zh}${what[0]}`, `${en} ${what[1]}`]
  const reasoned = z.object({ ...one, reason: why })
  return {
    ...queueCalls(call, {
      view,
      what: [`${what[0]}审核`, what[1]],
      kind,
      code,
      row: couponAuditItem,
      rows,
      more: {
        second: z.boolean().optional(),
        sort: z.enum(couponSorts).default('sla'),
      },
    }),
    detail: call.read('detail', named(['审核详情：', 'Audit of']), {
      input: z.object({ id }),
      output: couponAuditDetail,
      touches: decides,
      scope: placed(rows, 'id'),
      permit: view,
    }),
    /** Goods of its scope with their price after the coupon, those that earn least first. */
    goods: call.lists('goods', named(['适用商品：', 'Goods of']), {
      filters: { id },
      row: couponSample,
      touches: decides,
      scope: placed(rows, 'id'),
      permit: view,
    }),
    exportGoods: call.startsExport('exportGoods', named(['导出适用商品：', 'Export goods of']), {
      filters: { id },
      scope: placed(rows, 'id'),
    }),
    ...decidingCalls(call, named, view),
    askMore: call.write('askMore', named(['要求补充说明：', 'Ask for details of']), {
      input: reasoned,
      output: left,
    }),
    /** Asks finance to decide too, whatever it can cost. */
    escalate: call.write('escalate', named(['转财务复审：', 'Send to finance']), {
      input: reasoned,
      output: left,
    }),
    /** A remark in its trail; it stays whatever becomes of a decision. */
    comment: call.write('comment', named(['添加审核意见：', 'Remark on']), {
      input: z.object({ id, content: lines(500, 2) }),
      output: z.object({ id }),
    }),
  }
}
/** Coupons of stores, to be decided one after another. */
export const couponAudit = auditCalls('coupon', ['优惠券', 'coupons'])
/** Coupons of the e-shop: the same queue over the other scope. */
export const ecouponAudit = auditCalls('ecoupon', ['商城券', 'e-mall coupons'])
export type CouponAuditCalls = typeof couponAudit
