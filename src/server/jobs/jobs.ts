import { setImmediate as nextTurn } from 'node:timers/promises'
import PgBoss from 'pg-boss'
import type { Logger } from 'pino'
import { inBackground, type Database } from '#src/server/db/database.ts'
import { faultOf, isAway } from '#src/server/db/faults.ts'
import { patiently } from '#src/server/db/patiently.ts'

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
/** So often a queue asks for itself, whatever was seen of all of them. */
const ALONE_S = 60
/** So often a job begins anew by itself after the database went away under it. */
const RERUNS = 3

/** A job that runs longer at a shutdown is given back, for another process or the next start. */
const CLOSE_MS = 5000
const CLOCK_MS = 30_000
/**
 * A clock that was set back leaves what was noted of the time until then in the future, where the
 * library waits for it, be it for years: it is brought back to the present.
 */
const comeBack = async ({ pool }: Database): Promise<void> => {
  for (const noted of ['cron_on', 'maintained_on', 'monitored_on'])
    await pool.query(`update jobs.version set ${noted} = null where ${noted} > now()`)
  // A job dated in the future stands in the way of the job of that time.
  await pool.query(
    `update jobs.job set singleton_on = null where singleton_on > now() at time zone 'UTC' + interval '5 seconds'`,
  )
  await pool.query(
    `update jobs.job set start_after = now() where state in ('created', 'retry') and created_on > now() + interval '10 seconds'`,
  )
}

/** The library reads it as a statement that touched no job. */
const nothing = {} as { rows: never[] }
/**
 * The library's statements over our pool. Version 10.4.2 leaves `complete` and `fail` unawaited, so
 * neither may reject because the database is away or closes: a statement waits for the database
 * until `over`; a closing port logs what the database refuses, and an ended one asks nothing.
 * Closing the library forgets what it fetches at this moment, so `end` waits for every statement.
 */
const openStatements = (database: Database, log: Logger, over: () => boolean) => {
  let state: 'open' | 'closing' | 'ended' = 'open'
  const pending = new Set<Promise<unknown>>()
  // Without values the text may hold several statements.
  const query = (text: string, values?: unknown[]) =>
    values?.length ? database.pool.query(text, values) : database.pool.query(text)
  const answer = async (text: string, values?: unknown[]) => {
    try {
      return await patiently(() => query(text, values), over)
    } catch (error) {
      if (state === 'open') throw error
      log.warn({ code: faultOf(error)?.code }, 'jobs close without the database')
      return nothing
    }
  }
  return {
    ask: (text: string, values?: unknown[]): Promise<{ rows: unknown[] }> => {
      if (state === 'ended') return Promise.resolve(nothing)
      const asked = inBackground(() => answer(text, values))
      pending.add(asked)
      return asked.finally(() => pending.delete(asked))
    },
    closing: () => void (state = 'closing'),
    end: async () => {
      while (pending.size > 0) {
        await Promise.allSettled(pending)
        // What an answer leads to is asked in the same turn.
        await nextTurn()
      }
      state = 'ended'
    },
  }
}

type Ask = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
/**
 * Wakes the queues that have something to do: one question for all of them. Dozens of queues that
 * each ask for themselves keep an idle server and its database busy.
 */
const openGlance = (boss: PgBoss, ask: Ask, log: Logger) => {
  const workers = new Map<string, string>()
  const look = async () => {
    const { rows } = await ask(
      `select distinct name from jobs.job where name = any($1) and state < 'active' and start_after < now()`,
      [[...workers.keys()]],
    )
    for (const { name } of rows as { name: string }[]) boss.notifyWorker(workers.get(name)!)
  }
  let looking = false
  const timer = setInterval(() => {
    if (looking || workers.size === 0) return
    looking = true
    look()
      .catch((error: unknown) =>
        log.warn({ code: faultOf(error)?.code }, 'jobs wait for the database'),
      )
      .finally(() => {
        looking = false
      })
  }, POLL_S * 1000)
  return {
    wakes: (name: string, worker: string) => void workers.set(name, worker),
    close: () => clearInterval(timer),
  }
}

/**
 * The library's jobs over our database. Throws when the database is away at this moment; later the
 * jobs wait for it, until `closing` says that nobody needs them any more.
 */
export const openJobs = async (
  database: Database,
  log: Logger,
  closing: () => boolean = () => false,
): Promise<Jobs> => {
  let waits = false
  const over = () => !waits || closing()
  const statements = openStatements(database, log, over)
  const boss = new PgBoss({
    // Over our own pool: the embedded database has one connection for everybody.
    db: { executeSql: statements.ask },
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
  // One process has the embedded database, so nobody works on what was active before this start.
  if (database.exclusive)
    await database.pool.query(
      `update jobs.job set state = 'retry', start_after = now() where state = 'active'`,
    )
  await comeBack(database)
  const clock = setInterval(() => {
    comeBack(database).catch(error =>
      log.warn({ code: faultOf(error)?.code }, 'jobs wait for the database'),
    )
  }, CLOCK_MS)
  waits = true
  const glance = openGlance(boss, statements.ask, log)
  const runThrough = async (run: () => Promise<void>): Promise<void> => {
    for (let left = RERUNS; ; left--) {
      try {
        return await run()
      } catch (error) {
        if (left === 0 || over() || !isAway(error)) throw error
      }
      await patiently(() => database.pool.query('select 1'), over)
    }
  }
  const on: Jobs['on'] = async (name, run) => {
    await boss.createQueue(name)
    const worker = await boss.work<object>(
      name,
      { pollingIntervalSeconds: ALONE_S },
      async jobs => {
        for (const job of jobs)
          await runThrough(() => run(job.data ?? {})).catch((error: unknown) => {
            // The library keeps it in its table and tries again; whoever looks after the server reads
            // the log.
            if (isAway(error))
              log.warn({ code: faultOf(error)?.code, job: name }, 'a job waits for the database')
            else log.error({ err: error, job: name }, 'a job failed')
            throw error
          })
      },
    )
    glance.wakes(name, worker)
  }
  return {
    on,
    send: async (name, data = {}) =>
      void (await boss.send(name, data, { retryLimit: 3, retryBackoff: true })),
    soon: async name =>
      void (await boss.send(name, {}, { singletonSeconds: POLL_S, singletonNextSlot: true })),
    every: async (cron, name, run) => {
      await on(name, () => inBackground(run))
      await boss.schedule(name, cron, {}, { tz: 'Asia/Shanghai' })
    },
    close: async () => {
      waits = false
      clearInterval(clock)
      glance.close()
      statements.closing()
      await boss.stop({ graceful: true, timeout: CLOSE_MS, wait: true })
      await statements.end()
    },
  }
}
