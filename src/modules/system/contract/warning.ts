import { z } from 'zod'
import {
  warningLevels,
  warningMetrics,
  warningOperators,
  warningStates,
  sendStates,
  type SendState,
  type WarningLevel,
  type WarningMetric,
  type WarningOperator,
  type WarningState,
} from '#src/areas/notice/warning.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  batchResult,
  id,
  keysOf,
  lines,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'

const [metric, operator, level, state] = [
  keysOf<WarningMetric>(warningMetrics),
  keysOf<WarningOperator>(warningOperators),
  keysOf<WarningLevel>(warningLevels),
  keysOf<WarningState>(warningStates),
]
const status = z.enum(['on', 'off'])
const mid = z.int().min(0).max(2147483647)
const place = { city_id: id.optional(), mid: mid.optional(), store_id: id.optional() }

export const warningRuleRow = z.object({
  id,
  name: z.string(),
  metric,
  scope: z.object(place),
  place: z.string(),
  operator,
  threshold: z.int(),
  window_s: z.int(),
  min_sample: z.int(),
  level,
  group_ids: z.array(id),
  groups: z.array(z.object({ id, name: z.string(), status })),
  auto_recover: z.boolean(),
  mute_until: unix.nullable(),
  mute_reason: z.string().nullable(),
  status,
  last_value: z.int().nullable(),
  checked_at: unix.nullable(),
  last_fired_at: unix.nullable(),
  fired_7d: z.int(),
  open: z.int(),
  version,
})
export type WarningRuleRow = z.output<typeof warningRuleRow>
/** Threshold in basis points (rates), a count, or percent of a change; the window in seconds. */
const condition = {
  name: text(40),
  metric,
  ...place,
  operator,
  threshold: z.int().min(0).max(2147483647),
  window_s: z.int(),
  min_sample: z.int().min(0).max(1_000_000),
  level,
  group_ids: z
    .array(id)
    .min(1, { message: joined(['至少选择一个通知群组', 'At least one group']) })
    .max(20),
  auto_recover: z.boolean(),
}
const one = { id, version }
const changed = z.object({ id, version })

export const warning = {
  lst: read('system/warning/lst', ['预警规则', 'Warning rules'], {
    input: z.object({
      keyword: searched(60).optional(),
      metric: metric.optional(),
      level: level.optional(),
      status: status.optional(),
      group_id: id.optional(),
      ...page,
    }),
    output: listOf(warningRuleRow),
    touches: ['warning', 'group'],
    scope: placed('warning_rule'),
    permit: 'system.warning.view',
  }),
  /** Open stores of my places, to narrow a rule to. */
  stores: read('system/warning/stores', ['可选门店', 'Stores to choose from'], {
    input: z.object({
      keyword: searched(40).optional(),
      city_id: id.optional(),
      mid: mid.optional(),
      ...page,
    }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: [],
    scope: placed('store'),
    permit: 'system.warning.view',
  }),
  create: write('system/warning/create', ['新增预警', 'Create a rule'], {
    input: z.object(condition),
    output: changed,
    touches: ['warning'],
    scope: placed('warning_rule'),
    permit: 'system.warning.create',
  }),
  edit: write('system/warning/edit', ['编辑预警', 'Edit rule'], {
    input: z.object({ ...one, ...condition }),
    output: changed,
    touches: ['warning'],
    scope: placed('warning_rule', 'id'),
    permit: 'system.warning.edit',
  }),
  /** What it would say now; nothing is fired. A read behind the right to test. */
  test: read('system/warning/test', ['试算当前值', 'Try now'], {
    input: z.object({ id }),
    output: z.object({
      id,
      value: z.int(),
      sample: z.int(),
      before: z.int().nullable(),
      fires: z.boolean(),
      at: unix,
    }),
    touches: ['warning'],
    scope: placed('warning_rule', 'id'),
    permit: 'system.warning.test',
  }),
  enable: write('system/warning/enable', ['启用预警', 'Enable'], {
    input: z.object(one),
    output: changed,
    touches: ['warning'],
    scope: placed('warning_rule', 'id'),
    permit: 'system.warning.enable',
  }),
  disable: write('system/warning/disable', ['停用预警', 'Disable'], {
    input: z.object({ ...one, reason: lines(255, 2) }),
    output: changed,
    touches: ['warning'],
    scope: placed('warning_rule', 'id'),
    permit: 'system.warning.disable',
  }),
  mute: write('system/warning/mute', ['静默预警', 'Mute'], {
    input: z.object({ ...one, until: unix, reason: lines(255, 2) }),
    output: changed,
    touches: ['warning'],
    scope: placed('warning_rule', 'id'),
    permit: 'system.warning.mute',
  }),
  copy: write('system/warning/copy', ['复制预警', 'Copy rule'], {
    input: z.object({ id, name: text(40), threshold: z.int().min(0).max(2147483647) }),
    output: changed,
    touches: ['warning'],
    scope: placed('warning_rule', 'id'),
    permit: 'system.warning.copy',
  }),
  del: write('system/warning/del', ['删除预警', 'Delete rule'], {
    input: z.object(one),
    output: z.object({ id, deleted: z.literal(true) }),
    touches: ['warning'],
    scope: placed('warning_rule', 'id'),
    permit: 'system.warning.del',
  }),
}

export const alarmRow = z.object({
  id,
  rule_id: id,
  rule_name: z.string(),
  metric,
  place: z.string(),
  value: z.int(),
  threshold: z.int(),
  operator,
  level,
  state,
  count: z.int(),
  fired_at: unix,
  last_at: unix,
  acked_by: z.int().nullable(),
  acker_name: z.string().nullable(),
  acked_at: unix.nullable(),
  assigned_to: z.int().nullable(),
  assignee_name: z.string().nullable(),
  handler_name: z.string().nullable(),
  handled_at: unix.nullable(),
  recovered_at: unix.nullable(),
  escalated_at: unix.nullable(),
  result: z.string().nullable(),
  /**
   * `at` is when its channel answered, else when it was to be told; `state` is null where no record
   * of the sending is left.
   */
  told: z.array(
    z.object({ name: z.string(), at: unix, state: keysOf<SendState>(sendStates).nullable() }),
  ),
  series: z.array(z.tuple([unix, z.int()])),
  rule_version: version,
  /**
   * Lists of the rows behind it that this person may open, with how many each shows now where it is
   * more than one: the fullest first.
   */
  behind: z.array(z.object({ title: z.string(), target: z.string(), count: z.int().nullable() })),
  version,
})
export type AlarmRow = z.output<typeof alarmRow>
const alarmFilters = {
  city_id: id.optional(),
  state: z
    .enum(['waiting', ...Object.keys(warningStates)] as ['waiting', ...WarningState[]])
    .default('waiting'),
  level: level.optional(),
  metric: metric.optional(),
  person: id.optional(),
  rule_id: id.optional(),
  from: unix.optional(),
  to: unix.optional(),
}

export const warningLogs = {
  lst: read('system/warning/logs/lst', ['预警记录', 'Warning log'], {
    input: z.object({ ...alarmFilters, ...page }),
    output: listOf(alarmRow),
    touches: ['alarm'],
    scope: placed('warning_log'),
    permit: 'system.warning.logs.view',
  }),
  counts: read('system/warning/logs/counts', ['预警计数', 'Counts of alarms'], {
    input: z.object({
      city_id: id.optional(),
      level: level.optional(),
      metric: metric.optional(),
      person: id.optional(),
      rule_id: id.optional(),
      from: unix.optional(),
      to: unix.optional(),
    }),
    output: z.record(z.string(), z.int()),
    touches: ['alarm'],
    scope: placed('warning_log'),
    permit: 'system.warning.logs.view',
  }),
  /** Active staff who may open this page: to whom an alarm can be given. */
  people: read('system/warning/logs/people', ['可指派人员', 'Whom to assign to'], {
    input: z.object({ keyword: searched(60).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string(), account: z.string() })),
    touches: [],
    scope: 'all',
    permit: 'system.warning.logs.view',
  }),
  ack: write('system/warning/logs/ack', ['确认预警', 'Acknowledge'], {
    input: z.object(one),
    output: z.object({ id, state, version }),
    touches: ['alarm'],
    scope: placed('warning_log', 'id'),
    permit: 'system.warning.logs.ack',
  }),
  batchAck: write('system/warning/logs/batchAck', ['批量确认', 'Acknowledge several'], {
    input: z.object({ ids: z.array(id).min(1).max(200) }),
    output: batchResult,
    touches: ['alarm'],
    scope: placed('warning_log', 'ids'),
    permit: 'system.warning.logs.batchAck',
  }),
  assign: write('system/warning/logs/assign', ['指派预警', 'Assign'], {
    input: z.object({ ...one, admin_id: id }),
    output: z.object({ id, state, version }),
    touches: ['alarm'],
    scope: placed('warning_log', 'id'),
    permit: 'system.warning.logs.assign',
  }),
  handle: write('system/warning/logs/handle', ['处理完成', 'Mark handled'], {
    input: z.object({ ...one, result: lines(255, 2) }),
    output: z.object({ id, state, version }),
    touches: ['alarm'],
    scope: placed('warning_log', 'id'),
    permit: 'system.warning.logs.handle',
  }),
  ignore: write('system/warning/logs/ignore', ['忽略预警', 'Ignore'], {
    input: z.object({ ...one, reason: lines(255, 2) }),
    output: z.object({ id, state, version }),
    touches: ['alarm'],
    scope: placed('warning_log', 'id'),
    permit: 'system.warning.logs.ignore',
  }),
  escalate: write('system/warning/logs/escalate', ['升级预警', 'Escalate'], {
    input: z.object({ ...one, reason: lines(255, 2) }),
    output: z.object({ id, state, version }),
    touches: ['alarm'],
    scope: placed('warning_log', 'id'),
    permit: 'system.warning.logs.escalate',
  }),
  muteRule: write('system/warning/logs/muteRule', ['静默该规则', 'Mute its rule'], {
    input: z.object({ id, until: unix, reason: lines(255, 2) }),
    output: z.object({ id, rule_id: id }),
    touches: ['alarm', 'warning'],
    scope: placed('warning_log', 'id'),
    permit: 'system.warning.logs.muteRule',
  }),
  export: write('system/warning/logs/export', ['导出预警记录', 'Export'], {
    input: z.object({ ...alarmFilters, ...asksExport() }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('warning_log'),
    permit: 'system.warning.logs.export',
  }),
}
