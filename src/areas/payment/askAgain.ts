import { HOUR } from '#src/domain/time.ts'

const FIRST_S = 15
/**
 * Seconds until a channel that kept silent is asked again: soon at first, then ever more seldom,
 * once an hour at last.
 */
export const askAgainIn = (tries: number): number =>
  Math.min(HOUR, FIRST_S * 2 ** Math.min(tries, 8))
