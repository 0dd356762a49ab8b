import { z } from 'zod'
import { invoiceNoRule, isInvoiceNo } from '#src/areas/order/order.ts'
import {
  refundStates,
  refundTypes,
  type RefundState,
  type RefundType,
} from '#src/areas/refund/refund.ts'
import { placed, write } from '#src/contract/call.ts'
import {
  cents,
  id,
  keysOf,
  keyText,
  lines,
  open,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'
import { lots, lotsCall } from './lots.ts'
import { orderStatus } from './orderRow.ts'
import { codeDetailCalls, orderCalls, tagCall } from './shared.ts'
import { addressCalls, placeOf, shipCalls, type ShipPage } from './ship.ts'

/** The most orders on one print. */
export const PRINT_MAX = 100
/** The most parcels that an order is split into at once. */
export const PACKAGES_MAX = 10
const one = { id, version }
const reason = lines(255, 2)
const changed = z.object({ ...one, status: orderStatus })
const items = z
  .array(z.object({ id, qty: z.int().min(1).max(9999) }))
  .min(1)
  .max(100)
const refunded = z.object({
  id,
  refund_id: id,
  refund_no: z.string(),
  amount_cents: cents,
  state: keysOf<RefundState>(refundStates),
})

const line = z.object({ title: z.string(), sku: z.string().nullable(), qty: z.int() })
/** What stands on the label of one parcel; without a number the order has not been shipped. */
const waybill = z.object({
  order_id: id,
  order_no: z.string(),
  sender: z
    .object({
      name: z.string(),
      phone: open('Printed on a waybill, and logged as a reveal', z.string()),
      area: z.string(),
      address: open('Printed on a waybill, and logged as a reveal', z.string()),
      customer_no: z.string(),
    })
    .nullable(),
  receiver: z.object({
    name: z.string(),
    phone: open('The sender’s', z.string()),
    area: z.string(),
    address: open('The sender’s', z.string()),
  }),
  courier_name: z.string(),
  tracking_no: z.string(),
  parcel: z.int(),
  parcels: z.int(),
  items: z.array(line),
  remark: z.string(),
})
export type Waybill = z.output<typeof waybill>
/** What is picked for one order. */
const slip = z.object({
  order_id: id,
  order_no: z.string(),
  store_name: z.string(),
  receiver: z.string(),
  area: z.string(),
  paid_at: unix.nullable(),
  promise_at: unix.nullable(),
  items: z.array(line),
  remark: z.string(),
  notes: z.array(z.string()),
})
export type Slip = z.output<typeof slip>

/**
 * What is given back of goods: the chosen units or all that can be. Goods that were sent and need
 * not come back say why; `fault` gives the freight too, for it was the platform's.
 */
const refundCall = (page: ShipPage) => {
  const { path, permit } = placeOf(page)
  return write(`${path}/refund`, ['发起退款', 'Refund'], {
    input: z.object({
      ...one,
      items: lots.optional(),
      amount_cents: cents.min(1).optional(),
      fault: z.boolean().optional(),
      keep: text(120, 2).optional(),
      reason,
    }),
    output: refunded,
    touches: ['order', 'refund'],
    scope: placed('order', 'id'),
    permit: permit('refund'),
  })
}
export const elist = {
  ...orderCalls('elist', '电商订单', 'E-commerce orders'),
  ...lotsCall('elist'),
  ...shipCalls('elist'),
  ...addressCalls('elist'),
  refund: refundCall('elist'),
  /** Once, while it is unpaid. Below zero makes it cheaper. */
  adjustPrice: write('order/elist/adjustPrice', ['改价', 'Change the price'], {
    input: z.object({ ...one, adjust_cents: cents, reason }),
    output: z.object({ ...changed.shape, pay_cents: cents }),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.elist.adjustPrice',
  }),
  /** Several parcels at once: all of them leave, or none. */
  splitShip: write('order/elist/splitShip', ['拆单发货', 'Ship in parcels'], {
    input: z.object({
      ...one,
      packages: z
        .array(z.object({ courier_id: id.optional(), tracking_no: text(60, 4), items }))
        .min(2)
        .max(PACKAGES_MAX),
      anyway: z.boolean().optional(),
    }),
    output: z.object({ ...changed.shape, shipped: z.int() }),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.elist.splitShip',
  }),
  confirmReceive: write('order/elist/confirmReceive', ['确认收货', 'Confirm receipt'], {
    input: z.object({ ...one, reason }),
    output: changed,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.elist.confirmReceive',
  }),
  extendReceive: write('order/elist/extendReceive', ['延长收货', 'Extend receipt period'], {
    input: z.object({ ...one, days: z.int().min(1).max(15), reason }),
    output: z.object({ ...changed.shape, receive_by: unix }),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.elist.extendReceive',
  }),
  ...tagCall('elist'),
  /** Whoever prints sees the receiver in full; each print is on record as such. */
  printWaybill: write('order/elist/printWaybill', ['打印面单', 'Print waybills'], {
    input: z.object({ id }),
    output: z.object({ labels: z.array(waybill) }),
    touches: ['field_key'],
    scope: placed('order', 'id'),
    permit: 'order.elist.printWaybill',
  }),
  batchPrint: write('order/elist/batchPrint', ['批量打印配货单', 'Print picking lists'], {
    input: z.object({ ids: z.array(id).min(1).max(PRINT_MAX) }),
    output: z.object({
      slips: z.array(slip),
      failed: z.array(z.object({ order_no: z.string(), msg: z.string() })),
    }),
    touches: ['field_key'],
    scope: placed('order', 'ids'),
    permit: 'order.elist.batchPrint',
  }),
}

const { path, permit } = placeOf('elist/Detail')
const { ship, editTracking, couriers } = shipCalls('elist/Detail')
const { queryPay } = codeDetailCalls('elist')
export const elistDetail = {
  couriers,
  ship,
  editTracking,
  ...addressCalls('elist/Detail'),
  refund: refundCall('elist/Detail'),
  queryPay: { ...queryPay, path: `${path}/queryPay`, permit: permit('queryPay') },
  /**
   * Asks the couriers where the order's parcels are. Where one is silent, its last trace stays,
   * with its time.
   */
  refreshTrack: write(`${path}/refreshTrack`, ['刷新物流', 'Refresh tracking'], {
    input: z.object({ id }),
    output: z.object({ id, asked: z.int(), heard: z.int(), fault: z.string().nullable() }),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('refreshTrack'),
    quiet: true,
    apart: true,
  }),
  /** A case opened for the buyer, which goes the way of every case. */
  createAfterSale: write(`${path}/createAfterSale`, ['代客申请售后', 'Open a case for the buyer'], {
    input: z.object({
      ...one,
      item_id: id,
      qty: z.int().min(1).max(9999),
      type: keysOf<RefundType>(refundTypes),
      reason_code: text(32),
      reason,
      images: z.array(keyText(255)).max(9).optional(),
    }),
    output: refunded,
    touches: ['order', 'refund'],
    scope: placed('order', 'id'),
    permit: permit('createAfterSale'),
  }),
  /**
   * The number of the invoice that the buyer asked for, as it was issued: of what was paid and did
   * not go back.
   */
  invoice: write(`${path}/invoice`, ['登记开票', 'Enter the invoice'], {
    input: z.object({
      ...one,
      no: text(40, 8).refine(isInvoiceNo, { message: joined(invoiceNoRule) }),
    }),
    output: z.object({ ...changed.shape, amount_cents: cents }),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('invoice'),
  }),
  /** The same goods once more, free of charge: an order of 0 cents, once an item. */
  reissue: write(`${path}/reissue`, ['补发', 'Reship'], {
    input: z.object({ ...one, items, reason }),
    output: z.object({ ...changed.shape, order_id: id, order_no: z.string() }),
    touches: ['order', 'refund'],
    scope: placed('order', 'id'),
    permit: permit('reissue'),
  }),
}
