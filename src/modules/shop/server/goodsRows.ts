import { and, isNotNull, isNull, sql } from 'drizzle-orm'
import type { AuditState } from '#src/areas/audit/audit.ts'
import type { MerchantState } from '#src/areas/merchant/merchant.ts'
import { ENDING_DAYS } from '#src/areas/product/goods.ts'
import {
  atStore,
  goodsRecord,
  goodsShelf,
  inAudit,
  inCategory,
  named,
  type Goods,
} from '#src/areas/product/goodsRows.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { ProductState } from '#src/areas/product/product.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { equal, listing } from '#src/server/call/record.ts'

export type Filters = {
  keyword?: string
  state?: ProductState
  city_id?: number
  mid?: number
  store_id?: number
  category_id?: number
  group?: boolean
  ending?: boolean
  short_redeem?: boolean
  sold_out?: boolean
}

/** Group-buys as handlers read, change and log them; of a merchant whose owner the person is too. */
export const goods = goodsRecord('bulks')
export const shelf = goodsShelf(goods)

const promised = sql`('locked', 'unused', 'part_used')`
/**
 * Products whose codes last longer than they may be redeemed. Only those with promised codes are
 * looked at, each found by one step down the index, however many codes it has.
 */
const isShort = sql`${product.id} in (with recursive promises as ((select product_id from order_code where state in ${promised} order by product_id limit 1) union all select (select c.product_id from order_code c where c.product_id > p.product_id and c.state in ${promised} order by c.product_id limit 1) from promises p where p.product_id is not null) select product_id from promises where product_id is not null) and exists (select 1 from order_code c where c.product_id = ${product.id} and c.state in ${promised} and c.valid_until > ${product.check_end_at} offset 0)`

const inGroups = (some: boolean) => (some ? isNotNull : isNull)(product.group_need)
/** The list of group-buys by what sells first, and what an export of it reads. */
export const list = listing(goods, {
  by: product.sort,
  down: true,
  where: (
    {
      keyword,
      mid,
      store_id,
      category_id,
      group,
      ending,
      short_redeem,
      sold_out,
      ...same
    }: Filters,
    { now },
  ) =>
    and(
      equal(product, { ...same, mall_id: mid }),
      keyword ? named(keyword) : undefined,
      store_id === undefined ? undefined : atStore(store_id),
      category_id === undefined ? undefined : inCategory('shop_category', category_id),
      group === undefined ? undefined : inGroups(group),
      ending
        ? sql`${product.state} = 'on_sale' and ${product.sale_end_at} between ${now} and ${now + ENDING_DAYS * DAY}`
        : undefined,
      short_redeem ? isShort : undefined,
      sold_out
        ? sql`${product.state} = 'on_sale' and ${product.stock} <= ${product.held}`
        : undefined,
    ),
  shown: async (db, rows) => {
    const beside = await besideOf(
      db,
      rows.map(row => row.id),
    )
    return rows.map(row => ({
      ...row,
      image: row.images[0] ?? '',
      store_id: row.store_ids[0] ?? 0,
      store_count: row.store_ids.length,
      stock_left: row.stock - row.held,
      off_reason: row.off_reason ?? '',
      comes_back: row.state === 'off_sale' && row.taken_off.length > 0,
      ...beside.get(row.id)!,
    }))
  },
})
type Beside = {
  id: number
  merchant_name: string
  merchant_status: MerchantState
  contract_end_at: number | null
  city_name: string
  mall_name: string
  category_name: string
  store_name: string
  redeemed: number
  unused_codes: number
  promised_until: number | null
  audit_state: AuditState | null
  audit_price_cents: number | null
}
/** What stands beside products: names, what is redeemed and promised, and what waits for an audit. */
const besideOf = async (db: Db, ids: readonly number[]): Promise<Map<number, Beside>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<Beside & { promised_until: string | null }>(sql`
    select p.id, m.name merchant_name, m.status merchant_status, m.contract_end_at::int contract_end_at, coalesce(c.city_name, '') city_name, coalesce(l.name, '') mall_name, coalesce(k.name, '') category_name,
      coalesce((select s.name from store s where s.id = (p.store_ids->>0)::int), '') store_name, u.redeemed, u.unused_codes, u.promised_until, a.state audit_state, a.price_cents::int audit_price_cents
    from product p join merchant m on m.id = p.merchant_id left join city c on c.id = p.city_id left join mall l on l.id = p.mall_id left join shop_category k on k.id = p.category_id
      cross join lateral (select coalesce(sum(o.times_used), 0)::int redeemed, count(*) filter (where o.state in ${promised})::int unused_codes, max(o.valid_until) filter (where o.state in ${promised}) promised_until from order_code o where o.product_id = p.id) u
      ${inAudit}
    where p.id in ${ids}`)
  return new Map(
    rows.map(row => [
      row.id,
      { ...row, promised_until: row.promised_until === null ? null : Number(row.promised_until) },
    ]),
  )
}

/** The rows of these ids that lie in the person's data, in the order asked for. */
export const goodsOf = async (
  db: Db,
  staff: Parameters<typeof goods.seen>[0],
  ids: readonly number[],
): Promise<Goods[]> => {
  const rows = await db
    .select()
    .from(product)
    .where(and(sql`${product.id} = any(${sql.param(`{${ids.join()}}`)}::int[])`, goods.seen(staff)))
  const found = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => found.get(id) ?? [])
}
