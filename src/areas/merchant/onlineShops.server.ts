/** What hangs on a shop that ships goods, and what it stands on. */
import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import { orderKinds } from '#src/areas/order/order.ts'
import { regionOf } from '#src/areas/place/regions.server.ts'
import { openRefunds } from '#src/areas/refund/refund.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { fullName } from '#src/server/call/tree.ts'
import { plainName } from '#src/server/db/names.ts'
import { eCategoryTree } from './eCategories.server.ts'
import { appliesTo } from './eCategory.ts'
import { freight_template, merchant, return_address, store } from './merchant.table.ts'
import { SHOP_DRAFT_DAYS, type ReturnTo, type ShopDuties, type ShopStanding } from './onlineShop.ts'

/** An e-commerce category as a shop may be of it. */
export type ShopCategory = {
  id: number
  name: string
  is_leaf: boolean
  rate_bp: number | null
  need_licenses: string[]
}
/** The categories of these ids that there are, in the order of the ids. */
export const shopCategories = async (db: Db, ids: readonly number[]): Promise<ShopCategory[]> => {
  if (ids.length === 0) return []
  const tree = await eCategoryTree.standing(db)
  return ids.flatMap(id => {
    const row = tree.row(id)
    if (!row) return []
    const { commission_bp, is_shown } = appliesTo(tree, id)
    const needs = tree.path(id).flatMap(one => one.need_licenses)
    return {
      id,
      name: fullName(tree, id),
      is_leaf: is_shown && tree.children(id).length === 0,
      rate_bp: commission_bp,
      need_licenses: [...new Set(needs)],
    }
  })
}
/** Categories that a shop may be of, by words. */
export const shopLeaves = async (db: Db, keyword = ''): Promise<{ id: number; name: string }[]> => {
  const tree = await eCategoryTree.standing(db)
  const typed = keyword.trim().toLowerCase()
  return tree.branch(null).flatMap(row => {
    const name = fullName(tree, row.id)
    const is_leaf = tree.children(row.id).length === 0 && appliesTo(tree, row.id).is_shown
    return is_leaf && name.toLowerCase().includes(typed) ? { id: row.id, name } : []
  })
}

/** True of what a shop sells while it is open: on sale, or off sale for want of an open store alone. */
const sellable = sql`(p.state = 'on_sale' or (p.state = 'off_sale' and p.taken_off = array['no_open_store']))`
/** Whether a shop could be opened now; `blocksOf` says by what it is kept from it. */
export const shopStanding = async (db: Db, store_id: number): Promise<ShopStanding> => {
  const { rows } = await db.execute<ShopStanding>(sql`
    select m.status merchant_status, a.id return_address_id, f.id freight_template_id,
      (select count(*)::int from product_store ps join product p on p.id = ps.product_id where ps.store_id = s.id and ps.status = 'on' and ${sellable}) sellable
    from store s join merchant m on m.id = s.merchant_id left join return_address a on a.id = s.return_address_id and a.status = 'on' left join freight_template f on f.id = s.freight_template_id and f.status = 'on' where s.id = ${store_id}`)
  return rows[0]!
}
/** True of an order `o` that was paid and is not sent in full; its status leads there by an index. */
export const unshipped = sql`o.kind in ${Object.keys(orderKinds)} and o.status in ('waiting_group', 'pending_ship', 'part_shipped', 'refunding', 'freezing') and o.pay_state = 'paid' and o.refund_state <> 'refunded' and o.fulfil_state in ('waiting_group', 'waiting_ship', 'part_shipped')`
const unsettled = sql`l.status in ('not_settled', 'freezing')`
/** What a shop still owes its buyers and its merchant, counted from the rows themselves. */
export const shopDuties = async (db: Db, store_id: number): Promise<ShopDuties> => {
  const { rows } = await db.execute<Record<keyof ShopDuties, string | number>>(sql`select
    (select count(*)::int from "order" o where o.store_id = ${store_id} and ${unshipped}) unshipped,
    (select count(*)::int from refund r join "order" o on o.id = r.order_id where o.store_id = ${store_id} and r.state in ${[...openRefunds]}) after_sales,
    (select coalesce(sum(l.merchant_cents - l.gone_merchant_cents), 0)::bigint from settle_line l where l.store_id = ${store_id} and ${unsettled}) unsettled_cents`)
  const { unsettled_cents, ...counts } = rows[0]!
  return {
    ...(counts as Omit<ShopDuties, 'unsettled_cents'>),
    unsettled_cents: Number(unsettled_cents),
  }
}

/** Titles of what a shop has on sale in some categories. */
export const soldIn = async (
  db: Db,
  store_id: number,
  category_ids: readonly number[],
): Promise<string[]> => {
  if (category_ids.length === 0) return []
  const { rows } = await db.execute<{ title: string }>(
    sql`select p.title from product_store ps join product p on p.id = ps.product_id where ps.store_id = ${store_id} and ps.status = 'on' and p.state = 'on_sale' and p.category_id in ${[...category_ids]} order by p.id limit 100`,
  )
  return rows.map(row => row.title)
}
/** The take rate of a shop of its own; none where its products have that of their categories. */
export const shopRate = async (tx: Db, store_id: number): Promise<{ commission_bp?: number }> => {
  const [row] = await tx
    .select({ commission_bp: store.commission_bp })
    .from(store)
    .where(eq(store.id, store_id))
  return row?.commission_bp == null ? {} : { commission_bp: row.commission_bp }
}

/** The merchant's other shop of a name; a closed one counts no more. */
export const sameShop = async (
  db: Db,
  of: { id: number; merchant_id: number; name: string },
): Promise<{ id: number; name: string } | undefined> =>
  (
    await db
      .select({ id: store.id, name: store.name })
      .from(store)
      .where(
        and(
          eq(store.merchant_id, of.merchant_id),
          eq(store.kind, 'online'),
          ne(store.id, of.id),
          ne(store.status, 'closed'),
          sql`${plainName(store.name)} = ${plainName(sql`${of.name}::text`)}`,
        ),
      )
      .limit(1)
  )[0]
/** The self-run shop of a mall, where there is one beside this one. */
export const selfRunOf = async (
  db: Db,
  of: { id: number; mall_id: number },
): Promise<{ id: number; name: string } | undefined> =>
  (
    await db
      .select({ id: store.id, name: store.name })
      .from(store)
      .where(
        and(
          eq(store.mall_id, of.mall_id),
          eq(store.shop_type, 'self_run'),
          ne(store.id, of.id),
          ne(store.status, 'closed'),
        ),
      )
      .limit(1)
  )[0]
/** Shops of other merchants that are called the same. */
export const shopsCalled = async (db: Db, of: { id: number; name: string }) =>
  db
    .select({ id: store.id, name: store.name, status: store.status, merchant_name: merchant.name })
    .from(store)
    .innerJoin(merchant, eq(merchant.id, store.merchant_id))
    .where(
      and(
        eq(store.kind, 'online'),
        ne(store.id, of.id),
        ne(store.status, 'closed'),
        ne(store.status, 'draft'),
        sql`${plainName(store.name)} = ${plainName(sql`${of.name}::text`)}`,
      ),
    )
    .orderBy(store.id)
    .limit(10)

/** Whether it is a place down to its district, as the table of divisions has it. */
export const isDistrict = (area: string): boolean => {
  const code = regionOf(area)
  return code !== undefined && !code.endsWith('0000') && (!code.endsWith('00') || cityIsLast(code))
}
/** A city without districts: its own code is where an address goes on with the street. */
const cityIsLast = (code: string): boolean => ['441900', '442000', '460400'].includes(code)
/** The return address of a merchant as it was typed: the one that it has already, or a new one. */
export const returnAddressOf = async (
  tx: Db,
  merchant_id: number,
  to: ReturnTo,
): Promise<number> => {
  const same = and(
    eq(return_address.merchant_id, merchant_id),
    eq(return_address.status, 'on'),
    eq(return_address.name, to.name),
    eq(return_address.phone, to.phone),
    eq(return_address.area, to.area),
    eq(return_address.address, to.address),
  )
  const [known] = await tx
    .select({ id: return_address.id })
    .from(return_address)
    .where(same)
    .limit(1)
  if (known) return known.id
  const [made] = await tx
    .insert(return_address)
    .values({
      merchant_id,
      ...to,
      // A merchant's first address is the default: another one may have made one meanwhile.
      is_default: sql`not exists (select 1 from ${return_address} a where a.merchant_id = ${merchant_id} and a.is_default)`,
    })
    .returning({ id: return_address.id })
  return made!.id
}
/** Freight templates that a merchant's shop may have: its own and the platform's. */
export const templatesFor = (merchant_id: number) =>
  and(
    eq(freight_template.status, 'on'),
    or(isNull(freight_template.merchant_id), eq(freight_template.merchant_id, merchant_id)),
  )

/** Throws away drafts of shops that nobody has touched for a while and that were never submitted. */
export const dropOldDrafts = async (db: Db, now: number): Promise<number> => {
  const { rows } = await db.execute<{ id: number }>(
    sql`delete from ${store} where kind = 'online' and status = 'draft' and draft_by is not null and updated_at < ${now - SHOP_DRAFT_DAYS * DAY} and not exists (select 1 from application a where a.store_id = ${store.id}) and not exists (select 1 from product_store ps where ps.store_id = ${store.id}) returning id`,
  )
  return rows.length
}
