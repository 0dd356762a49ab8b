/**
 * The signs that a code is made of. None looks like another (no 0 O, 1 I L), and their number is
 * prime: only then does the check sign catch every wrong sign and every swap of neighbours.
 */
export const alphabets = {
  mixed: '23456789ABCDEFGHJKMNPQRSTUVWXYZ',
  letters: 'ABCDEFGHJKMNPQRSTUVWXYZ',
  digits: '2345679',
} as const
export type Alphabet = keyof typeof alphabets
export const alphabetWords = {
  mixed: ['字母与数字', 'Letters and digits'],
  letters: ['仅字母', 'Letters'],
  digits: ['仅数字', 'Digits'],
} as const satisfies Record<Alphabet, readonly [string, string]>

export const CODE_MIN = 8
export const CODE_MAX = 32
/** So many codes that could be stand behind each that is. */
export const SPACE_PER_CODE = 1_000_000
const GROUP = 4

const anyDash = /[\s\p{Pd}\u2212\u00ad\u200b-\u200d\u2060\ufeff_·.]/gu
/** A code as it is kept: case, spaces, hyphens and full-width signs make no difference. */
export const normalCode = (typed: string): string =>
  typed.normalize('NFKC').replace(anyDash, '').toUpperCase()
/** Whether a text could be a code of anybody's at all, ours or one that was imported. */
export const isCodeLike = (code: string): boolean =>
  code.length >= 4 && code.length <= CODE_MAX && /^[0-9A-Z]+$/.test(code)
/** What stands between codes that were pasted: white space, a comma or a semicolon of any width. */
export const codesIn = (pasted: string): string[] =>
  pasted
    .normalize('NFKC')
    .split(/[\s,;、]+/)
    .map(normalCode)
    .filter(Boolean)

/**
 * Signs are weighed by their place, 1 to p − 1 over and over: no weight and no difference of
 * neighbours' weights is a multiple of the prime p.
 */
const weightAt = (at: number, prime: number): number => (at % (prime - 1)) + 1
const sumOf = (signs: string, of: Alphabet): number => {
  const all = alphabets[of]
  return [...signs].reduce((sum, sign, at) => sum + weightAt(at, all.length) * all.indexOf(sign), 0)
}
/** The sign that completes a code; `body` is made of the alphabet alone. */
export const checkSign = (body: string, of: Alphabet): string => {
  const all = alphabets[of]
  const rest = sumOf(body, of) % all.length
  const weight = weightAt(body.length, all.length)
  return [...all].find((_, value) => (rest + weight * value) % all.length === 0)!
}
/** Whether every sign is of the alphabet and the last one is right. */
export const isSound = (code: string, of: Alphabet): boolean =>
  code.length > 1 &&
  [...code].every(sign => alphabets[of].includes(sign)) &&
  sumOf(code, of) % alphabets[of].length === 0

/** How many codes of that form there could be: the signs after the prefix, but for the check sign. */
export const codeSpace = (of: { alphabet: Alphabet; length: number; prefix: string }): number =>
  alphabets[of.alphabet].length ** Math.max(0, of.length - of.prefix.length - 1)
/** How many codes could be for each that is: what a guesser is up against. */
export const strengthOf = (
  of: { alphabet: Alphabet; length: number; prefix: string },
  quantity: number,
): number => codeSpace(of) / Math.max(1, quantity)

/** What a code of that form looks like; it is no code of anybody's. */
export const sampleCode = (of: { alphabet: Alphabet; length: number; prefix: string }): string => {
  const signs = alphabets[of.alphabet]
  const random = Math.max(0, of.length - of.prefix.length - 1)
  const body =
    of.prefix +
    Array.from({ length: random }, (_, at) => signs[(at * 7 + 3) % signs.length]).join('')
  return body + checkSign(body, of.alphabet)
}

/** A code for print, in groups of four: `ABCD-EFGH-JK`. */
export const groupedCode = (code: string): string =>
  code.replace(new RegExp(`(.{${GROUP}})(?=.)`, 'g'), '$1-')
export const tailOf = (code: string): string => code.slice(-GROUP)
/** All that lists show of a code. */
export const maskedCode = (tail: string): string => `••••${tail}`
