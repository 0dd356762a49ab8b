import { z } from 'zod'
import { issueSides, SLA_MAX_H } from '#src/areas/service/issueCate.ts'
import { callsOf, reason, status } from '#src/contract/record.ts'
import {
  basisPoints,
  id,
  keysOf,
  lines,
  listOf,
  page,
  searched,
  text,
} from '#src/contract/shapes.ts'
import { treeCalls, treeRow } from '#src/contract/tree.ts'

const hours = z.int().min(1).max(SLA_MAX_H)
export const issueCateRow = z.object({
  ...treeRow,
  side: keysOf(issueSides),
  status,
  /** New tickets may be filed under it: it and the one above are on. */
  is_open: z.boolean(),
  fallback: z.boolean(),
  /** Its own; null where it has those of the one above. */
  own_group_id: id.nullable(),
  own_sla: z.boolean(),
  /** What holds for its tickets. */
  group_name: z.string(),
  group_off: z.boolean(),
  first_h: hours,
  finish_h: hours,
  auto_reply: z.string(),
  article_id: id.nullable(),
  article_name: z.string(),
  /** How many are its own, and how many there are with those of its children. */
  tickets: z.int(),
  tickets_all: z.int(),
  open: z.int(),
  late: z.int(),
  handled_s: z.int().nullable(),
  on_time_bp: basisPoints.nullable(),
  children: z.int(),
  /** Categories that were merged into it. */
  took_over: z.array(z.string()),
})
export type IssueCateRow = z.output<typeof issueCateRow>

const name = text(32)
const fallback = z.boolean().default(false)
const keyword = searched(64).optional()
const view = 'config.issueCate.view'
const call = callsOf('config/issueCate', { touches: ['issue_cate'], rows: 'all' })

/** What complaints, chats and after-sale tickets are filed under, and who answers by when. */
export const issueCate = {
  ...treeCalls(call, view, ['问题分类', 'category']),
  /** All of them, in tree order. */
  lst: call.read('lst', ['问题分类', 'Issue categories'], {
    input: z.object({}),
    output: z.object({ list: z.array(issueCateRow) }),
    touches: ['issue_cate', 'service_ticket', 'notify_group', 'page_link'],
    permit: view,
  }),
  /** Groups that are in use. */
  groups: call.read('groups', ['可选的处理组', 'Groups'], {
    input: z.object({ ...page, keyword }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['notify_group'],
    permit: view,
  }),
  /** Pages of the platform that are in use. */
  articles: call.read('articles', ['可选的帮助文章', 'Articles'], {
    input: z.object({ ...page, keyword }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['page_link'],
    permit: view,
  }),
  /** At the top it says whose issues they are; below, the one above has said so. */
  create: call.creates('create', ['新增问题分类', 'Create a category'], {
    fields: { parent_id: id.optional(), side: keysOf(issueSides).optional(), name, fallback },
  }),
  edit: call.changes('edit', ['编辑问题分类', 'Edit a category'], { fields: { name, fallback } }),
  /** Without a group it has that of the one above. */
  setHandler: call.changes('setHandler', ['设置处理组', 'Set handling group'], {
    fields: { group_id: id.optional() },
  }),
  /** Without times it has those of the one above; for tickets that are opened later. */
  setSla: call.changes('setSla', ['设置时限', 'Set the times'], {
    fields: { first_hours: hours.optional(), finish_hours: hours.optional() },
  }),
  setAutoReply: call.changes('setAutoReply', ['设置自动回复', 'Set the automatic answer'], {
    fields: { text: lines(500, 0) },
  }),
  setArticle: call.changes('setArticle', ['关联帮助文章', 'Link a help article'], {
    fields: { article_id: id.optional() },
  }),
  enable: call.changes('enable', ['启用问题分类', 'Enable a category']),
  disable: call.changes('disable', ['停用问题分类', 'Disable a category'], { fields: { reason } }),
}
