// Excel and its kin take a cell that begins so for a formula; the full-width forms too, once an
// input method has been at them.
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/** Text that no spreadsheet takes for a formula. */
export const defused = (text: string): string => (formula.test(text) ? `'${text}` : text)
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)'
/**
 * Texts that Excel makes a number, a date or a time of: many digits, zeros in front, powers of ten,
 * `3-8`, `1/2`, `3-8-1`, `1:30`, `MAR1`. A whole date with its year stays the date that it is.
 */
const respelt = [
  /^\d{12,}$/,
  /^0\d+$/,
  /^\d+(?:\.\d*)?e[+-]?\d+$/i,
  /^\d{1,2}[-/]\d{1,4}(?:[-/]\d{1,2})?$/,
  /^\d{1,4}:\d{1,2}$/,
  new RegExp(`^(?:\\d{1,2}[-/ ]?)?${month}[-/ ]?\\d{1,4}$`, 'i'),
]
/** The longest text that is looked at: what is longer is no code, unless it is digits alone. */
const CODE_MAX = 24
const isRespelt = (text: string): boolean =>
  text.length > CODE_MAX ? respelt[0]!.test(text) : respelt.some(one => one.test(text))
const special = /[",\r\n]/
/**
 * A text as a field of a CSV file. A long number would be shown as 1.23E+15, the code 007 as 7 and
 * 3-8 as a day: a tab before it keeps it text. A lone line feed is quoted too: it would end the line
 * for every reader there is.
 */
export const csvField = (text: string): string => {
  const safe = isRespelt(text) ? `\t${text}` : defused(text)
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
