import type { Text } from '#src/domain/text.ts'

export const SHEET_MAX_BYTES = 2 * 1024 * 1024
/** What a workbook may unpack to: 5,000 long lines are a tenth of it. */
export const UNPACKED_MAX = 24 * 1024 * 1024
/** From this size on a part may be at most `RATIO_MAX` times what it is packed to. */
export const RATIO_FROM = 1024 * 1024
/** Rows that a spreadsheet repeats pack to a fiftieth; what packs better was made to be unpacked. */
export const RATIO_MAX = 200
export const ROWS_MAX = 6000
export const COLUMNS_MAX = 100
/** Cells that hold something, in all sheets that are read. */
export const CELLS_MAX = 300_000
/** Letters that a spreadsheet lets a cell have. */
export const CELL_LETTERS_MAX = 32_767
/** The letters that are kept of a cell: all of its rows may hold the same long text. */
const CELL_KEPT = 1000

/** The reason why a file is refused, thrown from wherever it is found. */
export class SheetFault extends Error {
  constructor(readonly text: Text) {
    super(text[0])
  }
}
const fault = (zh: string, en: string) => new SheetFault([zh, en])

export const damaged = () =>
  fault(
    '文件已损坏或不是表格文件，请另存为 .xlsx 或 .csv 后重新上传',
    'The file is damaged or no spreadsheet: save it as .xlsx or .csv and upload it again',
  )
export const tooBig = () =>
  fault(
    '文件解压后过大，请只保留需要的列后另存',
    'The file unpacks to too much: keep only the columns that are needed',
  )
export const tooLong = () =>
  fault(
    `表格超过 ${ROWS_MAX} 行或 ${COLUMNS_MAX} 列，请删去多余的行列或拆成多个文件`,
    `More than ${ROWS_MAX} rows or ${COLUMNS_MAX} columns: delete what is not needed, or split the file`,
  )
export const tooMany = () =>
  fault(
    `表格超过 ${CELLS_MAX} 个单元格，请只保留需要的列后另存`,
    `More than ${CELLS_MAX} cells: keep only the columns that are needed`,
  )
export const tooMuchInCell = (cell: string) =>
  fault(
    `单元格 ${cell} 超过 ${CELL_LETTERS_MAX} 个字，请删去后重新上传`,
    `Cell ${cell} holds more than ${CELL_LETTERS_MAX} letters: delete it and upload the file again`,
  )

/** A cell's text as it is kept. */
export const kept = (text: string): string =>
  text.length > CELL_KEPT ? text.slice(0, CELL_KEPT) : text

/** A sheet's cells as texts; `rows[0]` is row 1. All rows are as wide as the widest. */
export type Sheet = {
  /** Empty where a file holds one table without a name. */ name: string
  rows: string[][]
  /** Rows that the spreadsheet does not show, from 1: filtered, or folded away. */ hidden: number[]
  /** Lines of the file that hold something, cells with line ends in them counted in full. */
  lines: number
}
/** The visible sheets of a file, the one that was open first; or what is wrong, in words. */
export type SheetRead = { sheets: Sheet[] } | { fault: Text }
