import { z } from 'zod'
import { read, write } from '#src/contract/call.ts'
import {
  getMpImg,
  getQrImg,
  linkHealth,
  linkObjects,
  linkOptions,
  linkParam,
  linkType,
} from '#src/contract/link.ts'
import { batchResult, id, listOf, page, text, unix, version } from '#src/contract/shapes.ts'

export const linkRow = z.object({
  id,
  name: z.string(),
  type: linkType,
  path: z.string(),
  params: z.array(linkParam),
  appid: z.string(),
  status: z.enum(['on', 'off']),
  health: linkHealth,
  checked_at: unix.nullable(),
  used_count: z.int(),
  live_count: z.int(),
  updated_at: unix,
  version,
})
export type LinkRow = z.output<typeof linkRow>
/**
 * Where a link is used: the kind of thing (by its page's name), its name, and whether consumers see
 * it now.
 */
const linkUse = z.object({
  kind: z.string(),
  id,
  label: z.string(),
  place: z.string(),
  live: z.boolean(),
  path: z.string(),
})
const fields = {
  name: text(64),
  type: linkType,
  path: text(255),
  params: z.array(linkParam).max(12).default([]),
  appid: text(32, 0).default(''),
}
const filters = {
  keyword: text(64, 0).optional(),
  type: linkType.optional(),
  health: linkHealth.optional(),
  status: z.enum(['on', 'off']).optional(),
}
const touches = ['page_link'] as const
const one = { id, version }
const checked = z.object({ id, health: linkHealth, note: z.string(), version })

/** The library of jump targets. */
export const hlink = {
  lst: read('system/hlink/lst', ['页面链接库', 'Page links'], {
    input: z.object({ ...page, ...filters }),
    output: listOf(linkRow),
    touches: ['page_link', 'banner', 'city_setting'],
    permit: 'system.hlink.view',
  }),
  options: linkOptions,
  objects: linkObjects,
  create: write('system/hlink/create', ['新增链接', 'Create a link'], {
    input: z.object(fields),
    output: z.object({ id, version }),
    touches,
    permit: 'system.hlink.create',
  }),
  edit: write('system/hlink/edit', ['编辑链接', 'Edit a link'], {
    input: z.object({ ...one, ...fields }),
    output: z.object({ id, version }),
    touches,
    permit: 'system.hlink.edit',
  }),
  check: write('system/hlink/check', ['检测链接', 'Check a link'], {
    input: z.object({ id }),
    output: checked,
    touches,
    permit: 'system.hlink.check',
  }),
  batchCheck: write('system/hlink/batchCheck', ['批量检测链接', 'Check links'], {
    input: z.object({ ids: z.array(id).min(1).max(200) }),
    output: z.object({ ...batchResult.shape, dead: z.int(), off_shelf: z.int() }),
    touches,
    permit: 'system.hlink.batchCheck',
  }),
  whereUsed: read('system/hlink/whereUsed', ['引用位置', 'Where a link is used'], {
    input: z.object({ id }),
    output: listOf(linkUse),
    touches: ['page_link', 'banner', 'city_setting'],
    permit: 'system.hlink.whereUsed',
  }),
  /** Gives all that uses the link the other one, in one transaction. */
  replace: write('system/hlink/replace', ['替换链接引用', 'Replace a link'], {
    input: z.object({ id, new_link_id: id, reason: text(255, 2) }),
    output: z.object({ replaced: z.int(), uses: z.array(linkUse) }),
    touches: ['page_link', 'banner', 'city_setting', 'hot', 'mall_category'],
    permit: 'system.hlink.replace',
  }),
  /** With `new_link_id` where live content uses it. */
  disable: write('system/hlink/disable', ['停用链接', 'Disable a link'], {
    input: z.object({ ...one, reason: text(255, 2), new_link_id: id.optional() }),
    output: z.object({ id, version, replaced: z.int() }),
    touches: ['page_link', 'banner', 'city_setting', 'hot', 'mall_category'],
    permit: 'system.hlink.disable',
  }),
  enable: write('system/hlink/enable', ['启用链接', 'Enable a link'], {
    input: z.object(one),
    output: z.object({ id, version }),
    touches,
    permit: 'system.hlink.enable',
  }),
  export: write('system/hlink/export', ['导出链接库', 'Export links'], {
    input: z.object({ ...filters, format: z.enum(['csv', 'xlsx']).default('xlsx') }),
    output: z.object({ job_id: id, rows_expected: z.int() }),
    touches: ['export'],
    permit: 'system.hlink.export',
  }),
  getQrImg,
  getMpImg,
}
