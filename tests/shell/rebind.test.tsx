import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bulksActions } from '#commands/audit/audit.ts'
import { listNext } from '#commands/list.ts'
import { bulks } from '#commands/pages/audit.ts'
import { hints, splitRight } from '#commands/shell.ts'
import { Desk, DeskContext } from '#src/shell/desk.ts'
import { keySettings, keysFor, usualKeys } from '#src/shell/keys/bound.ts'
import { cardLines } from '#src/shell/keys/card.tsx'
import { Keys } from '#src/shell/keys/dispatch.tsx'
import { codesFor, controlsInSight, Hints } from '#src/shell/keys/hints.tsx'
import { Rebind } from '#src/shell/keys/rebind.tsx'
import { workspace } from '#src/shell/panes/workspace.ts'
import { everything } from '#src/shell/registry.ts'
import { closeSettings, openSettings } from '#src/shell/settings.ts'
import { makeStore } from '#src/shell/store.ts'
import { mergeTips, noteMouse, teachKeys, tipSettings, usualTips } from '#src/shell/tips.ts'
import { Toasts } from '#src/shell/toasts.tsx'

// As it is a moment after the first list.
await everything()

const { approve, reject } = bulksActions
const ran = vi.fn()
let desk: Desk
const can = vi.fn((_: string) => true)
beforeEach(() => {
  vi.clearAllMocks()
  can.mockReturnValue(true)
  localStorage.clear()
  openSettings(2)
  const store = makeStore()
  desk = new Desk(store, { id: 2, name: '周晓敏', account: 'auditor', can })
  store.dispatch(workspace.went({ pane: 'p1', at: bulks.path }))
  desk.stage('p1').subject = { rows: [{ id: 1, state: 'pending', flags: [], submitted_by: 9 }] }
  desk.stage('p1').perform(approve, () => ran('approve'))
  desk.stage('p1').perform(reject, () => ran('reject'))
  desk.global(splitRight.id, () => ran('split'))
  const inside = (more: React.ReactNode) =>
    render(
      <Provider store={store}>
        <DeskContext.Provider value={desk}>
          <Keys />
          <Toasts />
          {more}
        </DeskContext.Provider>
      </Provider>,
    )
  Object.assign(globalThis, { inside })
})
declare const inside: (more: React.ReactNode) => ReturnType<typeof render>
afterEach(() => {
  cleanup()
  closeSettings()
  vi.useRealTimers()
})
const down = (
  key: string,
  more: object = {},
  target: Element = document.activeElement ?? document.body,
) =>
  act(() => {
    fireEvent.keyDown(target, {
      key,
      code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '',
      ...more,
    })
  })

describe('the dialog', () => {
  const options = () => within(screen.getByRole('listbox')).queryAllByRole('option')
  /** Finds a command by words, and begins to record. */
  const record = (name: string) => {
    const search = screen.getByRole('searchbox', { name: '搜索操作' })
    fireEvent.change(search, { target: { value: name } })
    down('Enter', {}, search)
  }
  beforeEach(() => {
    inside(<Rebind close={() => ran('closed')} />)
  })

  test('lists what this person may do, what stands in front first', () => {
    expect(options()[0]!.textContent).toContain('团购审核')
    cleanup()
    can.mockImplementation(permit => permit === 'signed-in')
    inside(<Rebind close={() => {}} />)
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: '通过审核' } })
    expect(options()).toEqual([])
  })
  test('takes the keys pressed, and they work at once; the old one no longer does', async () => {
    record('向右分屏')
    const listen = screen.getByRole('button', { name: /请按下新的按键/ })
    expect(document.activeElement).toBe(listen)
    down(';', { code: 'Semicolon', altKey: true })
    down('q')
    down('Enter')
    await waitFor(() => expect(document.activeElement?.textContent).toContain('使用'))
    fireEvent.click(document.activeElement!)
    expect(Object.values(keySettings.get().own)).toEqual(['alt+; q'])
    cleanup()
    inside(null)
    down('w')
    down('v')
    expect(ran).not.toHaveBeenCalled()
    down('Escape')
    down(';', { code: 'Semicolon', altKey: true })
    down('q')
    expect(ran.mock.calls).toEqual([['split']])
  })
  test('says whom a key hurts, and takes it from them when it is used all the same', async () => {
    fireEvent.change(screen.getByRole('searchbox', { name: '搜索操作' }), {
      target: { value: '通过审核' },
    })
    fireEvent.click(options().find(option => option.textContent!.startsWith('通过审核团购审核'))!)
    down('r')
    expect(screen.getByText(/下列操作将失去按键/).parentElement!.textContent).toContain('驳回')
    fireEvent.click(screen.getByRole('button', { name: /仍然使用/ }))
    expect([keysFor(approve), keysFor(reject)]).toEqual(['r', undefined])
    cleanup()
    inside(null)
    down('r')
    down('a')
    expect(ran.mock.calls).toEqual([['approve']])
  })
  test('chord prefixes are named either way, and keys of the browser are not to be had', () => {
    record('向右分屏')
    down('g')
    expect(screen.getByText(/下列操作将失去按键/).parentElement!.textContent).toContain(
      '以这些键开头',
    )
    down('Backspace')
    down('t', { ctrlKey: true })
    expect(screen.getByText(/浏览器保留/)).toBeTruthy()
    expect(screen.getByRole('button', { name: /^使用/ })).toHaveProperty('disabled', true)
    down('Escape')
    expect(screen.queryByRole('button', { name: /请按下新的按键/ })).toBeNull()
    expect(keySettings.get()).toBe(usualKeys)
  })
  test('by its place where an input method swallowed the letter, and keys held down count once', () => {
    record('向右分屏')
    down('Process', { code: 'KeyY', altKey: true })
    down('Process', { code: 'KeyY', altKey: true, repeat: true })
    fireEvent.click(screen.getByRole('button', { name: /^使用/ }))
    expect(keysFor(splitRight)).toBe('alt+y')
  })
  test('a command goes without, and back to what it had', () => {
    record('向右分屏')
    fireEvent.click(screen.getByRole('button', { name: '不设按键' }))
    expect(keysFor(splitRight)).toBeUndefined()
    record('向右分屏')
    fireEvent.click(screen.getByRole('button', { name: /恢复默认 W V/ }))
    expect([keysFor(splitRight), keySettings.get().own]).toEqual(['w v', {}])
  })
  test('searched by pressing: whatever a key does is found', () => {
    const search = screen.getByRole('searchbox', { name: '搜索操作' })
    down('k', { ctrlKey: true }, search)
    expect(options().map(option => option.textContent)).toEqual([
      expect.stringContaining('打开命令面板'),
    ])
    fireEvent.click(screen.getByLabelText('按键查找'))
    down('j', {}, search)
    expect(
      options()
        .map(option => option.textContent)
        .join(),
    ).toContain('下一行')
  })
  test('a preset and the ways of letters are chosen, and all of it is taken back', () => {
    fireEvent.change(screen.getByLabelText('方案'), { target: { value: 'gmail' } })
    fireEvent.change(screen.getByLabelText('单个字母与符号键'), { target: { value: 'alt' } })
    fireEvent.change(screen.getByLabelText('连按等待'), { target: { value: '1000' } })
    expect([keySettings.get(), keysFor(listNext)]).toMatchObject([
      { preset: 'gmail', letters: 'alt', wait_ms: 1000 },
      'alt+j',
    ])
    fireEvent.click(screen.getByRole('button', { name: '全部恢复默认' }))
    expect(keySettings.get()).toEqual(usualKeys)
  })
  test('a file of keys is read; another is not', async () => {
    const choose = async (text: string) => {
      fireEvent.change(screen.getByLabelText('快捷键文件'), {
        target: { files: [new File([text], 'keys.json')] },
      })
      await act(async () => {
        await new Promise(later => setTimeout(later))
      })
    }
    await choose('nonsense')
    expect(screen.getByText(/没有导入/)).toBeTruthy()
    await choose(
      JSON.stringify({ ...usualKeys, own: { [splitRight.id]: 'alt+y', [reject.id]: 'j' } }),
    )
    expect(screen.getByText(/已导入 1 项，略过 1 项/).textContent).toContain('与“下一行”冲突')
    expect(keysFor(splitRight)).toBe('alt+y')
  })
})

describe('letters at the controls', () => {
  const page = (
    <>
      <section data-pane="p2">
        <button type="button" onClick={() => ran('behind')}>
          behind
        </button>
      </section>
      <section data-pane="p1">
        <button type="button" onClick={() => ran('front')}>
          <i>front</i>
        </button>
        <input aria-label="field" />
        <button type="button" disabled>
          off
        </button>
      </section>
    </>
  )
  const marks = () => [...document.querySelectorAll('.s-hints kbd')].map(mark => mark.textContent)
  beforeEach(() => {
    // A document without a layout: everything is in sight, side by side.
    let x = 0
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(
      () => new DOMRect((x += 20), 20, 10, 10),
    )
    inside(
      <>
        {page}
        <Hints />
      </>,
    )
  })
  afterEach(() => vi.restoreAllMocks())

  test('none begins another, and as many as can be are one letter', () => {
    for (const n of [0, 1, 26, 27, 51, 52, 300, 676, 900]) {
      const codes = codesFor(n)
      expect(codes.length).toBe(Math.min(n, 676))
      expect(new Set(codes).size).toBe(codes.length)
      for (const code of codes)
        expect(codes.some(other => other !== code && other.startsWith(code))).toBe(false)
    }
    expect(codesFor(100).filter(code => code.length === 1).length).toBe(23)
  })
  test('stand on all panes, the one in front first; typed, they press', () => {
    act(() => desk.perform({ action: hints, rows: [] }))
    expect(marks().slice(0, 2)).toEqual(['S', 'A'])
    down('s')
    expect([ran.mock.calls, marks()]).toEqual([[['front']], []])
    act(() => desk.perform({ action: hints, rows: [] }))
    down('a')
    expect(document.activeElement).toBe(screen.getByLabelText('field'))
    expect(ran).toHaveBeenCalledOnce()
  })
  test('a letter belongs to them alone while they stand, on any alphabet; Esc, scrolling and another window take them away', () => {
    act(() => desk.perform({ action: hints, rows: [] }))
    down('ы', { code: 'KeyS' }, document.body)
    expect(ran.mock.calls).toEqual([['front']])
    for (const end of [
      () => down('Escape'),
      () =>
        act(() => {
          fireEvent.scroll(document)
        }),
      () =>
        act(() => {
          fireEvent.blur(window)
        }),
      () => down('ArrowLeft', { altKey: true }),
    ]) {
      act(() => desk.perform({ action: hints, rows: [] }))
      expect(marks().length).toBeGreaterThan(2)
      end()
      expect(marks()).toEqual([])
    }
  })
  test('Alt held alone shows them until it is let go; a chord, a field and a composition do not', () => {
    vi.useFakeTimers()
    const wait = () =>
      act(() => {
        vi.advanceTimersByTime(500)
      })
    down('Alt', { altKey: true }, document.body)
    wait()
    expect(marks().length).toBeGreaterThan(2)
    act(() => {
      fireEvent.keyUp(document.body, { key: 'Alt' })
    })
    expect(marks()).toEqual([])
    down('Alt', { altKey: true }, document.body)
    down('ArrowLeft', { altKey: true }, document.body)
    wait()
    down('Alt', { altKey: true }, screen.getByLabelText('field'))
    wait()
    down('Alt', { altKey: true, isComposing: true }, document.body)
    wait()
    down('Alt', { altKey: true, shiftKey: true }, document.body)
    wait()
    act(() => keySettings.set({ ...usualKeys, hints: false }))
    down('Alt', { altKey: true }, document.body)
    wait()
    expect(marks()).toEqual([])
  })
  test('what is off has none, and over a dialog only what stands in it', () => {
    const found = () =>
      controlsInSight(null).map(
        ({ element }) => element.textContent || element.getAttribute('aria-label'),
      )
    expect(found()).toEqual(expect.not.arrayContaining(['off']))
    const dialog = document.body.appendChild(document.createElement('div'))
    dialog.className = 'bp6-dialog'
    dialog.innerHTML = '<button>inside</button>'
    expect(found()).toEqual(['inside'])
    dialog.remove()
  })
})

describe('do it with the mouse, learn the key', () => {
  const told = () => screen.queryAllByText(/更快/).length
  beforeEach(() => {
    vi.useFakeTimers()
    inside(
      <>
        <button type="button" data-command={approve.id}>
          approve
        </button>
        <button type="button" data-command={approve.id} disabled>
          off
        </button>
      </>,
    )
  })
  test('the third time, once and for all', () => {
    const stop = teachKeys()
    const click = (detail: number) =>
      act(() => {
        fireEvent.click(screen.getByText('approve'), { detail })
      })
    click(1)
    click(1)
    click(0)
    fireEvent.click(screen.getByText('off'), { detail: 1 })
    expect(told()).toBe(0)
    click(1)
    expect(screen.getByText('“通过审核”按 A 更快')).toBeTruthy()
    act(() => {
      vi.advanceTimersByTime(6000)
    })
    for (let i = 0; i < 5; i++) click(1)
    expect([told(), tipSettings.get().uses]).toEqual([0, { [approve.id]: 3 }])
    stop()
  })
  test('never where there is no key, nor when it is switched off', () => {
    act(() => keySettings.set({ ...usualKeys, preset: 'mouse' }))
    for (let i = 0; i < 4; i++) noteMouse(approve.id)
    tipSettings.set({ ...usualTips, on: false })
    act(() => keySettings.set(usualKeys))
    for (let i = 0; i < 4; i++) noteMouse(approve.id)
    expect([told(), tipSettings.get().uses]).toEqual([0, {}])
  })
  test('two machines count on from the further one', () => {
    expect(
      mergeTips(
        { on: true, uses: { a: 1, b: 3 } },
        { on: false, uses: { a: 2 } },
        { on: true, uses: {} },
      ),
    ).toEqual({ on: false, uses: { a: 2, b: 3 } })
  })
})

describe('the card', () => {
  test('holds what a role can press, the same key for the same thing once, and never more than a page', () => {
    const all = cardLines({ can: () => true })
    expect([all.lists, all.doing, all.workbench, all.pages].flat().length).toBeLessThanOrEqual(225)
    expect(all.left).toBeGreaterThan(0)
    const mine = cardLines({ can: permit => permit === 'signed-in' || permit.startsWith('audit.') })
    expect([mine.left, mine.doing.filter(({ of }) => of.title === '通过审核').length]).toEqual([
      0, 1,
    ])
    expect(
      mine.pages.every(({ of }) => of.permit.startsWith('audit.') || of.permit === 'signed-in'),
    ).toBe(true)
  })
})
