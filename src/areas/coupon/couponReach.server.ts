import { and, asc, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { e_category, merchant, shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { needsNoScope, within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import type { CouponScope, CouponTerms } from './coupon.ts'

type Target = {
  table: PgTable & { id: PgColumn }
  name: PgColumn
  /** The column that also finds it. */
  by?: PgColumn
  /** Null where it stands in no one city. */
  city: PgColumn | null
  /** It can be chosen now. */
  trades: SQL
  /** Why one that can't be chosen is dead. */
  why: Text
  mine: (staff: Pick<Staff, 'scope'>) => SQL | undefined
}
/** Categories stand in no place: all may name them. */
const everyone = (staff: Pick<Staff, 'scope'>): undefined => {
  needsNoScope(staff)
  return undefined
}
const categories = (table: typeof shop_category | typeof e_category): Target => ({
  table,
  name: table.name,
  city: null,
  trades: and(eq(table.status, 'on'), isNull(table.merged_into))!,
  why: ['分类已停用或已合并', 'The category is off or merged'],
  mine: everyone,
})
const sold: Readonly<Record<CouponScope, readonly (typeof product.$inferSelect)['kind'][]>> = {
  local: ['bulks', 'card', 'voucher', 'goods'],
  ecom: ['elist'],
}
/** The rows that coupons of a scope name by one kind of id. */
const targetOf = (scope: CouponScope, kind: Exclude<CouponTerms['apply_kind'], 'all'>): Target => {
  switch (kind) {
    case 'category':
      return scope === 'local' ? categories(shop_category) : categories(e_category)
    case 'mall':
      return {
        table: mall,
        name: mall.name,
        by: mall.pinyin,
        city: mall.city_id,
        trades: eq(mall.status, 'online'),
        why: ['商场已下线或关闭', 'The mall is offline or closed'],
        mine: ({ scope: of }) => within(of, { city: mall.city_id, mall: mall.id }),
      }
    case 'store':
      return {
        table: store,
        name: store.name,
        by: store.store_no,
        city: store.city_id,
        trades: and(eq(store.kind, 'offline'), inArray(store.status, ['open', 'resting']))!,
        why: ['门店未营业或已关闭', 'The store does not trade'],
        mine: ({ scope: of }) => within(of, { city: store.city_id, mall: store.mall_id }),
      }
    case 'shop':
      return {
        table: merchant,
        name: merchant.name,
        city: null,
        trades: eq(merchant.status, 'active'),
        why: ['商户已冻结或终止', 'The merchant is frozen or gone'],
        mine: ({ scope: of }) =>
          within(of, { city: merchant.city_id, owner: merchant.bd_admin_id }),
      }
    case 'product':
      return {
        table: product,
        name: product.title,
        city: scope === 'local' ? product.city_id : null,
        trades: and(eq(product.state, 'on_sale'), inArray(product.kind, [...sold[scope]]))!,
        why: ['商品不在售', 'The product is not on sale'],
        mine: ({ scope: of }) => within(of, { city: product.city_id, mall: product.mall_id }),
      }
  }
}
/** Which kind of row a coupon of a scope leaves out. */
export const excludedKind = (scope: CouponScope): 'store' | 'product' =>
  scope === 'local' ? 'store' : 'product'

type Asked = {
  scope: CouponScope
  apply_kind: CouponTerms['apply_kind']
  city_ids?: readonly number[] | undefined
  keyword?: string | undefined
  page: number
  pageSize: number
}
/** A page of what a coupon may be for, of what the person sees and of these cities. */
export const couponTargets = async (db: Db, staff: Pick<Staff, 'scope'>, asked: Asked) => {
  if (asked.apply_kind === 'all') return { list: [], total: 0 }
  const of = targetOf(asked.scope, asked.apply_kind)
  const cities = asked.city_ids ?? []
  const where = and(
    of.trades,
    of.mine(staff),
    of.city && cities.length > 0 ? inArray(of.city, [...cities]) : undefined,
    holding(asked.keyword, of.by ? [of.name, of.by] : [of.name], of.table.id),
  )
  const list = (await db
    .select({ id: of.table.id, name: of.name })
    .from(of.table as PgTable)
    .where(where)
    .orderBy(asc(of.table.id))
    .limit(asked.pageSize)
    .offset((asked.page - 1) * asked.pageSize)) as { id: number; name: string }[]
  return { list, ...(await countOf(db, of.table, where)) }
}

export type Reached = { id: number; name: string; city_id: number | null; why: Text | null }
const gone: Text = ['已不存在', 'It is not there']
/** The rows that the ids of a coupon name, in their order; `why` says why one of them is dead. */
export const reachedBy = async (
  db: Db,
  scope: CouponScope,
  kind: CouponTerms['apply_kind'],
  ids: readonly number[],
): Promise<Reached[]> => {
  if (kind === 'all' || ids.length === 0) return []
  const of = targetOf(scope, kind)
  const rows = (await db
    .select({
      id: of.table.id,
      name: of.name,
      city_id: of.city ?? sql<number | null>`null::int`,
      trades: sql<boolean>`${of.trades}`,
    })
    .from(of.table as PgTable)
    .where(inArray(of.table.id, [...ids]))) as {
    id: number
    name: string
    city_id: number | null
    trades: boolean
  }[]
  const known = new Map(rows.map(row => [row.id, row]))
  return ids.map(id => {
    const row = known.get(id)
    if (!row) return { id, name: `#${id}`, city_id: null, why: gone }
    const { name, city_id, trades } = row
    return { id, name, city_id, why: trades ? null : of.why }
  })
}
/**
 * The faults of a coupon's reach that only the database knows, by field: rows that trade no longer,
 * and rows outside its cities.
 */
export const reachFaultsOf = async (
  db: Db,
  of: Pick<CouponTerms, 'scope' | 'apply_kind' | 'apply_ids' | 'exclude_ids' | 'city_ids'>,
): Promise<{ apply_ids?: Text; exclude_ids?: Text }> => {
  const applies = await reachedBy(db, of.scope, of.apply_kind, of.apply_ids)
  const isOutside = ({ city_id }: Reached) =>
    city_id !== null && of.city_ids.length > 0 && !of.city_ids.includes(city_id)
  const dead = applies.filter(one => one.why !== null)
  const outside = applies.filter(one => isOutside(one))
  const names = (some: readonly Reached[]) => some.map(one => one.name).slice(0, 5)
  if (dead.length > 0)
    return {
      apply_ids: [
        `以下已失效，请移除或更换：${names(dead).join('、')}`,
        `These are gone, take them out: ${names(dead).join(', ')}`,
      ],
    }
  if (outside.length > 0)
    return {
      apply_ids: [
        `以下不在所选城市：${names(outside).join('、')}`,
        `These are not in the cities chosen: ${names(outside).join(', ')}`,
      ],
    }
  return {}
}
