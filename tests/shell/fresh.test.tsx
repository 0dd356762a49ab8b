import { act, cleanup, render, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { Provider } from 'react-redux'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { action, ask, page } from '#commands/command.ts'
import { read, write } from '#src/contract/call.ts'
import type { ChangedBy } from '#src/contract/envelope.ts'
import { api, connect, dispatchWrite, useRead } from '#src/kit/data.ts'
import { Desk } from '#src/shell/desk.ts'
import { makeStore, type Store } from '#src/shell/store.ts'

const row = z.object({ id: z.int(), version: z.int(), title: z.string() })
const rows = read('fresh/lst', ['表', 'Rows'], {
  input: z.object({}),
  output: z.object({ list: z.array(row) }),
  touches: ['fresh'],
  scope: 'all',
  permit: 'fresh.view',
})
const edit = write('fresh/edit', ['改', 'Edit'], {
  input: z.object({ id: z.int(), version: z.int(), title: z.string() }),
  output: row,
  touches: ['fresh'],
  scope: 'all',
  permit: 'fresh.edit',
})
const here = page('/manage/fresh', '表', 'Rows')
const change = action(edit, {
  title: '编辑',
  en: 'Edit',
  at: here,
  on: row,
  takes: 'row',
  asks: {
    title: ask.text({ label: ['标题', 'Title'], max: 20, initial: given => given[0]?.title }),
  },
  input: (given, asked) => ({ id: given[0]!.id, version: given[0]!.version, ...asked }),
})

let store: Store
let desk: Desk
let there: { id: number; version: number; title: string }
/** The row beside it, which nobody changes. */
const other = { id: 8, version: 1, title: '旁' }
let sent: { version: number; title: string }[]
let slow: number
/** How long an answer to a save is on its way. */
let answering: number
/** What was refused, as the person hears of it. */
let told: string[]
/** The person whom a save that comes too late is told of. */
let late: ChangedBy
beforeEach(() => {
  there = { id: 7, version: 1, title: '甲' }
  sent = []
  slow = 150
  answering = 0
  told = []
  late = { name: '李四', at: 1_795_000_000 }
  connect({
    token: () => 't',
    region: () => 'pro',
    ended: () => {},
    failed: error => told.push(error.message),
  })
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string, init: RequestInit) => {
      if (url.includes('fresh/edit')) {
        const body = JSON.parse(String(init.body))
        sent.push(body)
        if (body.version !== there.version)
          return new Response(
            JSON.stringify({
              status: 409,
              message: '已被修改',
              data: { rule: 'stale', by: late },
            }),
          )
        there = { id: 7, version: there.version + 1, title: body.title }
        await new Promise(later => setTimeout(later, answering))
        return new Response(JSON.stringify({ status: 200, data: there }))
      }
      const answer = JSON.stringify({ status: 200, data: { list: [there, other] } })
      await new Promise(later => setTimeout(later, slow))
      return new Response(answer)
    }),
  )
  store = makeStore()
  desk = new Desk(store, { id: 2, name: '周', account: 'zhou', can: () => true })
})
afterEach(() => {
  cleanup()
  // What is still to be read anew would be asked of the next file's server.
  store.dispatch(api.util.resetApiState())
  vi.unstubAllGlobals()
})
/** A list: what it shows is what its actions take. */
const List = () => {
  const { data } = useRead(rows, {})
  useEffect(() => {
    desk.stage('p1').subject = { rows: data?.list ?? [] }
  }, [data])
  return <p>{data?.list[0]?.title}</p>
}
const shown = () => desk.stage('p1').subject.rows.slice(0, 1)
const beside = () => desk.stage('p1').subject.rows.slice(1)
const save = async (title: string) => {
  const done = desk.run(change, shown(), { pane: 'p1' })
  await waitFor(() => expect(desk.asking).not.toBeNull())
  const asking = desk.asking!
  const result = await act(() => asking.submit({ title }))
  return [result, asking.rows[0].title, await done]
}

test('a question asked right after one’s own save is about the row as it is now', async () => {
  const { container } = render(
    <Provider store={store}>
      <List />
    </Provider>,
  )
  await waitFor(() => expect(container.textContent).toBe('甲'))
  expect((await save('乙'))[0]).toBe(true)
  // The list is still being fetched and shows the old row.
  expect(shown()[0].version).toBe(1)
  expect(await save('丙')).toEqual([true, '乙', true])
  expect(sent.map(one => one.version)).toEqual([1, 2])
})
test('and while the save is still under way', async () => {
  const { container } = render(
    <Provider store={store}>
      <List />
    </Provider>,
  )
  await waitFor(() => expect(container.textContent).toBe('甲'))
  answering = 200
  void desk.run(change, shown(), { pane: 'p1', asked: { title: '乙' } })
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(await save('丙')).toEqual([true, '乙', true])
  expect(sent.map(one => one.version)).toEqual([1, 2])
})
test('a save of another row keeps nobody waiting, neither while it is under way nor while the list is fetched again', async () => {
  const { container } = render(
    <Provider store={store}>
      <List />
    </Provider>,
  )
  await waitFor(() => expect(container.textContent).toBe('甲'))
  answering = 100
  const saving = desk.run(change, shown(), { pane: 'p1', asked: { title: '乙' } })
  await waitFor(() => expect(sent).toHaveLength(1))
  const asks = (given: readonly unknown[]) => {
    void desk.run(change, given, { pane: 'p1' })
    return desk.asking?.rows
  }
  expect(asks(beside())).toEqual([other])
  desk.asking!.cancel()
  expect(await saving).toBe(true)
  expect(shown()[0].version).toBe(1)
  expect(asks(beside())).toEqual([other])
  desk.asking!.cancel()
  // Together with the row that was saved it is waited for.
  expect(asks([...shown(), ...beside()])).toBeUndefined()
  // What is written by a page of its own may have changed any row of what it touches.
  await waitFor(() => expect(container.textContent).toBe('乙'))
  const written = dispatchWrite(store.dispatch, edit, { id: 7, version: 2, title: '丙' })
  expect(asks(beside())).toBeUndefined()
  await act(() => written)
})
test('it is so on a machine that draws slowly too', async () => {
  vi.stubGlobal('requestAnimationFrame', (then: FrameRequestCallback) => setTimeout(then, 80))
  store = makeStore()
  desk = new Desk(store, desk.me)
  const { container } = render(
    <Provider store={store}>
      <List />
    </Provider>,
  )
  await waitFor(() => expect(container.textContent).toBe('甲'))
  await save('乙')
  expect(await save('丙')).toEqual([true, '乙', true])
})
test('nobody waits for reads when nothing was written, nor for ever', async () => {
  const { container } = render(
    <Provider store={store}>
      <List />
    </Provider>,
  )
  await waitFor(() => expect(container.textContent).toBe('甲'))
  slow = 60_000
  await save('乙')
  const began = Date.now()
  void desk.run(change, shown(), { pane: 'p1' })
  await waitFor(() => expect(desk.asking).not.toBeNull(), { timeout: 30_000 })
  expect(Date.now() - began).toBeLessThan(slow / 2)
}, 60_000)

const elsewhere = read('slow/figures', ['数', 'Figures'], {
  input: z.object({}),
  output: z.object({ n: z.int() }),
  touches: ['figures'],
  scope: 'all',
  permit: 'fresh.view',
})
test('a slow answer to another question keeps no list from knowing of one’s own save', async () => {
  const answered = vi.mocked(fetch).getMockImplementation()!
  vi.mocked(fetch).mockImplementation((url, init) =>
    String(url).includes('slow/figures') ? new Promise(() => {}) : answered(url, init),
  )
  const Figures = () => <i>{useRead(elsewhere, {}).data?.n}</i>
  const { container } = render(
    <Provider store={store}>
      <List />
      <Figures />
    </Provider>,
  )
  await waitFor(() => expect(container.textContent).toBe('甲'))
  expect((await save('乙'))[0]).toBe(true)
  expect(await save('丙')).toEqual([true, '乙', true])
  expect(sent.map(one => one.version)).toEqual([1, 2])
  await waitFor(() => expect(container.textContent).toBe('丙'))
})
test('an answer that was asked for before the save is not taken for the row as it is after it', async () => {
  const { container } = render(
    <Provider store={store}>
      <List />
    </Provider>,
  )
  await waitFor(() => expect(container.textContent).toBe('甲'))
  const old = shown()
  slow = 400
  // What others changed is being fetched when one saves.
  store.dispatch(api.util.invalidateTags(['fresh'] as never[]))
  await waitFor(() => expect(vi.mocked(fetch)).toHaveBeenCalledTimes(2))
  expect(await act(() => desk.run(change, old, { pane: 'p1', asked: { title: '乙' } }))).toBe(true)
  expect(await save('丙')).toEqual([true, '乙', true])
  expect(sent.map(one => one.version)).toEqual([1, 2])
})

const close = action(edit, {
  title: '关闭',
  en: 'Close',
  at: here,
  on: row,
  takes: 'row',
  when: given => given.title !== '已关' || ['已经关闭', 'It is closed'],
  input: given => ({ id: given[0]!.id, version: given[0]!.version, title: '已关' }),
})
/** Somebody else saves while this list shows the row of before. */
const quicker = (title: string) => {
  there = { id: 7, version: there.version + 1, title }
}
test('an action that was refused as stale is asked again with the row as it is now and who changed it, and is then about that one', async () => {
  const { container } = render(
    <Provider store={store}>
      <List />
    </Provider>,
  )
  await waitFor(() => expect(container.textContent).toBe('甲'))
  const old = shown()
  quicker('乙')
  const done = desk.run(close, old, { pane: 'p1' })
  await waitFor(() => expect(desk.asking).not.toBeNull())
  const { rows, newer, submit } = desk.asking!
  expect([rows, newer]).toEqual([
    [there],
    { by: { name: '李四', at: 1_795_000_000 }, before: old[0], now: there },
  ])
  expect(await act(() => submit({}))).toBe(true)
  expect([await done, sent.map(one => one.version)]).toEqual([true, [1, 2]])
})
describe('a row that only its person changed meanwhile', () => {
  const opened = async () => {
    const { container } = render(
      <Provider store={store}>
        <List />
      </Provider>,
    )
    await waitFor(() => expect(container.textContent).toBe('甲'))
    return shown()
  }
  test('is acted on as they made it, without a question', async () => {
    const old = await opened()
    quicker('乙')
    quicker('丙')
    late = { ...late, own: 2 }
    expect(await act(() => desk.run(close, old, { pane: 'p1' }))).toBe(true)
    expect([desk.asking, sent.map(one => one.version), told]).toEqual([null, [1, 3], []])
  })
  test('is asked about where others changed it before them', async () => {
    const old = await opened()
    quicker('乙')
    quicker('丙')
    late = { ...late, own: 1 }
    void desk.run(close, old, { pane: 'p1' })
    await waitFor(() => expect(desk.asking).not.toBeNull(), { timeout: 4000 })
    expect([sent.length, told]).toEqual([1, ['已被修改']])
  })
  test('keeps what they wrote before: an answer that began with the old row is held against it', async () => {
    const old = await opened()
    quicker('乙')
    late = { ...late, own: 1 }
    await act(async () => {
      await desk.attempt(change, old, { title: '丙' })
    })
    expect(sent).toHaveLength(1)
    expect(desk.asking).toMatchObject({ rows: [there], typed: { based: { title: '甲' } } })
  })
})
test('where the row as it is now can no longer have it, the refusal says why and nothing is asked', async () => {
  const { container } = render(
    <Provider store={store}>
      <List />
    </Provider>,
  )
  await waitFor(() => expect(container.textContent).toBe('甲'))
  quicker('已关')
  expect(await desk.run(close, shown(), { pane: 'p1' })).toBe(false)
  expect(desk.asking).toBeNull()
})
test('what was answered in the palette goes on in the dialog, held against what stood there when it was answered', async () => {
  const { container } = render(
    <Provider store={store}>
      <List />
    </Provider>,
  )
  await waitFor(() => expect(container.textContent).toBe('甲'))
  const old = shown()
  quicker('乙')
  await act(async () => {
    await desk.attempt(change, old, { title: '丙' })
  })
  expect(desk.asking).toMatchObject({
    rows: [there],
    typed: { changed: { title: '丙' }, based: { title: '甲' } },
  })
})
