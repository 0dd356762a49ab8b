import { sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { isAway } from '#src/server/db/faults.ts'
import { patiently } from '#src/server/db/patiently.ts'

/** Without a sign of life for so long, a running job belongs to nobody. */
const DEAD_S = 30
/**
 * Begun so often and never finished: more likely than not it is the job itself that ends the
 * process.
 */
const RUNS_MAX = 3

/**
 * Something for a worker to do was committed in this process. `on` answers how to stop hearing of
 * it.
 */
export const openBell = () => {
  const waked = new Set<() => void>()
  return {
    ring: (): void => waked.forEach(run => run()),
    on: (run: () => void): (() => void) => {
      waked.add(run)
      return () => void waked.delete(run)
    },
  }
}

/** A job taken: as long as its row has this version and still runs, it is ours. */
export type Taken = { id: number; version: number }
export type Queue = {
  /** Does what waits; answers at once where that is under way. */
  work: () => Promise<void>
  /** Takes over what died. */
  takeOver: () => Promise<void>
  /**
   * Gives a job back that can't go on just now, to be begun again, or given up where that has
   * happened too often. Waits for the database where that is away.
   */
  abandon: (job: Taken) => Promise<void>
  /** Hands a job back at a shutdown, for the next start or another process. */
  handBack: (job: Taken) => Promise<void>
  closing: () => boolean
  close: () => Promise<void>
}
/**
 * Jobs of a table (`state`, `version`, `runs`, `beat_at`, `lang`, `error`), one at a time in each
 * process. `gaveUp` is the error of one that was interrupted {n} times; `tell` says so to its
 * person.
 */
export const openQueue = async (of: {
  database: Database
  table: PgTable
  gaveUp: Text
  tell: (tx: Db, id: number) => Promise<void>
  one: (job: Taken) => Promise<void>
}): Promise<Queue> => {
  const { database, table } = of
  const { db, exclusive } = database
  let closing = false
  let working: Promise<void> | undefined
  const own = ({ id, version }: Taken) => sql`id = ${id} and version = ${version}`
  const claim = async (): Promise<Taken | undefined> => {
    const now = unixNow()
    const { rows } =
      await db.execute<Taken>(sql`update ${table} set state = 'running', beat_at = ${now}, updated_at = ${now}, runs = runs + 1, error = null, version = version + 1
      where id = (select id from ${table} where state = 'queued' order by id limit 1 for update skip locked) returning id, version`)
    return rows[0]
  }
  const giveBack = async (which: SQL) => {
    const now = unixNow()
    const [zh, en] = of.gaveUp.map(text => text.replace('{n}', String(RUNS_MAX)))
    await database.transaction(async tx => {
      const { rows } = await tx.execute<{ id: number }>(
        sql`update ${table} set state = 'failed', updated_at = ${now}, error = case lang when 'en' then ${en} else ${zh} end where state = 'running' and runs >= ${RUNS_MAX} and ${which} returning id`,
      )
      for (const { id } of rows) await of.tell(tx, id)
    })
    await db.execute(
      sql`update ${table} set state = 'queued', updated_at = ${now} where state = 'running' and ${which}`,
    )
  }
  const abandon = (job: Taken) =>
    patiently(
      () => giveBack(own(job)),
      () => closing,
    )
  // In the embedded mode there is one process: what was running before it began, or was claimed by a
  // statement whose answer was lost with the database, has nobody left.
  let unsure = true
  const next = async (): Promise<Taken | undefined> => {
    if (unsure && exclusive) await giveBack(sql`true`)
    unsure = true
    const job = await claim()
    unsure = false
    return job
  }
  const all = async () => {
    while (!closing) {
      const job = await patiently(next, () => closing)
      if (!job) return
      try {
        await of.one(job)
      } catch (error) {
        if (!isAway(error)) throw error
        await abandon(job)
      }
    }
  }
  return {
    work: async () => {
      if (working || closing) return
      working = all().finally(() => {
        working = undefined
      })
      await working
    },
    takeOver: () => giveBack(sql`beat_at < ${unixNow() - DEAD_S}`),
    abandon,
    handBack: async job =>
      void (await db.execute(
        sql`update ${table} set state = 'queued', updated_at = ${unixNow()} where state = 'running' and ${own(job)}`,
      )),
    closing: () => closing,
    close: async () => {
      closing = true
      await working?.catch(() => {})
    },
  }
}
