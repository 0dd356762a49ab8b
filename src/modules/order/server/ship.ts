import { and, eq, ne } from 'drizzle-orm'
import { order_item } from '#src/areas/order/order.table.ts'
import type { OrderKind, Receiver } from '#src/areas/order/order.ts'
import { recount, rulesOf, type Order } from '#src/areas/order/orderFacts.server.ts'
import { productOf } from '#src/areas/order/orderUnits.ts'
import { orderCan } from '#src/areas/order/orderVerbs.ts'
import { regionOf } from '#src/areas/place/regions.server.ts'
import { freightFor } from '#src/areas/shipping/freight.server.ts'
import { cityOfAddress } from '#src/areas/shipping/freight.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import {
  couriersOn,
  editTracking,
  parcelBy,
  sameTracking,
  ship,
  type Courier,
} from '#src/areas/shipping/shipping.server.ts'
import { yuan } from '#src/domain/money.ts'
import { callableFault } from '#src/domain/phone.ts'
import { joined, say, type Text } from '#src/domain/text.ts'
import type { Db, Handler, WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, Refusal, ruled } from '#src/server/call/refuse.ts'
import { parseFile } from '#src/server/files/parsing.ts'
import type { AddressCalls, ShipCalls } from '../contract/ship.ts'
import { heldOrder, logged, staffActor } from './held.ts'
import { sheetAnswer } from './shipSheet.ts'

/** A parcel's number and courier, or a refusal at the number. */
const parcelOf = async (
  tx: Db,
  of: { courier_id?: number | undefined; tracking_no: string },
): Promise<{ courier: Courier; tracking_no: string }> => {
  const parcel = parcelBy(of.tracking_no, { id: of.courier_id }, await couriersOn(tx))
  if ('fault' in parcel) throw ruled('tracking', parcel.fault)
  return parcel
}
const refuseShared = async (tx: Db, tracking_no: string, order_id: number) => {
  const [other] = await sameTracking(tx, tracking_no, order_id)
  if (other)
    throw ruled(
      'same_tracking',
      [
        '单号 {no} 已用于在途订单 {order}；确实同一包裹请再按一次',
        '{no} is the number of order {order}, which is on its way; if it is the same parcel, do it once more',
      ],
      { no: tracking_no, order: other.order_no },
    )
}
type Parcel = {
  courier: Courier
  tracking_no: string
  items?: readonly { id: number; qty: number }[] | undefined
}
const send = async (
  { tx, staff, now, log }: WriteContext,
  row: Order,
  { courier, tracking_no, items }: Parcel,
) => {
  const sent = await ship(tx, {
    order_id: row.id,
    courier: courier.code,
    tracking_no,
    items,
    actor: staffActor(staff),
    now,
  })
  log({
    ...logged(row),
    before: { status: row.status },
    after: { status: sent.order.status, tracking_no: `${courier.name} ${tracking_no}` },
  })
  return sent
}

/** Several parcels at once, each with what goes into it: all of them leave, or none. */
export const sendParcels = async (
  context: WriteContext,
  row: Order,
  packages: readonly {
    courier_id?: number | undefined
    tracking_no: string
    items: readonly { id: number; qty: number }[]
  }[],
  anyway: boolean,
): Promise<Order> => {
  const wanted: Parcel[] = []
  for (const { items, ...one } of packages)
    wanted.push({ ...(await parcelOf(context.tx, one)), items })
  const twice = wanted.find(
    ({ tracking_no }, at) => wanted.findIndex(each => each.tracking_no === tracking_no) !== at,
  )
  if (twice)
    throw ruled(
      'tracking',
      ['两个包裹用了同一个单号 {no}', 'Two parcels have the same number, {no}'],
      { no: twice.tracking_no },
    )
  if (!anyway)
    for (const { tracking_no } of wanted) await refuseShared(context.tx, tracking_no, row.id)
  let after = row
  for (const parcel of wanted) after = (await send(context, after, parcel)).order
  return after
}

/** The handlers of `shipCalls` for orders of these kinds; a page takes those it has. */
export const shipHandlers = (kinds: readonly OrderKind[]) =>
  ({
    couriers: async (_, { db }) => ({ list: await couriersOn(db) }),
    ship: async ({ courier_id, tracking_no, items, anyway, ...one }, context) => {
      const row = await heldOrder(context.tx, kinds, one, context.staff)
      const parcel = await parcelOf(context.tx, { courier_id, tracking_no })
      if (!anyway) await refuseShared(context.tx, parcel.tracking_no, row.id)
      const { order: after, shipment: made } = await send(context, row, { ...parcel, items })
      return {
        id: row.id,
        status: after.status,
        version: after.version,
        shipment_id: made.id,
        courier_name: parcel.courier.name,
        tracking_no: parcel.tracking_no,
      }
    },
    editTracking: async (
      { id, shipment_id, version, courier_id, tracking_no, reason, anyway },
      { tx, staff, now, log },
    ) => {
      const row = await heldOrder(tx, kinds, { id }, staff)
      const [known] = await tx
        .select()
        .from(shipment)
        .where(
          and(eq(shipment.id, shipment_id), eq(shipment.order_id, id), ne(shipment.state, 'void')),
        )
      if (!known) throw missing()
      const parcel = await parcelOf(tx, { courier_id, tracking_no })
      if (!anyway) await refuseShared(tx, parcel.tracking_no, id)
      const { order: after, shipment: made } = await editTracking(tx, {
        shipment_id,
        version,
        courier: parcel.courier.code,
        tracking_no: parcel.tracking_no,
        actor: staffActor(staff),
        reason,
        now,
      })
      log({
        ...logged(row),
        before: { tracking_no: `${known.courier} ${known.tracking_no}` },
        after: { tracking_no: `${parcel.courier.name} ${parcel.tracking_no}` },
        reason,
      })
      return { id, status: after.status, version: after.version, shipment_id: made.id }
    },
    readSheet: async ({ file, sheet, columns: chosen }, { tx, staff }) => {
      const bytes = Buffer.from(file, 'base64')
      const found = await parseFile('parcels', { file: bytes, sheet, chosen })
      return sheetAnswer(tx, kinds, found, staff)
    },
    batchShip: async ({ lines }, context) => {
      const done: { row: number; result: 'shipped' | 'already' | 'failed'; text: string }[] = []
      const couriers = await couriersOn(context.tx)
      // Orders in one order for everybody, so that two imports can't wait for each other.
      for (const line of lines.toSorted((a, b) => a.order_id - b.order_id || a.row - b.row)) {
        try {
          const result = await context.tx.transaction(async tx =>
            shipLine({ ...context, tx }, kinds, line, couriers),
          )
          done.push({ row: line.row, result, text: '' })
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          done.push({ row: line.row, result: 'failed', text: error.in(context.staff.lang) })
        }
      }
      return { lines: done.sort((a, b) => a.row - b.row) }
    },
  }) satisfies { [K in keyof ShipCalls]: Handler<ShipCalls[K]> }

type Sent = {
  order_id: number
  courier_id: number
  tracking_no: string
  items: { id: number; qty: number }[] | null
}
/**
 * One line, in a savepoint of its own. Who holds the order sees what others shipped of it: the same
 * number twice is one parcel.
 */
const shipLine = async (
  context: WriteContext,
  kinds: readonly OrderKind[],
  line: Sent,
  couriers: readonly Courier[],
): Promise<'shipped' | 'already'> => {
  const row = await heldOrder(context.tx, kinds, { id: line.order_id }, context.staff)
  const parcel = parcelBy(line.tracking_no, { id: line.courier_id }, couriers)
  if ('fault' in parcel) throw ruled('tracking', parcel.fault)
  const [before] = await context.tx
    .select({ id: shipment.id })
    .from(shipment)
    .where(
      and(
        eq(shipment.order_id, row.id),
        eq(shipment.tracking_no, parcel.tracking_no),
        ne(shipment.state, 'void'),
      ),
    )
  if (before) return 'already'
  await send(context, row, { ...parcel, items: line.items ?? undefined })
  return 'shipped'
}

/** The handler of `addressCalls`. */
export const addressHandlers = (kinds: readonly OrderKind[]) =>
  ({
    editAddress: async ({ receiver: given, reason, anyway, ...one }, { tx, staff, now, log }) => {
      const row = await heldOrder(tx, kinds, one, staff)
      const may = orderCan('editReceiver', row)
      if (may !== true) throw ruled('not_editable', may)
      if (!row.receiver) throw ruled('no_receiver', ['订单没有收货信息', 'It has no receiver'])
      const receiver: Receiver = {
        ...row.receiver,
        ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      }
      const fault = receiverFault(given)
      if (fault) throw invalid({ [`receiver.${fault[0]}`]: say(fault[1], staff.lang) })
      if (JSON.stringify(receiver) === JSON.stringify(row.receiver))
        throw ruled('same', ['收货信息没有变化', 'Nothing would change'])
      const { freight_cents, warning } =
        receiver.area === row.receiver.area
          ? { freight_cents: row.freight_cents, warning: undefined }
          : await freightTo(tx, row, receiver)
      if (warning && !anyway)
        throw ruled('address', [
          `${warning[0]}；确认修改请再按一次`,
          `${warning[1]}; to change it nevertheless, do it once more`,
        ])
      const after = await recount(tx, row, {
        event: 'receiver',
        actor: staffActor(staff),
        now,
        memo: warning
          ? joined([`${reason}（${warning[0]}）`, `${reason} (${warning[1]})`])
          : reason,
        set: { receiver, receiver_changed_at: now },
      })
      const words = (of: Receiver) => ({
        receiver_name: of.name,
        receiver_phone: of.phone,
        receiver_area: of.area,
        receiver_address: of.address,
      })
      log({ ...logged(row), before: words(row.receiver), after: words(receiver), reason })
      return { id: row.id, status: after.status, version: after.version, freight_cents }
    },
  }) satisfies { [K in keyof AddressCalls]: Handler<AddressCalls[K]> }

/** What is wrong with what was given of a receiver: masks are never kept as the thing itself. */
const receiverFault = (given: Partial<Receiver>): [keyof Receiver, Text] | undefined => {
  const masked = (Object.keys(given) as (keyof Receiver)[]).find(key =>
    String(given[key] ?? '').includes('*'),
  )
  if (masked)
    return [
      masked,
      [
        '含有脱敏的 *，请填写完整内容，或留空表示不修改',
        'It has masks (*): write it in full, or leave it empty to keep it',
      ],
    ]
  if (given.phone !== undefined && callableFault(given.phone))
    return ['phone', callableFault(given.phone)!]
  if (given.area !== undefined && !cityOfAddress(given.area))
    return [
      'area',
      [
        `「${given.area}」无法识别，请从省市开始填写，如 浙江省杭州市西湖区`,
        `${given.area} is not known: begin with province and city, such as 浙江省杭州市西湖区`,
      ],
    ]
  if (given.area !== undefined && regionOf(given.area) === undefined)
    return [
      'area',
      [
        `没有「${given.area}」这个地区，请从省市区中选择`,
        `There is no place called ${given.area}: choose a province, city and district`,
      ],
    ]
  return undefined
}
/**
 * What sending an order to another place would cost; a warning where it can't be sent there, or for
 * another freight. The buyer has paid: the freight stays what it was.
 */
const freightTo = async (
  tx: Db,
  row: Order,
  receiver: Receiver,
): Promise<{ freight_cents: number | null; warning: Text | undefined }> => {
  const items = await tx
    .select()
    .from(order_item)
    .where(and(eq(order_item.order_id, row.id), eq(order_item.fulfil, 'express')))
  const lines = items
    .map(item => ({
      product_id: productOf(item),
      qty: item.qty - item.refunded_qty,
      price_cents: item.price_cents,
    }))
    .filter(line => line.qty > 0)
  try {
    const cents = await freightFor(tx, {
      rules: await rulesOf(tx, row),
      area: receiver.area,
      lines,
    })
    return {
      freight_cents: cents,
      warning:
        cents === row.freight_cents
          ? undefined
          : [
              `运费应为 ${yuan(cents)} 元，原收 ${yuan(row.freight_cents)} 元，差额不会自动补收或退还`,
              `The freight would be ¥${yuan(cents)} instead of ¥${yuan(row.freight_cents)}; the difference is neither charged nor given back by itself`,
            ],
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { freight_cents: null, warning: [error.in('zh'), error.in('en')] }
  }
}
