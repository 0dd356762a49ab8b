import { act, cleanup, render } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, expect, test, vi } from 'vitest'
import { api, dispatchRead, useAhead, useRead } from '#src/kit/data.ts'
import { undo } from '#src/modules/undo/contract.ts'
import { makeStore } from '#src/shell/store.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a read outside a component has its answer, though what it shows was changed while it was under way', async () => {
  const answers: (() => void)[] = []
  vi.stubGlobal(
    'fetch',
    vi.fn(
      () =>
        new Promise(go =>
          answers.push(() =>
            go(new Response(JSON.stringify({ status: 200, data: { list: [], total: 0 } }))),
          ),
        ),
    ),
  )
  const store = makeStore()
  const read = dispatchRead(store.dispatch, undo.mine, {}, true)
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  store.dispatch(api.util.invalidateTags(['undo'] as never[]))
  const answering = setInterval(() => answers.shift()?.())
  expect(await read).toEqual({ list: [], total: 0 })
  // Nobody reads it any more: another change asks for nothing.
  await vi.waitFor(() => expect(store.dispatch(api.util.getRunningQueriesThunk())).toHaveLength(0))
  const before = vi.mocked(fetch).mock.calls.length
  store.dispatch(api.util.invalidateTags(['undo'] as never[]))
  await new Promise(later => setTimeout(later, 20))
  clearInterval(answering)
  expect(vi.mocked(fetch).mock.calls.length).toBe(before)
})

test('what is read ahead of need is there at once, also after a change, which has it fetched again', async () => {
  let n = 0
  vi.stubGlobal(
    'fetch',
    vi.fn(
      async () => new Response(JSON.stringify({ status: 200, data: { list: [], total: ++n } })),
    ),
  )
  const store = makeStore()
  const seen: (number | undefined)[] = []
  const Next = () => {
    seen.push(useRead(undo.mine, {}).data?.total)
    return null
  }
  const Screen = ({ ready, opened = false }: { ready: boolean; opened?: boolean }) => {
    useAhead(undo.mine, [{}], ready)
    return opened && <Next />
  }
  const screen = (of: Parameters<typeof Screen>[0]) => (
    <Provider store={store}>
      <Screen {...of} />
    </Provider>
  )
  const { rerender, unmount } = render(screen({ ready: false }))
  expect(n).toBe(0)
  rerender(screen({ ready: true }))
  await vi.waitFor(() => expect(n).toBe(1))
  await act(async () => {
    store.dispatch(api.util.invalidateTags(['undo'] as never[]))
    await vi.waitFor(() => expect(n).toBe(2))
  })
  rerender(screen({ ready: true, opened: true }))
  expect(seen[0]).toBe(2)
  unmount()
  store.dispatch(api.util.invalidateTags(['undo'] as never[]))
  await new Promise(later => setTimeout(later, 20))
  expect(n).toBe(2)
})
