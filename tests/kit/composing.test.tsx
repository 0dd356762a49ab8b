import { Dialog, Drawer, OverlaysProvider } from '@blueprintjs/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { composingKeepsItsKeys } from '#src/kit/composing.ts'
import { Popover } from '#src/kit/popover.tsx'

const close = vi.fn()
const submit = vi.fn()
const heard = vi.fn()
let end: () => void
beforeEach(() => {
  vi.clearAllMocks()
  end = composingKeepsItsKeys()
  document.addEventListener('keydown', heard)
})
afterEach(() => {
  end()
  document.removeEventListener('keydown', heard)
  cleanup()
})
const field = (
  <input aria-label="单号" onKeyDown={event => event.key === 'Enter' && submit(event.key)} />
)
const layers = {
  dialog: (
    <Dialog isOpen title="发货" onClose={close}>
      {field}
    </Dialog>
  ),
  drawer: (
    <Drawer isOpen title="发货" onClose={close}>
      {field}
    </Drawer>
  ),
  popover: (
    <Popover isOpen show={close} placement="bottom-end" content={field}>
      <button>发货</button>
    </Popover>
  ),
}
/** Chrome says that it composes; Safari tells of the press that ended it by its code alone. */
const signs = [{ isComposing: true }, { keyCode: 229 }, { key: 'Process', code: 'Escape' }]
const press = (key: string, more: object = {}) =>
  fireEvent.keyDown(screen.getByRole('textbox', { name: '单号' }), { key, code: key, ...more })

for (const [name, layer] of Object.entries(layers))
  test(`a press of the input method neither closes nor submits what stands in a ${name}`, () => {
    render(<OverlaysProvider>{layer}</OverlaysProvider>)
    for (const sign of signs) {
      press('Escape', sign)
      press('Enter', sign)
    }
    expect([close, submit, heard].map(one => one.mock.calls.length)).toEqual([0, 0, 0])
    press('Enter')
    press('Escape')
    expect([close, submit].map(one => one.mock.calls.length)).toEqual([1, 1])
  })
test('the browser does not submit the form either by the press that ended a composition', () => {
  render(<form aria-label="发货">{field}</form>)
  expect(press('Enter', { keyCode: 229 })).toBe(false)
  // While it composes the press is the input method's; the browser knows.
  expect(press('Enter', { isComposing: true, keyCode: 229 })).toBe(true)
  expect(press('Enter', { keyCode: 13 })).toBe(true)
})
test('beside a field, an input method that is on swallows no key', () => {
  render(<button>通过</button>)
  fireEvent.keyDown(screen.getByRole('button'), { key: 'Process', code: 'KeyA', keyCode: 229 })
  expect(heard).toHaveBeenCalledTimes(1)
})
