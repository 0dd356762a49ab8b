import { eq, inArray } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { refund_item } from '#src/areas/refund/refund.table.ts'
import { offlineCan } from '#src/areas/refund/refund.ts'
import type { Refund } from '#src/areas/refund/refundFacts.server.ts'
import { payoutsOf, readRefundSettings } from '#src/areas/refund/refundPay.server.ts'
import { newsOf } from '#src/areas/shipping/track.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Db } from '#src/server/call/implement.ts'
import { caseLook, namesOf, sellersOf } from './cases.ts'

/** Cases as the queue shows them, a few queries whatever their number. */
export const rowsOf = async (db: Db, found: readonly Refund[], now: number) => {
  if (found.length === 0) return []
  const ids = found.map(row => row.id)
  const orders = new Map(
    (
      await db
        .select({
          id: order.id,
          order_no: order.order_no,
          frozen: order.frozen,
          member_id: order.member_id,
          member: member.nickname,
          city: city.city_name,
        })
        .from(order)
        .leftJoin(member, eq(member.id, order.member_id))
        .leftJoin(city, eq(city.id, order.city_id))
        .where(
          inArray(
            order.id,
            found.map(row => row.order_id),
          ),
        )
    ).map(one => [one.id, one]),
  )
  const lines = grouped(
    await db
      .select({
        refund_id: refund_item.refund_id,
        title: order_item.title,
        qty: refund_item.qty,
        shipped_qty: refund_item.shipped_qty,
        received_qty: order_item.received_qty,
      })
      .from(refund_item)
      .innerJoin(order_item, eq(order_item.id, refund_item.item_id))
      .where(inArray(refund_item.refund_id, ids))
      .orderBy(refund_item.id),
    line => line.refund_id,
  )
  const [payouts, limits, sellers, names] = [
    await payoutsOf(db, found),
    await readRefundSettings(db),
    await sellersOf(db, found),
    await namesOf(
      db,
      found.flatMap(row => [row.claimed_by, row.first_by, row.second_by]),
    ),
  ]
  return found.map(row => {
    const [of, own, paid] = [
      orders.get(row.order_id)!,
      lines.get(row.id) ?? [],
      payouts.get(row.id)!,
    ]
    const may = offlineCan(paid, now, limits)
    return {
      ...caseLook(row, { names, paid, now }),
      order_no: of.order_no,
      title: own[0]?.title ?? '',
      lines: own.length,
      qty: own.reduce((n, line) => n + line.qty, 0),
      evidence:
        row.images.length +
        row.messages.reduce(
          (n, one) => n + (one.by === 'staff' ? 0 : (one.images?.length ?? 0)),
          0,
        ),
      merchant_name: sellers.get(row.merchant_id)!,
      city_name: of.city ?? '',
      member_id: of.member_id,
      member_name: of.member,
      frozen: of.frozen,
      shipped: own.some(line => line.shipped_qty > 0),
      received: own.some(line => line.shipped_qty > 0 && line.received_qty > 0),
      parcel: row.state === 'returning' && row.return_track ? newsOf(row.return_track, now) : null,
      by_hand: may === true ? (true as const) : ([may[0], may[1]] as [string, string]),
    }
  })
}
