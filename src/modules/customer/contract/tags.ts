import { z } from 'zod'
import {
  RULE_BACK_DAYS,
  RULE_PLACES_MOST,
  RULE_WORDS_MOST,
  tagRuleKinds,
  TAGS_AT_ONCE,
  tagStates,
  TAG_NAME_MAX,
} from '#src/areas/wecom/tagging.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  flag,
  id,
  keysOf,
  listOf,
  page,
  searched,
  text,
  version,
} from '#src/contract/shapes.ts'
import { syncRun, syncStarted } from '#src/contract/wecom.ts'

const n = z.int().min(0)
const rule = z.object({
  kind: keysOf(tagRuleKinds),
  on: z.boolean(),
  min_cents: cents.min(0).optional(),
  mall_ids: z.array(id).max(RULE_PLACES_MOST).optional(),
  group_ids: z.array(id).max(RULE_PLACES_MOST).optional(),
  words: z.array(text(20)).max(RULE_WORDS_MOST).optional(),
})
/** A group or a tag of the tree: groups have ids below zero, `of` is the number of the row itself. */
export const tagRow = z.object({
  id: z.int(),
  is: z.enum(['group', 'tag']),
  of: id,
  parent_id: z.int().nullable(),
  level: z.int(),
  name: z.string(),
  group_name: z.string(),
  sort: z.int(),
  version,
  state: keysOf(tagStates),
  /** Tags of its group that stand. */
  siblings: n,
  /** Customers who have it, and those who got it in 30 days. */
  customers: n,
  fresh: n,
  /** WeCom has another tag of this name in the group. */
  twin: z.boolean(),
  rule: rule.nullable(),
  uses: z.array(z.object({ kind: z.enum(['code', 'segment', 'rule']), id, name: z.string() })),
  waiting: z.boolean(),
  error: z.string(),
  errcode: z.int(),
})
export type TagRow = z.output<typeof tagRow>

const rows = 'wecom_tag'
const call = callsOf('customer/tags', { touches: [rows, 'wecom_task'], rows: 'all' })
const view = 'customer.tags.view'
const name = text(TAG_NAME_MAX)
const names = z.array(name).min(1).max(TAGS_AT_ONCE)
const picked = { ...page, keyword: searched(30).optional() }
const named = z.object({ id, name: z.string() })
const used = [rows, 'wecom_task', 'channel_code', 'segment', 'wecom_customer'] as const

/** The corp's vocabulary of tags: groups, tags in the order of WeCom's client, and their rules. */
export const customerTags = {
  lst: call.read('lst', ['客户标签', 'Customer tags'], {
    input: z.object({}),
    output: z.object({ list: z.array(tagRow) }),
    touches: [rows, 'wecom_task', 'wecom_customer', 'channel_code', 'segment', 'wecom_run'],
    permit: view,
  }),
  state: call.read('state', ['标签同步状态', 'State of the sync'], {
    input: z.object({}),
    output: z.object({ run: syncRun.nullable(), done: syncRun.nullable() }),
    touches: ['wecom_run', rows],
    permit: view,
  }),
  groups: call.read('groups', ['可选标签组', 'Groups'], {
    input: z.object(picked),
    output: listOf(named),
    permit: view,
  }),
  tags: call.read('tags', ['可选标签', 'Tags'], {
    input: z.object(picked),
    output: listOf(named.extend({ group: z.string() })),
    permit: view,
  }),
  malls: call.read('malls', ['可选商场', 'Malls'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['mall'],
    permit: view,
  }),
  chats: call.read('chats', ['可选客户群', 'Group chats'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['wecom_group'],
    permit: view,
  }),
  createGroup: call.creates('createGroup', ['新建标签组', 'New group'], {
    fields: { name, tags: names },
  }),
  renameGroup: call.changes('renameGroup', ['重命名标签组', 'Rename the group'], {
    fields: { name },
  }),
  create: call.write('create', ['新建标签', 'New tags'], {
    input: z.object({ group_id: id, names }),
    output: z.object({ ids: z.array(id) }),
    scope: 'all',
  }),
  rename: call.changes('rename', ['重命名标签', 'Rename the tag'], { fields: { name } }),
  move: call.changes('move', ['移动标签', 'Move to a group'], { fields: { group_id: id } }),
  /** All tags of a group, the first first. */
  sort: call.write('sort', ['调整排序', 'Change the order'], {
    input: z.object({ group_id: id, ids: z.array(id).min(1).max(1000) }),
    output: z.object({ id, version }),
    scope: 'all',
  }),
  merge: call.write('merge', ['合并标签', 'Merge tags'], {
    input: z.object({
      from_ids: z.array(id).min(1).max(20),
      to_id: id,
      /** Codes, segments and rules that use them use the other one from then on. */
      replace: flag.default(false),
    }),
    output: z.object({ id, version, moved: n }),
    touches: used,
    scope: 'all',
  }),
  /** Without a rule the tag is given by hand alone. */
  setRule: call.changes('setRule', ['设置自动打标规则', 'Set the rule'], {
    fields: { rule: rule.nullable() },
  }),
  runRule: call.changes('runRule', ['回溯打标', 'Apply the rule to past events'], {
    fields: { days: z.int().min(1).max(RULE_BACK_DAYS) },
    answer: { job_id: id, rows: n },
    touches: [rows, 'wecom_task', 'wecom_customer', 'job'],
  }),
  del: call.write('del', ['删除标签', 'Delete the tag'], {
    input: z.object({ id, version, reason, replace_id: id.optional() }),
    output: z.object({ id, deleted: z.literal(true) }),
    touches: used,
    scope: 'all',
  }),
  sync: call.write('sync', ['同步企微标签', 'Sync the tags'], {
    input: z.object({}),
    output: syncStarted,
    touches: ['wecom_run'],
    scope: 'all',
  }),
}
