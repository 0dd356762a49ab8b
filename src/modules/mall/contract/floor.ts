import { z } from 'zod'
import { FLOOR_MAX, FLOOR_MIN } from '#src/areas/mall/mall.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { flag, id, listOf, searched, text, version } from '#src/contract/shapes.ts'
import { image, listVersion, order, paging, theirs } from './shared.ts'

export const floorRow = z.object({
  id,
  mid: id,
  mall_name: z.string(),
  name: z.string(),
  alias: z.string(),
  level_no: z.int(),
  map_image: z.string().nullable(),
  sort: z.int(),
  is_show: z.boolean(),
  store_count: z.int(),
  version,
})
export type FloorRow = z.output<typeof floorRow>
export const floorStore = z.object({
  id,
  mid: id,
  name: z.string(),
  logo: z.string(),
  door_no: z.string(),
  category_name: z.string(),
  status: z.string(),
  on_sale_count: z.int(),
  floor_id: z.int().nullable(),
  floor_name: z.string(),
})
export type FloorStore = z.output<typeof floorStore>
const level = z.int().min(FLOOR_MIN).max(FLOOR_MAX)
const fields = {
  name: text(10),
  alias: text(20, 0).optional(),
  level_no: level,
  map_image: image.nullable().optional(),
  is_show: flag.optional(),
}
const some = z.object(fields).partial().shape
const moved = z.object({
  moved: z.int(),
  ok: z.array(id),
  failed: z.array(z.object({ id, store_id: id, reason: z.string(), msg: z.string() })),
})
const stores = z.array(id).min(1).max(500)
const changed = z.object({ id, version })
const touches = ['mall_floor', 'store'] as const

export const floor = {
  lst: read('mallFloor/lst', ['楼层列表', 'Floors'], {
    input: z.object({ mid: id }),
    output: z.object({
      list: z.array(floorRow),
      total: z.int(),
      no_floor_store_count: z.int(),
      list_version: listVersion,
      theirs,
      mall_status: z.string(),
    }),
    touches: ['mall_floor', 'store', 'mall'],
    scope: placed('mall_floor', { mid: 'mall' }),
    permit: 'mall.floor.view',
  }),
  /** Stores of a floor; `floor_id` 0 for those that have none. */
  stores: read('mallFloor/stores', ['楼层门店', 'Stores of a floor'], {
    input: z.object({
      ...paging,
      mid: id,
      floor_id: z.int().min(0).max(2147483647).optional(),
      keyword: searched(40).optional(),
    }),
    output: listOf(floorStore),
    touches: ['mall_floor', 'store'],
    scope: placed('store', { mid: 'mall' }),
    permit: 'mall.floor.view',
  }),
  options: read('mallFloor/options', ['可选楼层', 'Floors to choose'], {
    input: z.object({ ...paging, mid: id, keyword: searched(40).optional() }),
    output: listOf(z.object({ id, name: z.string(), alias: z.string() })),
    touches: ['mall_floor'],
    scope: placed('mall_floor', { mid: 'mall' }),
    permit: 'mall.floor.view',
  }),
  create: write('mallFloor/create', ['新增楼层', 'Add a floor'], {
    input: z.object({ mid: id, ...fields }),
    output: z.object({ id, sort: z.int(), version, list_version: listVersion }),
    touches,
    scope: placed('mall_floor', { mid: 'mall' }),
    permit: 'mall.floor.create',
  }),
  /**
   * Fields, the order of a mall's floors, or stores moved here; the last two need their own rights
   * as well.
   */
  edit: write('mallFloor/edit', ['编辑楼层', 'Edit a floor'], {
    input: z.object({
      id: id.optional(),
      version: version.optional(),
      ...some,
      mid: id.optional(),
      order: order.optional(),
      list_version: listVersion.optional(),
      move_store_ids: stores.optional(),
    }),
    output: z.object({
      id: id.optional(),
      version: version.optional(),
      list_version: listVersion.optional(),
      ...moved.partial().shape,
    }),
    touches,
    scope: placed('mall_floor', { id: 'mall_floor', mid: 'mall' }),
    permit: 'mall.floor.edit',
  }),
  del: write('mallFloor/del', ['删除楼层', 'Delete a floor'], {
    method: 'GET',
    input: z.object({ id, move_to: id.optional() }),
    output: z.object({
      id,
      deleted: z.boolean(),
      already: z.boolean().optional(),
      moved: z.int(),
      list_version: listVersion.optional(),
    }),
    touches,
    scope: placed('mall_floor', 'id'),
    permit: 'mall.floor.del',
  }),
  sort: write('mallFloor/sort', ['调整楼层顺序', 'Order floors'], {
    input: z.object({ mid: id, order, list_version: listVersion }),
    output: z.object({ list_version: listVersion }),
    touches,
    scope: placed('mall_floor', { mid: 'mall' }),
    permit: 'mall.floor.sort',
  }),
  uploadMap: write('mallFloor/uploadMap', ['上传平面图', 'Upload a plan'], {
    input: z.object({ id, version, map_image: image.nullable() }),
    output: changed,
    touches,
    scope: placed('mall_floor', 'id'),
    permit: 'mall.floor.uploadMap',
  }),
  moveStores: write('mallFloor/moveStores', ['批量移动门店', 'Move stores'], {
    input: z.object({ store_ids: stores, floor_id: id }),
    output: moved,
    touches,
    scope: placed('store', { floor_id: 'mall_floor' }),
    permit: 'mall.floor.moveStores',
  }),
  show: write('mallFloor/show', ['展示楼层', 'Show a floor'], {
    input: z.object({ id, version }),
    output: changed,
    touches,
    scope: placed('mall_floor', 'id'),
    permit: 'mall.floor.show',
  }),
  hide: write('mallFloor/hide', ['隐藏楼层', 'Hide a floor'], {
    input: z.object({ id, version }),
    output: changed,
    touches,
    scope: placed('mall_floor', 'id'),
    permit: 'mall.floor.hide',
  }),
}
