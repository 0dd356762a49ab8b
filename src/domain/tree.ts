import type { Text } from './text.ts'

/** A row of an ordered tree; rows of one parent stand in the order of `sort`. */
export type TreeRow = { id: number; parent_id: number | null; sort: number }

const inOrder = (a: TreeRow, b: TreeRow) => a.sort - b.sort || a.id - b.id
/**
 * The rows of a tree by their places, so that a question costs what it finds and not all rows. A row
 * whose parent is not among them stands at the top.
 */
export const treeOf = <R extends TreeRow>(given: readonly R[]) => {
  const rows: readonly R[] = [...given].sort(inOrder)
  const byId = new Map(rows.map(row => [row.id, row]))
  const below = new Map<number | null, R[]>()
  for (const row of rows) {
    const above = row.parent_id !== null && byId.has(row.parent_id) ? row.parent_id : null
    const beside = below.get(above)
    if (beside) beside.push(row)
    else below.set(above, [row])
  }
  const row = (id: number | null): R | undefined => (id === null ? undefined : byId.get(id))
  const children = (id: number | null): readonly R[] => below.get(id) ?? []
  /** From the row itself up to the top. */
  const upwards = (id: number | null): R[] => {
    const found: R[] = []
    for (let at = row(id); at && found.length <= byId.size; at = row(at.parent_id)) found.push(at)
    return found
  }
  /** From the top down to the row itself. */
  const path = (id: number | null): R[] => upwards(id).reverse()
  /** A row and everything under it, each before what is under it; from null all of them. */
  const branch = (id: number | null): R[] => {
    const found: R[] = []
    const seen = new Set<number>()
    const open: R[] = []
    const openAll = (of: readonly R[]) => {
      for (let at = of.length - 1; at >= 0; at--) open.push(of[at]!)
    }
    openAll(id === null ? children(null) : [row(id)].filter(one => one !== undefined))
    for (let at = open.pop(); at; at = open.pop()) {
      if (seen.has(at.id)) continue
      seen.add(at.id)
      found.push(at)
      openAll(children(at.id))
    }
    return found
  }
  /** 1 at the top, 0 of none. */
  const depth = (id: number | null): number => path(id).length
  const heights = new Map<number, number>()
  /** How many levels a row and what is under it take. */
  const height = (id: number): number => {
    const known = heights.get(id)
    if (known !== undefined) return known
    const deepest = branch(id).reduce((most, one) => Math.max(most, depth(one.id)), 0)
    const found = deepest - depth(id) + 1
    heights.set(id, found)
    return found
  }
  return { rows, row, children, upwards, path, branch, depth, height }
}
export type Tree<R extends TreeRow> = ReturnType<typeof treeOf<R>>
/** What each row has of every kind, together with all rows under it. */
export const sumsOf = <K extends string>(
  tree: Tree<TreeRow>,
  own: (id: number) => Readonly<Record<K, number>>,
): Map<number, Record<K, number>> => {
  const sums = new Map<number, Record<K, number>>()
  const rows = tree.branch(null)
  for (const { id } of rows) sums.set(id, { ...own(id) })
  const kinds = rows[0] ? (Object.keys(sums.get(rows[0].id)!) as K[]) : []
  // What stands below comes after: from the end each is complete before it is added above.
  for (const { id, parent_id } of rows.toReversed()) {
    const above = sums.get(parent_id ?? 0)
    const own = sums.get(id)!
    if (above) for (const kind of kinds) above[kind] += own[kind]
  }
  return sums
}

/** A row and everything under it. */
export const branchOf = (rows: readonly TreeRow[], id: number): Set<number> =>
  new Set([
    id,
    ...treeOf(rows)
      .branch(id)
      .map(row => row.id),
  ])
/** 1 at the top. */
export const depthOf = (rows: readonly TreeRow[], id: number | null): number =>
  treeOf(rows).depth(id)
/** How many levels a row and what is under it take. */
export const heightOf = (rows: readonly TreeRow[], id: number): number => treeOf(rows).height(id)

const moving = {
  self: ['不能移动到自己之下', 'It can’t stand under itself'],
  child: ['不能移动到自己的下级之下', 'It can’t stand under one of its own'],
  gone: ['目标已不存在，请刷新', 'The place is gone, refresh'],
} as const satisfies Record<string, Text>
/** True, or why the row can't stand under that parent (null is the top). */
export const mayStandUnder = (
  rows: readonly TreeRow[],
  id: number,
  parent_id: number | null,
): true | Text => {
  if (parent_id === null) return true
  if (parent_id === id) return moving.self
  if (!rows.some(row => row.id === parent_id)) return moving.gone
  return branchOf(rows, id).has(parent_id) ? moving.child : true
}

export const childrenOf = <R extends TreeRow>(rows: readonly R[], parent_id: number | null): R[] =>
  rows.filter(row => row.parent_id === parent_id).sort(inOrder)
/** Where a row stands among its siblings; 0 is the first. */
export const seatOf = (rows: readonly TreeRow[], id: number): number =>
  childrenOf(rows, rows.find(row => row.id === id)?.parent_id ?? null).findIndex(
    row => row.id === id,
  )
/** The rows under a parent in order after `id` took place `at` (0 is the first) among them. */
export const orderWith = (
  rows: readonly TreeRow[],
  id: number,
  parent_id: number | null,
  at: number,
): number[] => {
  const ids = childrenOf(rows, parent_id)
    .map(row => row.id)
    .filter(one => one !== id)
  ids.splice(Math.max(0, Math.min(ids.length, at)), 0, id)
  return ids
}

export type Move = 'up' | 'down' | 'in' | 'out'
/**
 * Where a key takes a row: before or after its neighbour, under the one above it, or beside its
 * parent. Undefined where there is no such place.
 */
export const placeOf = (
  rows: readonly TreeRow[],
  id: number,
  move: Move,
): { parent_id: number | null; at: number } | undefined => {
  const row = rows.find(one => one.id === id)
  if (!row) return undefined
  const siblings = childrenOf(rows, row.parent_id)
  const at = siblings.findIndex(one => one.id === id)
  if (move === 'up') return at > 0 ? { parent_id: row.parent_id, at: at - 1 } : undefined
  if (move === 'down')
    return at < siblings.length - 1 ? { parent_id: row.parent_id, at: at + 1 } : undefined
  if (move === 'in')
    return at > 0
      ? { parent_id: siblings[at - 1]!.id, at: childrenOf(rows, siblings[at - 1]!.id).length }
      : undefined
  const parent = rows.find(one => one.id === row.parent_id)
  return (
    parent && {
      parent_id: parent.parent_id,
      at: childrenOf(rows, parent.parent_id).findIndex(one => one.id === parent.id) + 1,
    }
  )
}

/** Where a page puts a row before that is confirmed: a new one, or one that was dragged. */
export type PutAt = { parent_id: number | null; name: string; sort: number }
/** A row of a tree whose rows have names: no two siblings have the same. */
export type NamedRow = TreeRow & { name: string }
/** Why something can't stand where it is to stand: the rule's code, and its words. */
export type Fault = { rule: string; text: Text; values?: Record<string, string | number> }
/** What holds of a whole tree: its levels, and whether what it sorts hangs on leaves alone. */
export type TreeRules = {
  levels: number
  /** How much hangs on a row; only asked of a tree where that is on leaves alone. */
  used?: (id: number) => number
}
/** A name as names are compared: full-width as half-width, in small letters, with single spaces. */
const plain = (name: string): string =>
  name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
/** Refuses a name that a child of `parent_id` other than `but` has. */
export const nameFault = (
  tree: Tree<NamedRow>,
  { name, parent_id, but }: { name: string; parent_id: number | null; but?: number },
): Fault | undefined =>
  tree.children(parent_id).some(row => row.id !== but && plain(row.name) === plain(name))
    ? {
        rule: 'name_taken',
        text: ['同级已有“{name}”', 'A sibling is called {name} already'],
        values: { name },
      }
    : undefined
const tooDeep = (levels: number): Fault => ({
  rule: 'too_deep',
  text: ['最多 {n} 级', 'At most {n} levels'],
  values: { n: levels },
})
const notLeaf = (name: string, n: number): Fault => ({
  rule: 'not_leaf',
  text: [
    '“{name}”下还有 {n} 项，只有末级可以承载，请先转移',
    '{n} hang on {name}, and only on leaves may they: move them first',
  ],
  values: { name, n },
})
const usedAs = (row: NamedRow | undefined, { used }: TreeRules): Fault | undefined => {
  const n = row ? (used?.(row.id) ?? 0) : 0
  return n > 0 ? notLeaf(row!.name, n) : undefined
}
/** Why a row, one there is or a new one, can't stand under a parent (null is the top). */
export const placeFault = (
  tree: Tree<NamedRow>,
  of: { id?: number; name: string; parent_id: number | null },
  rules: TreeRules,
): Fault | undefined => {
  const { id, parent_id } = of
  if (parent_id !== null && !tree.row(parent_id)) return { rule: 'wrong_place', text: moving.gone }
  if (id !== undefined && tree.path(parent_id).some(row => row.id === id))
    return { rule: 'wrong_place', text: parent_id === id ? moving.self : moving.child }
  const height = id === undefined ? 1 : tree.height(id)
  if (tree.depth(parent_id) + height > rules.levels) return tooDeep(rules.levels)
  return (
    nameFault(tree, { name: of.name, parent_id, ...(id !== undefined && { but: id }) }) ??
    (id !== undefined && tree.row(id)?.parent_id === parent_id
      ? undefined
      : usedAs(tree.row(parent_id), rules))
  )
}
/** Why a row can't be merged into another, which takes over its children and what hangs on it. */
export const mergeFault = (
  tree: Tree<NamedRow>,
  { id, target_id }: { id: number; target_id: number },
  rules: TreeRules,
): Fault | undefined => {
  const [row, target] = [tree.row(id), tree.row(target_id)]
  if (!row || !target) return { rule: 'wrong_place', text: moving.gone }
  if (tree.path(target_id).some(one => one.id === id))
    return {
      rule: 'wrong_place',
      text: ['不能合并到自己或自己的下级', 'It can’t be merged into itself or one of its own'],
    }
  const children = tree.children(id)
  if (children.length > 0 && tree.depth(target_id) + tree.height(id) - 1 > rules.levels)
    return tooDeep(rules.levels)
  const staying = tree.children(target_id).filter(one => one.id !== id)
  const taken = new Set(staying.map(one => plain(one.name)))
  const clash = taken.size > 0 ? children.find(child => taken.has(plain(child.name))) : undefined
  if (clash)
    return {
      rule: 'name_taken',
      text: [
        '两边的下级都有“{name}”，请先合并或改名',
        'Both have a child called {name}: merge or rename it first',
      ],
      values: { name: clash.name },
    }
  return children.length + staying.length > 0
    ? (usedAs(row, rules) ?? usedAs(target, rules))
    : undefined
}
