import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  layoutFault,
  PANES_MAX,
  readTree,
  writeTree,
  type Layout,
  type LayoutNode,
} from '#src/areas/workbench/layout.ts'
import { layoutState } from '#src/modules/workbench/contract.ts'
import { drifted, layoutOf, workspaceOf } from '#src/shell/panes/format.ts'
import { boxes, leaves } from '#src/shell/panes/tree.ts'
import {
  single,
  workspace,
  workspaceReducer as reduce,
  type Workspace,
} from '#src/shell/panes/workspace.ts'

const whole = (value: unknown): Workspace => {
  const read = workspaceOf(value)
  if ('fault' in read) throw new Error(read.fault[0])
  return read.workspace
}
const fault = (value: unknown) => {
  const read = workspaceOf(value)
  return 'fault' in read ? read.fault[0] : undefined
}

const page = fc.record({
  at: fc.oneof(
    fc.constantFrom(
      '/manage',
      '/manage/audit/bulks',
      '/manage/order/bulks/detail?id=7',
      '/manage/gone',
    ),
    fc.webQueryParameters().map(query => `/manage/order/bulks?${query.replace(/[\s\\#]/g, '')}`),
  ),
  channel: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
})
const direction = fc.constantFrom('left' as const, 'right' as const, 'up' as const, 'down' as const)
/** Any workspace that one can make: panes opened beside and as tabs, moved by any size, linked. */
const anyWorkspace = fc
  .tuple(
    page,
    fc.array(
      fc.record({
        page,
        how: fc.oneof(direction, fc.constant('tab' as const)),
        on: fc.nat(20),
        axis: fc.constantFrom('row' as const, 'column' as const),
        by: fc.double({ min: -30, max: 30, noNaN: true }),
      }),
      { maxLength: PANES_MAX - 1 },
    ),
    fc.nat(30),
    fc.boolean(),
  )
  .map(([first, steps, focus, maximised]) => {
    const keep = (now: Workspace, id: string, { channel }: { channel?: number | undefined }) =>
      reduce(now, workspace.linked({ pane: id, channel }))
    let now = keep(single(first.at), 'p1', first)
    for (const {
      page: { at, ...more },
      how,
      on,
      axis,
      by,
    } of steps) {
      const ids = leaves(now.tree)
      now = reduce(now, workspace.opened({ at, how, beside: ids[on % ids.length]! }))
      now = reduce(
        keep(now, now.focused!, more),
        workspace.resized({ pane: now.focused!, direction: axis, step: by }),
      )
    }
    const ids = leaves(now.tree)
    now = reduce(now, workspace.focused(ids[focus % ids.length]!))
    return maximised ? reduce(now, workspace.maximised(now.focused!)) : now
  })

describe('a layout as it is saved and sent', () => {
  test('loses nothing on the way there and back: tree and sizes, pages with their filters, channels, focus', () => {
    fc.assert(
      fc.property(anyWorkspace, now => {
        const sent = layoutOf(now)
        // As the server takes it, and as it comes out of the wire.
        expect(layoutState.safeParse(sent).error?.issues ?? []).toEqual([])
        const back = whole(JSON.parse(JSON.stringify(sent)))
        expect(layoutOf(back)).toEqual(sent)
        expect(Object.values(boxes(back.tree))).toEqual(Object.values(boxes(now.tree)))
        expect([
          leaves(back.tree).map(id => back.byId[id]!.channel),
          leaves(back.tree).indexOf(back.focused!),
          back.maximised !== null,
        ]).toEqual([
          leaves(now.tree).map(id => now.byId[id]!.channel),
          leaves(now.tree).indexOf(now.focused!),
          now.maximised !== null,
        ])
        expect(drifted(layoutOf(back), sent)).toBe(false)
      }),
      { numRuns: 150 },
    )
  })
  test('carries nothing that was selected, scrolled to or half written', () => {
    const now = reduce(
      single('/manage/order/bulks'),
      workspace.remembered({
        pane: 'p1',
        page: '/manage/order/bulks',
        key: 'selected',
        value: [{ id: 1, phone: '13812345678' }],
      }),
    )
    expect(JSON.stringify(layoutOf(now))).not.toContain('13812345678')
  })
  test('its tree as text is what it was', () => {
    const node: fc.Arbitrary<LayoutNode> = fc.letrec<{ node: LayoutNode }>(tie => ({
      node: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.constant(0),
        fc.integer({ min: 1, max: 3 }).map((n): LayoutNode => ({
          type: 'tabs',
          tabs: Array.from({ length: n }, () => 0),
          activeTabIndex: n - 1,
        })),
        fc.array(tie('node'), { minLength: 2, maxLength: 2 }).chain(children =>
          fc
            .array(fc.double({ min: 0, max: 100, noNaN: true }).map(Math.abs), {
              minLength: children.length,
              maxLength: children.length,
            })
            .map((splitPercentages): LayoutNode => ({
              type: 'split',
              direction: 'row',
              children,
              splitPercentages,
            })),
        ),
      ),
    })).node
    const renumbered = (tree: LayoutNode) => {
      let n = 0
      const walk = (of: LayoutNode): LayoutNode => {
        if (typeof of === 'number') return n++
        return of.type === 'tabs'
          ? { ...of, tabs: of.tabs.map(() => n++) }
          : { ...of, children: of.children.map(walk) }
      }
      return { tree: walk(tree), panes: n }
    }
    fc.assert(
      fc.property(node, tree => {
        const expected = renumbered(tree)
        if (expected.panes <= PANES_MAX) expect(readTree(writeTree(tree))).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })
})

describe('what older versions wrote', () => {
  const old: unknown = JSON.parse(readFileSync('tests/shell/layout-v1.json', 'utf8'))
  test('opens: places, pages, filters, and channels of version 1', () => {
    const now = whole(old)
    expect(layoutOf(now)).toEqual({
      v: 2,
      tree: 'r(62.5.,37.5c(35.,65t1(2)))',
      focus: 0,
      maximised: false,
      panes: [
        { at: '/manage/order/bulks?status=paid&page=2', channel: 1 },
        { at: '/manage/order/bulks/detail?id=41', channel: 1 },
        { at: '/manage/audit/bulks?state=rejected' },
        { at: '/manage' },
      ],
    } satisfies Layout)
  })
  test('of a newer version it says to load the page anew', () =>
    expect(fault({ ...layoutOf(single('/manage')), v: 3 })).toBe(
      '布局由更新的版本保存，请刷新页面后再打开',
    ))
})

describe('rubbish', () => {
  const sound = layoutOf(
    reduce(single('/manage'), workspace.opened({ at: '/manage', how: 'right' })),
  )
  test.each<[string, unknown]>([
    ['nothing', null],
    ['a number', 7],
    ['an empty object', {}],
    ['a version only', { v: 2 }],
    ['a version that is a word', { ...sound, v: 'two' }],
    ['a tree that breaks off', { ...sound, tree: 'r(50.,50' }],
    ['more places than panes', { ...sound, tree: 'r(30.,30.,40.)' }],
    ['a focus outside', { ...sound, focus: 2 }],
    [
      'a page of another site',
      { ...sound, panes: [{ at: '//evil.example/manage' }, { at: '/manage' }] },
    ],
    ['a version 1 whose panes are gone', { tree: 'p1', byId: {} }],
  ])('is refused in clear words, never thrown at: %s', (_, value) =>
    expect(fault(value)).toMatch(/^布局内容无法识别/),
  )
  test('of any kind gives a workspace that stands, or the words', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({
            v: fc.constantFrom(1, 2, 3),
            panes: fc.jsonValue(),
            tree: fc.string(),
            focus: fc.jsonValue(),
            maximised: fc.boolean(),
          }),
          fc.record({
            v: fc.constant(2),
            panes: fc.constant([{ at: '/manage' }]),
            tree: fc.stringMatching(/^[rct.(),0-9]{0,12}$/),
            focus: fc.constant(0),
            maximised: fc.boolean(),
          }),
        ),
        value => {
          const read = workspaceOf(value)
          if ('workspace' in read)
            expect(leaves(read.workspace.tree)).toContain(read.workspace.focused)
          else expect(read.fault[0]).toMatch(/布局/)
        },
      ),
      { numRuns: 400 },
    )
  })
  test('a tree without end is no tree', () => {
    expect(readTree(`${'r(50.,50'.repeat(200)}.${')'.repeat(200)}`)).toBeUndefined()
    expect(layoutFault({ tree: '.', panes: [], focus: 0 })?.field).toBe('tree')
  })
})

describe('drift', () => {
  const start = reduce(
    reduce(
      single('/manage/order/bulks?status=paid'),
      workspace.opened({ at: '/manage/order/bulks/detail?id=1', how: 'right' }),
    ),
    workspace.linked({ pane: 'p2', channel: 1 }),
  )
  const saved = layoutOf(start)
  const after = (...actions: Parameters<typeof reduce>[1][]) =>
    drifted(layoutOf(actions.reduce(reduce, start)), saved)
  test.each<[string, boolean, Parameters<typeof reduce>[1][]]>([
    ['another pane', true, [workspace.opened({ at: '/manage', how: 'down' })]],
    ['a pane closed', true, [workspace.closed('p2')]],
    ['panes swapped', true, [workspace.swappedNext('p1')]],
    ['another size', true, [workspace.resized({ pane: 'p1', direction: 'row', step: 5 })]],
    [
      'another filter',
      true,
      [workspace.went({ pane: 'p1', at: '/manage/order/bulks?status=unpaid' })],
    ],
    ['another page', true, [workspace.went({ pane: 'p1', at: '/manage' })]],
    ['another channel', true, [workspace.linked({ pane: 'p2', channel: 2 })]],
    ['the focus', false, [workspace.focused('p1')]],
    [
      'a page of the same list',
      false,
      [workspace.went({ pane: 'p1', at: '/manage/order/bulks?status=paid&page=4' })],
    ],
    [
      'the row a linked pane follows',
      false,
      [workspace.went({ pane: 'p2', at: '/manage/order/voucher/detail?id=9' })],
    ],
    ['a pane made as large as can be', false, [workspace.maximised('p1')]],
    [
      'a scroll',
      false,
      [workspace.remembered({ pane: 'p1', page: '/manage/order/bulks', key: 'scroll', value: 99 })],
    ],
  ])('%s: %s', (_, drift, actions) => expect(after(...actions)).toBe(drift))
})
