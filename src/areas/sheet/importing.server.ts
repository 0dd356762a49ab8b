/** The machinery of imports: whoever imports something says its columns, what a line means, and how it is written. */
import type { ImportLine, ImportOutcome, ImportTrial } from '#src/contract/importing.ts'
import { say, semicolon, type Lang, type Text } from '#src/domain/text.ts'
import { tryRows } from '#src/server/call/batch.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import type { Refusal } from '#src/server/call/refuse.ts'
import { xlsxSheet } from '#src/server/exports/sheets.ts'
import { parseFile } from '#src/server/files/parsing.ts'
import type { SheetColumn } from './table.ts'

/** A line's cells by their columns; a column that the file has not is empty. */
type Cells<K extends string = string> = Readonly<Record<K, string>>
export type CellLine<K extends string = string> = { row: number; cells: Cells<K> }
/** What would become of a line; `given` is what writing it needs. */
export type Foreseen<G> = {
  row: number
  state: 'ready' | 'already' | 'bad'
  name: string
  text: Text
  version: number | null
  given?: G
}
export type Reader = { tx: Db; staff: Staff; now: number }
/** `foresee` answers each line, in a few reads for all of them. */
export type Import<K extends string, G> = {
  title: Text
  columns: readonly (SheetColumn & { key: K })[]
  foresee: (context: Reader, lines: readonly CellLine<K>[]) => Promise<Foreseen<G>[]>
}

const NO_MARK = '0'.repeat(16)
const sheetWords = {
  notes: ['填写说明', 'Notes'],
  needed: ['必填', 'Required'],
  first: ['说明', 'Note'],
  text: [
    '从第二行起填写，示例行可保留（导入时跳过）或删去；列的顺序不限，不需要的列可删去',
    'Fill in from the second row; the example may stay, it is left out. Columns stand in any order',
  ],
} as const satisfies Record<string, Text>
/** A workbook with the titles, an example and, on a second sheet, what each column takes. */
export const templateOf = (
  { title, columns }: Pick<Import<string, unknown>, 'title' | 'columns'>,
  { staff: { lang, name }, now }: { staff: Pick<Staff, 'lang' | 'name'>; now: number },
): { name: string; file: string } => {
  const words = (of: Text) => say(of, lang)
  const noted = columns.map(
    one =>
      [
        words(one.title),
        `${one.needed ? `${words(sheetWords.needed)}${words(['。', '. '])}` : ''}${words(one.note)}`,
      ] as const,
  )
  const sheet = xlsxSheet(
    columns.map(one => words(one.title)),
    words(title),
    {
      mark: NO_MARK,
      by: name,
      at: now,
      foot: words(title),
      title: words(sheetWords.notes),
      lines: [[words(sheetWords.first), words(sheetWords.text)], ...noted],
    },
  )
  const parts = [
    ...sheet.head(),
    ...sheet.rows([columns.map(one => one.example || null)]),
    ...sheet.end(),
  ]
  return { name: `${words(title)}.xlsx`, file: Buffer.concat(parts).toString('base64') }
}

const cellsOf = <K extends string>(
  columns: readonly { key: K }[],
  cells: readonly string[],
): Cells<K> =>
  Object.fromEntries(columns.map(({ key }, at) => [key, cells[at] ?? ''])) as Record<K, string>
/** Reads a file in the thread for files, and says of each of its lines what would become of it. */
export const tryImport = async <K extends string, G>(
  of: Import<K, G>,
  { file, sheet }: { file: string; sheet?: string | undefined },
  context: Reader,
): Promise<ImportTrial> => {
  const { lang } = context.staff
  const text = (one: Text) => say(one, lang)
  const nothing = { sheet: '', sheets: [], columns: [], heads: [], ignored: [], lines: [] }
  const bytes = Buffer.from(file, 'base64')
  const found = await parseFile('table', { file: bytes, sheet, columns: of.columns })
  if ('fault' in found) return { ...nothing, fault: text(found.fault) }
  const { read, ...which } = found
  if ('fault' in read) return { ...nothing, fault: text(read.fault) }
  const good = read.lines.filter(one => !one.fault && !one.skipped)
  const told = await of.foresee(
    context,
    good.map(({ row, cells }) => ({ row, cells: cellsOf(of.columns, cells) })),
  )
  const by = new Map(told.map(one => [one.row, one]))
  const lines = read.lines.map(({ row, cells, ...one }): ImportLine => {
    const line = by.get(row)
    if (line) {
      const { state, name, version } = line
      return { row, state, name, text: text(line.text), cells, version }
    }
    const why = text((one.fault ?? one.skipped)!)
    return { row, state: one.fault ? 'bad' : 'skipped', name: '', text: why, cells, version: null }
  })
  const columns = of.columns.map(one => text(one.title))
  const heads = read.heads.map(one => one.head)
  return { fault: null, ...which, columns, heads, ignored: read.ignored, lines }
}

/** A refusal in one sentence: its faults of fields, where it has any. */
const refusalWords = (error: Refusal, lang: Lang): string => {
  const fields = Object.values((error.dataIn(lang)['fields'] ?? {}) as Record<string, string>)
  return fields.join(say(semicolon, lang)) || error.in(lang)
}
type Sent = { row: number; cells: readonly string[]; version: number | null }
/** The lines of a call, told anew from what stands there now; `ready` are those that may be written. */
export const linesAgain = async <K extends string, G>(
  of: Import<K, G>,
  context: WriteContext,
  sent: readonly Sent[],
): Promise<{ ready: (Foreseen<G> & { given: G })[]; told: ImportOutcome[] }> => {
  const once = [...new Map(sent.map(one => [one.row, one])).values()]
  const lines = once.map(({ row, cells }) => ({ row, cells: cellsOf(of.columns, cells) }))
  const held = new Map(once.map(one => [one.row, one.version]))
  const all = await of.foresee(context, lines)
  const ready = all.flatMap(one =>
    one.state === 'ready' && one.given !== undefined
      ? [{ ...one, given: one.given, version: held.get(one.row) ?? null }]
      : [],
  )
  const told = all
    .filter(one => one.state !== 'ready')
    .map(({ row, state, text }) => ({
      row,
      result: state === 'already' ? ('already' as const) : ('failed' as const),
      text: say(text, context.staff.lang),
    }))
  return { ready, told }
}
/** Writes lines, each in a savepoint of its own; `write` says what became of one, or refuses it. */
export const writeLines = async <G>(
  context: WriteContext,
  ready: readonly (Foreseen<G> & { given: G })[],
  write: (context: WriteContext, given: G) => Promise<{ made: boolean; text: Text }>,
): Promise<ImportOutcome[]> => {
  const { lang } = context.staff
  const said = new Map<number, { made: boolean; text: Text }>()
  const rows = ready.map(one => ({ id: one.row, given: one.given }))
  const tried = await tryRows(context, rows, async (inside, { id, given }) => {
    said.set(id, await write(inside, given))
  })
  return tried.map(({ one, error }) => {
    if (error) return { row: one.id, result: 'failed' as const, text: refusalWords(error, lang) }
    const { made, text } = said.get(one.id)!
    return {
      row: one.id,
      result: made ? ('done' as const) : ('already' as const),
      text: say(text, lang),
    }
  })
}
