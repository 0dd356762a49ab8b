import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useMemo, useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Stage } from '#src/kit/stage.ts'
import { Tree, type TreeNode } from '#src/kit/tree.tsx'
import { PaneContext, PaneFocused, type Pane } from '#src/kit/workbench.ts'

type Node = TreeNode & { words: string }
/** Two branches of three leaves each; the first leaf of the second has a leaf of its own. */
const nodes: Node[] = [
  { key: 1, parent: null, words: 'alpha' },
  { key: 11, parent: 1, words: 'alpha one' },
  { key: 12, parent: 1, words: 'alpha two' },
  { key: 13, parent: 1, words: 'alpha three' },
  { key: 2, parent: null, words: 'beta' },
  { key: 21, parent: 2, words: 'beta one' },
  { key: 211, parent: 21, words: 'deep' },
  { key: 22, parent: 2, words: 'beta two' },
]
beforeAll(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
})
const kept = new Map<string, unknown>()
const placed = vi.fn<(node: Node, parent: number | null, at: number) => void>()
const opened = vi.fn<(node: Node) => void>()
beforeEach(() => {
  kept.clear()
  placed.mockClear()
  opened.mockClear()
})
afterEach(cleanup)
const Screen = ({
  all = nodes,
  typeahead = false,
  beside = false,
  locked,
}: {
  all?: readonly Node[]
  typeahead?: boolean
  beside?: boolean
  locked?: number
}) => {
  const [focused, setFocused] = useState<TreeNode['key'] | undefined>(undefined)
  const [on, setOn] = useState<ReadonlySet<TreeNode['key']>>(new Set([11]))
  const pane = useMemo<Pane>(
    () => ({
      id: 'p',
      stage: new Stage(),
      visible: true,
      memo: { get: key => kept.get(key), set: (key, value) => void kept.set(key, value) },
    }),
    [],
  )
  return (
    <PaneContext value={pane}>
      <PaneFocused value={true}>
        <Tree
          name="t"
          label="树"
          nodes={all}
          wordsOf={node => node.words}
          focused={focused}
          onFocus={setFocused}
          onOpen={opened}
          onPlace={placed}
          typeahead={typeahead}
          beside={beside}
          ticks={{
            on,
            change: (leaves, ticked) =>
              setOn(now => {
                const next = new Set(now)
                for (const leaf of leaves) {
                  if (ticked) next.add(leaf)
                  else next.delete(leaf)
                }
                return next
              }),
            locked: leaf => (leaf === locked ? '不可授予' : undefined),
          }}
        />
        <output>
          {String(focused)}|{[...on].sort().join()}
        </output>
      </PaneFocused>
    </PaneContext>
  )
}
const state = () => document.querySelector('output')!.textContent
const press = (key: string, more: object = {}) =>
  act(() => {
    fireEvent.keyDown(screen.getByRole('tree'), { key, ...more })
  })
const items = () => screen.getAllByRole('treeitem').map(item => item.getAttribute('aria-label'))
const item = (name: string) => screen.getByRole('treeitem', { name })

test('arrows walk, fold and unfold; Home and End go to the ends; Enter opens', () => {
  render(<Screen />)
  expect(state()).toBe('1|11')
  expect(items()).toEqual([
    'alpha',
    'alpha one',
    'alpha two',
    'alpha three',
    'beta',
    'beta one',
    'beta two',
  ])
  press('ArrowLeft')
  expect(items()).toEqual(['alpha', 'beta', 'beta one', 'beta two'])
  expect(item('alpha').getAttribute('aria-expanded')).toBe('false')
  press('ArrowRight')
  press('ArrowRight')
  expect(state()).toBe('11|11')
  press('ArrowLeft')
  expect(state()).toBe('1|11')
  press('End')
  press('ArrowUp')
  press('ArrowRight')
  press('ArrowRight')
  expect(state()).toBe('211|11')
  press('Enter')
  expect(opened).toHaveBeenCalledWith(expect.objectContaining({ key: 211 }))
  press('Home')
  expect(state()).toBe('1|11')
})
test('it has the focus when it comes; beside a list it leaves it to the list', () => {
  const { unmount } = render(<Screen />)
  expect(document.activeElement).toBe(screen.getByRole('tree'))
  unmount()
  render(<Screen beside />)
  expect(document.activeElement).toBe(document.body)
})
test('each node tells its level, its place and how many stand beside it', () => {
  render(<Screen />)
  const at = item('beta one')
  expect([
    at.getAttribute('aria-level'),
    at.getAttribute('aria-posinset'),
    at.getAttribute('aria-setsize'),
  ]).toEqual(['2', '1', '2'])
  expect(screen.getByRole('tree').getAttribute('aria-activedescendant')).toBe(item('alpha').id)
})
test('a branch is ticked, partly ticked or not by its leaves; Space ticks exactly what is below it', () => {
  render(<Screen />)
  expect([
    item('alpha').getAttribute('aria-checked'),
    item('alpha one').getAttribute('aria-checked'),
    item('beta').getAttribute('aria-checked'),
  ]).toEqual(['mixed', 'true', 'false'])
  press(' ')
  expect([state(), item('alpha').getAttribute('aria-checked')]).toEqual(['1|11,12,13', 'true'])
  press(' ')
  expect(state()).toBe('1|')
  press('End')
  press('ArrowUp')
  press('ArrowUp')
  press(' ')
  expect([state(), item('beta').getAttribute('aria-checked')]).toEqual(['2|211,22', 'true'])
})
test('a locked leaf stays as it is, also when its branch is ticked', () => {
  render(<Screen locked={12} />)
  press(' ')
  expect(state()).toBe('1|11,13')
  expect([
    item('alpha two').getAttribute('aria-disabled'),
    item('alpha').getAttribute('aria-checked'),
  ]).toEqual(['true', 'mixed'])
})
test('a search shows what fits with the branches above it, and a tick then means only what was found', () => {
  render(<Screen />)
  act(() => {
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'two' } })
  })
  expect(items()).toEqual(['alpha', 'alpha two', 'beta', 'beta two'])
  press(' ')
  expect(state()).toBe('1|11,12')
})
test('Alt and the arrows put a node up, down, under the one above it, and out again', () => {
  render(<Screen />)
  press('ArrowDown')
  press('ArrowDown')
  press('ArrowUp', { altKey: true })
  press('ArrowDown', { altKey: true })
  press('ArrowRight', { altKey: true })
  press('ArrowLeft', { altKey: true })
  expect(placed.mock.calls.map(([node, parent, at]) => [node.key, parent, at])).toEqual([
    [12, 1, 0],
    [12, 1, 2],
    [12, 11, 0],
    [12, null, 1],
  ])
  placed.mockClear()
  press('Home')
  press('ArrowUp', { altKey: true })
  expect(placed).not.toHaveBeenCalled()
})
test('letters go to the node that begins so, where letters are free', () => {
  render(<Screen typeahead />)
  press('b')
  press('e')
  press('t')
  press('a')
  press(' ', {})
  expect(state()).toMatch(/^2\|/)
})
test('what was folded stays folded when the page comes back', () => {
  const first = render(<Screen />)
  press('ArrowLeft')
  first.unmount()
  render(<Screen />)
  expect(items()).toEqual(['alpha', 'beta', 'beta one', 'beta two'])
})
test('of a thousand nodes only those in sight are drawn', () => {
  render(
    <Screen
      all={[
        { key: 0, parent: null, words: 'top' },
        ...Array.from({ length: 1000 }, (_, i) => ({ key: i + 1, parent: 0, words: `node ${i}` })),
      ]}
    />,
  )
  expect(screen.getAllByRole('treeitem').length).toBeLessThan(60)
  expect(screen.getAllByRole('treeitem')[1]!.getAttribute('aria-setsize')).toBe('1000')
})
