import { z } from 'zod'
import { placed, read, write } from '#src/contract/call.ts'
import {
  id,
  lines,
  listOf,
  page,
  text,
  unix,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'

const result = z.enum(['ok', 'refused', 'failed'])
const change = z.object({
  field: z.string(),
  title: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  added: z.array(z.string()).optional(),
  removed: z.array(z.string()).optional(),
})

export const logRow = z.object({
  id,
  created_at: unix,
  admin_id: id.nullable(),
  /** As it was then; who left is still named. */
  admin_name: z.string(),
  admin_status: z.enum(['active', 'disabled', 'left']).nullable(),
  module: z.string(),
  module_title: z.string(),
  action: z.string(),
  action_title: z.string(),
  object_type: z.string(),
  object_title: z.string(),
  object_id: z.int().nullable(),
  object_label: z.string(),
  fields: z.array(z.string()),
  /** What changed, in a line; empty for a reader who may not see differences. */
  summary: z.string(),
  reason: z.string().nullable(),
  result,
  error: z.string().nullable(),
  ip: z.string().nullable(),
  trace_id: z.string().nullable(),
  batch_id: id.nullable(),
  /** Rows below a batch's own line. */
  items: z.int(),
  /** The row it took back, and the row that took it back. */
  reverts_id: id.nullable(),
  reverted_by: id.nullable(),
  /** Null: it may be taken back; else why not. */
  not_revertible: z.string().nullable(),
})
export type LogRow = z.output<typeof logRow>

/**
 * At most 92 days; without a period the last 92. A `field` is one of an `object_type`. Rows of a
 * batch stand below its own line unless an object, a field or the batch is asked for.
 */
const logFilters = {
  admin_id: id.optional(),
  module: text(32).optional(),
  action: text(64).optional(),
  object_type: text(32).optional(),
  object_id: id.optional(),
  field: text(64).optional(),
  result: result.optional(),
  batch_id: id.optional(),
  trace_id: text(40).optional(),
  from: unix.optional(),
  to: unix.optional(),
}
const detailed = z.object({ ...logRow.shape, changes: z.array(change), withheld: z.int() })
export type LogDetail = z.output<typeof detailed>

export const logs = {
  lst: read('system/logs/lst', ['操作日志', 'Operation log'], {
    input: z.object({ ...page, ...logFilters }),
    output: listOf(logRow),
    touches: ['op_log'],
    scope: placed('op_log'),
    permit: 'system.logs.view',
  }),
  /**
   * What the filters offer: people (who left too), modules, actions and object types that the log
   * knows of.
   */
  choices: read('system/logs/choices', ['操作日志的筛选项', 'Filters of the operation log'], {
    input: z.object({}),
    output: z.object({
      people: z.array(
        z.object({
          id,
          name: z.string(),
          account: z.string(),
          status: z.enum(['active', 'disabled', 'left']),
        }),
      ),
      modules: z.array(z.object({ key: z.string(), title: z.string() })),
      actions: z.array(
        z.object({ key: z.string(), module: z.string(), title: z.string(), latin: z.string() }),
      ),
      objects: z.array(
        z.object({
          key: z.string(),
          title: z.string(),
          fields: z.array(z.object({ key: z.string(), title: z.string() })),
        }),
      ),
    }),
    touches: ['admin'],
    scope: placed('op_log'),
    permit: 'system.logs.view',
  }),
  diff: read('system/logs/diff', ['改动对比', 'Differences'], {
    input: z.object({ id }),
    output: z.object({
      row: detailed,
      parent: logRow.nullable(),
      items: z.array(detailed),
      more_items: z.int(),
    }),
    touches: ['op_log'],
    scope: placed('op_log', 'id'),
    permit: 'system.logs.diff',
  }),
  /**
   * Everything that ever happened to one object, newest first; `field` keeps what changed that
   * field.
   */
  objectHistory: read('system/logs/objectHistory', ['对象全部历史', 'History of an object'], {
    input: z.object({ ...page, object_type: text(32), object_id: id, field: text(64).optional() }),
    output: listOf(detailed),
    touches: ['op_log'],
    scope: placed('op_log'),
    permit: 'system.logs.objectHistory',
  }),
  revert: write('system/logs/revert', ['撤回改动', 'Take a change back'], {
    input: z.object({ id, reason: lines(255, 2) }),
    output: z.object({ id }),
    touches: ['op_log'],
    scope: placed('op_log', 'id'),
    permit: 'system.logs.revert',
  }),
  /** Compares the log with its seals, a stretch a call: go on from `next` until it is null. */
  verify: read('system/logs/verify', ['校验日志完整性', 'Verify the log'], {
    input: z.object({ after: z.int().min(0).max(2147483647).default(0) }),
    output: z.object({
      seals: z.int(),
      rows: z.int(),
      next: z.int().nullable(),
      unsealed: z.int(),
      broken: z
        .object({
          kind: z.enum(['changed', 'deleted', 'inserted', 'seal']),
          seal_id: z.int(),
          row_id: z.int().nullable(),
        })
        .nullable(),
      head: z.object({ seal_id: z.int(), hash: z.string(), at: unix }).nullable(),
    }),
    touches: [],
    scope: 'all',
    permit: 'system.logs.verify',
  }),
  export: write('system/logs/export', ['导出操作日志', 'Export the operation log'], {
    input: z.object({ ...logFilters, ...asksExport('csv') }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('op_log'),
    permit: 'system.logs.export',
  }),
}
