import { act, cleanup, render, screen } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { SERVER_TIME } from '#src/contract/envelope.ts'
import { places } from '#src/contract/places.ts'
import { forgetTime } from '#src/domain/clock.ts'
import { dayStart, unixNow } from '#src/domain/time.ts'
import { api, connect, dispatchRead, dispatchWrite, useAhead, useRead } from '#src/kit/data.ts'
import { home } from '#src/modules/home/contract.ts'
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

describe('a call that failed', () => {
  const answering = (answer: (url: string) => object) => {
    const told: string[] = []
    connect({
      token: () => 't',
      region: () => 'pro',
      ended: () => {},
      failed: error => told.push(error.message),
    })
    vi.stubGlobal(
      'fetch',
      vi.fn(async (url: string) => new Response(JSON.stringify(answer(url)))),
    )
    return told
  }
  const Shown = ({ of }: { of: number }) => {
    const read = useRead(undo.mine, { page: of } as never)
    return <p>{read.data === undefined ? (read.error?.message ?? '…') : read.data.total}</p>
  }
  const shown = (store: ReturnType<typeof makeStore>, of: number) => (
    <Provider store={store}>
      <Shown of={of} />
    </Provider>
  )

  test.each([
    [{ status: 500, message: '服务器忙' }, '服务器忙'],
    [{ status: 422, msg: '没有这条' }, '没有这条'],
    [{ status: 500 }, 'Error'],
  ])('%o, when read, is told as a failed write is', async (answer, words) => {
    const told = answering(() => answer)
    const { container } = render(shown(makeStore(), 1))
    await vi.waitFor(() => expect(container.textContent).toBe(words))
    expect(told).toEqual([words])
  })
  test('is told by no toast where it is asked again by itself; what was shown stands', async () => {
    const answers = [
      { status: 200, data: { list: [{ path: '/a', count: 3, over_sla: 0 }] } },
      { status: 500, message: '服务器忙' },
    ]
    const told = answering(() => answers.shift()!)
    const Waits = () => {
      const { data, error, refetch } = useRead(home.waiting, {})
      return (
        <button type="button" onClick={refetch}>
          {`${data?.list[0]?.count}${error ? ' old' : ''}`}
        </button>
      )
    }
    render(
      <Provider store={makeStore()}>
        <Waits />
      </Provider>,
    )
    const shows = (words: string) =>
      vi.waitFor(() => expect(screen.getByRole('button').textContent).toBe(words))
    await shows('3')
    screen.getByRole('button').click()
    await shows('3 old')
    expect(told).toEqual([])
  })
  test('is not answered by what was answered to another question', async () => {
    answering(url =>
      url.includes('page=2')
        ? { status: 500, message: '服务器忙' }
        : { status: 200, data: { list: [], total: 7 } },
    )
    const store = makeStore()
    const { container, rerender } = render(shown(store, 1))
    await vi.waitFor(() => expect(container.textContent).toBe('7'))
    rerender(shown(store, 2))
    await vi.waitFor(() => expect(container.textContent).toBe('服务器忙'))
    rerender(shown(store, 1))
    await vi.waitFor(() => expect(container.textContent).toBe('7'))
  })
  test('of the cities to filter by is written to the browser’s console alone', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const told = answering(() => ({ status: 500, message: '服务器忙' }))
    const { dispatch } = makeStore()
    await expect(dispatchRead(dispatch, places.cities, { simp: 1 })).rejects.toMatchObject({
      message: '服务器忙',
    })
    expect([told, log.mock.calls]).toEqual([[], [['/api/manageback/city/list', '服务器忙']]])
    log.mockRestore()
  })
  test('and one that leaving the page cut off is not written there', async () => {
    vi.useFakeTimers()
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const { dispatch } = makeStore()
    await expect(dispatchRead(dispatch, places.cities, { simp: 1 })).rejects.toMatchObject({
      lost: true,
    })
    expect(log.mock.calls).toEqual([])
    // Whoever stays learns of it.
    vi.advanceTimersByTime(1000)
    expect(log.mock.calls).toEqual([['/api/manageback/city/list', expect.any(String)]])
    log.mockRestore()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
  test.each([
    ['sent by itself', undefined, {}, ['请检查']],
    ['sent by a form, which says it at its fields too', true, {}, ['请检查']],
    ['a row that changed, which a form settles', true, { rule: 'stale' }, []],
    ['told by the sender alone', 'wholly', {}, []],
  ] as const)('write: %s', async (_, quiet, data, expected) => {
    const told = answering(() => ({ status: 422, message: '请检查', data }))
    const more = quiet === undefined ? {} : { quiet }
    await expect(
      dispatchWrite(makeStore().dispatch, home.saveSettings, {}, more),
    ).rejects.toMatchObject({ message: '请检查' })
    expect(told).toEqual(expected)
  })
})

test('a machine a day behind takes today from the answers of the server', async () => {
  const ahead = 86_400_000
  const heard: number[] = []
  connect({
    token: () => 't',
    region: () => 'pro',
    ended: () => {},
    failed: () => {},
    timed: by => heard.push(by),
  })
  vi.stubGlobal(
    'fetch',
    vi.fn(
      async () =>
        new Response('{"status":200,"data":{"list":[],"total":0}}', {
          headers: { [SERVER_TIME]: String(Date.now() + ahead) },
        }),
    ),
  )
  const own = dayStart(Date.now() / 1000)
  await dispatchRead(makeStore().dispatch, undo.mine, {}, true)
  expect(Math.abs(heard[0]! - ahead)).toBeLessThan(1000)
  expect(dayStart(unixNow()) - own).toBe(86_400)
  forgetTime()
})
