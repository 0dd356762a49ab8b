import { eq, type SQL } from 'drizzle-orm'
import { points_goods } from '#src/areas/points/points.table.ts'
import type { Goods, Zone } from '#src/areas/points/shopGoods.server.ts'
import { points_zone } from '#src/areas/points/zone.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { ShopGoodsRow } from '../contract/pointsShop.ts'

/** Goods of the points shop as its pages show them. */
export const goodsRow = (goods: Goods, zone: Zone): ShopGoodsRow => ({
  ...goods,
  is: 'goods',
  zone_name: zone.name,
  zone_kind: zone.kind,
  image: goods.images[0] ?? '',
})
export const goodsWith = (db: Db, where: SQL | undefined) =>
  db
    .select({ goods: points_goods, zone: points_zone })
    .from(points_goods)
    .innerJoin(points_zone, eq(points_zone.id, points_goods.zone_id))
    .where(where)
