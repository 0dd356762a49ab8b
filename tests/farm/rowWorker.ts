// A process that does row jobs, until it is killed in the middle of a part: at line 150 it says so,
// and does nothing more.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { write } from '#src/contract/call.ts'
import type { Install } from '#src/server/call/implement.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { openLog } from '#src/server/http/logging.ts'
import { defineRowJob } from '#src/server/jobs/rowJobs.ts'
import { openRowJobWorker } from '#src/server/jobs/rowJobWorker.ts'
import { openEvents } from '#src/server/live/events.ts'

const call = write('test/rows', ['测试任务', 'Test job'], {
  input: z.object({}),
  output: z.object({}),
  touches: ['test'],
  scope: 'all',
  permit: 'test.rows.do',
})
defineRowJob(call, async ({ tx }, { line }) => {
  if (line === 150) {
    process.stdout.write('in the middle\n')
    await new Promise(() => {})
  }
  await tx.execute(sql`insert into t_row values (${line})`)
})
const worker = await openRowJobWorker({
  database: await openDatabase({ url: process.argv[2]! }),
  events: await openEvents(),
  install: {} as Install,
  log: openLog('silent'),
})
await worker.sweep()
