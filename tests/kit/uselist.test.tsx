import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useMemo } from 'react'
import { Provider } from 'react-redux'
import { afterEach, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { z } from 'zod'
import { read } from '#src/contract/call.ts'
import { connect } from '#src/kit/data.ts'
import { Stage } from '#src/kit/stage.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { PaneContext, PaneFocused, type Pane } from '#src/kit/workbench.ts'
import { makeStore } from '#src/shell/store.ts'

vi.mock('idb-keyval', () => ({
  get: async () => undefined,
  set: async () => {},
  del: async () => {},
}))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const row = z.object({ id: z.int() })
const rows = read('uselist-test/lst', ['表', 'Rows'], {
  input: z.object({
    page: z.int().default(1),
    pageSize: z.int().default(50),
    state: z.enum(['on', 'off']).optional(),
  }),
  output: z.object({ list: z.array(row), total: z.int() }),
  touches: ['row'],
  scope: 'all',
  permit: 'test.rows.view',
})
type Shown = ListState<{ id: number }>
const List = () => {
  const list = useList(rows) as unknown as Shown
  return (
    <>
      <i data-testid="at">{list.loaded && !list.stale ? String(list.focused) : '…'}</i>
      <button onClick={() => list.focus(9)}>focus</button>
      <button onClick={() => list.filter({ state: 'off' })}>off</button>
      <button onClick={() => list.filter({ state: undefined })}>any</button>
    </>
  )
}
const Screen = ({ hook }: { hook: ReturnType<typeof memoryLocation> }) => {
  const pane = useMemo<Pane>(
    () => ({
      id: 'p',
      stage: new Stage(),
      visible: true,
      memo: { get: () => undefined, set: () => {} },
    }),
    [],
  )
  return (
    <Router hook={hook.hook} searchHook={hook.searchHook!}>
      <PaneContext value={pane}>
        <PaneFocused value={true}>
          <List />
        </PaneFocused>
      </PaneContext>
    </Router>
  )
}

test('the row in focus keeps it where it is listed, and is none of a list that is empty', async () => {
  connect({ token: () => 't', region: () => 'pro', ended: () => {}, failed: () => {} })
  vi.stubGlobal(
    'fetch',
    vi.fn(
      async (url: string) =>
        new Response(
          JSON.stringify({
            status: 200,
            data: {
              list: url.includes('state=off') ? [] : [{ id: 7 }, { id: 8 }, { id: 9 }],
              total: 3,
            },
          }),
        ),
    ),
  )
  render(
    <Provider store={makeStore()}>
      <Screen hook={memoryLocation({ path: '/rows', record: true })} />
    </Provider>,
  )
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
  const at = (id: string) => waitFor(() => expect(screen.getByTestId('at').textContent).toBe(id))
  await at('7')
  press('focus')
  await at('9')
  press('off')
  await at('undefined')
  press('any')
  await at('9')
})
