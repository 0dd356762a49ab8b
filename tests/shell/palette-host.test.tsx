import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, expect, test, vi } from 'vitest'
import { bulks } from '#commands/audit.ts'
import { Desk, DeskContext } from '#src/shell/desk.ts'
import { PaletteHost } from '#src/shell/palette/host.tsx'
import { makeStore } from '#src/shell/store.ts'

vi.mock('#src/shell/palette/records.ts', () => ({ useRecords: () => [] }))
afterEach(cleanup)
const store = makeStore()
const desk = new Desk(store, { id: 1, name: '林岚', account: 'admin', can: () => true })
const opened = () => {
  const close = vi.fn()
  render(<Provider store={store}><DeskContext.Provider value={desk}><PaletteHost start="" close={close} /></DeskContext.Provider></Provider>)
  return close
}

// The first of these two finds its code not there yet.
test('what is typed while its code is on its way is what it begins with, and an Enter pressed there counts', async () => {
  Element.prototype.scrollIntoView = () => {}
  const open = vi.spyOn(desk, 'open')
  const close = opened()
  const line = document.activeElement as HTMLInputElement
  expect(line).toBe(screen.getByRole('textbox', { name: '命令面板' }))
  fireEvent.change(line, { target: { value: 'tgsh' } })
  fireEvent.keyDown(line, { key: 'Enter' })
  await act(async () => { await import('#src/shell/palette/palette.tsx') })
  expect(close).toHaveBeenCalledTimes(1)
  expect(open).toHaveBeenCalledWith(bulks.path)
})
test('opened again it stands in the very turn, with the focus in its line', () => {
  opened()
  expect(document.activeElement).toBe(screen.getByRole('combobox'))
})
