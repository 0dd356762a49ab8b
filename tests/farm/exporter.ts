// A process that writes queued exports, until it is killed in the middle: of the rows of `slow` it
// says when it has read the second batch, and reads no third.
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#src/server/db/database.ts'
import { defineExport } from '#src/server/exports/exports.ts'
import { openExportWorker } from '#src/server/exports/exportWorker.ts'
import { openLog } from '#src/server/http/logging.ts'
import { openEvents } from '#src/server/live/events.ts'

const [url, folder] = process.argv.slice(2) as [string, string]
defineExport('test.slow', {
  title: ['慢导出', 'Slow export'],
  permit: 'test.rows.export',
  columns: [{ key: 'n', title: ['编号', 'No.'] }],
  rows: async ({ after, limit }) => {
    const from = Number(after ?? 0)
    if (from >= 2 * limit) {
      // A file is opened while rows are read, at a time of the system's own.
      while (readdirSync(folder).length === 0) await sleep(5)
      process.stdout.write('in the middle\n')
      await new Promise(() => {})
    }
    return { rows: Array.from({ length: limit }, (_, n) => ({ n: from + n })), next: from + limit }
  },
})
const worker = await openExportWorker({
  database: await openDatabase({ url }),
  events: await openEvents(),
  folder,
  log: openLog('silent'),
})
await worker.sweep()
