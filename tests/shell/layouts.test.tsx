import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { copyLayoutLink, revertLayout, saveLayoutAs } from '#commands/shell.ts'
import { connect } from '#src/kit/data.ts'
import { WorkbenchContext } from '#src/kit/workbench.ts'
import { Desk, DeskContext } from '#src/shell/desk.ts'
import { meansLayout } from '#src/shell/palette/records.ts'
import { layoutOf } from '#src/shell/panes/format.ts'
import { LayoutsButton } from '#src/shell/panes/layouts-button.tsx'
import { LayoutsDialog } from '#src/shell/panes/layouts-dialog.tsx'
import { layoutsOf, startingLayout } from '#src/shell/panes/layouts.ts'
import { leaves } from '#src/shell/panes/tree.ts'
import { holdWindow, thisWindow } from '#src/shell/panes/windows.ts'
import { workspace } from '#src/shell/panes/workspace.ts'
import { makeStore, type Store } from '#src/shell/store.ts'

const state = {
  v: 2,
  panes: [{ at: '/manage/audit/bulks' }, { at: '/manage/audit/card' }],
  tree: 'r(50.,50.)',
  focus: 0,
  maximised: false,
} as const
const row = (id: number, more: object = {}) => ({
  id,
  kind: 'mine',
  name: `布局 ${id}`,
  state,
  version: 1,
  role_id: null,
  for_name: null,
  by_name: '林岚',
  updated_at: 1_763_000_000,
  start: false,
  may_change: true,
  pinyin: '',
  ...more,
})
let store: Store
let desk: Desk
let rows: ReturnType<typeof row>[]
let sent: { path: string; body: any }[]
let late: Promise<void>
beforeEach(() => {
  localStorage.clear()
  rows = [
    row(1, { name: '审核双列' }),
    row(2, { name: '客服台', kind: 'team', for_name: '客服部', may_change: false }),
  ]
  sent = []
  late = Promise.resolve()
  connect({ token: () => 't', region: () => 'pro', ended: () => {}, failed: () => {} })
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string, init: RequestInit) => {
      const path = url.replace('/api/manageback/', '').split('?')[0]!
      const body = JSON.parse(String(init.body ?? '{}'))
      await late
      sent.push({ path, body })
      const answers: Record<string, object> = {
        'workbench/layouts': { list: rows },
        'workbench/layout/link': { code: 'abcdefghjkmn' },
        'workbench/layout/save': row(7, body),
      }
      const data = answers[path] ?? row(body.id ?? 1, { ...rows[0], ...body, version: 2 })
      return new Response(JSON.stringify({ status: 200, msg: '', message: '', data }))
    }),
  )
  store = makeStore()
  desk = new Desk(store, { id: 1, name: '林岚', account: 'admin', can: () => true })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const panes = () => leaves(desk.workspace.tree).map(id => desk.pane(id)!.at)

describe('the list of layouts', () => {
  const opened = async () => {
    const layouts = layoutsOf(store, desk)
    const stop = layouts.carryOut()
    const close = vi.fn()
    const kit = {
      me: desk.me,
      run: desk.run,
      open: () => {},
      toast: () => 0,
      keysOf: () => undefined,
      ariaKeysOf: () => undefined,
    }
    render(
      <Provider store={store}>
        <WorkbenchContext.Provider value={kit as never}>
          <DeskContext.Provider value={desk}>
            <LayoutsButton />
            <LayoutsDialog layouts={layouts} close={close} />
          </DeskContext.Provider>
        </WorkbenchContext.Provider>
      </Provider>,
    )
    await screen.findByRole('button', { name: /^审核双列/ })
    return { layouts, stop, close }
  }
  test('begins at the first; Enter there opens it, and what stood can be brought back', async () => {
    const before = panes()
    const { stop, close } = await opened()
    await waitFor(() => expect(document.activeElement?.textContent).toContain('审核双列'))
    act(() => {
      ;(document.activeElement as HTMLElement).click()
    })
    expect([close.mock.calls.length, panes()]).toEqual([
      1,
      ['/manage/audit/bulks', '/manage/audit/card'],
    ])
    act(() => {
      store.dispatch(workspace.undone())
    })
    expect(panes()).toEqual(before)
    stop()
  })
  test('a change of what stands is drift: marked at its name, gone when one goes back, saved over the old one otherwise', async () => {
    const { layouts, stop } = await opened()
    act(() => {
      desk.openLayout!(rows[0] as never)
    })
    expect(screen.getByLabelText('布局：审核双列')).toBeTruthy()
    act(() => {
      store.dispatch(workspace.went({ pane: desk.workspace.focused!, at: '/manage/audit/voucher' }))
    })
    expect(screen.getByLabelText('布局：审核双列，有调整')).toBeTruthy()
    act(() => {
      desk.perform({ action: revertLayout, rows: [] })
    })
    expect([panes(), screen.queryByLabelText('布局：审核双列')]).toMatchObject([
      ['/manage/audit/bulks', '/manage/audit/card'],
      expect.anything(),
    ])
    act(() => {
      store.dispatch(workspace.went({ pane: desk.workspace.focused!, at: '/manage/audit/voucher' }))
    })
    await act(() => layouts.overwrite(rows[0]!))
    expect(sent.findLast(one => one.path.startsWith('workbench/layout/'))).toEqual({
      path: 'workbench/layout/overwrite',
      body: { id: 1, version: 1, state: layoutOf(desk.workspace) },
    })
    expect(screen.getByLabelText('布局：审核双列')).toBeTruthy()
    stop()
  })
  test('saves what stands under a name, renames, and copies a link; another’s offers nothing that changes it', async () => {
    const { layouts, stop } = await opened()
    const answered = async (answers: Record<string, unknown>) => {
      await waitFor(() => expect(desk.asking).not.toBeNull())
      await act(async () => {
        await desk.asking!.submit(answers)
      })
    }
    act(() => {
      desk.perform({ action: saveLayoutAs, rows: [] })
    })
    await answered({ name: '我的新布局' })
    expect(sent.find(one => one.path === 'workbench/layout/save')!.body).toEqual({
      name: '我的新布局',
      state: layoutOf(desk.workspace),
    })
    layouts.rename(rows[0]!)
    await answered({ name: '改过的' })
    expect(sent.find(one => one.path === 'workbench/layout/rename')!.body).toEqual({
      id: 1,
      version: 1,
      name: '改过的',
    })
    const writeText = vi.fn(async (_: string) => {})
    vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText } } }))
    act(() => {
      desk.perform({ action: copyLayoutLink, rows: [] })
    })
    await waitFor(() =>
      expect(writeText).toHaveBeenCalledWith(expect.stringContaining('abcdefghjkmn')),
    )
    expect(screen.queryByRole('button', { name: /重命名「客服台」/ })).toBeNull()
    expect(screen.getByRole('button', { name: /重命名「审核双列」/ })).toBeTruthy()
    stop()
  })
  test('arrows go from one to the next', async () => {
    const { stop } = await opened()
    await waitFor(() => expect(document.activeElement?.textContent).toContain('审核双列'))
    fireEvent.keyDown(document.activeElement!, { key: 'ArrowDown' })
    expect(document.activeElement?.textContent).toContain('客服台')
    stop()
  })
})

describe('whoever never had a layout', () => {
  test('begins with the one recommended to their role', async () => {
    rows = [row(1), row(3, { kind: 'role', start: true })]
    const begun = await startingLayout(store.dispatch)
    expect([leaves(begun!.tree).map(id => begun!.byId[id]!.at), begun!.saved?.id]).toEqual([
      ['/manage/audit/bulks', '/manage/audit/card'],
      3,
    ])
  })
  test('begins alone where none is recommended, it can’t be read, or nobody says so in time', async () => {
    expect(await startingLayout(store.dispatch)).toBeNull()
    rows = [row(3, { start: true, state: { v: 99 } })]
    store = makeStore()
    expect(await startingLayout(store.dispatch)).toBeFalsy()
    vi.useFakeTimers()
    late = new Promise(() => {})
    store = makeStore()
    const begun = startingLayout(store.dispatch)
    await vi.advanceTimersByTimeAsync(3000)
    expect(await begun).toBeNull()
    vi.useRealTimers()
  })
})

test('a window holds a lock on its name; one that the browser duplicated takes another', async () => {
  const asked: string[] = []
  let taken = true
  vi.stubGlobal(
    'navigator',
    Object.create(navigator, {
      locks: {
        value: {
          request: async (name: string, _: object, then: (lock: object | null) => unknown) => {
            asked.push(name)
            const free = !taken
            taken = false
            return then(free ? {} : null)
          },
        },
      },
    }),
  )
  const before = thisWindow()
  const release = holdWindow()
  await Promise.resolve()
  expect(asked).toEqual([`mallet.window.${before}`, `mallet.window.${thisWindow()}`])
  expect(thisWindow()).not.toBe(before)
  release()
})

test('a layout is found by its name, in pinyin, by initials, with 布局 before it or without', () => {
  const one = { name: '审核双列', pinyin: 'shenheshuanglie|shsl' }
  for (const typed of [
    '审核',
    '布局：审核双列',
    '布局:审核',
    'shuanglie',
    'shsl',
    "shen'he",
    'bujushenhe',
    'bjsh',
    '布局',
    'layout',
  ])
    expect([typed, meansLayout(typed, one)]).toEqual([typed, true])
  for (const typed of ['', '  ', '客服', 'kf', 'bjkf'])
    expect([typed, meansLayout(typed, one)]).toEqual([typed, false])
})
