import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Action } from '#commands/command.ts'
import type { Look } from '#src/areas/workbench/view.ts'
import type { CallError } from '#src/kit/data.ts'
import { FilterBar, FilterButton, useFilters } from '#src/kit/filters.tsx'
import { List } from '#src/kit/list.tsx'
import { Stage } from '#src/kit/stage.ts'
import { activeFilters, type ListState } from '#src/kit/uselist.ts'
import { PaneContext, WorkbenchContext, type Pane, type Workbench } from '#src/kit/workbench.ts'
import { makeStore } from '#src/shell/store.ts'

afterEach(cleanup)
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

describe('filters that have no room', () => {
  const inputOf = () => ({ page: 1, sort: 'sla', state: 'open' })
  test.each([
    ['none where it is as it begins', { page: 3, sort: 'newest', state: 'open' }, 0],
    ['not the one of its tabs', { state: 'mine' }, 0],
    ['each that is set', { keyword: '火锅', city_id: 2, state: 'open' }, 2],
    ['a period once', { paid_from: 1, paid_to: 2, state: 'open' }, 1],
    ['the end of a period alone', { to: 2, state: 'open' }, 1],
  ])('count %s', (_, input, count) => {
    expect(activeFilters({ input, inputOf } as Parameters<typeof activeFilters>[0], 'state')).toBe(
      count,
    )
  })

  const Folded = () => {
    const folding = useFilters()
    const list = { input: { keyword: '火锅' }, inputOf: () => ({}) }
    return (
      <WorkbenchContext value={workbench}>
        <div className="m-list">
          <FilterBar of={folding}>
            <input aria-label="关键词" />
          </FilterBar>
          <FilterButton of={folding} list={list as unknown as ListState<unknown>} />
          <div className="m-grid" role="grid" tabIndex={0} />
        </div>
      </WorkbenchContext>
    )
  }
  const button = () => screen.getByRole('button', { name: '筛选，已用 1 项' })
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'checkVisibility').mockImplementation(function (
      this: HTMLElement,
    ) {
      return this.closest('.m-filters')?.hasAttribute('data-open') ?? true
    })
  })
  afterEach(() => vi.restoreAllMocks())
  test('open by their button with the focus in the first, and close by Esc for the rows', () => {
    render(<Folded />)
    expect(button().getAttribute('aria-expanded')).toBe('false')
    fireEvent.click(button())
    expect(button().getAttribute('aria-expanded')).toBe('true')
    expect(document.activeElement).toBe(screen.getByRole('textbox'))
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
    expect(button().getAttribute('aria-expanded')).toBe('false')
    expect(document.activeElement).toBe(screen.getByRole('grid'))
  })
  test('close when the pointer or the focus goes elsewhere', () => {
    render(<Folded />)
    fireEvent.click(button())
    act(() => screen.getByRole('grid').focus())
    expect(button().getAttribute('aria-expanded')).toBe('false')
    fireEvent.click(button())
    fireEvent.pointerDown(document.body)
    expect(button().getAttribute('aria-expanded')).toBe('false')
  })
})

type Tabs = Parameters<typeof List>[0]['tabs']
const pane: Pane = {
  id: 'p',
  stage: new Stage(),
  visible: true,
  memo: { get: nothing, set: nothing },
}
const listed = (more: Partial<ListState<{ id: number }>>, tabs?: Tabs) => {
  const retry = vi.fn()
  const of = {
    rows: [],
    total: 0,
    loaded: true,
    stale: false,
    retry,
    input: { page: 1 },
    pages: 2,
    selected: new Map(),
    scroll: { top: 0, keep: nothing },
    waiting: 0,
    hand: nothing,
    call: { path: 'list-test/lst', kind: 'read', method: 'GET', touches: [] },
    inputOf: () => ({}),
    ...more,
  } as unknown as ListState<{ id: number }>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response('{"status":200,"data":[]}')),
  )
  render(
    <Provider store={makeStore()}>
      <WorkbenchContext value={workbench}>
        <PaneContext value={pane}>
          <List of={of} label="表" columns={[]} actions={[]} {...(tabs && { tabs })} />
        </PaneContext>
      </WorkbenchContext>
    </Provider>,
  )
  return retry
}

describe('a list without rows says why', () => {
  const tabs: Tabs = {
    by: 'status',
    all: [
      { key: 'all', title: ['全部', 'All'] },
      { key: 'draft', title: ['草稿', 'Drafts'] },
    ],
  }
  test.each([
    ['还没有记录', {}],
    ['还没有记录', { status: 'all' }],
    ['这个状态下没有记录', { status: 'draft' }],
    ['没有符合条件的记录', { status: 'draft', keyword: '甲' }],
    ['没有符合条件的记录', { paid_from: 1_795_000_000 }],
  ])('%s: %j', (words, input) => {
    listed({ input: { page: 1, ...input } as never }, tabs)
    expect(screen.getByText(words)).toBeDefined()
    expect(screen.queryByText('试试放宽筛选条件。') !== null).toBe(words.includes('条件'))
  })
})
test.each([
  ['on their way at first', { loaded: false }, true],
  ['on their way from the page before', { stale: true }, true],
  [
    'not when they could not be read',
    { loaded: false, error: { status: 500 } as CallError },
    false,
  ],
  ['not when they are there', {}, false],
])('the rows that a key means are %s', (_, of, isPending) => {
  listed(of)
  expect(pane.stage.subject.pending).toBe(isPending)
})
describe('a list that could not be refreshed', () => {
  const shown = (loaded: boolean, error: CallError | undefined) =>
    listed({
      rows: loaded ? [{ id: 1 }] : [],
      total: loaded ? 1 : 0,
      loaded,
      error: error as never,
      input: { page: 2 } as never,
    })
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

describe('the actions of a row', () => {
  const action = (id: string, more: object = {}) =>
    ({
      id,
      title: id,
      en: id,
      permit: 'p',
      takes: 'rows',
      at: undefined,
      ...more,
    }) as unknown as Action
  const actions = [
    action('通过'),
    action('驳回', { when: () => ['已审核', 'Audited'] }),
    action('新增', { takes: 'none' }),
    action('删除', { danger: true }),
  ]
  const run = vi.fn(async () => true)
  const focused = { id: 7, name: '锅' }
  const focus = vi.fn()
  const shown = (selected: readonly { id: number }[] = [], look: Look | null = null) => {
    const of = {
      rows: [focused, { id: 8, name: '碗' }],
      total: 2,
      loaded: true,
      stale: false,
      retry: nothing,
      input: {},
      inputOf: () => ({}),
      pages: 1,
      focused: 7,
      focusedRow: focused,
      focus,
      select: nothing,
      selected: new Map(selected.map(row => [row.id, row])),
      scroll: { top: 0, keep: nothing },
      call: { path: 'list-test/lst', kind: 'read', method: 'GET', touches: [] },
      waiting: 0,
      hand: nothing,
    } as unknown as ListState<{ id: number; name: string }>
    const columns = [
      { key: 'name', title: ['名', 'N'], width: 90, cell: (row: { name: string }) => row.name },
    ]
    const pane: Pane = {
      id: 'p',
      stage: new Stage(),
      visible: true,
      memo: { get: nothing, set: nothing },
    }
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => new Response('{"status":200,"data":[]}')),
    )
    render(
      <Provider store={makeStore()}>
        <WorkbenchContext
          value={
            {
              ...workbench,
              me: { ...workbench.me, can: () => true },
              keysOf: (id: string) => (id === '通过' ? 'A' : undefined),
              setting: (name: string, _: unknown, initial: unknown) => ({
                get: () => (name.startsWith('list:') ? look : initial),
                set: nothing,
                subscribe: () => nothing,
              }),
              run,
            } as unknown as Workbench
          }
        >
          <PaneContext value={pane}>
            <List of={of} label="表" columns={columns as never} actions={actions} />
          </PaneContext>
        </WorkbenchContext>
      </Provider>,
    )
  }
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600)
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(320)
  })
  afterEach(() => vi.restoreAllMocks())
  const entries = () => screen.getAllByRole('menuitem')

  test('stand in its menu, with why one can’t be had, and runs one on that row', async () => {
    shown([{ id: 8 }])
    fireEvent.contextMenu(screen.getByText('锅'), { clientX: 40, clientY: 50 })
    expect(entries().map(one => one.textContent)).toEqual(['通过A', '驳回', '删除'])
    expect(entries().map(one => one.getAttribute('title'))).toEqual([null, '已审核', null])
    fireEvent.click(entries()[0]!)
    expect(run).toHaveBeenCalledExactlyOnceWith(actions[0], [focused], { pane: 'p' })
  })
  test('come by the menu key at the row in focus, and is stepped through by arrows', () => {
    shown()
    fireEvent.contextMenu(screen.getByRole('grid'))
    expect(document.activeElement).toBe(entries()[0])
    fireEvent.keyDown(entries()[0]!, { key: 'ArrowDown' })
    expect(document.activeElement).toBe(entries()[1])
    fireEvent.keyDown(entries()[1]!, { key: 'Escape' })
  })

  const withActs: Look = {
    order: ['name', 'acts'],
    shown: ['name', 'acts'],
    widths: {},
    pinned: ['name'],
    dense: false,
  }
  const cell = (row: string) =>
    within(
      within(screen.getByRole('row', { name: new RegExp(row) }))
        .getAllByRole('gridcell')
        .at(-1)!,
    )
  test('have a column that a person switches on: the first of them, with key or reason', () => {
    run.mockClear()
    shown([{ id: 8 }], withActs)
    expect(screen.getByRole('columnheader', { name: '操作' })).toBeTruthy()
    const buttons = cell('碗').getAllByRole('button')
    expect(buttons.map(one => one.textContent || one.getAttribute('aria-label'))).toEqual([
      '通过',
      '驳回',
      '此行的更多操作',
    ])
    expect(buttons.map(one => one.title)).toEqual(['通过 (A)', '已审核', ''])
    expect(buttons.map(one => one.tabIndex)).toEqual([-1, -1, -1])
    expect(buttons[1]!.getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(buttons[1]!)
    expect(run).not.toHaveBeenCalled()
    // It is about the row it stands in, whichever others are selected.
    fireEvent.click(buttons[0]!)
    expect(run).toHaveBeenCalledExactlyOnceWith(actions[0], [{ id: 8, name: '碗' }], { pane: 'p' })
  })
  test('are all behind the last button of the row, which gives the row the focus', () => {
    shown([], withActs)
    const more = cell('碗').getByRole('button', { name: '此行的更多操作' })
    fireEvent.mouseDown(more)
    expect([focus.mock.lastCall, document.activeElement?.getAttribute('role')]).toEqual([
      [8],
      'grid',
    ])
    fireEvent.click(more)
    expect(entries().map(one => one.textContent)).toEqual(['通过A', '驳回', '删除'])
  })
  test('have no column where nobody switched it on', () => {
    shown()
    expect(screen.queryByRole('columnheader', { name: '操作' })).toBeNull()
  })
  describe('are offered where the pointer rests', () => {
    const name = (row: string) => screen.getByText(row)
    const offer = () => document.querySelector<HTMLElement>('.m-row-offer')
    const over = (at: Element, more: object = {}) =>
      fireEvent(
        at,
        Object.assign(new MouseEvent('pointerover', { bubbles: true, clientX: 9, ...more }), {
          pointerType: 'mouse',
          ...more,
        }),
      )
    beforeEach(() => {
      vi.useFakeTimers()
      run.mockClear()
    })
    afterEach(() => vi.useRealTimers())
    const rest = (ms = 200) => {
      act(() => void vi.advanceTimersByTime(ms))
    }

    test('after a moment, for that row alone, out of reach of keys and screen readers', () => {
      shown()
      over(name('碗'))
      expect(offer()).toBeNull()
      rest()
      expect(offer()!.getAttribute('aria-hidden')).toBe('true')
      const buttons = [...offer()!.querySelectorAll('button')]
      expect(buttons.map(one => one.tabIndex)).toEqual([-1, -1, -1])
      fireEvent.mouseDown(buttons[0]!)
      fireEvent.click(buttons[0]!)
      expect(focus).toHaveBeenLastCalledWith(8)
      expect(run).toHaveBeenCalledExactlyOnceWith(actions[0], [{ id: 8, name: '碗' }], {
        pane: 'p',
      })
    })
    test('never to a finger, to a hand that drags, or on the way across', () => {
      shown()
      over(name('碗'), { pointerType: 'touch' })
      rest()
      over(name('锅'), { buttons: 1 })
      rest()
      over(name('碗'))
      rest(50)
      fireEvent(screen.getAllByRole('rowgroup')[1]!, new MouseEvent('pointerleave'))
      rest()
      expect(offer()).toBeNull()
    })
    test('not besides the column of them', () => {
      shown([], withActs)
      over(name('碗'))
      rest()
      expect(offer()).toBeNull()
    })
  })
})
