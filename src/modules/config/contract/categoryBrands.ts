import { z } from 'zod'
import { tileFaults, WALL_MOST, type TileFault } from '#src/areas/brandWall/brandWall.ts'
import { placed, read } from '#src/contract/call.ts'
import { callsOf, one } from '#src/contract/record.ts'
import { batchResult, id, keysOf, page, searched, unix, version } from '#src/contract/shapes.ts'

/** A wall: of a category, in a city or, without one, in the whole country. */
const wall = { category_id: id, city_id: id.optional() }
/** The wall that a row is of, as the row names it. */
const ofWall = { category_id: id, city_id: id.nullable() }
const named = { name: z.string(), en_name: z.string(), logo: z.string() }
export const wallCategory = z.object({
  id,
  /** With the names of all above it. */
  name: z.string(),
  level: z.int(),
  is_shown: z.boolean(),
  tiles: z.int(),
  /** Tiles that are over, or whose brand is off: consumers don't see them. */
  gone: z.int(),
  is_published: z.boolean(),
})
export type WallCategory = z.output<typeof wallCategory>
export const tileRow = z.object({
  id,
  ...ofWall,
  brand_id: id,
  ...named,
  /** On sale in the category and all below it. */
  goods: z.int(),
  clicks_7d: z.int(),
  is_pinned: z.boolean(),
  pinned_until: unix.nullable(),
  start_at: unix.nullable(),
  end_at: unix.nullable(),
  fault: keysOf<TileFault>(tileFaults).nullable(),
  version,
})
export type TileRow = z.output<typeof tileRow>
export const wallCandidate = z.object({
  id,
  ...ofWall,
  ...named,
  goods: z.int(),
  sold: z.int(),
})
export type WallCandidate = z.output<typeof wallCandidate>

const call = callsOf('config/entry/categoryBrands', { touches: ['brand_wall'], rows: 'brand_wall' })
const view = 'config.entry.categoryBrands.view'
const byCity = placed('brand_wall', { city_id: 'city' })
const ids = z.array(id).min(1).max(WALL_MOST)
const byTiles = placed('category_brand', { ids: 'category_brand' })
const byTile = placed('category_brand', { id: 'category_brand' })
const reads = ['brand_wall', 'brand', 'product', 'e_category'] as const

/** Which brands appear under each category: arranged by tiles, seen by consumers once published. */
export const categoryBrands = {
  /** Categories that sell something or have a wall, in the order of their tree. */
  categories: call.read('categories', ['品牌墙分类', 'Categories with walls'], {
    input: z.object({
      page: page.page,
      /** The page shows all of them at once. */
      pageSize: z.int().min(1).max(5000).default(5000),
      city_id: id.optional(),
      keyword: searched(40).optional(),
    }),
    output: z.object({ list: z.array(wallCategory), total: z.int() }),
    touches: reads,
    scope: byCity,
    permit: view,
  }),
  lst: call.read('lst', ['分类品牌墙', 'Brand wall'], {
    input: z.object(wall),
    output: z.object({
      list: z.array(tileRow),
      list_version: z.int(),
      /** Null until something stands on it. */
      wall: z
        .object({
          ...one,
          published_at: unix.nullable(),
          by: z.string(),
          /** It differs from what consumers get. */
          is_changed: z.boolean(),
        })
        .nullable(),
    }),
    touches: reads,
    scope: placed('category_brand', { city_id: 'city' }),
    permit: view,
  }),
  /** Brands with something on sale in the category that don't stand on the wall, best sellers first. */
  candidates: call.lists('candidates', ['可添加的品牌', 'Brands to add'], {
    filters: { ...wall, keyword: searched(64).optional() },
    row: wallCandidate,
    touches: reads,
    scope: byCity,
    permit: view,
  }),
  add: call.write('add', ['添加品牌', 'Add brands'], {
    input: z.object({ ...wall, brand_ids: ids }),
    output: batchResult,
    scope: byCity,
  }),
  remove: call.write('remove', ['移除品牌', 'Remove brands'], {
    input: z.object({ ids }),
    output: batchResult,
    scope: byTiles,
  }),
  sort: call.sorts('sort', ['调整品牌顺序', 'Arrange brands'], { fields: wall, scope: byCity }),
  pin: call.changes('pin', ['置顶品牌', 'Pin a brand'], { fields: { until: unix }, scope: byTile }),
  unpin: call.changes('unpin', ['取消置顶', 'Unpin a brand'], { scope: byTile }),
  /** Without a beginning at once, without an end for good. */
  setPeriod: call.write('setPeriod', ['设置展示时间', 'Set the time of brands'], {
    input: z.object({ ids, start_at: unix.optional(), end_at: unix.optional() }),
    output: batchResult,
    scope: byTiles,
  }),
  /** Brands that are pinned stay; the others give way to the best sellers. */
  autoFill: call.write('autoFill', ['按销量自动填充', 'Fill by sales'], {
    input: z.object({ ...wall, count: z.int().min(1).max(WALL_MOST) }),
    output: z.object({ added: z.int(), removed: z.int(), total: z.int() }),
    scope: byCity,
  }),
  copyToCategories: call.write('copyToCategories', ['复制到分类', 'Copy to categories'], {
    input: z.object({ ...wall, category_ids: z.array(id).min(1).max(50) }),
    output: z.object({
      list: z.array(z.object({ id, name: z.string(), added: z.int(), left: z.int() })),
    }),
    scope: byCity,
  }),
  publish: call.changes('publish', ['发布品牌墙', 'Publish a brand wall']),
  /**
   * For the app: the brands that are published, of the city or else of the country, as far as they
   * stand and sell something at this moment.
   */
  shown: read('config/brandWall', ['分类下的品牌', 'Brands of a category'], {
    input: z.object(wall),
    output: z.object({
      list: z.array(z.object({ id, ...named, is_pinned: z.boolean() })),
    }),
    touches: reads,
    scope: { none: 'A published wall is told to everybody' },
    permit: 'public',
  }),
}
