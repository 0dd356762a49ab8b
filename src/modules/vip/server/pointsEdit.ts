import { and, asc, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { offeredCoupons } from '#src/areas/coupon/offered.server.ts'
import { city } from '#src/areas/place/place.table.ts'
import { points_goods } from '#src/areas/points/points.table.ts'
import {
  firstPlace,
  goodsFor,
  lockShop,
  needShelf,
  needWritten,
  putOnShelf,
  shopGoodsRecord,
  suppliedBy,
  writtenOfGoods,
  zoneOf,
  type Goods,
} from '#src/areas/points/shopGoods.server.ts'
import { points_zone } from '#src/areas/points/zone.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { faultless, holding, reverting } from '#src/server/call/record.ts'
import { invalid } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { goodsEdit as contract, type GoodsProfile } from '../contract/pointsGoods.ts'
import { goodsRow, goodsWith } from './pointsRows.ts'

type Sent = Parameters<Handler<typeof contract.saveDraft>>[0]

/** Goods with what they are supplied from and what they give. */
export const profileOf = async (db: Db, id: number): Promise<GoodsProfile> => {
  const [found] = await goodsWith(db, eq(points_goods.id, id))
  const { goods, zone } = found!
  const [of] = await db
    .select({
      title: product.title,
      state: product.state,
      left: sql<number>`${product.stock} - ${product.held}`,
      city_name: sql<string>`coalesce(${city.city_name}, '')`,
    })
    .from(product)
    .leftJoin(city, eq(city.id, product.city_id))
    .where(eq(product.id, goods.product_id))
  const [given] =
    goods.coupon_id === null
      ? []
      : await db.select({ name: coupon.name }).from(coupon).where(eq(coupon.id, goods.coupon_id))
  return {
    ...goods,
    ...goodsRow(goods, zone),
    product_title: of!.title,
    product_state: of!.state,
    product_left: of!.left,
    city_name: of!.city_name,
    coupon_name: given?.name ?? '',
  }
}

const addGoods = async (context: WriteContext, sent: Sent): Promise<Goods> => {
  const { id: _, version: __, stock, cost_cents, ...fields } = sent
  if (stock === undefined) throw invalid({ stock: ['请填写库存', 'Say how many there are'] })
  return shopGoodsRecord.add(context, {
    ...fields,
    cost_cents: cost_cents ?? 0,
    stock,
    status: 'draft',
    sort: await firstPlace(context.tx, fields.zone_id),
  })
}
/** What goods are after their first exchange stays, as orders were placed for it. */
const needSameKind = ({ staff }: WriteContext, was: Goods, next: Goods): void => {
  if (was.sold + was.held > 0)
    faultless(staff, {
      kind:
        was.kind === next.kind
          ? undefined
          : ['已有兑换，商品类型不能再改', 'It was exchanged: its kind stays'],
    })
}
const changeGoods = async (
  context: WriteContext,
  one: { id: number; version: number },
  sent: Sent,
): Promise<Goods> => {
  const { id: _, version: __, stock: counted, cost_cents, ...fields } = sent
  const was = await goodsFor(context, 'edit', one)
  const stock = was.status === 'draft' ? (counted ?? was.stock) : was.stock
  const next = { ...was, ...fields, stock, cost_cents: cost_cents ?? was.cost_cents }
  needSameKind(context, was, next)
  if (was.status === 'on') await needShelf(context, next)
  const sort =
    was.zone_id === next.zone_id ? was.sort : await firstPlace(context.tx, next.zone_id, was.id)
  const { cost_cents: costs } = next
  return shopGoodsRecord.save(context, was, {
    ...fields,
    cost_cents: costs,
    sort,
    ...(was.status === 'draft' && { stock }),
  })
}
/** Writes new goods as a draft, or what is there as it stands. */
const written = async (context: WriteContext, sent: Sent): Promise<Goods> => {
  await lockShop(context.tx)
  await zoneOf(context.tx, sent.zone_id)
  await needWritten(context, { ...sent, cost_cents: sent.cost_cents ?? 0 })
  if (sent.id === undefined) return addGoods(context, sent)
  if (sent.version === undefined)
    throw invalid({ version: ['缺少版本', 'It needs the version that was read'] })
  return changeGoods(context, { id: sent.id, version: sent.version }, sent)
}

type Paged = { page: number; pageSize: number; keyword?: string | undefined }
const offsetOf = ({ page, pageSize }: Paged) => (page - 1) * pageSize
const handlers = {
  detail: async ({ id }, { db, staff }) => {
    await shopGoodsRecord.read(db, staff, id)
    return profileOf(db, id)
  },
  zones: async (asked, { db }) => {
    const where = holding(asked.keyword, [points_zone.name])
    const list = await db
      .select({ id: points_zone.id, name: points_zone.name })
      .from(points_zone)
      .where(where)
      .orderBy(asc(points_zone.sort))
      .limit(asked.pageSize)
      .offset(offsetOf(asked))
    return { list, ...(await countOf(db, points_zone, where)) }
  },
  products: async ({ kind, ...asked }, { db, staff, now }) => {
    const where = and(
      inArray(product.kind, [...suppliedBy[kind]]),
      eq(product.state, 'on_sale'),
      gt(product.sale_end_at, now),
      holding(asked.keyword, [product.title], product.id),
      within(staff.scope, { city: product.city_id, mall: product.mall_id }),
    )
    const list = await db
      .select({ id: product.id, name: product.title })
      .from(product)
      .where(where)
      .orderBy(desc(product.id))
      .limit(asked.pageSize)
      .offset(offsetOf(asked))
    return { list, ...(await countOf(db, product, where)) }
  },
  pickRef: offeredCoupons,
  saveDraft: async (sent, context) => written(context, sent),
  submit: async (sent, context) => {
    const was = await written(context, sent)
    if (was.status === 'on') return was
    return putOnShelf(context, was)
  },
  discardDraft: async (one, context) => {
    const was = await goodsFor(context, 'discard', one)
    return shopGoodsRecord.remove(context, was)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(shopGoodsRecord, [way(contract.saveDraft, handlers.saveDraft, writtenOfGoods)])

export const pointsEditServer = implement(contract, handlers)
