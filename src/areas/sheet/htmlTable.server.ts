import {
  CELL_LETTERS_MAX,
  CELLS_MAX,
  COLUMNS_MAX,
  ROWS_MAX,
  kept,
  tooLong,
  tooMany,
  tooMuchInCell,
  type Sheet,
} from './limits.server.ts'
import { attributesOf, decoded, walk } from './markup.server.ts'

/** Whether a text is a web page, as many systems save one under the name of .xls. */
export const isHtml = (text: string): boolean =>
  /^\s*</.test(text) && /<table[\s>]/i.test(text.slice(0, 200_000))

const spanOf = (text: string | undefined, most: number): number => {
  const span = Number(text ?? 1)
  return Number.isInteger(span) && span >= 1 ? Math.min(span, most) : 1
}
/** A table while it is read: `down` holds the cells that reach into the rows below, by column. */
class Table {
  readonly rows: string[][] = []
  private readonly down = new Map<number, { text: string; left: number }>()
  constructor(private readonly budget: { cells: number }) {}

  begin() {
    this.finish()
    if (this.rows.length >= ROWS_MAX) throw tooLong()
    this.rows.push([])
  }
  /** Writes the cells from above that stand at the end of the row. */
  finish() {
    if (this.rows.length > 0) this.fill()
  }
  add(text: string, across: number, below: number) {
    if (this.rows.length === 0) this.begin()
    this.fill()
    for (let n = 0; n < across; n++) {
      const column = this.put(n === 0 ? text : '')
      if (below > 1) this.down.set(column, { text: n === 0 ? text : '', left: below - 1 })
    }
  }
  private fill() {
    const row = this.rows.at(-1)!
    for (let above = this.down.get(row.length); above; above = this.down.get(row.length)) {
      if (--above.left === 0) this.down.delete(row.length)
      this.put(above.text)
    }
  }
  private put(text: string): number {
    const row = this.rows.at(-1)!
    if (row.length >= COLUMNS_MAX) throw tooLong()
    if (--this.budget.cells < 0) throw tooMany()
    return row.push(text) - 1
  }
}

/** Reads the largest table of a web page; cells that reach over several rows stand in each. */
export const readHtml = (text: string): Sheet => {
  const budget = { cells: CELLS_MAX }
  const tables: Table[] = []
  let cell: { text: string; across: number; below: number } | undefined
  const finishCell = () => {
    if (cell) tables.at(-1)?.add(kept(cell.text.trim()), cell.across, cell.below)
    cell = undefined
  }
  walk(
    text,
    {
      open: (tag, attributes) => {
        const name = tag.toLowerCase()
        if (name === 'table') tables.push(new Table(budget))
        if (name === 'tr' || name === 'td' || name === 'th') finishCell()
        if (name === 'tr') tables.at(-1)?.begin()
        if (name === 'br' && cell) cell.text += '\n'
        if (name !== 'td' && name !== 'th') return
        const of = attributesOf(attributes)
        const [across, below] = [
          spanOf(of.get('colspan'), COLUMNS_MAX),
          spanOf(of.get('rowspan'), ROWS_MAX),
        ]
        cell = { text: '', across, below }
      },
      close: tag => {
        if (!/^(?:td|th|tr|table)$/i.test(tag)) return
        finishCell()
        if (/^(?:tr|table)$/i.test(tag)) tables.at(-1)?.finish()
      },
      text: (more, raw) => {
        if (!cell) return
        cell.text += (raw ? more : decoded(more)).replace(/[\r\n\t]/g, ' ')
        if (cell.text.length > CELL_LETTERS_MAX)
          throw tooMuchInCell(String(tables.at(-1)?.rows.length ?? 1))
      },
    },
    true,
  )
  finishCell()
  const largest = tables.reduce<readonly string[][]>(
    (best, { rows }) => (rows.length > best.length ? rows : best),
    [],
  )
  const width = largest.reduce((most, row) => Math.max(most, row.length), 0)
  return {
    name: '',
    rows: largest.map(row => Array.from({ length: width }, (_, at) => row[at] ?? '')),
    hidden: [],
    lines: largest.filter(row => row.some(one => one.trim() !== '')).length,
  }
}
