import { and, eq, inArray, ne, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { e_category, merchant, shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { orderKinds, type OrderKind } from '#src/areas/order/order.ts'
import { city } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { keys } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { brand_authorisation } from './authorisation.table.ts'
import { brand } from './brand.table.ts'
import { likeness } from './likeness.server.ts'

export type Brand = typeof brand.$inferSelect
type Seer = Pick<Staff, 'scope'>

/** Changes of which brands are recommended, and in what order, wait for each other. */
export const lockRecommended = (tx: Db) => lockSequence(tx, 'brand')
/** The recommended brands in their order. */
export const recommendedNow = (db: Db): Promise<Brand[]> =>
  db.select().from(brand).where(eq(brand.recommended, true)).orderBy(brand.sort, brand.id)

/** What an id of a brand stands for now: the brand, or the one that it was merged into. */
export const brandsNow = async (db: Db, ids: readonly number[]): Promise<Map<number, Brand>> => {
  const asked = alias(brand, 'asked')
  const rows = await db
    .select({ id: asked.id, brand })
    .from(asked)
    .innerJoin(brand, eq(brand.id, sql`coalesce(${asked.merged_into}, ${asked.id})`))
    .where(inArray(asked.id, [...ids]))
  return new Map(rows.map(row => [row.id, row.brand]))
}

/** Another brand that stands and is called alike, in Chinese or in English; `other` is its table. */
const twin = alias(brand, 'twin')
const isAlike = (of: typeof brand): SQL =>
  and(
    ne(twin.id, of.id),
    ne(twin.state, 'merged'),
    or(
      sql`${likeness(twin.name)} = ${likeness(of.name)}`,
      sql`(${of.en_name} <> '' and lower(${twin.en_name}) = lower(${of.en_name}))`,
    ),
  )!
/** Brands that another one may be the same as. */
export const hasTwin: SQL = sql`(${ne(brand.state, 'merged')} and exists (select 1 from ${brand} as twin where ${isAlike(brand)}))`
/** For each brand the others that it may be the same as. */
export const twinsOf = async (
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { id: number; name: string }[]>> => {
  const rows = await db
    .select({ of: brand.id, id: twin.id, name: twin.name })
    .from(brand)
    .innerJoin(twin, isAlike(brand))
    .where(and(inArray(brand.id, [...ids]), ne(brand.state, 'merged')))
    .orderBy(twin.id)
  return grouped(rows, row => row.of)
}

/** For each brand the merchants that were given leave to use it, those first whose leave ends soonest. */
export const leavesOf = async (
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { id: number; name: string; end_at: number | null }[]>> => {
  const rows = await db
    .select({
      of: brand_authorisation.brand_id,
      id: merchant.id,
      name: merchant.name,
      end_at: brand_authorisation.end_at,
    })
    .from(brand_authorisation)
    .innerJoin(merchant, eq(merchant.id, brand_authorisation.merchant_id))
    .where(inArray(brand_authorisation.brand_id, [...ids]))
    .orderBy(brand_authorisation.end_at, merchant.id)
  return grouped(rows, row => row.of)
}

const LATELY_S = 30 * DAY
const sellers = { city: store.city_id, mall: store.mall_id }
const goodsPlaces = { city: product.city_id, mall: product.mall_id }
/** Stores, goods on sale and what was taken in thirty days of each brand, of a person's places. */
export const figuresOf = async (
  db: Db,
  ids: readonly number[],
  { staff, now }: { staff: Seer; now: number },
): Promise<Map<number, { stores: number; goods: number; gmv_30d_cents: number }>> => {
  const [stores, goods, taken] = await Promise.all([
    db
      .select({ id: store.brand_id, n: sql<number>`count(*)::int` })
      .from(store)
      .where(
        and(
          inArray(store.brand_id, [...ids]),
          ne(store.status, 'closed'),
          within(staff.scope, sellers),
        ),
      )
      .groupBy(store.brand_id),
    db
      .select({ id: product.brand_id, n: sql<number>`count(*)::int` })
      .from(product)
      .where(
        and(
          inArray(product.brand_id, [...ids]),
          eq(product.state, 'on_sale'),
          within(staff.scope, goodsPlaces),
        ),
      )
      .groupBy(product.brand_id),
    db
      .select({
        id: product.brand_id,
        cents: sql<string>`sum(${order_item.pay_cents} - ${order_item.refunded_cents})`,
      })
      .from(product)
      .innerJoin(order_item, eq(order_item.product_id, product.id))
      .innerJoin(order, eq(order.id, order_item.order_id))
      .where(
        and(
          inArray(product.brand_id, [...ids]),
          inArray(order_item.kind, keys<OrderKind>(orderKinds)),
          // An order is paid within days of being made: the index knows when it was made.
          sql`${order_item.created_at} >= ${now - LATELY_S}`,
          sql`${order.paid_at} is not null`,
          within(staff.scope, { city: order.city_id, mall: order.mall_id }),
        ),
      )
      .groupBy(product.brand_id),
  ])
  const of = new Map(ids.map(id => [id, { stores: 0, goods: 0, gmv_30d_cents: 0 }]))
  for (const { id, n } of stores) of.get(id!)!.stores = n
  for (const { id, n } of goods) of.get(id!)!.goods = n
  for (const { id, cents } of taken) of.get(id!)!.gmv_30d_cents = Number(cents)
  return of
}
/** How many stores, products and merged brands name a brand, wherever they are and however they stand. */
export const usesOf = async (
  tx: Db,
  id: number,
): Promise<{ stores: number; goods: number; merged: number }> => {
  const [found] = await tx
    .select({
      stores: sql<number>`(select count(*)::int from ${store} where ${store.brand_id} = ${id})`,
      goods: sql<number>`(select count(*)::int from ${product} where ${product.brand_id} = ${id})`,
      merged: sql<number>`(select count(*)::int from ${brand} where ${brand.merged_into} = ${id})`,
    })
    .from(sql`(select 1) as of`)
  return found!
}
/** Whoever may use one brand may use the other, as long as the longer of both leaves says. */
const giveLeaves = async (tx: Db, from: number, to: number, now: number): Promise<void> => {
  await tx.execute(sql`
    insert into ${brand_authorisation} as held (brand_id, merchant_id, application_id, chain, start_at, end_at)
    select ${to}, merchant_id, application_id, chain, start_at, end_at from ${brand_authorisation} where brand_id = ${from}
    on conflict (brand_id, merchant_id) do update set version = held.version + 1, updated_at = ${now},
      start_at = least(held.start_at, excluded.start_at),
      end_at = case when held.end_at is null or excluded.end_at is null then null else greatest(held.end_at, excluded.end_at) end`)
  await tx.delete(brand_authorisation).where(eq(brand_authorisation.brand_id, from))
}
/** Gives all that names one brand to another, those merged into it before included. */
export const giveAll = async (
  tx: Db,
  from: number,
  to: number,
  now: number,
): Promise<{ stores: number; goods: number }> => {
  const stores = await tx
    .update(store)
    .set({ brand_id: to, version: sql`${store.version} + 1`, updated_at: now })
    .where(eq(store.brand_id, from))
    .returning({ id: store.id })
  const goods = await tx
    .update(product)
    .set({ brand_id: to, version: sql`${product.version} + 1`, updated_at: now })
    .where(eq(product.brand_id, from))
    .returning({ id: product.id })
  await tx.update(brand).set({ merged_into: to }).where(eq(brand.merged_into, from))
  await giveLeaves(tx, from, to, now)
  return { stores: stores.length, goods: goods.length }
}

/** Names of cities. */
export const cityNames = async (db: Db, ids: readonly number[]): Promise<Map<number, string>> => {
  const rows = await db
    .select({ id: city.id, name: city.city_name })
    .from(city)
    .where(inArray(city.id, [...ids]))
  return new Map(rows.map(row => [row.id, row.name]))
}
/** Categories of both sides that fit, each with the name of the one above. */
const categoriesWhere = async (
  db: Db,
  fits: (of: typeof shop_category | typeof e_category) => SQL,
): Promise<{ id: number; name: string; above: string | null }[]> => {
  const found = (of: typeof shop_category | typeof e_category) => {
    const above = alias(of, 'above')
    return db
      .select({ id: of.id, name: of.name, above: above.name })
      .from(of)
      .leftJoin(above, eq(above.id, of.parent_id))
      .where(fits(of))
  }
  return (await Promise.all([found(shop_category), found(e_category)])).flat()
}
const fullName = ({ name, above }: { name: string; above: string | null }): string =>
  above === null ? name : `${above} / ${name}`
/** Names of categories of both sides, with the one above: `美食 / 火锅`. */
export const categoryNames = async (
  db: Db,
  ids: readonly number[],
): Promise<Map<number, string>> => {
  const rows = await categoriesWhere(db, of => inArray(of.id, [...ids]))
  return new Map(rows.map(row => [row.id, fullName(row)]))
}
/** Categories of both sides that are shown, each by its name and by its name with the one above. */
export const categoriesByName = async (db: Db): Promise<Map<string, number[]>> => {
  const ids = new Map<string, number[]>()
  for (const row of await categoriesWhere(db, of => eq(of.status, 'on')))
    for (const key of new Set([row.name, fullName(row)]))
      ids.set(key, [...(ids.get(key) ?? []), row.id])
  return ids
}
/** Those of the names that a brand has, as names are compared. */
export const namesTaken = async (db: Db, names: readonly string[]): Promise<Set<string>> => {
  const { rows } = await db.execute<{ name: string }>(
    sql`select given.name from unnest(${sql.param([...names])}::text[]) as given(name) where exists (select 1 from ${brand} where ${plainName(brand.name)} = ${plainName(sql`given.name`)})`,
  )
  return new Set(rows.map(row => row.name))
}
