import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { Provider } from 'react-redux'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CallError } from '#src/kit/data.ts'
import { Choice, List } from '#src/kit/list.tsx'
import { Stage } from '#src/kit/stage.ts'
import type { ListState } from '#src/kit/uselist.ts'
import { PaneContext, WorkbenchContext, type Pane, type Workbench } from '#src/kit/workbench.ts'
import { makeStore } from '#src/shell/store.ts'

afterEach(cleanup)
const cities = ['长春', '北京', '上海'].map((label, at) => ({ value: at + 1, label }))
const Screen = ({ city_id }: { city_id?: string }) => {
  const [input, filter] = useState<object>({ city_id })
  return (
    <Choice
      of={{ input, filter } as unknown as ListState<unknown>}
      by="city_id"
      label="城市"
      options={cities}
    />
  )
}
const city = () => screen.getByRole<HTMLSelectElement>('combobox', { name: '城市' })
const offered = () =>
  within(city())
    .getAllByRole('option')
    .map(option => option.textContent)

test.each([
  ['the focus', () => act(() => city().focus())],
  [
    'the pointer',
    () => {
      fireEvent.pointerDown(city())
    },
  ],
])('a filter holds what is chosen alone, until %s comes to it', (_, come) => {
  render(<Screen city_id="2" />)
  expect(offered()).toEqual(['北京'])
  come()
  expect(offered()).toEqual(['城市', '长春', '北京', '上海'])
  expect(city().value).toBe('2')
})
test('what is chosen stays when the focus goes, and “any” is named by the filter', () => {
  render(<Screen />)
  expect(offered()).toEqual(['城市'])
  act(() => city().focus())
  fireEvent.change(city(), { target: { value: '3' } })
  act(() => city().blur())
  expect([city().value, offered()]).toEqual(['3', ['上海']])
})
test('a value that is not among the options leaves them all there', () => {
  render(<Screen city_id="99" />)
  expect(offered()).toEqual(['城市', '长春', '北京', '上海'])
})

describe('a list that could not be refreshed', () => {
  const nothing = () => undefined
  const workbench = {
    me: { id: 1, name: '周', account: 'zhou', can: () => false },
    keysOf: nothing,
    ariaKeysOf: nothing,
    pageAt: nothing,
    historyFrom: nothing,
    setting: (_: string, __: unknown, initial: unknown) => ({
      get: () => initial,
      set: nothing,
      subscribe: () => nothing,
    }),
  } as unknown as Workbench
  const pane: Pane = {
    id: 'p',
    stage: new Stage(),
    visible: true,
    memo: { get: nothing, set: nothing },
  }
  const shown = (loaded: boolean, error: CallError | undefined, retry = vi.fn()) => {
    const of = {
      rows: loaded ? [{ id: 1 }] : [],
      total: loaded ? 1 : 0,
      loaded,
      stale: false,
      error,
      retry,
      input: { page: 2 },
      pages: 2,
      selected: new Map(),
      scroll: { top: 0, keep: nothing },
      call: { path: 'list-test/lst', kind: 'read', method: 'GET', touches: [] },
      inputOf: () => ({}),
    } as unknown as ListState<{ id: number }>
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => new Response('{"status":200,"data":[]}')),
    )
    render(
      <Provider store={makeStore()}>
        <WorkbenchContext value={workbench}>
          <PaneContext value={pane}>
            <List of={of} label="表" columns={[]} actions={[]} />
          </PaneContext>
        </WorkbenchContext>
      </Provider>,
    )
    return retry
  }
  const busy = { status: 500, message: '服务器忙' }

  test('says it above its rows, with the way to try again', () => {
    const retry = shown(true, busy)
    const note = screen.getByText('刷新失败：服务器忙。下面是之前的内容').closest('[role=status]')!
    fireEvent.click(within(note as HTMLElement).getByRole('button', { name: '重试' }))
    expect(retry).toHaveBeenCalledOnce()
  })
  test('says it in their place where none of this page was read', () => {
    shown(false, busy)
    expect(screen.getByRole('alert').textContent).toContain('服务器忙')
    expect(screen.queryByText(/下面是之前的内容/)).toBeNull()
  })
  test('that was refreshed says nothing', () => {
    shown(true, undefined)
    expect(screen.queryByText(/刷新失败/)).toBeNull()
  })
})
