import { z } from 'zod'
import type { CouponScope } from '#src/areas/coupon/coupon.ts'
import { COUPON_NAME_MAX, COUPON_TOTAL_MAX } from '#src/areas/coupon/couponRules.ts'
import {
  couponApplies,
  couponBearers,
  couponClaims,
  couponValidities,
  type CouponApply,
  type CouponBearer,
  type CouponClaim,
  type CouponValidity,
} from '#src/areas/coupon/couponWords.ts'
import {
  couponKinds,
  couponStates,
  type CouponKind,
  type CouponState,
} from '#src/areas/mall/recommend.ts'
import { MEMBER_LEVELS } from '#src/areas/member/levels.ts'
import { placed } from '#src/contract/call.ts'
import { orderTrial } from '#src/contract/orderTrial.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  basisPoints,
  batchResult,
  cents,
  id,
  keysOf,
  lines,
  listOf,
  open,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const state = keysOf<CouponState>(couponStates)
const ids = z.array(id).max(500)
const count = z.int().min(0).max(COUPON_TOTAL_MAX)
const money = z.int().min(0).max(1_000_000_000_00)
const days = z.int().min(0).max(10_000)
/**
 * The fields that are written of a coupon: a draft may be half done, its rules are asked when it is
 * submitted.
 */
const written = {
  name: text(COUPON_NAME_MAX, 2),
  kind: keysOf<CouponKind>(couponKinds),
  face_cents: money.default(0),
  threshold_cents: money.default(0),
  discount_bp: basisPoints.nullable().default(null),
  cap_cents: money.nullable().default(null),
  apply_kind: keysOf<CouponApply>(couponApplies),
  apply_ids: ids.default([]),
  exclude_ids: ids.default([]),
  city_ids: ids.default([]),
  total: count.default(0),
  per_member: count.default(1),
  per_day: count.nullable().default(null),
  claim_kind: keysOf<CouponClaim>(couponClaims),
  claim_start_at: unix,
  claim_end_at: unix,
  valid_kind: keysOf<CouponValidity>(couponValidities),
  use_start_at: unix.nullable().default(null),
  use_end_at: unix.nullable().default(null),
  valid_after_days: days.nullable().default(null),
  valid_days: days.nullable().default(null),
  weekdays: z.array(z.int().min(1).max(7)).max(7).default([]),
  new_only: z.boolean().default(false),
  level_ids: z.array(z.int().min(1).max(MEMBER_LEVELS)).max(MEMBER_LEVELS).default([]),
  stackable: z.boolean().default(false),
  platform_share_bp: basisPoints.default(10_000),
  merchant_share_bp: basisPoints.default(0),
  consent_no: text(30, 0).nullable().default(null),
  budget_cents: money.nullable().default(null),
  recommend_text: text(40, 0).default(''),
}
const kept = z.object(written)
export const couponRow = z.object({
  ...kept.shape,
  id,
  coupon_no: z.string(),
  scope: z.enum(['local', 'ecom']),
  status: state,
  claimed_count: z.int(),
  used_count: z.int(),
  cost_cents: open('What coupons take off, no product’s', cents),
  reason: z.string(),
  copy_from_id: z.int().nullable(),
  created_by: z.int().nullable(),
  creator_name: z.string(),
  approved_at: unix.nullable(),
  created_at: unix,
  version,
})
export type CouponRow = z.output<typeof couponRow>
const named = z.object({ id, name: z.string() })
/** The rows that a coupon is for which are no longer there, or no longer trade. */
const dead = z.object({ id, name: z.string(), why: z.string() })
export const couponWhole = z.object({
  ...couponRow.shape,
  applies: z.array(named),
  excludes: z.array(named),
  cities: z.array(named),
  dead: z.array(dead),
  /** How its pieces stand, and how many came back with a refund. */
  pieces: z.object({
    unused: z.int(),
    locked: z.int(),
    used: z.int(),
    expired: z.int(),
    revoked: z.int(),
    returned: z.int(),
  }),
  source: z.object({ id, name: z.string(), used_bp: z.int().nullable() }).nullable(),
  copies: z.int(),
  /** The terms that were approved last; null: never. */
  approved: kept.nullable(),
})
export type CouponWhole = z.output<typeof couponWhole>

const filters = {
  keyword: searched(40).optional(),
  status: state.optional(),
  kind: keysOf<CouponKind>(couponKinds).optional(),
  apply_kind: keysOf<CouponApply>(couponApplies).optional(),
  claim_kind: keysOf<CouponClaim>(couponClaims).optional(),
  bearer: keysOf<CouponBearer>(couponBearers).optional(),
  /** Coupons that name the mall; 0: that name a store outside any mall. */
  mid: z.int().min(0).max(2147483647).optional(),
  store_id: id.optional(),
  created_by: id.optional(),
}
const draft = { id: id.optional(), version: version.optional(), ...written }
const sent = { ...draft, copy_from_id: id.optional(), zero_confirmed: z.boolean().default(false) }
const picked = { ...page, keyword: searched(40).optional() }
const quantity = z.int().min(1).max(COUPON_TOTAL_MAX)

type At = 'coupon/index' | 'ecoupon/index'
const coming = (at: At) => callsOf(at, { touches: ['coupon'], rows: 'coupon' })
const stemOf = (at: At): string => at.replaceAll('/', '.')
const reads = (at: At) => {
  const call = coming(at)
  const stem = stemOf(at)
  const view = `${stem}.view`
  return {
    lst: call.lists('lst', ['优惠券列表', 'Coupons'], {
      filters,
      row: couponRow,
      answer: {
        stat: z.record(z.string(), z.int()),
        cost_cents: open('What coupons take off, no product’s', cents),
      },
      touches: ['coupon', 'coupon_grant'],
    }),
    detail: call.read('detail', ['优惠券', 'Coupon'], {
      input: z.object({ id }),
      output: couponWhole,
      touches: ['coupon', 'coupon_grant'],
      scope: placed('coupon', 'id'),
      permit: view,
    }),
    creators: call.read('creators', ['优惠券负责人', 'Coupon owners'], {
      input: z.object({}),
      output: z.object({ list: z.array(named) }),
      permit: view,
    }),
    /** What a coupon may be for, by its names; who trades no longer is left out. */
    targets: call.read('targets', ['可选适用范围', 'Scopes to choose'], {
      input: z.object({
        ...picked,
        apply_kind: keysOf<CouponApply>(couponApplies),
        city_ids: ids.optional(),
      }),
      output: listOf(named),
      touches: ['store', 'mall', 'product', 'merchant'],
      scope: placed('store'),
      permit: view,
    }),
    members: call.read('members', ['可发放的会员', 'Members to give to'], {
      input: z.object(picked),
      output: listOf(named),
      touches: ['member'],
      scope: placed('member'),
      permit: `${stem}.grant`,
    }),
    orders: call.read('orders', ['可试算的订单', 'Orders to try it on'], {
      input: z.object(picked),
      output: listOf(z.object({ id, order_no: z.string(), store_name: z.string() })),
      touches: ['order'],
      scope: placed('order'),
      permit: view,
    }),
    /** Tries it on an order that was placed, computed as at checkout. */
    simulate: call.read('simulate', ['按订单试算', 'Try it on an order'], {
      method: 'POST',
      input: z.object({ ...written, order_id: id.optional() }),
      output: orderTrial,
      touches: ['order'],
      scope: placed('order', { order_id: 'order' }),
      permit: view,
    }),
  }
}
const drafts = (at: At) => {
  const call = coming(at)
  const owned = placed('coupon', { id: 'coupon', copy_from_id: 'coupon', city_ids: 'city' })
  return {
    saveDraft: call.write('saveDraft', ['保存优惠券草稿', 'Save a draft'], {
      input: z.object(sent),
      output: z.object({ id, version }),
      scope: owned,
    }),
    /** Saves what is written and sends it to be audited. */
    send: call.write('send', ['提交新优惠券', 'Submit a new coupon'], {
      input: z.object(sent),
      output: z.object({ id, version }),
      touches: ['coupon', 'audit_task'],
      scope: owned,
      permit: `${stemOf(at)}.submit`,
    }),
    /** What may change of one that was approved; more than its budget goes back to the audit. */
    edit: call.changes('edit', ['修改优惠券', 'Change a coupon'], {
      fields: {
        total: count,
        per_member: count,
        claim_end_at: unix,
        recommend_text: text(40, 0).default(''),
      },
      answer: { status: state },
      touches: ['coupon', 'audit_task'],
    }),
    submit: call.changes('submit', ['提交审核', 'Submit for audit'], {
      touches: ['coupon', 'audit_task'],
    }),
    withdraw: call.changes('withdraw', ['撤回审核', 'Withdraw from audit'], {
      touches: ['coupon', 'audit_task'],
    }),
    takeOver: call.changes('takeOver', ['接手草稿', 'Take over a draft']),
  }
}
const running = (at: At) => {
  const call = coming(at)
  return {
    pause: call.changes('pause', ['暂停领取', 'Pause a coupon'], { fields: { reason } }),
    resume: call.changes('resume', ['恢复领取', 'Resume a coupon']),
    addStock: call.changes('addStock', ['追加数量', 'Add quantity'], {
      fields: { quantity, reason },
      answer: { status: state },
      touches: ['coupon', 'audit_task'],
    }),
    extend: call.changes('extend', ['延长领取时间', 'Extend claiming'], {
      fields: { claim_end_at: unix },
    }),
    end: call.changes('end', ['结束发放', 'End a coupon'], { fields: { reason } }),
    void: call.changes('void', ['作废优惠券', 'Void a coupon'], {
      fields: { reason, revoke_unused: z.boolean() },
      answer: { revoked: z.int() },
      touches: ['coupon', 'coupon_grant'],
    }),
    grant: call.write('grant', ['定向发放', 'Give to members'], {
      input: z.object({
        id,
        member_ids: z.array(id).min(1).max(200),
        quantity: z.int().min(1).max(100),
        reason: lines(255, 2),
      }),
      output: batchResult,
      touches: ['coupon', 'coupon_grant'],
      scope: placed('coupon', { id: 'coupon', member_ids: 'member' }),
    }),
    batchPause: call.write('batchPause', ['批量暂停', 'Pause coupons'], {
      input: z.object({ ids: z.array(id).min(1).max(100), reason }),
      output: batchResult,
      scope: placed('coupon', 'ids'),
    }),
    export: call.startsExport('export', ['导出优惠券', 'Export coupons'], { filters }),
  }
}
/** The calls of a page of coupons: those of stores, and those of the e-mall, are alike. */
const couponCalls = (at: At) => ({ ...reads(at), ...drafts(at), ...running(at) })
export const storeCoupons = couponCalls('coupon/index')
export const mallCoupons = couponCalls('ecoupon/index')
export type CouponCalls = ReturnType<typeof couponCalls>
/** The calls of a scope. */
export const callsIn = (scope: CouponScope): CouponCalls =>
  scope === 'local' ? storeCoupons : mallCoupons
