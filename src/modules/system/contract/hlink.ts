import { z } from 'zod'
import { linkHealth, linkParam, linkType } from '#src/contract/link.ts'
import { callsOf, reason, status } from '#src/contract/record.ts'
import { batchResult, id, listOf, searched, text, unix, version } from '#src/contract/shapes.ts'

export const linkRow = z.object({
  id,
  name: z.string(),
  type: linkType,
  path: z.string(),
  params: z.array(linkParam),
  appid: z.string(),
  status,
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
  keyword: searched(64).optional(),
  type: linkType.optional(),
  health: linkHealth.optional(),
  status: status.optional(),
}
/** What uses a link, and so may change with it. */
const used = [
  'page_link',
  'banner',
  'city_setting',
  'h5_link',
  'hot',
  'mall_category',
  'entry_icon',
  'page_scheme',
] as const
const call = callsOf('system/hlink', { touches: ['page_link'], rows: 'all' })

/** The library of jump targets. */
export const hlink = {
  lst: call.lists('lst', ['页面链接库', 'Page links'], { filters, row: linkRow, touches: used }),
  create: call.creates('create', ['新增链接', 'Create a link'], { fields }),
  edit: call.changes('edit', ['编辑链接', 'Edit a link'], { fields }),
  check: call.write('check', ['检测链接', 'Check a link'], {
    input: z.object({ id }),
    output: z.object({ id, health: linkHealth, note: z.string(), version }),
  }),
  batchCheck: call.write('batchCheck', ['批量检测链接', 'Check links'], {
    input: z.object({ ids: z.array(id).min(1).max(200) }),
    output: z.object({ ...batchResult.shape, dead: z.int(), off_shelf: z.int() }),
  }),
  whereUsed: call.read('whereUsed', ['引用位置', 'Where a link is used'], {
    input: z.object({ id }),
    output: listOf(linkUse),
    touches: used,
  }),
  /** Gives all that uses the link the other one, in one transaction; live pages are published anew. */
  replace: call.write('replace', ['替换链接引用', 'Replace a link'], {
    input: z.object({ id, new_link_id: id, reason }),
    output: z.object({ replaced: z.int(), uses: z.array(linkUse) }),
    touches: used,
  }),
  /** With `new_link_id` where live content uses it. */
  disable: call.changes('disable', ['停用链接', 'Disable a link'], {
    fields: { reason, new_link_id: id.optional() },
    answer: { replaced: z.int() },
    touches: used,
  }),
  enable: call.changes('enable', ['启用链接', 'Enable a link']),
  export: call.startsExport('export', ['导出链接库', 'Export links'], { filters }),
}
