import { z } from 'zod'
import { hotBadges, hotKinds, type HotBadge, type HotKind } from '#src/areas/mall/recommend.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  guarded,
  id,
  listOf,
  searched,
  text,
  unix,
  version,
  exportFile,
  exportBegun,
} from '#src/contract/shapes.ts'
import { image, listVersion, order, paging, params, place, theirs } from './shared.ts'

const kind = z.enum(Object.keys(hotKinds) as [HotKind, ...HotKind[]])
const badge = z.enum(Object.keys(hotBadges) as [HotBadge, ...HotBadge[]])
export const hotItem = z.object({
  id,
  city_id: id,
  city_name: z.string(),
  mid: z.int(),
  mall_name: z.string(),
  kind,
  title: z.string(),
  ref_id: z.int().nullable(),
  ref_name: z.string(),
  ref_status: z.string(),
  page_link_id: z.int().nullable(),
  link_params: params.nullable(),
  image: z.string().nullable(),
  badge,
  sort: z.int(),
  start_at: unix,
  end_at: unix,
  click_count: z.int(),
  user_count: z.int(),
  status: z.enum(['on', 'off']),
  is_live: z.boolean(),
  hide_reason: z.string().nullable(),
  updated_at: unix,
  version,
})
export type HotItem = z.output<typeof hotItem>
const fields = {
  city_id: id,
  mid: place,
  kind,
  title: text(20),
  ref_id: id.optional(),
  page_link_id: id.optional(),
  link_params: params.optional(),
  image: image.optional(),
  badge: badge.optional(),
  start_at: unix,
  end_at: unix,
  status: z.enum(['on', 'off']).optional(),
}
const some = z.object(fields).partial().shape
const versions = { list_version: listVersion }
const switched = z.object({ id, version, ...versions })
const clicks = { id, start_at: unix.optional(), end_at: unix.optional() }
const clicker = z.object({
  id,
  member_id: id,
  nickname: z.string(),
  avatar: z.string(),
  phone_masked: guarded('member.phone', z.string()),
  city_name: z.string(),
  click_count: z.int(),
  first_click_at: unix,
  last_click_at: unix,
})
const copied = z.object({
  ok: z.array(z.object({ mid: id, id })),
  failed: z.array(z.object({ mid: id, id, reason: z.string(), msg: z.string() })),
})
const touches = ['hot'] as const

export const hots = {
  list: read('hots/list', ['热门列表', 'Hot items'], {
    // An ordered list is saved whole: all of a place can be read at once.
    input: z.object({
      ...paging,
      pageSize: z.int().min(1).max(1000).default(20),
      city_id: id.optional(),
      mid: place.optional(),
      kind: kind.optional(),
      status: z.enum(['on', 'off']).optional(),
      keyword: searched(40).optional(),
    }),
    output: z.object({
      list: z.array(hotItem),
      total: z.int(),
      max: z.int(),
      live: z.int(),
      ...versions,
      theirs,
    }),
    touches: ['hot', 'product', 'store', 'mall'],
    scope: placed('hot_item'),
    permit: 'mall.hot.view',
  }),
  add: write('hots/add', ['新增热门', 'Add a hot item'], {
    input: z.object(fields),
    output: z.object({ id, sort: z.int(), version, ...versions }),
    touches,
    scope: placed('hot_item', { mid: 'mall' }),
    permit: 'mall.hot.add',
  }),
  /**
   * One item, the order of a place, or copies in other malls; the last two need their own rights as
   * well.
   */
  edit: write('hots/edit', ['编辑热门', 'Edit a hot item'], {
    input: z.object({
      id: id.optional(),
      version: version.optional(),
      ...some,
      order: order.optional(),
      list_version: listVersion.optional(),
      copy_to_mids: z.array(id).min(1).max(50).optional(),
    }),
    output: z.object({
      id: id.optional(),
      version: version.optional(),
      list_version: listVersion.optional(),
      ok: copied.shape.ok.optional(),
      failed: copied.shape.failed.optional(),
    }),
    touches,
    scope: placed('hot_item', 'id'),
    permit: 'mall.hot.edit',
  }),
  del: write('hots/del', ['删除热门', 'Delete a hot item'], {
    method: 'GET',
    input: z.object({ id }),
    output: z.object({
      id,
      deleted: z.boolean(),
      already: z.boolean().optional(),
      list_version: listVersion.optional(),
    }),
    touches,
    scope: placed('hot_item', 'id'),
    permit: 'mall.hot.del',
  }),
  /** What an item of this kind may lead to in a place, by name. */
  targets: read('hots/targets', ['可选目标', 'Targets to choose'], {
    input: z.object({
      ...paging,
      city_id: id.optional(),
      mid: place.optional(),
      kind,
      keyword: searched(40).optional(),
    }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['product', 'store', 'page_link'],
    scope: placed('product'),
    permit: 'mall.hot.view',
  }),
  sort: write('hots/sort', ['调整热门顺序', 'Order hot items'], {
    input: z.object({ city_id: id, mid: place, order, list_version: listVersion }),
    output: z.object(versions),
    touches,
    scope: placed('hot_item', { mid: 'mall' }),
    permit: 'mall.hot.sort',
  }),
  on: write('hots/on', ['启用热门', 'Enable'], {
    input: z.object({ id, version }),
    output: switched,
    touches,
    scope: placed('hot_item', 'id'),
    permit: 'mall.hot.on',
  }),
  off: write('hots/off', ['停用热门', 'Disable'], {
    input: z.object({ id, version }),
    output: switched,
    touches,
    scope: placed('hot_item', 'id'),
    permit: 'mall.hot.off',
  }),
  copy: write('hots/copy', ['复制到其他商场', 'Copy to other malls'], {
    input: z.object({ id, copy_to_mids: z.array(id).min(1).max(50) }),
    output: copied,
    touches,
    scope: placed('hot_item', 'id'),
    permit: 'mall.hot.copyToMall',
  }),
  userList: read('hots/userList', ['热门点击用户', 'Who clicked'], {
    input: z.object({ ...paging, ...clicks }),
    output: z.object({ list: z.array(clicker), total: z.int(), pv: z.int(), uv: z.int() }),
    touches: ['hot'],
    scope: placed('click_log', { id: 'hot_item' }),
    permit: 'mall.hot.userList',
  }),
  export: write('hots/export', ['导出点击用户', 'Export who clicked'], {
    input: z.object({ ...clicks, ...exportFile() }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('click_log', { id: 'hot_item' }),
    permit: 'mall.hot.export',
  }),
}
