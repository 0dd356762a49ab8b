import { randomInt } from 'node:crypto'

const SECONDS = 64
const given = new Map<number, Set<number>>()
const givenIn = (second: number): Set<number> => {
  const there = given.get(second)
  if (there) return there
  if (given.size === SECONDS) given.delete(given.keys().next().value!)
  const anew = new Set<number>()
  given.set(second, anew)
  return anew
}
/**
 * A number to be known by: two letters, the unix second, six digits that nobody guesses. No two of
 * a second are the same, also where work of other seconds comes between: by chance alone, two of
 * two hundred would be once in fifty times.
 */
export const numberOf = (prefix: string, now: number): string => {
  const taken = givenIn(now)
  let digits = randomInt(100_000, 1_000_000)
  while (taken.has(digits)) digits = randomInt(100_000, 1_000_000)
  taken.add(digits)
  return `${prefix}${now}${digits}`
}
