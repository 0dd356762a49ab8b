import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bulksActions } from '#commands/audit/audit.ts'
import { listNext } from '#commands/list.ts'
import { bulks } from '#commands/pages/audit.ts'
import { splitRight } from '#commands/shell.ts'
import { Desk, DeskContext } from '#src/shell/desk.ts'
import { Keys } from '#src/shell/keys/dispatch.tsx'
import { keyLabel, Keymap, parse, strokesOf } from '#src/shell/keys/strokes.ts'
import { workspace } from '#src/shell/panes/workspace.ts'
import { everything } from '#src/shell/registry.ts'
import { makeStore, type Store } from '#src/shell/store.ts'

// As it is a moment after the first list.
await everything()

const press = (key: string, code = '', more: Partial<KeyboardEvent> = {}) => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})
describe('what a press is called', () => {
  test.each([
    [press('a', 'KeyA'), ['a']],
    [press('A', 'KeyA', { shiftKey: true }), ['shift+a']],
    [press('k', 'KeyK', { ctrlKey: true }), ['mod+k']],
    [press('?', 'Slash', { shiftKey: true }), ['?', 'shift+/']],
    [press('*', 'Digit8', { shiftKey: true }), ['*', 'shift+8']],
    [press('、', 'Slash'), ['/']],
    [press('？', 'Slash', { shiftKey: true }), ['?', 'shift+/']],
    [press('ａ', 'KeyA'), ['a']],
    // Another alphabet, and an input method that swallowed the letter: by the place of the key.
    [press('ф', 'KeyA'), ['a']],
    [press('Process', 'KeyA'), ['a']],
    // AZERTY: the letter decides, not the place; a digit wants Shift there, and its key without it
    // is the digit all the same.
    [press('a', 'KeyQ'), ['a']],
    [press('1', 'Digit1', { shiftKey: true }), ['1', 'shift+1']],
    [press('&', 'Digit1'), ['&', '1']],
    // Dvorak: S stands on the semicolon's key, and the semicolon on Z's.
    [press('s', 'Semicolon'), ['s']],
    [press(';', 'KeyZ'), [';']],
    [press('S', 'Semicolon', { shiftKey: true }), ['shift+s']],
    // Cyrillic under Shift, Ctrl and AltGr; German ] by AltGr is ], though Windows says Ctrl and
    // Alt.
    [press('Ф', 'KeyA', { shiftKey: true }), ['shift+a']],
    [press('л', 'KeyK', { ctrlKey: true }), ['mod+k']],
    [
      press(']', 'Digit9', {
        ctrlKey: true,
        altKey: true,
        getModifierState: name => name === 'AltGraph',
      }),
      [']'],
    ],
    // Option on a Mac: an accent that is only begun, or another letter.
    [press('Dead', 'KeyE', { altKey: true }), ['alt+e']],
    [press('å', 'KeyA', { altKey: true }), ['alt+a']],
    [press('Shift', 'ShiftLeft', { shiftKey: true }), []],
    [press('Dead', 'BracketLeft'), []],
    [press('Enter', 'Enter'), ['enter']],
    [press('ArrowLeft', 'ArrowLeft', { altKey: true }), ['alt+arrowleft']],
  ])('%j', (event, strokes) => expect(strokesOf(event as never)).toEqual(strokes))
  test('labels', () =>
    expect([
      keyLabel('g a b'),
      keyLabel('shift+a'),
      keyLabel('mod+k'),
      keyLabel('shift+8'),
      keyLabel('escape'),
    ]).toEqual(['G A B', '⇧A', 'Ctrl K', '*', 'Esc']))
  test('parse', () =>
    expect([parse('g a b'), parse('shift+mod+p'), parse('esc')]).toEqual([
      ['g', 'a', 'b'],
      ['mod+shift+p'],
      ['escape'],
    ]))
  test('a prefix waits, a whole key does not', () => {
    const map = new Keymap([
      { keys: 'g a b', does: 1 },
      { keys: 'g a c', does: 2 },
      { keys: 'a', does: 3 },
    ])
    expect([map.find(['a']), map.find(['x']), map.find(['g', 'a', 'c'])]).toEqual([
      { kind: 'done', does: 3 },
      { kind: 'none' },
      { kind: 'done', does: 2 },
    ])
    expect(map.find(['g'])).toMatchObject({ kind: 'prefix', next: [{ stroke: 'a', more: 2 }] })
  })
})

describe('the dispatcher', () => {
  let store: Store
  let desk: Desk
  const approve = vi.fn()
  const next = vi.fn()
  const split = vi.fn()
  const row = { id: 1, state: 'pending', flags: [], submitted_by: 9 }
  beforeEach(() => {
    vi.clearAllMocks()
    store = makeStore()
    desk = new Desk(store, { id: 2, name: '周晓敏', account: 'auditor', can: () => true })
    store.dispatch(workspace.went({ pane: 'p1', at: bulks.path }))
    desk.stage('p1').subject = { rows: [row] }
    desk.stage('p1').perform(bulksActions.approve, approve)
    desk.stage('p1').perform(listNext, next)
    desk.global(splitRight.id, split)
    render(
      <Provider store={store}>
        <DeskContext.Provider value={desk}>
          <Keys />
          <input aria-label="field" />
          <button type="button">button</button>
        </DeskContext.Provider>
      </Provider>,
    )
  })
  afterEach(cleanup)
  const down = (key: string, code: string, more: object = {}, target: Element = document.body) => {
    act(() => {
      fireEvent.keyDown(target, { key, code, ...more })
    })
  }
  const at = () => {
    const { byId, focused } = store.getState().workspace
    return byId[focused!]!.at
  }
  test('a key right after the one that asked falls on nothing, though no question is drawn yet', () => {
    desk.exporting = { of: {} as never, close: () => {} }
    down('a', 'KeyA')
    down('j', 'KeyJ')
    expect([approve.mock.calls.length, next.mock.calls.length]).toEqual([0, 0])
    desk.exporting = null
    down('j', 'KeyJ')
    expect(next).toHaveBeenCalledTimes(1)
  })
  test('Escape means the question that stands above, also before that has the focus; no other key is passed on', () => {
    const [below, above] = [document.createElement('div'), document.createElement('div')]
    for (const one of [below, above]) {
      one.className = 'bp6-dialog'
      one.role = 'dialog'
      document.body.append(one)
    }
    const [heardBelow, heard] = [vi.fn(), vi.fn()]
    below.addEventListener('keydown', heardBelow)
    above.addEventListener('keydown', event => heard(event.key))
    down('Escape', 'Escape')
    down('a', 'KeyA')
    expect([heard.mock.calls, heardBelow.mock.calls.length, approve.mock.calls.length]).toEqual([
      [['Escape']],
      0,
      0,
    ])
    down('Escape', 'Escape', {}, above)
    expect(heard).toHaveBeenCalledTimes(2)
    below.remove()
    above.remove()
  })

  test('a letter acts on the rows in front, at once', () => {
    down('a', 'KeyA')
    expect(approve).toHaveBeenCalledExactlyOnceWith([row])
  })
  test('modifiers it did not ask for keep it still', () => {
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
      down('a', 'KeyA', more)
    expect(approve).not.toHaveBeenCalled()
  })
  test('nothing acts while composing, or while typing', () => {
    const field = screen.getByLabelText('field')
    down('a', 'KeyA', { isComposing: true })
    down('Process', 'KeyA', { keyCode: 229 }, field)
    down('a', 'KeyA', {}, field)
    down('Enter', 'Enter', { isComposing: true, keyCode: 229 }, field)
    expect(approve).not.toHaveBeenCalled()
  })
  test('an input method that is on but has nothing to compose into does not swallow a key', () => {
    down('Process', 'KeyA', { keyCode: 229 })
    expect(approve).toHaveBeenCalledOnce()
  })
  test('a sequence opens a page; its last letter is not the page’s own action', () => {
    down('g', 'KeyG')
    expect(screen.getByRole('status').textContent).toContain('G')
    down('a', 'KeyA')
    down('c', 'KeyC')
    expect(at()).toBe('/manage/audit/card')
    expect(approve).not.toHaveBeenCalled()
    expect(screen.queryByRole('status')).toBeNull()
  })
  test('Esc, and a key that leads nowhere, give a sequence up', () => {
    down('g', 'KeyG')
    down('Escape', 'Escape')
    down('a', 'KeyA')
    expect(approve).toHaveBeenCalledOnce()
    down('g', 'KeyG')
    down('z', 'KeyZ')
    down('a', 'KeyA')
    expect(approve).toHaveBeenCalledTimes(2)
  })
  test('a key held down decides once, but moving repeats', () => {
    down('a', 'KeyA')
    for (let i = 0; i < 5; i++) down('a', 'KeyA', { repeat: true })
    down('j', 'KeyJ')
    for (let i = 0; i < 5; i++) down('j', 'KeyJ', { repeat: true })
    expect([approve.mock.calls.length, next.mock.calls.length]).toEqual([1, 6])
  })
  test('an action that can’t be had says why, and does nothing', () => {
    desk.stage('p1').subject = { rows: [{ ...row, state: 'approved' }] }
    down('a', 'KeyA')
    expect(approve).not.toHaveBeenCalled()
  })
  test('the workbench’s own keys work everywhere, also by Cyrillic letters', () => {
    down('ц', 'KeyW')
    down('м', 'KeyV')
    expect(split).toHaveBeenCalledOnce()
  })
  test('Enter on a button is the button’s', () => {
    const open = vi.fn()
    desk.stage('p1').perform('list.open', open)
    down('Enter', 'Enter', {}, screen.getByRole('button'))
    expect(open).not.toHaveBeenCalled()
    down('Enter', 'Enter')
    expect(open).toHaveBeenCalledOnce()
  })
})
