import { z } from 'zod'
import { authorisations, brandStates } from '#src/areas/brand/brand.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  keyText,
  pasted,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'

const authorisation = keysOf(authorisations)
const other = z.object({ id, name: z.string() })
export const brandRow = z.object({
  id,
  name: z.string(),
  en_name: z.string(),
  initial: z.string(),
  logo: z.string(),
  category_id: id,
  category_name: z.string(),
  company: z.string(),
  /** Categories that the authorisation covers; null where none is needed. */
  auth_category_ids: z.array(id).nullable(),
  auth_category_names: z.array(z.string()),
  auth_end_at: unix.nullable(),
  authorisation,
  trademark_no: z.string(),
  trademark_classes: z.array(z.int()),
  trademark_end_at: unix.nullable(),
  /** Merchants that were given leave to use it, and until when. */
  leaves: z.array(z.object({ id, name: z.string(), end_at: unix.nullable() })),
  city_ids: z.array(id),
  city_names: z.array(z.string()),
  recommended: z.boolean(),
  followers: z.int(),
  /** Stores that are not closed and goods on sale, of the reader's places. */
  stores: z.int(),
  goods: z.int(),
  gmv_30d_cents: guarded('stat.gmv_cents', cents),
  /** Brands that are called alike. */
  twins: z.array(other),
  state: keysOf(brandStates),
  merged_into: other.nullable(),
  version,
})
export type BrandRow = z.output<typeof brandRow>

const fields = {
  name: text(64),
  en_name: text(64, 0).default(''),
  /** Empty: the letter that its name is read by. */
  initial: keyText(1, 0)
    .overwrite(typed => typed.toUpperCase())
    .regex(/^[A-Z#]?$/, { message: joined(['请填 A–Z 或 #', 'A letter from A to Z, or #']) })
    .default(''),
  logo: keyText(255).default(''),
  category_id: id,
  company: text(64, 0).default(''),
  /** Empty: it needs no authorisation. */
  auth_category_ids: z.array(id).max(60).default([]),
  auth_end_at: unix.optional(),
  city_ids: z.array(id).max(400).default([]),
}
const filters = {
  keyword: searched(64).optional(),
  state: keysOf(brandStates).optional(),
  authorisation: z.enum(['soon', 'ended']).optional(),
  recommended: z.boolean().optional(),
  /** Those that another one may be the same as. */
  alike: z.boolean().optional(),
}
const picked = { keyword: searched(64).optional() }
const call = callsOf('brand/index', { touches: ['brand'], rows: 'all' })

/** The brands of malls, stores and goods. */
export const brands = {
  lst: call.lists('lst', ['品牌库', 'Brands'], {
    filters,
    row: brandRow,
    touches: ['brand', 'store', 'product', 'order'],
  }),
  /** Those that may be chosen: in use, and in the case of `but` not that one. */
  pick: call.lists('pick', ['选择品牌', 'Pick a brand'], {
    filters: { ...picked, but: id.optional() },
    row: z.object({ id, name: z.string(), category_name: z.string() }),
    permit: 'brand.index.view',
  }),
  /** The recommended ones in their order. */
  arranged: call.read('arranged', ['推荐品牌', 'Recommended brands'], {
    input: z.object({}),
    output: z.object({ list: z.array(other), list_version: z.int() }),
    permit: 'brand.index.view',
  }),
  categories: call.lists('categories', ['经营与电商分类', 'Categories'], {
    filters: picked,
    row: z.object({ id, name: z.string() }),
    touches: ['shop_category', 'e_category'],
    permit: 'brand.index.view',
  }),
  /** Stores of the person's places that have no brand. */
  freeStores: call.lists('freeStores', ['无品牌门店', 'Stores without a brand'], {
    filters: picked,
    row: z.object({ id, name: z.string(), city_name: z.string() }),
    touches: ['store'],
    scope: placed('store'),
    permit: 'brand.index.bindStores',
  }),
  /** The same of goods. */
  freeGoods: call.lists('freeGoods', ['无品牌商品', 'Goods without a brand'], {
    filters: picked,
    row: z.object({ id, title: z.string(), merchant_name: z.string() }),
    touches: ['product'],
    scope: placed('product'),
    permit: 'brand.index.bindGoods',
  }),
  create: call.creates('create', ['新增品牌', 'Create a brand'], { fields }),
  edit: call.changes('edit', ['编辑品牌', 'Edit a brand'], { fields }),
  /** Lines of brands (`brandLines`), checked, or written besides: all or the good ones. */
  batchImport: call.write('batchImport', ['批量导入品牌', 'Import brands'], {
    input: z.object({
      text: pasted(100_000),
      mode: z.enum(['check', 'all', 'good']).default('check'),
    }),
    output: z.object({
      written: z.int(),
      rows: z.array(
        z.object({
          line: z.int(),
          name: z.string(),
          category: z.string(),
          faults: z.array(z.string()),
        }),
      ),
    }),
  }),
  /** A merge is for good: the other brand gets stores, goods and followers, and the old id leads to it. */
  merge: call.changes('merge', ['合并重复品牌', 'Merge a brand'], {
    fields: { target_id: id, reason },
    answer: { stores: z.int(), goods: z.int() },
    touches: ['brand', 'store', 'product'],
  }),
  setRecommend: call.changes('setRecommend', ['设为推荐', 'Recommend a brand']),
  cancelRecommend: call.changes('cancelRecommend', ['取消推荐', 'Recommend a brand no more']),
  sort: call.sorts('sort', ['调整推荐顺序', 'Arrange recommended brands'], { fields: {} }),
  bindStores: call.write('bindStores', ['关联门店', 'Give stores a brand'], {
    input: z.object({ id, store_ids: z.array(id).min(1).max(200) }),
    output: z.object({ id, bound: z.int() }),
    touches: ['brand', 'store'],
    scope: placed('store', { store_ids: 'store' }),
  }),
  bindGoods: call.write('bindGoods', ['关联商品', 'Give goods a brand'], {
    input: z.object({ id, product_ids: z.array(id).min(1).max(200) }),
    output: z.object({ id, bound: z.int() }),
    touches: ['brand', 'product'],
    scope: placed('product', { product_ids: 'product' }),
  }),
  enable: call.changes('enable', ['启用品牌', 'Enable a brand']),
  disable: call.changes('disable', ['停用品牌', 'Disable a brand'], { fields: { reason } }),
  del: call.deletes('del', ['删除品牌', 'Delete a brand']),
  export: call.startsExport('export', ['导出品牌', 'Export brands'], { filters }),
}
