import { and, sql } from 'drizzle-orm'
import type { AuditState } from '#src/areas/audit/audit.ts'
import type { MerchantState } from '#src/areas/merchant/merchant.ts'
import type { GoodsVerb } from '#src/areas/product/goods.ts'
import {
  atStore,
  goodsFacts,
  goodsRecord,
  goodsShelf,
  inAudit,
  inCategory,
  named,
  type Goods,
} from '#src/areas/product/goodsRows.server.ts'
import { lowStock, product } from '#src/areas/product/product.table.ts'
import type { ProductState } from '#src/areas/product/product.ts'
import {
  LOW_STOCK,
  priceBands,
  shippedFault,
  type GoodsLock,
  type PriceBand,
} from '#src/areas/product/shipped.ts'
import { skusOf, type Sku } from '#src/areas/product/skus.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { equal, listing } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'

export type Filters = {
  keyword?: string
  state?: ProductState
  city_id?: number
  store_id?: number
  category_id?: number
  price?: PriceBand
  low_stock?: boolean
}
/** Goods that are shipped, as handlers read, change and log them. */
export const goods = goodsRecord('elist')
/** A variant as it is shown. */
export const skuShown = (sku: Sku) => ({ ...sku, stock_left: sku.stock - sku.held })
/** Some of it may be sold: of a variant, where it has variants. */
const isStocked = (of: Goods, skus: readonly Sku[]): boolean =>
  of.stock > of.held && (skus.length === 0 || skus.some(sku => sku.stock > sku.held))

/** Facts of a product `p` that decide whether it may change: a bundle on sale locks its parts. */
const standing = sql`case when p.in_activity then 'activity' when exists (select 1 from combo b where b.status = 'on' and b.parts @> jsonb_build_array(jsonb_build_object('product_id', p.id))) then 'combo' end lock,
  exists (select 1 from product_store ps join store s on s.id = ps.store_id where ps.product_id = p.id and ps.status = 'on' and s.kind = 'online' and s.status = 'open') has_open_shop`
type Standing = { lock: GoodsLock | null; has_open_shop: boolean }

/** Refuses a verb by the rules of shipped goods, as the product stands. */
export const needShipped = async (
  { tx, now }: WriteContext,
  verb: GoodsVerb,
  of: Goods,
): Promise<void> => {
  const { rows } = await tx.execute<Standing>(
    sql`select ${standing} from product p where p.id = ${of.id}`,
  )
  const skus = (await skusOf(tx, [of.id])).get(of.id) ?? []
  const facts = { ...(await goodsFacts(tx, of)), ...rows[0]!, is_stocked: isStocked(of, skus) }
  const fault = shippedFault(verb, facts, now)
  if (fault) throw ruled(fault.rule, fault.text, {}, { current: { state: of.state } })
}
export const shelf = goodsShelf(goods, needShipped)

/** Found by those that have few left, themselves or of a variant, so that no other is looked at. */
const isLow = sql`${product.state} = 'on_sale' and ${product.id} in (select id from product where kind = 'elist' and state = 'on_sale' and ${lowStock} union all select product_id from product_sku where status = 'on' and ${lowStock})`
/** The list of shipped goods by what stands first, and what an export of it reads. */
export const list = listing(goods, {
  by: product.sort,
  down: true,
  where: ({ keyword, store_id, category_id, price, low_stock, ...same }: Filters) => {
    const band = price && priceBands[price]
    return and(
      equal(product, same),
      keyword ? named(keyword) : undefined,
      store_id === undefined ? undefined : atStore(store_id),
      category_id === undefined ? undefined : inCategory('e_category', category_id),
      band &&
        sql`${product.price_cents} >= ${band.from} and ${product.price_cents} < ${band.below}`,
      low_stock ? isLow : undefined,
    )
  },
  shown: async (db, rows, { now }) => {
    const ids = rows.map(row => row.id)
    const [beside, skus] = [await besideOf(db, ids, now), await skusOf(db, ids)]
    return rows.map(row => {
      const own = (skus.get(row.id) ?? []).map(skuShown)
      const all = own.reduce((sum, sku) => sum + sku.stock_left, 0)
      const stock_left = own.length > 0 ? Math.min(all, row.stock - row.held) : row.stock - row.held
      const left = [stock_left, ...own.map(sku => sku.stock_left)]
      return {
        ...row,
        image: row.images[0] ?? '',
        store_id: row.store_ids[0] ?? 0,
        store_count: row.store_ids.length,
        skus: own,
        stock_left,
        is_low: row.state === 'on_sale' && left.some(n => n <= LOW_STOCK),
        is_stocked: isStocked(row, own),
        off_reason: row.off_reason ?? '',
        comes_back: row.state === 'off_sale' && row.taken_off.length > 0,
        ...beside.get(row.id)!,
      }
    })
  },
})
type Beside = Standing & {
  id: number
  merchant_name: string
  merchant_status: MerchantState
  contract_end_at: number | null
  city_name: string
  mall_name: string
  category_name: string
  store_name: string
  sold_30d: number
  refund_bp: number | null
  audit_state: AuditState | null
  audit_price_cents: number | null
}
/** What stands beside goods: names, what sold in 30 days, and what waits for an audit. */
const besideOf = async (
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<Map<number, Beside>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<Beside>(sql`
    select p.id, m.name merchant_name, m.status merchant_status, m.contract_end_at::int contract_end_at, coalesce(c.city_name, '') city_name, coalesce(l.name, '') mall_name, coalesce(k.name, '') category_name,
      coalesce((select s.name from store s where s.id = (p.store_ids->>0)::int), '') store_name, u.sold_30d, (10000 * u.back / nullif(u.paid, 0))::int refund_bp, a.state audit_state, a.price_cents::int audit_price_cents, ${standing}
    from product p join merchant m on m.id = p.merchant_id left join city c on c.id = p.city_id left join mall l on l.id = p.mall_id left join e_category k on k.id = p.category_id
      cross join lateral (select coalesce(sum(i.qty), 0)::int sold_30d, count(distinct o.id) paid, count(distinct o.id) filter (where o.refund_state <> 'none') back from order_item i join "order" o on o.id = i.order_id where i.product_id = p.id and i.created_at > ${now - 30 * DAY} and o.paid_at is not null) u
      ${inAudit}
    where p.id in ${ids}`)
  return new Map(rows.map(row => [row.id, row]))
}
