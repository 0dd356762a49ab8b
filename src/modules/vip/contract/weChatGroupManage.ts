import { z } from 'zod'
import { groupTabs, joinStates } from '#src/areas/wecom/groups.ts'
import { groupStates, taskStates } from '#src/areas/wecom/wecom.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
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
import { staffPick, staffState, syncRun, syncStarted } from '#src/contract/wecom.ts'

const n = z.int().min(0)
const fill = { id, name: z.string(), member_count: n, max_members: n }
/** The code that leads into a chat, and how far WeCom knows of it. */
const join = z.object({
  way_id: id,
  qr_url: z.string(),
  status: keysOf(joinStates),
  work: keysOf(taskStates),
  error: z.string(),
  errcode: z.int(),
  auto_create: z.boolean(),
  base_name: z.string(),
  /** Whether it leads here now, and what the chat is called that it leads to. */
  is_current: z.boolean(),
  current_name: z.string(),
  chats: z.array(z.object(fill)),
})
export const groupRow = z.object({
  ...fill,
  version,
  owner: z.object({ id, name: z.string(), status: staffState }).nullable(),
  mall_id: id.nullable(),
  mall_name: z.string(),
  staff_count: n,
  customer_count: n,
  tags: z.array(z.object({ id, name: z.string() })),
  status: keysOf(groupStates),
  /** What is wrong with it, the worst first. */
  faults: z.array(keysOf(groupTabs)),
  joins_7d: n,
  leaves_7d: n,
  /** Members among its customers, customers without one, and members who ordered within 30 days. */
  matched_count: n,
  unmatched_count: n,
  ordered_30d: n,
  /** Texts to it that count in this month. */
  mass_count: n,
  /** Removals that the owner was asked for and has not done. */
  removal_count: n,
  waiting_count: n,
  join: join.nullable(),
  notice: z.string(),
  notice_draft: z.string(),
  notice_draft_at: unix.nullable(),
  opened_at: unix,
  dismissed_at: unix.nullable(),
  last_active_at: unix.nullable(),
  synced_at: unix,
  is_stale: z.boolean(),
})
export type GroupRow = z.output<typeof groupRow>

const filters = {
  keyword: searched(40).optional(),
  status: keysOf(groupStates).optional(),
  /** 0: bound to no mall. */
  mid: z.int().min(0).max(2147483647).optional(),
  owner_id: id.optional(),
  tag_id: id.optional(),
  quick: keysOf(groupTabs).optional(),
  id: id.optional(),
}
const rows = 'wecom_group'
const call = callsOf('vip/weChatGroupManage', { touches: [rows], rows })
const view = 'vip.weChatGroupManage.view'
const picked = { ...page, keyword: searched(20).optional() }
const owners = {
  touches: [rows, 'wecom_staff', 'wecom_transfer'],
  scope: placed(rows, { id: rows, to_staff_id: 'wecom_staff' }),
}

/** Group chats: which of them are unwell, and what is done about it. */
export const groupsPage = {
  lst: call.read('lst', ['会员社群', 'Member groups'], {
    input: z.object({ ...page, ...filters, sort: z.enum(['fill']).optional() }),
    output: z.object({ ...listOf(groupRow).shape, stat: z.record(z.string(), z.int()) }),
    touches: [rows, 'wecom_staff', 'wecom_customer', 'wecom_run', 'wecom_join', 'wecom_send'],
    permit: view,
  }),
  state: call.read('state', ['客户群同步状态', 'How the sync of chats stands'], {
    input: z.object({}),
    output: z.object({ run: syncRun.nullable(), done: syncRun.nullable(), next_at: unix }),
    touches: ['wecom_sync', 'wecom_run'],
    scope: 'all',
    permit: view,
  }),
  /** Colleagues who may own the chat: those of its mall first, and of them who owns the fewest. */
  owners: call.read('owners', ['可接任的群主', 'Who may own it'], {
    input: z.object({ ...picked, but: id.optional(), mall_id: id.optional() }),
    output: listOf(staffPick.extend({ group_count: n })),
    touches: ['wecom_staff', rows],
    scope: placed('wecom_staff'),
    permit: view,
  }),
  tags: call.read('tags', ['企业标签', 'Tags of the corp'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: z.string(), group: z.string() })),
    touches: ['wecom_tag'],
    scope: 'all',
    permit: view,
  }),
  /** Chats of the same mall with room, that no other code leads to. */
  nexts: call.read('nexts', ['可接续的群', 'Chats to go on with'], {
    input: z.object({ ...picked, of: id.optional() }),
    output: listOf(z.object(fill)),
    permit: view,
  }),
  sync: call.write('sync', ['同步客户群', 'Sync groups'], {
    input: z.object({}),
    output: syncStarted,
    touches: ['wecom_sync'],
    scope: 'all',
  }),
  inherit: call.changes('inherit', ['离职群继承', 'Reassign the group'], {
    fields: { to_staff_id: id },
    ...owners,
  }),
  changeOwner: call.changes('changeOwner', ['更换群主', 'Change owner'], {
    fields: { to_staff_id: id, reason },
    ...owners,
  }),
  setJoinCode: call.changes('setJoinCode', ['配置入群活码', 'Set the join code'], {
    fields: {
      auto_create: z.boolean(),
      room_base_name: text(20, 0).default(''),
      next_ids: z.array(id).max(4).default([]),
    },
    touches: [rows, 'wecom_join'],
    scope: placed(rows, { id: rows, next_ids: rows }),
  }),
  bindMall: call.changes('bindMall', ['关联商场', 'Bind a mall'], {
    fields: { mid: id },
    scope: placed(rows, { id: rows, mid: 'mall' }),
  }),
  sendMass: call.changes('sendMass', ['群发到群', 'Message the group'], {
    fields: { content: lines(1000), schedule_at: unix.optional() },
    answer: { count: n, most: n },
    touches: [rows, 'wecom_send'],
  }),
  tagGroup: call.changes('tagGroup', ['设置群标签', 'Tag the group'], {
    fields: { tag_ids: z.array(id).max(20) },
  }),
  export: call.startsExport('export', ['导出社群', 'Export the groups'], { filters }),
}
