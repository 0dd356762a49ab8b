import { and, eq, gt, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { store } from '#src/areas/merchant/merchant.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { brand_authorisation, brand_ignored } from './authorisation.table.ts'
import { brand } from './brand.table.ts'
import type { Brand } from './brands.server.ts'
import { SUGGESTED_ABOVE, finderOf, storeStem, type Alike } from './likeness.ts'

/** Those of the merchants that may not use a brand now; a brand that needs no leave is everybody's. */
const withoutLeave = async (
  db: Db,
  of: Pick<Brand, 'id' | 'auth_category_ids'>,
  merchant_ids: readonly number[],
  now: number,
): Promise<Set<number>> => {
  if (of.auth_category_ids === null) return new Set()
  const allowed = await db
    .select({ id: brand_authorisation.merchant_id })
    .from(brand_authorisation)
    .where(
      and(
        eq(brand_authorisation.brand_id, of.id),
        inArray(brand_authorisation.merchant_id, [...merchant_ids]),
        or(isNull(brand_authorisation.end_at), gt(brand_authorisation.end_at, now)),
      ),
    )
  const known = new Set(allowed.map(row => row.id))
  return new Set(merchant_ids.filter(id => !known.has(id)))
}
/** Refuses to give stores a brand that one of their merchants may not use, with that store's name. */
export const needLeave = async (
  db: Db,
  of: Pick<Brand, 'id' | 'name' | 'auth_category_ids'>,
  stores: readonly { name: string; merchant_id: number }[],
  now: number,
): Promise<void> => {
  const ids = stores.map(one => one.merchant_id)
  const lacking = await withoutLeave(db, of, ids, now)
  const first = stores.find(one => lacking.has(one.merchant_id))
  if (first)
    throw ruled(
      'not_authorised',
      ['“{name}”的商户没有“{brand}”的有效授权', 'The merchant of “{name}” may not use “{brand}”'],
      { name: first.name, brand: of.name },
    )
}
/** Stores that have no brand in use: none at all, or one that is disabled. */
export const isBrandless: SQL = sql`(${store.brand_id} is null or exists (select 1 from ${brand} where ${brand.id} = ${store.brand_id} and ${ne(brand.state, 'on')}))`

type Named = { id: number; name: string; merchant_id: number }
/** A brand beside a store or a merchant, as a key. */
const pairOf = ({ of, brand_id }: { of: number; brand_id: number }) => `${of} ${brand_id}`
/**
 * The brand that each of these stores may be of, by their names: above `SUGGESTED_ABOVE`, in use, of
 * a brand that the merchant may use, and not put aside before.
 */
export const suggestedFor = async (
  db: Db,
  stores: readonly Named[],
  now: number,
): Promise<Map<number, Alike>> => {
  if (stores.length === 0) return new Map()
  const brands = await db
    .select({
      id: brand.id,
      name: brand.name,
      en_name: brand.en_name,
      auth_category_ids: brand.auth_category_ids,
    })
    .from(brand)
    .where(eq(brand.state, 'on'))
  const find = finderOf(brands)
  const known = new Map<string, Alike[]>()
  const alike = (name: string): Alike[] => {
    const stem = storeStem(name)
    const found = known.get(stem) ?? find(stem, SUGGESTED_ABOVE)
    known.set(stem, found)
    return found
  }
  const named = stores.map(of => ({ of, found: alike(of.name) })).filter(one => one.found.length)
  const ids = named.map(({ of }) => of.id)
  const aside = await db
    .select({ of: brand_ignored.store_id, brand_id: brand_ignored.brand_id })
    .from(brand_ignored)
    .where(inArray(brand_ignored.store_id, ids))
  const ignored = new Set(aside.map(pairOf))
  const needing = new Set(brands.filter(one => one.auth_category_ids !== null).map(one => one.id))
  const leaves = await db
    .select({
      brand_id: brand_authorisation.brand_id,
      of: brand_authorisation.merchant_id,
    })
    .from(brand_authorisation)
    .where(
      and(
        inArray(brand_authorisation.brand_id, [
          ...new Set(named.flatMap(({ found }) => found.map(one => one.id))),
        ]),
        or(isNull(brand_authorisation.end_at), gt(brand_authorisation.end_at, now)),
      ),
    )
  const allowed = new Set(leaves.map(pairOf))
  return new Map(
    named.flatMap(({ of, found }) => {
      const best = found.find(
        ({ id }) =>
          !ignored.has(pairOf({ of: of.id, brand_id: id })) &&
          (!needing.has(id) || allowed.has(pairOf({ of: of.merchant_id, brand_id: id }))),
      )
      return best ? [[of.id, best] as const] : []
    }),
  )
}
