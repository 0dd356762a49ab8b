import type { Database } from './database.ts'

/** How long a transaction of a start may take, in ms: nobody waits for its answer. */
export const START_MS = 60_000
/** Any number will do, as long as every process of ours takes the same. */
const LOCK = 4_180_001

/**
 * Does what a start does to the database, while every other process that starts on it waits: the
 * schema, the first data, the queues. The embedded database has one process and needs no lock. It
 * may not be asked for again from inside.
 */
export const alone = async <T>(database: Database, run: () => Promise<T>): Promise<T> => {
  if (database.exclusive) return run()
  const client = await database.pool.connect()
  try {
    // The first process may take its minutes.
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return await run()
  } finally {
    // The lock goes with its connection, also where `run` failed or the connection broke.
    client.release(true)
  }
}
