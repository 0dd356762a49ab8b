import {
  CELL_LETTERS_MAX,
  COLUMNS_MAX,
  ROWS_MAX,
  SheetFault,
  damaged,
  kept,
  tooLong,
  type Sheet,
} from './limits.server.ts'

/** Between cells; of two that fit a file equally the first is meant. */
const DELIMITERS = [',', '\t', ';', '|', '，'] as const
/** Lines that tell which delimiter a file has. */
const LOOK_AT = 40

/** A row, and what is known of the cells in it that hold line ends. */
type Row = {
  cells: string[]
  /** Line of the file that it begins at, from 1. */ line: number
  /** Line ends in its cells. */ breaks: number
  /** Lines inside one cell, the first excepted, and the most delimiters that one of them holds. */
  inside: number
}

const isLineEnd = (letter: string | undefined) => letter === '\n' || letter === '\r'
/** Reads rows one after the other; each letter is looked at a fixed number of times. */
class Reader {
  private at = 0
  private line = 1
  /** No quote stands behind the place where one was last looked for in vain. */
  private unquoted = false
  constructor(
    private readonly text: string,
    private readonly delimiter: string,
  ) {}

  next(): Row | undefined {
    if (this.at >= this.text.length) return undefined
    const row: Row = { cells: [], line: this.line, breaks: 0, inside: -1 }
    for (;;) {
      row.cells.push(this.cell(row))
      if (row.cells.length > COLUMNS_MAX) throw tooLong()
      if (this.text[this.at] !== this.delimiter) break
      this.at++
    }
    if (this.text[this.at] === '\r' && this.text[this.at + 1] === '\n') this.at++
    this.at++
    this.line += row.breaks + 1
    return row
  }

  private cell(row: Row): string {
    const quoted = this.text[this.at] === '"' ? this.quotedEnd() : -1
    const from = this.at
    const end = quoted < 0 ? this.plainEnd() : quoted
    if (end - from > CELL_LETTERS_MAX) throw endless(row.line)
    this.at = end
    if (quoted < 0) return kept(this.text.slice(from, end))
    const inner = this.text.slice(from + 1, this.text.lastIndexOf('"', end - 1))
    const [, ...more] = inner.split(/\r\n|\r|\n/)
    row.breaks += more.length
    for (const one of more) row.inside = Math.max(row.inside, one.split(this.delimiter).length - 1)
    return kept(inner.replaceAll('""', '"'))
  }

  private plainEnd(): number {
    let at = this.at
    while (at < this.text.length && this.text[at] !== this.delimiter && !isLineEnd(this.text[at]))
      at++
    return at
  }

  /**
   * The place behind a cell in quotes; -1 where its quote is a sign like any other: nothing closes
   * it, or what stands behind the closing one belongs to no cell (`"5寸屏`).
   */
  private quotedEnd(): number {
    if (this.unquoted) return -1
    let quote = this.text.indexOf('"', this.at + 1)
    while (quote >= 0 && this.text[quote + 1] === '"') quote = this.text.indexOf('"', quote + 2)
    if (quote < 0) {
      this.unquoted = true
      return -1
    }
    let end = quote + 1
    while (this.text[end] === ' ') end++
    const next = this.text[end]
    return next === undefined || next === this.delimiter || isLineEnd(next) ? end : -1
  }
}

const endless = (line: number) =>
  new SheetFault([
    `CSV 第 ${line} 行有一格超过 ${CELL_LETTERS_MAX} 个字，可能有未闭合的引号，请修改后重新上传`,
    `Line ${line} of the CSV has a cell of more than ${CELL_LETTERS_MAX} letters, a quote may be left open: mend it and upload the file again`,
  ])
const swallowing = (line: number) =>
  new SheetFault([
    `CSV 第 ${line} 行的引号没有成对，后面的行会被当成同一格：补上或删去这个引号后重新上传`,
    `A quote in line ${line} of the CSV has no partner, so that the lines below would be part of its cell: close or delete it and upload the file again`,
  ])

const isBlank = (cells: readonly string[]) => cells.every(cell => cell.trim() === '')
/** How many columns most rows have, and how many rows have that many; single cells say nothing. */
const usualWidth = (rows: readonly Row[]): { width: number; rows: number } => {
  const counts = new Map<number, number>()
  for (const { cells } of rows)
    if (cells.length > 1 && !isBlank(cells))
      counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  let best = { width: 1, rows: 0 }
  for (const [width, n] of counts)
    if (n > best.rows || (n === best.rows && width > best.width)) best = { width, rows: n }
  return best
}
const firstRows = (text: string, delimiter: string): Row[] => {
  const reader = new Reader(text, delimiter)
  const rows: Row[] = []
  try {
    for (let row = reader.next(); row && rows.length < LOOK_AT; row = reader.next()) rows.push(row)
  } catch {
    // With this delimiter it can't be read; another one may fit.
  }
  return rows
}
/** The delimiter that parts most lines alike, whatever stands above the table. */
const delimiterOf = (text: string): string => {
  let best = { delimiter: ',', rows: 0 }
  for (const delimiter of DELIMITERS) {
    const { rows } = usualWidth(firstRows(text, delimiter))
    if (rows > best.rows) best = { delimiter, rows }
  }
  return best.delimiter
}

/**
 * Whether a cell took lines into itself that are rows of their own: one of them holds a row's
 * delimiters, or the row has become wider than the others.
 */
const swallows = ({ cells, inside }: Row, width: number): boolean =>
  inside >= 0 && width > 1 && (inside >= width - 1 || cells.length > width)

/**
 * Reads a table of text with whatever stands between its cells and at the end of its lines, mixed
 * too. A quote that closes nothing is a sign like any other; a file in which one would swallow
 * lines is refused. Throws SheetFault.
 */
export const readDelimited = (whole: string): Sheet => {
  const named = /^sep=(.)(?:\r\n|\r|\n)/.exec(whole)
  const text = named ? whole.slice(named[0].length) : whole
  const reader = new Reader(text, named?.[1] ?? delimiterOf(text))
  const rows: Row[] = []
  for (let row = reader.next(); row; row = reader.next()) {
    if (rows.length >= ROWS_MAX) throw tooLong()
    rows.push(row)
  }
  const { width } = usualWidth(rows.slice(0, LOOK_AT))
  const bad = rows.find(row => swallows(row, width))
  if (bad) throw swallowing(bad.line + (named ? 1 : 0))
  // Counted by another way than they were read: no line may be lost between the two.
  const counted = text === '' ? 0 : text.split(/\r\n|\r|\n/).length - (/[\r\n]$/.test(text) ? 1 : 0)
  if (counted !== rows.reduce((sum, row) => sum + 1 + row.breaks, 0)) throw damaged()
  return {
    name: '',
    rows: rows.map(row => row.cells),
    hidden: [],
    lines: rows.reduce((sum, row) => sum + (isBlank(row.cells) ? 0 : 1 + row.breaks), 0),
  }
}
