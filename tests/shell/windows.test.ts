// It is @drawn: layouts are kept in the browser’s storage.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Desk } from '#src/shell/desk.ts'
import { keepLayout, otherWindows, restoreLayout } from '#src/shell/panes/layout.ts'
import { linkPanes } from '#src/shell/panes/links.ts'
import { popPanes, type WindowLine } from '#src/shell/panes/windows.ts'
import { single, workspace, type PaneState } from '#src/shell/panes/workspace.ts'
import { makeStore, type Store } from '#src/shell/store.ts'

type Told = Parameters<WindowLine['tell']>[0]
/** A line whose other end is the test. */
const lineOf = () => {
  const told: Told[] = []
  const listeners = new Set<(of: Told) => void>()
  const line: WindowLine = {
    tell: of => void told.push(of),
    hear: by => (listeners.add(by), () => void listeners.delete(by)),
    close: () => {},
  }
  return {
    line,
    told,
    says: (of: Told) => {
      for (const by of listeners) by(of)
    },
  }
}
let store: Store
let desk: Desk
beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  sessionStorage.clear()
  store = makeStore()
  desk = new Desk(store, { id: 2, name: '苏晚晴', account: 'service', can: () => true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  window.name = ''
})
const at = (pane: string) => desk.pane(pane)?.at
const paneAt = (where: string): PaneState => single(where).byId['p1']!

describe('two windows of one person', () => {
  const left = (name: string, when: number, where: string) =>
    localStorage.setItem(`mallet.layout.2.${name}`, JSON.stringify({ ...single(where), at: when }))
  test('do not overwrite each other: each keeps its own, a new one begins with the last, and the others can be found', () => {
    left('other', Date.now() - 5000, '/manage/audit/card')
    const stop = keepLayout(store, 2)
    store.dispatch(workspace.went({ pane: 'p1', at: '/manage/audit/bulks' }))
    vi.advanceTimersByTime(300)
    expect(JSON.parse(localStorage.getItem('mallet.layout.2.other')!)).toMatchObject({
      byId: { p1: { at: '/manage/audit/card' } },
    })
    expect(otherWindows(2).map(({ workspace: { byId } }) => byId['p1']!.at)).toEqual([
      '/manage/audit/card',
    ])
    sessionStorage.clear()
    expect(restoreLayout(2, null)!.byId['p1']!.at).toBe('/manage/audit/bulks')
    stop()
  })
  test('only the last six are kept, and nobody else’s', () => {
    for (let n = 0; n < 9; n++) left(`w${n}`, n, '/manage')
    localStorage.setItem('mallet.layout.3.x', JSON.stringify({ ...single('/manage'), at: 99 }))
    const stop = keepLayout(store, 2)
    store.dispatch(workspace.went({ pane: 'p1', at: '/manage/audit/bulks' }))
    vi.advanceTimersByTime(300)
    expect(Object.keys(localStorage).filter(key => key.startsWith('mallet.layout.2.')).length).toBe(
      6,
    )
    expect(localStorage.getItem('mallet.layout.3.x')).not.toBeNull()
    stop()
  })
  test('what an older version left under its one name is begun with', () => {
    localStorage.setItem('mallet.layout.2', JSON.stringify(single('/manage/audit/voucher')))
    expect(restoreLayout(2, null)!.byId['p1']!.at).toBe('/manage/audit/voucher')
  })
  test('whoever never had a layout and asks for no page has none yet; a page asked for stands alone', () => {
    expect([
      restoreLayout(2, null),
      restoreLayout(2, '/manage'),
      restoreLayout(2, '/manage/audit/card')?.byId['p1']?.at,
    ]).toEqual([null, null, '/manage/audit/card'])
  })
})

describe('panes linked over two windows', () => {
  const looks = (...rows: object[]) => {
    desk.stage('p1').subject = { rows }
    vi.advanceTimersByTime(100)
  }
  const order = (id: number) => ({ type: 'order', id, row: { id, kind: 'bulks' } })
  const begin = (where: string) => {
    store.dispatch(workspace.went({ pane: 'p1', at: where }))
    store.dispatch(workspace.linked({ pane: 'p1', channel: 1 }))
    const ends = lineOf()
    return { ...ends, stop: linkPanes(store, desk, ends.line) }
  }
  test('the window used last tells of its row, the other one follows it in front too', () => {
    const { told, says, stop } = begin('/manage/order/bulks')
    looks({ id: 7, kind: 'bulks' })
    expect(told).toContainEqual({ kind: 'given', channel: 1, given: order(7) })
    says({ kind: 'speaks' })
    store.dispatch(workspace.went({ pane: 'p1', at: '/manage/order/bulks/detail?id=7' }))
    says({ kind: 'given', channel: 1, given: order(9) })
    expect(at('p1')).toBe('/manage/order/bulks/detail?id=9')
    stop()
  })
  test('a window that only follows tells nothing, until somebody works in it', () => {
    const { told, says, stop } = begin('/manage/order/bulks')
    says({ kind: 'speaks' })
    looks({ id: 8, kind: 'bulks' })
    expect(told.some(one => one.kind === 'given')).toBe(false)
    dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }))
    vi.advanceTimersByTime(100)
    expect(told.slice(-2)).toEqual([
      { kind: 'speaks' },
      { kind: 'given', channel: 1, given: order(8) },
    ])
    stop()
  })
  test('one that comes late gets what the channels show at once', () => {
    const { told, says, stop } = begin('/manage/order/bulks')
    looks({ id: 7, kind: 'bulks' })
    told.length = 0
    says({ kind: 'hello', name: 'x' })
    expect(told).toEqual([{ kind: 'given', channel: 1, given: order(7) }])
    stop()
  })
})

describe('a pane in a window of its own', () => {
  const two = () => {
    store.dispatch(workspace.went({ pane: 'p1', at: '/manage/order/bulks' }))
    store.dispatch(workspace.opened({ at: '/manage/audit/card', how: 'right' }))
    store.dispatch(workspace.linked({ pane: 'p2', channel: 4 }))
  }
  const handle = (closed = false) => {
    const popped = { closed } as Window
    vi.spyOn(window, 'open').mockReturnValue(popped)
    return popped as { closed: boolean }
  }
  const popOut = () => {
    const ends = lineOf()
    const { toggle, stop } = popPanes(store, desk, ends.line)
    toggle()
    return { ...ends, stop, name: vi.mocked(window.open).mock.calls[0]?.[1] as string }
  }
  const bye = (name: string): Told => ({
    kind: 'bye',
    to: name.split('.')[2]!,
    name,
    panes: [{ ...paneAt('/manage/audit/voucher'), channel: 4 }],
  })

  test('goes there with all it has, and its place closes up', () => {
    two()
    handle()
    const { name, stop } = popOut()
    expect([
      Object.keys(desk.workspace.byId),
      JSON.parse(localStorage.getItem(`mallet.handed.${name}`)!),
    ]).toMatchObject([['p1'], { byId: { p1: { at: '/manage/audit/card', channel: 4 } } }])
    // The other window takes it up, once.
    window.name = name
    expect([
      restoreLayout(2, '/manage/audit/card')!.byId['p1'],
      localStorage.getItem(`mallet.handed.${name}`),
    ]).toMatchObject([{ at: '/manage/audit/card', channel: 4 }, null])
    stop()
  })
  test('stays where it is when the browser shuts the window out, and says so', () => {
    two()
    vi.spyOn(window, 'open').mockReturnValue(null)
    const { stop } = popOut()
    expect([
      Object.keys(desk.workspace.byId),
      Object.keys(localStorage).filter(key => key.startsWith('mallet.handed')),
    ]).toEqual([['p1', 'p2'], []])
    stop()
  })
  test('comes back when its window is closed, where it had got to and on its channel; the focus stays', () => {
    two()
    const popped = handle()
    const { says, name, stop } = popOut()
    popped.closed = true
    says(bye(name))
    vi.advanceTimersByTime(400)
    const came = Object.entries(desk.workspace.byId).find(([id]) => id !== 'p1')!
    expect([came[1].at, came[1].channel, desk.workspace.focused]).toEqual([
      '/manage/audit/voucher',
      4,
      'p1',
    ])
    stop()
  })
  test('stays there when its window is only loaded anew', () => {
    two()
    handle()
    const { says, name, stop } = popOut()
    says(bye(name))
    vi.advanceTimersByTime(1000)
    says({ kind: 'hello', name })
    vi.advanceTimersByTime(10_000)
    expect(Object.keys(desk.workspace.byId)).toEqual(['p1'])
    stop()
  })
  test('with something half written is asked about first', () => {
    two()
    handle()
    desk.stage('p2').hold({ dirty: () => true, discard: () => {} })
    const { stop } = popOut()
    expect([window.open, desk.leaving !== null]).toEqual([
      expect.objectContaining({ mock: expect.objectContaining({ calls: [] }) }),
      true,
    ])
    desk.leaving!.answer('keep')
    expect(vi.mocked(window.open)).toHaveBeenCalledOnce()
    stop()
  })
})
