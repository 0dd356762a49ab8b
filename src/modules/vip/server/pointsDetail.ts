import { and, count, desc, eq, gte, inArray, ne, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { orderStatuses } from '#src/areas/order/order.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { points_goods } from '#src/areas/points/points.table.ts'
import { points_stock_log } from '#src/areas/points/shop.table.ts'
import {
  changeStock,
  firstPlace,
  goodsFor,
  goodsSeen,
  lockShop,
  shopGoodsRecord,
} from '#src/areas/points/shopGoods.server.ts'
import { say } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart, SHANGHAI } from '#src/domain/time.ts'
import { implement, type Db, type Handler } from '#src/server/call/implement.ts'
import { exporting, holding, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { countOf } from '#src/server/db/paging.ts'
import { goodsDetail as contract, type Redemption } from '../contract/pointsGoods.ts'
import { profileOf } from './pointsEdit.ts'
import { goodsWith } from './pointsRows.ts'

const DAYS = 30
const NAME_MOST = 60
type Item = typeof order_item.$inferSelect
type Filters = { goods_id: number }
const exchanged = (goods_id: number): SQL =>
  and(eq(order_item.points_goods_id, goods_id), eq(order_item.kind, 'points'))!
/** Exchanges of goods that the person sees. */
const exchanges = record(order_item, {
  object: 'order',
  label: () => '',
  keys: [],
  places: ({ scope }) => {
    const mine = goodsSeen(scope)
    return (
      mine &&
      sql`${order_item.points_goods_id} in (select ${points_goods.id} from ${points_goods} where ${mine})`
    )
  },
})
const shownItems = async (db: Db, rows: readonly Item[]): Promise<Redemption[]> => {
  const ids = rows.map(row => row.order_id)
  const found = await db
    .select({
      id: order.id,
      order_no: order.order_no,
      status: order.status,
      member_id: order.member_id,
      member_name: sql<string>`coalesce(${member.nickname}, '')`,
      points: order.points_used,
      cash_cents: order.pay_cents,
    })
    .from(order)
    .leftJoin(member, eq(member.id, order.member_id))
    .where(inArray(order.id, ids))
  const by = new Map(found.map(one => [one.id, one]))
  return rows.flatMap(row => {
    const of = by.get(row.order_id)
    if (!of) return []
    const { id: order_id, ...told } = of
    return [{ ...row, ...told, order_id, back_n: row.stock_returned }]
  })
}
const list = listing(exchanges, {
  by: order_item.id,
  down: true,
  where: ({ goods_id }: Filters) => exchanged(goods_id),
  shown: shownItems,
})
/** Orders of exchanges that took goods, those that were never paid left out. */
const taken = (goods_id: number): SQL => and(exchanged(goods_id), ne(order.pay_state, 'closed'))!
const sharesBy = async (db: Db, goods_id: number, name: SQL<string>) =>
  db
    .select({ name, n: sql<number>`sum(${order_item.qty})::int` })
    .from(order_item)
    .innerJoin(order, eq(order.id, order_item.order_id))
    .leftJoin(member, eq(member.id, order.member_id))
    .leftJoin(city, eq(city.id, member.city_id))
    .where(taken(goods_id))
    .groupBy(name)
    .orderBy(desc(sql`2`), name)
    .limit(8)
/** Pieces exchanged on each of the last days, those without any included. */
const daysOf = async (db: Db, goods_id: number, now: number) => {
  const since = dayStart(now) - (DAYS - 1) * DAY
  const day = sql<number>`(${order_item.created_at} + ${SHANGHAI}) / ${DAY}`
  const rows = await db
    .select({ day, n: sql<number>`sum(${order_item.qty})::int` })
    .from(order_item)
    .innerJoin(order, eq(order.id, order_item.order_id))
    .where(and(taken(goods_id), gte(order_item.created_at, since)))
    .groupBy(sql`1`)
  const by = new Map(rows.map(row => [Number(row.day), row.n]))
  return Array.from({ length: DAYS }, (_, n) => {
    const at = since + n * DAY
    return { day: dateOf(at), n: by.get((at + SHANGHAI) / DAY) ?? 0 }
  })
}
const limitedOf = async (db: Db, goods_id: number, limit: number | null): Promise<number> => {
  if (limit === null) return 0
  const full = db
    .select({ member_id: order.member_id })
    .from(order_item)
    .innerJoin(order, eq(order.id, order_item.order_id))
    .where(and(taken(goods_id), ne(order.refund_state, 'refunded')))
    .groupBy(order.member_id)
    .having(gte(sql`sum(${order_item.qty})`, limit))
    .as('full')
  return (await db.select({ n: count() }).from(full))[0]!.n
}
const refundsOf = async (db: Db, goods_id: number) =>
  (
    await db
      .select({
        refunding_n: sql<number>`(count(*) filter (where ${order.refund_state} = 'refunding'))::int`,
        refunded_n: sql<number>`(count(*) filter (where ${order.refund_state} = 'refunded'))::int`,
      })
      .from(order_item)
      .innerJoin(order, eq(order.id, order_item.order_id))
      .where(taken(goods_id))
  )[0]!

const handlers = {
  lst: list.page,
  found: async ({ keyword, page, pageSize }, { db, staff }) => {
    const where = and(
      goodsSeen(staff.scope),
      holding(keyword, [points_goods.name], points_goods.id),
    )
    const rows = await goodsWith(db, where)
      .orderBy(desc(points_goods.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return {
      list: rows.map(({ goods, zone }) => ({ ...goods, zone_name: zone.name })),
      ...(await countOf(db, points_goods, where)),
    }
  },
  facts: async ({ id }, { db, staff, now }) => {
    const { limit_per_member } = await shopGoodsRecord.read(db, staff, id)
    return {
      row: await profileOf(db, id),
      days: await daysOf(db, id, now),
      levels: await sharesBy(db, id, sql<string>`'V' || coalesce(${member.level}, 0)`),
      cities: await sharesBy(db, id, sql<string>`coalesce(${city.city_name}, '—')`),
      limited_n: await limitedOf(db, id, limit_per_member),
      ...(await refundsOf(db, id)),
    }
  },
  moves: async ({ id, page, pageSize }, { db, staff }) => {
    await shopGoodsRecord.read(db, staff, id)
    const where = eq(points_stock_log.goods_id, id)
    const rows = await db
      .select({
        move: points_stock_log,
        order_no: sql<string>`coalesce(${order.order_no}, '')`,
        by: sql<string>`coalesce(${admin.name}, '')`,
      })
      .from(points_stock_log)
      .leftJoin(order, eq(order.id, points_stock_log.order_id))
      .leftJoin(admin, eq(admin.id, points_stock_log.operator_id))
      .where(where)
      .orderBy(desc(points_stock_log.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const moves = rows.map(({ move, ...of }) => ({ ...move, ...of }))
    return { list: moves, ...(await countOf(db, points_stock_log, where)) }
  },
  refill: async ({ quantity, reason, ...one }, context) => {
    const was = await shopGoodsRecord.heldFast(context, one)
    if (was.status === 'draft')
      throw ruled('is_draft', ['草稿请在编辑页改库存', 'Set the stock of a draft in its form'])
    const stock = was.stock + quantity
    return changeStock(context, was, { kind: 'refill', stock, field: 'quantity', reason })
  },
  offShelf: async ({ reason, ...one }, context) => {
    const was = await goodsFor(context, 'offShelf', one)
    return shopGoodsRecord.save(context, was, { status: 'off', off_reason: reason }, reason)
  },
  copyItem: async (one, context) => {
    await lockShop(context.tx)
    const was = await shopGoodsRecord.held(context, one)
    const { id: _, version: __, created_at: ___, updated_at: ____, ...fields } = was
    const end = '（副本）'
    return shopGoodsRecord.add(context, {
      ...fields,
      name: `${[...was.name].slice(0, NAME_MOST - end.length).join('')}${end}`,
      stock: 0,
      held: 0,
      sold: 0,
      status: 'draft',
      off_reason: '',
      sort: await firstPlace(context.tx, was.zone_id),
    })
  },
  export: exporting(list, {
    page: 'vip.pointsShop.Detail',
    title: ['积分商品兑换记录', 'Redemptions of points-shop goods'],
    permit: contract.export.permit,
    columns: [
      { key: 'order_no', title: ['订单号', 'Order'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'member_id', title: ['会员编号', 'Member'] },
      { key: 'member_name', title: ['昵称', 'Nickname'] },
      { key: 'qty', title: ['件数', 'Quantity'], kind: 'number' },
      { key: 'points', title: ['积分', 'Points'], kind: 'number' },
      { key: 'cash_cents', title: ['现金', 'Cash'], kind: 'money' },
      { key: 'back_n', title: ['退回件数', 'Returned'], kind: 'number' },
      { key: 'created_at', title: ['兑换时间', 'When'], kind: 'time' },
    ],
    words: ({ goods_id }: Filters) => [`#${goods_id}`],
    cells: (row, { lang }) => ({
      ...row,
      member_id: String(row.member_id ?? ''),
      status: say(orderStatuses[row.status], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const pointsDetailServer = implement(contract, handlers)
