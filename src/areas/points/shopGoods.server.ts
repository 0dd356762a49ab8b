import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { isGiven } from '#src/areas/coupon/claiming.server.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { coupons } from '#src/areas/coupon/couponRecord.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { Db, Scope, WriteContext } from '#src/server/call/implement.ts'
import { faultless, record, unlessTaken } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { points_goods } from './points.table.ts'
import type { PointsKind } from './points.ts'
import {
  goodsFaults,
  shopCan,
  ZONE_GOODS_MOST,
  zoneFaults,
  type Delivery,
  type ShopVerb,
} from './shop.ts'
import { needStock, noteShopStock } from './shopStock.server.ts'
import { points_zone } from './zone.table.ts'

export type Goods = typeof points_goods.$inferSelect
export type Zone = typeof points_zone.$inferSelect
type Product = typeof product.$inferSelect

/** What is written of goods by their form. */
export const writtenOfGoods = [
  'zone_id',
  'kind',
  'name',
  'product_id',
  'coupon_id',
  'points_price',
  'cash_cents',
  'original_cents',
  'cost_cents',
  'limit_per_member',
  'level_min',
  'delivery',
  'start_at',
  'end_at',
  'images',
  'detail',
] as const
const ofProduct = (column: SQL) =>
  sql`(select ${column} from ${product} p where p.id = ${points_goods.product_id})`
/** Goods stand where their product is. */
export const goodsSeen = (scope: Scope): SQL | undefined =>
  within(scope, { city: ofProduct(sql`p.city_id`), mall: ofProduct(sql`p.mall_id`) })
export const shopGoodsRecord = record(points_goods, {
  object: 'points_goods',
  label: row => row.name,
  keys: [...writtenOfGoods, 'stock', 'status', 'off_reason', 'sort'],
  places: ({ scope }) => goodsSeen(scope),
})
export const zoneRecord = record(points_zone, {
  object: 'points_zone',
  label: row => row.name,
  keys: ['name', 'kind'],
  places: 'all',
})
/** Changes of the order of zones, and of what stands in them, wait for each other. */
export const lockShop = (tx: Db) => lockSequence(tx, 'points_zone')

/** The goods as the person holds them, locked; 404, 409, or 422 where that can't be done now. */
export const goodsFor = async (
  context: WriteContext,
  verb: ShopVerb,
  one: { id: number; version: number },
): Promise<Goods> => {
  const was = await shopGoodsRecord.heldFast(context, one)
  const may = shopCan(verb, was, context.now)
  if (may !== true) throw ruled(`goods_${verb}`, may)
  return was
}
export const zoneOf = async (tx: Db, id: number): Promise<Zone> => {
  const [zone] = await tx.select().from(points_zone).where(eq(points_zone.id, id))
  if (!zone) throw missing()
  return zone
}
/**
 * The number before all goods of a zone, which the caller has locked (`lockShop`); 422 where the
 * zone holds no more.
 */
export const firstPlace = async (tx: Db, zone_id: number, but?: number): Promise<number> => {
  const [found] = await tx
    .select({
      sort: sql<number>`coalesce(max(${points_goods.sort}), 0)::int + 1`,
      n: sql<number>`count(*) filter (where ${points_goods.id} <> ${but ?? 0})::int`,
    })
    .from(points_goods)
    .where(eq(points_goods.zone_id, zone_id))
  if (found!.n >= ZONE_GOODS_MOST)
    throw ruled(
      'zone_full',
      ['一个分区最多 {n} 件商品，请换一个分区', 'A zone holds {n}: choose another'],
      { n: ZONE_GOODS_MOST },
    )
  return found!.sort
}

/** What kinds of product supply goods of a kind. */
export const suppliedBy = {
  physical: ['elist', 'goods'],
  voucher: ['voucher'],
  coupon: ['elist'],
  ecard: ['elist'],
} as const satisfies Record<PointsKind, readonly Product['kind'][]>
const suppliedWay = (kind: PointsKind, of: Product): Delivery => {
  if (kind !== 'physical') return 'auto'
  return of.kind === 'goods' ? 'pickup' : 'express'
}
type Written = Pick<Goods, (typeof writtenOfGoods)[number]>
const needProduct = async ({ tx, staff }: WriteContext, goods: Written): Promise<Product> => {
  const [found] = await tx
    .select()
    .from(product)
    .where(
      and(
        eq(product.id, goods.product_id),
        within(staff.scope, { city: product.city_id, mall: product.mall_id }),
      ),
    )
  if (!found) throw missing()
  const kinds: readonly string[] = suppliedBy[goods.kind]
  faultless(staff, {
    product_id: kinds.includes(found.kind)
      ? undefined
      : ['该商品不能作为这类积分商品的货源', 'It does not supply goods of this kind'],
    delivery:
      suppliedWay(goods.kind, found) === goods.delivery
        ? undefined
        : ['发放方式与货源不符：电商商品快递，到店商品领取', 'It is not given that way'],
  })
  return found
}
/** Throws 400 or 404 where what is written of goods does not agree, or its zone asks for more. */
export const needWritten = async (context: WriteContext, goods: Written): Promise<void> => {
  faultless(context.staff, goodsFaults(goods))
  await needProduct(context, goods)
  if (goods.coupon_id !== null) await coupons.read(context.tx, context.staff, goods.coupon_id)
}
const needCoupon = async (tx: Db, goods: Goods, now: number): Promise<void> => {
  if (goods.coupon_id === null) return
  const [given] = await tx
    .select({ name: coupon.name, left: sql<number>`${coupon.total} - ${coupon.claimed_count}` })
    .from(coupon)
    .where(and(eq(coupon.id, goods.coupon_id), isGiven(now)))
  if (!given)
    throw ruled('coupon_not_given', [
      '关联的优惠券未在发放中，请更换或恢复发放',
      'The coupon is not given out now: choose another, or give it out again',
    ])
  if (given.left < goods.stock)
    throw ruled(
      'coupon_short',
      [
        '优惠券「{name}」剩余 {left} 张，不够库存 {stock} 件，请增发或调低库存',
        '“{name}” has {left} left for a stock of {stock}: add pieces, or lower the stock',
      ],
      { name: given.name, left: given.left, stock: goods.stock },
    )
}
const needPickup = async (tx: Db, of: Product): Promise<void> => {
  const [place] = await tx.select({ status: mall.status }).from(mall).where(eq(mall.id, of.mall_id))
  if (place && place.status !== 'online')
    throw ruled('mall_not_online', [
      '领取的商场未上线，不能上架到店领取的商品',
      'The mall is not online, so nothing can be fetched there',
    ])
}
/**
 * Throws 422 or 400 unless goods may stand on the shelf of their zone: something is left, the zone's
 * terms are met, the product is on sale and, of a coupon, its pieces cover the stock.
 */
export const needShelf = async (context: WriteContext, goods: Goods): Promise<void> => {
  const { tx, now, staff } = context
  const zone = await zoneOf(tx, goods.zone_id)
  faultless(staff, zoneFaults({ ...goods, zone_kind: zone.kind }))
  const may = shopCan('onShelf', { ...goods, status: 'off' }, now)
  if (may !== true) throw ruled('goods_onShelf', may)
  const of = await needProduct(context, goods)
  if (of.state !== 'on_sale')
    throw ruled('product_not_on_sale', [
      '货源商品未在售，请先上架货源或更换',
      'The product is not on sale: put it on sale, or choose another',
    ])
  await needCoupon(tx, goods, now)
  if (goods.delivery === 'pickup') await needPickup(tx, of)
}
/** Puts goods on the shelf of their zone; what a draft has in stock begins its account. */
export const putOnShelf = async (context: WriteContext, was: Goods): Promise<Goods> => {
  await needShelf(context, was)
  const after = await shopGoodsRecord.save(context, was, { status: 'on', off_reason: '' })
  if (was.status === 'draft')
    await noteShopStock(context.tx, {
      goods_id: was.id,
      kind: 'init',
      delta: was.stock,
      operator_id: context.staff.id,
    })
  return after
}
/**
 * Sets the stock of goods that are held, by a difference, as exchanges take from it meanwhile; its
 * account begins only when a draft goes on the shelf.
 */
export const changeStock = async (
  context: WriteContext,
  was: Goods,
  of: { kind: 'refill' | 'adjust'; stock: number; field: 'stock' | 'quantity'; reason: string },
): Promise<Goods> => {
  const { stock, kind, reason } = of
  needStock(context, was, of)
  if (was.status === 'on') await needCoupon(context.tx, { ...was, stock }, context.now)
  const after = await shopGoodsRecord.save(context, was, { stock }, reason)
  if (was.status !== 'draft')
    await noteShopStock(context.tx, {
      goods_id: was.id,
      kind,
      delta: stock - was.stock,
      reason,
      operator_id: context.staff.id,
    })
  return after
}
/** What a name of a zone comes to: 422 where another has it. */
export const zoneOnce = <T>({ staff }: WriteContext, run: Promise<T>): Promise<T> =>
  unlessTaken(run, () =>
    ruled(
      'name_taken',
      ['已有同名分区', 'A zone has that name'],
      {},
      {
        fields: {
          name: staff.lang === 'zh' ? '已有同名分区，请换一个' : 'Taken: choose another',
        },
      },
    ),
  )
/** Ids of the goods of a zone in the order in which members see them. */
export const goodsInOrder = async (tx: Db, zone_id: number): Promise<number[]> =>
  (
    await tx
      .select({ id: points_goods.id })
      .from(points_goods)
      .where(eq(points_goods.zone_id, zone_id))
      .orderBy(desc(points_goods.sort))
  ).map(one => one.id)
/** Numbers goods in the order given: the first has the highest number. */
export const numberGoods = async (tx: Db, order: readonly number[]): Promise<void> => {
  const ids = sql.param(order)
  await tx.execute(sql`
    update points_goods g set sort = ${order.length} - of.at::int + 1
    from unnest(${ids}::int[]) with ordinality as of(id, at) where g.id = of.id`)
}
/** How many of some goods the person does not see. */
export const hiddenOf = async (tx: Db, scope: Scope, ids: readonly number[]): Promise<number> => {
  if (ids.length === 0) return 0
  const seen = await tx.$count(
    points_goods,
    and(inArray(points_goods.id, [...ids]), goodsSeen(scope)),
  )
  return ids.length - seen
}
/** 422 where the order would move goods that the person does not see. */
export const needWhole = (hidden: number): void => {
  if (hidden > 0)
    throw ruled(
      'not_whole',
      [
        '分区里有 {n} 件商品不在你的数据范围内，顺序由能看到全部商品的人调整',
        '{n} of the zone are outside your data: somebody who sees all of them orders it',
      ],
      { n: hidden },
    )
}
