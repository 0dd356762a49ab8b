/**
 * Which products are used at which store. A store is held before its products, and so all changes
 * of its list wait for each other.
 */
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { metres } from '#src/areas/place/geo.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { product, product_store } from './product.table.ts'
import { linkFault, storeKinds, type LinkFacts } from './storeLink.ts'

type Store = typeof store.$inferSelect
type Product = typeof product.$inferSelect
export type Link = typeof product_store.$inferSelect
/** True of the products that a store's merchant has for its stores. */
export const forStores = (of: Pick<Store, 'merchant_id'>): SQL =>
  and(eq(product.merchant_id, of.merchant_id), inArray(product.kind, [...storeKinds]))!

/** The links of a store in their order. */
export const linksOf = (db: Db, store_id: number): Promise<Link[]> =>
  db
    .select()
    .from(product_store)
    .where(and(eq(product_store.store_id, store_id), eq(product_store.status, 'on')))
    .orderBy(product_store.sort, product_store.id)

/** What hangs on the links of a store and some products, by product. */
export const linkFacts = async (
  db: Db,
  at: Pick<Store, 'id' | 'lng_e6' | 'lat_e6'>,
  products: readonly Product[],
): Promise<Map<number, LinkFacts>> => {
  if (products.length === 0) return new Map()
  const ids = sql`any(${sql.param(`{${products.map(one => one.id).join()}}`)}::int[])`
  const { rows: others } = await db.execute<{
    product_id: number
    lng_e6: number | null
    lat_e6: number | null
  }>(
    sql`select ps.product_id, s.lng_e6, s.lat_e6 from product_store ps join store s on s.id = ps.store_id where ps.product_id = ${ids} and ps.status = 'on' and s.id <> ${at.id} and s.status in ('open', 'resting')`,
  )
  const { rows: codes } = await db.execute<{ product_id: number; n: number }>(
    sql`select c.product_id, count(*)::int n from order_code c join "order" o on o.id = c.order_id where c.product_id = ${ids} and c.state in ('locked', 'unused', 'part_used') and c.left_times > 0 and o.pay_state = 'paid' group by 1`,
  )
  const unused = new Map(codes.map(row => [row.product_id, row.n]))
  const far = ({ lng_e6, lat_e6 }: (typeof others)[number]): number[] =>
    at.lng_e6 === null || at.lat_e6 === null || lng_e6 === null || lat_e6 === null
      ? []
      : [Math.round(metres({ lng_e6: at.lng_e6, lat_e6: at.lat_e6 }, { lng_e6, lat_e6 }))]
  return new Map(
    products.map(one => {
      const own = others.filter(row => row.product_id === one.id)
      const distances = own.flatMap(far)
      return [
        one.id,
        {
          state: one.state,
          comes_back: one.state === 'off_sale' && one.taken_off.length > 0,
          other_stores: own.length,
          nearest_m: distances.length > 0 ? Math.min(...distances) : null,
          unused_codes: unused.get(one.id) ?? 0,
          refundable: one.refund_policy !== 'none',
        },
      ]
    }),
  )
}

/** The stores that a product names follow its links; where the first of them stands, it stands. */
const followLinks = (tx: Db, product_id: number) =>
  tx.execute(sql`
    with links as (select ps.store_id, s.mall_id, coalesce(array_position(array(select jsonb_array_elements_text(p.store_ids)::int), ps.store_id), 100000) at from product_store ps join store s on s.id = ps.store_id join product p on p.id = ps.product_id where ps.product_id = ${product_id} and ps.status = 'on')
    update product set store_ids = coalesce((select jsonb_agg(store_id order by at, store_id) from links), '[]'), mall_id = coalesce((select mall_id from links order by at, store_id limit 1), mall_id), version = version + 1 where id = ${product_id}`)

/**
 * Lets a store take a product of those in `from`, its merchant's unless said otherwise; 422 where it
 * does already, or may not.
 */
export const linkProduct = async (
  tx: Db,
  of: Store,
  product_id: number,
  {
    from = forStores(of),
    ...kept
  }: { from?: SQL; unavailable_dates?: string[]; price_cents?: number | null } = {},
): Promise<Product> => {
  const [found] = await tx
    .select()
    .from(product)
    .where(and(eq(product.id, product_id), from))
    .for('update')
  if (!found) throw missing()
  const fault = linkFault(found)
  if (fault) throw ruled('never_approved', fault)
  const known = await tx
    .select()
    .from(product_store)
    .where(and(eq(product_store.store_id, of.id), eq(product_store.product_id, product_id)))
  if (known[0]?.status === 'on') throw ruled('already', ['已关联本店', 'It is linked already'])
  const {
    rows: [last],
  } = await tx.execute<{ n: number }>(
    sql`select coalesce(max(sort), 0)::int n from product_store where store_id = ${of.id} and status = 'on'`,
  )
  const values = { status: 'on' as const, sort: last!.n + 1, ...kept }
  await tx
    .insert(product_store)
    .values({ store_id: of.id, product_id, ...values })
    .onConflictDoUpdate({
      target: [product_store.product_id, product_store.store_id],
      set: { ...values, version: sql`${product_store.version} + 1` },
    })
  await followLinks(tx, product_id)
  return found
}
/** Takes a link away, as it was read. */
export const unlinkProduct = async (tx: Db, link: Link): Promise<void> => {
  await tx
    .update(product_store)
    .set({ status: 'off', version: sql`${product_store.version} + 1` })
    .where(eq(product_store.id, link.id))
  await followLinks(tx, link.product_id)
}
