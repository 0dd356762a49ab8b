import { z } from 'zod'
import { placed, read, write } from '#src/contract/call.ts'
import { flag, id, listOf, searched, text, unix, version } from '#src/contract/shapes.ts'
import { image, listVersion, order, paging, params, theirs } from './shared.ts'

const jump = z.enum(['stores', 'products', 'link'])
const own = {
  id,
  mid: id,
  mall_name: z.string(),
  parent_id: z.int(),
  name: z.string(),
  icon: z.string(),
  shop_category_ids: z.array(z.int()),
  shop_category_names: z.array(z.string()),
  jump_kind: jump,
  page_link_id: z.int().nullable(),
  link_params: params.nullable(),
  link_name: z.string(),
  link_ok: z.boolean(),
  sort: z.int(),
  is_show: z.boolean(),
  store_count: z.int(),
  product_count: z.int(),
  recommended: z.int(),
  is_empty: z.boolean(),
  version,
}
const child = z.object({ ...own, children: z.array(z.never()) })
export const categoryRow = z.object({ ...own, children: z.array(child) })
export type CategoryRow = z.output<typeof categoryRow>
const fields = {
  mid: id,
  parent_id: z.int().min(0).max(2147483647).optional(),
  name: text(8),
  icon: image,
  shop_category_ids: z.array(id).max(60).optional(),
  jump_kind: jump,
  page_link_id: id.optional(),
  link_params: params.optional(),
  is_show: flag.optional(),
}
const some = z.object(fields).partial().shape
const settings = {
  title: text(20),
  show_title: flag,
  per_row: z.union([z.literal(4), z.literal(5)]),
  max_rows: z.int().min(1).max(3),
  layout: z.enum(['grid', 'tabs']),
  store_limit: z.int().min(1).max(30),
  hide_empty: flag,
}
const copied = z.object({
  created: z.int(),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
  backup_no: z.string(),
})
const changed = z.object({ id, version })
const touches = ['mall_category'] as const
const reads = ['mall_category', 'store', 'product', 'recommend', 'mall', 'page_link'] as const

export const category = {
  lst: read('mallCategory/lst', ['导购分类列表', 'Guide categories'], {
    input: z.object({
      mid: id,
      parent_id: z.int().min(0).max(2147483647).optional(),
      is_show: z.boolean().optional(),
    }),
    output: z.object({
      list: z.array(categoryRow),
      total: z.int(),
      list_version: listVersion,
      theirs,
    }),
    touches: reads,
    scope: placed('mall_category', { mid: 'mall' }),
    permit: 'mall.category.view',
  }),
  /**
   * One category; or with `copy_from_mid` another mall's whole grid in place of this one, which
   * needs the right to copy as well.
   */
  create: write('mallCategory/create', ['新增分类', 'Add a category'], {
    input: z.object({ ...some, mid: id, copy_from_mid: id.optional(), confirm: flag.optional() }),
    output: z.object({
      id: id.optional(),
      sort: z.int().optional(),
      version: version.optional(),
      list_version: listVersion.optional(),
      ...copied.partial().shape,
    }),
    touches: ['mall_category', 'recommend'],
    scope: placed('mall_category', { mid: 'mall' }),
    permit: 'mall.category.create',
  }),
  /** Fields, or the order under one parent, which needs its own right as well. */
  edit: write('mallCategory/edit', ['编辑分类', 'Edit a category'], {
    input: z.object({
      id: id.optional(),
      version: version.optional(),
      ...some,
      order: order.optional(),
      list_version: listVersion.optional(),
    }),
    output: z.object({
      id: id.optional(),
      version: version.optional(),
      list_version: listVersion.optional(),
    }),
    touches,
    scope: placed('mall_category', { id: 'mall_category', mid: 'mall' }),
    permit: 'mall.category.edit',
  }),
  del: write('mallCategory/del', ['删除分类', 'Delete a category'], {
    method: 'GET',
    input: z.object({ id, clear_recommend: z.boolean().optional() }),
    output: z.object({
      id,
      deleted: z.boolean(),
      already: z.boolean().optional(),
      list_version: listVersion.optional(),
    }),
    touches: ['mall_category', 'recommend'],
    scope: placed('mall_category', 'id'),
    permit: 'mall.category.del',
  }),
  sort: write('mallCategory/sort', ['调整分类顺序', 'Order categories'], {
    input: z.object({
      mid: id,
      parent_id: z.int().min(0).max(2147483647),
      order,
      list_version: listVersion,
    }),
    output: z.object({ list_version: listVersion }),
    touches,
    scope: placed('mall_category', { mid: 'mall' }),
    permit: 'mall.category.sort',
  }),
  show: write('mallCategory/show', ['展示分类', 'Show a category'], {
    input: z.object({ id, version }),
    output: changed,
    touches,
    scope: placed('mall_category', 'id'),
    permit: 'mall.category.show',
  }),
  hide: write('mallCategory/hide', ['隐藏分类', 'Hide a category'], {
    input: z.object({ id, version }),
    output: changed,
    touches,
    scope: placed('mall_category', 'id'),
    permit: 'mall.category.hide',
  }),
  settings: read('mallCategory/get_category_settings', ['分类设置', 'Category settings'], {
    input: z.object({ mid: id }),
    output: z.object({ mid: id, mall_name: z.string(), ...settings, version }),
    touches: ['mall_category'],
    scope: placed('mall_category', { mid: 'mall' }),
    permit: 'mall.category.view',
  }),
  saveSettings: write(
    'mallCategory/set_category_settings',
    ['保存分类设置', 'Save category settings'],
    {
      input: z.object({ mid: id, version, ...settings }),
      output: z.object({ mid: id, version }),
      touches,
      scope: placed('mall_category', { mid: 'mall' }),
      permit: 'mall.category.saveSettings',
    },
  ),
  copy: write('mallCategory/copy', ['复制其他商场分类', 'Copy another mall’s categories'], {
    input: z.object({ mid: id, copy_from_mid: id, confirm: flag }),
    output: copied,
    touches: ['mall_category', 'recommend'],
    scope: placed('mall_category', { mid: 'mall', copy_from_mid: 'mall' }),
    permit: 'mall.category.copyFrom',
  }),
  backups: read('mallCategory/backups', ['可恢复的分类', 'Kept categories'], {
    input: z.object({ mid: id }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          backup_no: z.string(),
          at: unix,
          by: z.string(),
          names: z.array(z.string()),
          restored_at: unix.nullable(),
        }),
      ),
    }),
    touches: ['mall_category'],
    scope: placed('mall_category', { mid: 'mall' }),
    permit: 'mall.category.view',
  }),
  restore: write('mallCategory/restore', ['恢复分类', 'Restore replaced categories'], {
    input: z.object({ mid: id, backup_no: text(24) }),
    output: z.object({ restored: z.int(), backup_no: z.string() }),
    touches: ['mall_category', 'recommend'],
    scope: placed('mall_category', { mid: 'mall' }),
    permit: 'mall.category.copyFrom',
  }),
  /** First-level categories of a mall, to stand under or to copy an order to. */
  options: read('mallCategory/options', ['可选分类', 'Categories to choose'], {
    input: z.object({
      ...paging,
      mid: id,
      keyword: searched(32).optional(),
      all: z.boolean().optional(),
    }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['mall_category'],
    scope: placed('mall_category', { mid: 'mall' }),
    permit: 'mall.category.view',
  }),
  /** Links of the library that can be used as they are. */
  links: read('mallCategory/links', ['可选链接', 'Links to choose'], {
    input: z.object({ ...paging, keyword: searched(64).optional() }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['page_link'],
    scope: 'all',
    permit: 'mall.category.view',
  }),
  /** Platform categories to gather, by name. */
  platform: read('mallCategory/platform', ['平台经营分类', 'Platform categories'], {
    input: z.object({ ...paging, keyword: searched(32).optional() }),
    output: listOf(z.object({ id, name: z.string(), store_count: z.int() })),
    touches: ['category'],
    scope: 'all',
    permit: 'mall.category.view',
  }),
}
