import { z } from 'zod'
import { memberTabs, switchReasons } from '#src/areas/wecom/groups.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  id,
  keysOf,
  lines,
  listOf,
  page,
  searched,
  unix,
} from '#src/contract/shapes.ts'
import { chatPerson } from '#src/contract/wecom.ts'
import { joinRow } from './customerGroup.ts'

const n = z.int().min(0)
const words = z.string()
const moved = z.object({ joins: n, leaves: n })
/** `orders_n` counts paid orders since they joined, of the person’s places. */
const personRow = z.object({ ...chatPerson.shape, orders_n: n })

const rows = 'wecom_join_way'
const chat = 'wecom_group'
const call = callsOf('channel/customerGroup/detail', { touches: ['wecom_join', chat], rows })
const view = 'channel.customerGroup.detail.view'
const filters = {
  group_id: id,
  part: keysOf(memberTabs).optional(),
  keyword: searched(20).optional(),
}
const picked = { ...page, keyword: searched(20).optional() }
/** Days that the page may ask of: the last one goes beyond what is kept, and is told so. */
export const joinSpans = ['7', '30', '90', '180', '365'] as const

/** The calls of a join code’s page: where it leads and why, who came and went, its chats. */
export const joinDetail = {
  facts: call.read('facts', ['群活码详情', 'A join code'], {
    input: z.object({ id }),
    output: z.object({
      row: joinRow,
      /** Texts to each chat that count in this month, and how many may be. */
      masses: z.array(z.object({ id, n })),
      mass_most: n,
      switches: z.array(
        z.object({
          id,
          from_name: words,
          to_name: words,
          why: keysOf(switchReasons),
          by: words,
          reason: words,
          at: unix,
        }),
      ),
    }),
    touches: ['wecom_join', chat, 'wecom_staff', 'wecom_send', 'channel_code'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  moves: call.read('moves', ['每日进退群', 'Joins and leaves by day'], {
    input: z.object({ id, days: z.enum(joinSpans).default('30') }),
    output: z.object({
      /** More was asked for than is kept: the days begin with the first one that is. */
      clipped: z.boolean(),
      from: words,
      days: z.array(
        moved.extend({
          day: words,
          scenes: z.object({ invite: moved, invite_link: moved, qrcode: moved }),
        }),
      ),
    }),
    scope: placed(rows, 'id'),
    permit: view,
  }),
  people: call.read('people', ['群成员', 'People of a chat'], {
    input: z.object({ ...page, ...filters }),
    output: z.object({ ...listOf(personRow).shape, stat: z.record(z.string(), n) }),
    touches: [chat, 'wecom_customer', 'member', 'order'],
    scope: placed(chat, { group_id: chat }),
    permit: view,
  }),
  /** Colleagues who may own a chat: those of its mall first, and of them who owns the fewest. */
  owners: call.read('owners', ['可接任的群主', 'Who may own it'], {
    input: z.object({ ...picked, way_id: id.optional() }),
    output: listOf(z.object({ id, name: words, userid: words, place: words, group_count: n })),
    touches: ['wecom_staff', chat],
    scope: placed('wecom_staff'),
    permit: view,
  }),
  tags: call.read('tags', ['企业标签', 'Tags of the corp'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: words, group: words })),
    touches: ['wecom_tag'],
    scope: 'all',
    permit: view,
  }),
  removeChat: call.changes('removeChat', ['移出轮换', 'Remove from rotation'], {
    fields: { chat_id: id, reason },
    scope: placed(rows, { id: rows, chat_id: chat }),
  }),
  setLimit: call.write('setLimit', ['设置群人数上限', 'Set how many a chat holds'], {
    input: z.object({ id, chat_id: id, max_members: z.enum(['200', '500']) }),
    output: z.object({ id }),
    scope: placed(rows, { id: rows, chat_id: chat }),
  }),
  transferOwner: call.write('transferOwner', ['转让群主', 'Hand a chat to another owner'], {
    input: z.object({ id, chat_id: id, to_staff_id: id, reason }),
    output: z.object({ id }),
    touches: ['wecom_join', chat, 'wecom_staff', 'wecom_transfer'],
    scope: placed(rows, { id: rows, chat_id: chat, to_staff_id: 'wecom_staff' }),
  }),
  tagMembers: call.write('tagMembers', ['批量打标签', 'Tag the people of a chat'], {
    input: z.object({ id, chat_id: id, tag_ids: z.array(id).min(1).max(20) }),
    /** How many are to be tagged, had the tags already, and are nobody's contact. */
    output: z.object({ tagged: n, had: n, strangers: n }),
    touches: ['wecom_customer', chat],
    scope: placed(rows, { id: rows, chat_id: chat }),
  }),
  sendGroup: call.write('sendGroup', ['群发到群', 'Message the chat'], {
    input: z.object({
      id,
      chat_ids: z.array(id).min(1).max(5),
      content: lines(1000),
      send_at: unix.optional(),
    }),
    output: batchResult,
    touches: ['wecom_join', chat, 'wecom_send'],
    scope: placed(rows, { id: rows, chat_ids: chat }),
  }),
  markMulti: call.write('markMulti', ['标记多群重复成员', 'Mark duplicate members'], {
    input: z.object({ id }),
    output: z.object({ marked: n, fresh: n }),
  }),
  export: call.startsExport('export', ['导出群成员', 'Export group members'], {
    filters,
    scope: placed(chat, { group_id: chat }),
  }),
}
