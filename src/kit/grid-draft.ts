/** What is changed in a grid and not saved yet: typed, undone, summed, and made into what is sent. */
import type { ChangedBy } from '#src/contract/envelope.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { cellText, readCell, type CellValue, type GridColumn, type Typed } from './grid-cells.ts'

/** `changed_by` tells who changed it last, where that is known. */
export type GridRow = { id: number; version: number; changed_by?: ChangedBy | null | undefined }
/** A cell as it is typed, and what it held when it was. */
type CellEdit = { was: CellValue; text: string }
/** By row, the version that was edited and its cells; a row without edits is not there. */
export type GridDraft = Readonly<
  Record<number, { version: number; cells: Readonly<Record<string, CellEdit>> }>
>
type Step = {
  id: number
  version: number
  key: string
  from: CellEdit | undefined
  to: CellEdit | undefined
}
/** What one command changes, forth and back. */
export type Patch = readonly Step[]

const withCell = (
  draft: GridDraft,
  { id, version, key }: Step,
  edit: CellEdit | undefined,
): GridDraft => {
  const { [id]: before, ...others } = draft
  const { [key]: _, ...rest } = before?.cells ?? {}
  const cells = edit ? { ...rest, [key]: edit } : rest
  if (Object.keys(cells).length === 0) return others
  return { ...others, [id]: { version: before?.version ?? version, cells } }
}
export const apply = (draft: GridDraft, patch: Patch): GridDraft =>
  patch.reduce((now, step) => withCell(now, step, step.to), draft)
export const revert = (draft: GridDraft, patch: Patch): GridDraft =>
  patch.reduceRight((now, step) => withCell(now, step, step.from), draft)

const same = (a: CellEdit | undefined, b: CellEdit | undefined) =>
  a === b || (a?.text === b?.text && a?.was === b?.was)
/** The text of a cell: as typed, or as it stands. */
export const textOf = <Row extends GridRow>(
  draft: GridDraft,
  row: Row,
  column: GridColumn<Row>,
): string =>
  draft[row.id]?.cells[column.key]?.text ??
  column.shows?.(row) ??
  cellText(column.kind, column.of(row))
/** True where a cell may be edited, else why not. */
export const mayEdit = <Row>(column: GridColumn<Row>, row: Row): true | Text =>
  column.edits?.(row) ?? ['只读', 'Read-only']

/**
 * What typing so many cells changes; those that are read-only stay and are counted. A cell that is
 * typed as it stood is none that is changed.
 */
export const typing = <Row extends GridRow>(
  draft: GridDraft,
  of: { rows: readonly Row[]; columns: readonly GridColumn<Row>[] },
  typed: readonly Typed[],
): { patch: Patch; kept: number } => {
  let kept = 0
  const patch = typed.flatMap(({ row: at, column: aside, text }) => {
    const [row, column] = [of.rows[at]!, of.columns[aside]!]
    if (mayEdit(column, row) !== true) {
      kept += 1
      return []
    }
    const from = draft[row.id]?.cells[column.key]
    const was = from ? from.was : column.of(row)
    const read = readCell(column, text)
    const isAsItWas = read.fault === undefined && read.value === was
    const to = isAsItWas ? undefined : { was, text: text.trim() }
    return same(from, to) ? [] : [{ id: row.id, version: row.version, key: column.key, from, to }]
  })
  return { patch, kept }
}

/** What a row holds in a column, with what is typed; null where that is no value. */
const valueIn = <Row extends GridRow>(
  draft: GridDraft,
  row: Row,
  column: GridColumn<Row> | undefined,
): CellValue => {
  if (!column) return null
  const edit = draft[row.id]?.cells[column.key]
  return edit ? (readCell(column, edit.text).value ?? null) : column.of(row)
}
/** What is wrong with an edited cell, in words. */
export const faultOf = <Row extends GridRow>(
  draft: GridDraft,
  of: { row: Row; column: GridColumn<Row>; columns: readonly GridColumn<Row>[] },
  lang: Lang,
): string | undefined => {
  const { row, column, columns } = of
  const edit = draft[row.id]?.cells[column.key]
  if (!edit) return undefined
  const read = readCell(column, edit.text)
  if (read.fault) return say(read.fault, lang, read.words)
  const at = (key: string) =>
    valueIn(
      draft,
      row,
      columns.find(one => one.key === key),
    )
  const fault = column.check?.(read.value, row, at)
  return fault && say(fault, lang)
}

/** Where a row was edited from another version than it has now, and the cell itself is another. */
export const isCrossed = <Row extends GridRow>(
  draft: GridDraft,
  row: Row,
  column: GridColumn<Row>,
): boolean => {
  const of = draft[row.id]
  const edit = of?.cells[column.key]
  return edit !== undefined && of!.version !== row.version && column.of(row) !== edit.was
}
/**
 * A row's edits on what it holds now: those that come to the same are none any more. What others
 * changed is then overwritten knowingly.
 */
export const onPresent = <Row extends GridRow>(
  draft: GridDraft,
  row: Row,
  columns: readonly GridColumn<Row>[],
): GridDraft => {
  const { [row.id]: of, ...others } = draft
  if (!of) return draft
  const cells = Object.entries(of.cells).flatMap(([key, { text }]) => {
    const column = columns.find(one => one.key === key)
    const was = column?.of(row) ?? null
    if (!column || readCell(column, text).value === was) return []
    return [[key, { was, text }] as const]
  })
  if (cells.length === 0) return others
  return { ...others, [row.id]: { version: row.version, cells: Object.fromEntries(cells) } }
}
/** A row's edits but those in cells that others changed. */
export const withTheirs = <Row extends GridRow>(
  draft: GridDraft,
  row: Row,
  columns: readonly GridColumn<Row>[],
): GridDraft => {
  const crossed = columns.filter(column => isCrossed(draft, row, column)).map(({ key }) => key)
  const { [row.id]: of, ...others } = draft
  if (!of) return draft
  const cells = Object.entries(of.cells).filter(([key]) => !crossed.includes(key))
  const mine = { ...others, [row.id]: { ...of, cells: Object.fromEntries(cells) } }
  return onPresent(mine, row, columns)
}
/** Rows that others changed elsewhere than here go on from what they hold now. */
export const caughtUp = <Row extends GridRow>(
  draft: GridDraft,
  rows: readonly Row[],
  columns: readonly GridColumn<Row>[],
): GridDraft =>
  rows.reduce(
    (now, row) =>
      now[row.id] !== undefined &&
      now[row.id]!.version !== row.version &&
      !columns.some(column => isCrossed(now, row, column))
        ? onPresent(now, row, columns)
        : now,
    draft,
  )

/** What is sent of a row: its version as it was edited, and the values that change. */
export type GridChange = { id: number; version: number; fields: Record<string, CellValue> }
/** The rows that can be sent: without a fault, and crossed by nobody. */
export const changesOf = <Row extends GridRow>(
  draft: GridDraft,
  of: { rows: readonly Row[]; columns: readonly GridColumn<Row>[] },
): GridChange[] =>
  of.rows.flatMap(row => {
    const edited = draft[row.id]
    if (!edited) return []
    const mine = of.columns.filter(({ key }) => edited.cells[key] !== undefined)
    const isHeld = mine.some(
      column =>
        faultOf(draft, { row, column, columns: of.columns }, 'zh') !== undefined ||
        isCrossed(draft, row, column),
    )
    if (isHeld) return []
    const fields = mine.map(column => [column.key, valueIn(draft, row, column)] as const)
    return [{ id: row.id, version: edited.version, fields: Object.fromEntries(fields) }]
  })
export type GridSum = { key: string; cells: number; before: number; after: number }
/** How many cells of each column are changed, and what numbers come to before and after. */
export const sumsOf = <Row extends GridRow>(
  draft: GridDraft,
  of: { rows: readonly Row[]; columns: readonly GridColumn<Row>[] },
): GridSum[] =>
  of.columns.flatMap(column => {
    const edited = of.rows.filter(row => draft[row.id]?.cells[column.key] !== undefined)
    if (edited.length === 0) return []
    const total = (values: readonly CellValue[]) =>
      values.reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : 0), 0)
    return [
      {
        key: column.key,
        cells: edited.length,
        before: total(edited.map(row => draft[row.id]!.cells[column.key]!.was)),
        after: total(edited.map(row => valueIn(draft, row, column))),
      },
    ]
  })
