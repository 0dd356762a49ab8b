import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, expect, test, vi } from 'vitest'
import { bulks } from '#commands/pages/audit.ts'
import { Desk, DeskContext } from '#src/shell/desk.ts'
import { PaletteHost } from '#src/shell/palette/host.tsx'
import { everything } from '#src/shell/registry.ts'
import { makeStore } from '#src/shell/store.ts'

vi.mock('#src/shell/palette/records.ts', () => ({ useRecords: () => [] }))
afterEach(cleanup)
const store = makeStore()
const desk = new Desk(store, { id: 1, name: '林岚', account: 'admin', can: () => true })
const opened = () => {
  const close = vi.fn()
  render(
    <Provider store={store}>
      <DeskContext.Provider value={desk}>
        <PaletteHost start="" close={close} />
      </DeskContext.Provider>
    </Provider>,
  )
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
  await act(async () => {
    await Promise.all([import('#src/shell/palette/palette.tsx'), everything()])
  })
  await waitFor(() => expect(close).toHaveBeenCalledTimes(1))
  expect(open).toHaveBeenCalledWith(bulks.path, 'here')
})
test('opened again it stands in the very turn, with the focus in its line', () => {
  opened()
  expect(document.activeElement).toBe(screen.getByRole('combobox'))
})

test.each([
  ['怎么退款', /^给整单退款/],
  ['如何导出', /^导出/],
  ['how to refund an order', /^给整单退款/],
  ['为什么手机号打星号', /完整手机号/],
  // Somebody named a page so.
  ['怎么审核', /^练习审核/],
])('asked “%s”, what answers it stands first and is what Enter takes', async (asked, answer) => {
  opened()
  fireEvent.change(screen.getByRole('combobox'), { target: { value: asked } })
  // The help's code comes with the first question.
  await waitFor(() => expect(screen.getAllByRole('option')[0]!.textContent).toMatch(answer), {
    timeout: 15_000,
  })
  expect(
    screen.getAllByRole('option').map(one => one.getAttribute('aria-selected') === 'true'),
  ).toEqual(screen.getAllByRole('option').map((_, i) => i === 0))
  expect(
    screen.getAllByRole('option').map(one => Number(one.getAttribute('aria-posinset'))),
  ).toEqual(screen.getAllByRole('option').map((_, i) => i + 1))
})
test('answers that come late leave the choice where the person has moved it', async () => {
  opened()
  const line = screen.getByRole('combobox')
  fireEvent.change(line, { target: { value: '怎么退款' } })
  fireEvent.keyDown(line, { key: 'ArrowDown' })
  const chosen = () =>
    screen.getAllByRole('option').find(one => one.getAttribute('aria-selected') === 'true')!
      .textContent
  const moved = chosen()
  await act(async () => {
    await new Promise(done => setTimeout(done, 50))
  })
  expect(chosen()).toBe(moved)
})

test('what can’t be had now says so to who can’t see it, and is come to all the same', async () => {
  opened()
  const line = screen.getByRole('combobox')
  fireEvent.change(line, { target: { value: 'a' } })
  const entries = () => screen.getAllByRole('option')
  const off = (one: Element) => one.hasAttribute('data-off')
  expect(entries().map(one => one.getAttribute('aria-disabled') === 'true')).toEqual(
    entries().map(off),
  )
  expect([entries().some(off), entries().every(off)]).toEqual([true, false])
  const come: (string | null)[] = []
  for (let i = 0; i < entries().length; i++) {
    come.push(entries().find(one => one.getAttribute('aria-selected') === 'true')!.textContent)
    await act(async () => void fireEvent.keyDown(line, { key: 'ArrowDown' }))
  }
  expect(come).toEqual(entries().map(one => one.textContent))
  expect(entries()[0]!.getAttribute('aria-selected')).toBe('true')
})
