import { z } from 'zod'
import {
  bannerPositions,
  bannerStates,
  type BannerPosition,
  type BannerState,
} from '#src/areas/content/banner.ts'
import { placed } from '#src/contract/call.ts'
import { clickTotals } from '#src/contract/clicks.ts'
import { memberFinds } from '#src/contract/finds.ts'
import { audience, linkParams } from '#src/contract/link.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
import {
  batchResult,
  guarded,
  id,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const position = z.enum(Object.keys(bannerPositions) as [BannerPosition])
const state = z.enum(Object.keys(bannerStates) as [BannerState])
export const bannerRow = z.object({
  id,
  title: z.string(),
  position,
  image: z.string(),
  page_link_id: id,
  link_params: linkParams,
  link_name: z.string(),
  link_ok: z.boolean(),
  city_ids: z.array(id),
  city_names: z.array(z.string()),
  mid: z.int(),
  mall_name: z.string(),
  audience,
  sort: z.int(),
  start_at: unix,
  end_at: unix,
  status: state,
  is_live: z.boolean(),
  off_reason: z.string(),
  views: z.int(),
  clicks: z.int(),
  users: z.int(),
  version,
})
export type BannerRow = z.output<typeof bannerRow>
const fields = {
  title: text(64),
  position,
  image: text(255),
  page_link_id: id,
  link_params: linkParams.default({}),
  city_ids: z.array(id).min(1).max(400),
  mid: z.int().min(0).max(2147483647).default(0),
  audience: audience.default({}),
  start_at: unix,
  end_at: unix,
}
const filters = {
  city_id: id.optional(),
  mid: z.int().min(0).optional(),
  position: position.optional(),
  status: state.optional(),
  live: z.int().min(0).max(1).optional(),
  keyword: searched(64).optional(),
}
const call = callsOf('system/banner', { touches: ['banner'], rows: 'banner' })
/** As the specification has it. */
const paging = { page: page.page, pageSize: z.int().min(1).max(100).default(20) }
/** Where banners stand beside each other. */
const place = { position, city_id: id, mid: z.int().min(0).default(0) }
const order = { order: z.array(id).max(1000), list_version: z.int() }

/**
 * Banners (specification, section 7) and the page's own verbs. `mid` 0 is outside any mall;
 * missing, all.
 */
export const banner = {
  lst: call.lists('banner/lst', ['轮播图列表', 'Banners'], {
    filters: { ...paging, ...filters },
    row: bannerRow,
    answer: { list_version: z.int() },
    touches: ['banner', 'page_link', 'store', 'mall', 'product', 'click'],
  }),
  create: call.creates('banner/create', ['新增轮播图', 'Create a banner'], {
    fields: { ...fields, status: z.enum(['draft', 'online']).default('draft') },
    answer: { sort: z.int(), list_version: z.int() },
  }),
  /** Fields, the state, or the order of one position and city. */
  edit: call.write('banner/edit', ['编辑轮播图', 'Edit a banner'], {
    input: z.union([
      z.strictObject({ ...place, ...order }),
      z.strictObject({
        ...one,
        ...z.object(fields).partial().shape,
        link_params: linkParams.optional(),
        mid: z.int().min(0).optional(),
        audience: audience.optional(),
        to_status: z.enum(['online', 'offline']).optional(),
        reason: reason.optional(),
      }),
    ]),
    output: z.union([z.object(one), z.object({ list_version: z.int() })]),
  }),
  del: call.write('banner/del', ['删除轮播图', 'Delete a banner'], {
    method: 'GET',
    input: z.object({ id }),
    output: z.object({
      id,
      deleted: z.literal(true),
      already: z.boolean().optional(),
      list_version: z.int(),
    }),
  }),
  copy: call.write('copy', ['复制轮播图到城市', 'Copy a banner to cities'], {
    input: z.object({ id, city_ids: z.array(id).min(1).max(100) }),
    output: z.object({ id, city_ids: z.array(id) }),
  }),
  sort: call.sorts('sort', ['调整轮播图顺序', 'Arrange banners'], {
    fields: place,
    scope: placed('banner', { city_id: 'city' }),
  }),
  online: call.changes('online', ['上线轮播图', 'Take a banner online']),
  offline: call.changes('offline', ['下线轮播图', 'Take a banner offline'], {
    fields: { reason },
  }),
  batchOffline: call.write('batchOffline', ['批量下线轮播图', 'Take banners offline'], {
    input: z.object({ rows: z.array(z.object(one)).min(1).max(100), reason }),
    output: batchResult,
    scope: placed('banner', { 'rows.id': 'banner' }),
  }),
  /**
   * Clicks of banners, repeats of one person within 30 seconds left out; 93 days at most, the last
   * seven unless said.
   */
  clicks: call.read('member/lstBannerClickLog', ['轮播图点击记录', 'Banner clicks'], {
    input: z.object({
      ...paging,
      banner_id: id.optional(),
      position: position.optional(),
      city_id: id.optional(),
      mid: z.int().min(0).optional(),
      member_id: id.optional(),
      keyword: searched(32).optional(),
      start_at: unix.optional(),
      end_at: unix.optional(),
    }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          banner_id: id,
          banner_title: z.string(),
          position: z.string(),
          member_id: id.nullable(),
          nickname: z.string(),
          phone_masked: guarded('member.phone', z.string().nullable()),
          device_id: z.string(),
          city_id: z.int(),
          city_name: z.string(),
          mid: z.int(),
          mall_name: z.string(),
          entry: z.string(),
          at: unix,
        }),
      ),
      ...clickTotals,
    }),
    touches: ['click'],
    finds: memberFinds,
    scope: placed('click_log'),
  }),
  /** Clicks of a banner day by day, the last 30 days, repeats of one person left out. */
  clickDays: call.read('clickDays', ['轮播图每日点击', 'Banner clicks by day'], {
    input: z.object({ banner_id: id }),
    output: z.object({
      days: z.array(z.object({ day: z.string(), clicks: z.int(), users: z.int() })),
    }),
    touches: ['click'],
    scope: placed('click_log'),
    permit: 'system.banner.lstBannerClickLog',
  }),
  export: call.startsExport('export', ['导出轮播图点击数据', 'Export banner clicks'], {
    filters,
  }),
}
