import { and, desc, eq } from 'drizzle-orm'
import { metres, type Pin } from '#src/areas/place/geo.ts'
import { inBox } from '#src/areas/place/near.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { holdMember } from '#src/areas/points/book.server.ts'
import { earnByRule } from '#src/areas/points/byRule.server.ts'
import { pointsOfRule } from '#src/areas/pointsRule/inForce.server.ts'
import { joined } from '#src/domain/text.ts'
import { dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { checkin_spot, sign_record as t } from './signIn.table.ts'
import { hoursOfSpot, isOpenAt, TRAVEL_MPS, type SignState } from './signIn.ts'
import { signNo } from './signing.server.ts'

/** Degrees, in millionths, beyond which no spot is near: about 11 km. */
const NEAR_E6 = 100_000
/** The spots around a position, the nearest first, with the metres to each. */
const spotsNear = async (tx: Db, pin: Pin) =>
  (
    await tx
      .select({
        id: checkin_spot.id,
        mall_id: checkin_spot.mall_id,
        radius_m: checkin_spot.radius_m,
        points: checkin_spot.points,
        open_from: checkin_spot.open_from,
        open_to: checkin_spot.open_to,
        name: mall.name,
        lng_e6: mall.lng_e6,
        lat_e6: mall.lat_e6,
        open_hours: mall.open_hours,
      })
      .from(checkin_spot)
      .innerJoin(mall, eq(mall.id, checkin_spot.mall_id))
      .where(
        and(eq(checkin_spot.status, 'on'), eq(mall.status, 'online'), inBox(mall, pin, NEAR_E6)),
      )
  )
    .map(spot => ({
      ...spot,
      // Rows without a pin lie outside any box.
      distance_m: Math.round(metres(pin, { lng_e6: spot.lng_e6!, lat_e6: spot.lat_e6! })),
    }))
    .sort((a, b) => a.distance_m - b.distance_m)
/** The mall at whose open spot a position is; undefined elsewhere. */
export const mallAt = async (tx: Db, pin: Pin, now: number): Promise<number | undefined> =>
  (await spotsNear(tx, pin)).find(
    spot => spot.distance_m <= spot.radius_m && isOpenAt(hoursOfSpot(spot), now),
  )?.mall_id

/** Whether nobody could have come from the member’s last spot of the day so fast. */
const isRushed = async (
  tx: Db,
  of: { member_id: number; pin: Pin; spot_id: number; now: number },
): Promise<boolean> => {
  const [last] = await tx
    .select({ at: t.at, spot_id: t.spot_id, lng_e6: mall.lng_e6, lat_e6: mall.lat_e6 })
    .from(t)
    .innerJoin(checkin_spot, eq(checkin_spot.id, t.spot_id))
    .innerJoin(mall, eq(mall.id, checkin_spot.mall_id))
    .where(and(eq(t.member_id, of.member_id), eq(t.kind, 'spot'), eq(t.day, dayStart(of.now))))
    .orderBy(desc(t.id))
    .limit(1)
  if (!last || last.spot_id === of.spot_id || last.lng_e6 === null || last.lat_e6 === null)
    return false
  const way = metres(of.pin, { lng_e6: last.lng_e6, lat_e6: last.lat_e6 })
  return way > TRAVEL_MPS * Math.max(1, of.now - last.at)
}
export type CheckedIn = {
  state: SignState
  points: number
  /** The mall that was meant, and the metres to it; null where none is near. */
  mall: string
  distance_m: number | null
}
/**
 * A member checks in where they are: at the nearest spot, within its radius and its hours, once a
 * Shanghai day. Answers how it stands; what is too far or closed earns nothing and leaves no record.
 */
export const checkIn = async (
  tx: Db,
  of: { member_id: number; pin: Pin; device: string; now: number },
): Promise<CheckedIn> => {
  const { member_id, pin, device, now } = of
  const [spot] = await spotsNear(tx, pin)
  if (!spot) return { state: 'far', points: 0, mall: '', distance_m: null }
  const { distance_m } = spot
  const told = (state: SignState, points = 0) => ({ state, points, mall: spot.name, distance_m })
  if (distance_m > spot.radius_m) return told('far')
  if (!isOpenAt(hoursOfSpot(spot), now)) return told('closed')
  await holdMember(tx, member_id)
  const rule = await pointsOfRule(tx, 'clocked', spot.mall_id, now)
  if (!rule) return told('off')
  const rushed = await isRushed(tx, { member_id, pin, spot_id: spot.id, now })
  const [row] = await tx
    .insert(t)
    .values({
      member_id,
      kind: 'spot',
      day: dayStart(now),
      streak: 0,
      points: 0,
      rule_id: rule.id,
      ladder: [],
      device,
      spot_id: spot.id,
      distance_m,
      rushed,
      at: now,
      created_at: now,
      updated_at: now,
    })
    .onConflictDoNothing()
    .returning({ id: t.id })
  if (!row) return told('already')
  const points = await earnByRule(tx, {
    rule,
    member_id,
    points: spot.points,
    biz_kind: 'clocked',
    biz_no: signNo(row.id),
    title: joined([`到店打卡：${spot.name}`, `Visited: ${spot.name}`]),
    now,
  })
  await tx.update(t).set({ points }).where(eq(t.id, row.id))
  return told('done', points)
}
