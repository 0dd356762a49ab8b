import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { AuditState } from '#src/areas/audit/audit.ts'
import type { StoreState } from '#src/areas/mall/mall.ts'
import { store, storeProblem } from '#src/areas/merchant/merchant.table.ts'
import type { MerchantState } from '#src/areas/merchant/merchant.ts'
import { problemsOf } from '#src/areas/merchant/store.ts'
import { sellsNothing, stores } from '#src/areas/merchant/storeRecord.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { equal, holding, listing } from '#src/server/call/record.ts'

export type Filters = {
  keyword?: string
  status?: StoreState
  city_id?: number
  mid?: number
  floor_id?: number
  category_id?: number
  merchant_id?: number
  recommended?: boolean
  no_deals?: boolean
  problem?: boolean
}
/** A category and all below it. */
const below = (category_id: number) =>
  sql`${store.category_id} in (with recursive k as (select id from shop_category where id = ${category_id} union select c.id from shop_category c join k on c.parent_id = k.id) select id from k)`
/** The list of stores that stand somewhere, and what an export of it reads. */
export const list = listing(stores, {
  by: store.id,
  down: true,
  where: ({ keyword, mid, category_id, recommended, no_deals, problem, ...same }: Filters) =>
    and(
      eq(store.kind, 'offline'),
      equal(store, { ...same, mall_id: mid }),
      keyword && /^s\d+$/i.test(keyword)
        ? eq(store.store_no, keyword.toUpperCase())
        : holding(keyword, [store.name, store.door_no], store.id),
      category_id === undefined ? undefined : below(category_id),
      recommended ? sql`is_recommend` : undefined,
      no_deals ? sellsNothing : undefined,
      problem ? storeProblem : undefined,
    ),
  shown: async (db, rows, { now }) => {
    const beside = await besideOf(
      db,
      rows.map(row => row.id),
      now,
    )
    return rows.map(row => ({
      ...row,
      mid: row.mall_id,
      floor_name: row.floor ?? '',
      door_no: row.door_no ?? '',
      status_reason: row.status_reason ?? '',
      problems: problemsOf(row),
      ...beside.get(row.id)!,
    }))
  },
})
type Beside = {
  id: number
  city_name: string
  mall_name: string
  category_name: string
  brand_name: string
  merchant_name: string
  merchant_status: MerchantState
  bd_name: string
  on_sale_count: number
  verifier_count: number
  gmv_30d_cents: number
  verified_30d: number
  applied: AuditState | null
}
/** What stands beside stores: names, and figures of 30 days, each by the index of its store. */
const besideOf = async (
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<Map<number, Beside>> => {
  if (ids.length === 0) return new Map()
  const from = now - 30 * DAY
  const { rows } = await db.execute<Omit<Beside, 'gmv_30d_cents'> & { gmv: string }>(sql`
    select s.id, c.city_name, coalesce(l.name, '') mall_name, coalesce(k.name, '') category_name, coalesce(b.name, '') brand_name, m.name merchant_name, m.status merchant_status, coalesce(a.name, '') bd_name, p.n on_sale_count, w.n verifier_count, o.gmv, v.n verified_30d,
      (select x.state from application x where x.store_id = s.id and x.state in ('pending', 'claimed', 'need_more')) applied
    from store s join city c on c.id = s.city_id join merchant m on m.id = s.merchant_id left join bd_assignment g on g.store_id = s.id and g.end_at is null left join admin a on a.id = g.admin_id left join mall l on l.id = s.mall_id left join shop_category k on k.id = s.category_id left join brand b on b.id = s.brand_id
      cross join lateral (select count(*)::int n from product_store ps join product p on p.id = ps.product_id where ps.store_id = s.id and ps.status = 'on' and p.state = 'on_sale') p
      cross join lateral (select count(*)::int n from verifier where status = 'active' and store_ids @> to_jsonb(s.id)) w
      cross join lateral (select coalesce(sum(paid_cents - refunded_cents), 0)::bigint gmv from "order" where store_id = s.id and created_at > ${from} and paid_at is not null) o
      cross join lateral (select coalesce(sum(times), 0)::int n from verify_record where store_id = s.id and verified_at > ${from} and state = 'valid') v
    where s.id in ${ids}`)
  return new Map(rows.map(({ gmv, ...row }) => [row.id, { ...row, gmv_30d_cents: Number(gmv) }]))
}
/** How many there are in each state, whatever the tab. */
export const statOf = async (db: Db, where: SQL | undefined): Promise<Record<string, number>> => {
  const rows = await db
    .select({ status: store.status, n: sql<number>`count(*)::int` })
    .from(store)
    .where(where)
    .groupBy(store.status)
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}
