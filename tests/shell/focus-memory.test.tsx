import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noteFocus, restoreFocusSoon } from '#src/shell/panes/focus-memory.ts'

const drawn = () => new Promise(resolve => requestAnimationFrame(resolve))
const at = (name: string) => screen.getByLabelText(name).focus()
const has = () => document.activeElement?.getAttribute('aria-label')
const Screen = ({ asks = false }: { asks?: boolean }) => (
  <>
    <section data-pane="p1" tabIndex={-1}>
      <button aria-label="rows" />
    </section>
    <section data-pane="p2" tabIndex={-1}>
      <button aria-label="other" />
    </section>
    <div className="bp6-popover">
      <button aria-label="menu" />
    </div>
    {asks && (
      <div className="bp6-dialog">
        <button aria-label="question" />
      </div>
    )}
  </>
)
let show: (asks: boolean) => void
beforeEach(() => {
  const { rerender } = render(<Screen />)
  show = asks => rerender(<Screen asks={asks} />)
  noteFocus('p1', screen.getByLabelText('rows'))
})
afterEach(cleanup)

test('a pane gets the focus back where it was, once it is drawn', async () => {
  at('other')
  restoreFocusSoon(() => 'p1')
  await drawn()
  expect(has()).toBe('rows')
})
test('but not from what was opened over it meanwhile: a menu at a button, a question', async () => {
  show(true)
  at('question')
  restoreFocusSoon(() => 'p1')
  await drawn()
  expect(has()).toBe('question')
  show(false)
  at('menu')
  restoreFocusSoon(() => 'p1')
  await drawn()
  expect(has()).toBe('menu')
})
