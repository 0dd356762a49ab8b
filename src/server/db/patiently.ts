import { setTimeout as sleep } from 'node:timers/promises'
import { faultOf, isAway } from './faults.ts'

const FIRST_MS = 100
const LONGEST_MS = 2000

/** True when the same statement succeeds later: the database is away, or takes no writes. */
const passes = (error: unknown): boolean => isAway(error) || faultOf(error)?.kind === 'full'

/**
 * Does something again and again until the database is back and takes it: for work that nobody waits
 * for. It must do no harm when it is done twice. Throws any other fault at once, and the last one
 * when `over` says that nobody needs the answer any more.
 */
export const patiently = async <T>(run: () => Promise<T>, over: () => boolean): Promise<T> => {
  for (let wait = FIRST_MS; ; wait = Math.min(wait * 2, LONGEST_MS)) {
    try {
      return await run()
    } catch (error) {
      if (over() || !passes(error)) throw error
    }
    await sleep(wait)
  }
}
