import { setTimeout as sleep } from 'node:timers/promises'
import { sealLedger } from '#src/areas/ledger/verify.server.ts'
import { sealLog } from '#src/areas/log/seal.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { dropOldKeys } from '#src/server/call/idempotency.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { dropOldUndos } from '#src/server/call/undo.ts'
import { alone } from '#src/server/db/alone.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { exportBell } from '#src/server/exports/exports.ts'
import type { ExportWorker } from '#src/server/exports/exportWorker.ts'
import type { Events } from '#src/server/live/events.ts'
import { expireSessions } from '#src/server/sessions/sessions.ts'
import { openJobs, type Jobs } from './jobs.ts'
import { rowJobBell } from './rowJobs.ts'
import type { RowJobWorker } from './rowJobWorker.ts'
import { timers } from './timers.ts'
import './tidying.ts'

const AGAIN_MS = 1000
type Workers = { exports: ExportWorker; rows: RowJobWorker }
type Message = Parameters<Events['emit']>[0]

/** What the clock changed is told to the panes of this process and of all others. */
const tell = async (
  { database, events }: Core,
  what: (tx: Db) => Promise<Message>,
): Promise<void> => {
  events.emit(
    await database.transaction(async tx => {
      const message = await what(tx)
      await events.announce(tx, message)
      return message
    }),
  )
}
/** What every minute does: sessions end, old keys go, and what a process left behind is taken up. */
const everyMinute = async (core: Core, { exports, rows }: Workers): Promise<void> => {
  const { database, log } = core
  const now = unixNow()
  await tell(core, async tx => ({ tags: [], ended: await expireSessions(tx, now) }))
  await dropOldKeys(database.db, now)
  await dropOldUndos(database.db, now)
  // Thousands of rows take their minutes: the clock does not wait for them.
  void rows
    .sweep()
    .catch((error: unknown) => log.warn({ err: error }, 'row jobs wait for the next sweep'))
  await exports.sweep()
}
/**
 * The server's own log hears of seals too, which whoever changes the database may not reach: what
 * was sealed can be held against it.
 */
const sealAll = async ({ database, log }: Core): Promise<void> => {
  for (const seal of await sealLog(database, unixNow()))
    log.info({ seal: seal.id, rows: seal.rows, hash: seal.hash }, 'the operation log was sealed')
  for (const seal of await sealLedger(database, unixNow()))
    log.info({ seal: seal.id, rows: seal.rows, hash: seal.hash }, 'the journal was sealed')
}
const beginTimers = async (core: Core, workers: Workers, jobs: Jobs): Promise<void> => {
  await jobs.every('* * * * *', 'minute', () => everyMinute(core, workers))
  for (const { name, cron, run } of timers())
    await jobs.every(cron, name, async () => {
      const tags = await run({ ...core, now: unixNow() })
      if (tags.length > 0) await tell(core, async () => ({ tags }))
    })
  await jobs.every('* * * * *', 'seal', () => sealAll(core))
}
/** Asks for the timers that follow a change. They run by the clock all the same. */
const nudge = ({ log }: Core, jobs: Jobs, tags: readonly string[]): void => {
  for (const { name, after } of timers())
    if (after.some(tag => tags.includes(tag)))
      jobs
        .soon(name)
        .catch((error: unknown) =>
          log.warn({ code: faultOf(error)?.code, timer: name }, 'a timer waits for its time'),
        )
}

/** Timers, exports and row jobs of a process. */
export type Background = {
  /** Begins them, also what waited when the last process ended. */
  start: () => Promise<void>
  /** No change and no bell is heard any more. */
  hush: () => void
  close: () => Promise<void>
}
export const openBackground = (core: Core, workers: Workers): Background => {
  const { database, events, log } = core
  let jobs: Jobs | undefined
  let closing = false
  /** Each queue with its worker and what is rung when something is put in it. */
  const queues = [
    { name: 'export', worker: workers.exports, bell: exportBell },
    { name: 'row-job', worker: workers.rows, bell: rowJobBell },
  ]
  const work = (of: { work: () => Promise<unknown> }) =>
    void of
      .work()
      .catch((error: unknown) => log.warn({ err: error }, 'a queue waits for the database'))
  const beginWith = async (opened: Jobs) => {
    for (const { name, worker } of queues) await opened.on(name, () => worker.work())
    await beginTimers(core, workers, opened)
    jobs = opened
    for (const { worker } of queues) work(worker)
  }
  /** The database may go away while the timers begin: then they begin anew when it is back. */
  const begin = async (): Promise<void> => {
    for (;;) {
      let opened: Jobs | undefined
      try {
        const started = await alone(database, () => openJobs(database, log, () => closing))
        opened = started
        return await alone(database, () => beginWith(started))
      } catch (error) {
        await opened?.close().catch(() => {})
        const fault = faultOf(error)
        if (closing || !fault || !['unavailable', 'full'].includes(fault.kind)) throw error
        log.warn({ code: fault.code }, 'timers wait for the database')
        await sleep(AGAIN_MS)
      }
    }
  }
  const changes = events.listen(heard => {
    if (heard.event !== 'change' || !jobs) return
    nudge(core, jobs, (JSON.parse(heard.data) as { tags: string[] }).tags)
  })
  // This process does its own people's exports and jobs at once; the queue is for the case that it
  // dies meanwhile.
  const bells = queues.map(({ name, worker, bell }) =>
    bell.on(() => {
      if (!jobs) return
      work(worker)
      void jobs
        .send(name)
        .catch((error: unknown) => log.warn({ err: error }, 'a queue waits for the next sweep'))
    }),
  )
  let starting: Promise<void> | undefined
  return {
    start: () => (starting ??= begin()),
    hush: () => {
      closing = true
      for (const unhear of bells) unhear()
      changes()
    },
    close: async () => {
      await Promise.all([workers.exports.close(), workers.rows.close()])
      await starting?.catch(() => {})
      await jobs?.close()
    },
  }
}
