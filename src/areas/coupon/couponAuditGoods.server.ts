/** The goods of a coupon's scope as an auditor weighs them; nothing here changes a row. */
import { and, asc, desc, eq, gt, inArray, notInArray, sql, type SQL } from 'drizzle-orm'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { chosenRows, type Chosen } from '#src/server/exports/exports.ts'
import { cutBy, type CouponTerms } from './coupon.ts'
import type { GoodsThen } from './couponAudit.ts'
import type { Weighed } from './couponAuditMargin.ts'
import { linesFor } from './coupons.server.ts'

const p = product
const sold = { local: ['bulks', 'card', 'voucher', 'goods'], ecom: ['elist'] } as const
/** True of goods with a store of which `is` holds and that the coupon does not exclude. */
const atStore = ({ scope, exclude_ids }: CouponTerms, is: SQL): SQL =>
  sql`exists (select 1 from product_store ps join store s on s.id = ps.store_id where ps.product_id = ${p.id} and ps.status = 'on' and ${is} ${
    scope === 'local' && exclude_ids.length > 0 ? sql`and s.id not in ${[...exclude_ids]}` : sql``
  })`
/** Categories, with those that they were merged into and all below them. */
const below = (ids: readonly number[]): SQL => {
  const tree = sql`(select id, parent_id, merged_into from shop_category union all select id, parent_id, merged_into from e_category)`
  return sql`(with recursive down as (select coalesce(c.merged_into, c.id) id, 0 depth from ${tree} c where c.id in ${[...ids]} union select c.id, down.depth + 1 from down join ${tree} c on c.parent_id = down.id where down.depth < 9) select id from down union select unnest(${sql.param(`{${ids.join()}}`)}::int[]))`
}
const applied = (of: CouponTerms): SQL => {
  const ids = [...of.apply_ids]
  if (of.apply_kind === 'all') return of.scope === 'local' ? atStore(of, sql`true`) : sql`true`
  if (ids.length === 0) return sql`false`
  switch (of.apply_kind) {
    case 'category':
      return sql`(${p.category_id} in ${below(ids)} or ${atStore(of, sql`s.category_id in ${below(ids)}`)})`
    case 'mall':
      return atStore(of, sql`s.mall_id in ${ids}`)
    case 'store':
      return atStore(of, sql`s.id in ${ids}`)
    case 'product':
      return inArray(p.id, ids)
    case 'shop':
      return inArray(p.merchant_id, ids)
  }
}
/** Goods on sale that a coupon is for. */
const inScope = (of: CouponTerms): SQL | undefined =>
  and(
    eq(p.state, 'on_sale'),
    gt(p.price_cents, 0),
    inArray(p.kind, [...sold[of.scope]]),
    of.city_ids.length > 0 ? inArray(p.city_id, [...of.city_ids]) : undefined,
    of.scope === 'ecom' && of.exclude_ids.length > 0
      ? notInArray(p.id, [...of.exclude_ids])
      : undefined,
    applied(of),
  )

const columns = {
  id: p.id,
  title: p.title,
  merchant_id: p.merchant_id,
  merchant_name: merchant.name,
  category_id: p.category_id,
  store_ids: p.store_ids,
  in_activity: p.in_activity,
  city_id: p.city_id,
  price_cents: p.price_cents,
  settle_price_cents: p.settle_price_cents,
}
type Found = Omit<Weighed, 'line'> & {
  merchant_id: number
  category_id: number
  store_ids: number[]
  in_activity: boolean
}
const weighed = async (db: Db, found: readonly Found[]): Promise<Weighed[]> => {
  if (found.length === 0) return []
  const lines = await linesFor(
    db,
    found.map(item => ({ item, price_cents: item.price_cents, cost_cents: item.price_cents })),
  )
  return found.map((item, at) => ({ ...item, line: lines[at]! }))
}
/**
 * The money that is left of the smallest purchase that reaches the threshold: the least comes
 * first.
 */
const left = ({ threshold_cents }: CouponTerms): SQL =>
  sql`ceil(greatest(${threshold_cents}::bigint, 1)::numeric / ${p.price_cents}) * (${p.price_cents} - ${p.settle_price_cents})`
const THIN = 20
const SELLING = 6
/** Those of the goods of a scope that lose most by a coupon, by amount and by rate, and some that sell best. */
export const weighedGoods = async (db: Db, of: CouponTerms): Promise<Weighed[]> => {
  const ranked = db
    .select({
      id: p.id,
      amount: sql<number>`row_number() over (order by ${left(of)}, ${p.id})`.as('amount'),
      rate: sql<number>`row_number() over (order by (${p.price_cents} - ${p.settle_price_cents})::numeric / ${p.price_cents}, ${p.id})`.as(
        'rate',
      ),
      selling: sql<number>`row_number() over (order by ${p.sold} desc, ${p.id})`.as('selling'),
    })
    .from(p)
    .where(inScope(of))
    .as('ranked')
  const found = await db
    .select(columns)
    .from(ranked)
    .innerJoin(p, eq(p.id, ranked.id))
    .innerJoin(merchant, eq(merchant.id, p.merchant_id))
    .where(
      sql`${ranked.amount} <= ${THIN} or ${ranked.rate} <= ${THIN} or ${ranked.selling} <= ${SELLING}`,
    )
    .orderBy(asc(ranked.amount))
  return weighed(db, found)
}
/** How much a coupon is for: goods on sale, and those who sell them. */
export const scopeSize = async (
  db: Db,
  of: CouponTerms,
  chosen: Chosen = {},
): Promise<{ goods: number; merchants: number }> => {
  const [size] = await db
    .select({
      goods: sql<number>`count(*)::int`,
      merchants: sql<number>`count(distinct ${p.merchant_id})::int`,
    })
    .from(p)
    .where(and(inScope(of), chosenRows(p.id, chosen)))
  return size!
}
/** A page of the goods of a scope, those that earn least first, and how many there are. */
export const scopeGoods = async (
  db: Db,
  of: CouponTerms,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ list: Weighed[]; total: number }> => {
  const found = await db
    .select(columns)
    .from(p)
    .innerJoin(merchant, eq(merchant.id, p.merchant_id))
    .where(inScope(of))
    .orderBy(left(of), asc(p.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list: await weighed(db, found), total: (await scopeSize(db, of)).goods }
}

/** Goods of a scope in the order of their ids, after one of them: a file is written of these. */
export const scopeGoodsAfter = async (
  db: Db,
  of: CouponTerms,
  { after, limit, ...chosen }: { after: number; limit: number } & Chosen,
): Promise<Weighed[]> => {
  const found = await db
    .select(columns)
    .from(p)
    .innerJoin(merchant, eq(merchant.id, p.merchant_id))
    .where(and(inScope(of), gt(p.id, after), chosenRows(p.id, chosen)))
    .orderBy(asc(p.id))
    .limit(limit)
  return weighed(db, found)
}

/** A submission keeps the prices of so many goods. */
const KEPT = 1000
/** What the goods of a scope cost now, those that earn least first. */
export const goodsThen = async (db: Db, of: CouponTerms): Promise<GoodsThen> => {
  const found = await db
    .select({ id: p.id, price: p.price_cents, settle: p.settle_price_cents })
    .from(p)
    .where(inScope(of))
    .orderBy(left(of), asc(p.id))
    .limit(KEPT + 1)
  const kept = found.slice(0, KEPT)
  return {
    of: Object.fromEntries(kept.map(one => [one.id, [one.price, one.settle] as const])),
    whole: found.length <= KEPT,
  }
}

const EXAMPLES = 3
/** What a coupon would take off the latest paid orders that hold some of these goods; the orders stay as they are. */
export const workedOrders = async (db: Db, of: CouponTerms, ids: readonly number[]) => {
  if (ids.length === 0) return []
  const latest = await db
    .select({ id: order_item.order_id })
    .from(order_item)
    .innerJoin(order, eq(order.id, order_item.order_id))
    .where(
      and(
        inArray(order_item.product_id, [...ids]),
        inArray(order_item.kind, [...sold[of.scope]]),
        eq(order.pay_state, 'paid'),
      ),
    )
    .groupBy(order_item.order_id)
    .orderBy(desc(order_item.order_id))
    .limit(EXAMPLES)
  if (latest.length === 0) return []
  const rows = await db
    .select({ order, item: order_item, product })
    .from(order)
    .innerJoin(order_item, eq(order_item.order_id, order.id))
    .innerJoin(product, eq(product.id, order_item.product_id))
    .where(
      inArray(
        order.id,
        latest.map(one => one.id),
      ),
    )
    .orderBy(desc(order.id), asc(order_item.id))
  const lines = await linesFor(
    db,
    rows.map(({ item, product: one }) => ({
      item: one,
      price_cents: item.price_cents,
      cost_cents: item.price_cents * item.qty,
    })),
  )
  return latest.flatMap(({ id }) => {
    const own = rows.flatMap((row, at) =>
      row.order.id === id ? [{ ...row, line: lines[at]! }] : [],
    )
    const [first] = own
    if (!first) return []
    const cut = cutBy(of, {
      scope: of.scope,
      city_id: first.order.city_id,
      at: first.order.created_at,
      freight_cents: first.order.freight_cents,
      lines: own.map(one => one.line),
      other_cents: 0,
      reduced: false,
    })
    const total_cents = own.reduce((sum, one) => sum + one.line.cost_cents, 0)
    return [
      {
        id,
        order_no: first.order.order_no,
        at: first.order.created_at,
        titles: own.map(one => `${one.item.title} ×${one.item.qty}`),
        total_cents,
        cut: 'rule' in cut ? null : cut,
        refused:
          'rule' in cut
            ? { text: [cut.text[0], cut.text[1]] as [string, string], values: cut.values ?? {} }
            : null,
      },
    ]
  })
}
