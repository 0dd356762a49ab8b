// A server's worth of jobs whose database is to be killed: one job after the other, each asking the
// database all the time that it runs; says when one begins and when it is done.
import { setTimeout as later } from 'node:timers/promises'
import { openDatabase } from '#src/server/db/database.ts'
import { outlive } from '#src/server/db/outlive.ts'
import { openLog } from '#src/server/http/logging.ts'
import { openJobs } from '#src/server/jobs/jobs.ts'

const RUNS_MS = 300
const place = process.argv[2]!
const log = openLog('error')
outlive(log)
const database = await openDatabase({
  ...(place.startsWith('postgres') ? { url: place } : { folder: place }),
  say: line => process.stdout.write(`${line}\n`),
})
const jobs = await openJobs(database, log)
await jobs.on('turn', async data => {
  const { n } = data as { n: number }
  process.stdout.write(`begun ${n}\n`)
  for (const end = Date.now() + RUNS_MS; Date.now() < end; await later(5))
    await database.pool.query('select 1')
  await jobs.send('turn', { n: n + 1 })
  process.stdout.write(`done ${n}\n`)
})
await jobs.send('turn', { n: 1 })
