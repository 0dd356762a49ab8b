import { points_goods } from '#src/areas/points/points.table.ts'
import { points_stock_log } from '#src/areas/points/shop.table.ts'
import { points_zone } from '#src/areas/points/zone.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'

let made = 0
/** A zone of a test's own. */
export const freshZone = async (db: Db, of: Partial<typeof points_zone.$inferInsert> = {}) => {
  const n = ++made
  const [zone] = await db
    .insert(points_zone)
    .values({ name: `测试分区${n}`, kind: 'normal', sort: 1000 + n, ...of })
    .returning()
  return zone!
}
/** Goods on the shelf of a zone of their own, whose stock has its account. */
export const freshShopGoods = async (
  db: Db,
  of: Omit<typeof points_goods.$inferInsert, 'zone_id' | 'sort'> & { zone_id?: number },
) => {
  const zone_id = of.zone_id ?? (await freshZone(db)).id
  const [goods] = await db
    .insert(points_goods)
    .values({ sort: ++made, ...of, zone_id })
    .returning()
  if (goods!.status !== 'draft')
    await db.insert(points_stock_log).values({
      goods_id: goods!.id,
      kind: 'init',
      delta: goods!.stock,
      stock_after: goods!.stock,
      at: unixNow(),
    })
  return goods!
}
