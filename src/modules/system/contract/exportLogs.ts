import { z } from 'zod'
import { EXTEND_DAYS_MAX } from '#src/areas/log/logs.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { id, lines, listOf, page, text, unix, exportBegun } from '#src/contract/shapes.ts'
import { exportJob } from '#src/modules/export/contract.ts'

export const exportRow = z.object({
  ...exportJob.shape,
  admin_id: id,
  admin_name: z.string(),
  mine: z.boolean(),
  extended_days: z.int(),
  revoked_at: unix.nullable(),
  revoked_by_name: z.string().nullable(),
  revoke_reason: z.string().nullable(),
})
export type ExportRow = z.output<typeof exportRow>
const bits = z.string().regex(/^[0-9a-f]{16}$/)
const one = { input: z.object({ id }), output: exportRow, touches: ['export'] } as const

export const exportLogs = {
  /** One's own, unless `mine` is false: that takes the right to everyone's. */
  lst: read('system/exportLogs/lst', ['文件导出记录', 'Export jobs'], {
    input: z.object({
      ...page,
      mine: z.boolean().default(true),
      state: exportJob.shape.state.optional(),
      page_key: text(64).optional(),
      admin_id: id.optional(),
      from: unix.optional(),
      to: unix.optional(),
    }),
    output: listOf(exportRow),
    touches: ['export'],
    scope: placed('export_job'),
    permit: 'system.exportLogs.view',
  }),
  /** Whose exports there are, and of which pages: what the filters offer. */
  all: read('system/exportLogs/choices', ['全部人的导出', 'Everyone’s exports'], {
    input: z.object({}),
    output: z.object({
      people: z.array(z.object({ id, name: z.string() })),
      pages: z.array(z.object({ key: z.string(), title: z.string() })),
    }),
    touches: ['export'],
    scope: { none: 'Whether somebody may see what others exported' },
    permit: 'system.exportLogs.all',
  }),
  download: write('system/exportLogs/download', ['下载导出文件', 'Download an export'], {
    input: z.object({ id }),
    output: z.object({ url: z.string(), expires_at: unix }),
    touches: ['export'],
    scope: placed('export_job', 'id'),
    permit: 'system.exportLogs.download',
  }),
  retry: write('system/exportLogs/retry', ['重新生成导出', 'Make an export again'], {
    ...one,
    scope: placed('export_job', 'id'),
    permit: 'system.exportLogs.retry',
  }),
  cancel: write('system/exportLogs/cancel', ['取消导出任务', 'Cancel an export'], {
    ...one,
    scope: placed('export_job', 'id'),
    permit: 'system.exportLogs.cancel',
  }),
  rerun: write(
    'system/exportLogs/rerun',
    ['用相同条件再导出', 'Export again with the same filters'],
    {
      input: z.object({ id }),
      output: exportBegun,
      touches: ['export'],
      scope: placed('export_job', 'id'),
      permit: 'system.exportLogs.rerun',
    },
  ),
  viewFilters: read('system/exportLogs/viewFilters', ['导出条件', 'Filters of an export'], {
    input: z.object({ id }),
    output: z.object({
      id,
      title: z.string(),
      text: z.string(),
      filters: z.array(z.object({ title: z.string(), value: z.string() })),
    }),
    touches: ['export'],
    scope: placed('export_job', 'id'),
    permit: 'system.exportLogs.viewFilters',
  }),
  /**
   * Whose export a file came from, by its mark as far as it could be read (areas/export/fileMark.ts);
   * null where it is none of those that the reader may see.
   */
  verify: read('system/exportLogs/verify', ['核对文件来源', 'Where a file comes from'], {
    input: z.object({ mark: bits, known: bits }),
    output: z.object({ found: exportRow.nullable() }),
    touches: ['export'],
    scope: 'all',
    permit: 'system.exportLogs.verify',
  }),
  revoke: write('system/exportLogs/revoke', ['作废导出文件', 'Revoke an export'], {
    input: z.object({ id, reason: lines(255, 2) }),
    output: exportRow,
    touches: ['export'],
    scope: placed('export_job', 'id'),
    permit: 'system.exportLogs.revoke',
  }),
  /** At most 30 days in all beyond the first seven. */
  extend: write('system/exportLogs/extend', ['延长导出文件保存', 'Keep an export longer'], {
    input: z.object({ id, days: z.int().min(1).max(EXTEND_DAYS_MAX) }),
    output: exportRow,
    touches: ['export'],
    scope: placed('export_job', 'id'),
    permit: 'system.exportLogs.extend',
  }),
}
