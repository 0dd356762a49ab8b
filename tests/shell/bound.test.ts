// It is @drawn: settings are kept in the browser’s storage.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bulksActions } from '#commands/audit/audit.ts'
import { practiceActions } from '#commands/audit/practice.ts'
import { all, pages } from '#commands/index.ts'
import { listNext, listOpen, listSelectAll } from '#commands/list.ts'
import { bulks, card } from '#commands/pages/audit.ts'
import * as shell from '#commands/shell.ts'
import {
  bindable as bindableNow,
  exportKeys,
  hurtBy,
  idOf,
  importKeys,
  isKeySettings,
  keptBy,
  keysFor,
  keySettings,
  keysUnder,
  letterModes,
  mergeKeys,
  presets,
  usualKeys,
  waits,
  type KeySettings,
} from '#src/shell/keys/bound.ts'
import { clashes, parse } from '#src/shell/keys/strokes.ts'
import { actionsOf, everything, isGlobal } from '#src/shell/registry.ts'
import { closeSettings, openSettings } from '#src/shell/settings.ts'

await everything()
const { approve, reject } = bulksActions
/** As it is once the actions of all pages were read, as they are here. */
const bindable = bindableNow()
const practised = all.flatMap(of =>
  of.kind === 'action' && of.practises ? [[of, of.practises] as const] : [],
)
const under = (more: Partial<KeySettings>): KeySettings => ({ ...usualKeys, ...more })

describe('the whole catalogue', () => {
  const everywhere = bindable.filter(of => of.kind === 'page' || isGlobal(of))
  const lists = bindable.filter(of => of.kind === 'action' && of.id.startsWith('list.'))
  const sets = presets.flatMap(preset => letterModes.map(letters => [preset, letters] as const))
  test.each(sets)(
    'has no clash on any page under %s with letters %s, chord prefixes included',
    (preset, letters) => {
      const settings = under({ preset, letters })
      const taken = (some: readonly (typeof bindable)[number][]) =>
        some.flatMap(of => {
          const keys = keysUnder(settings, of)
          return keys ? [{ keys, id: idOf(of) }] : []
        })
      for (const page of pages) {
        const here = taken(actionsOf(page))
        // The detail page of an audit moves through the queue with j and k by itself: no list
        // stands there.
        const list = page.path === '/manage/audit/product/detail' ? [] : taken(lists)
        expect([
          page.path,
          ...clashes([...taken(everywhere), ...list, ...here]).map(
            ([a, b]) => `${a.id} (${a.keys}) × ${b.id} (${b.keys})`,
          ),
        ]).toEqual([page.path])
      }
    },
  )
  test('none of it takes what the browser, the system or an input method keeps', () => {
    const own = new Set<(typeof bindable)[number]>([listOpen, shell.up, shell.copyLink])
    for (const [preset, letters] of sets) {
      for (const of of bindable) {
        const keys = keysUnder(under({ preset, letters }), of)
        if (keys && !own.has(of))
          expect([idOf(of), keys, keptBy(parse(keys))]).toEqual([idOf(of), keys, undefined])
      }
    }
  })
  test('everything that can be found can have keys; what is practised has those of what it is practised for', () => {
    expect(practised.map(([mine]) => mine.at.path)).toEqual(Array(8).fill('/manage/audit/practice'))
    expect(bindable.length).toBe(all.length - practised.length)
    const own: KeySettings = { ...usualKeys, own: { [bulksActions.approve.id]: 'd' } }
    expect(
      [usualKeys, own].map(under => practised.map(([mine]) => keysUnder(under, mine))),
    ).toEqual([usualKeys, own].map(under => practised.map(([, real]) => keysUnder(under, real))))
    expect(keysUnder(own, practiceActions.approve)).toBe('d')
  })
  test('switched off, no command is left to a sign alone; with Alt, each begins with it', () => {
    for (const preset of presets) {
      const firsts = (letters: KeySettings['letters']) =>
        bindable.flatMap(of => {
          const keys = keysUnder(under({ preset, letters }), of)
          return keys ? [parse(keys)[0]!] : []
        })
      for (const first of [...firsts('off'), ...firsts('alt')])
        expect(first).not.toMatch(/^(shift\+)?[!-~]$/)
      expect(firsts('alt')).not.toContain('alt+shift+a')
    }
    expect(keysUnder(under({ letters: 'alt' }), approve)).toBe('alt+a')
    expect(keysUnder(under({ letters: 'alt' }), bulks)).toBe('alt+g a b')
    expect(keysUnder(under({ letters: 'off' }), shell.shortcuts)).toBe('mod+/')
  })
  test('for the mouse alone only what every program has is left', () => {
    expect(
      bindable
        .filter(of => keysUnder(under({ preset: 'mouse' }), of))
        .map(idOf)
        .sort(),
    ).toEqual(['list.open', 'workbench.palette', 'workbench.undo', 'workbench.up'])
  })
})

describe('what a key would hurt', () => {
  const hurt = (of: (typeof bindable)[number], keys: string, settings = usualKeys) =>
    hurtBy(
      of,
      parse(keys).map(press => [press]),
      settings,
    ).map(one => [idOf(one.of), one.how])
  test('the same key where both are in front; not where they never meet', () => {
    expect(hurt(approve, 'r')).toContainEqual([reject.id, 'same'])
    expect(hurt(approve, 'r').every(([id]) => !id!.startsWith('system.'))).toBe(true)
    expect(hurt(approve, 'j')).toContainEqual([listNext.id, 'same'])
  })
  test('chord prefixes either way', () => {
    expect(hurt(approve, 'g')).toContainEqual([bulks.path, 'longer'])
    expect(hurt(shell.newTab, 'r x')).toContainEqual([reject.id, 'shorter'])
    expect(hurt(card, 'g a b')).toContainEqual([bulks.path, 'same'])
    expect(hurt(card, 'g a b c')).toContainEqual([bulks.path, 'shorter'])
  })
  test('by whichever name the press has: shift+8 is *', () =>
    expect(hurtBy(approve, [['*', 'shift+8']], usualKeys).map(({ of }) => of)).toContain(
      listSelectAll,
    ))
  test('not what has lost its keys', () =>
    expect(
      hurt(approve, 'r', under({ own: { [reject.id]: null } })).map(([id]) => id),
    ).not.toContain(reject.id))
  test.each([
    'mod+t',
    'mod+n',
    'mod+w',
    'mod+l',
    'mod+r',
    'mod+shift+r',
    'f5',
    'f11',
    'alt+f4',
    'mod+1',
    'alt+1',
    'mod+c',
    'mod+shift+i',
    'mod+space',
    'ctrl+space',
    'alt+shift+a',
    'mod+shift+f',
    'meta+e',
    'tab',
    'escape',
    'arrowdown',
    'shift+end',
  ])('%s is kept by the browser, the system or an input method, and it is said by whom', keys => {
    expect(keptBy(parse(keys))?.[0]).toMatch(/保留/)
    expect(keptBy(['g', ...parse(keys)])).toBeDefined()
  })
  test.each([
    'a',
    'shift+a',
    'g a b',
    'mod+k',
    'mod+.',
    '?',
    'alt+arrowup',
    'mod+enter',
    'mod+shift+p',
    'alt+a',
  ])('%s can be had', keys => expect(keptBy(parse(keys))).toBeUndefined())
})

describe('settings', () => {
  beforeEach(() => {
    localStorage.clear()
    openSettings(2)
  })
  afterEach(closeSettings)
  test('what is chosen is what runs: own keys, none, or those of before', () => {
    expect(keysFor(approve)).toBe('a')
    keySettings.set(under({ own: { [approve.id]: 'q', [reject.id]: null } }))
    expect([keysFor(approve), keysFor(reject), keysFor(bulks)]).toEqual(['q', undefined, 'g a b'])
    keySettings.set(usualKeys)
    expect([keysFor(approve), keysFor(reject)]).toEqual(['a', 'r'])
  })
  const own = fc.dictionary(
    fc.constantFrom(...bindable.slice(0, 60).map(idOf)),
    fc.constantFrom(null, 'q', 'w z', 'alt+q', 'mod+shift+y'),
  )
  const some = fc.record({
    preset: fc.constantFrom(...presets),
    letters: fc.constantFrom(...letterModes),
    wait_ms: fc.constantFrom(...waits),
    hints: fc.boolean(),
    own,
  })
  test('of two machines each keeps what it changed, and agrees with itself', () => {
    fc.assert(
      fc.property(some, some, some, (base, mine, theirs) => {
        expect(mergeKeys(mine, base, base)).toEqual(mine)
        expect(mergeKeys(base, theirs, base)).toEqual(theirs)
        const merged = mergeKeys(mine, theirs, base)
        expect(isKeySettings(merged)).toBe(true)
        for (const id of Object.keys(mine.own))
          if (mine.own[id] !== base.own[id]) expect(merged.own[id]).toBe(mine.own[id])
      }),
    )
  })
  test('what was exported comes back as it was', () => {
    const mine = under({
      preset: 'gmail',
      wait_ms: 2000,
      own: { [approve.id]: 'alt+q', [reject.id]: null },
    })
    expect(importKeys(exportKeys(mine))).toEqual({ settings: mine, took: 2, left: [] })
  })
  test('of a file by another release only what can be had is taken, and the rest is told of', () => {
    const { settings, took, left } = importKeys(
      JSON.stringify(
        under({
          own: {
            [approve.id]: 'j',
            [reject.id]: 'mod+t',
            'no.such': 'a',
            [shell.newTab.id]: 'alt+q',
          },
        }),
      ),
    )!
    expect([settings.own, took]).toEqual([{ [shell.newTab.id]: 'alt+q' }, 1])
    expect(Object.fromEntries(left.map(({ id, why }) => [id, why[0]]))).toEqual({
      [approve.id]: '与“下一行”冲突',
      [reject.id]: expect.stringContaining('浏览器保留'),
      'no.such': '没有这项操作',
    })
  })
  test('keys may change places', () => {
    expect(
      importKeys(JSON.stringify(under({ own: { [approve.id]: 'r', [reject.id]: 'a' } }))),
    ).toMatchObject({ took: 2, left: [] })
  })
  test.each([
    '',
    '{',
    '[]',
    '{"preset":"emacs"}',
    'null',
    JSON.stringify({ ...usualKeys, own: { a: 5 } }),
  ])('%j is no such file', text => expect(importKeys(text)).toBeUndefined())
})
