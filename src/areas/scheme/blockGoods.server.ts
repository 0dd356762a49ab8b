import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  lte,
  ne,
  notInArray,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import { product } from '#src/areas/product/product.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { most, type Asked, type BlockItem } from './blockItem.server.ts'
import type { Block, BlockFault } from './blocks.ts'
import type { Ranking } from './channelBlocks.ts'

type Page = Pick<Asked, 'key' | 'categories' | 'now'>
/** What is sold at this moment and is of the page’s city, category and brand. */
export const onSale = ({ key, categories, now }: Page): SQL | undefined =>
  and(
    key.city_id > 0 ? eq(product.city_id, key.city_id) : undefined,
    categories && inArray(product.category_id, [...categories]),
    key.brand_id > 0 ? eq(product.brand_id, key.brand_id) : undefined,
    eq(product.state, 'on_sale'),
    lte(product.sale_start_at, now),
    gt(product.sale_end_at, now),
    sql`${product.stock} > ${product.held}`,
  )
const fields = {
  id: product.id,
  title: product.title,
  image: sql<string>`coalesce(${product.images}->>0, '')`,
  price_cents: product.price_cents,
}
export const products = async (db: Db, of: Asked) => {
  const from = of.props['from']
  const rows = db.select(fields).from(product)
  if (from === 'picked') {
    const ids = (of.props['product_ids'] ?? []) as readonly number[]
    const found =
      ids.length > 0 ? await rows.where(and(onSale(of), inArray(product.id, [...ids]))) : []
    const known = new Map(found.map(row => [row.id, row]))
    return ids.flatMap(id => known.get(id) ?? []).slice(0, most(of))
  }
  const first = { sold: desc(product.sold), fresh: desc(product.sale_start_at) }
  return rows
    .where(onSale(of))
    .orderBy(
      first[from as keyof typeof first] ?? desc(product.sort),
      desc(product.sold),
      desc(product.id),
    )
    .limit(most(of))
}
export const groups = (db: Db, of: Asked) =>
  db
    .select({
      ...fields,
      price_cents: product.group_price_cents,
      note: sql<string>`${product.group_need}::text || ' 人团'`,
    })
    .from(product)
    .where(and(onSale(of), isNotNull(product.group_need), isNotNull(product.group_price_cents)))
    .orderBy(desc(product.sold), desc(product.id))
    .limit(most(of))

/** What stands in a ranking, by what it is ordered, and what it says of each. */
const ranked: Readonly<Record<Ranking, { has: SQL; by: SQL; note: SQL<string> }>> = {
  sold: {
    has: gt(product.sold, 0),
    by: sql`${product.sold}`,
    note: sql<string>`'已售 ' || ${product.sold}`,
  },
  discount: {
    has: gt(product.list_price_cents, product.price_cents),
    by: sql`1 - ${product.price_cents}::numeric / ${product.list_price_cents}`,
    note: sql<string>`'省 ' || floor(100 - 100 * ${product.price_cents}::numeric / ${product.list_price_cents}) || '%'`,
  },
}
/** Goods in the order of a rule; none where fewer qualify than the ranking asks for. */
export const ranking = async (db: Db, of: Asked) => {
  const rule = ranked[of.props['rule'] as Ranking] ?? ranked.sold
  const rows = await db
    .select({ ...fields, note: rule.note, all: sql<number>`(count(*) over ())::int` })
    .from(product)
    .where(and(onSale(of), rule.has))
    .orderBy(desc(rule.by), desc(product.id))
    .limit(most(of))
  return (rows[0]?.all ?? 0) < Number(of.props['sample'] ?? 0) ? [] : rows
}
/** So many goods are on sale for the page; counted no further than `upTo`. */
export const countGoods = async (db: Db, of: Page, upTo: number): Promise<number> =>
  (await db.select({ id: product.id }).from(product).where(onSale(of)).limit(upTo)).length

const pickedOf = ({ props }: Block): readonly number[] =>
  props['from'] === 'picked' ? ((props['product_ids'] ?? []) as readonly number[]) : []
/** Finds the products that are of another category or brand than the page, with their names. */
const foreign = async (
  db: Db,
  { key, categories }: Page,
  ids: readonly number[],
): Promise<Map<number, string>> => {
  const elsewhere = or(
    categories && notInArray(product.category_id, [...categories]),
    key.brand_id > 0
      ? or(sql`${product.brand_id} is null`, ne(product.brand_id, key.brand_id))
      : undefined,
  )
  if (!elsewhere || ids.length === 0) return new Map()
  const rows = await db
    .select({ id: product.id, title: product.title })
    .from(product)
    .where(and(inArray(product.id, [...ids]), elsewhere))
  return new Map(rows.map(row => [row.id, row.title]))
}
/** Products that were picked and are of something else, or are not sold for the page now. */
export const pickedFaults = async (
  db: Db,
  page: Page,
  blocks: readonly Block[],
  items: ReadonlyMap<string, readonly BlockItem[]>,
): Promise<BlockFault[]> => {
  const others = await foreign(db, page, blocks.flatMap(pickedOf))
  return blocks.flatMap((block): BlockFault[] => {
    const ids = pickedOf(block)
    const fault = (text: BlockFault['text']) => [{ block: block.id, field: 'product_ids', text }]
    const [first, ...more] = ids.flatMap(id => others.get(id) ?? [])
    if (first !== undefined)
      return fault([
        more.length > 0
          ? `“${first}”等 ${more.length + 1} 个商品不属于本页的分类或品牌，请移除`
          : `“${first}”不属于本页的分类或品牌，请移除`,
        `${more.length + 1} of the products are not of this category or brand: take them out`,
      ])
    const wanted = ids.slice(0, most(block)).length
    const lacking = wanted - (items.get(block.id) ?? []).length
    return lacking > 0 && lacking < wanted
      ? fault([
          page.key.city_id > 0 ? `${lacking} 个商品不在本市在售` : `${lacking} 个商品不在售`,
          `${lacking} of the products are not sold ${page.key.city_id > 0 ? 'in the city ' : ''}now`,
        ])
      : []
  })
}
/** The best sold of what a page may show: what takes the place of goods that were picked for another. */
export const bestGoods = async (db: Db, of: Page, n: number): Promise<number[]> =>
  (
    await db
      .select({ id: product.id })
      .from(product)
      .where(onSale(of))
      .orderBy(desc(product.sold), desc(product.id))
      .limit(n)
  ).map(row => row.id)
