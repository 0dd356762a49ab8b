import { act, cleanup, render } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, expect, test, vi } from 'vitest'
import type { Action } from '#commands/command.ts'
import { Stage } from '#src/kit/stage.ts'
import { useTakeNext } from '#src/kit/takenext.ts'
import type { ListState } from '#src/kit/uselist.ts'
import { PaneContext, WorkbenchContext, type Pane, type Workbench } from '#src/kit/workbench.ts'
import { makeStore } from '#src/shell/store.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
type Row = { id: number; free: boolean }
const next = { id: 'next' } as Action
const take = {
  id: 'take',
  when: (row: Row) => (row.free ? true : ['已被领取', 'Taken']),
} as unknown as Action
const nothing = () => undefined
/** A page whose queue holds these rows within its filter, and those without one. */
const pressed = async (filtered: readonly Row[], all: readonly Row[], taken = true) => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string) => {
      const list = url.includes('keyword') ? filtered : all
      return new Response(JSON.stringify({ status: 200, data: { list, total: list.length } }))
    }),
  )
  const told = { run: vi.fn(async () => taken), toast: vi.fn(), filter: vi.fn(), reveal: vi.fn() }
  const list = {
    rows: filtered,
    call: { path: 'queue-test/lst', kind: 'read', method: 'GET', touches: [] },
    input: { state: 'mine', keyword: '锅' },
    inputOf: () => ({ state: 'open' }),
    filter: told.filter,
    reveal: told.reveal,
  } as unknown as ListState<Row>
  const pane: Pane = {
    id: 'p',
    stage: new Stage(),
    visible: true,
    memo: { get: nothing, set: nothing },
  }
  const Page = () => {
    useTakeNext(next, take, list)
    return null
  }
  render(
    <Provider store={makeStore()}>
      <WorkbenchContext
        value={{ me: { id: 1 }, run: told.run, toast: told.toast } as unknown as Workbench}
      >
        <PaneContext value={pane}>
          <Page />
        </PaneContext>
      </WorkbenchContext>
    </Provider>,
  )
  await act(async () => {
    pane.stage.performer('next')!([])
    await vi.waitFor(() =>
      expect(told.run.mock.calls.length + told.toast.mock.calls.length).toBe(1),
    )
  })
  return told
}
const [held, free, other] = [
  { id: 1, free: false },
  { id: 2, free: true },
  { id: 3, free: true },
]
test('the next one is the first within the filters that can be had', async () => {
  const { run, reveal, filter } = await pressed([held, free], [other])
  expect(run).toHaveBeenCalledExactlyOnceWith(take, [free], { pane: 'p' })
  expect([reveal.mock.calls, filter.mock.calls]).toEqual([[[2]], []])
})
test('where none is left within them it is the first without, and they are cleared', async () => {
  const { run, reveal, filter } = await pressed([held], [held, other])
  expect(run).toHaveBeenCalledExactlyOnceWith(take, [other], { pane: 'p' })
  expect(filter).toHaveBeenCalledExactlyOnceWith({ state: undefined, keyword: undefined })
  expect(reveal).toHaveBeenCalledExactlyOnceWith(3)
})
test('where none is left at all it says so', async () => {
  const { run, toast } = await pressed([held], [held])
  expect(run).not.toHaveBeenCalled()
  expect(toast).toHaveBeenCalledExactlyOnceWith('没有可领取的任务了', 'none')
})
test('one that somebody else took first leaves the list as it is', async () => {
  const { reveal, filter } = await pressed([], [other], false)
  expect([reveal.mock.calls, filter.mock.calls]).toEqual([[], []])
})
