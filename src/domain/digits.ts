/** Digits that a spreadsheet keeps of a number; the ones behind become zeros. */
const DIGITS_KEPT = 15
/** A decimal as programs write one, and what spreadsheets make of many digits: `4.38E+12`. */
const decimal = /^[+-]?(\d*)\.(\d+)$/
const scientific = /^[+-]?(\d)(?:\.(\d+))?e([+-]?)(\d{1,3})$/i

/** Whether all of these digits are those that were typed: only a program writes more than 15. */
export const allKept = (digits: string): boolean =>
  digits.length <= DIGITS_KEPT || (Number.isSafeInteger(Number(digits)) && !digits.endsWith('0'))
/**
 * The digits of a whole number that was turned into a decimal (`331234567890.0`) or into powers of
 * ten (`4.312098765543E12`), where it holds them all; undefined for any other text. No digit is ever
 * made of what stands behind a point.
 */
export const wholeDigits = (text: string): string | undefined => {
  const [, whole, fraction] = decimal.exec(text) ?? []
  if (fraction !== undefined)
    return whole && !text.startsWith('-') && /^0+$/.test(fraction) && allKept(whole)
      ? whole
      : undefined
  const [, first, rest = '', sign, power] = scientific.exec(text) ?? []
  if (first === undefined || sign === '-' || text.startsWith('-')) return undefined
  const digits = first + rest.slice(0, Number(power))
  const isWhole = digits.length === Number(power) + 1 && /^0*$/.test(rest.slice(Number(power)))
  return isWhole && allKept(digits) ? digits : undefined
}

/** The way in which a spreadsheet lost a number's digits. */
export type Lost = 'decimal' | 'digits' | 'date' | 'formula'
const day = /^\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?(?: \d{1,2}:\d{2}(?::\d{2})?)?$/
/** Tells what a number has lost; undefined where it has lost nothing. */
export const lostOf = (typed: string): Lost | undefined => {
  const text = typed.normalize('NFKC').trim()
  if (day.test(text)) return 'date'
  if (/^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)$/i.test(text)) return 'formula'
  const compact = text.replace(/\s/g, '')
  if (wholeDigits(compact) !== undefined) return undefined
  if (scientific.test(compact)) return 'digits'
  return decimal.test(compact) ? 'decimal' : undefined
}
