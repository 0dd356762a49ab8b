import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeFault, placeFault, treeOf, type NamedRow, type TreeRules } from '#src/domain/tree.ts'

const LEVELS = 3
type Row = NamedRow & { hanging: number }
type Step = { does: 'add' | 'move' | 'merge'; name: string; a: number; b: number; at: number }
const steps = fc.array(
  fc.record({
    does: fc.constantFrom('add', 'add', 'move', 'merge'),
    name: fc.constantFrom('甲', '乙', '丙', 'Ａ', 'a', 'b', 'c d', 'c  d'),
    a: fc.nat(40),
    b: fc.nat(40),
    at: fc.nat(6),
  }) as fc.Arbitrary<Step>,
  { maxLength: 60 },
)
const rulesFor = (rows: readonly Row[]): TreeRules => ({
  levels: LEVELS,
  used: id => rows.find(row => row.id === id)?.hanging ?? 0,
})
/** A row of the tree, or its top. */
const picked = (rows: readonly Row[], n: number): number | null =>
  n % (rows.length + 1) === rows.length ? null : rows[n % (rows.length + 1)]!.id
const taken = (rows: readonly Row[], { does, name, a, b, at }: Step, next: number): Row[] => {
  const tree = treeOf(rows)
  const [id, to] = [picked(rows, a), picked(rows, b)]
  if (does === 'add') {
    if (placeFault(tree, { name, parent_id: to }, rulesFor(rows))) return [...rows]
    return [...rows, { id: next, parent_id: to, sort: at, name, hanging: 0 }]
  }
  if (id === null) return [...rows]
  const row = tree.row(id)!
  if (does === 'move') {
    if (placeFault(tree, { id, name: row.name, parent_id: to }, rulesFor(rows))) return [...rows]
    return rows.map(one => (one.id === id ? { ...one, parent_id: to, sort: at } : one))
  }
  if (to === null || mergeFault(tree, { id, target_id: to }, rulesFor(rows))) return [...rows]
  return rows
    .filter(one => one.id !== id)
    .map(one => ({
      ...one,
      parent_id: one.parent_id === id ? to : one.parent_id,
      hanging: one.hanging + (one.id === to ? row.hanging : 0),
    }))
}
const plain = (name: string) => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ')

describe('a tree', () => {
  it('never gets too deep, round, or two siblings of a name, and loses nothing that hangs on it', () => {
    fc.assert(
      fc.property(steps, all => {
        let rows: Row[] = []
        let hung = 0
        for (const [next, step] of all.entries()) {
          rows = taken(rows, step, next + 1)
          // Something is hung on a leaf now and then, as a product is.
          const leaf = rows.find(row => !rows.some(one => one.parent_id === row.id))
          if (leaf && step.at === 0) {
            leaf.hanging += 3
            hung += 3
          }
          const tree = treeOf(rows)
          // A circle would be reached from no top.
          expect(tree.branch(null)).toHaveLength(rows.length)
          for (const row of rows) {
            expect(tree.depth(row.id)).toBeLessThanOrEqual(LEVELS)
            const names = tree.children(row.parent_id).map(one => plain(one.name))
            expect(new Set(names).size).toBe(names.length)
            if (row.hanging > 0) expect(tree.children(row.id)).toHaveLength(0)
          }
          expect(rows.reduce((sum, row) => sum + row.hanging, 0)).toBe(hung)
        }
      }),
    )
  })
  it('of five thousand rows is walked, and asked for each of them', () => {
    const rows = Array.from({ length: 5000 }, (_, at) => ({
      id: at + 1,
      parent_id: at < 20 ? null : Math.floor((at - 20) / 17) + 1,
      sort: at,
      name: `第 ${at} 类`,
    }))
    const tree = treeOf(rows)
    expect(tree.branch(null)).toHaveLength(5000)
    const refused = rows.filter(({ id }) =>
      placeFault(tree, { id: 1, name: '新类', parent_id: id }, { levels: 9 }),
    )
    expect(refused).toHaveLength(tree.branch(1).length)
  })
})
it('the way up is the way down turned round, and given rows may stand in any order', () => {
  const rows = [
    { id: 3, parent_id: 2, sort: 0 },
    { id: 1, parent_id: null, sort: 1 },
    { id: 2, parent_id: 1, sort: 0 },
    { id: 4, parent_id: null, sort: 0 },
  ]
  const tree = treeOf(rows)
  expect(tree.upwards(3).map(row => row.id)).toEqual([3, 2, 1])
  expect(tree.path(3).map(row => row.id)).toEqual([1, 2, 3])
  expect(tree.branch(null).map(row => row.id)).toEqual([4, 1, 2, 3])
  expect(tree.rows.map(row => row.id)).toEqual([2, 3, 4, 1])
  expect(rows.map(row => row.id)).toEqual([3, 1, 2, 4])
})
