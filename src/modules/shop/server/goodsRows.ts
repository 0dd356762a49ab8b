import { and, sql, type SQL } from 'drizzle-orm'
import type { AuditState } from '#src/areas/audit/audit.ts'
import type { MerchantState } from '#src/areas/merchant/merchant.ts'
import { ENDING_DAYS, goodsFault, type GoodsVerb } from '#src/areas/product/goods.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { ProductState } from '#src/areas/product/product.ts'
import type { ChangedBy } from '#src/contract/envelope.ts'
import { keyGrams } from '#src/domain/search.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { equal, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'

export type Goods = typeof product.$inferSelect
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
export const goods = record(product, {
  object: 'product',
  label: row => row.title.slice(0, 64),
  keys: ['state', 'off_reason', 'stock', 'sort', 'distribution_bp'],
  places: ({ scope }) =>
    and(
      sql`${product.kind} = 'bulks'`,
      within(scope, {
        city: product.city_id,
        mall: product.mall_id,
        owner: sql`(select m.bd_admin_id from merchant m where m.id = ${product.merchant_id})`,
      }),
    ),
})

const array = (of: readonly string[]) => sql.param(`{${of.map(one => JSON.stringify(one)).join()}}`)
/** Products whose title holds what was typed, or whose number it is. */
const named = (keyword: string): SQL => {
  const titled = sql`(${product.grams} @> ${array(keyGrams(keyword))}::text[] and ${product.title} ilike ${like(keyword)})`
  return /^\d{1,9}$/.test(keyword) ? sql`(${product.id} = ${Number(keyword)} or ${titled})` : titled
}
/** A category and all below it. */
const below = (category_id: number) =>
  sql`${product.category_id} in (with recursive k as (select id from shop_category where id = ${category_id} union select c.id from shop_category c join k on c.parent_id = k.id) select id from k)`
const promised = sql`('locked', 'unused', 'part_used')`
/** Asked of product after product, so that most lists are full long before the last. */
const isShort = sql`exists (select 1 from order_code c where c.product_id = ${product.id} and c.state in ${promised} and c.valid_until > ${product.check_end_at} offset 0)`

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
      store_id === undefined
        ? undefined
        : sql`${product.id} in (select ps.product_id from product_store ps where ps.store_id = ${store_id} and ps.status = 'on')`,
      category_id === undefined ? undefined : below(category_id),
      group === undefined ? undefined : sql`(${product.group_need} is not null) = ${group}`,
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
      left join lateral (select t.state, t.price_cents from audit_task t where t.product_id = p.id and t.state in ('pending', 'claimed', 'need_more', 'second_audit') order by t.id desc limit 1) a on true
    where p.id in ${ids}`)
  return new Map(
    rows.map(row => [
      row.id,
      { ...row, promised_until: row.promised_until === null ? null : Number(row.promised_until) },
    ]),
  )
}

/** Refuses a verb that a product can't have as it stands; its merchant is held, where that counts. */
export const needGoods = async (
  context: WriteContext,
  verb: GoodsVerb,
  of: Goods,
): Promise<void> => {
  const { rows } = await context.tx.execute<{ status: MerchantState; end_at: string | null }>(
    sql`select status, contract_end_at end_at from merchant where id = ${of.merchant_id}`,
  )
  const seller = rows[0]!
  const fault = goodsFault(
    verb,
    {
      state: of.state,
      live_version: of.live_version,
      sale_end_at: of.sale_end_at,
      comes_back: of.taken_off.length > 0,
      merchant_status: seller.status,
      contract_end_at: seller.end_at === null ? null : Number(seller.end_at),
    },
    context.now,
  )
  if (fault) throw ruled(fault.rule, fault.text, {}, { current: { state: of.state } })
}
/** The product as the person holds it, locked, where its state allows the verb. */
export const heldFor = async (
  context: WriteContext,
  verb: GoodsVerb,
  one: { id: number; version: number },
): Promise<Goods> => {
  const was = await goods.heldFast(context, one)
  await needGoods(context, verb, was)
  return was
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
/** The last person who changed each of some products, by the operation log. */
export const changersOf = async (
  db: Db,
  ids: readonly number[],
): Promise<Map<number, ChangedBy>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ id: number; name: string; at: string }>(
    sql`select distinct on (object_id) object_id id, admin_name "name", created_at at from op_log where object_type = 'product' and object_id in ${ids} and result = 'ok' and action <> 'reveal' order by object_id, op_log.id desc`,
  )
  return new Map(rows.map(({ id, name, at }) => [id, { name: name || '系统', at: Number(at) }]))
}
