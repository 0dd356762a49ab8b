// Excel and its kin take a cell that begins so for a formula; the full-width forms too, once an
// input method has been at them.
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/** Text that no spreadsheet takes for a formula. */
export const defused = (text: string): string => (formula.test(text) ? `'${text}` : text)
const manyDigits = /^\d{12,}$/
const special = /[",\r\n]/
/**
 * A text as a field of a CSV file. A long number would be shown as 1.23E+15: a tab before it keeps
 * it text. A lone line feed is quoted too: it would end the line for every reader there is.
 */
export const csvField = (text: string): string => {
  const safe = text.length >= 12 && manyDigits.test(text) ? `\t${text}` : defused(text)
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
