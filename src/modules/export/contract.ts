import { z } from 'zod'
import { read, write } from '#src/contract/call.ts'
import { id, json, keyText, listOf, page, unix, version } from '#src/contract/shapes.ts'

export const exportJob = z.object({
  id,
  page: z.string(),
  title: z.string(),
  filters_text: z.string(),
  format: z.enum(['csv', 'xlsx']),
  rows_expected: z.int(),
  rows_done: z.int(),
  /** More than once: its process ended in the middle, and it was begun again. */
  runs: z.int(),
  size_bytes: z.int().nullable(),
  state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled', 'expired', 'revoked']),
  error: z.string().nullable(),
  created_at: unix,
  done_at: unix.nullable(),
  expires_at: unix.nullable(),
  downloads: z.int(),
  version,
})
/** A column of a file, and how it stands there for the person who asks. */
const exportColumn = z.object({
  key: z.string(),
  title: z.string(),
  shown: z.enum(['show', 'mask', 'hide']),
})
/** What an export would be of now. */
const exportAbout = z.object({
  rows: z.int(),
  format: z.enum(['csv', 'xlsx']),
  columns: z.array(exportColumn),
})
export type ExportAbout = z.output<typeof exportAbout>
export type ExportJob = z.output<typeof exportJob>

/** A person's own exports. `/manage/system/exportLogs` will show everyone's. */
export const exports = {
  mine: read('export/mine', ['我的导出', 'My exports'], {
    input: z.object({ ...page, ids: z.array(id).max(50).optional() }),
    output: listOf(exportJob),
    touches: ['export'],
    scope: 'own',
    permit: 'signed-in',
  }),
  /**
   * What the call at `path` would export, asked so: the rows are counted by its own rules, and
   * nothing is begun.
   */
  about: write('export/about', ['导出前核对', 'What an export would be of'], {
    input: z.object({ path: keyText(64, 1), asked: json }),
    output: exportAbout,
    touches: [],
    scope: 'own',
    permit: 'signed-in',
    quiet: true,
  }),
  cancel: write('export/cancel', ['取消导出', 'Cancel an export'], {
    input: z.object({ id }),
    output: exportJob,
    touches: ['export'],
    scope: 'own',
    permit: 'signed-in',
  }),
  /** From a failed job only. */
  retry: write('export/retry', ['重新生成导出', 'Make an export again'], {
    input: z.object({ id }),
    output: exportJob,
    touches: ['export'],
    scope: 'own',
    permit: 'signed-in',
  }),
  /**
   * An address that fetches the file without a header, for two minutes and for this person's job
   * only.
   */
  link: write('export/link', ['下载导出文件', 'Fetch an export'], {
    input: z.object({ id }),
    output: z.object({ url: z.string(), expires_at: unix }),
    touches: ['export'],
    scope: 'own',
    permit: 'signed-in',
  }),
}
