import { z } from 'zod'
import { mallModules, type MallModule } from '#src/areas/mall/mall.ts'
import { guideRules, type GuideRule } from '#src/areas/place/guideRule.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  mallFilters,
  mallKind,
  mallList,
  mallPicker,
  mallState,
  wantedKey,
} from '#src/contract/malls.ts'
import {
  batchResult,
  flag,
  id,
  keysOf,
  keyText,
  lines,
  listOf,
  open,
  page,
  phoneText,
  searched,
  text,
  unix,
  version,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'
import { image, place } from './shared.ts'

const moduleKey = z.enum(Object.keys(mallModules) as [MallModule, ...MallModule[]])
const mallOptions = z.object({
  show_hot: flag,
  show_floor: flag,
  show_category: flag,
  show_coupon: flag,
  show_group: flag,
  show_voucher: flag,
  show_featured: flag,
  show_shop: flag,
  block_order: z.array(moduleKey).max(20),
  default_tab: keyText(20),
  theme: keyText(20),
})
const hours = z
  .array(
    z.object({
      weekdays: z.array(z.int().min(1).max(7)).max(7),
      from: keyText(5),
      to: keyText(5),
    }),
  )
  .max(7)
const coordinate = z.int().min(-180_000_000).max(180_000_000)
const fields = {
  name: text(80),
  short_name: text(24, 0),
  city_id: id,
  kind: mallKind,
  district: text(20, 0),
  address: text(120, 0),
  lng_e6: coordinate.nullable(),
  lat_e6: coordinate.nullable(),
  logo: image,
  covers: z.array(image).max(9),
  open_hours: hours,
  phone: phoneText(30, 0),
  parking_note: lines(200, 0),
  facility_note: lines(200, 0),
  intro: lines(2000, 0),
  options: mallOptions,
}
const some = z.object(fields).partial().shape
/** A pin outside the chosen city counts only when it is confirmed with a reason. */
const confirmed = { confirm_pin: flag.optional(), reason: lines(200, 0).optional() }
const one = { mid: id, version }
const done = z.object({ mid: id, id, status: mallState, version })
const why = lines(200, 2)
const touches = ['mall'] as const
const guideRule = keysOf<GuideRule>(guideRules)
/** The most rivals of a mall. */
export const RIVALS_MOST = 100

const mallDetail = z.object({
  id,
  mid: id,
  name: z.string(),
  short_name: z.string(),
  kind: mallKind,
  city_id: id,
  city_name: z.string(),
  district: z.string(),
  address: open('A mall’s', z.string()),
  lng_e6: z.int().nullable(),
  lat_e6: z.int().nullable(),
  logo: z.string(),
  covers: z.array(z.string()),
  open_hours: z.array(z.object({ weekdays: z.array(z.int()), from: z.string(), to: z.string() })),
  phone: open('A mall’s', z.string()),
  parking_note: z.string(),
  facility_note: z.string(),
  intro: z.string(),
  options: mallOptions,
  /** Merchants whose goods no distributing store of the mall sells, and their names. */
  rival_ids: z.array(id),
  rival_names: z.record(z.string(), z.string()),
  /** Whose a guide's customers are who leaves a store of the mall. */
  guide_rule: guideRule,
  category_settings: z.record(z.string(), z.unknown()).nullable(),
  recommend_title: z.string(),
  featured_title: z.string(),
  is_hot: z.boolean(),
  hot_sort: z.int(),
  sort: z.int(),
  status: mallState,
  online_at: unix.nullable(),
  closed_at: unix.nullable(),
  close_reason: z.string().nullable(),
  store_count: z.int(),
  on_sale_count: z.int(),
  floors: z.array(z.object({ id, name: z.string(), level_no: z.int(), store_count: z.int() })),
  missing: z.array(wantedKey),
  updated_at: unix,
  version,
})

export const mall = {
  lst: mallList,
  filterLst: mallPicker,
  detail: read('mall/detail', ['商场详情', 'Mall'], {
    input: z.object({ mid: place }),
    output: mallDetail,
    touches: ['mall', 'mall_floor', 'store'],
    scope: placed('mall', 'mid'),
    permit: 'mall.view',
  }),
  create: write('mall/create', ['新增商场', 'Add a mall'], {
    input: z.object({
      ...some,
      name: fields.name,
      city_id: id,
      kind: mallKind,
      ...confirmed,
      publish: flag.optional(),
    }),
    output: done,
    touches,
    scope: placed('mall'),
    permit: 'mall.create',
  }),
  /** Fields, or a change of state (`to_status`), which needs the right of that change as well. */
  edit: write('mall/edit', ['编辑商场', 'Edit a mall'], {
    input: z.object({
      ...one,
      ...some,
      ...confirmed,
      is_hot: flag.optional(),
      hot_sort: z.int().min(0).max(9999).optional(),
      sort: z.int().min(0).max(9999).optional(),
      replace_mid: id.optional(),
      to_status: z.enum(['online', 'offline', 'closed']).optional(),
    }),
    output: done,
    touches,
    scope: placed('mall', 'mid'),
    permit: 'mall.edit',
  }),
  publish: write('mall/publish', ['上线商场', 'Publish a mall'], {
    input: z.object(one),
    output: done,
    touches,
    scope: placed('mall', 'mid'),
    permit: 'mall.publish',
  }),
  offline: write('mall/offline', ['下线商场', 'Take a mall offline'], {
    input: z.object({ ...one, reason: why }),
    output: done,
    touches: ['mall', 'recommend', 'banner'],
    scope: placed('mall', 'mid'),
    permit: 'mall.offline',
  }),
  close: write('mall/close', ['关闭商场', 'Close a mall'], {
    input: z.object({ ...one, reason: why }),
    output: done,
    touches: ['mall', 'recommend', 'hot'],
    scope: placed('mall', 'mid'),
    permit: 'mall.close',
  }),
  setMallOptions: write('mall/setMallOptions', ['页面模块开关', 'Page modules'], {
    input: z.object({ ...one, options: mallOptions }),
    output: z.object({ mid: id, options: mallOptions, version }),
    touches,
    scope: placed('mall', 'mid'),
    permit: 'mall.setMallOptions',
  }),
  /** Merchants that may be named as rivals of a mall. */
  rivals: read('mall/rivals', ['可选排他商户', 'Merchants'], {
    input: z.object({ keyword: searched(40).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['merchant'],
    scope: placed('merchant'),
    permit: 'mall.setRivals',
  }),
  setRivals: write('mall/setRivals', ['设置排他商户', 'Set the rivals'], {
    input: z.object({ ...one, rival_ids: z.array(id).max(RIVALS_MOST), reason: why }),
    output: done,
    touches: ['mall', 'distributor'],
    scope: placed('mall', 'mid'),
    permit: 'mall.setRivals',
  }),
  setGuideRule: write('mall/setGuideRule', ['设置导购换店规则', 'Set whose customers stay'], {
    input: z.object({ ...one, guide_rule: guideRule, reason: why }),
    output: done,
    touches: ['mall', 'distributor'],
    scope: placed('mall', 'mid'),
    permit: 'mall.setGuideRule',
  }),
  /** `replace_mid` gives its place in a full city to this one. */
  setHot: write('mall/setHot', ['设为热门', 'Mark as hot'], {
    input: z.object({ ...one, is_hot: flag, replace_mid: id.optional() }),
    output: done,
    touches,
    scope: placed('mall', 'mid'),
    permit: 'mall.setHot',
  }),
  setSort: write('mall/setSort', ['修改排序', 'Set the sort order'], {
    input: z.object({ ...one, sort: z.int().min(0).max(9999) }),
    output: done,
    touches,
    scope: placed('mall', 'mid'),
    permit: 'mall.setSort',
  }),
  del: write('mall/del', ['删除商场', 'Delete a mall'], {
    method: 'GET',
    input: z.object({ mid: id, reason: lines(200, 0).optional() }),
    output: z.object({ mid: id, deleted: z.boolean(), already: z.boolean().optional() }),
    touches,
    scope: placed('mall', 'mid'),
    permit: 'mall.del',
  }),
  batchOffline: write('mall/batchOffline', ['批量下线商场', 'Take malls offline'], {
    input: z.object({ malls: z.array(z.object(one)).min(1).max(100), reason: why }),
    output: batchResult,
    touches: ['mall', 'recommend', 'banner'],
    scope: placed('mall', { 'malls.mid': 'mall' }),
    permit: 'mall.batchOffline',
  }),
  export: write('mall/export', ['导出商场', 'Export malls'], {
    input: z.object({ ...mallFilters, ...asksExport() }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('mall'),
    permit: 'mall.export',
  }),
  /** Malls within 500 m, or of the same name in the city. */
  checkDuplicate: read('mall/checkDuplicate', ['检查重复商场', 'Check for duplicates'], {
    input: z.object({
      mid: id.optional(),
      city_id: id.optional(),
      name: text(80, 0).optional(),
      lng_e6: coordinate.optional(),
      lat_e6: coordinate.optional(),
    }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          mid: id,
          name: z.string(),
          city_name: z.string(),
          status: mallState,
          lng_e6: z.int(),
          lat_e6: z.int(),
          metres: z.int().nullable(),
          same_name: z.boolean(),
        }),
      ),
    }),
    touches,
    scope: placed('mall'),
    permit: 'mall.view',
  }),
}
