import { eq, sql } from 'drizzle-orm'
import { currentPolicies, type Policy } from '#src/areas/afterSalePolicy/policies.server.ts'
import { policyAtFirst, policyOn } from '#src/areas/afterSalePolicy/policy.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { page_scheme } from '#src/areas/scheme/scheme.table.ts'
import { say, type Lang } from '#src/domain/text.ts'
import { sumsOf } from '#src/domain/tree.ts'
import type { Db } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { fullName, treeRecord, usedBy, type AskedPlaces, type Use } from '#src/server/call/tree.ts'
import {
  appliesTo,
  commissionWords,
  E_CATEGORY_LEVELS,
  returnWords,
  type ReturnPolicy,
} from './eCategory.ts'
import { e_category, store } from './merchant.table.ts'

/** Categories of e-commerce as handlers read, change and log them. */
export const eCategories = record(e_category, {
  object: 'e_category',
  label: row => row.name,
  keys: [
    'parent_id',
    'name',
    'icon',
    'picture',
    'commission_bp',
    'need_licenses',
    'trademark_classes',
    'status',
    'searchable',
    'merged_into',
  ],
  places: 'all',
})
const products = usedBy(
  product.category_id,
  ['{n} 件商品', '{n} products'],
  sql`category_id > 1000000`,
)
/** Brands name the category they are of, and those that they are authorised for. */
export const brandsOf: Use = {
  some: ['{n} 个品牌', '{n} brands'],
  counts: async (db, id) => {
    const { rows } = await db.execute<{ id: number; n: number }>(
      sql`select of id, count(*)::int n from (select id, category_id of from ${brand} union select b.id, a::int from ${brand} b, jsonb_array_elements_text(b.auth_category_ids) a) named where ${id === undefined ? sql`true` : sql`of = ${id}`} group by of`,
    )
    return new Map(rows.map(row => [row.id, row.n]))
  },
  move: async (tx, from, to) => {
    const { rows } = await tx.execute<{ n: number }>(
      sql`with moved as (update ${brand} set category_id = case when category_id = ${from} then ${to} else category_id end, auth_category_ids = (select jsonb_agg(distinct case when a::int = ${from} then ${to} else a::int end) from jsonb_array_elements_text(auth_category_ids) a), version = version + 1 where category_id = ${from} or auth_category_ids @> ${JSON.stringify([from])}::jsonb returning 1) select count(*)::int n from moved`,
    )
    return rows[0]!.n
  },
}
/** Online shops name their main category and further ones. */
const shopsOf: Use = {
  some: ['{n} 家网店', '{n} online shops'],
  counts: async (db, id) => {
    const { rows } = await db.execute<{ id: number; n: number }>(
      sql`select of id, count(*)::int n from (select id, category_id of from ${store} where category_id > 1000000 union select s.id, a::int from ${store} s, jsonb_array_elements_text(s.category_ids) a) named where ${id === undefined ? sql`true` : sql`of = ${id}`} group by of`,
    )
    return new Map(rows.map(row => [row.id, row.n]))
  },
  move: async (tx, from, to) => {
    const { rows } = await tx.execute<{ n: number }>(
      sql`with moved as (update ${store} set category_id = case when category_id = ${from} then ${to} else category_id end, category_ids = coalesce((select jsonb_agg(one.id order by one.at) from (select case when a::int = ${from} then ${to} else a::int end id, min(n) at from jsonb_array_elements_text(category_ids) with ordinality t(a, n) group by 1) one), '[]'), version = version + 1 where category_id = ${from} or category_ids @> ${JSON.stringify([from])}::jsonb returning 1) select count(*)::int n from moved`,
    )
    return rows[0]!.n
  },
}
/** Pages of it that are live, or are to be: they are taken down before it goes. */
const pagesOf: Use = {
  some: ['{n} 个已发布的频道或品牌页面', '{n} pages that are live'],
  counts: async (db, id) => {
    const { rows } = await db.execute<{ id: number; n: number }>(
      sql`select category_id id, count(*)::int n from ${page_scheme} where ${id === undefined ? sql`category_id > 0` : sql`category_id = ${id} and category_id > 0`} and (live_version_id is not null or scheduled_at is not null) group by 1`,
    )
    return new Map(rows.map(row => [row.id, row.n]))
  },
  move: async (tx, from) => {
    const n = (await pagesOf.counts(tx, from)).get(from) ?? 0
    if (n > 0)
      throw ruled(
        'live_pages',
        [
          '还有 {n} 个已发布的频道或品牌页面，请先在装修页下线',
          '{n} pages of it are live: take them down first',
        ],
        { n },
      )
    return 0
  },
}
/** The tree of them: products hang on its leaves. */
export const eCategoryTree = treeRecord(eCategories, {
  levels: E_CATEGORY_LEVELS,
  uses: [products],
  beside: [pagesOf, brandsOf, shopsOf],
  leaves: true,
})
/** Moves all products of one category to another. */
export const moveProducts = products.move

/** How goods of a category may be asked back, as the policies in force say. */
const returnPolicyOf = (
  upwards: readonly { id: number }[],
  current: ReadonlyMap<number, Policy>,
): ReturnPolicy => {
  const policy =
    policyOn(
      upwards.map(row => row.id),
      current,
    ) ?? policyAtFirst
  return { days: policy.no_reason_days, exempt: policy.exempt, payer: policy.freight_payer }
}

type Counts = { products: number; on_sale: number }
const productCounts = async (db: Db): Promise<Map<number, Counts>> => {
  const { rows } = await db.execute<Counts & { id: number }>(
    sql`select category_id id, count(*)::int products, count(*) filter (where state = 'on_sale')::int on_sale from ${product} where category_id > 1000000 group by category_id`,
  )
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}
/** All categories in tree order, as they are shown; named one by one, as `treeRecord` says why. */
export const listedECategories = async (db: Db) => {
  const [tree, counts] = [await eCategoryTree.standing(db), await productCounts(db)]
  const none = { products: 0, on_sale: 0 }
  const below = sumsOf(tree, id => counts.get(id) ?? none)
  const merged = await eCategoryTree.tookOver(db)
  const policies = await currentPolicies(db)
  return tree.branch(null).map(row => {
    const applied = appliesTo(tree, row.id)
    return {
      id: row.id,
      parent_id: row.parent_id,
      level: row.level,
      sort: row.sort,
      version: row.version,
      name: row.name,
      icon: row.icon,
      picture: row.picture,
      status: row.status,
      searchable: row.searchable,
      need_licenses: row.need_licenses,
      trademark_classes: row.trademark_classes,
      return_policy: returnPolicyOf(tree.upwards(row.id), policies),
      is_shown: applied.is_shown,
      is_searched: applied.is_searched,
      own_rate_bp: row.commission_bp,
      rate_bp: applied.commission_bp,
      own_policy: policies.has(row.id),
      products: counts.get(row.id)?.products ?? 0,
      products_all: below.get(row.id)!.products,
      on_sale: below.get(row.id)!.on_sale,
      children: tree.children(row.id).length,
      took_over: merged.get(row.id) ?? [],
    }
  })
}
/**
 * The categories that one may be moved under or merged into, each with what would hold for its
 * products, and how many there would be.
 */
export const eCategoryPlaces = async (db: Db, asked: AskedPlaces, lang: Lang) => {
  const { to, id } = asked
  const { tree, total, found } = await eCategoryTree.places(db, asked)
  const counts = await eCategoryTree.counts(db)
  const policies = await currentPolicies(db)
  const list = found.map(({ row, full_name }) => {
    const { commission_bp } = appliesTo(tree, row.id)
    const returns = returnWords(returnPolicyOf(tree.upwards(row.id), policies), lang)
    const n = (counts.get(row.id) ?? 0) + (counts.get(id ?? 0) ?? 0)
    const effect = [
      ...(to === 'merge' ? [say(['合并后 {n} 件商品', '{n} products then'], lang, { n })] : []),
      say(['佣金{rate}', 'commission {rate}'], lang, {
        rate: commissionWords(commission_bp, lang),
      }),
      say(['退货{policy}', 'returns {policy}'], lang, { policy: returns }),
    ]
    return { id: row.id, full_name, effect: effect.join(' · ') }
  })
  return { total, list }
}
/** The leaves that products of another one may be moved to, by the names from the top down. */
export const leavesFor = async (
  db: Db,
  { id, keyword }: { id?: number | undefined; keyword?: string | undefined },
) => {
  const tree = await eCategoryTree.standing(db)
  const typed = keyword?.trim().toLowerCase() ?? ''
  return tree.branch(null).flatMap(row => {
    const full_name = fullName(tree, row.id)
    const fits =
      row.id !== id && tree.children(row.id).length === 0 && full_name.toLowerCase().includes(typed)
    return fits ? [{ id: row.id, full_name }] : []
  })
}
/** Whether a picture was uploaded, or none is named. */
export const isUploaded = async (tx: Db, key: string): Promise<boolean> =>
  key === '' || (await tx.$count(upload, eq(upload.file_key, key))) > 0

/**
 * The commission of categories that have one of their own or from above, for what is ordered from
 * now on; orders keep what they were placed with.
 */
export const ratesNow = async (
  tx: Db,
  category_ids: readonly number[],
): Promise<(category_id: number) => { commission_bp?: number }> => {
  const ids = [...new Set(category_ids)].filter(id => id > 1_000_000)
  if (ids.length === 0) return () => ({})
  const { rows } = await tx.execute<{ leaf: number; commission_bp: number }>(sql`
    with recursive up as (select c.id leaf, c.parent_id, c.commission_bp, 0 depth from e_category c where c.id in ${ids} union all select up.leaf, c.parent_id, c.commission_bp, up.depth + 1 from up join e_category c on c.id = up.parent_id where up.depth < 9)
    select distinct on (leaf) leaf, commission_bp from up where commission_bp is not null order by leaf, depth`)
  const rates = new Map(rows.map(row => [row.leaf, row.commission_bp]))
  return category_id => {
    const commission_bp = rates.get(category_id)
    return commission_bp === undefined ? {} : { commission_bp }
  }
}
