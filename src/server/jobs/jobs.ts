import PgBoss from 'pg-boss'
import type { Logger } from 'pino'
import type { Database } from '#src/server/db/database.ts'
import { faultOf, isAway } from '#src/server/db/faults.ts'

/**
 * Work outside requests, kept in the database: it survives restarts, and of several processes one
 * does it. A thin port, as pg-boss 10 is the last line for Node 20.
 */
export type Jobs = {
  /** Does what `send` asks; run again (three times) when it throws. */
  on: (name: string, run: (data: object) => Promise<void>) => Promise<void>
  send: (name: string, data?: object) => Promise<void>
  /** Asks for it once, however often it is asked within a few seconds. */
  soon: (name: string) => Promise<void>
  /** Runs by the clock (cron, Shanghai time), once for all processes. */
  every: (cron: string, name: string, run: () => Promise<void>) => Promise<void>
  close: () => Promise<void>
}

const POLL_S = 2

export const openJobs = async (database: Database, log: Logger): Promise<Jobs> => {
  const boss = new PgBoss({
    // Over our own pool: the embedded database has one connection for everybody. Without values the
    // text may hold several statements.
    db: {
      executeSql: (text, values) =>
        (values?.length
          ? database.pool.query(text, values)
          : database.pool.query(text)) as Promise<{ rows: unknown[] }>,
    },
    schema: 'jobs',
    cronMonitorIntervalSeconds: 30,
    cronWorkerIntervalSeconds: 10,
    monitorStateIntervalSeconds: 300,
    maintenanceIntervalSeconds: 300,
  })
  boss.on('error', error =>
    log.warn({ code: faultOf(error)?.code, type: error.name }, 'jobs wait for the database'),
  )
  await database.unhurried(() => boss.start())
  const on: Jobs['on'] = async (name, run) => {
    await boss.createQueue(name)
    await boss.work<object>(name, { pollingIntervalSeconds: POLL_S }, async jobs => {
      for (const job of jobs)
        await run(job.data ?? {}).catch((error: unknown) => {
          // The library keeps it in its table and tries again; whoever looks after the server reads
          // the log.
          if (isAway(error))
            log.warn({ code: faultOf(error)?.code, job: name }, 'a job waits for the database')
          else log.error({ err: error, job: name }, 'a job failed')
          throw error
        })
    })
  }
  return {
    on,
    send: async (name, data = {}) =>
      void (await boss.send(name, data, { retryLimit: 3, retryBackoff: true })),
    soon: async name =>
      void (await boss.send(name, {}, { singletonSeconds: POLL_S, singletonNextSlot: true })),
    every: async (cron, name, run) => {
      await on(name, run)
      await boss.schedule(name, cron, {}, { tz: 'Asia/Shanghai' })
    },
    close: () => boss.stop({ graceful: true, timeout: 5000, wait: true }),
  }
}
