import { creditCheckSign, creditCodeFault } from './identity.ts'

/** Signs that no credit code has, and what they are misread for. */
const never: Readonly<Record<string, string>> = { O: '0', I: '1', S: '5', Z: '2' }
/** Where digits alone may stand, what letters are misread for. */
const digits: Readonly<Record<string, string>> = {
  ...never,
  Q: '0',
  D: '0',
  U: '0',
  L: '1',
  T: '7',
  A: '4',
  G: '6',
  B: '8',
}
/** Signs that may both stand in a code and are taken for each other. */
const pairs = ['0D', '0Q', '0U', 'DQ', '1L', '1T', '4A', '6G', '7T', '8B', '5B', 'VY', 'EF', 'MN']
const alike: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(pairs.join(''))].map(sign => [
    sign,
    pairs.flatMap(pair => (pair.includes(sign) ? [pair.replace(sign, '')] : [])),
  ]),
)

const LENGTH = 18
/** The places of a code: its kind, eight digits of an authority, nine signs of the organisation. */
const REGION = { from: 1, to: 8 }
const ORGANISATION = { from: 8, check: 16 }
/** A code with what can't stand at its place taken for what it looks like. */
const placed = (signs: string): string =>
  [...signs]
    .map((sign, at) => (at >= REGION.from && at < REGION.to ? digits : never)[sign] ?? sign)
    .join('')
const weights = [3, 7, 9, 10, 5, 8, 4, 2]
const worth = (sign: string): number => (sign >= 'A' ? sign.charCodeAt(0) - 55 : Number(sign))
/** GB 11714: the organisation in a code has a check sign of its own. */
const isOrganisation = (code: string): boolean => {
  const sum = weights.reduce(
    (all, weight, at) => all + weight * worth(code[ORGANISATION.from + at]!),
    0,
  )
  return '0X987654321'[sum % 11] === code[ORGANISATION.check]
}
const fits = (code: string): boolean => creditCodeFault(code) === undefined
const isFormed = (code: string): boolean =>
  fits(code.slice(0, LENGTH - 1) + creditCheckSign(code.slice(0, LENGTH - 1)))
/** The codes that differ from this one by one sign that looks alike. */
const around = (code: string): string[] =>
  [...code].flatMap((sign, at) =>
    at < ORGANISATION.from
      ? []
      : (alike.get(sign) ?? []).map(other => code.slice(0, at) + other + code.slice(at + 1)),
  )
/**
 * A code in which one sign was misread, or two: the only one whose check sign fits, before others the
 * one whose organisation fits too. Checked only by both: of thirty wrong repairs one fits by chance.
 */
const mended = (code: string): CreditCodeRead | undefined => {
  const ones = around(code)
  const twos = () => [...new Set(ones.flatMap(around))]
  const few = ones.filter(fits)
  const all = few.length > 0 ? few : twos().filter(fits)
  const sure = all.filter(isOrganisation)
  const [only, ...more] = sure.length > 0 ? sure : all
  return only === undefined || more.length > 0
    ? undefined
    : { code: only, checked: sure.length > 0 && few.length > 0 }
}

/** A code that was found in a text, and whether its check signs say that it is read right. */
export type CreditCodeRead = { code: string; checked: boolean }
/** Signs in a row, long enough for a code; at most so many begin that look like one. */
const row = /[0-9A-Z]{18,60}/g
const LOOKS_MAX = 8
/** Every eighteen signs in a row that have the form of a code. */
const looksIn = (lines: readonly string[]): string[] => {
  const found: string[] = []
  for (const line of lines)
    for (const [signs] of line.toUpperCase().replace(/[.·]/g, '').matchAll(row))
      for (let at = 0; at + LENGTH <= signs.length && found.length < LOOKS_MAX; at++) {
        const code = placed(signs.slice(at, at + LENGTH))
        if (isFormed(code)) found.push(code)
      }
  return found
}
/**
 * The unified social credit code in lines without spaces: one whose check sign fits as it is read,
 * else one that signs which look alike explain, else the first that has its form.
 */
export const findCreditCode = (lines: readonly string[]): CreditCodeRead | undefined => {
  const looks = looksIn(lines)
  const right = looks.find(fits)
  if (right) return { code: right, checked: true }
  const repairs = looks.flatMap(code => mended(code) ?? [])
  const best = repairs.find(one => one.checked) ?? repairs[0]
  if (best) return best
  const [first] = looks
  return first === undefined ? undefined : { code: first, checked: false }
}
