import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useMemo } from 'react'
import { Provider } from 'react-redux'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { z } from 'zod'
import { read } from '#src/contract/call.ts'
import { api, connect } from '#src/kit/data.ts'
import { heldBack } from '#src/kit/held.ts'
import { Stage } from '#src/kit/stage.ts'
import { countedOf, useList, type ListState } from '#src/kit/uselist.ts'
import { PaneContext, PaneFocused, type Pane } from '#src/kit/workbench.ts'
import { makeStore } from '#src/shell/store.ts'

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
      <i data-testid="counted">{String(countedOf(list))}</i>
      <i data-testid="behind">{String(list.behind)}</i>
      <i data-testid="shows">
        {list.loaded ? list.rows.map(({ id }) => id).join() : (list.error?.message ?? '…')}
      </i>
      <i data-testid="page">{`${list.input.page} / ${list.pages}`}</i>
      <i data-testid="waiting">{String(list.waiting)}</i>
      <button onClick={() => list.hand(true)}>hand in</button>
      <button onClick={() => list.hand(false)}>hand out</button>
      <button onClick={() => list.focus(9)}>focus</button>
      <button onClick={() => list.goPage(1)}>first</button>
      <button onClick={() => list.goPage(2)}>second</button>
      <button onClick={list.retry}>retry</button>
      <button onClick={() => list.hide(list.rows.map(({ id }) => id))}>decide</button>
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

test('a number of rows is known only once it is that of the filters as they stand', async () => {
  connect({ token: () => 't', region: () => 'pro', ended: () => {}, failed: () => {} })
  const waiting: ((total: number) => void)[] = []
  vi.stubGlobal(
    'fetch',
    vi.fn(
      () =>
        new Promise<Response>(done =>
          waiting.push(total =>
            done(new Response(JSON.stringify({ status: 200, data: { list: [{ id: 7 }], total } }))),
          ),
        ),
    ),
  )
  render(
    <Provider store={makeStore()}>
      <Screen hook={memoryLocation({ path: '/rows', record: true })} />
    </Provider>,
  )
  const counted = () => screen.getByTestId('counted').textContent
  expect(counted()).toBe('undefined')
  await waitFor(() => expect(waiting).toHaveLength(1))
  waiting[0]!(1234)
  await waitFor(() => expect(counted()).toBe('1,234'))
  fireEvent.click(screen.getByRole('button', { name: 'off' }))
  await waitFor(() => expect(waiting).toHaveLength(2))
  expect(counted()).toBe('undefined')
  waiting[1]!(0)
  await waitFor(() => expect(counted()).toBe('0'))
})

describe('a page behind the last', () => {
  /** So many rows, two a page, as the server answers now. */
  let total = 5
  const asked: number[] = []
  const opened = (path: string) => {
    asked.length = 0
    connect({ token: () => 't', region: () => 'pro', ended: () => {}, failed: () => {} })
    vi.stubGlobal(
      'fetch',
      vi.fn(async (url: string) => {
        const at = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1)
        asked.push(at)
        const ids = Array.from({ length: total }, (_, i) => ({ id: i + 1 }))
        return new Response(
          JSON.stringify({ status: 200, data: { list: ids.slice(at * 2 - 2, at * 2), total } }),
        )
      }),
    )
    const hook = memoryLocation({ path, record: true })
    const store = makeStore()
    render(
      <Provider store={store}>
        <Screen hook={hook} />
      </Provider>,
    )
    return { hook, store }
  }
  const shows = (id: string, text: string) =>
    waitFor(() => expect(screen.getByTestId(id).textContent).toBe(text))

  test.each([
    ['an old bookmark', '/rows?pageSize=2&page=99', 5, '3 / 3', '5', '99'],
    ['a list that is empty now', '/rows?pageSize=2&page=4', 0, '1 / 1', 'undefined', '4'],
    ['the last page itself', '/rows?pageSize=2&page=3', 5, '3 / 3', '5', 'undefined'],
  ])('%s is the last that is, and says so', async (...given) => {
    const [, path, rows, page, at, behind] = given
    total = rows
    opened(path)
    await shows('at', at)
    await shows('page', page)
    await shows('behind', behind)
  })
  test('a colleague empties the last page, and the one before it comes; said until one goes on', async () => {
    total = 5
    const { store } = opened('/rows?pageSize=2&page=3')
    await shows('at', '5')
    total = 4
    store.dispatch(api.util.invalidateTags(['row'] as never[]))
    await shows('page', '2 / 2')
    await shows('at', '3')
    await shows('behind', '3')
    fireEvent.click(screen.getByRole('button', { name: 'first' }))
    await shows('page', '1 / 2')
    await shows('behind', 'undefined')
  })
  test('what I decided leaves a page without rows that is not empty: more is on its way', async () => {
    total = 5
    opened('/rows?pageSize=2')
    await shows('at', '1')
    fireEvent.click(screen.getByRole('button', { name: 'decide' }))
    await shows('at', '…')
  })
})

describe('a list that could not be read', () => {
  let down = false
  const opened = () => {
    connect({ token: () => 't', region: () => 'pro', ended: () => {}, failed: () => {} })
    vi.stubGlobal(
      'fetch',
      vi.fn(async (url: string) => {
        const second = url.includes('page=2')
        return new Response(
          JSON.stringify(
            down
              ? { status: 503, message: '暂时无法提供服务' }
              : {
                  status: 200,
                  data: { list: second ? [{ id: 3 }] : [{ id: 1 }, { id: 2 }], total: 3 },
                },
          ),
        )
      }),
    )
    render(
      <Provider store={makeStore()}>
        <Screen hook={memoryLocation({ path: '/rows?pageSize=2', record: true })} />
      </Provider>,
    )
  }
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
  const shows = (id: string, text: string) =>
    waitFor(() => expect(screen.getByTestId(id).textContent).toBe(text))

  test('keeps the rows of a page that was read, and not those of another one', async () => {
    down = false
    opened()
    await shows('shows', '1,2')
    down = true
    press('retry')
    await waitFor(() => expect(fetch).toHaveBeenCalledTimes(2))
    await shows('shows', '1,2')
    press('second')
    await shows('shows', '暂时无法提供服务')
    await shows('page', '2 / 2')
    press('first')
    await shows('shows', '1,2')
    down = false
    press('second')
    await shows('shows', '3')
  })
})

describe('a hand in the list', () => {
  const of = (...ids: number[]) => ids.map(id => ({ id }))
  test.each([
    ['new ones wait, wherever they are', of(1, 2, 3), of(9, 1, 8, 2, 3), [[1, 2, 3], 2]],
    ['others keep their places', of(1, 2, 3), of(3, 2, 1), [[1, 2, 3], 0]],
    ['those that are gone go', of(1, 2, 3), of(1, 3), [[1, 3], 0]],
    ['those that new ones push to the next page stay', of(1, 2, 3), of(9, 1, 2), [[1, 2, 3], 1]],
    ['no more of them than are new', of(1, 2, 3, 4), of(9, 1), [[1, 2], 1]],
    ['new ones come where nothing else is left', of(1, 2), of(8, 9), [[8, 9], 0]],
  ])('keeps rows in their places: %s', (_, shown, fresh, expected) => {
    const held = heldBack(shown, fresh)
    expect([held.rows.map(({ id }) => id), held.waiting]).toEqual(expected)
  })
  test('shows each row as it is now', () => {
    const now = { id: 1, name: 'new' }
    expect(heldBack([{ id: 1, name: 'old' }], [{ id: 2, name: '' }, now]).rows).toEqual([now])
  })

  let answers = of(1, 2)
  const opened = async () => {
    answers = of(1, 2)
    connect({ token: () => 't', region: () => 'pro', ended: () => {}, failed: () => {} })
    vi.stubGlobal(
      'fetch',
      vi.fn(
        async () =>
          new Response(
            JSON.stringify({ status: 200, data: { list: answers, total: answers.length } }),
          ),
      ),
    )
    const store = makeStore()
    render(
      <Provider store={store}>
        <Screen hook={memoryLocation({ path: '/rows', record: true })} />
      </Provider>,
    )
    await says('shows', '1,2')
    /** What a colleague made comes by an event. */
    return (next: typeof answers) => {
      answers = next
      store.dispatch(api.util.invalidateTags(['row'] as never[]))
    }
  }
  const says = (id: string, words: string) =>
    waitFor(() => expect(screen.getByTestId(id).textContent).toBe(words))
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

  test('has what others make wait until it is asked for', async () => {
    const made = await opened()
    press('hand in')
    made(of(3, 1, 2))
    await says('waiting', '1')
    await says('shows', '1,2')
    press('retry')
    await says('shows', '3,1,2')
    await says('waiting', '0')
  })
  test('has it shown as soon as it is out of the list', async () => {
    const made = await opened()
    press('hand in')
    made(of(3, 1, 2))
    await says('waiting', '1')
    press('hand out')
    await says('shows', '3,1,2')
  })
  test('holds nothing back of what another question answers', async () => {
    const made = await opened()
    press('hand in')
    made(of(3, 1, 2))
    await says('waiting', '1')
    press('off')
    await says('shows', '3,1,2')
    await says('waiting', '0')
  })
  test('has what others make come at once where it decided all that was shown', async () => {
    const made = await opened()
    press('hand in')
    press('decide')
    made(of(3, 1, 2))
    await says('shows', '3')
  })
  test('without one what others make comes at once', async () => {
    const made = await opened()
    made(of(3, 1, 2))
    await says('shows', '3,1,2')
  })
})
