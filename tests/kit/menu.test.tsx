import { MenuItem } from '@blueprintjs/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { EntryMenu } from '#src/kit/menu.tsx'
import { Popover } from '#src/kit/popover.tsx'

afterEach(cleanup)
const names = ['Add', 'Move', 'Merge', 'Remove']
const Opened = () => {
  const [isOpen, show] = useState(false)
  return (
    <Popover
      isOpen={isOpen}
      show={show}
      placement="bottom-start"
      content={
        <EntryMenu>
          {names.map(name => (
            <MenuItem key={name} text={name} />
          ))}
        </EntryMenu>
      }
    >
      <button type="button" onClick={() => show(true)}>
        •••
      </button>
    </Popover>
  )
}
const focused = () => document.activeElement?.textContent
const press = (key: string, more = {}) =>
  fireEvent.keyDown(document.activeElement!, { key, ...more })
const open = () => {
  render(<Opened />)
  const button = screen.getByRole('button')
  button.focus()
  fireEvent.click(button)
  return button
}

test('a menu that opens has the focus on its first entry, and Esc gives it back', () => {
  const button = open()
  expect(focused()).toBe('Add')
  press('Escape')
  expect(document.activeElement).toBe(button)
})
test('arrows go along the entries and round at the ends; Home and End go to them', () => {
  open()
  const seen = ['ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home'].map(key => {
    press(key)
    return focused()
  })
  expect(seen).toEqual(['Move', 'Remove', 'Add', 'Remove', 'Add'])
})
test('a letter goes to the next entry that begins so; with Ctrl it is left alone', () => {
  open()
  const seen = ['m', 'm', 'm', 'x'].map(key => {
    press(key)
    return focused()
  })
  expect(seen).toEqual(['Move', 'Merge', 'Move', 'Move'])
  press('r', { ctrlKey: true })
  expect(focused()).toBe('Move')
})
test('a menu drawn in a page takes no focus', () => {
  render(
    <EntryMenu>
      <MenuItem text="Add" />
    </EntryMenu>,
  )
  expect(document.activeElement).toBe(document.body)
})
