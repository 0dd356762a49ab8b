/** The cells of a grid that is edited: what their text means, and how blocks of them are written down. */
import { centsOf } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'

/** Money is typed and shown in yuan, and held in cents. */
export type CellKind = 'text' | 'integer' | 'money'
export type CellValue = string | number | null
/** What a cell holds, or why its text is none of that. */
export type CellRead =
  | { value: CellValue; fault?: undefined }
  | { value?: undefined; fault: Text; words?: Readonly<Record<string, string | number>> }

type Bounds = { min?: number; max?: number; optional?: boolean }
export type GridColumn<Row> = Bounds & {
  key: string
  title: Text
  width: number
  kind: CellKind
  of: (row: Row) => CellValue
  /** True where the cell may be edited; else why not. A column without it is read-only. */
  edits?: (row: Row) => true | Text
  /** What else is wrong with a value; `at` tells what the row holds in another column. */
  check?: (value: CellValue, row: Row, at: (key: string) => CellValue) => Text | undefined
  /** Read-only words in place of the value itself. */
  shows?: (row: Row) => string
}

/** A value as it is typed: money without separators, so that a spreadsheet takes it as a number. */
export const cellText = (kind: CellKind, value: CellValue): string => {
  if (value === null) return ''
  return kind === 'money' ? (Number(value) / 100).toFixed(2) : String(value)
}
const INTEGER = /^[+-]?\d{1,15}$/
const numberOf = (kind: 'integer' | 'money', typed: string): number | undefined => {
  if (kind === 'money') return centsOf(typed.normalize('NFKC').replace(/元$/, ''))
  const plain = typed.normalize('NFKC').replace(/[\s,]/g, '')
  return INTEGER.test(plain) ? Number(plain) : undefined
}
const notNumber = {
  money: ['请填写金额，如 19.90', 'An amount such as 19.90'],
  integer: ['请填写整数', 'A whole number'],
} as const satisfies Record<'integer' | 'money', Text>
const boundFault = (kind: CellKind, value: number, { min, max }: Bounds): CellRead | undefined => {
  if (min !== undefined && value < min)
    return { fault: ['不能小于 {n}', 'At least {n}'], words: { n: cellText(kind, min) } }
  return max !== undefined && value > max
    ? { fault: ['不能大于 {n}', 'At most {n}'], words: { n: cellText(kind, max) } }
    : undefined
}
/** What a text means in a column; full-width digits, separators and ¥ are understood. */
export const readCell = (of: Bounds & { kind: CellKind }, typed: string): CellRead => {
  const text = typed.trim()
  if (text === '')
    return of.optional ? { value: null } : { fault: ['不能为空', 'It can’t be empty'] }
  if (of.kind === 'text')
    return of.max !== undefined && text.length > of.max
      ? { fault: ['最多 {n} 字', 'At most {n} characters'], words: { n: of.max } }
      : { value: text }
  const value = numberOf(of.kind, text)
  if (value === undefined) return { fault: notNumber[of.kind] }
  return boundFault(of.kind, value, of) ?? { value }
}

/** Reads a cell in quotes from `at` on, and where it ends. */
const quoted = (text: string, at: number): [string, number] => {
  let cell = ''
  let next = at + 1
  while (next < text.length) {
    if (text[next] !== '"') cell += text[next]
    else if (text[next + 1] === '"') {
      cell += '"'
      next += 1
    } else return [cell, next + 1]
    next += 1
  }
  return [cell, next]
}
const END = /[\t\n]/g
/** Reads a cell up to the next tab or line. */
const plain = (text: string, at: number): [string, number] => {
  END.lastIndex = at
  const end = END.exec(text)?.index ?? text.length
  return [text.slice(at, end), end]
}
/** Reads lines of cells as Excel copies them: tabs between, a cell that holds one or a line in quotes. */
export const readBlock = (copied: string): string[][] => {
  const text = copied.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(/\n$/, '')
  const rows: string[][] = [[]]
  let at = 0
  for (;;) {
    const [cell, end] = text[at] === '"' ? quoted(text, at) : plain(text, at)
    // Whatever follows the closing quote belongs to the cell, as a spreadsheet reads it.
    const [rest, stop] = plain(text, end)
    rows.at(-1)!.push(cell + rest)
    if (stop >= text.length) return rows
    if (text[stop] === '\n') rows.push([])
    at = stop + 1
  }
}
/** Writes lines of cells as Excel does. */
export const writeBlock = (rows: readonly (readonly string[])[]): string =>
  rows
    .map(row =>
      row
        .map(cell => (/["\t\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join('\t'),
    )
    .join('\n')

export type Place = { row: number; column: number }
/** A rectangle of cells, its last row and column among them. */
export type Range = { top: number; left: number; bottom: number; right: number }
export const rangeOf = (a: Place, b: Place): Range => ({
  top: Math.min(a.row, b.row),
  left: Math.min(a.column, b.column),
  bottom: Math.max(a.row, b.row),
  right: Math.max(a.column, b.column),
})
export const placesIn = (range: Range): Place[] =>
  Array.from({ length: range.bottom - range.top + 1 }, (_, down) =>
    Array.from({ length: range.right - range.left + 1 }, (__, aside) => ({
      row: range.top + down,
      column: range.left + aside,
    })),
  ).flat()
export type Typed = Place & { text: string }
/**
 * Where the cells of a block come to stand that is pasted on a range: once from its corner on, or so
 * often as it fits in whole. What reaches beyond the grid is left out and counted.
 */
export const pasted = (
  block: readonly (readonly string[])[],
  range: Range,
  size: { rows: number; columns: number },
): { typed: Typed[]; beyond: number } => {
  const [high, wide] = [block.length, Math.max(...block.map(row => row.length))]
  const [rows, columns] = [range.bottom - range.top + 1, range.right - range.left + 1]
  const isWhole = rows % high === 0 && columns % wide === 0
  const area = {
    ...range,
    bottom: range.top + (isWhole ? rows : high) - 1,
    right: range.left + (isWhole ? columns : wide) - 1,
  }
  const all = placesIn(area).flatMap(({ row, column }) => {
    const text = block[(row - range.top) % high]![(column - range.left) % wide]
    return text === undefined ? [] : [{ row, column, text }]
  })
  const typed = all.filter(({ row, column }) => row < size.rows && column < size.columns)
  return { typed, beyond: all.length - typed.length }
}
/** The cells of a range as its first row has them; of one row, as the row above has them. */
export const filledDown = (range: Range, textAt: (at: Place) => string): Typed[] => {
  const from = range.top === range.bottom ? range.top - 1 : range.top
  if (from < 0) return []
  return placesIn({ ...range, top: from + 1 }).map(at => ({
    ...at,
    text: textAt({ row: from, column: at.column }),
  }))
}
/** The corner of a range across from a cell that stands at one of its corners. */
export const opposite = (from: Place, range: Range): Place => ({
  row: from.row === range.top ? range.bottom : range.top,
  column: from.column === range.left ? range.right : range.left,
})
