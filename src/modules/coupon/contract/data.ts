import { z } from 'zod'
import { couponGrantKinds, couponPieces } from '#src/areas/coupon/couponWords.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  open,
  page,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

const status = keysOf(couponPieces)
const kind = keysOf(couponGrantKinds)
export const grantRow = z.object({
  id,
  coupon_id: id,
  code: guarded('order.code', z.string()),
  member_id: id,
  member_name: z.string(),
  grant_kind: kind,
  status,
  start_at: unix,
  end_at: unix,
  order_no: z.string(),
  store_name: z.string(),
  discount_cents: cents.nullable(),
  used_at: unix.nullable(),
  reason: z.string(),
  created_at: unix,
  version,
})
export type GrantRow = z.output<typeof grantRow>
const counted = z.object({
  name: z.string(),
  claimed: z.int(),
  used: z.int(),
  cost_cents: open('What coupons take off, no product’s', cents),
})
const figures = z.object({
  coupon_id: id,
  name: z.string(),
  scope: z.enum(['local', 'ecom']),
  total: z.int(),
  /** How the pieces stand; they sum to what was claimed. */
  claimed: z.int(),
  pieces: z.record(status, z.int()),
  /** The orders that were paid with it, what they came to and what it took off them. */
  orders: z.int(),
  gmv_cents: guarded('stat.gmv_cents', cents),
  cost_cents: open('What coupons take off, no product’s', cents),
  platform_cents: cents,
  merchant_cents: cents,
  /** Buyers for whom it was the first order that they paid. */
  new_buyers: z.int(),
  by_kind: z.array(counted),
  by_mall: z.array(counted),
  by_store: z.array(counted),
  /** By where the order came from. */ by_channel: z.array(counted),
  by_day: z.array(z.object({ day: unix, claimed: z.int(), used: z.int() })),
})
export type CouponFigures = z.output<typeof figures>
const filters = { coupon_id: id, status: status.optional(), grant_kind: kind.optional() }
const call = callsOf('coupon/index/data', {
  touches: ['coupon', 'coupon_grant'],
  rows: 'coupon_grant',
})
const ids = z.array(id).min(1).max(100)
const batch = { output: batchResult, scope: placed('coupon_grant', 'ids') }

/** The record of a coupon: its pieces, one by one and in figures. */
export const couponData = {
  lst: call.lists('lst', ['领用明细', 'Claims of a coupon'], {
    filters,
    row: grantRow,
    answer: { stat: z.record(z.string(), z.int()) },
    scope: placed('coupon_grant', { coupon_id: 'coupon' }),
  }),
  figures: call.read('figures', ['优惠券数据', 'Coupon data'], {
    input: z.object({ coupon_id: id }),
    output: figures,
    scope: placed('coupon', { coupon_id: 'coupon' }),
    permit: 'coupon.index.data.view',
  }),
  others: call.read('others', ['可对比的优惠券', 'Coupons to compare with'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(z.object({ id, name: z.string(), coupon_no: z.string() })),
    scope: placed('coupon'),
    permit: 'coupon.index.data.view',
  }),
  revoke: call.write('revoke', ['收回未使用券', 'Take back unused coupons'], {
    input: z.object({ ids, reason }),
    ...batch,
  }),
  unlock: call.changes('unlock', ['解除锁定', 'Release a coupon'], { fields: { reason } }),
  extendGrants: call.write('extendGrants', ['延长已领券有效期', 'Extend claimed coupons'], {
    input: z.object({ ids, days: z.int().min(1).max(30), reason }),
    ...batch,
  }),
  export: call.startsExport('export', ['导出领用明细', 'Export claims'], {
    filters,
    scope: placed('coupon_grant', { coupon_id: 'coupon' }),
  }),
}
