import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { order_code, times_ask, verify_record } from '#src/areas/code/code.table.ts'
import { stopped } from '#src/areas/combo/comboParts.server.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import type { CodeState } from '#src/areas/order/order.ts'
import { type OrderRules, type RefundPolicy, rulesAtFirst } from '#src/areas/order/orderRules.ts'
import { order_config } from '#src/areas/order/trail.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { points_goods } from '#src/areas/points/points.table.ts'
import type { PointsKind } from '#src/areas/points/points.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { type Named, together } from '#src/server/db/together.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import { cardReads } from './cardRows.ts'
import type { Listed } from './listed.ts'
import { raiseReads } from './raiseRows.ts'
import { visitorReads } from './visitorRows.ts'

/** The ids of what is read beside orders, each where there are such orders. */
type On = Named<
  | 'orders'
  | 'stores'
  | 'members'
  | 'groups'
  | 'refunding'
  | 'points'
  | 'vouchers'
  | 'posted'
  | 'bundles'
  | 'cards'
  | 'visitors'
  | 'raises'
  | 'batches'
  | 'ecards'
>
/** What an order consists of: its items, the sums of its codes, and the codes of bundles. */
const unitReads = (db: Db, on: On) => {
  const i = order_item
  return {
    items: db
      .select({
        id: i.id,
        order_id: i.order_id,
        fulfil: i.fulfil,
        title: i.title,
        qty: i.qty,
        pay_cents: i.pay_cents,
        shipped_qty: i.shipped_qty,
        refunding_qty: i.refunding_qty,
        refunded_qty: i.refunded_qty,
        received_qty: i.received_qty,
        issue_state: i.issue_state,
        closed: on.bundles ? stopped(i.store_id) : sql<boolean>`false`,
        issue_note: i.issue_note,
        snapshot: i.snapshot,
        points_kind: on.points
          ? sql<PointsKind | null>`(select g.kind from ${points_goods} g where g.id = ${i.points_goods_id})`
          : sql<null>`null`,
      })
      .from(i)
      .where(oneOf(i.order_id, on.orders!))
      .orderBy(i.id),
    codes: db
      .select({
        order_id: order_code.order_id,
        units: sql<number>`sum(${order_code.times_total} + ${order_code.times_bonus})`,
        used: sql<number>`sum(${order_code.times_used})`,
        refunding: sql<number>`sum(${order_code.times_refunding})`,
        refunded: sql<number>`sum(${order_code.times_refunded})`,
        left: sql<number>`sum(${order_code.left_pay_cents})`,
        bonus: sql<number>`sum(${order_code.times_bonus})`,
        gift: sql<
          OrderRow['gift']
        >`case when bool_or(${order_code.gift_state} = 'sent') then 'sent' when bool_or(${order_code.gift_state} = 'received') then 'received' else 'none' end`,
        state: sql<CodeState>`(array_agg(${order_code.state} order by ${order_code.id}))[1]`,
      })
      .from(order_code)
      .where(and(oneOf(order_code.order_id, on.orders!), sql`${order_code.state} <> 'void'`))
      .groupBy(order_code.order_id),
    partCodes:
      on.bundles &&
      db
        .select({
          item_id: order_code.item_id,
          state: order_code.state,
          times_total: order_code.times_total,
          times_bonus: order_code.times_bonus,
          times_used: order_code.times_used,
          times_refunding: order_code.times_refunding,
          times_refunded: order_code.times_refunded,
        })
        .from(order_code)
        .where(oneOf(order_code.order_id, on.bundles)),
  }
}
/** The people and places around an order: its store, its buyer, its group. */
const placeReads = (db: Db, on: On) => ({
  places: db
    .select({
      id: store.id,
      name: store.name,
      merchant: merchant.name,
      merchant_status: merchant.status,
      status: store.status,
      mall: mall.name,
      city: city.city_name,
      mall_id: store.mall_id,
    })
    .from(store)
    .innerJoin(merchant, eq(merchant.id, store.merchant_id))
    .leftJoin(mall, eq(mall.id, store.mall_id))
    .innerJoin(city, eq(city.id, store.city_id))
    .where(oneOf(store.id, on.stores!)),
  members:
    on.members &&
    db
      .select({ id: member.id, nickname: member.nickname, phone: member.phone })
      .from(member)
      .where(oneOf(member.id, on.members)),
  groups: on.groups && db.select().from(roll_group).where(oneOf(roll_group.id, on.groups)),
})
/** The work that waits on an order: refunds to decide and uses that were asked for. */
const workReads = (db: Db, on: On) => ({
  refunds:
    on.refunding &&
    db
      .select({
        order_id: refund.order_id,
        id: refund.id,
        version: refund.version,
        state: refund.state,
        type: refund.type,
        amount_cents: refund.amount_cents,
        first_by: refund.first_by,
        first_name: admin.name,
        override: refund.policy_override,
      })
      .from(refund)
      .leftJoin(admin, eq(admin.id, refund.first_by))
      .where(
        and(
          oneOf(refund.order_id, on.refunding),
          inArray(refund.state, ['applied', 'second_audit', 'pay_failed']),
        ),
      )
      .orderBy(refund.id),
  asks:
    on.cards &&
    db
      .select({
        order_id: times_ask.order_id,
        tail: sql<string>`right(${order_code.code}, 4)`,
        times: times_ask.times,
        worth_cents: times_ask.worth_cents,
        first_by: times_ask.first_by,
        first_name: admin.name,
        reason: times_ask.reason,
        at: times_ask.created_at,
      })
      .from(times_ask)
      .innerJoin(order_code, eq(order_code.id, times_ask.code_id))
      .innerJoin(admin, eq(admin.id, times_ask.first_by))
      .where(and(oneOf(times_ask.order_id, on.cards), eq(times_ask.state, 'asked'))),
})
/** What became of an order: the bills it was used for, the parcels it was sent in. */
const useReads = (db: Db, on: On) => ({
  bills:
    on.vouchers &&
    db
      .selectDistinct({
        order_id: verify_record.order_id,
        store_id: verify_record.store_id,
        bill_no: verify_record.bill_no,
        cents: verify_record.bill_cents,
      })
      .from(verify_record)
      .where(
        and(
          oneOf(verify_record.order_id, on.vouchers),
          eq(verify_record.state, 'valid'),
          sql`${verify_record.bill_cents} is not null`,
        ),
      ),
  parcels:
    on.posted &&
    db
      .select({
        order_id: shipment.order_id,
        courier_name: sql<string>`coalesce(${courier.name}, ${shipment.courier})`,
        tracking_no: shipment.tracking_no,
        state: shipment.state,
      })
      .from(shipment)
      .leftJoin(courier, eq(courier.code, shipment.courier))
      .where(and(oneOf(shipment.order_id, on.posted), ne(shipment.state, 'void')))
      .orderBy(shipment.id),
})
/**
 * Reads all that stands beside orders in one query: what their lists hold by their kinds, each where
 * there are such orders.
 */
const readAll = together((db, on: On) => ({
  ...unitReads(db, on),
  ...placeReads(db, on),
  ...workReads(db, on),
  ...useReads(db, on),
  ...raiseReads(db, on),
  ...visitorReads(db, on.visitors),
  ...cardReads(db, on.ecards),
}))
export type Beside = Awaited<ReturnType<typeof readAll>>
/** Reads all that stands beside some orders. */
export const readBeside = (db: Db, orders: readonly Listed[]): Promise<Beside> => {
  const some = (which: (row: Listed) => boolean) => orders.filter(which).map(row => row.id)
  const each = (number: (row: Listed) => number | null) => [
    ...new Set(orders.flatMap(row => number(row) ?? [])),
  ]
  return readAll(db, {
    orders: orders.map(row => row.id),
    stores: each(row => row.store_id),
    members: each(row => row.member_id),
    groups: each(row => row.roll_group_id),
    // Money of one payment goes back whatever the units are: what came too late, what a leader is
    // rewarded with.
    refunding: some(
      row =>
        row.refund_state === 'refunding' ||
        (row.refunded_cents < row.paid_cents &&
          (row.pay_state === 'closed' || row.group_role === 'leader')),
    ),
    points: some(row => row.kind === 'points'),
    vouchers: some(row => row.kind === 'voucher'),
    posted: some(row => row.receiver !== null),
    bundles: some(row => row.kind === 'combo'),
    cards: some(row => row.kind === 'card'),
    visitors: some(row => row.kind === 'visitor'),
    ecards: some(row => row.kind === 'ecard'),
    raises: some(row => row.raise_batch_id !== null),
    batches: each(row => row.raise_batch_id),
  })
}
const policies = new WeakMap<Db, Map<string, Pick<OrderRules, 'refund_policy'>>>()
/**
 * Reads what the rules that orders were made under promise of unused codes. A version of rules never
 * changes: each is read once.
 */
export const policyOf = async (
  db: Db,
  orders: readonly Listed[],
): Promise<(row: Listed) => Pick<OrderRules, 'refund_policy'>> => {
  const known = policies.get(db) ?? new Map<string, Pick<OrderRules, 'refund_policy'>>()
  policies.set(db, known)
  const key = (kind: string, version_no: number) => `${kind} ${version_no}`
  const fresh = orders.filter(row => !known.has(key(row.kind, row.config_version)))
  const rows =
    fresh.length === 0
      ? []
      : await db
          .select({
            scope: sql<string>`${order_config.scope}`,
            version_no: order_config.version_no,
            refund_policy: sql<RefundPolicy>`${order_config.fields}->>'refund_policy'`,
          })
          .from(order_config)
          .where(
            and(
              inArray(sql`${order_config.scope}`, [...new Set(fresh.map(row => row.kind))]),
              oneOf(order_config.version_no, new Set(fresh.map(row => row.config_version))),
            ),
          )
  for (const { scope, version_no, refund_policy } of rows)
    known.set(key(scope, version_no), { refund_policy })
  return row => known.get(key(row.kind, row.config_version)) ?? rulesAtFirst
}
