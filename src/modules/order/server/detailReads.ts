import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { live_room } from '#src/areas/broadcast/live.table.ts'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { share_visit } from '#src/areas/content/content.table.ts'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { h5_link } from '#src/areas/merchant/texts.table.ts'
import { verifier } from '#src/areas/notice/duty.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import type { CouponNote } from '#src/areas/order/orderSold.server.ts'
import { order_log, order_message } from '#src/areas/order/trail.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import type { Db } from '#src/server/call/implement.ts'

type Logged = typeof order_log.$inferSelect
const LOG_MAX = 200
export const itemsOf = (db: Db, order_id: number) =>
  db
    .select({ item: order_item, store_name: store.name })
    .from(order_item)
    .leftJoin(store, eq(store.id, order_item.store_id))
    .where(eq(order_item.order_id, order_id))
    .orderBy(order_item.id)
export const codesOf = (db: Db, order_id: number) =>
  db
    .select({ code: order_code, holder: member.nickname })
    .from(order_code)
    .leftJoin(member, eq(member.id, order_code.holder_id))
    .where(eq(order_code.order_id, order_id))
    .orderBy(order_code.id)
export const usesOf = (db: Db, order_id: number) =>
  db
    .select({
      use: verify_record,
      store_name: store.name,
      clerk: verifier.name,
      staff: admin.name,
    })
    .from(verify_record)
    .leftJoin(store, eq(store.id, verify_record.store_id))
    .leftJoin(verifier, eq(verifier.id, verify_record.verifier_id))
    .leftJoin(admin, eq(admin.id, verify_record.admin_id))
    .where(eq(verify_record.order_id, order_id))
    .orderBy(desc(verify_record.verified_at), desc(verify_record.id))
export const shipmentsOf = (db: Db, order_id: number) =>
  db
    .select({ one: shipment, courier_name: courier.name })
    .from(shipment)
    .leftJoin(courier, eq(courier.code, shipment.courier))
    .where(eq(shipment.order_id, order_id))
    .orderBy(shipment.id)
export const messagesOf = (db: Db, order_id: number) =>
  db
    .select()
    .from(order_message)
    .where(eq(order_message.order_id, order_id))
    .orderBy(desc(order_message.id))
    .limit(50)
export const logOf = (db: Db, order_id: number) =>
  db
    .select()
    .from(order_log)
    .where(eq(order_log.order_id, order_id))
    .orderBy(desc(order_log.id))
    .limit(LOG_MAX)
/** How many units of which items each refund of an order gives back. */
export const refundedParts = (db: Db, order_id: number) =>
  db
    .select({
      refund_id: refund_item.refund_id,
      item_id: refund_item.item_id,
      qty: sql<number>`sum(${refund_item.qty})::int`,
    })
    .from(refund_item)
    .innerJoin(refund, eq(refund.id, refund_item.refund_id))
    .where(eq(refund.order_id, order_id))
    .groupBy(refund_item.refund_id, refund_item.item_id)
export const reissuesOf = (db: Db, order_id: number) =>
  db
    .select({ id: order.id, order_no: order.order_no, status: order.status })
    .from(order)
    .where(eq(order.reissue_of, order_id))
    .orderBy(order.id)
export const sharersOf = (db: Db, order_id: number) =>
  db
    .select({ id: member.id, name: member.nickname })
    .from(share_visit)
    .innerJoin(member, eq(member.id, share_visit.sharer_id))
    .where(eq(share_visit.order_id, order_id))
    .orderBy(share_visit.id)
    .limit(1)
export const buyerOf = (db: Db, member_id: number) =>
  db
    .select({
      orders: sql<number>`count(*)::int`,
      refunded: sql<number>`count(*) filter (where ${order.refund_state} = 'refunded')::int`,
    })
    .from(order)
    .where(eq(order.member_id, member_id))
export const roomsOf = (db: Db, room_id: number) =>
  db.select({ title: live_room.title }).from(live_room).where(eq(live_room.id, room_id))
export const linksOf = (db: Db, link_id: number) =>
  db.select({ name: h5_link.name }).from(h5_link).where(eq(h5_link.id, link_id))
/** The names of the staff who did something of a log. */
export const staffNames = async (
  db: Db,
  log: readonly Logged[],
): Promise<ReadonlyMap<number, string>> => {
  return new Map(
    (
      await db
        .select({ id: admin.id, name: admin.name })
        .from(admin)
        .where(
          inArray(admin.id, [
            ...new Set(
              log.flatMap(one =>
                one.actor_type === 'staff' && one.actor_id !== null ? [one.actor_id] : [],
              ),
            ),
          ]),
        )
    ).map(one => [one.id, one.name]),
  )
}
/** The coupon that it was bought with: what it took off as its log says, and where it is now. */
export const couponOf = async (db: Db, row: Order) => {
  if (row.coupon_grant_id === null) return null
  const [[placed], [grant]] = await Promise.all([
    db
      .select({ note: sql<CouponNote>`${order_log.data}->'coupon'` })
      .from(order_log)
      .where(and(eq(order_log.order_id, row.id), eq(order_log.event, 'create')))
      .orderBy(order_log.id)
      .limit(1),
    db
      .select({ order_no: coupon_grant.order_no, status: coupon_grant.status })
      .from(coupon_grant)
      .where(eq(coupon_grant.id, row.coupon_grant_id)),
  ])
  const { name, platform_cents, merchant_cents } = placed!.note
  const stateOfUse = (): 'back' | 'locked' | 'used' => {
    if (grant!.order_no !== row.order_no) return 'back'
    return grant!.status === 'locked' ? 'locked' : 'used'
  }
  return { name, platform_cents, merchant_cents, use: stateOfUse() }
}
