/**
 * The words for a member about the prize that a code gave them: until when and where it is fetched.
 */
import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { metres, type Pin } from '#src/areas/place/geo.ts'
import { inBox } from '#src/areas/place/near.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { goodsAre, goodsEnd } from './handing.server.ts'
import { code_batch, redeem_code, redeem_log } from './redeemCode.table.ts'

/** Degrees, in millionths, beyond which no store is near: about 20 km. */
const NEAR_E6 = 180_000
export const STORES_TOLD = 20
type Place = {
  name: string
  /** Empty outside any mall. */
  mall: string
  address: string
  floor: string
  door_no: string
  open_hours: string
  /** Null where the member's position or the store's is not known. */
  distance_m: number | null
}
type PrizeToFetch = { name: string; until: number; stores: Place[] }
type From = { city_id: number; at?: Pin | undefined }

/** Orders stores of one neighbourhood as their distance does, without the arithmetic of a globe. */
const farther = (at: Pin): SQL => {
  const narrow = Math.cos((at.lat_e6 / 1e6) * (Math.PI / 180))
  return sql`power(${store.lat_e6} - ${at.lat_e6}::int, 2) + power((${store.lng_e6} - ${at.lng_e6}::int) * ${narrow}::float8, 2)`
}
/** Open stores that hand the prizes of a batch over: those near the member, else of their city. */
const storesFor = async (
  tx: Db,
  malls: readonly number[],
  { city_id, at }: From,
): Promise<Place[]> => {
  const found = (where: SQL | undefined, order: SQL[]) =>
    tx
      .select({
        name: store.name,
        mall: sql<string>`coalesce(${mall.name}, '')`,
        address: store.address,
        floor: sql<string>`coalesce(${store.floor}, '')`,
        door_no: sql<string>`coalesce(${store.door_no}, '')`,
        open_hours: store.open_hours,
        lng_e6: store.lng_e6,
        lat_e6: store.lat_e6,
      })
      .from(store)
      .leftJoin(mall, eq(mall.id, store.mall_id))
      .where(
        and(
          eq(store.kind, 'offline'),
          eq(store.status, 'open'),
          malls.length > 0 ? inArray(store.mall_id, [...malls]) : undefined,
          where,
        ),
      )
      .orderBy(...order, store.id)
      .limit(STORES_TOLD)
  const around = at ? await found(inBox(store, at, NEAR_E6), [farther(at)]) : []
  const inCity = () => found(malls.length > 0 ? undefined : eq(store.city_id, city_id), [])
  const stores = around.length > 0 ? around : await inCity()
  return stores.map(({ lng_e6, lat_e6, ...one }) => ({
    ...one,
    distance_m:
      !at || lng_e6 === null || lat_e6 === null ? null : Math.round(metres(at, { lng_e6, lat_e6 })),
  }))
}
/** The prize that waits for a member who redeemed the code; null where none does. */
export const prizeToFetch = async (
  tx: Db,
  of: { code_id: number; member_id: number; from: From; now: number },
): Promise<PrizeToFetch | null> => {
  const [prize] = await tx
    .select({
      name: sql<string>`${redeem_log.granted}->>'goods'`,
      until: goodsEnd,
      malls: code_batch.mall_ids,
    })
    .from(redeem_log)
    .innerJoin(redeem_code, eq(redeem_code.id, redeem_log.code_id))
    .innerJoin(code_batch, eq(code_batch.id, redeem_log.batch_id))
    .where(
      and(
        eq(redeem_log.code_id, of.code_id),
        eq(redeem_log.member_id, of.member_id),
        goodsAre('waiting', of.now),
      ),
    )
    .orderBy(desc(redeem_log.id))
    .limit(1)
  if (!prize) return null
  const { malls, ...told } = prize
  return { ...told, stores: await storesFor(tx, malls, of.from) }
}
