import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { merchant, return_address } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { phoneOf, queueMessage } from '#src/areas/order/orderMessages.server.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne, type Failed } from '#src/server/db/oneByOne.ts'
import { courier } from './ship.table.ts'
import { shipment } from './shipment.table.ts'
import type { Shipment } from './shipping.server.ts'
import type { TrackChannel } from './track.channel.ts'
import { afterTrack, newsOf, type ParcelState, type ReturnTrack } from './track.ts'

const moving: readonly ParcelState[] = ['shipped', 'transit', 'delivering']
/**
 * Asks where a parcel is, outside any transaction, and writes down what was heard. No answer keeps
 * the last trace with its time. Answers why nothing new is known, if so. A parcel that got another
 * number meanwhile keeps nothing of the old one's.
 */
export const trackParcel = async (
  { db, channel, now }: { db: Db; channel: TrackChannel; now: number },
  of: Shipment,
  phone: string | undefined,
): Promise<Text | null> => {
  await db.update(shipment).set({ asked_at: now }).where(eq(shipment.id, of.id))
  const answer = await channel.query({
    code: of.courier,
    tracking_no: of.tracking_no,
    shipped_at: of.shipped_at,
    now,
    ...(phone && { phone }),
  })
  const known = afterTrack(
    {
      state: of.state === 'void' ? 'problem' : of.state,
      traces: of.traces,
      traced_at: of.traced_at,
      fault: null,
    },
    answer,
    now,
  )
  if (known.fault === null)
    await db
      .update(shipment)
      .set({
        state: known.state,
        traces: known.traces,
        traced_at: known.traced_at,
        ...(known.state === 'signed' &&
          of.signed_at === null && { signed_at: known.traces.at(-1)?.at ?? now }),
        updated_at: now,
      })
      .where(
        and(
          eq(shipment.id, of.id),
          eq(shipment.tracking_no, of.tracking_no),
          sql`${shipment.state} <> 'void'`,
        ),
      )
  return known.fault
}
const [SOME, STALE_S] = [40, 4 * 3600]
/**
 * Asks after parcels under way that nobody has asked after for hours, the longest waiting first.
 * What is not answered waits its turn again. Answers how many were heard of.
 */
export const trackMoving = async (
  db: Db,
  channel: TrackChannel,
  now: number,
  failed?: Failed,
): Promise<number> => {
  if (channel.name === 'none') return 0
  const due = await db
    .select({
      id: shipment.id,
      parcel: shipment,
      phone: sql<string | null>`${order.receiver}->>'phone'`,
    })
    .from(shipment)
    .innerJoin(order, eq(order.id, shipment.order_id))
    .where(and(inArray(shipment.state, [...moving]), lte(shipment.asked_at, now - STALE_S)))
    .orderBy(asc(shipment.asked_at))
    .limit(SOME)
  return oneByOne(
    due,
    async ({ parcel, phone }) =>
      (await trackParcel({ db, channel, now }, parcel, phone ?? undefined)) === null,
    failed,
  )
}

const { return_track, return_tracking_no } = refund
const askedAt = sql`coalesce((${return_track}->>'asked_at')::bigint, 0)`
const onItsWay = sql`${refund.state} = 'returning' and ${return_tracking_no} is not null and ${return_track}->>'state' is distinct from 'signed'`
/**
 * Asks after what buyers send back, as after what is sent to them. Its arrival is told to whoever
 * must receive it, and to its sender that it does not move; each once.
 */
export const trackReturns = async (
  database: Database,
  channel: TrackChannel,
  now: number,
  failed?: Failed,
): Promise<number> => {
  if (channel.name === 'none') return 0
  const due = await database.db
    .select({
      id: refund.id,
      row: refund,
      phone: sql<string>`coalesce(${return_address.phone}, ${merchant.contact_phone})`,
    })
    .from(refund)
    .innerJoin(merchant, eq(merchant.id, refund.merchant_id))
    .leftJoin(return_address, eq(return_address.id, refund.return_address_id))
    .where(and(onItsWay, sql`${askedAt} <= ${now - STALE_S}`))
    .orderBy(askedAt)
    .limit(SOME)
  return oneByOne(
    due,
    async ({ row, phone }) => {
      const tracking_no = row.return_tracking_no!
      const before: ReturnTrack = {
        ...(row.return_track ?? {
          state: 'shipped',
          traces: [],
          traced_at: null,
          sent_at: row.updated_at,
        }),
        asked_at: now,
      }
      const keep = (tx: Db, track: ReturnTrack) =>
        tx
          .update(refund)
          .set({ return_track: track })
          .where(and(eq(refund.id, row.id), eq(return_tracking_no, tracking_no), onItsWay))
          .returning({ id: refund.id })
      await keep(database.db, before)
      const answer = await channel.query({
        code: row.return_courier ?? '',
        tracking_no,
        shipped_at: before.sent_at,
        now,
        phone,
      })
      if (!answer.ok) return false
      const { fault: _, ...known } = afterTrack({ ...before, fault: null }, answer, now)
      const track = { ...before, ...known }
      const news = newsOf(track, now)
      await database.transaction(async tx => {
        // Received or refused meanwhile, or sent by another number: nothing of it is news.
        if ((await keep(tx, track)).length === 0 || news === null) return
        const [of] = await tx
          .select({
            order_id: order.id,
            member_id: order.member_id,
            visitor_phone: order.visitor_phone,
            by: sql<string>`coalesce((select ${courier.name} from ${courier} where ${courier.code} = ${row.return_courier}), '')`,
          })
          .from(order)
          .where(eq(order.id, row.order_id))
        const parcel = `${of!.by} ${tracking_no}`.trim()
        await queueMessage(tx, {
          order_id: row.order_id,
          once: `return:${row.id}:${tracking_no}:${news}`,
          now,
          ...(news === 'arrived'
            ? {
                kind: 'return_store',
                phone,
                text: `售后 ${row.refund_no} 的退货 ${parcel} 已签收，请验货并确认收到，或说明拒收原因`,
              }
            : {
                kind: 'refund',
                phone: await phoneOf(tx, of!),
                text:
                  track.state === 'problem'
                    ? `您的退货 ${parcel} 快递反馈异常，请联系快递公司。售后 ${row.refund_no}`
                    : `您的退货 ${parcel} 已超过 3 天没有物流更新，请核对单号或联系快递公司。售后 ${row.refund_no}`,
              }),
        })
      })
      return true
    },
    failed,
  )
}
