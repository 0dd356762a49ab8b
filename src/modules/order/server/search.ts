import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { order_code, times_ask, verify_record } from '#src/areas/code/code.table.ts'
import { ecard_gift } from '#src/areas/ecard/cardOrder.table.ts'
import { BIG_BUYER_CENTS, BIG_BUYER_DAYS, GIFT_S } from '#src/areas/ecard/cardOrder.ts'
import { ecard_attr } from '#src/areas/ecard/ecard.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { readSearch, type ReadingKind } from '#src/areas/order/orderSearch.ts'
import { order_bind } from '#src/areas/order/trail.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { COUNT_MAX } from '#src/domain/count.ts'
import { grouped } from '#src/domain/grouped.ts'
import { keyGrams } from '#src/domain/search.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { like } from '#src/server/db/like.ts'
import type { Among } from '#src/server/db/paging.ts'

/**
 * So many products or stores of one name are looked through, and so many orders of one phone: the
 * newest, as many as a list counts.
 */
const NAMES_MAX = 200
const ORDERS_MAX = COUNT_MAX + 1

/** Lines of orders, by which orders are found: they were placed when their order was. */
const lines = { table: order_item, id: order_item.order_id, by: order_item.created_at }
/**
 * Orders of these kinds with one of these products; bundles with a part of one of these stores;
 * what was exchanged for one of these.
 */
export const soldAs = (kinds: readonly OrderKind[], products: readonly number[]): Among => [
  {
    column: order_item.product_id,
    values: products,
    through: { ...lines, where: inArray(order_item.kind, [...kinds]) },
  },
]
export const partAt = (stores: readonly number[]): Among => [
  {
    column: order_item.store_id,
    values: stores,
    through: { ...lines, where: eq(order_item.kind, 'combo') },
  },
]
export const exchangedFor = (goods: readonly number[]): Among => [
  {
    column: order_item.points_goods_id,
    values: goods,
    through: { ...lines, where: eq(order_item.kind, 'points') },
  },
]
/** Orders of cards of one of these faces. */
export const cardsSoldAs = (faces: readonly number[]): Among => [
  {
    column: order_item.ecard_attr_id,
    values: faces,
    through: { ...lines, where: eq(order_item.kind, 'ecard') },
  },
]
export const facesOf = async (db: Db, card_id: number): Promise<number[]> =>
  (
    await db.select({ id: ecard_attr.id }).from(ecard_attr).where(eq(ecard_attr.card_id, card_id))
  ).map(one => one.id)
/** Orders with a card that nobody took within a day of its being given away. */
export const giftUnclaimed = (now: number): Among => [
  {
    through: {
      table: ecard_gift,
      id: ecard_gift.order_id,
      by: ecard_gift.ordered_at,
      where: sql`(${ecard_gift.state} = 'sent' or ${ecard_gift.returned_by} = 'timeout') and ${ecard_gift.sent_at} <= ${now - GIFT_S}`,
    },
  },
]
/** Members who lately bought cards for a large sum. */
export const bigBuyers = async (db: Db, now: number): Promise<number[]> =>
  (
    await db
      .select({ id: order.member_id })
      .from(order)
      .where(and(eq(order.kind, 'ecard'), sql`${order.paid_at} >= ${now - BIG_BUYER_DAYS * DAY}`))
      .groupBy(order.member_id)
      .having(sql`sum(${order.paid_cents}) >= ${BIG_BUYER_CENTS}`)
  ).flatMap(one => one.id ?? [])
/** Bundles of which one of these stores still has to give its part. */
export const openAt = (stores: readonly number[]): Among => [
  {
    column: order_item.store_id,
    values: stores,
    through: {
      ...lines,
      where: sql`${order_item.kind} = 'combo' and ${order_item.used_qty} + ${order_item.refunded_qty} < ${order_item.qty}`,
    },
  },
]
// A redemption is where its order is, whichever of its stores it was at.
const uses = {
  table: verify_record,
  id: verify_record.order_id,
  by: verify_record.ordered_at,
  at: verify_record,
}
/** Orders with a voucher on a bill that holds several; with a redemption that is told to be odd. */
export const manyOnBill: Among = [
  {
    through: {
      ...uses,
      where: sql`${verify_record.kind} = 'voucher' and ${verify_record.bill_many} and ${verify_record.state} = 'valid'`,
    },
  },
]
export const abnormal: Among = [
  {
    through: {
      ...uses,
      where: sql`${verify_record.kind} = 'voucher' and ${verify_record.abnormal}`,
    },
  },
]
/**
 * Cards of which a code is on its way to another person; visitors' orders that wait for another
 * person to agree whose they are; cards that may get more uses; orders with a parcel that did not
 * arrive.
 */
export const beingGiven: Among = [
  {
    through: {
      table: order_code,
      id: order_code.order_id,
      by: order_code.ordered_at,
      where: sql`${order_code.kind} = 'card' and ${order_code.gift_state} = 'sent'`,
    },
  },
]
export const bindAsked: Among = [
  {
    through: {
      table: order_bind,
      id: order_bind.order_id,
      by: order_bind.ordered_at,
      at: order_bind,
      where: eq(order_bind.state, 'asked'),
    },
  },
]
export const timesAsked: Among = [
  {
    through: {
      table: times_ask,
      id: times_ask.order_id,
      by: times_ask.ordered_at,
      where: eq(times_ask.state, 'asked'),
    },
  },
]
export const parcelAstray = (kinds: readonly OrderKind[]): Among =>
  kinds.map(kind => ({
    through: {
      table: shipment,
      id: shipment.order_id,
      by: shipment.ordered_at,
      where: and(eq(shipment.kind, kind), eq(shipment.state, 'problem')),
    },
  }))
const spentOn = (where: SQL) =>
  sql`(select 'order' what, o.id from coupon_grant g join "order" o on o.order_no = g.order_no where ${where} order by g.created_at desc limit ${ORDERS_MAX})`
/** Orders by the number of their payment, of a coupon spent on them, or of their store. */
const paidOrSpent = (of: (kind: ReadingKind) => string[]): SQL[] => [
  ...some(
    of('payment_no'),
    values =>
      sql`select 'order' what, p.order_id id from payment p where p.out_no in ${values} union select 'order' what, p.order_id id from payment p where p.channel_no in ${values}`,
  ),
  ...some(of('coupon_no'), values => [
    spentOn(
      sql`g.coupon_id in (select c.id from coupon c where c.coupon_no in ${values}) and g.status in ('locked', 'used')`,
    ),
    spentOn(sql`g.code in ${values}`),
  ]),
  ...some(
    of('store_no'),
    values => sql`select 'store' what, s.id from store s where s.store_no in ${values}`,
  ),
]
/**
 * What was typed into the one search field: every line is a search of its own, and each is read in
 * all the ways it may be meant. What is looked for by a number is found first, all of it in one
 * query, each by its own index: the database would not know how few have one phone, and walk
 * through all orders for them. Names become the numbers of products and stores. What can't be
 * read finds nothing.
 */
export const lookUp = async (
  db: Db,
  q: string,
): Promise<Record<'orders' | 'products' | 'stores' | 'faces', number[]>> => {
  const { parts } = readSearch(q)
  if (parts.length === 0) return { orders: [], products: [], stores: [], faces: [] }
  const readings = grouped(
    parts.flatMap(part =>
      part.readings.some(one => one.sure) ? part.readings.filter(one => one.sure) : part.readings,
    ),
    one => one.kind,
  )
  const of = (kind: ReadingKind) => [...new Set(readings.get(kind)?.map(one => one.value))]
  const newest = (where: SQL) =>
    sql`(select 'order' what, o.id from "order" o where ${where} order by o.created_at desc limit ${ORDERS_MAX})`
  const lookUps = [
    ...some(
      of('order_no'),
      values => sql`select 'order' what, o.id from "order" o where o.order_no in ${values}`,
    ),
    ...some(
      of('refund_no'),
      values =>
        sql`select 'order' what, r.order_id id from refund r where r.refund_no in ${values}`,
    ),
    ...some(
      of('code'),
      values => sql`select 'order' what, c.order_id id from order_code c where c.code in ${values}`,
    ),
    ...some(
      of('tracking_no'),
      values =>
        sql`select 'order' what, s.order_id id from shipment s where s.tracking_no in ${values}`,
    ),
    ...some(
      of('group_no'),
      values =>
        sql`select 'order' what, o.id from "order" o where o.roll_group_id in (select g.id from roll_group g where g.group_no in ${values})`,
    ),
    ...paidOrSpent(of),
    ...some(of('phone'), values => [
      newest(sql`o.member_id in (select m.id from member m where m.phone in ${values})`),
      newest(sql`o.visitor_phone is not null and o.visitor_phone in ${values}`),
      newest(sql`o.receiver is not null and (o.receiver->>'phone') in ${values}`),
    ]),
    ...some(of('phone_last4'), values => [
      newest(sql`o.member_id in (select m.id from member m where right(m.phone, 4) in ${values})`),
      newest(sql`o.visitor_phone is not null and right(o.visitor_phone, 4) in ${values}`),
      newest(sql`o.receiver is not null and right(o.receiver->>'phone', 4) in ${values}`),
    ]),
    // What is looked for was brought to one width (（ is ( now); so is what it is looked for in.
    ...of('product').map(
      words =>
        sql`(select 'product' what, p.id from product p where p.grams @> ${sql.param(keyGrams(words))}::text[] and normalize(p.title, nfkc) ilike ${like(words)} limit ${NAMES_MAX})`,
    ),
    ...of('product').map(
      words =>
        sql`(select 'face' what, a.id from ecard c join ecard_attr a on a.card_id = c.id where normalize(c.name, nfkc) ilike ${like(words)} limit ${NAMES_MAX})`,
    ),
    ...of('store').map(
      words =>
        sql`(select 'store' what, s.id from store s where normalize(s.name, nfkc) ilike ${like(words)} limit ${NAMES_MAX})`,
    ),
  ]
  const found = (
    await db.execute<{ what: string; id: number }>(sql.join(lookUps, sql` union all `))
  ).rows
  const ids = (what: string) => [
    ...new Set(found.filter(one => one.what === what).map(one => one.id)),
  ]
  return {
    orders: ids('order'),
    products: ids('product'),
    stores: ids('store'),
    faces: ids('face'),
  }
}
/** The same as ways to find orders: names are of products and stores, which stand in the order. */
export const searchWays = async (
  db: Db,
  kinds: readonly OrderKind[],
  q: string,
): Promise<Among> => {
  const { orders, products, stores, faces } = await lookUp(db, q)
  return [
    ...(orders.length > 0 ? [sql`${order.id} = any(${sql.param(orders)}::int[])`] : []),
    ...(products.length > 0 ? soldAs(kinds, products) : []),
    ...(faces.length > 0 && kinds.includes('ecard') ? cardsSoldAs(faces) : []),
    ...(stores.length > 0 ? [{ column: order.store_id, values: stores }] : []),
  ]
}
const some = <T>(values: readonly T[], condition: (values: readonly T[]) => SQL | SQL[]): SQL[] =>
  values.length > 0 ? [condition(values)].flat() : []
