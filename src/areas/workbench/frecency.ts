import { DAY } from '#src/domain/time.ts'

/**
 * What was used counts half as much after a week. Scores of one moment keep their order at every
 * later one.
 */
export const HALF_LIFE_S = 7 * DAY
/** How much it was worth, and when that was. */
export type Score = { score: number; at: number }

/** Worth now, in uses of this moment; unix seconds. */
export const worthAt = ({ score, at }: Score, now: number): number =>
  score * 0.5 ** (Math.max(0, now - at) / HALF_LIFE_S)
/** Used once more, or `n` times. */
export const usedAgain = (before: Score | undefined, now: number, n = 1): Score => ({
  score: (before ? worthAt(before, now) : 0) + n,
  at: Math.max(now, before?.at ?? 0),
})

/**
 * What one's role uses most is worth so many uses of one's own to a newcomer, and half that once
 * they have used so many things themselves.
 */
const LEAD = 6
const NEWCOMER = 8
/**
 * One's own habit, and that of one's role as far as one has none yet. `ownAll` is the worth of all
 * that one used, `roleMost` that of what the role uses most.
 */
export const habit = (own: number, ownAll: number, role: number, roleMost: number): number =>
  own + (roleMost > 0 ? ((LEAD * role) / roleMost) * (NEWCOMER / (NEWCOMER + ownAll)) : 0)
