/** A text without its gaps, and where its words begin in it. */
export type NearText = { text: string; starts: readonly number[] }
type Spoken = { sign: string; readings: readonly string[] }

const joined = (words: readonly string[]): NearText => {
  let end = 0
  return { text: words.join(''), starts: words.map(word => (end += word.length) - word.length) }
}
/** How a text is compared with what was mistyped: by its likely reading, and by its signs. */
export const nearTextsOf = (units: readonly Spoken[]): readonly NearText[] => {
  const said = joined(units.map(({ sign, readings }) => readings[0] ?? sign))
  return units.some(({ sign }) => sign !== '')
    ? [said, joined(units.map(({ sign, readings }) => sign || (readings[0] ?? '')))]
    : [said]
}

const LEAST_LETTERS = 4
const LEAST_SIGNS = 3
/** Long enough that one letter wrong leaves something to be known by. */
export const nearable = (query: string): boolean =>
  query.length >= (/\p{Script=Han}/u.test(query) ? LEAST_SIGNS : LEAST_LETTERS)

/**
 * Whether a query and what stands in a text from a place on are the same but for one letter: one
 * more, one less, another one, or two the wrong way round. What follows in the text is still to be
 * typed.
 */
const nearlyAt = (query: string, text: string, from: number): boolean => {
  let same = 0
  while (
    same < query.length &&
    from + same < text.length &&
    query.charCodeAt(same) === text.charCodeAt(from + same)
  )
    same++
  const [rest, there] = [query.length - same, from + same]
  if (rest === 0) return true
  const goesOn = (skipped: number, missed: number) => {
    const length = rest - skipped
    if (there + missed + length > text.length) return false
    for (let i = 0; i < length; i++)
      if (query.charCodeAt(same + skipped + i) !== text.charCodeAt(there + missed + i)) return false
    return true
  }
  if (goesOn(1, 0)) return true
  if (there >= text.length) return false
  return (
    goesOn(0, 1) ||
    goesOn(1, 1) ||
    (rest > 1 &&
      query.charCodeAt(same) === text.charCodeAt(there + 1) &&
      query.charCodeAt(same + 1) === text.charCodeAt(there) &&
      goesOn(2, 2))
  )
}

const BASE = 200
const LATE = 6
const LATEST = 60
const LEFT_MOST = 30
/** How well a text is nearly said by the query: 1 to 200, or -1. Below every exact match in order. */
export const worthNear = (query: string, texts: readonly NearText[]): number => {
  let best = -1
  for (const { text, starts } of texts)
    for (let i = 0; i < starts.length; i++) {
      const from = starts[i]!
      if (text.length - from < query.length - 1) break
      const worth =
        BASE -
        Math.min(LATEST, i * LATE) -
        Math.min(LEFT_MOST, Math.max(0, text.length - from - query.length))
      if (worth > best && nearlyAt(query, text, from)) best = worth
    }
  return best
}
