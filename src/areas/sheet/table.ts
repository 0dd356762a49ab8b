import type { Text } from '#src/domain/text.ts'
import { asTyped, columnLetters, headOf, isTotal, plain } from './heads.ts'

/** Rows that may stand above the head: a title, a date, instructions. */
const HEAD_WITHIN = 30
/** Lines of one file. */
export const TABLE_LINES_MAX = 2000
/** Letters of a cell that is read. */
const TABLE_CELL_MAX = 300

/** A column that an import takes: known by its titles, wherever it stands. */
export type SheetColumn = {
  key: string
  title: Text
  /** Other titles under which it is known, as `headOf` compares them. */
  names?: readonly string[]
  /** Without it there is nothing to import. */
  needed?: boolean
  /** What it takes, for whoever fills it in. */
  note: Text
  example: string
}
/** A row below the head; its cells stand in the order of the import's columns. */
type TableLine = {
  /** As the spreadsheet counts, from 1. */ row: number
  cells: string[]
  fault?: Text
  /** Why it is no line: the head once more, a sum, the template's example. */ skipped?: Text
}
type TableRead =
  | {
      /** The columns that are there, by their keys, with the titles that the file gives them. */
      heads: { key: string; head: string }[]
      /** Titles of the file that no column is known by. */
      ignored: string[]
      lines: TableLine[]
    }
  | { fault: Text }
/** Which of a file's sheets was read, which ones could be, and what stands in it. */
export type TableSheets = { sheet: string; sheets: string[]; read: TableRead }
type Rows = readonly (readonly string[])[]
type Head = { at: number; of: ReadonlyMap<string, readonly number[]> }

const knows = (column: SheetColumn, head: string): boolean =>
  [...column.title, ...(column.names ?? [])].some(name => headOf(name) === head)
/** The places of each column in a row of titles. */
const placesIn = (columns: readonly SheetColumn[], row: readonly string[]) => {
  const of = new Map<string, number[]>()
  for (const [at, cell] of row.entries()) {
    const head = headOf(cell)
    const column = head === '' ? undefined : columns.find(one => knows(one, head))
    if (column) of.set(column.key, [...(of.get(column.key) ?? []), at])
  }
  return of
}
const lacking = (columns: readonly SheetColumn[], head: Head | undefined) =>
  columns.filter(one => one.needed && !head?.of.has(one.key))
/** The row that names all needed columns and most others; else the one that comes nearest. */
const findHead = (columns: readonly SheetColumn[], rows: Rows): Head | undefined => {
  let best: Head | undefined
  for (const [at, row] of rows.slice(0, HEAD_WITHIN).entries()) {
    const head = { at, of: placesIn(columns, row) }
    const [lacks, least] = [lacking(columns, head).length, lacking(columns, best).length]
    const isBetter = lacks < least || (lacks === least && head.of.size > (best?.of.size ?? 0))
    if (head.of.size > 0 && isBetter) best = head
  }
  return best
}
const titleOf = (one: SheetColumn): Text => one.title
const quoted = (some: readonly Text[]): Text => [
  some.map(([zh]) => `“${zh}”`).join('、'),
  some.map(([, en]) => `“${en}”`).join(', '),
]
const headFault = (columns: readonly SheetColumn[], head: Head | undefined): Text | undefined => {
  const lacks = quoted(lacking(columns, head).map(titleOf))
  if (!head || lacks[0] !== '')
    return [
      `没有找到${lacks[0]}列：请保留表头行，或下载模板对照列名`,
      `No column ${lacks[1]}: keep the head row, or compare it with the template`,
    ]
  const twice = columns.find(one => (head.of.get(one.key)?.length ?? 0) > 1)
  const at = twice && head.of.get(twice.key)!.map(columnLetters)
  return twice
    ? [
        `“${twice.title[0]}”出现在多列（${at!.join('、')}）：请只保留一列`,
        `“${twice.title[1]}” stands in several columns (${at!.join(', ')}): keep one of them`,
      ]
    : undefined
}
const isBlank = (cells: readonly string[]) => cells.every(cell => plain(cell) === '')
/** Why a row is no line, or undefined. */
const skippedAs = (
  columns: readonly SheetColumn[],
  row: readonly string[],
  cells: readonly string[],
): Text | undefined => {
  const needed = columns.flatMap((one, at) => (one.needed ? [{ one, at }] : []))
  if (needed.every(({ one, at }) => knows(one, headOf(cells[at]))))
    return ['重复的表头，已跳过', 'The head once more: left out']
  if (isTotal(row)) return ['合计行，已跳过', 'A total: left out']
  return columns.every((one, at) => cells[at] === one.example)
    ? ['模板的示例行，已跳过', 'The template’s example: left out']
    : undefined
}
const lineOf = (
  columns: readonly SheetColumn[],
  head: Head,
  { cells: all, row }: { cells: readonly string[]; row: number },
): TableLine => {
  const texts = columns.map(one => asTyped(all[head.of.get(one.key)?.[0] ?? -1]))
  const skipped = skippedAs(columns, all, texts)
  const long = columns.find((_, at) => texts[at]!.length > TABLE_CELL_MAX)
  const cells = texts.map(text => text.slice(0, TABLE_CELL_MAX).toWellFormed())
  if (skipped) return { row, cells, skipped }
  const empty = quoted(columns.filter((one, at) => one.needed && cells[at] === '').map(titleOf))
  if (empty[0] !== '') return { row, cells, fault: [`缺少${empty[0]}`, `Required: ${empty[1]}`] }
  if (!long) return { row, cells }
  const fault: Text = [
    `“${long.title[0]}”超过 ${TABLE_CELL_MAX} 个字，请缩短`,
    `“${long.title[1]}” has more than ${TABLE_CELL_MAX} letters: shorten it`,
  ]
  return { row, cells, fault }
}

/** Reads a table by its head: each row below it is a line, or the table is refused in words. */
const readTable = (columns: readonly SheetColumn[], rows: Rows): TableRead => {
  if (rows.every(isBlank)) return { fault: ['文件中没有内容', 'The file is empty'] }
  const head = findHead(columns, rows)
  const fault = headFault(columns, head)
  if (!head || fault) return { fault: fault! }
  const body = rows
    .map((cells, at) => ({ cells, row: at + 1 }))
    .slice(head.at + 1)
    .filter(({ cells }) => !isBlank(cells))
  if (body.length === 0) return { fault: ['表头下面没有内容', 'There is nothing below the head'] }
  if (body.length > TABLE_LINES_MAX)
    return {
      fault: [
        `共 ${body.length} 行，一次最多导入 ${TABLE_LINES_MAX} 行，请拆成多个文件`,
        `${body.length} lines; at most ${TABLE_LINES_MAX} at once, split the file`,
      ],
    }
  const titles = rows[head.at]!.map(cell => plain(cell).slice(0, 40).toWellFormed())
  const taken = new Set([...head.of.values()].flat())
  return {
    heads: columns.flatMap(({ key }) => {
      const at = head.of.get(key)?.[0]
      return at === undefined ? [] : [{ key, head: titles[at]! }]
    }),
    ignored: titles.filter((title, at) => title !== '' && !taken.has(at)),
    lines: body.map(one => lineOf(columns, head, one)),
  }
}

/**
 * Reads the sheet that is asked for, else the first one whose head names what is needed: notes may
 * stand on the others. `sheets` come with the one first that was open.
 */
export const readTableSheets = (
  columns: readonly SheetColumn[],
  sheets: readonly { name: string; rows: Rows }[],
  asked?: string,
): TableSheets => {
  const usable = sheets.filter(one => !headFault(columns, findHead(columns, one.rows)))
  const wanted = sheets.find(one => one.name === asked) ?? usable[0] ?? sheets[0]
  return {
    sheet: wanted?.name ?? '',
    sheets: usable.map(one => one.name),
    read: readTable(columns, wanted?.rows ?? []),
  }
}
