import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'

/**
 * A process that ends at its n-th step: each statement of its database and each `step` of its own is
 * one. `lived` answers whether what it runs came to its end.
 */
export const mortal = (database: Database, n: number) => {
  let left = n
  const spend = (): void => {
    if (left-- === 0) throw new Error('killed')
  }
  const step = async <R>(run: () => Promise<R>): Promise<R> => {
    spend()
    return run()
  }
  const dying = {
    ...database,
    transaction: <R>(run: (tx: Db) => Promise<R>) => step(() => database.transaction(run)),
    get db() {
      spend()
      return database.db
    },
  } as Database
  /** A call of something outside that is made, and may be answered to nobody. */
  const outside = async <R>(call: () => Promise<R>): Promise<R> => {
    const said = await step(call)
    return step(async () => said)
  }
  const lived = async (run: () => Promise<unknown>): Promise<boolean> => {
    try {
      await run()
      return true
    } catch (error) {
      if ((error as Error).message !== 'killed') throw error
      return false
    }
  }
  return { database: dying, outside, lived }
}
