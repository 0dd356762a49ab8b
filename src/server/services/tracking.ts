import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { afterTrack, type ParcelState } from '#src/domain/track.ts'
import type { Text } from '#src/domain/text.ts'
import type { TrackChannel } from '../channels/track.ts'
import type { Db } from '../implement.ts'
import { order, shipment } from '../tables/order.ts'
import type { Shipment } from './shipping.ts'

const moving: readonly ParcelState[] = ['shipped', 'transit', 'delivering']
/**
 * Asks where a parcel is, outside any transaction, and writes down what was heard. No answer keeps the last trace with its time. Answers why nothing new is known,
 * if so. A parcel that got another number meanwhile keeps nothing of the old one's.
 */
export const trackParcel = async (db: Db, channel: TrackChannel, of: Shipment, phone: string | undefined, now: number): Promise<Text | null> => {
  await db.update(shipment).set({ asked_at: now }).where(eq(shipment.id, of.id))
  const answer = await channel.query({ code: of.courier, tracking_no: of.tracking_no, shipped_at: of.shipped_at, now, ...(phone && { phone }) })
  const known = afterTrack({ state: of.state === 'void' ? 'problem' : of.state, traces: of.traces, traced_at: of.traced_at, fault: null }, answer, now)
  if (known.fault === null) await db.update(shipment).set({ state: known.state, traces: known.traces, traced_at: known.traced_at, ...(known.state === 'signed' && of.signed_at === null && { signed_at: known.traces.at(-1)?.at ?? now }), updated_at: now }).where(and(eq(shipment.id, of.id), eq(shipment.tracking_no, of.tracking_no), sql`${shipment.state} <> 'void'`))
  return known.fault
}
const [SOME, STALE_S] = [40, 4 * 3600]
/** Asks after parcels under way that nobody has asked after for hours, the longest waiting first. What is not answered waits its turn again. Answers how many were heard of. */
export const trackMoving = async (db: Db, channel: TrackChannel, now: number): Promise<number> => {
  if (channel.name === 'none') return 0
  const due = await db.select({ parcel: shipment, phone: sql<string | null>`${order.receiver}->>'phone'` }).from(shipment).innerJoin(order, eq(order.id, shipment.order_id))
    .where(and(inArray(shipment.state, [...moving]), lte(shipment.asked_at, now - STALE_S))).orderBy(asc(shipment.asked_at)).limit(SOME)
  let heard = 0
  for (const { parcel, phone } of due) if ((await trackParcel(db, channel, parcel, phone ?? undefined, now)) === null) heard++
  return heard
}
