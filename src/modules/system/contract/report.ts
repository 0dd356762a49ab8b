import { z } from 'zod'
import {
  reportTemplates,
  runStates,
  type ReportTemplate,
  type RunState,
} from '#src/areas/figures/report.ts'
import { sendStates, type SendState } from '#src/areas/notice/warning.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { id, keysOf, listOf, page, searched, text, unix, version } from '#src/contract/shapes.ts'

const template = z.enum(Object.keys(reportTemplates) as [ReportTemplate, ...ReportTemplate[]])
const status = z.enum(['on', 'paused'])
const scope = z.object({
  city_ids: z.array(id).max(50).default([]),
  mids: z.array(id).max(50).default([]),
})
const receivers = z.object({
  group_ids: z.array(id).max(20).default([]),
  emails: z.array(text(64)).max(20).default([]),
})
const reportBody = z.object({
  from: z.string(),
  to: z.string(),
  figures: z.array(z.object({ label: z.string(), value: z.string() })),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string())),
})
export const reportRow = z.object({
  id,
  name: z.string(),
  template,
  scope,
  places: z.array(z.string()),
  schedule: z.string(),
  receivers,
  groups: z.array(z.object({ id, name: z.string(), on: z.boolean() })),
  owner_id: id,
  owner_name: z.string(),
  mine: z.boolean(),
  status,
  pause_reason: z.string().nullable(),
  last_run_at: unix.nullable(),
  last_result: z.enum(['ok', 'partial', 'failed', 'none']),
  /** Receivers that the last run did not reach. */
  last_missed: z.array(z.string()),
  next_run_at: unix.nullable(),
  version,
})
export type ReportRow = z.output<typeof reportRow>
const fields = { name: text(64), template, scope, schedule: text(32), receivers }
const one = { id, version }
const changed = z.object({ id, version })
const sent = z.object({ id, run_id: id, period: z.string(), resend: z.int() })

export const report = {
  lst: read('system/report/lst', ['经营报表订阅', 'Scheduled reports'], {
    input: z.object({
      keyword: searched(60).optional(),
      template: template.optional(),
      status: status.optional(),
      /** Those whose last run did not reach everybody. */
      missed: z.boolean().optional(),
      mine: z.boolean().optional(),
      ...page,
    }),
    output: listOf(reportRow),
    touches: ['report', 'group'],
    scope: placed('report_sub'),
    permit: 'system.report.view',
  }),
  history: read('system/report/history', ['发送记录', 'Sending log'], {
    input: z.object({ id }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          period: z.string(),
          resend: z.int(),
          state: keysOf<RunState>(runStates),
          sends: z.array(
            z.object({
              name: z.string(),
              state: keysOf<SendState>(sendStates),
              tries: z.int(),
              answer: z.string().nullable(),
              sent_at: unix.nullable(),
            }),
          ),
          sent_at: unix.nullable(),
          created_at: unix,
          body: reportBody.nullable(),
        }),
      ),
    }),
    touches: ['report'],
    scope: placed('report_sub', 'id'),
    permit: 'system.report.view',
  }),
  preview: read('system/report/preview', ['预览本期报表', 'Preview'], {
    input: z.object({ id }),
    output: reportBody,
    touches: ['report', 'stat'],
    scope: placed('report_sub', 'id'),
    permit: 'system.report.preview',
  }),
  create: write('system/report/create', ['新增订阅', 'Subscribe'], {
    input: z.object(fields),
    output: changed,
    touches: ['report'],
    scope: placed('report_sub'),
    permit: 'system.report.create',
  }),
  edit: write('system/report/edit', ['编辑订阅', 'Edit subscription'], {
    input: z.object({ ...one, ...fields }),
    output: changed,
    touches: ['report'],
    scope: placed('report_sub', 'id'),
    permit: 'system.report.edit',
  }),
  sendNow: write('system/report/sendNow', ['立即发送', 'Send now'], {
    input: z.object({ id }),
    output: sent,
    touches: ['report'],
    scope: placed('report_sub', 'id'),
    permit: 'system.report.sendNow',
  }),
  resend: write('system/report/resend', ['补发报表', 'Send again'], {
    input: z.object({ id, date: text(10) }),
    output: sent,
    touches: ['report'],
    scope: placed('report_sub', 'id'),
    permit: 'system.report.resend',
  }),
  pause: write('system/report/pause', ['暂停订阅', 'Pause'], {
    input: z.object(one),
    output: changed,
    touches: ['report'],
    scope: placed('report_sub', 'id'),
    permit: 'system.report.pause',
  }),
  resume: write('system/report/resume', ['恢复订阅', 'Resume'], {
    input: z.object(one),
    output: changed,
    touches: ['report'],
    scope: placed('report_sub', 'id'),
    permit: 'system.report.resume',
  }),
  copy: write('system/report/copy', ['复制订阅', 'Copy subscription'], {
    input: z.object({ id, name: text(64) }),
    output: changed,
    touches: ['report'],
    scope: placed('report_sub', 'id'),
    permit: 'system.report.copy',
  }),
  del: write('system/report/del', ['删除订阅', 'Delete subscription'], {
    input: z.object(one),
    output: z.object({ id, deleted: z.literal(true) }),
    touches: ['report'],
    scope: placed('report_sub', 'id'),
    permit: 'system.report.del',
  }),
}
