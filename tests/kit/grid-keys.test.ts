import { expect, test } from 'vitest'
import { commandOf, endOf, tabbed } from '#src/kit/grid-keys.ts'

const size = { rows: 3, columns: 4 }
const at = { row: 1, column: 1 }
const press = (key: string, more: object = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  ...more,
})
const goes = (key: string, more: object = {}, from = at) => {
  const found = commandOf(press(key, more), from, size)
  return found?.does === 'go' ? [found.to.row, found.to.column, found.extends] : found?.does
}

test('arrows move by a cell, with Ctrl to the edge, with Shift choosing on the way', () => {
  expect(goes('ArrowDown')).toEqual([2, 1, false])
  expect(goes('ArrowRight', { shiftKey: true })).toEqual([1, 2, true])
  expect(goes('ArrowRight', { ctrlKey: true })).toEqual([1, 3, false])
  expect(goes('ArrowUp', { metaKey: true })).toEqual([0, 1, false])
  expect(goes('Home')).toEqual([1, 0, false])
  expect(goes('End', { ctrlKey: true })).toEqual([2, 3, false])
  expect(goes('PageDown')).toEqual([2, 1, false])
  expect(goes('ArrowUp', {}, { row: 0, column: 0 })).toEqual([0, 0, false])
})
test('Tab goes from cell to cell, and leaves the grid at either end', () => {
  expect(goes('Tab')).toEqual([1, 2, false])
  expect(tabbed({ row: 0, column: 3 }, false, size)).toEqual({ row: 1, column: 0 })
  expect(goes('Tab', { shiftKey: true }, { row: 0, column: 0 })).toBeUndefined()
  expect(goes('Tab', {}, { row: 2, column: 3 })).toBeUndefined()
})
test('commands have the keys of a spreadsheet; letters are left to the field', () => {
  expect(goes('F2')).toBe('edit')
  expect(goes('Enter')).toBe('edit')
  expect(goes('Delete')).toBe('clear')
  expect(goes('d', { ctrlKey: true })).toBe('fill')
  expect(goes('Z', { ctrlKey: true, shiftKey: true })).toBe('redo')
  expect(goes('z', { metaKey: true })).toBe('undo')
  expect(goes('s', { ctrlKey: true })).toBe('save')
  expect(goes('v', { ctrlKey: true })).toBeUndefined()
  expect(goes('a')).toBeUndefined()
  expect(goes('ArrowDown', { altKey: true })).toBeUndefined()
})
test('an input method keeps its keys: none moves, edits, clears or ends what is typed', () => {
  const composing = { isComposing: true }
  for (const key of ['Enter', 'ArrowDown', 'Tab', 'Delete', 'F2'])
    expect(goes(key, composing)).toBeUndefined()
  expect(endOf(press('Enter', composing), at, { size, over: true })).toBeUndefined()
})
test('Enter and Tab end what is typed and go on; arrows only where the cell was typed over', () => {
  const end = (key: string, over: boolean, more: object = {}) =>
    endOf(press(key, more), at, { size, over })
  expect(end('Enter', false)).toEqual({ row: 2, column: 1 })
  expect(end('Enter', false, { shiftKey: true })).toEqual({ row: 0, column: 1 })
  expect(end('Tab', false)).toEqual({ row: 1, column: 2 })
  expect(end('ArrowDown', true)).toEqual({ row: 2, column: 1 })
  expect(end('ArrowLeft', false)).toBeUndefined()
  expect(end('x', true)).toBeUndefined()
})
