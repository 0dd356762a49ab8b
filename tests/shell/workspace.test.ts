import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  boxes,
  dividers,
  divide,
  isTree,
  leaves,
  neighbour,
  SMALLEST,
  type Tree,
} from '#src/shell/panes/tree.ts'
import {
  revive,
  single,
  UNDO_MAX,
  workspace,
  workspaceReducer as reduce,
  type Workspace,
} from '#src/shell/panes/workspace.ts'

const bulks = '/manage/audit/bulks'
const after = (...steps: ((now: Workspace) => { type: string } | undefined)[]) =>
  steps.reduce((now, step) => {
    const action = step(now)
    return action ? reduce(now, action) : now
  }, single('/manage'))
const right = () => workspace.opened({ at: bulks, how: 'right' })
const below = () => workspace.opened({ at: bulks, how: 'down' })
const tab = () => workspace.opened({ at: bulks, how: 'tab' })

describe('the layout', () => {
  test('split right and below, in equal parts', () => {
    const { tree, focused } = after(right, below)
    expect(tree).toEqual({
      type: 'split',
      direction: 'row',
      splitPercentages: [50, 50],
      children: [
        'p1',
        { type: 'split', direction: 'column', splitPercentages: [50, 50], children: ['p2', 'p3'] },
      ],
    })
    expect(focused).toBe('p3')
    expect(boxes(tree)).toEqual({
      p1: { left: 0, top: 0, width: 50, height: 100 },
      p2: { left: 50, top: 0, width: 50, height: 50 },
      p3: { left: 50, top: 50, width: 50, height: 50 },
    })
  })
  test('splits of one direction are one split', () => {
    expect(after(right, right).tree).toMatchObject({
      children: ['p1', 'p2', 'p3'],
      splitPercentages: [50, 25, 25],
    })
  })
  test('the focus goes where one looks', () => {
    const { tree } = after(right, below)
    expect([
      neighbour(tree, 'p3', 'up'),
      neighbour(tree, 'p3', 'left'),
      neighbour(tree, 'p1', 'right'),
      neighbour(tree, 'p1', 'left'),
    ]).toEqual(['p2', 'p1', 'p2', undefined])
    expect(after(right, below, () => workspace.focusedBeside('left')).focused).toBe('p1')
    expect(after(right, below, () => workspace.focusedNext(1)).focused).toBe('p1')
  })
  test('a pane in sight gets the focus without a new layout; one behind others comes to the front', () => {
    const now = after(right, below)
    expect(reduce(now, workspace.focused('p1')).tree).toBe(now.tree)
    const kept = after(right, tab)
    expect(reduce(kept, workspace.focused('p2')).tree).not.toBe(kept.tree)
    expect(boxes(reduce(kept, workspace.focused('p2')).tree)).toHaveProperty('p2')
  })
  test('tabs stand in one place; closing shows the one before', () => {
    const three = after(tab, tab)
    expect(three.tree).toEqual({ type: 'tabs', tabs: ['p1', 'p2', 'p3'], activeTabIndex: 2 })
    expect(reduce(three, workspace.tabbed(1)).focused).toBe('p1')
    const two = reduce(three, workspace.closed('p3'))
    expect([two.focused, boxes(two.tree)]).toMatchObject([
      expect.any(String),
      { [two.focused!]: { width: 100 } },
    ])
    expect(reduce(two, workspace.closed('p2')).tree).toBe('p1')
  })
  test('closing the last pane leaves the workbench, never nothing', () => {
    const now = after(() => workspace.closed('p1'))
    expect(leaves(now.tree)).toEqual(['p2'])
    expect(now.byId.p2!.at).toBe('/manage')
  })
  test('move, swap, resize, equalise, maximise', () => {
    expect(after(right, () => workspace.moved({ pane: 'p2', side: 'left' })).tree).toMatchObject({
      children: ['p2', 'p1'],
    })
    expect(after(right, () => workspace.moved({ pane: 'p2', side: 'down' })).tree).toMatchObject({
      direction: 'column',
      children: ['p1', 'p2'],
    })
    expect(
      after(right, () => workspace.resized({ pane: 'p2', direction: 'row', step: 5 })).tree,
    ).toMatchObject({ splitPercentages: [45, 55] })
    expect(
      after(right, () => workspace.resized({ pane: 'p2', direction: 'row', step: 500 })).tree,
    ).toMatchObject({ splitPercentages: [SMALLEST, 100 - SMALLEST] })
    expect(
      after(
        right,
        () => workspace.resized({ pane: 'p2', direction: 'row', step: 5 }),
        () => workspace.equalised(),
      ).tree,
    ).toMatchObject({ splitPercentages: [50, 50] })
    expect(after(right, () => workspace.maximised('p1')).maximised).toBe('p1')
    expect(
      after(
        right,
        () => workspace.maximised('p1'),
        () => workspace.maximised('p1'),
      ).maximised,
    ).toBeNull()
    expect(
      after(
        right,
        () => workspace.maximised('p1'),
        () => workspace.focused('p2'),
      ).maximised,
    ).toBe('p2')
  })
  test('a tree that would lose a pane is refused', () => {
    const two = after(right)
    expect(reduce(two, workspace.arranged({ tree: 'p1', done: true }))).toBe(two)
  })
})

describe('a pane’s own way', () => {
  const go =
    (at: string, more: object = {}) =>
    () =>
      workspace.went({ pane: 'p1', at, ...more })
  test('back and forward', () => {
    const there = after(go('/manage/a'), go('/manage/b'))
    const back = reduce(there, workspace.wentBack({ pane: 'p1' }))
    expect([back.byId.p1!.at, back.byId.p1!.forward]).toEqual(['/manage/a', ['/manage/b']])
    expect(reduce(back, workspace.wentForward({ pane: 'p1' })).byId.p1!.at).toBe('/manage/b')
    expect(reduce(back, workspace.went({ pane: 'p1', at: '/manage/c' })).byId.p1!.forward).toEqual(
      [],
    )
  })
  test('a replaced address is no step back', () => {
    expect(after(go('/manage/a'), go('/manage/a?page=2', { replace: true })).byId.p1).toMatchObject(
      { at: '/manage/a?page=2', back: ['/manage'] },
    )
  })
  test('a page kept alive leaves its address behind', () => {
    expect(after(go(`${bulks}?page=3`), go('/manage/b', { leaving: bulks })).byId.p1!.kept).toEqual(
      { [bulks]: `${bulks}?page=3` },
    )
  })
  test('memory is kept by page, and does not grow without end', () => {
    const many = after(
      ...Array.from(
        { length: 60 },
        (_, i) => () =>
          workspace.remembered({ pane: 'p1', page: `/p${i}`, key: 'scroll', value: i }),
      ),
    )
    expect(Object.keys(many.byId.p1!.memo).length).toBeLessThanOrEqual(16)
    expect(many.byId.p1!.memo['/p59']).toEqual({ scroll: 59 })
    const long = after(...Array.from({ length: 200 }, (_, i) => go(`/manage/${i}`)))
    expect(long.byId.p1!.back.length).toBe(50)
  })
})

const direction = fc.constantFrom('left' as const, 'right' as const, 'up' as const, 'down' as const)
const pick = fc.nat(20)
/** Any step a person can take, on whichever pane it falls. */
const step = fc.oneof(
  fc.record({
    do: fc.constant('open' as const),
    how: fc.oneof(direction, fc.constant('tab' as const)),
    on: pick,
  }),
  fc.record({
    do: fc.constantFrom(
      'close' as const,
      'focus' as const,
      'maximise' as const,
      'others' as const,
      'swapNext' as const,
    ),
    on: pick,
  }),
  fc.record({ do: fc.constant('move' as const), side: direction, on: pick }),
  fc.record({
    do: fc.constant('resize' as const),
    by: fc.integer({ min: -60, max: 60 }),
    axis: fc.constantFrom('row' as const, 'column' as const),
    on: pick,
  }),
  fc.record({
    do: fc.constant('divide' as const),
    share: fc.integer({ min: -50, max: 150 }),
    on: pick,
  }),
  fc.record({ do: fc.constantFrom('next' as const, 'tabs' as const, 'equal' as const), on: pick }),
)
const take = (
  now: Workspace,
  of: typeof step extends fc.Arbitrary<infer T> ? T : never,
): Workspace => {
  const ids = leaves(now.tree)
  const id = ids[of.on % ids.length]!
  switch (of.do) {
    case 'open':
      return ids.length < 9
        ? reduce(now, workspace.opened({ at: bulks, how: of.how, beside: id }))
        : now
    case 'close':
      return reduce(now, workspace.closed(id))
    case 'focus':
      return reduce(now, workspace.focused(id))
    case 'maximise':
      return reduce(now, workspace.maximised(id))
    case 'others':
      return ids.length > 6 ? reduce(now, workspace.closedOthers(id)) : now
    case 'swapNext':
      return reduce(now, workspace.swappedNext(id))
    case 'move':
      return reduce(now, workspace.moved({ pane: id, side: of.side }))
    case 'resize':
      return reduce(now, workspace.resized({ pane: id, direction: of.axis, step: of.by }))
    case 'divide': {
      const all = dividers(now.tree)
      const divider = all[of.on % Math.max(1, all.length)]
      return divider ? reduce(now, workspace.divided({ divider, share: of.share })) : now
    }
    case 'next':
      return reduce(now, workspace.focusedNext(1))
    case 'tabs':
      return reduce(now, workspace.tabbed(1))
    case 'equal':
      return reduce(now, workspace.equalised())
  }
}
describe('the history of the layout', () => {
  const shapeOf = ({ tree, byId }: Workspace) =>
    JSON.stringify([tree, Object.entries(byId).map(([id, { at, channel }]) => [id, at, channel])])
  test('a pane that was closed comes back with all that was in it', () => {
    const there = after(
      right,
      () => workspace.went({ pane: 'p2', at: '/manage/audit/card' }),
      () =>
        workspace.remembered({ pane: 'p2', page: '/manage/audit/card', key: 'scroll', value: 320 }),
    )
    const back = reduce(reduce(there, workspace.closed('p2')), workspace.undone())
    expect([back.tree, back.byId, back.focused]).toEqual([there.tree, there.byId, 'p2'])
  })
  test('what was done in a pane is not undone with the layout', () => {
    const now = after(
      right,
      () => workspace.went({ pane: 'p1', at: '/manage/audit/card' }),
      () => workspace.undone(),
    )
    expect([now.tree, now.byId.p1!.at]).toEqual(['p1', '/manage/audit/card'])
    expect(reduce(now, workspace.redone()).byId).toMatchObject({
      p1: { at: '/manage/audit/card' },
      p2: { at: bulks },
    })
  })
  test('a channel is taken back, a move of the focus is no step', () => {
    const now = after(
      right,
      () => workspace.linked({ pane: 'p1', channel: 3 }),
      () => workspace.focused('p1'),
      () => workspace.undone(),
    )
    expect([now.byId.p1!.channel, Object.keys(now.byId)]).toEqual([undefined, ['p1', 'p2']])
  })
  test('a layout opened in the place of another gives way to it again', () => {
    const two = after(right)
    const other = reduce(two, workspace.laid(single('/manage/audit/card')))
    expect([Object.keys(other.byId), other.byId.p3!.at]).toEqual([['p3'], '/manage/audit/card'])
    expect(shapeOf(reduce(other, workspace.undone()))).toBe(shapeOf(two))
  })
  test('a pane that fills the place again has the focus, wherever it was since', () => {
    const back = after(
      tab,
      () => workspace.maximised('p2'),
      tab,
      () => workspace.focused('p1'),
      () => workspace.undone(),
    )
    expect([back.maximised, back.focused, Object.keys(boxes(back.tree))]).toEqual([
      'p2',
      'p2',
      ['p2'],
    ])
  })
  test('a drag is one step, and one given up is none', () => {
    const two = after(right)
    const hidden = reduce(
      two,
      workspace.arranged({
        tree: { ...(two.tree as object), splitPercentages: [100, 0] } as Tree,
        done: false,
      }),
    )
    expect(reduce(hidden, workspace.arranged({ tree: two.tree, done: false })).past.length).toBe(
      two.past.length,
    )
    const dropped = reduce(
      hidden,
      workspace.arranged({
        tree: {
          type: 'split',
          direction: 'row',
          children: ['p2', 'p1'],
          splitPercentages: [50, 50],
        },
        done: true,
      }),
    )
    expect(dropped.past.length).toBe(two.past.length + 1)
    expect(reduce(dropped, workspace.undone()).tree).toEqual(two.tree)
  })
  test('whatever one does, all of it is undone and done again; a new change forgets what was undone', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.nat(20), (steps, n) => {
        const moments = [single('/manage')]
        for (const one of steps) {
          const now = take(moments.at(-1)!, one)
          if (
            now.past.length !== moments.at(-1)!.past.length ||
            now.past.at(-1) !== moments.at(-1)!.past.at(-1)
          )
            moments.push(now)
          else moments[moments.length - 1] = now
        }
        const last = moments.at(-1)!
        let now = last
        const times = Math.min(n, last.past.length)
        for (let i = 0; i < times; i++) now = reduce(now, workspace.undone())
        expect([...leaves(now.tree)].sort()).toEqual(Object.keys(now.byId).sort())
        expect(boxes(now.maximised ?? now.tree)).toHaveProperty([now.focused!])
        for (let i = 0; i < times; i++) now = reduce(now, workspace.redone())
        expect(area(now.tree)).toBeCloseTo(1, 6)
        expect([...leaves(now.tree)]).toEqual([...leaves(last.tree)])
        expect(
          reduce(reduce(last, workspace.undone()), workspace.opened({ at: bulks, how: 'tab' }))
            .future,
        ).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
  test('is bounded', () =>
    expect(
      after(
        ...Array.from(
          { length: 200 },
          (_, i) => () => workspace.linked({ pane: 'p1', channel: (i % 6) + 1 }),
        ),
      ).past.length,
    ).toBe(UNDO_MAX))
})
const area = (tree: Tree | null) =>
  Object.values(boxes(tree)).reduce((sum, { width, height }) => sum + (width * height) / 10_000, 0)
describe('whatever one does', () => {
  test('no pane is lost or doubled, the whole place is filled, someone has the focus and is seen', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const now = steps.reduce(take, single('/manage'))
        const ids = leaves(now.tree)
        expect([...ids].sort()).toEqual(Object.keys(now.byId).sort())
        expect(new Set(ids).size).toBe(ids.length)
        expect(isTree(now.tree)).toBe(true)
        expect(area(now.tree)).toBeCloseTo(1, 6)
        expect(ids).toContain(now.focused)
        expect(boxes(now.maximised ?? now.tree)).toHaveProperty([now.focused!])
        for (const { now: share, min, max } of dividers(now.tree)) {
          expect(share).toBeGreaterThanOrEqual(0)
          expect(min).toBeLessThanOrEqual(max)
        }
      }),
      { numRuns: 400 },
    )
  })
  test('a layout stored is the layout restored', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), steps => {
        const now = steps.reduce(take, single('/manage'))
        const back = revive(JSON.parse(JSON.stringify(now)))!
        expect({
          ...back,
          next: 0,
          past: [],
          byId: Object.fromEntries(Object.entries(back.byId).map(([id, pane]) => [id, pane.at])),
        }).toEqual({
          ...now,
          next: 0,
          past: [],
          dragged: undefined,
          byId: Object.fromEntries(Object.entries(now.byId).map(([id, pane]) => [id, pane.at])),
        })
        expect(Object.keys(back.byId)).not.toContain(`p${back.next}`)
      }),
      { numRuns: 200 },
    )
  })
  test('rubbish is refused or made whole, never thrown at', () => {
    expect([
      revive(null),
      revive(7),
      revive('p1'),
      revive({ tree: 'p1' }),
      revive({ tree: { type: 'split' }, byId: {} }),
      revive({
        tree: { type: 'tabs', tabs: ['p1', 'p1'], activeTabIndex: 0 },
        byId: { p1: { at: '/' } },
      }),
    ]).toEqual([null, null, null, null, null, null])
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const back = revive(value)
        if (back) expect(leaves(back.tree).length).toBeGreaterThan(0)
      }),
    )
    fc.assert(
      fc.property(
        fc.record({
          tree: fc.oneof(fc.constant('p1'), fc.jsonValue()),
          byId: fc.dictionary(
            fc.constantFrom('p1', 'p2', '__proto__'),
            fc.oneof(
              fc.record({ at: fc.string(), back: fc.jsonValue(), memo: fc.jsonValue() }),
              fc.jsonValue(),
            ),
          ),
          focused: fc.jsonValue(),
        }),
        value => {
          const back = revive(value)
          if (back) expect(Object.keys(back.byId)).toContain(back.focused)
        },
      ),
    )
  })
  test('a divider keeps both parts at their least', () => {
    const { tree } = after(right)
    expect(divide(tree!, { path: [], index: 0 }, -20)).toMatchObject({
      splitPercentages: [SMALLEST, 90],
    })
    expect(divide(tree!, { path: [], index: 0 }, 120)).toMatchObject({
      splitPercentages: [90, SMALLEST],
    })
  })
})
