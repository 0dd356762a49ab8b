/** The check digit of a code's first eleven. */
export const checkDigitOf = (body: string): number =>
  [...body].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 ? 3 : 1), 0) % 10
/**
 * A code as scanned or typed: full-width digits, spaces and dashes between them are its writing.
 */
export const codeOf = (typed: string): string =>
  typed.normalize('NFKC').replace(/[\s\p{Cf}\p{Pd}]/gu, '')
/**
 * Whether twelve digits may be a code: no leading zero, the last one the check digit of the others.
 */
export const isCode = (digits: string): boolean =>
  /^[1-9]\d{11}$/.test(digits) && Number(digits[11]) === checkDigitOf(digits.slice(0, 11))
