import { z } from 'zod'
import { JOIN_GROUPS_MOST, joinStates, ROOM_LOW } from '#src/areas/wecom/groups.ts'
import { BASE_ID_MOST, joinFaults, ROOM_LOW_MOST } from '#src/areas/wecom/joinCodes.ts'
import { groupStates, staffStates, taskStates } from '#src/areas/wecom/wecom.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  id,
  keysOf,
  keyText,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const n = z.int().min(0)
const words = z.string()
const fill = { id, name: words, member_count: n, max_members: n }
/** A chat in the rotation of a code, with what decides whether people are led into it. */
const joinChat = z.object({
  ...fill,
  status: keysOf(groupStates),
  /** Colleagues among its people, who take places too. */
  staff_count: n,
  owner: z.object({ id, name: words, status: keysOf(staffStates) }).nullable(),
  notice: words,
  opened_at: unix,
  synced_at: unix,
  is_current: z.boolean(),
  /** Why nobody is led into it; null while it takes people. */
  closed: z.enum(['full', 'owner_left', 'dismissed']).nullable(),
  /** So few places are left that the code turns to the next one. */
  is_low: z.boolean(),
})
export type JoinChat = z.output<typeof joinChat>
export const joinRow = z.object({
  id,
  version,
  name: words,
  mall_id: id.nullable(),
  mall_name: words,
  status: keysOf(joinStates),
  /** What is wrong with it, the worst first. */
  faults: z.array(keysOf(joinFaults)),
  has_qr: z.boolean(),
  /** Whether WeCom has what was decided here, and what it said where it has not. */
  work: keysOf(taskStates),
  error: words,
  errcode: z.int(),
  auto_create: z.boolean(),
  base_name: words,
  base_id: z.int(),
  room_low: z.int(),
  staff_code_id: id.nullable(),
  /** The live code that is offered while all chats are full. */
  offer: z.object({ id, name: words, is_live: z.boolean(), is_chosen: z.boolean() }).nullable(),
  chats: z.array(joinChat),
  joins_7d: n,
  leaves_7d: n,
  /** Customers who joined within seven days, and those of them who are still in. */
  joined_n: n,
  stayed_n: n,
  /** Whether WeCom is being asked after its chats, and when that was done last. */
  reading: z.boolean(),
  synced_at: unix.nullable(),
  reason: words,
  created_at: unix,
})
export type JoinRow = z.output<typeof joinRow>

const rows = 'wecom_join_way'
const chat = 'wecom_group'
const call = callsOf('channel/customerGroup', { touches: ['wecom_join', chat], rows })
const view = 'channel.customerGroup.view'
const filters = {
  keyword: searched(40).optional(),
  status: keysOf(joinStates).optional(),
  /** 0: of no mall. */
  mid: z.int().min(0).max(2147483647).optional(),
  quick: keysOf(joinFaults).optional(),
  id: id.optional(),
}
const bodyFields = {
  name: text(40),
  auto_create: z.boolean(),
  base_name: text(20, 0).default(''),
  base_id: z.int().min(1).max(BASE_ID_MOST).default(1),
  /** With so many places left, or fewer, it turns to the next chat. */
  room_low: z.int().min(0).max(ROOM_LOW_MOST).default(ROOM_LOW),
  staff_code_id: id.nullable().default(null),
}
const chat_ids = z.array(id).min(1).max(JOIN_GROUPS_MOST)
const picked = { ...page, keyword: searched(20).optional() }
const ids = z.array(id).min(1).max(100)

/** Codes that always lead into a chat with room. */
export const joinCodes = {
  lst: call.read('lst', ['群活码', 'Group-join codes'], {
    input: z.object({ ...page, ...filters }),
    output: z.object({ ...listOf(joinRow).shape, stat: z.record(z.string(), z.int()) }),
    touches: ['wecom_join', chat, 'wecom_staff', 'channel_code'],
    permit: view,
  }),
  /** Chats to choose: free ones of the mall of `way_id` or `with_id`, or those of `way_id`. */
  chats: call.read('chats', ['可选客户群', 'Chats to choose'], {
    input: z.object({
      ...picked,
      way_id: id.optional(),
      with_id: id.optional(),
      inside: z.boolean().optional(),
    }),
    output: listOf(z.object({ ...fill, mall_name: words })),
    touches: [chat, 'wecom_join'],
    scope: placed(chat),
    permit: view,
  }),
  /** Live codes that may be offered while all chats are full. */
  staffCodes: call.read('staffCodes', ['可引导的渠道活码', 'Codes to offer'], {
    input: z.object({ ...picked, way_id: id.optional(), with_id: id.optional() }),
    output: listOf(z.object({ id, name: words, mall_name: words })),
    touches: ['channel_code'],
    scope: placed('channel_code'),
    permit: view,
  }),
  /** Codes as pictures: `text` of each is below the origin that is given. */
  pictures: call.read('pictures', ['群活码二维码', 'Pictures of codes'], {
    input: z.object({
      ids,
      origin: keyText(120, 1),
      size: z.int().min(96).max(2048).default(96),
      format: z.enum(['svg', 'png']).default('svg'),
    }),
    output: z.object({
      list: z.array(z.object({ id, name: words, link: words, image: words })),
    }),
    scope: placed(rows, 'ids'),
    permit: view,
  }),
  create: call.creates('create', ['新增群活码', 'New join code'], {
    fields: { ...bodyFields, chat_ids },
    scope: placed(rows, { chat_ids: chat, staff_code_id: 'channel_code' }),
  }),
  edit: call.changes('edit', ['编辑群活码', 'Edit a join code'], {
    fields: bodyFields,
    scope: placed(rows, { id: rows, staff_code_id: 'channel_code' }),
  }),
  addChat: call.changes('addChat', ['追加群', 'Add chats'], {
    fields: { chat_ids },
    scope: placed(rows, { id: rows, chat_ids: chat }),
  }),
  sortChat: call.changes('sortChat', ['调整切换顺序', 'Reorder chats'], {
    fields: { ids: z.array(id).min(1).max(JOIN_GROUPS_MOST) },
    scope: placed(rows, { id: rows, ids: chat }),
  }),
  switchNow: call.changes('switchNow', ['立即切换', 'Switch now'], {
    fields: { chat_id: id },
    scope: placed(rows, { id: rows, chat_id: chat }),
  }),
  pause: call.changes('pause', ['暂停群活码', 'Pause a join code']),
  resume: call.changes('resume', ['恢复群活码', 'Resume a join code']),
  archive: call.changes('archive', ['归档群活码', 'Archive a join code'], { fields: { reason } }),
  sync: call.write('sync', ['同步群数据', 'Read its chats anew'], {
    input: z.object({ ids }),
    output: batchResult,
    scope: placed(rows, 'ids'),
  }),
  export: call.startsExport('export', ['导出群活码', 'Export join codes'], { filters }),
}
