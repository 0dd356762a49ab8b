import {
  verifierCan,
  verifyKinds,
  type VerifierVerb,
  type VerifyKind,
} from '#src/areas/code/verifier.ts'
import {
  notifyChannels,
  targetFault,
  timePattern,
  warningCan,
  warningStates,
  wholeHouse,
  warningLevels,
  warningMetricNames,
  warningMetrics,
  warningOperators,
  ofStore,
  type NotifyChannel,
  type WarningMetric,
  type WarningOperator,
  type WarningVerb,
} from '#src/areas/notice/warning.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { cityOptions } from '#src/contract/places.ts'
import { bpOf } from '#src/domain/money.ts'
import { phoneFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { group as groupCalls, notifyGroupRow } from '#src/modules/system/contract/group.ts'
import {
  verifierRow,
  verify as verifyCalls,
  type VerifierRow,
} from '#src/modules/system/contract/verify.ts'
import {
  alarmRow,
  warning as warningCalls,
  warningLogs as logCalls,
  warningRuleRow,
  type AlarmRow,
  type WarningRuleRow,
} from '#src/modules/system/contract/warning.ts'
import { action, ask, byAccount, called, inAll } from '../command.ts'
import { group, verify, warning, warningLogs } from '../pages/system.ts'
import { asking, idOf, ofRow, one, pageAction, reason as why, rowActions } from '../record.ts'

const reason = { reason: why }

const targetHint: Text = [
  '机器人地址，或以逗号分隔的邮箱、手机号',
  'A bot address, or e-mails or phone numbers separated by commas',
]
const people = {
  label: ['成员', 'Members'] as Text,
  max: 200,
  find: logCalls.people,
  by: byAccount,
  labelOf: (row: { name: string; account: string }) => `${row.name} ${row.account}`,
  optional: true,
}
const isOn = (row: { status: string }): true | Text =>
  row.status === 'on' ? true : ['已停用', 'Already off']
const isOff = (row: { status: string }): true | Text =>
  row.status === 'off' ? true : ['已启用', 'Already on']
type Person = { id: number; name: string }
const clockTyped = (value: string): string => value.normalize('NFKC').trim()
const quietClock = {
  max: 5,
  shown: (answers: { off?: boolean }) => !answers.off,
  check: (value: string): Text | undefined =>
    timePattern.test(clockTyped(value)) ? undefined : ['请按 08:30 填写', 'Write it as 08:30'],
}

const groupRow = rowActions(group, notifyGroupRow)
called(alarmRow, of => of.rule_name)
const groupName = ask.text({ label: ['名称', 'Name'], max: 32 })
export const groupActions = {
  create: pageAction(groupCalls.create, ['新增群组', 'New group'], group, {
    key: 'c',
    main: true,
    asks: {
      name: groupName,
      channel: ask.choice({ label: ['渠道', 'Channel'], options: notifyChannels }),
      target: ask.text({
        label: ['目标', 'Target'],
        max: 2000,
        hint: targetHint,
        check: (value, { channel }) => channel && targetFault(channel, value)?.fault,
      }),
      members: ask.entities(people),
    },
    input: (_, asked) => ({
      ...asked,
      channel: asked.channel as NotifyChannel,
      members: asked.members ?? [],
    }),
  }),
  edit: groupRow.row(groupCalls.edit, ['编辑群组', 'Edit group'], {
    key: 'e',
    asks: ofRow({
      name: groupName,
      target: ask.text({
        label: [
          '目标（保存后打码显示，不改则保持原样）',
          'Target (masked; leave unchanged to keep)',
        ],
        max: 2000,
        hint: targetHint,
      }),
      members: ask.entities({
        ...people,
        initial: ([row]) => row?.members.map((one: Person) => one.id),
        named: ([row]) =>
          Object.fromEntries((row?.members ?? []).map((one: Person) => [one.id, one.name])),
      }),
    }),
    input: asking(asked => ({ ...asked, members: asked.members ?? [] })),
  }),
  setRoster: groupRow.row('system.group.setRoster', ['设置值班表', 'Set the roster'], {
    key: 'r',
    permit: groupCalls.setRoster.permit,
  }),
  setQuiet: groupRow.row(groupCalls.setQuiet, ['设置免打扰时段', 'Set quiet hours'], {
    key: 'q',
    asks: {
      off: ask.flag({
        label: ['不设免打扰', 'No quiet hours'],
        initial: rows => rows[0]?.quiet === null,
      }),
      from: ask.text({
        ...quietClock,
        label: ['开始', 'From'],
        hint: ['如 22:00；严重级别不受限制', 'Such as 22:00; critical alarms ignore quiet hours'],
        initial: rows => rows[0]?.quiet?.from,
      }),
      to: ask.text({
        ...quietClock,
        label: ['结束', 'To'],
        initial: rows => rows[0]?.quiet?.to,
      }),
    },
    input: asking(({ off, from, to }) => ({
      quiet: off ? null : { from: clockTyped(from), to: clockTyped(to) },
    })),
  }),
  testSend: groupRow.row(groupCalls.testSend, ['发送测试消息', 'Send a test'], {
    key: 't',
    input: idOf,
  }),
  whereUsed: groupRow.row('system.group.whereUsed', ['查看引用', 'Where it is used'], { key: 'u' }),
  enable: groupRow.enable(groupCalls.enable, { when: isOff }),
  disable: groupRow.disable(groupCalls.disable, { when: isOn }),
  del: groupRow.del(groupCalls.del, ['删除群组', 'Delete group']),
}

const percentKind = (answers: { metric?: WarningMetric; operator?: WarningOperator }) =>
  answers.metric !== undefined &&
  warningMetrics[answers.metric].kind === 'percent' &&
  answers.operator !== 'change_pct'
const first = (rows: readonly WarningRuleRow[]) => rows[0]
const isRate = (row: WarningRuleRow | undefined) => row !== undefined && percentKind(row)
const placed = (answers: { metric?: WarningMetric }) =>
  answers.metric !== undefined && !wholeHouse.includes(answers.metric)
const ruleAsks = {
  name: ask.text({ label: ['名称', 'Name'], max: 40, initial: rows => first(rows)?.name }),
  metric: ask.choice({
    label: ['指标', 'Metric'],
    options: warningMetricNames,
    initial: rows => first(rows)?.metric,
  }),
  city_id: ask.entity({
    label: ['城市（留空为全部）', 'City (empty for all)'],
    optional: true,
    find: cityOptions,
    labelOf: row => row.city_name,
    initial: rows => first(rows)?.scope.city_id,
    named: rows => first(rows)?.place.split(' · ')[0],
    shown: placed,
  }),
  mid: ask.entity({
    label: ['商场（留空为全部）', 'Mall (empty for all)'],
    optional: true,
    find: mallPicker,
    labelOf: row => `${row.name} ${row.city_name}`,
    key: 'mid',
    initial: rows => first(rows)?.scope.mid,
    named: rows => first(rows)?.place.split(' · ')[1],
    shown: placed,
  }),
  store_id: ask.entity({
    label: ['门店（留空为全部）', 'Store (empty for all)'],
    optional: true,
    find: warningCalls.stores,
    labelOf: row => row.name,
    given: (_, answers) => ({ city_id: answers.city_id, mid: answers.mid }),
    initial: rows => first(rows)?.scope.store_id,
    named: rows => first(rows)?.place.split(' · ').at(-1),
    shown: answers => answers.metric !== undefined && ofStore(answers.metric),
  }),
  operator: ask.choice({
    label: ['条件', 'Condition'],
    options: warningOperators,
    initial: rows => first(rows)?.operator ?? 'gt',
  }),
  percent: ask.text({
    label: ['阈值（%）', 'Threshold (%)'],
    max: 6,
    shown: percentKind,
    initial: rows => (isRate(first(rows)) ? String(first(rows)!.threshold / 100) : undefined),
    check: value =>
      /^\d{1,3}(\.\d{1,2})?$/.test(value.trim()) && Number(value) <= 100
        ? undefined
        : ['请填写 0–100 的百分数，最多两位小数', 'A percentage of 0–100, at most two decimals'],
  }),
  threshold: ask.number({
    label: ['阈值', 'Threshold'],
    min: 0,
    max: 2147483647,
    shown: answers => !percentKind(answers),
    initial: rows => (isRate(first(rows)) ? undefined : first(rows)?.threshold),
  }),
  window: ask.number({
    label: ['统计窗口（分钟）', 'Window (minutes)'],
    min: 1,
    max: 1440,
    initial: rows => (first(rows) ? first(rows)!.window_s / 60 : 60),
  }),
  min_sample: ask.number({
    label: ['最小样本', 'Minimum sample'],
    min: 1,
    max: 1_000_000,
    hint: [
      '少于此数不报警：1 单退 1 单不是 100% 退款率',
      'No alarm below it: 1 refund of 1 order is not a 100% rate',
    ],
    initial: rows => first(rows)?.min_sample ?? 20,
  }),
  level: ask.choice({
    label: ['级别', 'Level'],
    options: warningLevels,
    initial: rows => first(rows)?.level ?? 'warn',
  }),
  group_ids: ask.entities({
    label: ['接收群组', 'Notified groups'],
    max: 20,
    find: groupCalls.options,
    labelOf: row => row.name,
    initial: rows => first(rows)?.group_ids,
    named: rows => Object.fromEntries((first(rows)?.groups ?? []).map(one => [one.id, one.name])),
  }),
  auto_recover: ask.flag({
    label: ['指标恢复后自动结束预警', 'Ends automatically when the metric recovers'],
    initial: rows => first(rows)?.auto_recover ?? true,
  }),
}

type RuleAnswers = {
  name: string
  metric: string
  city_id?: number
  mid?: number
  store_id?: number
  operator: string
  percent?: string
  threshold?: number
  window: number
  min_sample: number
  level: string
  group_ids: number[]
  auto_recover: boolean
}
/** A rate is typed in percent and kept in basis points; any other metric is a number. */
const thresholdOf = ({ percent, threshold }: Pick<RuleAnswers, 'percent' | 'threshold'>) =>
  percent === undefined ? threshold! : bpOf(Number(percent))
const ruleInput = (asked: RuleAnswers) => ({
  name: asked.name,
  metric: asked.metric as WarningMetric,
  operator: asked.operator as WarningOperator,
  threshold: thresholdOf(asked),
  window_s: asked.window * 60,
  min_sample: asked.min_sample,
  level: asked.level as keyof typeof warningLevels,
  group_ids: asked.group_ids,
  auto_recover: asked.auto_recover,
  ...(asked.city_id !== undefined && { city_id: asked.city_id }),
  ...(asked.mid !== undefined && { mid: asked.mid }),
  ...(asked.store_id !== undefined && { store_id: asked.store_id }),
})
const until = ask.number({ label: ['静默小时数', 'Hours'], min: 1, max: 72, initial: () => 2 })
const after = (hours: number) => unixNow() + hours * 3600 - 1
export const warningActions = {
  create: action(warningCalls.create, {
    title: '新增预警',
    en: 'New rule',
    key: 'c',
    at: warning,
    main: true,
    asks: ruleAsks,
    input: (_, asked) => ruleInput(asked as RuleAnswers),
  }),
  edit: action(warningCalls.edit, {
    title: '编辑预警',
    en: 'Edit rule',
    key: 'e',
    at: warning,
    on: warningRuleRow,
    takes: 'row',
    asks: ruleAsks,
    input: (rows, asked) => ({ ...one(rows), ...ruleInput(asked as RuleAnswers) }),
  }),
  test: action('system.warning.test', {
    title: '试算当前值',
    en: 'Try now',
    key: 't',
    at: warning,
    on: warningRuleRow,
    takes: 'row',
    permit: warningCalls.test.permit,
  }),
  enable: action(warningCalls.enable, {
    title: '启用',
    en: 'Enable',
    at: warning,
    on: warningRuleRow,
    takes: 'row',
    when: isOff,
    input: one,
  }),
  disable: action(warningCalls.disable, {
    title: '停用',
    en: 'Disable',
    danger: true,
    at: warning,
    on: warningRuleRow,
    takes: 'row',
    when: isOn,
    asks: reason,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  mute: action(warningCalls.mute, {
    title: '静默',
    en: 'Mute',
    key: 'm',
    at: warning,
    on: warningRuleRow,
    takes: 'row',
    asks: { until, ...reason },
    input: (rows, asked) => ({ ...one(rows), until: after(asked.until), reason: asked.reason }),
  }),
  copy: action(warningCalls.copy, {
    title: '复制预警',
    en: 'Copy rule',
    key: 'shift+c',
    at: warning,
    on: warningRuleRow,
    takes: 'row',
    asks: {
      name: ask.text({
        label: ['新规则名称', 'Name of the new rule'],
        max: 40,
        initial: rows => (first(rows) ? `${first(rows)!.name.slice(0, 36)} 副本` : undefined),
      }),
      percent: {
        ...ruleAsks.percent,
        shown: (_: unknown, rows: readonly WarningRuleRow[]) => isRate(first(rows)),
      },
      threshold: {
        ...ruleAsks.threshold,
        shown: (_: unknown, rows: readonly WarningRuleRow[]) => !isRate(first(rows)),
      },
    },
    input: (rows, { name, percent, threshold }) => ({
      id: rows[0]!.id,
      name,
      threshold: thresholdOf({ percent, threshold }),
    }),
  }),
  del: action(warningCalls.del, {
    title: '删除预警',
    en: 'Delete rule',
    danger: true,
    at: warning,
    on: warningRuleRow,
    takes: 'row',
    input: one,
  }),
}

const can =
  (verb: WarningVerb) =>
  (row: AlarmRow): true | Text =>
    warningCan(verb, row)
export const warningLogActions = {
  ack: action(logCalls.ack, {
    title: '确认',
    en: 'Acknowledge',
    key: 'a',
    at: warningLogs,
    on: alarmRow,
    takes: 'row',
    main: true,
    when: can('ack'),
    input: one,
  }),
  takeNext: action('system.warning.logs.takeNext', {
    title: '确认下一条',
    en: 'Acknowledge next',
    key: 'n',
    at: warningLogs,
    permit: logCalls.ack.permit,
  }),
  batchAck: action(logCalls.batchAck, {
    title: '批量确认',
    en: 'Acknowledge selected',
    key: 'shift+a',
    at: warningLogs,
    on: alarmRow,
    most: 200,
    tells: inAll,
    when: can('ack'),
    input: rows => ({ ids: rows.map(row => row.id) }),
  }),
  assign: action(logCalls.assign, {
    title: '指派',
    en: 'Assign',
    key: 't',
    at: warningLogs,
    on: alarmRow,
    takes: 'row',
    when: can('assign'),
    asks: {
      admin: ask.entity({
        label: ['指派给', 'To'],
        find: logCalls.people,
        by: byAccount,
        labelOf: row => `${row.name} ${row.account}`,
      }),
    },
    input: (rows, asked) => ({ ...one(rows), admin_id: asked.admin }),
  }),
  handle: action(logCalls.handle, {
    title: '处理完成',
    en: 'Mark handled',
    key: 'f',
    at: warningLogs,
    on: alarmRow,
    takes: 'row',
    main: true,
    when: can('handle'),
    asks: { result: ask.text({ label: ['处理结果', 'Result'], max: 255, min: 2, lines: 3 }) },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  ignore: action(logCalls.ignore, {
    title: '忽略',
    en: 'Ignore',
    key: 'i',
    danger: true,
    at: warningLogs,
    on: alarmRow,
    takes: 'row',
    when: can('ignore'),
    asks: reason,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  escalate: action(logCalls.escalate, {
    title: '升级',
    en: 'Escalate',
    key: 'u',
    at: warningLogs,
    on: alarmRow,
    takes: 'row',
    when: can('escalate'),
    asks: reason,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  muteRule: action(logCalls.muteRule, {
    title: '静默该规则',
    en: 'Mute its rule',
    key: 'm',
    at: warningLogs,
    on: alarmRow,
    takes: 'row',
    asks: { until, ...reason },
    input: (rows, asked) => ({ id: rows[0]!.id, until: after(asked.until), reason: asked.reason }),
  }),
  jump: action('system.warning.logs.jump', {
    title: '查看关联数据',
    en: 'Related data',
    key: 'o',
    at: warningLogs,
    on: alarmRow,
    takes: 'row',
    when: row =>
      row.behind.length === 0
        ? ['现在没有你可打开的明细', 'No detail page you can open right now']
        : true,
    to: rows => rows[0]!.behind[0]!.target,
  }),
  export: action(logCalls.export, {
    title: '导出预警记录',
    en: 'Export',
    key: 'shift+e',
    at: warningLogs,
  }),
}
/** The tabs of the log, the ones that wait first. */
export const alarmTabs = { waiting: ['未结束', 'Not ended'] as Text, ...warningStates }

const mine = (rows: readonly VerifierRow[]) => rows[0]
const kinds = ask.choices({
  label: ['可核销类型', 'Kinds'],
  options: verifyKinds,
  initial: rows => mine(rows)?.kinds ?? ['bulks', 'card', 'voucher'],
})
const phone = ask.text({
  label: ['手机号', 'Phone'],
  max: 30,
  check: value => (value.includes('*') ? undefined : phoneFault(value)),
  initial: rows => mine(rows)?.phone,
})
const storesOf = {
  label: ['门店（同一商户）', 'Stores of one merchant'] as Text,
  max: 50,
  find: verifyCalls.stores,
  labelOf: (row: { name: string }) => row.name,
  given: (rows: readonly VerifierRow[]) =>
    mine(rows) ? { merchant_id: mine(rows)!.merchant_id } : {},
}
const verifierMay =
  (verb: VerifierVerb) =>
  (row: VerifierRow): true | Text =>
    verifierCan(verb, row)
export const verifyActions = {
  create: action(verifyCalls.create, {
    title: '新增核销员',
    en: 'New verifier',
    key: 'c',
    at: verify,
    main: true,
    asks: {
      name: ask.text({ label: ['姓名', 'Name'], max: 32 }),
      phone: { ...phone, initial: () => undefined },
      store_ids: ask.entities(storesOf),
      kinds,
    },
    input: (_, asked) => ({ ...asked, kinds: asked.kinds as VerifyKind[] }),
  }),
  lookupCode: action('system.verify.lookupCode', {
    title: '查询券码',
    en: 'Look up a code',
    key: 'l',
    at: verify,
    main: true,
    permit: verifyCalls.lookupCode.permit,
    asks: { code: ask.text({ label: ['券码', 'Code'], max: 40 }) },
  }),
  verifyForStore: action(verifyCalls.verifyForStore, {
    title: '平台代核销',
    en: 'Redeem for the store',
    key: 'v',
    at: verify,
    asks: {
      code: ask.text({ label: ['券码', 'Code'], max: 40 }),
      store_id: ask.entity({
        label: ['门店', 'Store'],
        find: verifyCalls.stores,
        labelOf: row => row.name,
        given: (_, answers) => (answers.code ? { code: String(answers.code).trim() } : {}),
      }),
      times: ask.number({ label: ['次数', 'Times'], min: 1, max: 1000, initial: () => 1 }),
      ...reason,
    },
    input: (_, asked) => asked,
  }),
  edit: action(verifyCalls.edit, {
    title: '编辑核销员',
    en: 'Edit verifier',
    key: 'e',
    at: verify,
    on: verifierRow,
    takes: 'row',
    asks: {
      name: ask.text({ label: ['姓名', 'Name'], max: 32, initial: rows => mine(rows)?.name }),
      phone,
      kinds,
    },
    input: (rows, asked) => ({ ...one(rows), ...asked, kinds: asked.kinds as VerifyKind[] }),
  }),
  bindStores: action(verifyCalls.bindStores, {
    title: '绑定门店',
    en: 'Bind stores',
    key: 'b',
    at: verify,
    on: verifierRow,
    takes: 'row',
    asks: {
      store_ids: ask.entities({
        ...storesOf,
        initial: rows => mine(rows)?.stores.map(one => one.id),
        named: rows =>
          Object.fromEntries((mine(rows)?.stores ?? []).map(one => [one.id, one.name])),
      }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  setLimit: action(verifyCalls.setLimit, {
    title: '设置日核销上限',
    en: 'Set daily limits',
    at: verify,
    on: verifierRow,
    takes: 'row',
    asks: {
      count: ask.number({
        label: ['每日次数', 'Times a day'],
        optional: true,
        min: 1,
        max: 100_000,
        hint: ['留空为不限', 'Empty for no limit'],
        initial: rows => mine(rows)?.daily_count_limit ?? undefined,
      }),
      amount: ask.money({
        label: ['每日金额', 'Amount a day'],
        optional: true,
        min: 1,
        initial: rows => mine(rows)?.daily_amount_limit_cents ?? undefined,
      }),
    },
    input: (rows, asked) => ({
      ...one(rows),
      count: asked.count ?? null,
      amount_cents: asked.amount ?? null,
    }),
  }),
  unbindWechat: action(verifyCalls.unbindWechat, {
    title: '解绑微信',
    en: 'Unbind WeChat',
    danger: true,
    at: verify,
    on: verifierRow,
    takes: 'row',
    when: verifierMay('unbindWechat'),
    asks: reason,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  transfer: action(verifyCalls.transfer, {
    title: '交接',
    en: 'Hand over',
    danger: true,
    at: verify,
    on: verifierRow,
    takes: 'row',
    asks: {
      verifier_id: ask.entity({
        label: ['交接给（同一商户）', 'To (same merchant)'],
        find: verifyCalls.others,
        labelOf: row => row.name,
        given: rows => ({ id: rows[0]?.id ?? 0 }),
      }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  enable: action(verifyCalls.enable, {
    title: '启用',
    en: 'Enable',
    at: verify,
    on: verifierRow,
    takes: 'row',
    when: verifierMay('enable'),
    input: one,
  }),
  disable: action(verifyCalls.disable, {
    title: '停用',
    en: 'Disable',
    key: 'd',
    danger: true,
    at: verify,
    on: verifierRow,
    takes: 'row',
    when: verifierMay('disable'),
    asks: reason,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  export: action(verifyCalls.export, {
    title: '导出核销员',
    en: 'Export',
    key: 'shift+e',
    at: verify,
  }),
}
