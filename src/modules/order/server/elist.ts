import { and, desc, eq, ne } from 'drizzle-orm'
import { reasonTypeOf } from '#src/areas/afterSalePolicy/reason.ts'
import { needReason } from '#src/areas/afterSalePolicy/reasons.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { rulesNow, type Order, type OrderItem } from '#src/areas/order/orderFacts.server.ts'
import { orderCan } from '#src/areas/order/orderVerbs.ts'
import { adjustPrice } from '#src/areas/order/price.server.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { divisions } from '#src/areas/place/divisions.ts'
import { approveRefund } from '#src/areas/refund/refundCases.server.ts'
import type { Refund } from '#src/areas/refund/refundFacts.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { extendReceive, receive, toShip } from '#src/areas/shipping/shipping.server.ts'
import { trackParcel } from '#src/areas/shipping/tracking.server.ts'
import { joined, say, type Text } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { missing, Refusal, ruled } from '#src/server/call/refuse.ts'
import { elist, elistDetail, type Slip, type Waybill } from '../contract/elist.ts'
import { codeDetailHandlers } from './codes.ts'
import { exportOrders } from './exportOrders.ts'
import { findOrder, heldOrder, logged, staffActor } from './held.ts'
import { enterInvoice } from './invoice.ts'
import { lotsHandler, unitsOf } from './lots.ts'
import { refundBy } from './refundBy.ts'
import { orderHandlers } from './shared.ts'
import { addressHandlers, sendParcels, shipHandlers } from './ship.ts'
import { tagHandler } from './tags.ts'

const kinds = ['elist'] as const
const NOTES = 3
exportOrders('elist', kinds, ['电商订单', 'E-commerce orders'])

const itemsOf = (tx: Db, order_id: number): Promise<OrderItem[]> =>
  tx.select().from(order_item).where(eq(order_item.order_id, order_id)).orderBy(order_item.id)
const answer = (row: Order) => ({ id: row.id, status: row.status, version: row.version })
const refundAnswer = (id: number, made: Refund) => ({
  id,
  refund_id: made.id,
  refund_no: made.refund_no,
  amount_cents: made.amount_cents,
  state: made.state,
})
const lineOf = (item: OrderItem, qty: number) => ({
  title: item.title,
  sku: (item.snapshot['sku'] as string | undefined) ?? null,
  qty,
})

const refund: Handler<typeof elist.refund> = async (
  { id, version, items, amount_cents, fault, keep, reason },
  context,
) => {
  const row = await heldOrder(context.tx, kinds, { id, version }, context.staff)
  const made = await refundBy(context, row, {
    items: await unitsOf(context.tx, row, items),
    amount_cents,
    keep,
    reason,
    ...(fault && { freight: true }),
  })
  return refundAnswer(id, made)
}

/** The labels of an order: one a parcel, or one without a number while nothing has left. */
const labelsOf = async (tx: Db, row: Order): Promise<Waybill[]> => {
  const { rules } = await rulesNow(tx, row.kind)
  const items = await itemsOf(tx, row.id)
  const parcels = await tx
    .select({ one: shipment, name: courier.name, account_no: courier.account_no })
    .from(shipment)
    .leftJoin(courier, eq(courier.code, shipment.courier))
    .where(and(eq(shipment.order_id, row.id), ne(shipment.state, 'void')))
    .orderBy(shipment.id)
  const label = (
    by: { name: string; account_no: string },
    tracking_no: string,
    own: Waybill['items'],
    at: number,
  ): Waybill => {
    // The account that this courier bills, else the usual sender.
    const sender =
      rules.senders.find(one => one.courier === by.name) ??
      rules.senders.find(one => one.is_default)
    return {
      order_id: row.id,
      order_no: row.order_no,
      sender: sender
        ? {
            name: sender.name,
            phone: sender.phone,
            area: divisions.get(sender.area)?.city_name ?? sender.area,
            address: sender.address,
            customer_no: (sender.courier === by.name && sender.customer_no) || by.account_no,
          }
        : null,
      receiver: row.receiver!,
      courier_name: by.name,
      tracking_no,
      parcel: at + 1,
      parcels: Math.max(1, parcels.length),
      items: own,
      remark: row.remark,
    }
  }
  if (parcels.length === 0)
    return [
      label(
        { name: '', account_no: '' },
        '',
        items.filter(item => toShip(item) > 0).map(item => lineOf(item, toShip(item))),
        0,
      ),
    ]
  return parcels.map(({ one, name, account_no }, at) =>
    label(
      { name: name ?? one.courier, account_no: account_no ?? '' },
      one.tracking_no,
      one.items.flatMap(part => {
        const item = items.find(each => each.id === part.item_id)
        return item ? [lineOf(item, part.qty)] : []
      }),
      at,
    ),
  )
}
const mayPrint = (row: Order) => {
  const may = orderCan('print', row)
  if (may !== true) throw ruled('not_printable', may)
  if (!row.receiver) throw ruled('no_receiver', ['订单没有收货信息', 'It has no receiver'])
}
const slipOf = async (tx: Db, row: Order): Promise<Slip> => {
  mayPrint(row)
  const items = (await itemsOf(tx, row.id)).filter(item => toShip(item) > 0)
  if (items.length === 0)
    throw ruled('nothing_to_ship', [
      '没有可发的商品：已发出或退款中',
      'Nothing to ship: it was sent, or is in refund',
    ])
  const [at] = await tx.select({ name: store.name }).from(store).where(eq(store.id, row.store_id))
  const notes = await tx
    .select({ memo: order_log.memo })
    .from(order_log)
    .where(and(eq(order_log.order_id, row.id), eq(order_log.event, 'remark')))
    .orderBy(desc(order_log.id))
    .limit(NOTES)
  return {
    order_id: row.id,
    order_no: row.order_no,
    store_name: at?.name ?? '',
    receiver: row.receiver!.name,
    area: row.receiver!.area,
    paid_at: row.paid_at,
    promise_at: row.promise_at,
    items: items.map(item => lineOf(item, toShip(item))),
    remark: row.remark,
    notes: notes.map(one => one.memo),
  }
}
const printed = ({ log }: WriteContext, row: Order, what: Text) =>
  log({
    ...logged(row),
    action: 'reveal',
    after: { field: 'order.receiver_address', print: joined(what) },
  })

const ground = orderHandlers('elist', kinds)
const parcels = shipHandlers(kinds)
export const elistServer = implement(elist, {
  ...ground,
  ...lotsHandler(kinds),
  ...parcels,
  ...addressHandlers(kinds),
  refund,
  adjustPrice: async ({ adjust_cents, reason, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const after = await adjustPrice(tx, {
      order_id: row.id,
      adjust_cents,
      actor: staffActor(staff),
      reason,
      now,
    })
    log({
      ...logged(row),
      before: { pay_cents: row.pay_cents },
      after: { pay_cents: after.pay_cents },
      reason,
    })
    return { ...answer(after), pay_cents: after.pay_cents }
  },
  splitShip: async ({ packages, anyway, ...one }, context) => {
    const row = await heldOrder(context.tx, kinds, one, context.staff)
    const after = await sendParcels(context, row, packages, anyway ?? false)
    return { ...answer(after), shipped: packages.length }
  },
  confirmReceive: async ({ reason, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const after = await receive(tx, { order_id: row.id, actor: staffActor(staff), reason, now })
    log({ ...logged(row), before: { status: row.status }, after: { status: after.status }, reason })
    return answer(after)
  },
  extendReceive: async ({ days, reason, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const after = await extendReceive(tx, {
      order_id: row.id,
      days,
      actor: staffActor(staff),
      reason,
      now,
    })
    log({
      ...logged(row),
      before: { receive_by: row.receive_by },
      after: { receive_by: after.receive_by },
      reason,
    })
    return { ...answer(after), receive_by: after.receive_by! }
  },
  ...tagHandler(kinds),
  printWaybill: async ({ id }, context) => {
    const row = await findOrder(context.tx, kinds, id, context.staff)
    mayPrint(row)
    const labels = await labelsOf(context.tx, row)
    printed(context, row, ['面单', 'Waybill'])
    return { labels }
  },
  batchPrint: async ({ ids }, context) => {
    const slips: Slip[] = []
    const failed: { order_no: string; msg: string }[] = []
    for (const id of new Set(ids)) {
      const row = await findOrder(context.tx, kinds, id, context.staff)
      try {
        slips.push(await slipOf(context.tx, row))
        printed(context, row, ['配货单', 'Packing slip'])
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        failed.push({ order_no: row.order_no, msg: error.in(context.staff.lang) })
      }
    }
    return { slips, failed }
  },
})

const { queryPay } = codeDetailHandlers(kinds)
export const elistDetailServer = implement(elistDetail, {
  couriers: parcels.couriers,
  ship: parcels.ship,
  editTracking: parcels.editTracking,
  ...addressHandlers(kinds),
  refund,
  queryPay,
  // Each courier is asked outside any transaction.
  refreshTrack: async ({ id }, { tx, staff, now, install }) => {
    const row = await findOrder(tx, kinds, id, staff)
    const open = await tx
      .select()
      .from(shipment)
      .where(and(eq(shipment.order_id, id), ne(shipment.state, 'void')))
      .orderBy(shipment.id)
    if (open.length === 0) throw ruled('no_parcels', ['还没有发出包裹', 'No parcels shipped yet'])
    const asking = { db: tx, channel: install.track, now }
    const faults = await Promise.all(open.map(one => trackParcel(asking, one, row.receiver?.phone)))
    const fault = faults.find(one => one !== null)
    return {
      id,
      asked: open.length,
      heard: faults.filter(one => one === null).length,
      fault: fault ? say(fault, staff.lang) : null,
    }
  },
  createAfterSale: async (
    { item_id, qty, type, reason_code, reason, images, ...one },
    { tx, staff, now, log, request_id },
  ) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const item = (await itemsOf(tx, row.id)).find(each => each.id === item_id)
    if (!item) throw missing()
    if (type !== 'refund_only' && item.shipped_qty === 0)
      throw ruled(
        'not_shipped',
        ['「{title}」还没有发出，请选择“仅退款”', '“{title}” has not been sent: refund it only'],
        { title: item.title },
      )
    await needReason(tx, staff, {
      type: reasonTypeOf(type),
      code: reason_code,
      pictures: images?.length ?? 0,
    })
    const made = await openRefund(tx, {
      order_id: row.id,
      wanted: { items: [{ id: item_id, qty }] },
      type,
      source: 'staff',
      reason_code,
      reason,
      ...(images && { images }),
      actor: staffActor(staff),
      idem_key: `${request_id}:${row.id}`,
      now,
    })
    log({
      ...logged(row),
      before: { refund_state: row.refund_state },
      after: {
        refund_no: made.refund_no,
        amount_cents: made.amount_cents,
        refund_status: made.state,
      },
      reason,
    })
    return refundAnswer(row.id, made)
  },
  invoice: (input, context) => enterInvoice(context, kinds, input),
  reissue: async ({ items, reason, ...one }, { tx, staff, now, log, request_id }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const own = await itemsOf(tx, row.id)
    const unsent = items
      .map(({ id, qty }) => ({ qty, item: own.find(each => each.id === id) }))
      .find(({ qty, item }) => item && item.shipped_qty < qty)
    if (unsent)
      throw ruled(
        'not_shipped',
        [
          '「{title}」还没有发出，不需要补发',
          '“{title}” has not been sent: nothing is to be sent again',
        ],
        { title: unsent.item!.title },
      )
    const asked = await openRefund(tx, {
      order_id: row.id,
      wanted: { items },
      type: 'resend',
      source: 'staff',
      reason,
      actor: staffActor(staff),
      idem_key: `${request_id}:${row.id}`,
      now,
    })
    await approveRefund(tx, {
      id: asked.id,
      version: asked.version,
      by: { id: staff.id, limit_cents: staff.refund_limit_cents },
      now,
    })
    const [made] = await tx
      .select({ id: order.id, order_no: order.order_no })
      .from(order)
      .where(and(eq(order.reissue_of, row.id), eq(order.sub_kind, 'reissue')))
      .orderBy(desc(order.id))
      .limit(1)
    log({
      ...logged(row),
      after: { reissue_no: made!.order_no, refund_no: asked.refund_no },
      reason,
    })
    return {
      ...answer(await findOrder(tx, kinds, row.id, staff)),
      order_id: made!.id,
      order_no: made!.order_no,
    }
  },
})
