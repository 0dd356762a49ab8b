import { z } from 'zod'
import {
  attrStates,
  attrTypes,
  ATTRS_MOST,
  ATTR_TEXT_MAX,
} from '#src/areas/customerAttr/customerAttr.ts'
import { segmentAs } from '#src/areas/segment/customerFilters.ts'
import {
  boundStates,
  fileStates,
  forWhom,
  tagAsks,
  TAG_FILTER_MOST,
} from '#src/areas/wecom/customerFiles.ts'
import { sendStates } from '#src/areas/wecom/sending.ts'
import { addWays, syncKinds } from '#src/areas/wecom/wecom.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  begun,
  cents,
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
import {
  customerChat,
  relation,
  staffPick,
  staffState,
  syncRun,
  syncStarted,
  timelineCall,
  transferRow,
} from '#src/contract/wecom.ts'
import { materialPicks } from '#src/contract/wecomMaterial.ts'
import { customerRow } from '#src/modules/vip/contract/weChatCustomerList.ts'

const n = z.int().min(0)
export const fileRow = customerRow.extend({
  avatar: z.string(),
  /** What the first adviser wrote of them. */
  description: z.string(),
  /** The adviser who serves first; empty: nobody follows. */
  primary: z.string(),
  /** Null: the last relation was handed over, and nobody follows. */
  rel: keysOf(fileStates).nullable(),
  /** The live code that they came by. */
  code: z.object({ id, name: z.string() }).nullable(),
  /** What the member paid in the last 90 days, refunds taken off; null: there is no member. */
  paid_cents: cents.nullable(),
})
export type FileRow = z.output<typeof fileRow>
const attr = z.object({
  id,
  label: z.string(),
  type: keysOf(attrTypes),
  options: z.array(z.object({ key: z.string(), label: z.string() })),
  status: keysOf(attrStates),
  /** As it is kept; empty: nothing is noted. */
  value: z.string(),
  shown: z.string(),
})
export type CustomerAttr = z.output<typeof attr>
const side = z.object({
  id,
  /** Advisers of malls that the person does not see follow them, and none of theirs. */
  others: z.boolean(),
  relations: z.array(relation),
  chats: z.array(customerChat),
  attrs: z.array(attr),
  transfers: z.array(transferRow),
})
export type FileSide = z.output<typeof side>
const counters = z.object({ relations: n, people: n, added: n, lost: n })
export type FileCounters = z.output<typeof counters>
const live = z.object({
  id,
  name: z.string(),
  status: keysOf(sendStates),
  send_at: unix,
  by_name: z.string(),
  waiting_n: n,
  sent_n: n,
})

const filters = {
  keyword: searched(40).optional(),
  rel: keysOf(fileStates).optional(),
  /** 0: outside any mall. */
  mid: z.int().min(0).max(2147483647).optional(),
  staff_id: id.optional(),
  tag_ids: z.array(id).max(TAG_FILTER_MOST).optional(),
  tags_how: keysOf(tagAsks).optional(),
  add_way: keysOf(addWays).optional(),
  code_id: id.optional(),
  from: unix.optional(),
  to: unix.optional(),
  bound: keysOf(boundStates).optional(),
  member_id: id.optional(),
  id: id.optional(),
}
const rows = 'wecom_customer'
const call = callsOf('customer/list', { touches: [rows], rows })
const view = 'customer.list.view'
const picked = { ...page, keyword: searched(20).optional() }
const task = [rows, 'wecom_task'] as const
const moves = [rows, 'wecom_staff', 'wecom_transfer'] as const
const several = z.array(id).min(1).max(200)
const tagging = {
  ids: several,
  tag_ids: z.array(id).min(1).max(20),
  /** For whom, of several advisers; of one customer the relation may be named. */
  which: keysOf(forWhom).optional(),
  follow_id: id.optional(),
}
const named = z.object({ id, name: z.string() })
const taking = {
  ids: several,
  to_staff_id: id,
  from_staff_id: id.optional(),
}
const taken = { ids: rows, to_staff_id: 'wecom_staff', from_staff_id: 'wecom_staff' } as const

/** Everybody in WeChat who added a colleague: whom to tag, to hand over, or to send a text to. */
export const customerList = {
  lst: call.read('lst', ['企微客户档案', 'WeCom customers'], {
    input: begun({ ...page, ...filters, sort: z.enum(['added']).optional() }, ['from', 'to']),
    output: z.object({
      ...listOf(fileRow).shape,
      stat: z.record(z.string(), z.int()),
      counters,
    }),
    touches: [rows, 'member', 'order', 'wecom_run', 'channel_code'],
    permit: view,
  }),
  side: call.read('side', ['客户侧栏', 'Beside a customer'], {
    input: z.object({ id }),
    output: side,
    touches: [rows, 'wecom_group', 'wecom_transfer', 'wecom_staff', 'customer_attr'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  timeline: timelineCall(call, view),
  /** How the sync of customers stands. */
  state: call.read('state', ['客户同步状态', 'State of the sync'], {
    input: z.object({}),
    output: z.object({ run: syncRun.nullable(), done: syncRun.nullable() }),
    touches: ['wecom_run', rows],
    scope: 'all',
    permit: view,
  }),
  tags: call.read('tags', ['企业标签', 'Tags of the corp'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: z.string(), group: z.string() })),
    touches: ['wecom_tag'],
    scope: 'all',
    permit: view,
  }),
  staff: call.read('staff', ['跟进成员', 'Advisers'], {
    input: z.object(picked),
    output: listOf(named.extend({ status: staffState })),
    touches: ['wecom_staff'],
    scope: placed('wecom_staff'),
    permit: view,
  }),
  codes: call.read('codes', ['可选活码', 'Live codes'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['channel_code'],
    scope: placed('channel_code'),
    permit: view,
  }),
  members: call.read('members', ['可绑定的会员', 'Members to match'], {
    input: z.object(picked),
    output: listOf(named.extend({ uid: z.string() })),
    touches: ['member'],
    scope: placed('member'),
    permit: 'customer.list.bindMember',
  }),
  /** Lists the advisers who follow a customer now. */
  follows: call.read('follows', ['客户的跟进成员', 'Advisers of a customer'], {
    input: z.object({ ...picked, of: id.optional() }),
    output: listOf(
      z.object({ id, staff_id: id, name: z.string(), place: z.string(), status: staffState }),
    ),
    permit: view,
  }),
  receivers: call.read('receivers', ['可接收的成员', 'Colleagues who may take over'], {
    input: z.object(picked),
    output: listOf(staffPick.extend({ customer_count: n })),
    touches: ['wecom_staff'],
    scope: placed('wecom_staff'),
    permit: view,
  }),
  segments: call.read('segments', ['可群发的分群', 'Segments to send to'], {
    input: z.object(picked),
    output: listOf(named.extend({ customer_count: n })),
    touches: ['segment'],
    scope: 'all',
    permit: 'customer.list.groupSend',
  }),
  /** Texts that are on their way, and that the person may stop. */
  sends: call.read('sends', ['进行中的群发', 'Texts on their way'], {
    input: z.object(picked),
    output: listOf(live),
    touches: ['wecom_send'],
    permit: 'customer.list.cancelSend',
  }),
  sync: call.write('sync', ['同步客户', 'Sync customers'], {
    input: z.object({ scope: keysOf(syncKinds).default('customers') }),
    output: syncStarted,
    touches: ['wecom_run'],
    scope: 'all',
  }),
  remark: call.changes('remark', ['修改备注', 'Change the remark'], {
    fields: { follow_id: id, remark: text(20, 0), description: text(150, 0).default('') },
    touches: task,
  }),
  addTag: call.write('addTag', ['打标签', 'Add tags'], {
    input: z.object(tagging),
    output: batchResult,
    touches: task,
    scope: placed(rows, { ids: rows }),
  }),
  removeTag: call.write('removeTag', ['移除标签', 'Remove tags'], {
    input: z.object(tagging),
    output: batchResult,
    touches: task,
    scope: placed(rows, { ids: rows }),
  }),
  saveAttrs: call.changes('saveAttrs', ['修改客户属性', 'Change attributes'], {
    fields: {
      /** An empty value takes what is noted away; what is not named stays. */
      attrs: z
        .array(z.object({ attr_id: id, value: text(ATTR_TEXT_MAX * 2, 0) }))
        .min(1)
        .max(ATTRS_MOST),
    },
    touches: [rows, 'customer_attr'],
  }),
  bindMember: call.changes('bindMember', ['关联会员', 'Link a member'], {
    fields: { member_id: id },
    scope: placed(rows, { id: rows, member_id: 'member' }),
  }),
  unbindMember: call.changes('unbindMember', ['解除会员关联', 'Unlink the member'], {
    fields: { reason },
  }),
  transfer: call.write('transfer', ['在职转接', 'Hand over'], {
    input: z.object({ ...taking, notice: text(200, 0).default('') }),
    output: batchResult,
    touches: moves,
    scope: placed(rows, taken),
  }),
  transferResigned: call.write('transferResigned', ['离职继承', 'Hand down'], {
    input: z.object(taking),
    output: batchResult,
    touches: moves,
    scope: placed(rows, taken),
  }),
  saveSegment: call.write('saveSegment', ['存为分群', 'Save as a segment'], {
    input: begun({ name: text(40), as: keysOf(segmentAs).default('rule'), ...filters }, [
      'from',
      'to',
    ]),
    output: z.object({ id, version, name: z.string(), customer_count: n }),
    touches: ['segment'],
    scope: placed(rows),
  }),
  materials: call.read('materials', ['可选素材', 'Materials to choose'], {
    ...materialPicks,
    touches: ['wecom_material'],
    scope: 'all',
    permit: 'customer.list.groupSend',
  }),
  groupSend: call.write('groupSend', ['新建企业群发', 'Send a text'], {
    input: z.object({
      segment_id: id,
      content: lines(1000),
      material_ids: z.array(id).max(9).default([]),
      send_at: unix.optional(),
    }),
    output: z.object({ sent_n: n, failed_n: n, no_friend_n: n }),
    touches: [rows, 'segment', 'wecom_send'],
    scope: placed(rows),
  }),
  cancelSend: call.write('cancelSend', ['取消群发', 'Cancel a broadcast'], {
    input: z.object({ task_id: id, reason }),
    output: z.object({ task_id: id, stopped: n }),
    touches: [rows, 'wecom_send'],
    scope: placed(rows),
  }),
  export: call.startsExport('export', ['导出客户', 'Export customers'], { filters }),
}
