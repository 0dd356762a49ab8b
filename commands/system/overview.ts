import { compareModes } from '#src/areas/figures/overview.ts'
import { reportTemplates, scheduleOf, type ReportTemplate } from '#src/areas/figures/report.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { cityOptions } from '#src/contract/places.ts'
import type { Text } from '#src/domain/text.ts'
import { emailFault } from '#src/domain/validate.ts'
import { dataIndex as calls } from '#src/modules/system/contract/dataIndex.ts'
import { group as groupCalls } from '#src/modules/system/contract/group.ts'
import {
  report as reportCalls,
  reportRow,
  type ReportRow,
} from '#src/modules/system/contract/report.ts'
import { action, ask } from '../command.ts'
import { dataIndex, report } from '../pages/system.ts'

const day = { max: 10, min: 10, hint: ['如 2026-11-20', 'Such as 2026-11-20'] } as const
export const dataIndexActions = {
  query: action('system.dataIndex.query', {
    title: '查询',
    en: 'Query',
    key: 'q',
    at: dataIndex,
    main: true,
    asks: {
      from: ask.text({ label: ['开始日期', 'From'], ...day }),
      to: ask.text({ label: ['结束日期', 'To'], ...day }),
      kind: ask.choice({
        label: ['订单类型', 'Kind of order'],
        optional: true,
        options: orderKinds,
      }),
      city: ask.entity({
        label: ['城市', 'City'],
        optional: true,
        find: cityOptions,
        labelOf: row => row.city_name,
      }),
      mall: ask.entity({
        label: ['商场', 'Mall'],
        optional: true,
        find: mallPicker,
        labelOf: row => `${row.name} · ${row.city_name}`,
        key: 'mid',
        given: (_, answers) => (answers.city ? { city_id: answers.city } : {}),
      }),
    },
  }),
  compare: action('system.dataIndex.compare', {
    title: '设置对比周期',
    en: 'Compare with',
    key: 'c',
    at: dataIndex,
    asks: { mode: ask.choice({ label: ['对比', 'Compare with'], options: compareModes }) },
  }),
  drill: action('system.dataIndex.drill', {
    title: '查看明细',
    en: 'See the rows',
    key: 'o',
    at: dataIndex,
  }),
  recompute: action(calls.recompute, {
    title: '重算当日数据',
    en: 'Count a day again',
    at: dataIndex,
    asks: {
      date: ask.text({ label: ['日期', 'Day'], ...day }),
      reason: ask.text({ label: ['原因', 'Reason'], max: 255, min: 2, lines: 2 }),
    },
    input: (_, asked) => asked,
  }),
  export: action(calls.export, {
    title: '导出数据总览',
    en: 'Export the overview',
    key: 'shift+e',
    at: dataIndex,
  }),
}

const first = (rows: readonly ReportRow[]) => rows[0]
const reportAsks = {
  name: ask.text({ label: ['名称', 'Name'], max: 64, initial: rows => first(rows)?.name }),
  template: ask.choice({
    label: ['报表', 'Report'],
    options: reportTemplates,
    initial: rows => first(rows)?.template,
  }),
  schedule: ask.text({
    label: ['发送时间', 'Schedule'],
    max: 32,
    hint: [
      'daily 09:00 每天 · weekly 1 09:00 每周一 · monthly 1 09:00 每月 1 日',
      'daily 09:00 · weekly 1 09:00 (Monday) · monthly 1 09:00',
    ],
    initial: rows => first(rows)?.schedule ?? 'daily 09:00',
    check: value =>
      scheduleOf(value)
        ? undefined
        : [
            '请按 daily 09:00、weekly 1 09:00 或 monthly 1 09:00 填写',
            'Write it as daily 09:00, weekly 1 09:00 or monthly 1 09:00',
          ],
  }),
  city_ids: ask.entities({
    label: ['城市（留空为你的全部数据范围）', 'Cities (empty for all of yours)'],
    optional: true,
    max: 50,
    find: cityOptions,
    labelOf: row => row.city_name,
    initial: rows => first(rows)?.scope.city_ids,
    named: rows =>
      Object.fromEntries(
        (first(rows)?.scope.city_ids ?? []).map((id, at) => [
          id,
          first(rows)!.places[at] ?? `#${id}`,
        ]),
      ),
  }),
  group_ids: ask.entities({
    label: ['接收群组', 'Groups'],
    optional: true,
    max: 20,
    find: groupCalls.options,
    labelOf: row => row.name,
    initial: rows => first(rows)?.receivers.group_ids,
    named: rows => Object.fromEntries((first(rows)?.groups ?? []).map(one => [one.id, one.name])),
  }),
  emails: ask.text({
    label: ['接收邮箱', 'E-mail'],
    optional: true,
    max: 1000,
    hint: [
      '多个以逗号分隔；群组与邮箱至少填一项',
      'Comma-separated; at least one group or address',
    ],
    initial: rows => first(rows)?.receivers.emails.join(', '),
    check: value =>
      value
        .split(/[,，;；\s]+/)
        .filter(Boolean)
        .map(emailFault)
        .find(fault => fault !== undefined),
  }),
}
const reportInput = (asked: {
  name: string
  template: string
  schedule: string
  city_ids?: number[]
  group_ids?: number[]
  emails?: string
}) => ({
  name: asked.name,
  template: asked.template as ReportTemplate,
  schedule: asked.schedule.trim(),
  scope: { city_ids: asked.city_ids ?? [], mids: [] as number[] },
  receivers: {
    group_ids: asked.group_ids ?? [],
    emails: (asked.emails ?? '').split(/[,，;；\s]+/).filter(Boolean),
  },
})
const oneReport = (rows: readonly ReportRow[]) => ({ id: rows[0]!.id, version: rows[0]!.version })
const isMine = (row: ReportRow): true | Text =>
  row.mine ? true : ['只有订阅人可以修改，可先复制', 'Only its owner can edit it; copy it instead']
export const reportActions = {
  create: action(reportCalls.create, {
    title: '新增订阅',
    en: 'New subscription',
    key: 'c',
    at: report,
    main: true,
    asks: reportAsks,
    input: (_, asked) => reportInput(asked),
  }),
  preview: action('system.report.preview', {
    title: '预览本期报表',
    en: 'Preview',
    key: 'v',
    at: report,
    on: reportRow,
    takes: 'row',
    permit: reportCalls.preview.permit,
  }),
  edit: action(reportCalls.edit, {
    title: '编辑订阅',
    en: 'Edit subscription',
    key: 'e',
    at: report,
    on: reportRow,
    takes: 'row',
    when: isMine,
    asks: reportAsks,
    input: (rows, asked) => ({
      ...oneReport(rows),
      ...reportInput(asked),
      scope: { ...reportInput(asked).scope, mids: rows[0]!.scope.mids },
    }),
  }),
  sendNow: action(reportCalls.sendNow, {
    title: '立即发送',
    en: 'Send now',
    key: 's',
    at: report,
    on: reportRow,
    takes: 'row',
    input: rows => ({ id: rows[0]!.id }),
  }),
  resend: action(reportCalls.resend, {
    title: '补发',
    en: 'Send again',
    key: 'b',
    at: report,
    on: reportRow,
    takes: 'row',
    asks: {
      date: ask.text({
        label: ['所在日期', 'A day of the period'],
        min: 10,
        max: 10,
        hint: [
          '如 2026-11-19；周报、月报填期内任意一天',
          'Such as 2026-11-19; any day of the week or month',
        ],
      }),
    },
    input: (rows, asked) => ({ id: rows[0]!.id, date: asked.date }),
  }),
  history: action('system.report.history', {
    title: '查看发送记录',
    en: 'Sending log',
    key: 'l',
    at: report,
    on: reportRow,
    takes: 'row',
  }),
  pause: action(reportCalls.pause, {
    title: '暂停',
    en: 'Pause',
    at: report,
    on: reportRow,
    takes: 'row',
    when: row => (row.status === 'on' ? true : ['已暂停', 'Already paused']),
    input: oneReport,
  }),
  resume: action(reportCalls.resume, {
    title: '恢复',
    en: 'Resume',
    at: report,
    on: reportRow,
    takes: 'row',
    when: row => (row.status === 'paused' ? true : ['未暂停', 'It is not paused']),
    input: oneReport,
  }),
  copy: action(reportCalls.copy, {
    title: '复制订阅',
    en: 'Copy subscription',
    key: 'shift+c',
    at: report,
    on: reportRow,
    takes: 'row',
    asks: {
      name: ask.text({
        label: ['新名称', 'New name'],
        max: 64,
        initial: rows => (first(rows) ? `${first(rows)!.name.slice(0, 58)} 副本` : undefined),
      }),
    },
    input: (rows, asked) => ({ id: rows[0]!.id, name: asked.name }),
  }),
  del: action(reportCalls.del, {
    title: '删除订阅',
    en: 'Delete subscription',
    danger: true,
    at: report,
    on: reportRow,
    takes: 'row',
    input: oneReport,
  }),
}
