import { Dialog, Drawer, OverlaysProvider } from '@blueprintjs/core'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { Provider } from 'react-redux'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bulksActions } from '#commands/audit/audit.ts'
import { bulks } from '#commands/pages/audit.ts'
import { palette } from '#commands/shell.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { topLayer } from '#src/kit/layers.ts'
import { Popover } from '#src/kit/popover.tsx'
import { Desk, DeskContext } from '#src/shell/desk.ts'
import { Keys } from '#src/shell/keys/dispatch.tsx'
import { PaletteHost } from '#src/shell/palette/host.tsx'
import { workspace } from '#src/shell/panes/workspace.ts'
import { everything } from '#src/shell/registry.ts'
import { makeStore } from '#src/shell/store.ts'
import { Toasts } from '#src/shell/toasts.tsx'

vi.mock('#src/shell/palette/records.ts', () => ({ useRecords: () => [] }))
Element.prototype.scrollIntoView = () => {}
await Promise.all([everything(), import('#src/shell/palette/palette.tsx')])

const kinds = ['palette', 'dialog', 'drawer', 'popover'] as const
type Kind = (typeof kinds)[number]
const show: Partial<Record<Kind, (on: boolean) => void>> = {}
const useShown = (kind: Kind) => {
  const [on, set] = useState(false)
  show[kind] = set
  return [on, () => set(false)] as const
}
const focused = (element: HTMLElement | null) => element?.focus()
const Question = ({ as: Box, close }: { as: typeof Dialog | typeof Drawer; close: () => void }) => {
  useReturnFocus()
  return (
    <Box isOpen title="一个问题" onClose={close} transitionDuration={0}>
      <input aria-label="理由" ref={focused} />
    </Box>
  )
}
const approve = vi.fn()
const Screen = ({ desk }: { desk: Desk }) => {
  const [dialog, closeDialog] = useShown('dialog')
  const [drawer, closeDrawer] = useShown('drawer')
  const [popover] = useShown('popover')
  const [line, closeLine] = useShown('palette')
  desk.global(palette.id, () => show.palette!(true))
  return (
    <OverlaysProvider>
      <Keys />
      <div role="grid" tabIndex={0} aria-label="列表" />
      <Popover
        isOpen={popover}
        show={next => show.popover!(next)}
        placement="bottom-end"
        content={<p>还没有导出</p>}
      >
        <button>导出</button>
      </Popover>
      {line && <PaletteHost start="" close={closeLine} />}
      {dialog && <Question as={Dialog} close={closeDialog} />}
      {drawer && <Question as={Drawer} close={closeDrawer} />}
      <Toasts />
    </OverlaysProvider>
  )
}
const list = () => screen.getByRole('grid', { name: '列表' })
const press = (key: string, more: object = {}) =>
  act(async () => {
    fireEvent.keyDown(document.activeElement!, { key, code: '', ...more })
  })
/** The class of each kind of layer; the one drawn last stands on top. */
const boxes: Record<Kind, string> = {
  palette: '.s-palette-back',
  dialog: '.bp6-dialog',
  drawer: '.bp6-drawer',
  popover: '.bp6-popover',
}
const stands = (kind: Kind) => topLayer()?.matches(boxes[kind]) === true
const hasFocus = (kind: Kind) =>
  waitFor(() => {
    expect(stands(kind)).toBe(true)
    expect(document.activeElement?.closest(boxes[kind])).toBe(topLayer())
  })
/** The palette by its key, what else comes as it comes: by a key, or by an answer that was late. */
const open = (kind: Kind) =>
  kind === 'palette' ? press('k', { ctrlKey: true }) : act(async () => show[kind]!(true))

beforeEach(() => {
  vi.clearAllMocks()
  const store = makeStore()
  const desk = new Desk(store, { id: 2, name: '周晓敏', account: 'auditor', can: () => true })
  store.dispatch(workspace.went({ pane: 'p1', at: bulks.path }))
  desk.stage('p1').subject = { rows: [{ id: 1, state: 'pending', flags: [], submitted_by: 9 }] }
  desk.stage('p1').perform(bulksActions.approve, approve)
  render(
    <Provider store={store}>
      <DeskContext.Provider value={desk}>
        <Screen desk={desk} />
      </DeskContext.Provider>
    </Provider>,
  )
  act(() => list().focus())
})
afterEach(cleanup)

describe.each(kinds)('over the %s', under => {
  test.each(kinds.filter(kind => kind !== under))(
    'the %s has the focus and Esc, and gives the focus back; or it is refused, and told so',
    async over => {
      await open(under)
      await hasFocus(under)
      const at = document.activeElement
      await open(over)
      if (over === 'palette' && under !== 'popover') {
        expect(document.querySelector(boxes.palette)).toBe(null)
        expect(screen.getByText(/^请先完成或关闭/)).toBeTruthy()
        expect(document.activeElement).toBe(at)
      } else {
        await hasFocus(over)
        await press('Escape')
        await hasFocus(under)
      }
      await press('Escape')
      await waitFor(() => expect(document.activeElement).toBe(list()))
      await open('palette')
      await hasFocus('palette')
    },
  )
  test('no key falls on the page behind it', async () => {
    await open(under)
    await hasFocus(under)
    const box = topLayer()!
    fireEvent.keyDown(box, { key: 'a', code: 'KeyA' })
    expect(approve).not.toHaveBeenCalled()
  })
  test('Esc means it, wherever the focus was lost to', async () => {
    await open(under)
    await hasFocus(under)
    fireEvent.keyDown(document.body, { key: 'Escape', code: 'Escape' })
    await waitFor(() => expect(topLayer()).toBe(undefined))
  })
})
test('with nothing over the page its keys are its own', async () => {
  await press('a', { code: 'KeyA' })
  expect(approve).toHaveBeenCalledTimes(1)
})
