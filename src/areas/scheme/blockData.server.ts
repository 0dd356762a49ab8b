import { and, asc, desc, eq, gt, inArray, isNotNull, lte, or, sql, type SQL } from 'drizzle-orm'
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
import type { Db } from '#src/server/call/implement.ts'
import {
  blockFaults,
  kindOf,
  type Block,
  type BlockFault,
  type BlockKind,
  type BlockLink,
  type PageType,
} from './blocks.ts'

/** An item is one thing that a block shows: a product, a store, a banner. */
export type BlockItem = {
  id: number
  title: string
  note: string
  image: string
  price_cents: number | null
}
type Asked = { city_id: number; props: Block['props']; now: number }
type Linked = {
  page_link_id: number | null
  link_params: Readonly<Record<string, string | number>>
}

const most = ({ props }: Asked): number => Number(props['limit'] ?? 0)
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
        eq(hot_item.city_id, of.city_id),
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
        eq(banner_city.city_id, of.city_id),
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
  const rows = await publicEntries(db, { city_id: of.city_id, position: 'grid' }, of.now)
  return rows
    .slice(0, most(of))
    .map(({ id, title, icon, badge }) => ({ id, title, image: icon, note: badge }))
}
const settingsOf = (type: 'act_area' | 're_store' | 'hot_mall', { city_id, now }: Asked) =>
  and(eq(city_setting.type, type), eq(city_setting.city_id, city_id), running(city_setting, now))
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
        eq(store.city_id, of.city_id),
        eq(store.status, 'open'),
        or(sql`coalesce(${store.mall_id}, 0) = 0`, eq(mall.status, 'online')),
      ),
    )
    .orderBy(asc(city_setting.sort), asc(city_setting.id))
    .limit(most(of))
const malls = async (db: Db, of: Asked) => {
  const [place] = await db.select({ hot: city.hot_mall }).from(city).where(eq(city.id, of.city_id))
  const { mode } = place?.hot ?? hotMallAtFirst
  const fields = { id: mall.id, title: mall.name, note: mall.district, image: mall.logo }
  const open = and(eq(mall.city_id, of.city_id), eq(mall.status, 'online'))
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
    .join('，')
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
          sql`(${coupon.city_ids} = '[]' or ${coupon.city_ids} @> ${JSON.stringify([of.city_id])}::jsonb)`,
        ),
      )
      .orderBy(asc(coupon.claim_end_at), asc(coupon.id))
      .limit(most(of))
  ).map(({ threshold_cents, discount_bp, price_cents, ...row }) => ({
    ...row,
    note: worth({ threshold_cents, discount_bp }),
    price_cents: discount_bp === null ? price_cents : null,
  }))

const onSale = (of: Asked): SQL | undefined =>
  and(
    eq(product.city_id, of.city_id),
    eq(product.state, 'on_sale'),
    lte(product.sale_start_at, of.now),
    gt(product.sale_end_at, of.now),
    sql`${product.stock} > ${product.held}`,
  )
const productFields = {
  id: product.id,
  title: product.title,
  image: sql<string>`coalesce(${product.images}->>0, '')`,
  price_cents: product.price_cents,
}
const products = async (db: Db, of: Asked) => {
  const from = of.props['from']
  const rows = db.select(productFields).from(product)
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
const groups = (db: Db, of: Asked) =>
  db
    .select({
      ...productFields,
      price_cents: product.group_price_cents,
      note: sql<string>`${product.group_need}::text || ' 人团'`,
    })
    .from(product)
    .where(and(onSale(of), isNotNull(product.group_need), isNotNull(product.group_price_cents)))
    .orderBy(desc(product.sold), desc(product.id))
    .limit(most(of))

type Row = { id: number; title: string } & Partial<BlockItem>
const readers: Partial<Record<BlockKind, (db: Db, of: Asked) => PromiseLike<Row[]>>> = {
  search: words,
  banner: banners,
  icons,
  area: areas,
  store: stores,
  hot_mall: malls,
  coupon: coupons,
  product: products,
  group: groups,
}
/** What each block shows in a city now, by the block’s id; a block without data shows nothing. */
export const itemsOf = async (
  db: Db,
  city_id: number,
  blocks: readonly Block[],
  now: number,
): Promise<Map<string, BlockItem[]>> =>
  new Map(
    await Promise.all(
      blocks.map(async ({ id, kind, props }) => {
        const rows = (await readers[kind]?.(db, { city_id, props, now })) ?? []
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
const picksOf = (blocks: readonly Block[]) =>
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
/** Products that were picked and are not sold in the city now. */
const pickedFaults = (blocks: readonly Block[], items: ReadonlyMap<string, readonly BlockItem[]>) =>
  blocks.flatMap(({ id, props }): BlockFault[] => {
    const ids =
      props['from'] === 'picked' ? ((props['product_ids'] ?? []) as readonly number[]) : []
    const wanted = ids.slice(0, Number(props['limit'] ?? 0)).length
    const lacking = wanted - (items.get(id) ?? []).length
    return lacking > 0 && lacking < wanted
      ? [
          {
            block: id,
            field: 'product_ids',
            text: [
              `${lacking} 个商品不在本市在售`,
              `${lacking} of the products are not sold in the city now`,
            ],
          },
        ]
      : []
  })

export type Looked = {
  items: Map<string, BlockItem[]>
  link_names: Map<string, string>
  faults: BlockFault[]
}
/**
 * The page as it would be shown in the city now, and all that keeps it from being published: what is
 * wrong with a block by itself, dead links, pictures, and blocks that would show nothing.
 */
export const lookAt = async (
  db: Db,
  {
    type,
    city_id,
    blocks,
    now,
    storesElsewhere,
  }: {
    type: PageType
    city_id: number
    blocks: readonly Block[]
    now: number
    storesElsewhere: boolean
  },
): Promise<Looked> => {
  const items = await itemsOf(db, city_id, blocks, now)
  const links = await linkFaults(db, blocks, now)
  const own = blockFaults(type, blocks)
  const sound = (id: string) => !own.some(fault => fault.block === id)
  const empty = blocks.flatMap(({ id, kind }): BlockFault[] =>
    kindOf(kind).data === 'needed' && sound(id) && items.get(id)!.length === 0
      ? [{ block: id, text: ['本市暂无内容，用户看不到', 'Nothing to show in this city'] }]
      : [],
  )
  const found = [
    ...own,
    ...links.faults,
    ...(await imageFaults(db, blocks, storesElsewhere)),
    ...pickedFaults(blocks, items),
    ...empty,
  ]
  const place = new Map(blocks.map(({ id }, at) => [id, at]))
  return {
    items,
    link_names: links.names,
    faults: found.sort((a, b) => place.get(a.block)! - place.get(b.block)!),
  }
}
