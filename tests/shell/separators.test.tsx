import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Separators } from '#src/shell/panes/separators.tsx'
import { SMALLEST } from '#src/shell/panes/tree.ts'
import { workspace } from '#src/shell/panes/workspace.ts'
import { makeStore, useAppSelector, type Store } from '#src/shell/store.ts'

let store: Store
const Drawn = () => (
  <Separators tree={useAppSelector(state => state.workspace.tree)} name={pane => `窗格 ${pane}`} />
)
beforeEach(() => {
  store = makeStore()
  store.dispatch(workspace.opened({ at: '/manage', how: 'right' }))
  store.dispatch(workspace.opened({ at: '/manage', how: 'down' }))
  render(
    <Provider store={store}>
      <Drawn />
    </Provider>,
  )
})
afterEach(cleanup)
const [width, height] = [
  () => screen.getByRole('separator', { name: '调整「窗格 p1」的宽度' }),
  () => screen.getByRole('separator', { name: '调整「窗格 p2」的高度' }),
]
const press = (of: HTMLElement, ...keys: string[]) => {
  for (const key of keys) act(() => void fireEvent.keyDown(of, { key }))
}
const value = (of: HTMLElement) => Number(of.getAttribute('aria-valuenow'))

test('a separator says which way it lies, what it divides, where it stands and how far it goes', () => {
  expect([
    width().getAttribute('aria-orientation'),
    height().getAttribute('aria-orientation'),
    width().tabIndex,
  ]).toEqual(['vertical', 'horizontal', 0])
  expect(
    ['aria-valuenow', 'aria-valuemin', 'aria-valuemax', 'aria-valuetext', 'aria-controls'].map(
      name => width().getAttribute(name),
    ),
  ).toEqual(['50', String(SMALLEST), String(100 - SMALLEST), '50%', 'pane-p1'])
})
test('arrows move it along its own axis and leave the other alone; Home and End go to its bounds', () => {
  press(width(), 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowUp')
  press(height(), 'ArrowUp', 'ArrowLeft')
  expect([value(width()), value(height())]).toEqual([55, 45])
  press(width(), 'Home')
  expect(value(width())).toBe(SMALLEST)
  press(width(), 'End', 'ArrowRight')
  expect(value(width())).toBe(100 - SMALLEST)
})
test('Enter makes the part before it as small as can be, and gives it back the size it had', () => {
  press(width(), 'ArrowRight', 'Enter')
  expect(value(width())).toBe(SMALLEST)
  press(width(), 'Enter')
  expect(value(width())).toBe(55)
})
test('the steps of one separator are taken back as one', () => {
  press(width(), 'ArrowRight', 'ArrowRight', 'ArrowRight')
  act(() => void store.dispatch(workspace.undone()))
  expect(value(width())).toBe(50)
  act(() => void store.dispatch(workspace.redone()))
  expect(value(width())).toBe(65)
})
