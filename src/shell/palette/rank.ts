import { halfWidth } from '../keys/strokes.ts'
import { nearable, nearTextsOf, worthNear, type NearText } from './near.ts'
import { plain } from './plain.ts'

/**
 * Readings of a text, one part a character: `tuan gou shen he`, several of one character with `/`,
 * the likely one first. Made at build time (`index-plugin.ts`), so that no dictionary travels to
 * the browser.
 */
export type Readings = Readonly<Record<string, string>>
export type Findable = { id: string; title: string; en: string; alias?: readonly string[] }

type Unit = {
  sign: string
  readings: readonly string[]
  /** Bits of the letters it may begin with. */ first: number
}
type Sayable = {
  units: readonly Unit[]
  mask: number
  loss: number
  /** As it is compared with what was mistyped. */ near: readonly NearText[]
}
export type Indexed = { id: string; says: readonly Sayable[] }

const letterBit = (code: number): number => {
  if (code >= 97 && code <= 122) return 1 << (code - 97)
  return code >= 48 && code <= 57 ? 1 << 26 : 1 << (27 + (code % 5))
}
const maskOf = (text: string): number => {
  let mask = 0
  for (let i = 0; i < text.length; i++) mask |= letterBit(text.charCodeAt(i))
  return mask
}
const isHan = (sign: string) => /\p{Script=Han}/u.test(sign)
/** Han characters one by one, other words whole. */
const wordsOf = (text: string): string[] =>
  halfWidth(text.normalize('NFKC'))
    .toLowerCase()
    .match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? []

const sayable = (text: string, readings: Readings, loss: number): Sayable => {
  const said = readings[text]?.split(' ') ?? []
  let han = 0
  const units = wordsOf(text).map((sign): Unit => {
    const readings = isHan(sign) ? (said[han++]?.split('/') ?? []) : [sign]
    return {
      sign: isHan(sign) ? sign : '',
      readings,
      first: maskOf((isHan(sign) ? sign : '') + readings.map(reading => reading[0]).join('')),
    }
  })
  return {
    units,
    loss,
    near: nearTextsOf(units),
    mask: units.reduce((mask, unit) => mask | maskOf(unit.sign + unit.readings.join('')), 0),
  }
}
const EN_LOSS = 2
const ALIAS_LOSS = 18
export const indexed = (of: Findable, readings: Readings): Indexed => ({
  id: of.id,
  says: [
    sayable(of.title, readings, 0),
    sayable(of.en, readings, EN_LOSS),
    ...(of.alias ?? []).map(alias => sayable(alias, readings, ALIAS_LOSS)),
  ].filter(said => said.units.length > 0),
})

// What makes a match worse, on a scale of 1000.
const WHOLE = 60
const LATE = 10
const LEADING = 14
const GAP = 40
const SKIPPED = 6
const INITIAL = 3
const PARTIAL = 5
const OTHER_READING = 4
const TRAILING = 1
const NO = -1

const BASE = 500
const MOST = BASE + WHOLE
const LONGEST = 24
const UNITS = 40

// The text being compared, as the hot loops want it: all units of all texts in flat arrays, no
// object touched on the way.
const memo = new Int16Array((UNITS + 1) * (LONGEST + 1))
const bits = new Int32Array(LONGEST)
let query = ''
let width = 1
let flat: Flat
let from = 0
let count = 0

/**
 * Best worth of the query from `j` on when unit `i` is the next that may be used; `after` a used
 * unit, skipping is a gap.
 */
const best = (i: number, j: number): number => {
  if (j === query.length)
    return BASE - Math.min(20, (count - i) * TRAILING) + (i === count ? WHOLE : 0)
  if (i >= count) return NO
  const at = i * width + j
  const known = memo[at]!
  if (known !== 0) return known - 2
  const bit = bits[j]!
  let found = (flat.firsts[from + i]! & bit) === 0 ? NO : saidFrom(i, j)
  // Skip some units and go on, where that could still be better.
  if (j > 0 && found < MOST - GAP - SKIPPED) {
    for (let k = i + 1; k < count; k++) {
      if ((flat.firsts[from + k]! & bit) === 0) continue
      const rest = saidFrom(k, j)
      if (rest !== NO) found = Math.max(found, rest - GAP - (k - i) * SKIPPED)
    }
  }
  memo[at] = found + 2
  return found
}
/** Worth when unit `i` itself says the next letters. */
const saidFrom = (i: number, j: number): number => {
  const unit = from + i
  const { signs, ends, readings, words } = flat
  let found = NO
  if (signs[unit] === query.charCodeAt(j)) found = best(i + 1, j + 1)
  const first = unit === 0 ? 0 : ends[unit - 1]!
  for (let r = first; r < ends[unit]!; r++) {
    if (r > first && found >= MOST - OTHER_READING) break
    const reading = words[readings[r]!]!
    let common = 0
    while (
      common < reading.length &&
      j + common < query.length &&
      reading.charCodeAt(common) === query.charCodeAt(j + common)
    )
      common++
    for (let taken = common; taken > 0; taken--) {
      const rest = best(i + 1, j + taken)
      if (rest === NO) continue
      const shortened = taken === 1 ? INITIAL : PARTIAL
      const loss = taken === reading.length ? 0 : shortened
      const worth = Math.max(0, rest - loss - (r > first ? OTHER_READING : 0))
      if (worth > found) found = worth
    }
  }
  return found
}
type Flat = {
  /**
   * For each unit: bits of what it may begin with, its sign's code (0: none), where its readings
   * end.
   */
  firsts: Int32Array
  signs: Uint16Array
  ends: Int32Array
  /** Readings as numbers of `words`: there are some hundred syllables, however many texts. */
  readings: Int32Array
  words: readonly string[]
}
const flatten = (all: readonly Unit[]): Flat => {
  const words = [...new Set(all.flatMap(unit => unit.readings))]
  const numbers = new Map(words.map((word, i) => [word, i]))
  const readings = Int32Array.from(
    all.flatMap(unit => unit.readings.map(reading => numbers.get(reading)!)),
  )
  let end = 0
  return {
    words,
    readings,
    firsts: Int32Array.from(all, unit => unit.first),
    signs: Uint16Array.from(all, unit => (unit.sign.length === 1 ? unit.sign.charCodeAt(0) : 0)),
    ends: Int32Array.from(all, unit => (end += unit.readings.length)),
  }
}

/**
 * Whether a query says the greater part of an entry's title without a gap: by signs, in full or by
 * initials.
 */
export const isMostOf = (text: string, { says }: Indexed): boolean => {
  const [title] = says
  if (!title || text === '') return false
  const initials = title.units.map(({ sign, readings }) => readings[0]?.[0] ?? sign).join('')
  return [...title.near.map(near => near.text), initials].some(
    said => text.length * 2 > said.length && said.includes(text),
  )
}

/** From here on a text is said whole, from its first letter to its last. */
export const SAID_WHOLE = 521
export type Ranked = { at: number; worth: number }
/** What the moment adds to the worth of an entry, for the query as it is compared. */
type Bonus = (at: number, worth: number, text: string) => number
/** The bonus of an entry that is not to be found at this moment. */
export const HIDDEN = Number.NEGATIVE_INFINITY
/** Fewer hits than these, and what was nearly said is looked for too. */
const FEW = 6
const NEAR_MOST = 30
const placeIn = (top: Ranked[], limit: number, at: number, worth: number): void => {
  if (worth === HIDDEN || (top.length >= limit && top[limit - 1]!.worth >= worth)) return
  let place = top.length
  while (place > 0 && top[place - 1]!.worth < worth) place--
  top.splice(place, 0, { at, worth })
  if (top.length > limit) top.pop()
}
/** What one letter parts from the query, best first, without those that are said exactly. */
const nearHits = (
  entries: readonly Indexed[],
  text: string,
  exact: readonly number[],
  bonus: Bonus,
): Ranked[] => {
  const top: Ranked[] = []
  if (!nearable(text)) return top
  const found = new Set(exact)
  const mask = maskOf(text)
  for (let at = 0; at < entries.length; at++) {
    let worth = NO
    for (const said of entries[at]!.says) {
      const strange = mask & ~said.mask
      // More than one strange letter is more than one mistake.
      if ((strange & (strange - 1)) === 0)
        worth = Math.max(worth, worthNear(text, said.near) - said.loss)
    }
    if (worth > 0 && !found.has(at)) placeIn(top, NEAR_MOST, at, worth + bonus(at, worth, text))
  }
  return top
}
/**
 * Ranks entries for what is typed. Pure but for two caches: letters added to a query search only
 * what the shorter one found. `bonus` speaks for what the moment prefers (the selection's actions,
 * what is used most); it is small beside a better match. Where few are found, those that one
 * mistyped letter parts from the query stand behind them.
 */
export const ranker = (entries: readonly Indexed[]) => {
  const all = entries.map((_, at) => at)
  const says = entries.flatMap(entry => entry.says.filter(said => said.units.length <= UNITS))
  const masks = Int32Array.from(says, said => said.mask)
  const starts = new Int32Array(says.length)
  const units = flatten(says.flatMap(said => said.units))
  for (let i = 1; i < says.length; i++) starts[i] = starts[i - 1]! + says[i - 1]!.units.length
  const owners = new Int32Array(entries.length + 1)
  entries.forEach((entry, at) => {
    owners[at + 1] = owners[at]! + entry.says.filter(said => said.units.length <= UNITS).length
  })
  const counts = Uint8Array.from(says, said => said.units.length)
  const losses = Uint8Array.from(says, said => said.loss)
  /**
   * How well a text is said by the query, if better than `floor`; else -1. Reads flat arrays only,
   * until a first letter fits.
   */
  const worthOf = (s: number, floor: number): number => {
    const of = counts[s]!
    const start = starts[s]!
    const loss = losses[s]!
    // Fewer letters than units: it can't be said whole.
    const most = of > query.length ? BASE - Math.min(20, (of - query.length) * TRAILING) : MOST
    const first = bits[0]!
    let ready = false
    let found = NO
    for (let at = 0; at < of; at++) {
      if ((units.firsts[start + at]! & first) === 0) continue
      const late = at === 0 ? 0 : LATE + Math.min(70, at * LEADING)
      if (
        (at === 0 ? most : Math.min(most, BASE)) - late <=
        (found > floor + loss ? found : floor + loss)
      )
        break
      if (!ready) {
        from = start
        count = of
        if (query.length > 1) memo.fill(0, 0, (of + 1) * width)
        ready = true
      }
      const worth = saidFrom(at, 0)
      // From the middle to the end is not whole.
      if (worth !== NO)
        found = Math.max(found, (at > 0 && worth > BASE ? worth - WHOLE : worth) - late)
    }
    return found === NO ? NO : Math.max(0, found - loss)
  }
  let last: { typed: string; hits: readonly number[] } = { typed: '', hits: all }
  return (typed: string, bonus: Bonus, limit = 30): { top: Ranked[]; total: number } => {
    const text = plain(typed).slice(0, LONGEST)
    const among = text !== '' && last.typed !== '' && text.startsWith(last.typed) ? last.hits : all
    const mask = maskOf(text)
    query = text
    width = text.length + 1
    flat = units
    for (let i = 0; i < text.length; i++) bits[i] = letterBit(text.charCodeAt(i))
    const hits: number[] = []
    const top: Ranked[] = []
    for (const at of among) {
      let worth = text === '' ? 0 : NO
      if (text !== '')
        for (let s = owners[at]!; s < owners[at + 1]!; s++)
          if ((masks[s]! & mask) === mask) worth = Math.max(worth, worthOf(s, worth))
      if (worth === NO) continue
      hits.push(at)
      placeIn(top, limit, at, worth + bonus(at, worth, text))
    }
    last = { typed: text, hits }
    if (top.length < Math.min(FEW, limit))
      top.push(...nearHits(entries, text, hits, bonus).slice(0, limit - top.length))
    return { top, total: hits.length }
  }
}
