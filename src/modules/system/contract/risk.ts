import { z } from 'zod'
import {
  DRY_DAYS_MAX,
  listTypes,
  riskActions,
  riskLevels,
  riskLists,
  riskScenes,
  riskStates,
  ruleStates,
  type ListType,
  type RiskAction,
  type RiskLevel,
  type RiskList,
  type RiskScene,
  type RiskState,
  type RuleState,
} from '#src/areas/risk/risk.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { memberFinds } from '#src/contract/finds.ts'
import {
  batchResult,
  cents,
  guarded,
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

const [scene, action, state, level, list, listType, ruleState] = [
  keysOf<RiskScene>(riskScenes),
  keysOf<RiskAction>(riskActions),
  keysOf<RiskState>(riskStates),
  keysOf<RiskLevel>(riskLevels),
  keysOf<RiskList>(riskLists),
  keysOf<ListType>(listTypes),
  keysOf<RuleState>(ruleStates),
]
const reason = lines(255, 2)
const one = { id, version }

export const riskHitRow = z.object({
  /** Three kinds of rows share the page; each action takes one of them. */
  kind: z.literal('hit'),
  id,
  title: z.string(),
  rule_id: id.nullable(),
  rule_name: z.string(),
  scene,
  level,
  score: z.int(),
  action: action.nullable(),
  city_name: z.string(),
  member_id: id.nullable(),
  nickname: z.string().nullable(),
  phone: guarded('member.phone', z.string()),
  device_id: z.string().nullable(),
  store_name: z.string().nullable(),
  orders: z.int(),
  frozen: z.int(),
  freezable: z.array(z.object({ id, order_no: z.string() })),
  amount_cents: cents,
  note: z.string(),
  suggested: z.string(),
  state,
  hit_at: unix,
  last_at: unix,
  merged_count: z.int(),
  claimed_by: z.int().nullable(),
  claimer_name: z.string().nullable(),
  claim_until: unix.nullable(),
  decided_by: z.int().nullable(),
  decider_name: z.string().nullable(),
  decided_at: unix.nullable(),
  reason: z.string().nullable(),
  version,
})
export type RiskHitRow = z.output<typeof riskHitRow>
export const hitTabs = ['waiting', 'mine', 'released', 'confirmed', 'all'] as const
const hitFilters = {
  keyword: searched(40).optional(),
  scene: scene.optional(),
  level: level.optional(),
  rule_id: id.optional(),
  city_id: id.optional(),
  decided_by: id.optional(),
  from: unix.optional(),
  to: unix.optional(),
}
const tab = z.enum(hitTabs).default('waiting')

const relatedOrder = z.object({
  id,
  order_no: z.string(),
  kind: z.string(),
  status: z.string(),
  at: unix,
  pay_cents: cents,
  title: z.string(),
  store_name: z.string(),
  member_id: id.nullable(),
  device_id: z.string().nullable(),
  /** Counted by the rule, or only of the same member or device. */
  counted: z.boolean(),
  held: z.boolean(),
  can_freeze: z.boolean(),
  why_not: z.string().nullable(),
})
const relatedMember = z.object({
  id,
  nickname: z.string(),
  phone: guarded('member.phone', z.string()),
  register_at: unix,
  account_state: z.string(),
  orders: z.int(),
  black: z.boolean(),
  devices: z.array(z.string()),
})

export const riskRuleRow = z.object({
  kind: z.literal('rule'),
  id,
  name: z.string(),
  scene,
  metric: z.string(),
  new_days: z.int().nullable(),
  min_sample: z.int().nullable(),
  threshold: z.int(),
  window_s: z.int(),
  says: z.string(),
  action,
  status: ruleState,
  status_reason: z.string().nullable(),
  dry_run_at: unix.nullable(),
  dry_run_result: z
    .object({
      days: z.int(),
      from: unix,
      to: unix,
      orders: z.int(),
      members: z.int(),
      hits: z.int(),
      amount_cents: cents,
      orders_in_all: z.int(),
    })
    .nullable(),
  /**
   * Counts of the last 30 days; the rate is of those decided, null while there are none; the loss is what
   * was confirmed.
   */
  hits: z.int(),
  open: z.int(),
  false_bp: z.int().nullable(),
  avoided_cents: cents,
  measured_until: unix.nullable(),
  version,
})
export type RiskRuleRow = z.output<typeof riskRuleRow>
const ruleFields = {
  name: text(64),
  scene,
  condition: z.object({
    metric: text(20),
    new_days: z.int().min(0).max(10_000).optional(),
    min_sample: z.int().min(0).max(10_000).optional(),
  }),
  threshold: z.int().min(0).max(2147483647),
  window_s: z.int().min(0).max(2147483647),
  action,
}
const changed = z.object({ id, version, status: ruleState })

export const riskListRow = z.object({
  kind: z.literal('entry'),
  id,
  title: z.string(),
  list,
  type: listType,
  scene: z.string(),
  value: z.string().nullable(),
  phone: guarded('member.phone', z.string()),
  nickname: z.string().nullable(),
  until_at: unix.nullable(),
  reason: z.string(),
  admin_name: z.string().nullable(),
  created_at: unix,
  status: z.enum(['on', 'over', 'removed']),
  version,
})
export type RiskListRow = z.output<typeof riskListRow>
/** The kinds of values that orders carry, so that an entry of them stops or spares somebody. */
export const listable = ['member', 'phone', 'device'] as const
const entry = {
  type: z.enum(listable),
  value: text(64),
  until: unix.optional(),
  permanent: z.boolean().default(false),
  reason,
}
const entryMade = z.object({ id, until_at: unix.nullable() })

export const risk = {
  lst: read('system/risk/lst', ['风险命中', 'Risk hits'], {
    input: z.object({
      state: tab,
      sort: z.enum(['score', 'newest']).default('score'),
      ...hitFilters,
      ...page,
    }),
    output: listOf(riskHitRow),
    touches: ['risk_hit', 'order'],
    finds: memberFinds,
    scope: placed('risk_hit'),
    permit: 'system.risk.view',
  }),
  counts: read('system/risk/counts', ['风险命中计数', 'Counts of hits'], {
    input: z.object(hitFilters),
    output: z.record(z.string(), z.int()),
    touches: ['risk_hit'],
    finds: memberFinds,
    scope: placed('risk_hit'),
    permit: 'system.risk.view',
  }),
  detail: read('system/risk/detail', ['命中详情', 'A hit'], {
    input: z.object({ id }),
    output: z.object({
      row: riskHitRow,
      says: z.string().nullable(),
      measured: z.string(),
      orders: z.array(relatedOrder),
      members: z.array(relatedMember),
      devices: z.array(
        z.object({ device_id: z.string(), orders: z.int(), members: z.int(), black: z.boolean() }),
      ),
      earlier: z.array(
        z.object({ id, rule_name: z.string(), state, score: z.int(), hit_at: unix }),
      ),
    }),
    touches: ['risk_hit', 'risk_list', 'order'],
    scope: placed('risk_hit', 'id'),
    permit: 'system.risk.view',
  }),
  /** Orders of a hit that can still be frozen, the hit's own first. */
  freezable: read('system/risk/freezable', ['可冻结的订单', 'Orders to freeze'], {
    input: z.object({ id, keyword: searched(40).optional(), ...page }),
    output: listOf(z.object({ id, order_no: z.string(), title: z.string(), pay_cents: cents })),
    touches: ['risk_hit', 'order'],
    scope: placed('order', { id: 'risk_hit' }),
    permit: 'system.risk.freezeOrders',
  }),
  claim: write('system/risk/claim', ['领取命中', 'Claim a hit'], {
    input: z.object({ id }),
    output: z.object({ id, version, state, claim_until: unix }),
    touches: ['risk_hit'],
    scope: placed('risk_hit', 'id'),
    permit: 'system.risk.claim',
  }),
  release: write('system/risk/release', ['判为误报并放行', 'Release a hit'], {
    input: z.object({ ...one, reason }),
    output: z.object({ id, version, state, unfrozen: z.int() }),
    touches: ['risk_hit', 'order'],
    scope: placed('risk_hit', 'id'),
    permit: 'system.risk.release',
  }),
  confirm: write('system/risk/confirm', ['确认风险', 'Confirm a hit'], {
    input: z.object({ ...one, reason }),
    output: z.object({ id, version, state }),
    touches: ['risk_hit'],
    scope: placed('risk_hit', 'id'),
    permit: 'system.risk.confirm',
  }),
  freezeOrders: write('system/risk/freezeOrders', ['冻结相关订单', 'Freeze orders'], {
    input: z.object({ ...one, order_ids: z.array(id).min(1).max(200), reason }),
    output: batchResult,
    touches: ['risk_hit', 'order'],
    scope: placed('risk_hit', 'id'),
    permit: 'system.risk.freezeOrders',
  }),
  batchRelease: write('system/risk/batchRelease', ['批量放行', 'Release several'], {
    input: z.object({ ids: z.array(id).min(1).max(200), reason }),
    output: batchResult,
    touches: ['risk_hit', 'order'],
    scope: placed('risk_hit', 'ids'),
    permit: 'system.risk.batchRelease',
  }),
  export: write('system/risk/export', ['导出风险命中', 'Export hits'], {
    input: z.object({ state: tab, ...hitFilters, ...asksExport() }),
    output: exportBegun,
    touches: ['export'],
    finds: memberFinds,
    scope: placed('risk_hit'),
    permit: 'system.risk.export',
  }),

  rules: read('system/risk/rules', ['风控规则', 'Risk rules'], {
    input: z.object({
      keyword: searched(40).optional(),
      scene: scene.optional(),
      action: action.optional(),
      status: ruleState.optional(),
      ...page,
    }),
    output: listOf(riskRuleRow),
    touches: ['risk_rule', 'risk_hit'],
    scope: 'all',
    permit: 'system.risk.view',
  }),
  /** What a rule hit day by day, the last 30 days, by what became of it. */
  ruleDays: read('system/risk/ruleDays', ['规则命中趋势', 'Hits of a rule by day'], {
    input: z.object({ rule_id: id }),
    output: z.object({
      days: z.array(
        z.object({ day: z.string(), waiting: z.int(), released: z.int(), confirmed: z.int() }),
      ),
    }),
    touches: ['risk_hit'],
    scope: placed('risk_hit'),
    permit: 'system.risk.view',
  }),
  /** Rules by name, for filters. */
  ruleNames: read('system/risk/ruleNames', ['风控规则名称', 'Names of rules'], {
    input: z.object({ keyword: searched(40).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['risk_rule'],
    scope: 'all',
    permit: 'system.risk.view',
  }),
  createRule: write('system/risk/createRule', ['新建风控规则', 'Create a risk rule'], {
    input: z.object(ruleFields),
    output: changed,
    touches: ['risk_rule'],
    scope: 'all',
    permit: 'system.risk.createRule',
  }),
  editRule: write('system/risk/editRule', ['编辑风控规则', 'Edit a risk rule'], {
    input: z.object({ ...one, ...ruleFields }),
    output: changed,
    touches: ['risk_rule'],
    scope: 'all',
    permit: 'system.risk.editRule',
  }),
  /** Measures the rule on real orders of the last days and keeps what it found beside it. */
  dryRun: write('system/risk/dryRun', ['历史试跑', 'Dry run'], {
    input: z.object({ rule_id: id, days: z.int().min(1).max(DRY_DAYS_MAX) }),
    output: z.object({
      id,
      version,
      days: z.int(),
      orders: z.int(),
      members: z.int(),
      hits: z.int(),
      amount_cents: cents,
      orders_in_all: z.int(),
      sample: z.array(z.object({ id, order_no: z.string(), status: z.string(), pay_cents: cents })),
    }),
    touches: ['risk_rule'],
    scope: 'all',
    permit: 'system.risk.dryRun',
  }),
  enableRule: write('system/risk/enableRule', ['启用风控规则', 'Enable a risk rule'], {
    input: z.object(one),
    output: changed,
    touches: ['risk_rule'],
    scope: 'all',
    permit: 'system.risk.enableRule',
  }),
  disableRule: write('system/risk/disableRule', ['停用风控规则', 'Disable a risk rule'], {
    input: z.object({ ...one, reason }),
    output: changed,
    touches: ['risk_rule'],
    scope: 'all',
    permit: 'system.risk.disableRule',
  }),

  lists: read('system/risk/lists', ['黑白名单', 'Black and white list'], {
    input: z.object({
      keyword: searched(64).optional(),
      list: list.optional(),
      type: listType.optional(),
      status: z.enum(['on', 'over']).default('on'),
      ...page,
    }),
    output: listOf(riskListRow),
    touches: ['risk_list'],
    finds: memberFinds,
    scope: 'all',
    permit: 'system.risk.view',
  }),
  addBlack: write('system/risk/addBlack', ['加入黑名单', 'Put on the black list'], {
    input: z.object(entry),
    output: entryMade,
    touches: ['risk_list', 'risk_hit', 'buy_limit_log'],
    scope: 'all',
    permit: 'system.risk.addBlack',
  }),
  addWhite: write('system/risk/addWhite', ['加入白名单', 'Put on the white list'], {
    input: z.object(entry),
    output: entryMade,
    touches: ['risk_list', 'risk_hit', 'buy_limit_log'],
    scope: 'all',
    permit: 'system.risk.addWhite',
  }),
  removeEntry: write('system/risk/removeEntry', ['移出名单', 'Take off the list'], {
    input: z.object({ ...one, reason }),
    output: z.object({ id, removed: z.literal(true) }),
    touches: ['risk_list', 'risk_hit', 'buy_limit_log'],
    scope: 'all',
    permit: 'system.risk.removeEntry',
  }),
}
