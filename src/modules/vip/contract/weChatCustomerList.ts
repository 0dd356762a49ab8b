import { z } from 'zod'
import {
  addWays,
  customerStates,
  customerTabs,
  customerTypes,
  taskKinds,
  wecomGenders,
} from '#src/areas/wecom/wecom.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  guarded,
  id,
  keysOf,
  lines,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { materialPicks } from '#src/contract/wecomMaterial.ts'

const memberOf = z.object({
  id,
  nickname: z.string(),
  uid: z.string(),
  level: z.int(),
  account_state: z.string(),
})
const tag = z.object({ id, name: z.string() })
export const customerRow = z.object({
  id,
  version,
  name: z.string(),
  /** The beginning and the end of the id that WeCom knows the person by. */
  external_short: z.string(),
  type: keysOf(customerTypes),
  gender: keysOf(wecomGenders),
  corp_name: z.string(),
  state: keysOf(customerStates),
  member: memberOf.nullable(),
  member_id: id.nullable(),
  matched_by: z.enum(['unionid', 'hand']).nullable(),
  /** The member that the unionid means, and that another customer has. */
  clash: memberOf.nullable(),
  phone: guarded('member.phone', z.string()),
  advisers: z.array(z.object({ follow_id: id, staff_id: id, name: z.string() })),
  live_count: z.int(),
  follow_count: z.int(),
  group_count: z.int(),
  remark: z.string(),
  tags: z.array(tag),
  add_way: keysOf(addWays),
  source_state: z.string(),
  first_add_at: unix.nullable(),
  last_active_at: unix.nullable(),
  lost_at: unix.nullable(),
  synced_at: unix,
  is_stale: z.boolean(),
  /** Works that are on their way to WeCom, and the last one that it refused. */
  waiting_count: z.int(),
  refused: z.object({ kind: keysOf(taskKinds), error: z.string(), errcode: z.int() }).nullable(),
})
export type CustomerRow = z.output<typeof customerRow>

const filters = {
  keyword: searched(40).optional(),
  state: z.enum(['following', 'lost']).optional(),
  /** 0: outside any mall. */
  mid: z.int().min(0).max(2147483647).optional(),
  staff_id: id.optional(),
  tag_id: id.optional(),
  add_way: keysOf(addWays).optional(),
  quick: keysOf(customerTabs).optional(),
  member_id: id.optional(),
  id: id.optional(),
}
const rows = 'wecom_customer'
const call = callsOf('vip/weChatCustomerList', { touches: [rows], rows })
const view = 'vip.weChatCustomerList.view'
const picked = { ...page, keyword: searched(20).optional() }
const task = [rows, 'wecom_task'] as const
const tag_ids = z.array(id).min(1).max(20)
const several = z.array(id).min(1).max(200)

/** Customers in WeCom, joined with the members they are. */
export const customersPage = {
  lst: call.read('lst', ['企微会员客户', 'WeCom member customers'], {
    input: z.object({ ...page, ...filters, sort: z.enum(['active']).optional() }),
    output: z.object({ ...listOf(customerRow).shape, stat: z.record(z.string(), z.int()) }),
    touches: [rows, 'member', 'wecom_run'],
    permit: view,
  }),
  members: call.read('members', ['可关联的会员', 'Members to match'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: z.string(), uid: z.string() })),
    touches: ['member'],
    scope: placed('member'),
    permit: 'vip.weChatCustomerList.matchMember',
  }),
  tags: call.read('tags', ['企业标签', 'Tags of the corp'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: z.string(), group: z.string() })),
    touches: ['wecom_tag'],
    scope: 'all',
    permit: view,
  }),
  matchMember: call.changes('matchMember', ['关联会员', 'Link a member'], {
    fields: { member_id: id },
    scope: placed(rows, { id: rows, member_id: 'member' }),
  }),
  unmatch: call.changes('unmatch', ['解除关联', 'Unlink the member'], { fields: { reason } }),
  tag: call.changes('tag', ['打企业标签', 'Add tags'], { fields: { tag_ids }, touches: task }),
  untag: call.changes('untag', ['移除标签', 'Remove tags'], {
    fields: { tag_ids },
    touches: task,
  }),
  remark: call.changes('remark', ['修改备注', 'Change the remark'], {
    fields: { remark: text(20) },
    touches: task,
  }),
  materials: call.read('materials', ['可选素材', 'Materials to choose'], {
    ...materialPicks,
    touches: ['wecom_material'],
    scope: 'all',
    permit: 'vip.weChatCustomerList.createMass',
  }),
  createMass: call.write('createMass', ['创建群发任务', 'Create a mass message'], {
    input: z.object({
      ids: several,
      content: lines(1000),
      material_ids: z.array(id).max(9).default([]),
      schedule_at: unix.optional(),
    }),
    output: batchResult.extend({ task_id: id.nullable() }),
    touches: [rows, 'wecom_send'],
    scope: placed(rows, { ids: rows }),
  }),
  syncOne: call.changes('syncOne', ['刷新客户资料', 'Refresh customers'], { touches: task }),
  batchTag: call.write('batchTag', ['批量打标签', 'Tag in bulk'], {
    input: z.object({ ids: several, tag_ids }),
    output: batchResult,
    touches: task,
    scope: placed(rows, { ids: rows }),
  }),
  export: call.startsExport('export', ['导出企微客户', 'Export customers'], { filters }),
}
