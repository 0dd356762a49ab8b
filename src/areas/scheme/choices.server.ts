import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  ilike,
  inArray,
  isNotNull,
  ne,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { brand } from '#src/areas/brand/brand.table.ts'
import { brand_wall } from '#src/areas/brandWall/brandWall.table.ts'
import { publicWall } from '#src/areas/brandWall/walls.server.ts'
import { eCategoryTree } from '#src/areas/merchant/eCategories.server.ts'
import { appliesTo } from '#src/areas/merchant/eCategory.ts'
import { e_category, merchant } from '#src/areas/merchant/merchant.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { citiesOf } from '#src/areas/place/places.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { Choice, Designed, DesignerCalls } from '#src/contract/designer.ts'
import type { Db, Handler, ReadContext } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { missing } from '#src/server/call/refuse.ts'
import { needsNoScope } from '#src/server/call/scope.ts'
import { fullName, paged } from '#src/server/call/tree.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { onSale } from './blockGoods.server.ts'
import { pageType, type PageType } from './blocks.ts'
import { keyOf, type KeyPart, type PageKey } from './pageKey.ts'
import { page_scheme } from './scheme.table.ts'
import { categoriesOf } from './subject.server.ts'

/** A city of the person’s; 404 for another. Pages of no city are everybody’s who may have them. */
export const needPageCity = async (
  db: Db,
  staff: ReadContext['staff'],
  city_id: number,
): Promise<void> => {
  if (city_id === 0) return needsNoScope(staff)
  const where = and(eq(city.id, city_id), citiesOf(staff))
  const [row] = await db.select({ id: city.id }).from(city).where(where)
  if (!row) throw missing()
}

type Of = { type: PageType; part: KeyPart; key: PageKey; now: number }
type Asked = {
  keyword?: string | undefined
  designed?: boolean | undefined
  but?: number | undefined
}
type Page = { page: number; pageSize: number }
const liveNo = sql<
  number | null
>`(select v.no from page_version v where v.id = ${page_scheme.live_version_id})`
const isDesigned = or(isNotNull(page_scheme.draft), isNotNull(page_scheme.live_version_id))
const isLast = ({ type, part }: Of): boolean => pageType(type).of.at(-1) === part
/** The row of a page beside what names its last part; none beside what names an earlier one. */
const beside = (of: Of, column: PgColumn): SQL | undefined => {
  const value = (part: KeyPart) => (part === of.part ? sql`${column}` : sql`${of.key[part]}::int`)
  return isLast(of)
    ? and(
        eq(page_scheme.type, of.type),
        sql`not ${page_scheme.is_template}`,
        sql`coalesce(${page_scheme.city_id}, 0) = ${value('city_id')}`,
        sql`${page_scheme.category_id} = ${value('category_id')}`,
        sql`${page_scheme.brand_id} = ${value('brand_id')}`,
      )
    : sql`false`
}

const cities = async (of: Of, { keyword, designed, but }: Asked, { db, staff, ...at }: Reader) => {
  const typed = keyword ? like(keyword) : undefined
  const where = and(
    citiesOf(staff),
    typed ? or(ilike(city.city_name, typed), ilike(city.pinyin, typed)) : undefined,
    designed ? isDesigned : undefined,
    but === undefined ? undefined : ne(city.id, but),
  )
  const own = beside(of, city.id)
  const list = await db
    .select({
      id: city.id,
      name: city.city_name,
      live_no: liveNo,
      has_draft: sql<boolean>`${page_scheme.draft} is not null`,
    })
    .from(city)
    .leftJoin(page_scheme, own)
    .where(where)
    .orderBy(asc(city.sort), asc(city.id))
    .limit(at.pageSize)
    .offset((at.page - 1) * at.pageSize)
  const [total] = await db.select({ n: count() }).from(city).leftJoin(page_scheme, own).where(where)
  return { list, total: total!.n }
}
const brands = async (of: Of, { keyword, designed, but }: Asked, { db, ...at }: Reader) => {
  const where = and(
    eq(brand.state, 'on'),
    holding(keyword, [brand.name, brand.en_name], brand.id),
    designed ? isDesigned : undefined,
    but === undefined ? undefined : ne(brand.id, but),
  )
  const own = beside(of, brand.id)
  const rows = await db
    .select({
      id: brand.id,
      name: brand.name,
      live_no: liveNo,
      has_draft: sql<boolean>`${page_scheme.draft} is not null`,
      all: sql<number>`(count(*) over ())::int`,
    })
    .from(brand)
    .leftJoin(page_scheme, own)
    .where(where)
    .orderBy(asc(brand.sort), asc(brand.id))
    .limit(at.pageSize)
    .offset((at.page - 1) * at.pageSize)
  return { list: rows.map(({ all: _, ...row }) => row), total: rows[0]?.all ?? 0 }
}

type State = Pick<Choice, 'live_no' | 'has_draft'>
/** How far the pages are that differ from the key in one part, by that part. */
const statesOf = async (db: Db, of: Of): Promise<Map<number, State>> => {
  if (!isLast(of)) return new Map()
  const { part, key, type } = of
  const rows = await db
    .select({
      id: sql<number>`${page_scheme[part]}`,
      live_no: liveNo,
      has_draft: sql<boolean>`${page_scheme.draft} is not null`,
    })
    .from(page_scheme)
    .where(
      and(
        eq(page_scheme.type, type),
        sql`coalesce(${page_scheme.city_id}, 0) = ${key.city_id}`,
        part === 'brand_id' ? eq(page_scheme.category_id, key.category_id) : undefined,
        sql`not ${page_scheme.is_template}`,
      ),
    )
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}
/** Categories of the tree that something holds of, or of something below them. */
const upwards = async (db: Db, ids: readonly number[]) => {
  const tree = await eCategoryTree.standing(db)
  const named = new Set(ids.flatMap(id => tree.path(id).map(row => row.id)))
  return { tree, named }
}
/** Categories in which something is sold in the city; with brands, those that have a wall. */
const categoryNames = async (db: Db, { type, key, now }: Of) => {
  const hasBrand = pageType(type).of.includes('brand_id')
  const found = hasBrand
    ? await db
        .selectDistinct({ id: brand_wall.category_id })
        .from(brand_wall)
        .where(
          and(
            isNotNull(brand_wall.published),
            sql`coalesce(${brand_wall.city_id}, ${key.city_id}) = ${key.city_id}`,
          ),
        )
    : await db
        .select({ id: e_category.id })
        .from(e_category)
        .where(
          exists(
            db
              .select({ id: product.id })
              .from(product)
              .where(
                and(
                  eq(product.category_id, e_category.id),
                  onSale({ key: { ...key, category_id: 0 }, categories: undefined, now }),
                ),
              ),
          ),
        )
  const ids = found.map(row => row.id)
  const { tree, named } = await upwards(db, ids)
  const has = (id: number) => (hasBrand ? ids.includes(id) : named.has(id))
  return tree.branch(null).map(({ id }) => ({
    id,
    name: fullName(tree, id),
    offered: has(id) && appliesTo(tree, id).is_shown,
  }))
}
const brandNames = async (db: Db, { key, now }: Of, states: ReadonlyMap<number, State>) => {
  const standing = await publicWall(db, key, now)
  const ids = standing.map(row => row.id)
  const others = [...states.keys()].filter(id => !ids.includes(id))
  const off =
    others.length > 0
      ? await db
          .select({ id: brand.id, name: brand.name })
          .from(brand)
          .where(inArray(brand.id, others))
      : []
  return [...standing, ...off].map(({ id, name }) => ({ id, name, offered: ids.includes(id) }))
}
/** Categories, or brands of a wall: those that are offered, and those of which there is a page. */
const inMemory = async (of: Of, { keyword = '', designed, but }: Asked, { db, ...at }: Reader) => {
  const states = await statesOf(db, of)
  const all =
    of.part === 'category_id' ? await categoryNames(db, of) : await brandNames(db, of, states)
  const typed = keyword.toLowerCase()
  const found = all.flatMap(({ id, name, offered }): Choice[] => {
    const state = states.get(id)
    const isHere = designed ? state !== undefined : offered || state !== undefined
    if (!isHere || id === but || !name.toLowerCase().includes(typed)) return []
    return [{ id, name, ...(state ?? { live_no: null, has_draft: false }) }]
  })
  return paged(found, at)
}
type Reader = Pick<ReadContext, 'db' | 'staff'> & Page

/** What is chosen from on a page of a type: its cities, categories and brands, goods, templates. */
export const picksFor = (type: PageType) =>
  ({
    lst: async (
      { page, pageSize, part = pageType(type).of.at(-1)!, ...asked },
      { db, staff, now },
    ) => {
      const of = { type, part, now, key: keyOf({ ...asked, brand_id: 0 }) }
      const reader = { db, staff, page, pageSize }
      if (!pageType(type).of.includes(part)) return { list: [], total: 0 }
      if (part === 'city_id') return cities(of, asked, reader)
      await needPageCity(db, staff, asked.city_id)
      return of.key.category_id === 0 && part === 'brand_id'
        ? brands(of, asked, reader)
        : inMemory(of, asked, reader)
    },
    goods: async ({ page, pageSize, keyword, ...asked }, { db, staff, now }) => {
      const key = keyOf(asked)
      await needPageCity(db, staff, key.city_id)
      const where = and(
        onSale({ key, categories: await categoriesOf(db, key), now }),
        keyword ? ilike(product.title, like(keyword)) : undefined,
      )
      const list = await db
        .select({ id: product.id, name: product.title, note: merchant.name })
        .from(product)
        .innerJoin(merchant, eq(merchant.id, product.merchant_id))
        .where(where)
        .orderBy(desc(product.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize)
      return { list, ...(await countOf(db, product, where)) }
    },
    templates: async ({ keyword, page, pageSize }, { db, staff }) => {
      needsNoScope(staff)
      const where = and(
        eq(page_scheme.type, type),
        eq(page_scheme.is_template, true),
        keyword ? ilike(page_scheme.name, like(keyword)) : undefined,
      )
      const rows = await db
        .select({
          id: page_scheme.id,
          name: page_scheme.name,
          is_fallback: page_scheme.is_fallback,
          draft: page_scheme.draft,
        })
        .from(page_scheme)
        .where(where)
        .orderBy(asc(page_scheme.name))
        .limit(pageSize)
        .offset((page - 1) * pageSize)
      const [total] = await db.select({ n: count() }).from(page_scheme).where(where)
      return {
        list: rows.map(({ draft, ...row }) => ({
          ...row,
          blocks: (draft ?? []) as Designed['blocks'],
        })),
        total: total!.n,
      }
    },
  }) satisfies { [K in keyof DesignerCalls]?: Handler<DesignerCalls[K]> }
