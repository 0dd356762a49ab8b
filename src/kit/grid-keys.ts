/** What a press in a grid of cells means, beside what its field does by itself. */
import type { Place } from './grid-cells.ts'

export type GridSize = { rows: number; columns: number }
type Press = Pick<
  KeyboardEvent,
  'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'
>
export type GridCommand =
  | { does: 'go'; to: Place; extends: boolean }
  | { does: 'edit' | 'clear' | 'fill' | 'undo' | 'redo' | 'all' | 'save' | 'problem' | 'leave' }

const within = (n: number, most: number) => Math.min(Math.max(n, 0), most)
/** Rows that Page Up and Page Down go. */
const PAGE = 10
const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-PAGE, 0],
  PageDown: [PAGE, 0],
}
/** Where a moving key leads; with Ctrl to the edge. */
const moved = (at: Place, press: Press, size: GridSize): Place | undefined => {
  const isFar = press.ctrlKey || press.metaKey
  const last = { row: size.rows - 1, column: size.columns - 1 }
  if (press.key === 'Home') return { row: isFar ? 0 : at.row, column: 0 }
  if (press.key === 'End') return { row: isFar ? last.row : at.row, column: last.column }
  const move = moves[press.key]
  if (!move) return undefined
  const [down, aside] = isFar ? move.map(n => n * 1e6) : move
  return {
    row: within(at.row + down!, last.row),
    column: within(at.column + aside!, last.column),
  }
}
/** The next cell, row after row; undefined at either end, where Tab leaves the grid. */
export const tabbed = (
  at: Place,
  back: boolean,
  { rows, columns }: GridSize,
): Place | undefined => {
  const next = at.row * columns + at.column + (back ? -1 : 1)
  if (next < 0 || next >= rows * columns) return undefined
  return { row: Math.floor(next / columns), column: next % columns }
}
const withMod: Readonly<Record<string, GridCommand['does']>> = {
  d: 'fill',
  z: 'undo',
  y: 'redo',
  a: 'all',
  s: 'save',
}
const alone: Readonly<Record<string, GridCommand['does']>> = {
  Enter: 'edit',
  F2: 'edit',
  Delete: 'clear',
  Backspace: 'clear',
  F6: 'leave',
  F8: 'problem',
}
/** The command of a press while no cell is typed in; undefined leaves it to the field. */
export const commandOf = (press: Press, at: Place, size: GridSize): GridCommand | undefined => {
  if (press.isComposing || press.altKey) return undefined
  if (press.key === 'Tab') {
    const to = tabbed(at, press.shiftKey, size)
    return to && { does: 'go', to, extends: false }
  }
  const to = moved(at, press, size)
  if (to) return { does: 'go', to, extends: press.shiftKey }
  const isMod = press.ctrlKey || press.metaKey
  if (!isMod) return alone[press.key] && ({ does: alone[press.key] } as GridCommand)
  const key = press.key.toLowerCase()
  if (key === 'enter') return { does: 'save' }
  if (key === 'z' && press.shiftKey) return { does: 'redo' }
  return withMod[key] && ({ does: withMod[key] } as GridCommand)
}
/**
 * Where a press that ends the typing in a cell goes on. Arrows do so only where the cell was typed
 * over: in a text that is edited they move the caret.
 */
export const endOf = (
  press: Press,
  at: Place,
  { size, over }: { size: GridSize; over: boolean },
): Place | undefined => {
  if (press.isComposing) return undefined
  if (press.key === 'Enter')
    return { ...at, row: within(at.row + (press.shiftKey ? -1 : 1), size.rows - 1) }
  if (press.key === 'Tab') return tabbed(at, press.shiftKey, size) ?? at
  return over && press.key.startsWith('Arrow') && !press.shiftKey
    ? moved(at, press, size)
    : undefined
}
/** Ctrl+S while a cell is typed in takes the text; pressed again it saves. */
export const isSave = (event: Press) =>
  (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's'
