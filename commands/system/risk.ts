import {
  DRY_DAYS_MAX,
  DRY_DAYS_MIN,
  WINDOW_MAX_S,
  asksOf,
  canEnable,
  conditionFaults,
  metricNames,
  riskActions,
  riskCan,
  ruleScenes,
  unitOf,
  type RiskAction,
  type RiskMetric,
  type RiskScene,
  type RiskVerb,
} from '#src/areas/risk/risk.ts'
import { phoneFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  listable,
  risk as calls,
  riskHitRow,
  riskListRow,
  riskRuleRow,
  type RiskHitRow,
  type RiskListRow,
  type RiskRuleRow,
} from '#src/modules/system/contract/risk.ts'
import { action, ask, type Me, inAll } from '../command.ts'
import { risk } from '../pages/system.ts'

/** The three views of the page; one of them stands in its address. */
export const riskViews = {
  hits: ['命中队列', 'Hits'],
  rules: ['规则', 'Rules'],
  lists: ['黑白名单', 'Lists'],
} as const satisfies Record<string, Text>
export type RiskView = keyof typeof riskViews
export const riskViewActions = {
  hits: action('system.risk.hits', { title: '命中队列', en: 'Hits', key: '1', at: risk }),
  rules: action('system.risk.rules', { title: '规则', en: 'Rules', key: '2', at: risk }),
  lists: action('system.risk.lists', { title: '黑白名单', en: 'Lists', key: '3', at: risk }),
}

type Row = RiskHitRow | RiskRuleRow | RiskListRow
const elsewhere: Record<Row['kind'], Text> = {
  hit: ['先切到命中队列', 'Go to the hits first'],
  rule: ['先切到规则', 'Go to the rules first'],
  entry: ['先切到黑白名单', 'Go to the lists first'],
}
/** The page shows one kind of rows at a time; an action of another kind says where it is. */
const only =
  <K extends Row['kind']>(
    kind: K,
    may: (row: Extract<Row, { kind: K }>, me: Me) => true | Text = () => true,
  ) =>
  (row: Extract<Row, { kind: K }>, me: Me): true | Text =>
    row.kind === kind ? may(row, me) : elsewhere[kind]
const can = (verb: RiskVerb) => only('hit', (row, me) => riskCan(verb, row, me.id, unixNow()))
const version = <R extends { id: number; version: number }>(rows: readonly R[]) => ({
  id: rows[0]!.id,
  version: rows[0]!.version,
})
const reason = { reason: ask.text({ label: ['原因', 'Reason'], max: 255, min: 2, lines: 2 }) }
const ofRow = (rows: readonly unknown[]) => (rows as readonly RiskHitRow[])[0]

export const riskHitActions = {
  claim: action(calls.claim, {
    title: '领取',
    en: 'Claim',
    key: 'c',
    at: risk,
    on: riskHitRow,
    takes: 'row',
    when: can('claim'),
    input: rows => ({ id: rows[0]!.id }),
  }),
  takeNext: action('system.risk.takeNext', {
    title: '领取下一条',
    en: 'Claim next',
    key: 'n',
    at: risk,
    permit: calls.claim.permit,
  }),
  confirm: action(calls.confirm, {
    title: '确认风险',
    en: 'Confirm risk',
    key: 'a',
    danger: true,
    at: risk,
    on: riskHitRow,
    takes: 'row',
    main: true,
    when: can('confirm'),
    asks: reason,
    input: (rows, asked) => ({ ...version(rows), ...asked }),
  }),
  release: action(calls.release, {
    title: '判为误报并放行',
    en: 'Release as false alarm',
    key: 'r',
    at: risk,
    on: riskHitRow,
    takes: 'row',
    main: 'plain',
    when: can('release'),
    asks: reason,
    input: (rows, asked) => ({ ...version(rows), ...asked }),
  }),
  freezeOrders: action(calls.freezeOrders, {
    title: '冻结相关订单',
    en: 'Freeze orders',
    key: 'f',
    danger: true,
    at: risk,
    on: riskHitRow,
    takes: 'row',
    main: true,
    when: can('freezeOrders'),
    asks: {
      order_ids: ask.entities({
        label: ['订单', 'Orders'],
        max: 200,
        find: calls.freezable,
        labelOf: row => `${row.order_no} ${row.title}`,
        given: rows => ({ id: ofRow(rows)?.id ?? 0 }),
        initial: rows => ofRow(rows)?.freezable.map(one => one.id),
        named: rows =>
          Object.fromEntries((ofRow(rows)?.freezable ?? []).map(one => [one.id, one.order_no])),
      }),
      ...reason,
    },
    input: (rows, asked) => ({ ...version(rows), ...asked }),
  }),
  batchRelease: action(calls.batchRelease, {
    title: '批量放行',
    en: 'Release selected',
    key: 'shift+r',
    at: risk,
    on: riskHitRow,
    most: 200,
    tells: inAll,
    when: can('release'),
    asks: reason,
    input: (rows, asked) => ({ ids: rows.map(row => row.id), ...asked }),
  }),
  export: action(calls.export, {
    title: '导出风险命中',
    en: 'Export hits',
    key: 'shift+e',
    at: risk,
  }),
}

type Asked = {
  name: string
  scene: string
  condition: string
  new_days?: number
  min_sample?: number
  count?: number
  percent?: string
  money?: number
  window_s: number
  action: string
}
const metricIs = (answers: { condition?: string }) => answers.condition as RiskMetric | undefined
const unit = (wanted: 'count' | 'percent' | 'cents') => (answers: { condition?: string }) => {
  const metric = metricIs(answers)
  return metric !== undefined && unitOf(metric) === wanted
}
const mine = (rows: readonly RiskRuleRow[]) => (rows[0]?.kind === 'rule' ? rows[0] : undefined)
const when = (wanted: 'count' | 'percent' | 'cents', rows: readonly RiskRuleRow[]) => {
  const row = mine(rows)
  return row && unitOf(row.metric as RiskMetric) === wanted ? row.threshold : undefined
}
const ruleAsks = {
  name: ask.text({ label: ['名称', 'Name'], max: 64, initial: rows => mine(rows)?.name }),
  scene: ask.choice({
    label: ['场景', 'Scene'],
    options: ruleScenes as Record<string, Text>,
    initial: rows => mine(rows)?.scene ?? 'order',
  }),
  condition: ask.choice({
    label: ['条件', 'Condition'],
    options: metricNames,
    initial: rows => mine(rows)?.metric as RiskMetric | undefined,
    check: (metric, answers) =>
      conditionFaults({
        scene: answers.scene as RiskScene,
        condition: { metric },
        threshold: 100,
        window_s: 3600,
      })['condition.metric'],
  }),
  new_days: ask.number({
    label: ['注册不超过（天）', 'Account of at most (days)'],
    min: 1,
    max: 365,
    shown: answers => metricIs(answers) !== undefined && asksOf(metricIs(answers)!) === 'new_days',
    initial: rows => mine(rows)?.new_days ?? 7,
  }),
  min_sample: ask.number({
    label: ['至少订单数', 'Orders at least'],
    min: 2,
    max: 1000,
    shown: answers =>
      metricIs(answers) !== undefined && asksOf(metricIs(answers)!) === 'min_sample',
    hint: ['少于此数不算退款率', 'No rate is calculated below this'],
    initial: rows => mine(rows)?.min_sample ?? 5,
  }),
  count: ask.number({
    label: ['阈值（次、单、张）', 'Threshold (times)'],
    min: 2,
    max: 10_000,
    shown: unit('count'),
    initial: rows => when('count', rows),
  }),
  percent: ask.text({
    label: ['阈值（%）', 'Threshold (%)'],
    max: 6,
    shown: unit('percent'),
    initial: rows => {
      const of = when('percent', rows)
      return of === undefined ? undefined : String(of / 100)
    },
    check: value =>
      /^\d{1,3}(\.\d{1,2})?$/.test(value.trim()) && Number(value) >= 1 && Number(value) <= 100
        ? undefined
        : ['请填写 1–100 的百分数，最多两位小数', 'A percentage of 1–100, at most two decimals'],
  }),
  money: ask.money({
    label: ['阈值（元）', 'Threshold (yuan)'],
    min: 100,
    max: 100_000_000,
    shown: unit('cents'),
    initial: rows => when('cents', rows),
  }),
  window_s: ask.number({
    label: ['统计窗口（分钟）', 'Window (minutes)'],
    min: 1,
    max: WINDOW_MAX_S / 60,
    hint: ['1 天为 1440，7 天为 10080', '1440 is a day, 10080 a week'],
    initial: rows => {
      const row = mine(rows)
      return row ? Math.max(1, Math.round(row.window_s / 60)) : 60
    },
  }),
  action: ask.choice({
    label: ['动作', 'Action'],
    options: riskActions,
    hint: [
      '冻结与拦截须先试跑 7 天以上才能启用',
      'Hold and block need a dry run of at least 7 days before they can be enabled',
    ],
    initial: rows => mine(rows)?.action ?? 'mark',
  }),
}
const ruleInput = (asked: Asked) => ({
  name: asked.name,
  scene: asked.scene as RiskScene,
  condition: {
    metric: asked.condition,
    ...(asked.new_days !== undefined && { new_days: asked.new_days }),
    ...(asked.min_sample !== undefined && { min_sample: asked.min_sample }),
  },
  threshold:
    asked.percent !== undefined
      ? Math.round(Number(asked.percent) * 100)
      : (asked.money ?? asked.count ?? 0),
  window_s: asked.window_s * 60,
  action: asked.action as RiskAction,
})
export const riskRuleActions = {
  createRule: action(calls.createRule, {
    title: '新增规则',
    en: 'New rule',
    key: 'shift+c',
    at: risk,
    main: true,
    asks: ruleAsks,
    input: (_, asked) => ruleInput(asked as Asked),
  }),
  editRule: action(calls.editRule, {
    title: '编辑规则',
    en: 'Edit rule',
    key: 'e',
    at: risk,
    on: riskRuleRow,
    takes: 'row',
    main: true,
    when: only('rule'),
    asks: ruleAsks,
    input: (rows, asked) => ({ ...version(rows), ...ruleInput(asked as Asked) }),
  }),
  dryRun: action(calls.dryRun, {
    title: '历史试跑',
    en: 'Dry run',
    key: 't',
    at: risk,
    on: riskRuleRow,
    takes: 'row',
    main: true,
    when: only('rule'),
    asks: {
      days: ask.number({
        label: ['天数', 'Days'],
        min: 1,
        max: DRY_DAYS_MAX,
        hint: ['启用冻结或拦截规则至少需要 7 天', 'Hold and block need at least 7 days'],
        initial: () => DRY_DAYS_MIN,
      }),
    },
    input: (rows, asked) => ({ rule_id: rows[0]!.id, ...asked }),
  }),
  enableRule: action(calls.enableRule, {
    title: '启用规则',
    en: 'Enable rule',
    key: 's',
    at: risk,
    on: riskRuleRow,
    takes: 'row',
    when: only('rule', row => canEnable(row)),
    input: version,
  }),
  disableRule: action(calls.disableRule, {
    title: '停用规则',
    en: 'Disable rule',
    key: 'd',
    danger: true,
    at: risk,
    on: riskRuleRow,
    takes: 'row',
    when: only('rule', row => (row.status === 'on' ? true : ['规则没有启用', 'Not enabled'])),
    asks: reason,
    input: (rows, asked) => ({ ...version(rows), ...asked }),
  }),
}

const listTypeNames = {
  member: ['会员（编号）', 'Member (number)'],
  phone: ['手机号', 'Phone'],
  device: ['设备', 'Device'],
} as const satisfies Record<(typeof listable)[number], Text>
const hitOf = (rows: readonly unknown[]) => (ofRow(rows)?.kind === 'hit' ? ofRow(rows) : undefined)
/** From a hit its member, or its device where it has none, stands in the form already. */
const entryAsks = {
  type: ask.choice({
    label: ['类型', 'Type'],
    options: listTypeNames,
    initial: rows =>
      hitOf(rows)?.member_id === null && hitOf(rows)?.device_id ? 'device' : 'member',
  }),
  value: ask.text({
    label: ['值', 'Value'],
    max: 64,
    initial: rows => {
      const { member_id = null, device_id } = hitOf(rows) ?? {}
      return member_id === null ? (device_id ?? undefined) : String(member_id)
    },
    check: (value, { type }) => {
      if (type === 'phone') return phoneFault(value)
      return type === 'member' && !/^#?\d{1,9}$/.test(value.trim())
        ? ['请填写会员编号', 'Enter the member’s number']
        : undefined
    },
  }),
  permanent: ask.flag({ label: ['永久', 'Permanent'] }),
  until: ask.time({
    label: ['截止时间', 'Until'],
    optional: true,
    shown: answers => answers.permanent !== true,
    hint: ['须填写截止时间，或勾选永久', 'Enter an end, or tick Permanent'],
    check: value =>
      value !== undefined && value <= unixNow()
        ? ['截止时间须晚于现在', 'Must be later than now']
        : undefined,
  }),
  ...reason,
}
const entryInput = (asked: {
  type: string
  value: string
  permanent: boolean
  until: number | undefined
  reason: string
}) => ({
  type: asked.type as (typeof listable)[number],
  value: asked.value,
  permanent: asked.permanent,
  ...(!asked.permanent && asked.until !== undefined && { until: asked.until }),
  reason: asked.reason,
})
export const riskListActions = {
  addBlack: action(calls.addBlack, {
    title: '加入黑名单',
    en: 'Add to blacklist',
    key: 'b',
    danger: true,
    at: risk,
    main: true,
    asks: entryAsks,
    input: (_, asked) => entryInput(asked),
  }),
  addWhite: action(calls.addWhite, {
    title: '加入白名单',
    en: 'Add to whitelist',
    key: 'shift+b',
    at: risk,
    main: 'plain',
    asks: entryAsks,
    input: (_, asked) => entryInput(asked),
  }),
  removeEntry: action(calls.removeEntry, {
    title: '移出名单',
    en: 'Take off the list',
    key: 'delete',
    danger: true,
    at: risk,
    on: riskListRow,
    takes: 'row',
    when: only('entry', row =>
      row.status === 'on' ? true : ['已不在名单中', 'No longer on a list'],
    ),
    asks: reason,
    input: (rows, asked) => ({ ...version(rows), ...asked }),
  }),
}
/** The tabs of the queue. */
export const riskTabs = {
  waiting: ['待处理', 'Waiting'],
  mine: ['我领取的', 'Mine'],
  confirmed: ['确认风险', 'Confirmed'],
  released: ['误报放行', 'Released'],
  all: ['全部', 'All'],
} as const satisfies Record<string, Text>
