import { and, eq, lte, ne, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { rulesOf, type Order } from '#src/areas/order/orderFacts.server.ts'
import { pointsOfRule, rateAt, type PointsRule } from '#src/areas/pointsRule/inForce.server.ts'
import type { BuyConfig } from '#src/areas/pointsRule/rule.ts'
import { product } from '#src/areas/product/product.table.ts'
import { joined } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { bookedAs } from './book.server.ts'
import { explainBuy, type Explained } from './buying.ts'
import { earnPoints } from './points.server.ts'
import { points_due, points_ledger } from './points.table.ts'
import { goneOf, takeBackEarned, type Row } from './reversing.server.ts'
import { pointsTitles } from './titles.ts'

const above = (tree: 'shop_category' | 'e_category') =>
  sql`(with recursive up as (select id, parent_id from ${sql.identifier(tree)}
    where id = ${product.category_id} union select c.id, c.parent_id from ${sql.identifier(tree)} c
    join up on up.parent_id = c.id) select coalesce(json_agg(id), '[]'::json) from up)`
/** The lines of an order, each with its category and all above it. */
const itemsOf = (tx: Db, order_id: number) =>
  tx
    .select({
      title: order_item.title,
      kind: sql<string>`${product.kind}`,
      pay_cents: order_item.pay_cents,
      store_id: order_item.store_id,
      categories: sql<
        number[]
      >`case when ${product.kind} = 'elist' then ${above('e_category')} else ${above('shop_category')} end`,
    })
    .from(order_item)
    .innerJoin(product, eq(product.id, order_item.product_id))
    .where(eq(order_item.order_id, order_id))
/** What an order earns by the rule and the rate in force when it was paid, and why. */
export const explainOrder = async (
  tx: Db,
  row: Order,
  now: number,
): Promise<Explained & { rule: PointsRule | undefined }> => {
  const at = row.paid_at ?? now
  const rule = await pointsOfRule(tx, 'buy', row.mall_id ?? undefined, at)
  const { rate } = await rateAt(tx, at)
  const [who] = await tx
    .select({ level: member.level, vip_end_at: member.vip_end_at })
    .from(member)
    .where(eq(member.id, row.member_id ?? 0))
  const items = await itemsOf(tx, row.id)
  const day = dayStart(now)
  const [today] = await tx
    .select({ n: sql<number>`coalesce(sum(${points_ledger.delta}), 0)::int` })
    .from(points_ledger)
    .where(
      and(
        eq(points_ledger.member_id, row.member_id ?? 0),
        eq(points_ledger.kind, 'earn'),
        eq(points_ledger.biz_kind, 'buy'),
        ne(points_ledger.biz_no, row.order_no),
        sql`${points_ledger.at} >= ${day} and ${points_ledger.at} < ${day + DAY}`,
      ),
    )
  const { refund_policy } = await rulesOf(tx, row)
  const explained = explainBuy({
    rule: (rule?.config as BuyConfig | undefined) ?? null,
    rate,
    order: { ...row, has_member: row.member_id !== null, refundable: refund_policy === 'anytime' },
    items,
    buyer: { level: who?.level ?? 0, vip: (who?.vip_end_at ?? 0) > at, at },
    today: today!.n,
    daily_cap: rule?.daily_cap ?? null,
  })
  return { ...explained, rule }
}
/** What an order has earned and still has, once its points were booked. */
export const earnedBy = (tx: Db, row: Pick<Order, 'order_no'>): Promise<Row | undefined> =>
  bookedAs(tx, { kind: 'earn', biz_kind: 'buy', biz_no: row.order_no })
/**
 * Books what an order earns, or takes back what it earned too much since something of it went back:
 * any number of times with the same end. Answers how many points came or went.
 */
export const settleOrder = async (
  tx: Db,
  row: Order,
  of: { now: number; operator_id?: number; note?: string },
): Promise<number> => {
  if (row.member_id === null) return 0
  const { points, waits, rule } = await explainOrder(tx, row, of.now)
  const booked = await earnedBy(tx, row)
  if (booked) {
    const { over, taken } = (await goneOf(tx, [booked])).get(booked.id)!
    const due = Math.min(points, booked.delta)
    const much = booked.delta - over - taken - due
    if (much <= 0 || row.refunded_cents === 0) return 0
    // Each amount that is back takes its own share, once.
    const no = `${row.order_no}~${row.refunded_cents}`
    const buy = { biz_kind: 'buy' as const, biz_no: row.order_no }
    const why = joined(['订单退款', 'Order refunded'])
    return -(await takeBackEarned(tx, { ...buy, points: much, no, why, now: of.now }))
  }
  if (waits || points === 0) return 0
  const id = await earnPoints(tx, {
    member_id: row.member_id,
    points,
    biz_kind: 'buy',
    biz_no: row.order_no,
    order_id: row.id,
    rule_id: rule!.id,
    title: pointsTitles.bought,
    ...of,
  })
  return id === null ? 0 : points
}
const SOME = 200
/** How long an order that could not be settled waits for its next try, in seconds. */
const LATER = 600
const settleOne = (database: Database, id: number, now: number): Promise<number> =>
  database.transaction(async tx => {
    const gone = await tx.delete(points_due).where(eq(points_due.order_id, id)).returning()
    const [row] = await tx.select().from(order).where(eq(order.id, id))
    if (gone.length === 0 || !row) return 0
    await settleOrder(tx, row, { now })
    return 1
  })
/**
 * Settles the points of orders that changed, some at every call; answers how many. One that fails
 * keeps no other back: it comes later, and the first failure is thrown at the end.
 */
export const settleDue = async (database: Database, now: number): Promise<number> => {
  const due = await database.db
    .select({ id: points_due.order_id })
    .from(points_due)
    .where(lte(points_due.at, now))
    .orderBy(points_due.at)
    .limit(SOME)
  const failures: unknown[] = []
  let n = 0
  for (const { id } of due)
    try {
      n += await settleOne(database, id, now)
    } catch (error) {
      failures.push(error)
      await database.db
        .update(points_due)
        .set({ at: now + LATER })
        .where(eq(points_due.order_id, id))
    }
  if (failures.length > 0) throw failures[0]
  return n
}
