import { expect } from 'vitest'
import type { ImportLine, ImportOutcome, ImportTrial } from '#src/contract/importing.ts'
import { csvField } from '#src/domain/csv.ts'
import { say, type Lang } from '#src/domain/text.ts'
import { exportNamed } from '#src/server/exports/exports.ts'
import { cellOf, csvSheet, xlsxSheet } from '#src/server/exports/sheets.ts'

/** A .csv of these rows, as base64. */
export const csvFile = (rows: readonly (readonly string[])[]): string =>
  Buffer.from(`\ufeff${rows.map(cells => cells.map(csvField).join(',')).join('\r\n')}`).toString(
    'base64',
  )
/** A file as an export of ours writes these rows, as base64. */
export const exported = (
  page: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  { format, lang }: { format: 'csv' | 'xlsx'; lang: Lang },
): string => {
  const { columns } = exportNamed(page)!
  const titles = columns.map(column => say(column.title, lang))
  const sheet =
    format === 'csv' ? csvSheet(titles, { mark: 'a'.repeat(16) }) : xlsxSheet(titles, page)
  const cells = rows.map(row => columns.map(({ key, kind }) => cellOf(row[key], kind)))
  return Buffer.concat([...sheet.head(), ...sheet.rows(cells), ...sheet.end()]).toString('base64')
}
type Said = { status: number; message: string; data: any }
type Call = (input: object) => Promise<Said>
/** How a file is tried and its lines imported, by two calls of an import. */
export const importer = (read: Call, write: Call) => {
  const tried = async (file: string): Promise<ImportTrial> => {
    const said = await read({ file })
    expect(said.status, said.message).toBe(200)
    return said.data
  }
  const sent = async (
    lines: readonly ImportLine[],
    more: object = {},
  ): Promise<ImportOutcome[]> => {
    const ready = lines.filter(line => line.state === 'ready')
    const said = await write({
      lines: ready.map(({ row, cells, version }) => ({ row, cells, version })),
      ...more,
    })
    expect(said.status, said.message).toBe(200)
    return said.data.lines
  }
  return { tried, sent }
}
