import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { parseSync } from 'oxc-parser'
import { Profiler } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answering } from '#src/gallery/answers.ts'
import { Gallery } from '#src/gallery/gallery.tsx'
import { specimens } from '#src/gallery/specimen.ts'
import { Stand, Store } from '#src/gallery/stand.tsx'

const KIT = 'src/kit'
const SPECIMENS = 'src/gallery/specimens'
/** Components without a specimen: `file name`. This list only shrinks. */
const without: readonly string[] = []

type Source = { file: string; text: string }
const sourcesOf = (folder: string): Source[] =>
  readdirSync(folder)
    .filter(file => file.endsWith('.tsx'))
    .map(file => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
/**
 * The components that files of the kit export, as `file name`. A `loadable` stands for the one that
 * it fetches, and has no states of its own.
 */
const componentsOf = (files: readonly Source[]): string[] =>
  files.flatMap(({ file, text }) =>
    parseSync(file, text).program.body.flatMap(one => {
      if (one.type !== 'ExportNamedDeclaration') return []
      if (one.declaration?.type !== 'VariableDeclaration') return []
      return one.declaration.declarations.flatMap(({ id, init }) =>
        id.type === 'Identifier' &&
        /^[A-Z]/.test(id.name) &&
        (init?.type === 'ArrowFunctionExpression' || isWrapped(init))
          ? [`${file} ${id.name}`]
          : [],
      )
    }),
  )
/** A component in another function of React's: `memo(…)`. */
const isWrapped = (init: unknown): boolean => {
  const { callee } = (init ?? {}) as { callee?: { name?: string } }
  return callee?.name === 'memo' || callee?.name === 'forwardRef'
}
/** What specimens draw of it: imported from its file, and used as an element. */
const drawnBy = (files: readonly Source[]): Set<string> =>
  new Set(
    files.flatMap(({ file, text }) =>
      parseSync(file, text).module.staticImports.flatMap(one => {
        const from = /^#src\/kit\/(.+)$/.exec(one.moduleRequest.value)?.[1]
        if (!from) return []
        return one.entries.flatMap(({ importName, localName }) =>
          new RegExp(`<${localName.value}[\\s<>/]`).test(text)
            ? [`${from} ${importName.name}`]
            : [],
        )
      }),
    ),
  )

describe('every component of the kit has a specimen', () => {
  const components = componentsOf(sourcesOf(KIT))
  const drawn = drawnBy(sourcesOf(SPECIMENS))
  test('the walk saw them', () => {
    expect(components.length).toBeGreaterThan(60)
    expect(components).toContain('grid.tsx Grid')
    expect(components).not.toContain('asking.tsx AskDialog')
  })
  test('but those that are said to have none, which have none', () =>
    expect(components.filter(one => !drawn.has(one))).toEqual(without))
  test('one that is only imported has none', () => {
    const file = 'x.specimen.tsx'
    const imported = "import { Grid } from '#src/kit/grid.tsx'\n"
    expect([...drawnBy([{ file, text: `${imported}export const x = Grid` }])]).toEqual([])
    expect([...drawnBy([{ file, text: `${imported}export const x = <Grid />` }])]).toEqual([
      'grid.tsx Grid',
    ])
  })
  test('each file is one part, by its name, with states that have names of their own', () => {
    expect(specimens.map(({ part }) => `${part}.specimen.tsx`)).toEqual(
      readdirSync(SPECIMENS).sort(),
    )
    for (const { states } of specimens)
      for (const at of [0, 1] as const)
        expect(new Set(states.map(state => state.name[at])).size).toBe(states.length)
  })
})

beforeEach(() => {
  vi.stubGlobal('fetch', answering)
  vi.spyOn(console, 'error')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
describe('each part is drawn without a fault', () => {
  test.each(specimens.map(one => [one.part, one] as const))('%s', async (part, { states }) => {
    for (const { draw } of states) {
      const drawn = vi.fn()
      const { unmount } = render(
        <Profiler id={part} onRender={drawn}>
          <Store>
            <Stand search="">{draw(() => undefined)}</Stand>
          </Store>
        </Profiler>,
      )
      // What is read is answered.
      await act(() => new Promise(later => setTimeout(later, 10)))
      expect(drawn.mock.calls.length).toBeLessThan(20)
      unmount()
    }
    expect(vi.mocked(console.error).mock.calls.map(([first]) => String(first))).toEqual([])
  })
})

describe('the gallery by keys', () => {
  const of = ['alpha', 'beta', 'gamma'].map(part => ({
    part,
    title: [`部件 ${part}`, `Part ${part}`] as const,
    states: [{ name: ['常', 'Usual'] as const, draw: () => <button type="button">{part}</button> }],
  }))
  const parts = () =>
    [...document.querySelectorAll<HTMLElement>('[data-part]')].map(one => one.dataset['part'])
  const shown = () => screen.getByRole('article').getAttribute('aria-label')
  const press = (key: string, on: Element = document.body) => fireEvent.keyDown(on, { key })
  beforeEach(() => {
    render(
      <Store>
        <Gallery of={of} />
      </Store>,
    )
  })
  test('J and K and the arrows go on, and stay within', () => {
    press('j')
    expect(shown()).toBe('beta')
    press('ArrowDown')
    press('ArrowDown')
    expect(shown()).toBe('gamma')
    press('k')
    expect(shown()).toBe('beta')
  })
  test('arrows within a part are its own', () => {
    press('ArrowDown', screen.getByRole('button', { name: 'alpha' }))
    expect(shown()).toBe('alpha')
  })
  test('/ goes to the search, where letters are typed, and finds by either language', async () => {
    press('/')
    const search = screen.getByLabelText('查找部件')
    expect(document.activeElement).toBe(search)
    press('j', search)
    expect(shown()).toBe('alpha')
    fireEvent.change(search, { target: { value: 'PART bet' } })
    expect(parts()).toEqual(['beta'])
    expect(shown()).toBe('beta')
    fireEvent.change(search, { target: { value: 'nothing' } })
    expect(screen.getByText('没有这样的部件')).toBeTruthy()
    press('Escape', search)
    expect(document.activeElement).not.toBe(search)
  })
  test('T goes through the looks and comes back', () => {
    const root = document.documentElement
    const look = () => [root.classList.contains('bp6-dark'), root.dataset['contrast']]
    const seen = Array.from({ length: 4 }, () => {
      press('t')
      return look()
    })
    expect(seen).toEqual([
      [true, undefined],
      [false, 'more'],
      [true, 'more'],
      [false, undefined],
    ])
  })
})
