import { and, asc, count, desc, eq, sql } from 'drizzle-orm'
import { points_goods } from '#src/areas/points/points.table.ts'
import { FIRST_SCREEN, ZONES_MOST } from '#src/areas/points/shop.ts'
import {
  changeStock,
  firstPlace,
  goodsFor,
  goodsInOrder,
  goodsSeen,
  hiddenOf,
  lockShop,
  needShelf,
  needWhole,
  numberGoods,
  putOnShelf,
  shopGoodsRecord,
  zoneOf,
  zoneOnce,
  zoneRecord,
} from '#src/areas/points/shopGoods.server.ts'
import { points_zone } from '#src/areas/points/zone.table.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { joined } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type Scope } from '#src/server/call/implement.ts'
import { arrange, reverting } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { orderSent } from '#src/server/db/sequence.ts'
import { pointsShop as contract } from '../contract/pointsShop.ts'
import { goodsRow, goodsWith } from './pointsRows.ts'

const zonesInOrder = (db: Db) => db.select().from(points_zone).orderBy(asc(points_zone.sort))
/** How many goods stand in each zone, on its shelf, and out of stock in its first screen. */
const countsOf = async (db: Db, scope: Scope) => {
  const placed = db.$with('placed').as(
    db
      .select({
        zone_id: points_goods.zone_id,
        status: points_goods.status,
        free: sql<number>`${points_goods.stock} - ${points_goods.held}`.as('free'),
        at: sql<number>`row_number() over (partition by ${points_goods.zone_id}
          order by (${points_goods.status} = 'on') desc, ${points_goods.sort} desc)`.as('at'),
      })
      .from(points_goods)
      .where(goodsSeen(scope)),
  )
  const on = sql`${placed.status} = 'on'`
  const rows = await db
    .with(placed)
    .select({
      zone_id: placed.zone_id,
      goods_n: count(),
      on_n: sql<number>`(count(*) filter (where ${on}))::int`,
      out_n: sql<number>`(count(*) filter (where ${on} and ${placed.free} <= 0
        and ${placed.at} <= ${FIRST_SCREEN}))::int`,
    })
    .from(placed)
    .groupBy(placed.zone_id)
  return new Map(rows.map(row => [row.zone_id, row]))
}

const handlers = {
  zones: async (_, { db, staff }) => {
    const zones = await zonesInOrder(db)
    const counts = await countsOf(db, staff.scope)
    return {
      list: zones.map(zone => ({
        ...zone,
        is: 'zone' as const,
        goods_n: counts.get(zone.id)?.goods_n ?? 0,
        on_n: counts.get(zone.id)?.on_n ?? 0,
        out_n: counts.get(zone.id)?.out_n ?? 0,
      })),
      total: zones.length,
      list_version: sequenceVersion(zones.map(zone => zone.id)),
    }
  },
  goods: async ({ zone_id }, { db, staff }) => {
    await zoneOf(db, zone_id)
    const ids = await goodsInOrder(db, zone_id)
    const rows = await goodsWith(
      db,
      and(eq(points_goods.zone_id, zone_id), goodsSeen(staff.scope)),
    ).orderBy(desc(points_goods.sort))
    return {
      list: rows.map(({ goods, zone }) => goodsRow(goods, zone)),
      total: rows.length,
      list_version: sequenceVersion(ids),
      hidden: ids.length - rows.length,
    }
  },
  addZone: async (fields, context) => {
    await lockShop(context.tx)
    const zones = await zonesInOrder(context.tx)
    if (zones.length >= ZONES_MOST)
      throw ruled('zones_full', ['最多 {n} 个分区', 'At most {n} zones'], { n: ZONES_MOST })
    const sort = (zones.at(-1)?.sort ?? 0) + 1
    return zoneOnce(context, zoneRecord.add(context, { ...fields, sort }))
  },
  editZone: async ({ id, version, ...fields }, context) => {
    const was = await zoneRecord.heldFast(context, { id, version })
    const on = await context.tx.$count(
      points_goods,
      and(eq(points_goods.zone_id, id), eq(points_goods.status, 'on')),
    )
    if (on > 0 && fields.kind !== was.kind)
      throw ruled(
        'zone_in_use',
        ['分区有 {n} 件在架商品，不能改类型', '{n} goods are on its shelf: its kind stays'],
        { n: on },
      )
    return zoneOnce(context, zoneRecord.save(context, was, fields))
  },
  delZone: async (one, context) => {
    await lockShop(context.tx)
    const was = await zoneRecord.heldFast(context, one)
    const n = (await goodsInOrder(context.tx, was.id)).length
    if (n > 0)
      throw ruled(
        'zone_not_empty',
        ['分区里还有 {n} 件商品，请先移走', '{n} goods stand in it: move them first'],
        { n },
      )
    return zoneRecord.remove(context, was)
  },
  sortZones: async (sent, { tx, log }) => {
    await lockShop(tx)
    const before = (await zonesInOrder(tx)).map(zone => zone.id)
    const { order, list_version } = await arrange(tx, sent, before, {
      sets: points_zone.sort,
      by: points_zone.id,
    })
    log({
      object_type: 'points_zone',
      object_id: 0,
      object_label: joined(['分区顺序', 'Order of zones']),
      before: { order: before },
      after: { order },
    })
    return { list_version }
  },
  moveItem: async ({ zone_id, ...one }, context) => {
    await lockShop(context.tx)
    const was = await shopGoodsRecord.heldFast(context, one)
    if (was.zone_id === zone_id)
      throw ruled('same_zone', ['商品已在该分区', 'It stands in that zone'])
    const to = await zoneOf(context.tx, zone_id)
    const next = { ...was, zone_id: to.id }
    if (was.status === 'on') await needShelf(context, next)
    const sort = await firstPlace(context.tx, to.id, was.id)
    return shopGoodsRecord.save(context, was, { zone_id: to.id, sort })
  },
  sortItems: async ({ zone_id, ...sent }, { tx, staff, log }) => {
    await lockShop(tx)
    const zone = await zoneOf(tx, zone_id)
    const before = await goodsInOrder(tx, zone_id)
    needWhole(await hiddenOf(tx, staff.scope, before))
    const order = orderSent(sent, before)
    await numberGoods(tx, order)
    log({
      object_type: 'points_zone',
      object_id: zone.id,
      object_label: zone.name,
      before: { order: before },
      after: { order },
    })
    return { list_version: sequenceVersion(order) }
  },
  onShelf: async (one, context) => {
    const was = await goodsFor(context, 'onShelf', one)
    return putOnShelf(context, was)
  },
  offShelf: async ({ reason, ...one }, context) => {
    const was = await goodsFor(context, 'offShelf', one)
    return shopGoodsRecord.save(context, was, { status: 'off', off_reason: reason }, reason)
  },
  setStock: async ({ stock, reason, ...one }, context) => {
    const was = await shopGoodsRecord.heldFast(context, one)
    return changeStock(context, was, { kind: 'adjust', stock, field: 'stock', reason })
  },
  toTop: async (one, context) => {
    await lockShop(context.tx)
    const was = await shopGoodsRecord.heldFast(context, one)
    const [first] = await goodsInOrder(context.tx, was.zone_id)
    if (first === was.id) throw ruled('first_already', ['已在最前', 'It stands first'])
    return shopGoodsRecord.save(context, was, {
      sort: await firstPlace(context.tx, was.zone_id, was.id),
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(zoneRecord, [way(contract.editZone, handlers.editZone, ['name', 'kind'])])

export const pointsShopServer = implement(contract, handlers)
