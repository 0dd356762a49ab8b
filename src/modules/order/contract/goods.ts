import { z } from 'zod'
import { refundStates, type RefundState } from '#src/areas/refund/refund.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  batchResult,
  callable,
  cents,
  guarded,
  id,
  lines,
  listOf,
  mobile,
  open,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { lots, lotsCall } from './lots.ts'
import { orderStatus, storeStatus } from './orderRow.ts'
import { BATCH_MAX, orderCalls } from './shared.ts'

const one = { id, version }
const reason = lines(255, 2)
const changed = z.object({ id, status: orderStatus, version })
const qty = z.int().min(1).max(9999)
const state = z.enum(Object.keys(refundStates) as [RefundState])
const refunded = z.object({ id, refund_id: id, refund_no: z.string(), amount_cents: cents, state })
const permit = (verb: string) => `order.goods.${verb}`
const { refund: _, ...shared } = orderCalls('goods', '门店商品订单', 'Store goods orders')

export const goods = {
  ...shared,
  ...lotsCall('goods'),
  /**
   * Chosen items of an order, so many units of a single one, or all that is left: at once until the
   * goods are ready, from then on after the store's answer.
   */
  refund: write('order/goods/refund', ['发起退款', 'Refund'], {
    input: z.object({ ...one, items: lots.optional(), qty: qty.optional(), reason }),
    output: refunded,
    touches: ['order', 'refund'],
    scope: placed('order', 'id'),
    permit: permit('refund'),
  }),
  confirmReady: write('order/goods/confirmReady', ['备货完成', 'Ready'], {
    input: z.object(one),
    output: changed,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('confirmReady'),
  }),
  dispatch: write('order/goods/dispatch', ['门店配送出发', 'Start delivery'], {
    input: z.object({ ...one, rider: text(32, 2), phone: mobile }),
    output: changed,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('dispatch'),
  }),
  /** The code as scanned or typed. */
  confirmPickup: write('order/goods/confirmPickup', ['确认自提', 'Picked up'], {
    input: z.object({ ...one, code: text(40) }),
    output: z.object({ id, record_id: id, units: z.int() }),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('confirmPickup'),
  }),
  changeStore: write('order/goods/changeStore', ['改派门店', 'Reassign to another store'], {
    input: z.object({ ...one, store_id: id, reason }),
    output: changed,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('changeStore'),
  }),
  changeTime: write('order/goods/changeTime', ['修改提货时间', 'Change pick-up time'], {
    input: z.object({ ...one, time: unix, reason }),
    output: changed,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('changeTime'),
  }),
  remind: write('order/goods/remind', ['催促门店', 'Urge the store'], {
    input: z.object({ id }),
    output: z.object({ id, reminded_at: unix }),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('remind'),
  }),
  batchRemind: write('order/goods/batchRemind', ['批量催促', 'Urge several'], {
    input: z.object({ ids: z.array(id).min(1).max(BATCH_MAX) }),
    output: batchResult,
    touches: ['order'],
    scope: placed('order', 'ids'),
    permit: permit('batchRemind'),
  }),
  /**
   * Other stores of the merchant that sell the goods of an order, with what they have free of the
   * scarcest and how far the receiver is.
   */
  otherStores: read('order/goods/otherStores', ['可改派的门店', 'Stores that could take it over'], {
    input: z.object({ order_id: id, keyword: searched(60).optional(), ...page }),
    output: listOf(
      z.object({ id, name: z.string(), free: z.int(), distance_m: z.int().nullable() }),
    ),
    touches: ['order'],
    scope: placed('store', { order_id: 'order' }),
    permit: permit('view'),
  }),
}

/** What a store packs by. */
const slip = z.object({
  id,
  order_no: z.string(),
  way: z.enum(['pickup', 'store_delivery']),
  store_name: z.string(),
  promise_at: unix.nullable(),
  remark: z.string(),
  member_name: z.string(),
  phone: guarded('member.phone', z.string()),
  printed: z.int(),
  receiver: z
    .object({
      name: guarded('order.receiver_name', z.string()),
      phone: guarded('member.phone', z.string()),
      area: z.string(),
      address: guarded('order.receiver_address', z.string()),
    })
    .nullable(),
  items: z.array(z.object({ title: z.string(), sku: z.string().nullable(), qty: z.int() })),
})
export type Slip = z.output<typeof slip>

export const goodsDetail = {
  /**
   * Where the order stands between store and buyer: what the store has of it now, how far it is,
   * and when the clock acts.
   */
  progress: read('order/goods/detail/progress', ['履约进度', 'How far it is'], {
    input: z.object({ id }),
    output: z.object({
      store: z.object({
        name: z.string(),
        phone: guarded('store.phone', z.string()),
        address: open('A shop’s', z.string()),
        open_hours: z.string(),
        status: storeStatus,
        radius_m: z.int().nullable(),
      }),
      distance_m: z.int().nullable(),
      rider: z
        .object({ name: z.string(), phone: open('The rider’s, who is to be called', z.string()) })
        .nullable(),
      dispatched_at: unix.nullable(),
      reminded_at: unix.nullable(),
      picked_up_at: unix.nullable(),
      delivered_at: unix.nullable(),
      warn_at: unix.nullable(),
      refund_at: unix.nullable(),
      items: z.array(
        z.object({ id, free: z.int().nullable(), refundable: z.int(), left_cents: cents }),
      ),
      open_refund: z
        .object({
          id,
          refund_no: z.string(),
          amount_cents: cents,
          state,
          deadline_at: unix,
          intervened: z.boolean(),
          reason: z.string(),
          version,
        })
        .nullable(),
    }),
    touches: ['order', 'refund'],
    scope: placed('order', 'id'),
    permit: permit('detail.view'),
  }),
  /** Chosen items with so many units each, or all that is left. */
  refund: write('order/goods/detail/refund', ['发起退款', 'Refund'], {
    input: z.object({
      ...one,
      items: z.array(z.object({ id, qty })).min(1).max(50).optional(),
      reason,
    }),
    output: refunded,
    touches: ['order', 'refund'],
    scope: placed('order', 'id'),
    permit: permit('detail.refund'),
  }),
  /** What the store did not answer in time. */
  decideRefund: write('order/goods/detail/decideRefund', ['平台裁决退款', 'Decide the refund'], {
    input: z.object({ ...one, agree: z.boolean(), reason }),
    output: refunded,
    touches: ['order', 'refund'],
    scope: placed('order', 'id'),
    permit: permit('detail.decideRefund'),
  }),
  confirmDelivered: write('order/goods/detail/confirmDelivered', ['确认送达', 'Delivered'], {
    input: z.object(one),
    output: changed,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('detail.confirmDelivered'),
  }),
  /**
   * What is said changes, the rest stays. Another address comes with its place on the map, in
   * 1/1000000 degree.
   */
  editReceiver: write('order/goods/detail/editReceiver', ['修改收货信息', 'Edit recipient'], {
    input: z.object({
      ...one,
      name: text(32, 2).optional(),
      phone: callable.optional(),
      area: text(64, 2).optional(),
      address: text(128, 4).optional(),
      lng_e6: z.int().min(73_000_000).max(136_000_000).optional(),
      lat_e6: z.int().min(3_000_000).max(54_000_000).optional(),
      reason,
    }),
    output: changed,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('detail.editReceiver'),
  }),
  printSlip: write('order/goods/detail/printSlip', ['打印备货单', 'Print picking slip'], {
    input: z.object({ id }),
    output: slip,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('detail.printSlip'),
  }),
}
