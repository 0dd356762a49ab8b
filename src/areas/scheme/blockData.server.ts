import { and, asc, desc, eq, gt, inArray, lte, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { banner, banner_city, city_setting } from '#src/areas/content/content.table.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { publicEntries } from '#src/areas/entryIcon/entries.server.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { linksShown } from '#src/areas/link/links.server.ts'
import { hot_item } from '#src/areas/mall/mall.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { hotMallAtFirst } from '#src/areas/place/city.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { yuan } from '#src/domain/money.ts'
import { clause, type Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { groups, onSale, pickedFaults, products, ranking } from './blockGoods.server.ts'
import { most, type Asked, type BlockItem, type ReadItem } from './blockItem.server.ts'
import {
  blockFaults,
  kindOf,
  type Block,
  type BlockFault,
  type BlockKind,
  type BlockLink,
  type PageType,
} from './blocks.ts'
import {
  brandStores,
  header,
  relatedBrands,
  subcategories,
  wallBrands,
} from './channelData.server.ts'

type Linked = {
  page_link_id: number | null
  link_params: Readonly<Record<string, string | number>>
}

const item = (id: number, title: string, of: Partial<BlockItem> = {}): BlockItem => ({
  id,
  title,
  note: '',
  image: '',
  price_cents: null,
  ...of,
})
const running = (of: { start_at: PgColumn; end_at: PgColumn }, now: number): SQL | undefined =>
  and(sql`coalesce(${of.start_at}, 0) <= ${now}`, sql`coalesce(${of.end_at}, ${now + 1}) > ${now}`)
/** Those whose link leads somewhere: nobody is shown a tile that opens nothing. */
const leading = async <R extends Linked>(db: Db, rows: readonly R[], now: number): Promise<R[]> => {
  const shown = await linksShown(
    db,
    rows.map(row => ({ page_link_id: row.page_link_id ?? 0, params: row.link_params })),
    now,
  )
  return rows.filter((_, at) => shown[at]!.link_ok)
}

const words = (db: Db, of: Asked) =>
  db
    .select({ id: hot_item.id, title: hot_item.title })
    .from(hot_item)
    .where(
      and(
        eq(hot_item.city_id, of.key.city_id),
        eq(hot_item.mid, 0),
        eq(hot_item.status, 'on'),
        lte(hot_item.start_at, of.now),
        gt(hot_item.end_at, of.now),
      ),
    )
    .orderBy(asc(hot_item.sort), asc(hot_item.id))
    .limit(most(of))
const banners = async (db: Db, of: Asked) => {
  const rows = await db
    .select({
      id: banner.id,
      title: banner.title,
      image: banner.image,
      page_link_id: banner.page_link_id,
      link_params: banner.link_params,
    })
    .from(banner)
    .innerJoin(banner_city, eq(banner_city.banner_id, banner.id))
    .where(
      and(
        eq(banner_city.city_id, of.key.city_id),
        eq(banner.position, 'home'),
        eq(banner.mall_id, 0),
        eq(banner.status, 'online'),
        running(banner, of.now),
      ),
    )
    .orderBy(asc(banner_city.sort), asc(banner.id))
  return (await leading(db, rows, of.now)).slice(0, most(of))
}
const icons = async (db: Db, of: Asked) => {
  const place = { city_id: of.key.city_id, position: 'grid' } as const
  const rows = await publicEntries(db, place, of.now)
  return rows
    .slice(0, most(of))
    .map(({ id, title, icon, badge }) => ({ id, title, image: icon, note: badge }))
}
const settingsOf = (type: 'act_area' | 're_store' | 'hot_mall', { key, now }: Asked) =>
  and(
    eq(city_setting.type, type),
    eq(city_setting.city_id, key.city_id),
    running(city_setting, now),
  )
const areas = async (db: Db, of: Asked) => {
  const rows = await db
    .select({
      id: city_setting.id,
      title: city_setting.title,
      note: city_setting.sub_title,
      image: city_setting.image,
      page_link_id: city_setting.page_link_id,
      link_params: city_setting.link_params,
    })
    .from(city_setting)
    .where(settingsOf('act_area', of))
    .orderBy(asc(city_setting.sort), asc(city_setting.id))
  return (await leading(db, rows, of.now)).slice(0, most(of))
}
const stores = (db: Db, of: Asked) =>
  db
    .select({ id: store.id, title: store.name, note: sql<string>`coalesce(${mall.name}, '')` })
    .from(city_setting)
    .innerJoin(store, eq(store.id, city_setting.ref_id))
    .leftJoin(mall, eq(mall.id, store.mall_id))
    .where(
      and(
        settingsOf('re_store', of),
        eq(store.city_id, of.key.city_id),
        eq(store.status, 'open'),
        or(sql`coalesce(${store.mall_id}, 0) = 0`, eq(mall.status, 'online')),
      ),
    )
    .orderBy(asc(city_setting.sort), asc(city_setting.id))
    .limit(most(of))
const malls = async (db: Db, of: Asked) => {
  const [place] = await db
    .select({ hot: city.hot_mall })
    .from(city)
    .where(eq(city.id, of.key.city_id))
  const { mode } = place?.hot ?? hotMallAtFirst
  const fields = { id: mall.id, title: mall.name, note: mall.district, image: mall.logo }
  const open = and(eq(mall.city_id, of.key.city_id), eq(mall.status, 'online'))
  if (mode === 'manual')
    return db
      .select(fields)
      .from(city_setting)
      .innerJoin(mall, eq(mall.id, city_setting.ref_id))
      .where(and(settingsOf('hot_mall', of), open))
      .orderBy(asc(city_setting.sort))
      .limit(most(of))
  return db
    .select(fields)
    .from(mall)
    .where(open)
    .orderBy(desc(mall.is_hot), asc(mall.sort), asc(mall.id))
    .limit(most(of))
}
/** What a coupon is worth, in the words of whoever claims it. */
const worth = (of: Pick<typeof coupon.$inferSelect, 'threshold_cents' | 'discount_bp'>): string =>
  [
    of.discount_bp === null ? '' : `${of.discount_bp / 1000} 折`,
    of.threshold_cents > 0 ? `满 ${yuan(of.threshold_cents)} 元可用` : '无门槛',
  ]
    .filter(Boolean)
    .join(clause[0])
/** On a page of a category or a brand only coupons that something of it is bought with. */
const useful = (of: Asked): SQL | undefined =>
  of.categories || of.key.brand_id > 0
    ? sql`(${coupon.apply_kind} = 'all' or exists (select 1 from ${product} where ${onSale(of)} and ((${coupon.apply_kind} = 'product' and ${coupon.apply_ids} @> to_jsonb(${product.id})) or (${coupon.apply_kind} = 'category' and ${coupon.apply_ids} @> to_jsonb(${product.category_id})))))`
    : undefined
const coupons = async (db: Db, of: Asked) =>
  (
    await db
      .select({
        id: coupon.id,
        title: coupon.name,
        price_cents: coupon.face_cents,
        threshold_cents: coupon.threshold_cents,
        discount_bp: coupon.discount_bp,
      })
      .from(coupon)
      .where(
        and(
          eq(coupon.status, 'active'),
          eq(coupon.claim_kind, 'claim'),
          lte(coupon.claim_start_at, of.now),
          gt(coupon.claim_end_at, of.now),
          sql`${coupon.claimed_count} < ${coupon.total}`,
          sql`(${coupon.city_ids} = '[]' or ${coupon.city_ids} @> ${JSON.stringify([of.key.city_id])}::jsonb)`,
          useful(of),
        ),
      )
      .orderBy(asc(coupon.claim_end_at), asc(coupon.id))
      .limit(most(of))
  ).map(({ threshold_cents, discount_bp, price_cents, ...row }) => ({
    ...row,
    note: worth({ threshold_cents, discount_bp }),
    price_cents: discount_bp === null ? price_cents : null,
  }))

const readers: Partial<Record<BlockKind, (db: Db, of: Asked) => PromiseLike<ReadItem[]>>> = {
  search: words,
  banner: banners,
  icons,
  area: areas,
  store: stores,
  hot_mall: malls,
  coupon: coupons,
  product: products,
  group: groups,
  ranking,
  subcategory: subcategories,
  brand_wall: wallBrands,
  brand_header: header,
  brand_store: brandStores,
  related_brand: relatedBrands,
}
type Page = Omit<Asked, 'props'>
/** What each block shows on a page now, by the block’s id; a block without data shows nothing. */
export const itemsOf = async (
  db: Db,
  page: Page,
  blocks: readonly Block[],
): Promise<Map<string, BlockItem[]>> =>
  new Map(
    await Promise.all(
      blocks.map(async ({ id, kind, props }) => {
        const rows = (await readers[kind]?.(db, { ...page, props })) ?? []
        return [
          id,
          rows.map(row =>
            item(row.id, row.title, {
              note: row.note ?? '',
              image: row.image ?? '',
              price_cents: row.price_cents ?? null,
            }),
          ),
        ] as const
      }),
    ),
  )

const IMAGE_BYTES = 500 * 1024
const IMAGE_WIDTH = 640
/** The links that blocks lead through, each with the block it is in. */
export const picksOf = (blocks: readonly Block[]) =>
  blocks.flatMap(({ id, props }) => {
    const link = props['link'] as BlockLink | undefined
    return link ? [{ id, page_link_id: link.page_link_id, params: link.link_params }] : []
  })
/** The blocks whose link leads somewhere now. */
export const linksLeading = async (
  db: Db,
  blocks: readonly Block[],
  now: number,
): Promise<ReadonlySet<string>> => {
  const picked = picksOf(blocks)
  const shown = await linksShown(db, picked, now)
  return new Set(picked.flatMap(({ id }, at) => (shown[at]!.link_ok ? [id] : [])))
}
const linkFaults = async (db: Db, blocks: readonly Block[], now: number) => {
  const picked = picksOf(blocks)
  const shown = await linksShown(db, picked, now)
  return {
    names: new Map(picked.map(({ id }, at) => [id, shown[at]!.link_name])),
    faults: picked.flatMap(({ id }, at): BlockFault[] =>
      shown[at]!.link_ok
        ? []
        : [
            {
              block: id,
              field: 'link',
              text: ['链接已失效，请重选', 'The link is dead: choose another'],
            },
          ],
    ),
  }
}
const imageFaults = async (
  db: Db,
  blocks: readonly Block[],
  storesElsewhere: boolean,
): Promise<BlockFault[]> => {
  const used = blocks.flatMap(({ id, props }) =>
    typeof props['image'] === 'string' && props['image'] !== ''
      ? [{ id, key: props['image'] }]
      : [],
  )
  if (used.length === 0) return []
  const rows = await db
    .select()
    .from(upload)
    .where(
      inArray(
        upload.file_key,
        used.map(({ key }) => key),
      ),
    )
  const known = new Map(rows.map(row => [row.file_key, row]))
  return used.flatMap(({ id, key }): BlockFault[] => {
    const found = known.get(key)
    const fault = (text: BlockFault['text']) => [{ block: id, field: 'image', text }]
    if (!found)
      return storesElsewhere ? [] : fault(['图片不存在，请重新上传', 'It is gone: upload it again'])
    if (found.size_bytes > IMAGE_BYTES)
      return fault(['图片不能大于 500 KB', 'It is larger than 500 KB'])
    return (found.width ?? 0) < IMAGE_WIDTH
      ? fault([`图片宽度至少 ${IMAGE_WIDTH} 像素`, `It must be ${IMAGE_WIDTH} pixels wide or more`])
      : []
  })
}
/** Why a block of a page would be empty. */
const emptyText = (kind: BlockKind, { key }: Page): Text => {
  if (kind === 'ranking')
    return ['上榜商品不足最少样本，用户看不到', 'Fewer goods qualify than the least sample']
  return key.city_id > 0
    ? ['本市暂无内容，用户看不到', 'Nothing to show in this city']
    : ['暂无内容，用户看不到', 'Nothing to show']
}
export type Looked = {
  items: Map<string, BlockItem[]>
  link_names: Map<string, string>
  faults: BlockFault[]
}
/**
 * The page as it would be shown now, and all that keeps its blocks from being published: what is
 * wrong with one by itself, dead links, pictures, goods of something else, and blocks that would
 * show nothing.
 */
export const lookAt = async (
  db: Db,
  {
    type,
    page,
    blocks,
    storesElsewhere,
  }: { type: PageType; page: Page; blocks: readonly Block[]; storesElsewhere: boolean },
): Promise<Looked> => {
  const items = await itemsOf(db, page, blocks)
  const links = await linkFaults(db, blocks, page.now)
  const own = blockFaults(type, blocks)
  const sound = (id: string) => !own.some(fault => fault.block === id)
  const empty = blocks.flatMap(({ id, kind }): BlockFault[] =>
    kindOf(kind).data === 'needed' && sound(id) && items.get(id)!.length === 0
      ? [{ block: id, text: emptyText(kind, page) }]
      : [],
  )
  const found = [
    ...own,
    ...links.faults,
    ...(await imageFaults(db, blocks, storesElsewhere)),
    ...(await pickedFaults(db, page, blocks, items)),
    ...empty,
  ]
  const place = new Map(blocks.map(({ id }, at) => [id, at]))
  return {
    items,
    link_names: links.names,
    faults: found.sort((a, b) => place.get(a.block)! - place.get(b.block)!),
  }
}
