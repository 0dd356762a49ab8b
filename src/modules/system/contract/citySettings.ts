import { z } from 'zod'
import {
  blockOrders,
  cityStates,
  hotModes,
  hotStyles,
  type CityBlock,
  type CityState,
  type HotMode,
} from '#src/areas/place/city.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { audience, linkParams } from '#src/contract/link.ts'
import {
  flag,
  guarded,
  id,
  listOf,
  phoneText,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const block = z.enum(Object.keys(blockOrders) as [CityBlock])
export const citySettings = z.object({
  home_title: text(24, 0),
  service_phone: phoneText(30, 0),
  default_mid: z.int().min(0).max(2147483647),
  show_hot_mall: flag,
  show_re_store: flag,
  show_act_area: flag,
  block_order: z.array(block).max(3),
})
const paging = {
  page: z.int().min(1).max(100_000).default(1),
  pageSize: z.int().min(1).max(100).default(20),
}

export const reStoreRow = z.object({
  id,
  city_id: id,
  city_name: z.string(),
  store_id: id,
  store_name: z.string(),
  logo: z.string(),
  mid: z.int(),
  mall_name: z.string(),
  category_name: z.string(),
  status: z.string(),
  mode: z.literal('manual'),
  sort: z.int(),
  start_at: unix.nullable(),
  end_at: unix.nullable(),
  is_live: z.boolean(),
  blocked_reason: z.string(),
  version,
})
export type ReStoreRow = z.output<typeof reStoreRow>
export const actAreaRow = z.object({
  id,
  city_id: id,
  city_name: z.string(),
  title: z.string(),
  sub_title: z.string(),
  image: z.string(),
  page_link_id: id,
  link_params: linkParams,
  link_name: z.string(),
  link_ok: z.boolean(),
  audience,
  sort: z.int(),
  start_at: unix.nullable(),
  end_at: unix.nullable(),
  is_live: z.boolean(),
  clicks: z.int(),
  version,
})
export type ActAreaRow = z.output<typeof actAreaRow>
const order = { city_id: id, order: z.array(id).max(1000), list_version: z.int() }
const touches = ['city_setting', 'city'] as const
const view = 'system.city.config.view'
const sorted = z.object({ list_version: z.int() })
const perStore = {
  ok: z.array(id),
  failed: z.array(z.object({ store_id: id, reason: z.string() })),
  list_version: z.int(),
}
const hotMallInput = {
  title: text(12),
  show: flag,
  mode: z.enum(Object.keys(hotModes) as [HotMode]),
  limit_count: z.int().min(1).max(10),
  style: z.enum(Object.keys(hotStyles) as ['card', 'list']),
  mids: z.array(id).max(100).default([]),
}
const area = {
  city_id: id,
  title: text(12),
  sub_title: text(20, 0).default(''),
  image: text(255),
  page_link_id: id,
  link_params: linkParams.default({}),
  audience: audience.default({}),
  start_at: unix,
  end_at: unix,
}

/** What a city's mini-program shows beside its page design (specification, section 7). */
export const settings = {
  lst: read('citySettings/lst', ['城市配置列表', 'City settings'], {
    input: z.object({
      ...paging,
      keyword: searched(32).optional(),
      status: z.enum(Object.keys(cityStates) as [CityState]).optional(),
    }),
    output: listOf(
      z.object({
        city_id: id,
        city_name: z.string(),
        status: z.string(),
        re_store_count: z.int(),
        hot_mall_count: z.int(),
        act_area_count: z.int(),
        broken_count: z.int(),
        settings: citySettings,
        updated_at: unix,
        version,
      }),
    ),
    touches: ['city_setting', 'city', 'store', 'mall'],
    scope: placed('city'),
    permit: view,
  }),
  edit: write('citySettings/edit', ['保存城市展示设置', 'Save city settings'], {
    input: z.object({ city_id: id, version, settings: citySettings }),
    output: z.object({ city_id: id, version }),
    touches,
    scope: placed('city_setting', { city_id: 'city' }),
    permit: 'system.city.config.edit',
  }),
  getReStoreList: read('citySettings/getReStoreList', ['推荐门店', 'Recommended stores'], {
    input: z.object({ city_id: id, keyword: searched(40).optional(), ...paging }),
    output: z.object({
      list: z.array(reStoreRow),
      total: z.int(),
      max: z.int(),
      list_version: z.int(),
    }),
    touches: ['city_setting', 'store', 'mall'],
    scope: placed('store', { city_id: 'city' }),
    permit: view,
  }),
  /** New ones, the period of one, or their order. */
  setReStore: write('citySettings/setReStore', ['设置推荐门店', 'Recommend stores'], {
    input: z.union([
      z.strictObject({
        city_id: id,
        store_ids: z.array(id).min(1).max(50),
        start_at: unix.optional(),
        end_at: unix.optional(),
      }),
      z.strictObject({ id, version, start_at: unix.nullable(), end_at: unix.nullable() }),
      z.strictObject(order),
    ]),
    output: z.union([z.object(perStore), z.object({ id, version }), sorted]),
    touches,
    scope: placed('store', { city_id: 'city' }),
    permit: 'system.city.config.setReStore',
  }),
  delReStore: write('citySettings/delReStore', ['移除推荐门店', 'Remove recommended stores'], {
    input: z.object({
      city_id: id,
      ids: z.array(id).min(1).max(200).optional(),
      id: id.optional(),
    }),
    output: z.object({ deleted: z.array(id), list_version: z.int() }),
    touches,
    scope: placed('store', { city_id: 'city' }),
    permit: 'system.city.config.delReStore',
  }),
  setHotMallSettings: write(
    'citySettings/setHotMallSettings',
    ['保存热门商圈设置', 'Save hot malls'],
    {
      input: z.object({ city_id: id, version, ...hotMallInput }),
      output: z.object({ city_id: id, version }),
      touches: ['city_setting', 'city', 'mall'],
      scope: placed('city_setting', { city_id: 'city' }),
      permit: 'system.city.config.setHotMallSettings',
    },
  ),
  getMallListByCity: read('citySettings/getMallListByCity', ['城市商场', 'Malls of a city'], {
    input: z.object({
      city_id: id,
      keyword: searched(40).optional(),
      status: z.enum(['draft', 'online', 'offline', 'closed']).optional(),
    }),
    output: z.object({
      list: z.array(
        z.object({
          mid: id,
          name: z.string(),
          city_id: id,
          city_name: z.string(),
          status: z.string(),
          is_hot: z.boolean(),
          hot_sort: z.int(),
          store_count: z.int(),
          gmv_30d_cents: guarded('stat.gmv_cents', z.int()),
        }),
      ),
      total: z.int(),
    }),
    touches: ['mall', 'order'],
    scope: placed('mall', { city_id: 'city' }),
    permit: view,
  }),
  getHotMallSettings: read('citySettings/getHotMallSettings', ['热门商圈设置', 'Hot malls'], {
    input: z.object({ city_id: id }),
    output: z.object({
      city_id: id,
      city_name: z.string(),
      title: z.string(),
      show: z.boolean(),
      mode: z.enum(Object.keys(hotModes) as [HotMode]),
      limit_count: z.int(),
      style: z.enum(['card', 'list']),
      malls: z.array(
        z.object({
          mid: id,
          name: z.string(),
          logo: z.string(),
          sort: z.int(),
          status: z.string(),
          blocked_reason: z.string(),
        }),
      ),
      version,
    }),
    touches: ['city_setting', 'city', 'mall'],
    scope: placed('city_setting', { city_id: 'city' }),
    permit: view,
  }),
  getActAreaList: read('citySettings/getActAreaList', ['活动专区', 'Activity areas'], {
    input: z.object({ city_id: id, live: z.int().min(0).max(1).optional() }),
    output: z.object({
      list: z.array(actAreaRow),
      total: z.int(),
      max: z.int(),
      list_version: z.int(),
    }),
    touches: ['city_setting', 'page_link', 'store', 'mall', 'product'],
    scope: placed('city_setting', { city_id: 'city' }),
    permit: view,
  }),
  setActArea: write('citySettings/setActArea', ['保存活动专区', 'Save an activity area'], {
    input: z.union([
      z.strictObject({ id: id.optional(), version: version.optional(), ...area }),
      z.strictObject(order),
    ]),
    output: z.union([z.object({ id, version, list_version: z.int() }), sorted]),
    touches,
    scope: placed('city_setting', { city_id: 'city' }),
    permit: 'system.city.config.setActArea',
  }),
  delActArea: write('citySettings/delActArea', ['删除活动专区', 'Delete an activity area'], {
    input: z.object({ id }),
    output: z.object({
      id,
      deleted: z.literal(true),
      already: z.boolean().optional(),
      list_version: z.int(),
    }),
    touches,
    scope: placed('city_setting', 'id'),
    permit: 'system.city.config.delActArea',
  }),

  setPeriod: write('system/city/config/setPeriod', ['设置推荐时段', 'Set a period'], {
    input: z.object({ id, version, start_at: unix.nullable(), end_at: unix.nullable() }),
    output: z.object({ id, version }),
    touches,
    scope: placed('city_setting', 'id'),
    permit: 'system.city.config.setPeriod',
  }),
  editActArea: write('system/city/config/editActArea', ['编辑活动专区', 'Edit an activity area'], {
    input: z.object({ id, version, ...area }),
    output: z.object({ id, version, list_version: z.int() }),
    touches,
    scope: placed('city_setting', 'id'),
    permit: 'system.city.config.editActArea',
  }),
  sortReStore: write('system/city/config/sortReStore', ['门店排序', 'Arrange recommended stores'], {
    input: z.object(order),
    output: sorted,
    touches,
    scope: placed('city_setting', { city_id: 'city' }),
    permit: 'system.city.config.sortReStore',
  }),
  sortActArea: write('system/city/config/sortActArea', ['专区排序', 'Arrange activity areas'], {
    input: z.object(order),
    output: sorted,
    touches,
    scope: placed('city_setting', { city_id: 'city' }),
    permit: 'system.city.config.sortActArea',
  }),
  /**
   * What the other city shows that can be shown here too; what belongs to it alone is skipped and
   * counted.
   */
  copyFrom: write('system/city/config/copyFrom', ['从其他城市复制', 'Copy from another city'], {
    input: z.object({ city_id: id, from_city_id: id }),
    output: z.object({
      copied_areas: z.int(),
      skipped_stores: z.int(),
      skipped_malls: z.int(),
      skipped_areas: z.array(z.object({ title: z.string(), reason: z.string() })),
      settings: z.boolean(),
    }),
    touches,
    scope: placed('city_setting', { city_id: 'city', from_city_id: 'city' }),
    permit: 'system.city.config.copyFrom',
  }),
  /** Open stores of the city that are not recommended yet, to pick from. */
  stores: read('system/city/config/stores', ['可推荐门店', 'Stores to recommend'], {
    input: z.object({ city_id: id, keyword: searched(40).optional(), ...paging }),
    output: listOf(
      z.object({ id, name: z.string(), mall_name: z.string(), category_name: z.string() }),
    ),
    touches: ['store', 'city_setting'],
    scope: placed('store', { city_id: 'city' }),
    permit: view,
  }),
}
