import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { AuditState } from '#src/areas/audit/audit.ts'
import type { StoreState } from '#src/areas/mall/mall.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import type { MerchantState } from '#src/areas/merchant/merchant.ts'
import { blocksOf, type ShopType } from '#src/areas/merchant/onlineShop.ts'
import { shopCategories, unshipped } from '#src/areas/merchant/onlineShops.server.ts'
import type { StoreVerb } from '#src/areas/merchant/store.ts'
import {
  heldFor,
  lockedFor,
  sellsNothing,
  stores,
  type Store,
} from '#src/areas/merchant/storeRecord.server.ts'
import { comma, say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { equal, holding, listing, record } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'

export type Filters = {
  keyword?: string
  status?: StoreState
  shop_type?: ShopType
  city_id?: number
  mid?: number
  category_id?: number
  merchant_id?: number
  no_goods?: boolean
}
/** A draft is seen by the person who writes it. */
const seenBy = ({ id }: Pick<Staff, 'id'>) =>
  sql`(${store.status} <> 'draft' or ${store.draft_by} = ${id})`
/** The shops that ship goods, as handlers read them; what is logged is as of every store. */
export const shops = record(store, {
  object: 'store',
  label: row => row.name,
  keys: ['sort'],
  places: staff =>
    and(
      within(staff.scope, { city: store.city_id, mall: store.mall_id }),
      eq(store.kind, 'online'),
      seenBy(staff as Staff),
    ),
})
/** The shop as the person holds it, locked, where its state allows the verb. */
export const heldShop = (
  context: WriteContext,
  verb: StoreVerb,
  one: { id: number; version: number },
): Promise<Store> => heldFor(context, verb, one, shops)
/** The same of a row of a batch, as it stands. */
export const lockedShop = (context: WriteContext, verb: StoreVerb, id: number): Promise<Store> =>
  lockedFor(context, verb, id, shops)

/** A category and all below it. */
const below = (category_id: number) =>
  sql`${store.category_id} in (with recursive k as (select id from e_category where id = ${category_id} union select c.id from e_category c join k on c.parent_id = k.id) select id from k)`
/** The list of shops, and what an export of it reads. */
export const list = listing(shops, {
  by: store.sort,
  down: true,
  where: ({ keyword, mid, category_id, no_goods, ...same }: Filters) =>
    and(
      equal(store, { ...same, mall_id: mid }),
      keyword && /^s\d+$/i.test(keyword)
        ? eq(store.store_no, keyword.toUpperCase())
        : holding(keyword, [store.name], store.id),
      category_id === undefined ? undefined : below(category_id),
      no_goods ? sellsNothing : undefined,
    ),
  shown: async (db, rows, { now, staff }) => {
    const beside = await besideOf(
      db,
      rows.map(row => row.id),
      now,
    )
    const ids = [...new Set(rows.flatMap(row => row.category_ids))]
    const names = new Map((await shopCategories(db, ids)).map(one => [one.id, one.name]))
    return rows.map(row => {
      const { sellable, ...one } = beside.get(row.id)!
      return {
        ...row,
        ...one,
        shop_type: row.shop_type ?? ('flagship' as const),
        mid: row.mall_id,
        category_name: row.category_ids.map(id => names.get(id) ?? '').join(say(comma, staff.lang)),
        ship_area: row.ship_area ?? '',
        status_reason: row.status_reason ?? '',
        blocks: row.status === 'resting' ? blocksOf({ ...row, ...one, sellable }) : [],
      }
    })
  },
})
type Beside = {
  id: number
  city_name: string
  mall_name: string
  brand_name: string
  merchant_name: string
  merchant_status: MerchantState
  on_sale_count: number
  sellable: number
  unshipped: number
  late_bp: number | null
  refund_bp: number | null
  applied: AuditState | null
}
/** What stands beside shops: names, and figures of 30 days, each by the index of its shop. */
const besideOf = async (
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<Map<number, Beside>> => {
  if (ids.length === 0) return new Map()
  const from = now - 30 * DAY
  const { rows } = await db.execute<Beside>(sql`
    select s.id, c.city_name, coalesce(l.name, '') mall_name, coalesce(b.name, '') brand_name, m.name merchant_name, m.status merchant_status, p.on_sale on_sale_count, p.sellable, w.n unshipped,
      (10000 * o.late / nullif(o.due, 0))::int late_bp, (10000 * o.back / nullif(o.paid, 0))::int refund_bp,
      (select x.state from application x where x.store_id = s.id and x.state in ('pending', 'claimed', 'need_more')) applied
    from store s join city c on c.id = s.city_id join merchant m on m.id = s.merchant_id left join mall l on l.id = s.mall_id left join brand b on b.id = s.brand_id
      cross join lateral (select count(*) filter (where p.state = 'on_sale')::int on_sale, count(*) filter (where p.state = 'on_sale' or (p.state = 'off_sale' and p.taken_off = array['no_open_store']))::int sellable from product_store ps join product p on p.id = ps.product_id where ps.store_id = s.id and ps.status = 'on') p
      cross join lateral (select count(*)::int n from "order" o where o.store_id = s.id and ${unshipped}) w
      cross join lateral (select count(*)::int paid, count(*) filter (where refund_state <> 'none')::int back, count(*) filter (where promise_at <= ${now})::int due,
        count(*) filter (where promise_at <= ${now} and (fulfil_state in ('waiting_ship', 'part_shipped') or exists (select 1 from shipment h where h.order_id = r.id and h.shipped_at > r.promise_at)))::int late
        from "order" r where r.store_id = s.id and r.kind = 'elist' and r.created_at > ${from} and r.paid_at is not null) o
    where s.id in ${ids}`)
  return new Map(rows.map(row => [row.id, row]))
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
/** Logged with the other changes of stores. */
export const saveShop = stores.save
