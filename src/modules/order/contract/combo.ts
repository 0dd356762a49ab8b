import { z } from 'zod'
import { comboPolicies, type ComboPolicy } from '#src/areas/combo/combo.ts'
import {
  codeStates,
  itemWays,
  orderStatuses,
  shipmentStates,
  type CodeState,
  type ItemWay,
  type OrderStatus,
  type ShipmentState,
} from '#src/areas/order/order.ts'
import { refundStates, type RefundState } from '#src/areas/refund/refund.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  lines,
  listOf,
  page,
  searched,
  settled,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { orderStatus } from './orderRow.ts'
import { codeCalls, codeDetailCalls, orderCalls } from './shared.ts'
import { shipCalls } from './ship.ts'

const comboPolicy = keysOf<ComboPolicy>(comboPolicies)
const pair = z.tuple([z.string(), z.string()])
const reason = lines(255, 2)
const one = { id, version }
const refunded = z.object({
  id,
  refund_id: id,
  refund_no: z.string(),
  amount_cents: cents,
  state: keysOf<RefundState>(refundStates),
})
const touches = ['order', 'refund'] as const
/** Against the policy of the bundle: a second person must agree. */
const override = z.boolean().default(false)
const items = z.array(id).min(1).max(50)

/** A part as a lane: whose it is, how far it is, what it is worth and what its store gets of it. */
export const lane = z.object({
  item_id: id,
  product_id: id,
  title: z.string(),
  sku: z.string().nullable(),
  image: z.string().nullable(),
  way: keysOf<ItemWay>(itemWays),
  store_id: id,
  store_name: z.string(),
  merchant_name: z.string(),
  /** Its store shut for good, or its merchant stopped. */ closed: z.boolean(),
  qty: z.int(),
  units: z.int(),
  used: z.int(),
  refunding: z.int(),
  refunded: z.int(),
  left: z.int(),
  status: keysOf<OrderStatus>(orderStatuses),
  price_cents: cents,
  share_cents: cents,
  platform_cents: cents,
  saving_cents: cents,
  used_cents: cents,
  refunded_cents: cents,
  settled_cents: settled,
  /** What it settles when all of it is used. */ settle_cents: settled,
  codes: z.array(
    z.object({
      id,
      tail: z.string(),
      code: guarded('order.code', z.string()),
      state: keysOf<CodeState>(codeStates),
      valid_until: unix,
    }),
  ),
  parcels: z.array(
    z.object({
      id,
      courier: z.string(),
      tracking_no: z.string(),
      state: keysOf<ShipmentState>(shipmentStates),
      last: z.string().nullable(),
      at: unix,
    }),
  ),
  replaced: z.object({ title: z.string(), price_cents: cents }).nullable(),
  /** Until when received goods may be asked back. */
  after_sale_until: unix.nullable(),
})
export type Lane = z.output<typeof lane>
const comboFile = z.object({
  name: z.string(),
  policy: comboPolicy,
  price_cents: cents,
  single_cents: cents,
  saving_cents: cents,
  freight_cents: cents,
  lanes: z.array(lane),
  /**
   * What could be given back now at the shares, and if what was used were paid at its single price;
   * why not all of it without an exception.
   */
  figures: z.object({ amount_cents: cents, used_cents: cents, single_cents: cents }),
  refused: pair.nullable(),
  /** Cases of it that are not decided. */
  open: z.array(
    z.object({
      id,
      refund_no: z.string(),
      state: keysOf<RefundState>(refundStates),
      amount_cents: cents,
      override: z.boolean(),
    }),
  ),
})
export type ComboFile = z.output<typeof comboFile>

export const combo = {
  ...orderCalls('combo', '组合套餐订单', 'Combo orders'),
  ...(({ extendValidity, resendCode }) => ({ extendValidity, resendCode }))(codeCalls('combo')),
  ...(({ couriers, ship }) => ({ couriers, ship }))(shipCalls('combo')),
  /** Its parts, each as a lane. */
  lanes: read('order/combo/lanes', ['组合子项', 'Parts of a bundle'], {
    input: z.object({ id }),
    output: comboFile,
    touches: [...touches],
    scope: placed('order', 'id'),
    permit: 'order.combo.view',
  }),
  /** Bundles, to filter by. */
  bundles: read('order/combo/bundles', ['可选组合', 'Bundles to choose'], {
    input: z.object({ keyword: searched(60).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: [],
    scope: 'all',
    permit: 'order.combo.view',
  }),
  /** Parts of an order that can be given back, or sent, to choose from. */
  parts: read('order/combo/parts', ['可选子项', 'Parts to choose'], {
    input: z.object({ order_id: id, keyword: searched(60).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string(), store_name: z.string(), share_cents: cents })),
    touches: [...touches],
    scope: placed('order', { order_id: 'order' }),
    permit: 'order.combo.view',
  }),
  /** Parts at their shares; all that is left without a choice. */
  refund: write('order/combo/refund', ['发起退款', 'Refund'], {
    input: z.object({ ...one, parts: items.optional(), override, reason }),
    output: refunded,
    touches: [...touches],
    scope: placed('order', 'id'),
    permit: 'order.combo.refund',
  }),
}
const { verifyForStore, reverseVerify } = codeDetailCalls('combo')
export const comboDetail = {
  verifyForStore,
  reverseVerify,
  ...(({ couriers, ship }) => ({ couriers, ship }))(shipCalls('combo/detail')),
  refund: write('order/combo/detail/refund', ['退所选部分', 'Refund selected parts'], {
    input: z.object({ ...one, items, override, reason }),
    output: refunded,
    touches: [...touches],
    scope: placed('order', 'id'),
    permit: 'order.combo.detail.refund',
  }),
  /**
   * All that is neither used nor sent: of an order with a part used, a second person must agree.
   */
  refundAll: write('order/combo/detail/refundAll', ['整单退款', 'Refund all'], {
    input: z.object({ ...one, reason }),
    output: refunded,
    touches: [...touches],
    scope: placed('order', 'id'),
    permit: 'order.combo.detail.refundAll',
  }),
  /** Products that a part may become. */
  replacements: read('order/combo/detail/replacements', ['可更换商品', 'Replacements'], {
    input: z.object({
      order_id: id,
      item_id: id.optional(),
      keyword: searched(60).optional(),
      ...page,
    }),
    output: listOf(
      z.object({ id, name: z.string(), merchant_name: z.string(), price_cents: cents }),
    ),
    touches: [],
    scope: placed('product', { order_id: 'order' }),
    permit: 'order.combo.detail.replacePart',
  }),
  replacePart: write('order/combo/detail/replacePart', ['更换子项', 'Replace a part'], {
    input: z.object({ ...one, item_id: id, product_id: id, reason }),
    output: z.object({ id, status: orderStatus, version, before: z.string(), after: z.string() }),
    touches: ['order', 'product'],
    scope: placed('order', 'id'),
    permit: 'order.combo.detail.replacePart',
  }),
}
