import { randomInt } from 'node:crypto'

let second = 0
const given = new Set<number>()
/** A number to be known by: two letters, the unix second, six digits that nobody guesses. No two of a second are the same: by chance alone, two of two hundred would be once in fifty times. */
export const numberOf = (prefix: string, now: number): string => {
  if (now !== second) { second = now; given.clear() }
  let digits = randomInt(100_000, 1_000_000)
  while (given.has(digits)) digits = randomInt(100_000, 1_000_000)
  given.add(digits)
  return `${prefix}${now}${digits}`
}
