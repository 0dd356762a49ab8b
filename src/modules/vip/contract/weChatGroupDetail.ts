import { z } from 'zod'
import { memberTabs, switchReasons } from '#src/areas/wecom/groups.ts'
import { partStates, resultStates } from '#src/areas/wecom/sending.ts'
import { joinScenes } from '#src/areas/wecom/wecom.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  lines,
  listOf,
  page,
  searched,
  unix,
} from '#src/contract/shapes.ts'
import { chatPerson, transferRow } from '#src/contract/wecom.ts'
import { groupRow } from './weChatGroupManage.ts'

const n = z.int().min(0)
/** `removal` says whether the owner was asked to remove them, and has. */
const personRow = z.object({ ...chatPerson.shape, removal: z.enum(['none', 'open', 'done']) })
export type PersonRow = z.output<typeof personRow>

const rows = 'wecom_group'
const call = callsOf('vip/weChatGroupManage/detail', { touches: [rows], rows })
const view = 'vip.weChatGroupManage.detail.view'
const filters = {
  group_id: id,
  part: keysOf(memberTabs).optional(),
  askable: z.boolean().optional(),
  keyword: searched(20).optional(),
}
const ofGroup = placed(rows, { group_id: rows })
/** Days that the page may ask of: the last one goes beyond what is kept, and is told so. */
export const spans = ['30', '90', '180', '365'] as const

/** One group chat: who is in it, who came and went, what it brought, and what its owner is asked. */
export const groupDetail = {
  facts: call.read('facts', ['会员社群详情', 'A group chat'], {
    input: z.object({ id }),
    output: z.object({
      row: groupRow,
      /** How many people each part has. */
      parts: z.record(z.string(), n),
      suspects: z.array(z.object({ id, name: z.string(), groups: n })),
      scenes: z.array(z.object({ scene: keysOf(joinScenes), n })),
      /** What members in it bought since they joined, within 180 days, of the person’s places. */
      bought: z.object({
        ordered: n,
        orders: n,
        gmv_cents: guarded('stat.gmv_cents', cents),
      }),
      masses: z.array(
        z.object({
          id,
          content: z.string(),
          send_at: unix,
          state: keysOf(partStates),
          result: keysOf(resultStates),
          error: z.string(),
          by: z.string(),
        }),
      ),
      mass_most: n,
      removals: z.array(
        z.object({
          id,
          nickname: z.string(),
          owner: z.string(),
          reason: z.string(),
          by: z.string(),
          asked_at: unix,
          done_at: unix.nullable(),
        }),
      ),
      transfers: z.array(transferRow),
      switches: z.array(
        z.object({
          id,
          from_name: z.string(),
          to_name: z.string(),
          why: keysOf(switchReasons),
          at: unix,
        }),
      ),
    }),
    touches: [rows, 'wecom_customer', 'wecom_transfer', 'wecom_send', 'wecom_join', 'order'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  moves: call.read('moves', ['每日进退群', 'Joins and leaves by day'], {
    input: z.object({ id, days: z.enum(spans).default('30') }),
    output: z.object({
      /** More was asked for than is kept: the days begin with the first one that is. */
      clipped: z.boolean(),
      from: z.string(),
      days: z.array(z.object({ day: z.string(), joins: n, leaves: n })),
    }),
    scope: placed(rows, 'id'),
    permit: view,
  }),
  people: call.read('people', ['群成员', 'People of a chat'], {
    input: z.object({ ...page, ...filters }),
    output: listOf(personRow),
    touches: [rows, 'wecom_customer', 'member'],
    scope: ofGroup,
    permit: view,
  }),
  editNotice: call.changes('editNotice', ['记录群公告草稿', 'Draft the notice'], {
    fields: { notice: lines(600) },
  }),
  matchMembers: call.changes('matchMembers', ['批量关联会员', 'Link members'], {
    answer: { linked: n, matched: n },
    touches: [rows, 'wecom_customer'],
  }),
  markDuplicate: call.changes('markDuplicate', ['标记重复入群会员', 'Mark who is in several'], {
    answer: { marked: n, fresh: n },
  }),
  removeRemind: call.changes('removeRemind', ['通知群主移除成员', 'Ask owner to remove members'], {
    fields: { member_ids: z.array(id).min(1).max(20), reason },
    answer: { asked: n, told: z.boolean() },
  }),
  export: call.startsExport('export', ['导出群成员', 'Export group members'], {
    filters,
    scope: ofGroup,
  }),
}
