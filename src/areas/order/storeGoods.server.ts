import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { codeOf, isCode } from '#src/areas/code/code.ts'
import type { Redemption } from '#src/areas/code/redemption.server.ts'
import { usesLeft } from '#src/areas/code/verifier.ts'
import { findCode, redeemForStore } from '#src/areas/code/verify.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { refuseFar } from '#src/areas/merchant/storeReach.server.ts'
import { product_store } from '#src/areas/product/product.table.ts'
import { moveToStore } from '#src/areas/product/stock.server.ts'
import { joined } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { conflict, ruled } from '#src/server/call/refuse.ts'
import { order, order_item } from './order.table.ts'
import { REMIND_S, type Receiver, type Rider } from './order.ts'
import { newCode, pickupEnds } from './orderCodes.server.ts'
import { noteOrder, recount, rulesOf, type Actor, type Order } from './orderFacts.server.ts'
import { queueMessage } from './orderMessages.server.ts'
import { codeStateOf, productOf } from './orderUnits.ts'
import { orderCan, type OrderVerb } from './orderVerbs.ts'

/** Days ahead of now that a pick-up or delivery may be put off. */
const TIME_AHEAD_DAYS = 30
type Step = { actor: Actor; now: number }
/** Whether an order that is held may take a step now; else why not. */
const may = (verb: OrderVerb, row: Order): void => {
  const said = orderCan(verb, row)
  if (said !== true) throw ruled(row.frozen ? 'frozen' : `not_${verb}`, said)
}
const phoneOfBuyer = async (tx: Db, row: Order): Promise<string | null> =>
  row.receiver?.phone ??
  row.visitor_phone ??
  (row.member_id === null
    ? null
    : ((
        await tx.select({ phone: member.phone }).from(member).where(eq(member.id, row.member_id))
      )[0]?.phone ?? null))
const tellBuyer = async (
  tx: Db,
  row: Order,
  { kind, text }: { kind: 'code' | 'notice' | 'pickup'; text: string },
  of: Step,
) =>
  queueMessage(tx, {
    order_id: row.id,
    kind,
    phone: await phoneOfBuyer(tx, row),
    text,
    ...(of.actor.type === 'staff' && of.actor.id ? { admin_id: of.actor.id } : {}),
    now: of.now,
  })
const nameOf = async (tx: Db, store_id: number): Promise<string> =>
  (await tx.select({ name: store.name }).from(store).where(eq(store.id, store_id)))[0]?.name ?? ''
const codesOf = (tx: Db, row: Order, ...states: (typeof order_code.$inferSelect)['state'][]) =>
  tx
    .select()
    .from(order_code)
    .where(and(eq(order_code.order_id, row.id), inArray(order_code.state, states)))
    .orderBy(order_code.id)

/**
 * The goods lie ready: pick-up codes come into force and are sent, except where a refund is open on
 * them.
 */
export const confirmReady = async (tx: Db, row: Order, of: Step): Promise<Order> => {
  may('confirmReady', row)
  const codes = await codesOf(tx, row, 'locked')
  for (const code of codes)
    await tx
      .update(order_code)
      .set({
        state: codeStateOf({ ...code, state: 'unused' }, of.now),
        version: code.version + 1,
        updated_at: of.now,
      })
      .where(eq(order_code.id, code.id))
  const usable = codes.filter(code => code.times_refunding === 0 && usesLeft(code) > 0)
  if (usable.length > 0)
    await tellBuyer(
      tx,
      row,
      {
        kind: 'code',
        text: `您的商品已在「${await nameOf(tx, row.store_id)}」备好，提货码：${usable.map(code => code.code).join('、')}。订单 ${row.order_no}`,
      },
      of,
    )
  return recount(tx, row, {
    event: 'ready',
    actor: of.actor,
    now: of.now,
    set: { ready_at: of.now },
  })
}

/** Somebody of the store sets out with all that may go; what is in refund stays behind. */
export const dispatch = async (tx: Db, row: Order, of: Step & { rider: Rider }): Promise<Order> => {
  may('dispatch', row)
  const sent = await tx
    .update(order_item)
    .set({
      shipped_qty: sql`${order_item.qty} - ${order_item.refunding_qty} - ${order_item.refunded_qty}`,
      version: sql`${order_item.version} + 1`,
    })
    .where(
      and(
        eq(order_item.order_id, row.id),
        eq(order_item.fulfil, 'delivery'),
        sql`${order_item.shipped_qty} < ${order_item.qty} - ${order_item.refunding_qty} - ${order_item.refunded_qty}`,
      ),
    )
    .returning({ id: order_item.id })
  if (sent.length === 0)
    throw ruled('not_dispatch', [
      '商品都在退款中或已出发，没有可配送的',
      'All of it is in refund, or on its way',
    ])
  await tellBuyer(
    tx,
    row,
    {
      kind: 'notice',
      text: `您的订单 ${row.order_no} 已出发配送，骑手 ${of.rider.name} ${of.rider.phone}`,
    },
    of,
  )
  const { auto_receive_d } = await rulesOf(tx, row)
  return recount(tx, row, {
    event: 'dispatch',
    actor: of.actor,
    now: of.now,
    memo: `${of.rider.name} ${of.rider.phone}`,
    set: { rider: of.rider, dispatched_at: of.now, receive_by: of.now + auto_receive_d * DAY },
  })
}
/** What was on its way has arrived: said by staff, or by the clock when nobody did for long. */
export const confirmDelivered = async (tx: Db, row: Order, of: Step): Promise<Order> => {
  may('confirmDelivered', row)
  const arrived = await tx
    .update(order_item)
    .set({ received_qty: order_item.shipped_qty, version: sql`${order_item.version} + 1` })
    .where(
      and(
        eq(order_item.order_id, row.id),
        eq(order_item.fulfil, 'delivery'),
        sql`${order_item.received_qty} < ${order_item.shipped_qty}`,
      ),
    )
    .returning({ id: order_item.id })
  if (arrived.length === 0)
    throw ruled('not_confirmDelivered', ['没有在途的商品', 'Nothing is on its way'])
  return recount(tx, row, { event: 'deliver', actor: of.actor, now: of.now })
}

/**
 * Hands the goods of one code over, all that is left of it: the code must be this order's, as
 * scanned or typed, and is used once whoever else holds it up.
 */
export const confirmPickup = async (
  tx: Db,
  row: Order,
  of: { code: string; admin_id: number; now: number },
): Promise<Redemption> => {
  may('confirmPickup', row)
  const code = codeOf(of.code)
  const found = isCode(code) ? await findCode(tx, code, row.store_id) : undefined
  // A code of another order is told no apart from none at all.
  if (!found || found.order_id !== row.id || (found.kind !== 'pickup' && row.kind !== 'points'))
    throw ruled('wrong_code', [
      '提货码不对：请核对 12 位数字，或让顾客重新出示',
      'Not the code of this order: check its 12 digits, or ask to see it again',
    ])
  return redeemForStore(tx, found, {
    store_id: row.store_id,
    times: Math.max(1, usesLeft(found)),
    now: of.now,
    admin_id: of.admin_id,
  })
}

/** The store that takes an order over; else why it can't. */
const storeToMoveTo = async (tx: Db, row: Order, store_id: number) => {
  if (row.refund_state === 'refunding')
    throw ruled('refunding', [
      '有未完结的退款，处理后才能改派',
      'A refund is open: it is decided first',
    ])
  if (store_id === row.store_id) throw ruled('same_store', ['已在该门店', 'It is there already'])
  const [to] = await tx
    .select()
    .from(store)
    .where(and(eq(store.id, store_id), eq(store.merchant_id, row.merchant_id)))
  if (!to)
    throw ruled('other_merchant', [
      '只能改派到同一商户的门店',
      'Only to a store of the same merchant',
    ])
  if (to.status !== 'open')
    throw ruled('store_closed', ['「{name}」未营业，不能改派', '{name} is not open'], {
      name: to.name,
    })
  return to
}
type Left = typeof order_item.$inferSelect & { live: number }
/** Items of an order that were not refunded, with how many of each are left. */
const itemsLeft = async (tx: Db, order_id: number): Promise<Left[]> => {
  const items = await tx
    .select()
    .from(order_item)
    .where(eq(order_item.order_id, order_id))
    .orderBy(order_item.product_id, order_item.id)
  return items
    .map(item => ({ ...item, live: item.qty - item.refunded_qty }))
    .filter(item => item.live > 0)
}
const refuseUnsold = async (
  tx: Db,
  items: readonly Left[],
  to: { id: number; name: string },
): Promise<void> => {
  const sells = new Set(
    (
      await tx
        .select({ id: product_store.product_id })
        .from(product_store)
        .where(
          and(
            eq(product_store.store_id, to.id),
            eq(product_store.status, 'on'),
            inArray(product_store.product_id, items.map(productOf)),
          ),
        )
    ).map(one => one.id),
  )
  const missing = items.find(item => !sells.has(productOf(item)))
  if (missing)
    throw ruled(
      'not_sold_there',
      ['「{store}」不售「{title}」', '{store} does not sell “{title}”'],
      { store: to.name, title: missing.title },
    )
}
/** Gives the codes that are not used yet new numbers; the old ones stay known as void. */
const renumberCodes = async (tx: Db, row: Order, now: number): Promise<void> => {
  // The row goes on under another number, with all that it counts.
  for (const code of await codesOf(tx, row, 'locked', 'unused')) {
    const { id: _, version: __, ...kept } = code
    await tx
      .update(order_code)
      .set({ code: newCode(), state: 'locked', version: code.version + 1, updated_at: now })
      .where(eq(order_code.id, code.id))
    await tx.insert(order_code).values({
      ...kept,
      state: 'void',
      left_times: 0,
      left_pay_cents: 0,
      left_platform_cents: 0,
      left_settle_cents: 0,
      times_used: 0,
      times_refunding: 0,
      times_refunded: 0,
      created_at: code.created_at,
      updated_at: now,
    })
  }
}
/**
 * Another store of the same merchant takes the order over, with everything of it or not at all: it
 * is open, sells these goods, has them free, and reaches the buyer where it delivers. What was
 * ready must be made ready again there, and the old codes are void; the buyer is sent the new
 * place.
 */
export const changeStore = async (
  tx: Db,
  row: Order,
  of: Step & { store_id: number; reason: string },
): Promise<Order> => {
  may('changeStore', row)
  const { now, store_id } = of
  const to = await storeToMoveTo(tx, row, store_id)
  const items = await itemsLeft(tx, row.id)
  await refuseUnsold(tx, items, to)
  if (row.sub_kind === 'store_delivery') await refuseFar(tx, store_id, row.receiver)
  await moveToStore(tx, items, to)
  await renumberCodes(tx, row, now)
  await tellBuyer(
    tx,
    row,
    {
      kind: 'notice',
      text:
        row.sub_kind === 'store_delivery'
          ? `您的订单 ${row.order_no} 改由「${to.name}」配送`
          : `您的订单 ${row.order_no} 改到「${to.name}」提货（${to.address}），备好后会发送新的提货码，原提货码作废`,
    },
    of,
  )
  return recount(tx, row, {
    event: 'store',
    actor: of.actor,
    now,
    memo: of.reason,
    data: { from: row.store_id, to: store_id },
    set: { store_id, ready_at: null },
  })
}

/**
 * Another time for pick-up or delivery, ahead of now; a code stays in force until what is not
 * picked up by then is refunded.
 */
export const changeTime = async (
  tx: Db,
  row: Order,
  of: Step & { time: number; reason: string },
): Promise<Order> => {
  may('changeTime', row)
  const { now, time } = of
  if (time <= now || time > now + TIME_AHEAD_DAYS * DAY)
    throw ruled('bad_time', ['须在今后 {n} 天内', 'Within the next {n} days'], {
      n: TIME_AHEAD_DAYS,
    })
  const until = pickupEnds(time, await rulesOf(tx, row))
  const codes = await codesOf(tx, row, 'locked', 'unused', 'refunding')
  for (const code of codes)
    if (code.valid_until < until)
      await tx
        .update(order_code)
        .set({ valid_until: until, version: code.version + 1, updated_at: now })
        .where(eq(order_code.id, code.id))
  await tellBuyer(
    tx,
    row,
    {
      kind: 'notice',
      text: `您的订单 ${row.order_no} 的${row.sub_kind === 'store_delivery' ? '送达' : '提货'}时间改为 ${timeFull(time).slice(0, 16)}`,
    },
    of,
  )
  return recount(tx, row, {
    event: 'time',
    actor: of.actor,
    now,
    memo: of.reason,
    data: { from: row.promise_at, to: time },
    set: {
      promise_at: time,
      ...(codes.length > 0 && { valid_until: Math.max(row.valid_until ?? 0, until) }),
    },
  })
}

/**
 * Another receiver for what a store brings, before it sets out and within its reach. What is not
 * said stays.
 */
export const editReceiver = async (
  tx: Db,
  row: Order,
  of: Step & { change: Partial<Receiver>; reason: string },
): Promise<Order> => {
  if (row.receiver === null)
    throw ruled('no_receiver', ['到店自提，没有收货信息', 'Picked up in store: no recipient'])
  may('editReceiver', row)
  const { lng_e6, lat_e6, ...before } = row.receiver
  const moved = of.change.area !== undefined || of.change.address !== undefined
  // Another address stands elsewhere: the old pin says nothing about it.
  const receiver: Receiver = {
    ...before,
    ...(!moved && lng_e6 !== undefined && lat_e6 !== undefined && { lng_e6, lat_e6 }),
    ...of.change,
  }
  await refuseFar(tx, row.store_id, receiver)
  return recount(tx, row, {
    event: 'receiver',
    actor: of.actor,
    now: of.now,
    memo: of.reason,
    set: { receiver, receiver_changed_at: of.now },
  })
}

/** Urges the store, once an hour at most however many ask; by a message to its own phone. */
export const remindStore = async (
  tx: Db,
  row: Order,
  of: Step & { admin_id: number },
): Promise<Order> => {
  may('remind', row)
  const [sent] = await tx
    .update(order)
    .set({ reminded_at: of.now, version: row.version + 1, updated_at: of.now })
    .where(
      and(
        eq(order.id, row.id),
        or(isNull(order.reminded_at), lte(order.reminded_at, of.now - REMIND_S)),
      ),
    )
    .returning()
  if (!sent)
    throw conflict(
      ['{when} 已催过门店，每小时最多一次', 'The store was urged at {when}: once an hour at most'],
      { when: timeFull(row.reminded_at!).slice(11, 16) },
    )
  const [to] = await tx.select({ phone: store.phone }).from(store).where(eq(store.id, row.store_id))
  await queueMessage(tx, {
    order_id: row.id,
    kind: 'remind',
    phone: to!.phone,
    text: `订单 ${row.order_no} 请尽快${row.ready_at ? '配送' : '备货'}${row.promise_at ? `，承诺时间 ${timeFull(row.promise_at).slice(5, 16)}` : ''}`,
    admin_id: of.admin_id,
    now: of.now,
  })
  await noteOrder(tx, { order_id: row.id, event: 'remind', actor: of.actor, at: of.now })
  return sent
}

/** Tells whoever has not picked up for days, and when it is refunded by itself. */
export const warnPickup = async (tx: Db, row: Order, now: number): Promise<void> => {
  const ends = pickupEnds(row.promise_at!, await rulesOf(tx, row))
  await tellBuyer(
    tx,
    row,
    {
      kind: 'pickup',
      text: `您的商品已在「${await nameOf(tx, row.store_id)}」等候多日，请在 ${timeFull(ends).slice(0, 16)} 前提货，逾期将自动退款。订单 ${row.order_no}`,
    },
    { actor: { type: 'system' }, now },
  )
  await noteOrder(tx, {
    order_id: row.id,
    event: 'message',
    actor: { type: 'system' },
    at: now,
    memo: joined(['逾期未提提醒', 'Reminder: not picked up']),
  })
}
