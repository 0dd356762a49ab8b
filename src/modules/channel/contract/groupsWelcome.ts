import { z } from 'zod'
import { CHATS_MOST, noticeStates, templateWorks } from '#src/areas/welcome/groupWelcome.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
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
import { carriedMaterial, materialPicks } from '#src/contract/wecomMaterial.ts'
import { attachment } from '#src/contract/welcome.ts'

const n = z.int().min(0)
const words = z.string()
const fields = {
  name: text(40),
  mall_id: id.nullable(),
  text: lines(3000, 0),
  attachment: attachment.nullable(),
  notify: z.boolean(),
}
export const templateRow = z.object({
  id,
  version,
  ...fields,
  mall_name: words,
  chats: z.array(
    z.object({
      id,
      name: words,
      member_count: n,
      applied_at: unix,
      owner: words,
      /** Whether the owner is in service. */
      owner_able: z.boolean(),
    }),
  ),
  chats_n: n,
  /** Joins of 7 days in its chats since each got it, and the messages that they come to. */
  joins_7d: n,
  sends_7d: n,
  /** The material that it carries, as it stands; none for one that carries none. */
  materials: z.array(carriedMaterial),
  work: keysOf(templateWorks),
  /** Why WeCom does not have it as it is; empty where it has. */
  why: words,
  errcode: z.int(),
  content_n: n,
  notified_at: unix.nullable(),
  edited_at: unix,
  edited_by: words,
})
export type TemplateRow = z.output<typeof templateRow>

const rows = 'wecom_group_welcome'
const call = callsOf('channel/groupsWelcome', { touches: [rows], rows })
const view = 'channel.groupsWelcome.view'
const picked = { ...page, keyword: searched(40).optional(), id }
const chat_ids = z.array(id).min(1).max(CHATS_MOST)
const whose = { mall_id: 'mall' }
const reminded = { reminded: n }

/** What whoever joins a group gets: the templates that WeCom keeps, and the groups that have each. */
export const groupsWelcome = {
  lst: call.read('lst', ['入群欢迎语', 'Group welcomes'], {
    input: z.object({
      ...page,
      keyword: searched(40).optional(),
      status: keysOf(templateWorks).optional(),
      /** 0: of no mall. */
      mid: z.int().min(0).max(2147483647).optional(),
      id: id.optional(),
    }),
    output: z.object({ ...listOf(templateRow).shape, stat: z.record(z.string(), n) }),
    touches: [rows, 'wecom_group', 'wecom_staff'],
    permit: view,
  }),
  notices: call.read('notices', ['群主提醒记录', 'Reminders of owners'], {
    input: z.object({ id }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          owner: words,
          chats: z.array(words),
          asked_at: unix,
          state: keysOf(noticeStates),
          why: words,
        }),
      ),
    }),
    touches: ['wecom_group_notice'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  /** Chats that may get a template, each with the one that it has now. */
  chats: call.read('chats', ['可选客户群', 'Groups to choose'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: words, member_count: n, now: words })),
    touches: [rows, 'wecom_group'],
    scope: placed('wecom_group', { id: rows }),
    permit: view,
  }),
  /** Chats that have a template, to be taken from it. */
  applied: call.read('applied', ['已应用的客户群', 'Groups that have it'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: words })),
    touches: [rows, 'wecom_group'],
    scope: placed('wecom_group', { id: rows }),
    permit: view,
  }),
  others: call.read('others', ['可替换的模板', 'Templates instead'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: words })),
    scope: placed(rows, 'id'),
    permit: view,
  }),
  materials: call.read('materials', ['可选素材', 'Materials to choose'], {
    ...materialPicks,
    touches: ['wecom_material'],
    scope: 'all',
    permit: view,
  }),
  create: call.creates('create', ['新增入群欢迎语', 'New group welcome'], {
    fields,
    scope: placed(rows, whose),
  }),
  edit: call.changes('edit', ['编辑入群欢迎语', 'Edit the group welcome'], {
    fields,
    scope: placed(rows, { id: rows, ...whose }),
  }),
  copy: call.changes('copy', ['复制入群欢迎语', 'Copy the group welcome']),
  apply: call.changes('apply', ['应用到群', 'Apply to groups'], {
    fields: { chat_ids },
    answer: reminded,
    touches: [rows, 'wecom_group_notice'],
    scope: placed(rows, { id: rows, chat_ids: 'wecom_group' }),
  }),
  unapply: call.changes('unapply', ['取消应用', 'Take from groups'], {
    fields: { chat_ids },
    scope: placed(rows, { id: rows, chat_ids: 'wecom_group' }),
  }),
  notifyOwner: call.changes('notifyOwner', ['通知群主', 'Remind owners'], {
    answer: reminded,
    touches: [rows, 'wecom_group_notice'],
  }),
  del: call.write('del', ['删除入群欢迎语', 'Delete the group welcome'], {
    input: z.object({ ...one, reason, replace_id: id.optional() }),
    output: z.object({ id, deleted: z.literal(true) }),
    scope: placed(rows, { id: rows, replace_id: rows }),
  }),
}
