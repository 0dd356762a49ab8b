import type { KeyboardEvent } from 'react'
import type { Place } from './grid-cells.ts'
import type { Chosen, Commands } from './grid-commands.ts'
import { mayEdit, type GridRow } from './grid-draft.ts'
import { commandOf, endOf, isSave, type GridCommand, type GridSize } from './grid-keys.ts'
import type { GridEdits } from './grid-state.ts'

const start: Place = { row: 0, column: 0 }
export type Of<Row extends GridRow> = { edits: GridEdits<Row>; nameOf: (row: Row) => string }
export type Editing = { text: string; over: boolean } | undefined
export type FieldProps<Row extends GridRow> = {
  of: Of<Row>
  id: string
  chosen: Chosen
  size: GridSize
  commands: Commands<Row>
  editing: Editing
  setEditing: (next: Editing) => void
  save: () => void
  leave: () => void
}
/** The cell that has the keys, and whether it may be edited. */
export const activeOf = <Row extends GridRow>({ of, chosen: { active } }: FieldProps<Row>) => {
  const [row, column] = [of.edits.rows[active.row], of.edits.columns[active.column]]
  const may = row !== undefined && column !== undefined && mayEdit(column, row) === true
  return { row, column, may }
}
/** What the grid's field does with a press: a command, or the end of what is typed in it. */
export const usePress = <Row extends GridRow>(props: FieldProps<Row>) => {
  const { of, chosen, size, commands, editing, setEditing } = props
  const { active } = chosen
  const commit = () => {
    if (editing) commands.type([{ ...active, text: editing.text }])
    setEditing(undefined)
  }
  const does: Record<Exclude<GridCommand['does'], 'go'>, () => void> = {
    edit: () => activeOf(props).may && setEditing({ text: commands.textAt(active), over: false }),
    clear: commands.clear,
    fill: commands.fill,
    undo: of.edits.undo,
    redo: of.edits.redo,
    all: () => chosen.choose(start, { row: size.rows - 1, column: size.columns - 1 }),
    save: props.save,
    problem: commands.nextProblem,
    leave: props.leave,
  }
  const end = (event: KeyboardEvent, over: boolean): boolean => {
    const to = endOf(event.nativeEvent, active, { size, over })
    if (event.key === 'Escape') setEditing(undefined)
    else if (to || isSave(event.nativeEvent)) commit()
    else return false
    if (to) chosen.go(to)
    return true
  }
  const run = (event: KeyboardEvent): boolean => {
    const command = commandOf(event.nativeEvent, active, size)
    if (!command) return false
    if (command.does === 'go') chosen.go(command.to, command.extends)
    else does[command.does]()
    return true
  }
  const press = (event: KeyboardEvent) => {
    if (!(editing ? end(event, editing.over) : run(event))) return
    event.preventDefault()
    event.stopPropagation()
  }
  return { press, commit }
}
