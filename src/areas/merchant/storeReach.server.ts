import { eq } from 'drizzle-orm'
import type { Receiver } from '#src/areas/order/order.ts'
import { metres } from '#src/areas/place/geo.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { store } from './merchant.table.ts'

type Placed = { lng_e6: number | null; lat_e6: number | null }
/** How far a store is from a receiver, in metres; null where one of them has no pin. */
export const reachOf = (of: Placed, to: Receiver | null): number | null =>
  of.lng_e6 === null || of.lat_e6 === null || to?.lng_e6 === undefined || to.lat_e6 === undefined
    ? null
    : Math.round(
        metres({ lng_e6: of.lng_e6, lat_e6: of.lat_e6 }, { lng_e6: to.lng_e6, lat_e6: to.lat_e6 }),
      )
/**
 * A store delivers within its radius and nowhere else: refuses what lies beyond, and an address
 * that nobody has put on the map.
 */
export const refuseFar = async (
  tx: Db,
  store_id: number,
  to: Receiver | null | undefined,
): Promise<void> => {
  const [from] = await tx
    .select({
      name: store.name,
      lng_e6: store.lng_e6,
      lat_e6: store.lat_e6,
      radius: store.delivery_radius_m,
    })
    .from(store)
    .where(eq(store.id, store_id))
  if (!from) throw missing()
  if (from.radius === null || from.lng_e6 === null || from.lat_e6 === null)
    throw ruled('no_delivery', ['「{store}」不提供门店配送', '{store} does not deliver'], {
      store: from.name,
    })
  const far = reachOf(from, to ?? null)
  if (far === null)
    throw ruled('no_pin', [
      '收货地址没有地图位置，无法核对配送范围：请在地图上选点',
      'The address has no place on the map: choose one, so that its distance is known',
    ])
  if (far > from.radius)
    throw ruled(
      'too_far',
      [
        '距「{store}」{km} 公里，超出 {max} 公里的配送范围',
        'It is {km} km from {store}, which delivers within {max} km',
      ],
      { store: from.name, km: (far / 1000).toFixed(1), max: from.radius / 1000 },
    )
}
