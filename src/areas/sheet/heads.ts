/** How the heads and cells of a sheet are compared, whatever stands in it. */

/** A cell's text, half-width and without signs that can't be seen. */
export const plain = (cell: string | undefined): string =>
  (cell ?? '')
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}]/gu, ' ')
    .trim()
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '【': '】' }
/** A text without what stands in brackets; each letter is looked at once. */
const outsideBrackets = (text: string): string => {
  let out = ''
  let until = ''
  let inside = ''
  for (const letter of text) {
    if (until === '' && closing[letter]) until = closing[letter]!
    else if (letter === until) {
      until = ''
      inside = ''
    } else if (until === '') out += letter
    else inside += letter
  }
  return out + inside
}
/** A head as it is compared: without spaces, signs, and what stands in brackets (`快递单号（必填）`). */
export const headOf = (cell: string | undefined): string =>
  outsideBrackets(plain(cell).toLowerCase()).replace(/[^\p{L}\p{N}]/gu, '')

/** `="123"` and `'123` are how spreadsheets are told that a number is text. */
const unwrap = (text: string): string => {
  const inner =
    text.length > 2 && text.startsWith('="') && text.endsWith('"') ? text.slice(2, -1) : text
  return inner.startsWith("'") ? inner.slice(1) : inner
}
export const unwrapped = (cell: string | undefined): string => unwrap(plain(cell))
/** The same of a cell that is kept as it was typed: a name keeps its full-width signs. */
export const asTyped = (cell: string | undefined): string =>
  unwrap((cell ?? '').replace(/\p{Cc}/gu, ' ').trim()).toWellFormed()
const totals = ['合计', '总计', '小计', '共计', 'total', 'subtotal', 'grandtotal']
/** Whether a row is a sum: its first cell that holds something says so. */
export const isTotal = (cells: readonly string[]): boolean =>
  totals.includes(headOf(cells.find(cell => plain(cell) !== '')))
/** Letters of a column, from 0, as spreadsheets name it. */
export const columnLetters = (column: number): string =>
  (column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1)) +
  String.fromCharCode(65 + (column % 26))
