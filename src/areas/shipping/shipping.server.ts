import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { configScopes, type ConfigScope } from '#src/areas/order/configScope.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import {
  holdOrder,
  recount,
  rulesOf,
  type Actor,
  type Order,
} from '#src/areas/order/orderFacts.server.ts'
import { phoneOf, queueMessage } from '#src/areas/order/orderMessages.server.ts'
import { latePenalty } from '#src/areas/order/orderMoney.ts'
import { rulesFor } from '#src/areas/order/orderRules.ts'
import { orderCan } from '#src/areas/order/orderVerbs.ts'
import { lastLogged, system } from '#src/areas/order/orderWho.server.ts'
import { explained, joined, type Text } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { conflict, missing, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { couriersFor, fitsCourier, readTracking } from './courier.ts'
import { courier } from './ship.table.ts'
import { shipment } from './shipment.table.ts'

export type Shipment = typeof shipment.$inferSelect
export type Courier = typeof courier.$inferSelect

/** Couriers in use, the default one first. */
export const couriersOn = (db: Db): Promise<Courier[]> =>
  db
    .select()
    .from(courier)
    .where(eq(courier.status, 'on'))
    .orderBy(desc(courier.is_default), asc(courier.sort), asc(courier.id))
/**
 * A number with its courier: the one that was named, by id or in a sheet's own words, else the
 * likeliest by the number; or why not, in words that say how to mend it.
 */
export const parcelBy = (
  typed: string,
  named: { id?: number | undefined; name?: string | undefined },
  couriers: readonly Courier[],
): { courier: Courier; tracking_no: string } | { fault: Text } => {
  const read = readTracking(typed)
  if ('fault' in read) return read
  const { tracking_no } = read
  const name = named.name?.normalize('NFKC').replace(/\s/g, '').toLowerCase()
  const likely = couriersFor(tracking_no, couriers)
  const fitting = name ? courierCalled(name, couriers) : likely[0]
  const meant = named.id === undefined ? fitting : couriers.find(one => one.id === named.id)
  if (!meant)
    return {
      fault:
        named.id !== undefined || name
          ? [
              `没有启用的快递公司「${named.name ?? ''}」，可填：${couriers
                .slice(0, 8)
                .map(one => one.name)
                .join('、')}`,
              `No courier “${named.name ?? ''}” is in use; there are ${couriers
                .slice(0, 8)
                .map(one => one.name)
                .join(', ')}`,
            ]
          : [
              `${tracking_no} 不像任何一家快递的单号：请核对单号，或选择快递公司`,
              `${tracking_no} looks like no courier’s number: check it, or choose a courier`,
            ],
    }
  if (fitsCourier(tracking_no, meant)) return { courier: meant, tracking_no }
  const [other] = likely
  return {
    fault: [
      `${tracking_no} 不是${meant.name}的单号（如 ${meant.sample}）${other ? `，像是${other.name}` : ''}`,
      `${tracking_no} is no number of ${meant.name} (such as ${meant.sample})${other ? `; it looks like ${other.name}` : ''}`,
    ],
  }
}
/** By name or code; `顺丰` is 顺丰速运, as long as no other begins so. */
const courierCalled = (name: string, couriers: readonly Courier[]): Courier | undefined => {
  const exact = couriers.find(
    one => one.name.toLowerCase() === name || one.code.toLowerCase() === name,
  )
  const close = couriers.filter(
    one => one.name.toLowerCase().startsWith(name) || name.startsWith(one.name.toLowerCase()),
  )
  return exact ?? (name.length > 1 && close.length === 1 ? close[0] : undefined)
}
/** Units of an item that may go now: not sent, not refunded, not in refund. */
export const toShip = (
  item: Pick<
    typeof order_item.$inferSelect,
    'qty' | 'shipped_qty' | 'refunding_qty' | 'refunded_qty' | 'fulfil'
  >,
): number =>
  item.fulfil === 'express'
    ? Math.max(0, item.qty - item.shipped_qty - item.refunding_qty - item.refunded_qty)
    : 0

/** Whether the rules of a kind know a penalty for late shipping. */
const owesLate = (kind: Order['kind']) =>
  Object.hasOwn(configScopes, kind) &&
  rulesFor(kind as ConfigScope).includes('late_ship_penalty_bp')
type Parcel = readonly { id: number; qty: number }[]
type Item = typeof order_item.$inferSelect
const itemsToShip = (items: readonly Item[]): Parcel =>
  items.map(item => ({ id: item.id, qty: toShip(item) })).filter(one => one.qty > 0)
/** Counts what is in a parcel as sent; refuses what may not go. */
const takeOut = async (tx: Db, items: readonly Item[], parcel: Parcel): Promise<void> => {
  if (parcel.length === 0)
    throw ruled('nothing_to_ship', [
      '没有可发的商品：已发出或退款中',
      'Nothing to ship: it was sent, or is in refund',
    ])
  for (const { id, qty } of parcel) {
    const item = items.find(one => one.id === id)
    if (!item) throw missing()
    if (qty < 1 || qty > toShip(item))
      throw ruled('too_many', ['「{title}」最多还能发 {n} 件', 'At most {n} of “{title}” can go'], {
        title: item.title,
        n: toShip(item),
      })
    await tx
      .update(order_item)
      .set({
        shipped_qty: sql`${order_item.shipped_qty} + ${qty}`,
        version: sql`${order_item.version} + 1`,
      })
      .where(eq(order_item.id, id))
  }
}
/**
 * One parcel leaves: all that may go unless items are named. An order in refund ships the rest;
 * what is in refund stays.
 */
export const ship = async (
  tx: Db,
  of: {
    order_id: number
    courier: string
    tracking_no: string
    items?: readonly { id: number; qty: number }[] | undefined
    actor: Actor
    now: number
  },
): Promise<{ order: Order; shipment: Shipment }> => {
  const { now } = of
  const row = await holdOrder(tx, of.order_id)
  const may = orderCan('ship', row)
  if (may !== true) throw ruled('not_shippable', may)
  const items = await tx
    .select()
    .from(order_item)
    .where(eq(order_item.order_id, row.id))
    .orderBy(order_item.id)
  const parcel = of.items ?? itemsToShip(items)
  await takeOut(tx, items, parcel)
  const [made] = await tx
    .insert(shipment)
    .values({
      order_id: row.id,
      kind: row.kind,
      ordered_at: row.created_at,
      courier: of.courier,
      tracking_no: of.tracking_no,
      items: parcel.map(({ id, qty }) => ({ item_id: id, qty })),
      receiver: row.receiver,
      state: 'shipped',
      shipped_by: of.actor.type === 'staff' ? (of.actor.id ?? null) : null,
      shipped_at: now,
      created_at: now,
      updated_at: now,
    })
    .returning()
  const rules = await rulesOf(tx, row)
  // Owed once, by the first parcel that left too late.
  const late_penalty_cents =
    row.late_penalty_cents || !owesLate(row.kind)
      ? row.late_penalty_cents
      : latePenalty(
          {
            goods_cents: row.pay_cents - row.freight_cents,
            promise_at: row.promise_at,
            shipped_at: now,
          },
          rules,
        )
  const after = await recount(tx, row, {
    event: 'ship',
    actor: of.actor,
    now,
    memo: `${of.courier} ${of.tracking_no}`,
    data: {
      shipment_id: made!.id,
      ...(late_penalty_cents !== row.late_penalty_cents && { late_penalty_cents }),
    },
    set: { receive_by: now + rules.auto_receive_d * DAY, late_penalty_cents },
  })
  await tellShipped(tx, after, made!, now)
  return { order: after, shipment: made! }
}

const tellShipped = async (tx: Db, row: Order, of: Shipment, now: number) => {
  const phone = await phoneOf(tx, row)
  const [by] = await tx
    .select({ name: courier.name })
    .from(courier)
    .where(eq(courier.code, of.courier))
  if (phone)
    await queueMessage(tx, {
      order_id: row.id,
      kind: 'ship',
      phone,
      text: `您的订单 ${row.order_no} 已发货：${by?.name ?? of.courier} ${of.tracking_no}`,
      now,
    })
}

/** Other open orders that go under the same number: seldom meant, so it is asked about. */
export const sameTracking = async (
  db: Db,
  tracking_no: string,
  order_id: number,
): Promise<{ order_id: number; order_no: string }[]> =>
  db
    .select({ order_id: order.id, order_no: order.order_no })
    .from(shipment)
    .innerJoin(order, eq(order.id, shipment.order_id))
    .where(
      and(
        eq(shipment.tracking_no, tracking_no),
        ne(shipment.order_id, order_id),
        ne(shipment.state, 'void'),
        inArray(order.fulfil_state, ['part_shipped', 'shipped']),
      ),
    )
    .limit(5)

/** 409: the parcel is not as it was read; says who changed it, when, and its number now. */
const changedParcel = async (tx: Db, known: Shipment): Promise<Refusal> => {
  const { id, order_id, version, courier, tracking_no } = known
  const { who, at } = (await lastLogged(tx, order_id, { shipment_id: id })) ?? {
    who: system,
    at: known.updated_at,
  }
  return conflict(
    [
      '单号刚刚由{zh}于 {when} 修改为 {no}，请按最新内容操作',
      '{en} changed the number at {when}; it is {no} now: act on that',
    ],
    { zh: who[0], en: who[1], when: timeFull(at), no: tracking_no },
    { id, version, courier, tracking_no },
    { name: who[0], at },
  )
}
const parcelNow = async (tx: Db, id: number): Promise<Shipment> => {
  const [parcel] = await tx.select().from(shipment).where(eq(shipment.id, id))
  if (!parcel) throw missing()
  return parcel
}
const TRACKING_EDIT_S = DAY
/** Another number or courier for a parcel, within a day. */
export const editTracking = async (
  tx: Db,
  of: {
    shipment_id: number
    version: number
    courier: string
    tracking_no: string
    actor: Actor
    reason: string
    now: number
  },
): Promise<{ order: Order; shipment: Shipment }> => {
  const row = await holdOrder(tx, (await parcelNow(tx, of.shipment_id)).order_id)
  const known = await parcelNow(tx, of.shipment_id)
  if (of.now > known.shipped_at + TRACKING_EDIT_S)
    throw ruled('too_late', [
      '发货超过 24 小时，不能再修改单号',
      'It was shipped more than 24 hours ago',
    ])
  const [after] = await tx
    .update(shipment)
    .set({
      courier: of.courier,
      tracking_no: of.tracking_no,
      traces: [],
      traced_at: null,
      version: known.version + 1,
      updated_at: of.now,
    })
    .where(and(eq(shipment.id, known.id), eq(shipment.version, of.version)))
    .returning()
  if (!after) throw await changedParcel(tx, known)
  const held = await recount(tx, row, {
    event: 'tracking',
    actor: of.actor,
    now: of.now,
    memo: explained(`${of.courier} ${of.tracking_no}`, of.reason),
    data: { shipment_id: after.id, before: known.tracking_no },
  })
  return { order: held, shipment: after }
}

/** All that was sent has arrived: by the buyer, by staff, or by the clock. */
export const receive = async (
  tx: Db,
  of: { order_id: number; actor: Actor; reason?: string; now: number },
): Promise<Order> => {
  const row = await holdOrder(tx, of.order_id)
  const may = orderCan('confirmReceive', row)
  if (may !== true) throw ruled('not_receivable', may)
  await tx
    .update(order_item)
    .set({ received_qty: order_item.shipped_qty, version: sql`${order_item.version} + 1` })
    .where(eq(order_item.order_id, row.id))
  await tx
    .update(shipment)
    .set({ state: 'signed', signed_at: of.now, updated_at: of.now })
    .where(
      and(
        eq(shipment.order_id, row.id),
        inArray(shipment.state, ['shipped', 'transit', 'delivering']),
      ),
    )
  return recount(tx, row, {
    event: 'receive',
    actor: of.actor,
    now: of.now,
    ...(of.reason && { memo: of.reason }),
  })
}

/**
 * More time until what was shipped counts as received: as often as the order's rules allow, by the
 * buyer and by staff together.
 */
export const extendReceive = async (
  tx: Db,
  of: { order_id: number; days: number; actor: Actor; reason: string; now: number },
): Promise<Order> => {
  const row = await holdOrder(tx, of.order_id)
  const may = orderCan('extendReceive', row)
  if (may !== true) throw ruled('not_extendable', may)
  const { extend_times } = await rulesOf(tx, row)
  if (row.receive_extended >= extend_times)
    throw ruled('extended', ['最多延长 {n} 次，已用完', 'At most {n} times, all used'], {
      n: extend_times,
    })
  return recount(tx, row, {
    event: 'extend_receive',
    actor: of.actor,
    now: of.now,
    memo: joined([`${of.days} 天：${of.reason}`, `${of.days} days: ${of.reason}`]),
    set: {
      receive_by: Math.max(row.receive_by ?? of.now, of.now) + of.days * DAY,
      receive_extended: row.receive_extended + 1,
    },
  })
}
