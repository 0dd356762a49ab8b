import type { MosaicNode, MosaicPath } from 'react-mosaic-component'
import { PANES_MAX } from '#src/areas/workbench/layout.ts'

export type PaneId = string
export type Tree = MosaicNode<PaneId>
export type Direction = 'left' | 'right' | 'up' | 'down'
/** Percent of the workspace. */
export type Box = { left: number; top: number; width: number; height: number }
const WHOLE: Box = { left: 0, top: 0, width: 100, height: 100 }
/** No pane is made smaller than this part of its split, in percent. */
export const SMALLEST = 10

type Split = Extract<Tree, { type: 'split' }>
type Tabs = Extract<Tree, { type: 'tabs' }>
const isSplit = (node: Tree): node is Split => typeof node === 'object' && node.type === 'split'
const isTabs = (node: Tree): node is Tabs => typeof node === 'object' && node.type === 'tabs'
const clamp = (n: number, low: number, high: number) => Math.min(Math.max(n, low), high)
const shares = (node: Split): number[] =>
  node.splitPercentages ?? node.children.map(() => 100 / node.children.length)
const axisOf = (to: Direction) => (to === 'left' || to === 'right' ? 'row' : 'column')

/** All panes, in reading order. */
export const leaves = (node: Tree | null): PaneId[] => {
  if (node === null) return []
  if (isSplit(node)) return node.children.flatMap(leaves)
  return isTabs(node) ? [...node.tabs] : [node]
}

/** Where each pane that can be seen stands; a tab behind another one has no place. */
export const boxes = (node: Tree | null, box: Box = WHOLE): Record<PaneId, Box> => {
  if (node === null) return {}
  if (isTabs(node)) return { [node.tabs[node.activeTabIndex]!]: box }
  if (!isSplit(node)) return { [node]: box }
  return Object.assign(
    {},
    ...parts(node, box).map((part, i) => boxes(node.children[i]!, part)),
  ) as Record<PaneId, Box>
}
const parts = (node: Split, box: Box): Box[] => {
  let done = 0
  return shares(node).map(share => {
    const part =
      node.direction === 'row'
        ? { ...box, left: box.left + (box.width * done) / 100, width: (box.width * share) / 100 }
        : { ...box, top: box.top + (box.height * done) / 100, height: (box.height * share) / 100 }
    done += share
    return part
  })
}

export type Divider = {
  path: MosaicPath
  /** It stands behind this child. */
  index: number
  direction: 'row' | 'column'
  /** The two parts it divides, together. */
  box: Box
  /** Share of the first part in both, in percent, and its bounds. */
  now: number
  min: number
  max: number
  before: PaneId
  /** The panes of the part before it. */
  parts: readonly PaneId[]
}
/** Every divider of the tree, for the separators that people drag or move by key. */
export const dividers = (node: Tree | null, box: Box = WHOLE, path: MosaicPath = []): Divider[] => {
  if (node === null || !isSplit(node)) return []
  const places = parts(node, box)
  const share = shares(node)
  const own = places.slice(0, -1).map((first, index): Divider => {
    const second = places[index + 1]!
    const both = share[index]! + share[index + 1]!
    const least = Math.min(50, (SMALLEST / both) * 100)
    return {
      path,
      index,
      direction: node.direction,
      before: leaves(node.children[index]!)[0]!,
      parts: leaves(node.children[index]!),
      box:
        node.direction === 'row'
          ? { ...first, width: first.width + second.width }
          : { ...first, height: first.height + second.height },
      now: both ? (share[index]! / both) * 100 : 50,
      min: least,
      max: 100 - least,
    }
  })
  return [...own, ...node.children.flatMap((child, i) => dividers(child, places[i], [...path, i]))]
}

/** Rebuilds the node at a path. */
const at = (node: Tree, path: MosaicPath, change: (node: Tree) => Tree): Tree => {
  const [head, ...rest] = path
  if (head === undefined) return change(node)
  if (!isSplit(node)) return node
  return {
    ...node,
    children: node.children.map((child, i) => (i === head ? at(child, rest, change) : child)),
  }
}
/** Gives the part before a divider `share` percent of both parts. */
export const divide = (
  tree: Tree,
  { path, index }: Pick<Divider, 'path' | 'index'>,
  share: number,
): Tree =>
  at(tree, path, node => {
    // A divider that was read before the tree changed may be gone.
    if (!isSplit(node) || index + 1 >= node.children.length) return node
    const now = shares(node)
    const both = now[index]! + now[index + 1]!
    const least = Math.min(both / 2, SMALLEST)
    const first = clamp((both * share) / 100, least, both - least)
    return {
      ...node,
      splitPercentages: now.with(index, first).with(index + 1, both - first),
    }
  })

/** Replaces the node that holds `id`: its tab group where it is in one, else the leaf. */
const swapNode = (node: Tree, id: PaneId, change: (node: Tree) => Tree): Tree => {
  if (isSplit(node)) {
    const children = node.children.map(child => swapNode(child, id, change))
    // What did not change is the same tree, so that nothing is drawn anew for it.
    return children.every((child, i) => child === node.children[i]) ? node : { ...node, children }
  }
  return leaves(node).includes(id) ? change(node) : node
}
/**
 * Lone children take the place of their parent; a split inside a split of the same direction joins
 * it; shares add up to 100.
 */
export const normal = (node: Tree | null): Tree | null => {
  if (node === null || !(isSplit(node) || isTabs(node))) return node
  if (isTabs(node))
    return node.tabs.length > 1
      ? { ...node, activeTabIndex: clamp(node.activeTabIndex, 0, node.tabs.length - 1) }
      : (node.tabs[0] ?? null)
  const share = shares(node)
  const kept = node.children.flatMap((child, i): { child: Tree; share: number }[] => {
    const clean = normal(child)
    if (clean === null) return []
    if (!isSplit(clean) || clean.direction !== node.direction)
      return [{ child: clean, share: share[i] ?? 0 }]
    const inner = shares(clean)
    return clean.children.map((grandchild, j) => ({
      child: grandchild,
      share: ((share[i] ?? 0) * inner[j]!) / 100,
    }))
  })
  if (kept.length < 2) return kept[0]?.child ?? null
  const sum = kept.reduce((total, { share: part }) => total + part, 0)
  const isWhole = Math.abs(sum - 100) < 1e-6
  const ofWhole = (part: number) => (sum > 0 ? (part / sum) * 100 : 100 / kept.length)
  return {
    ...node,
    children: kept.map(({ child }) => child),
    splitPercentages: kept.map(({ share: part }) => (isWhole ? part : ofWhole(part))),
  }
}

/** Puts `fresh` beside `id` (beside its tab group, when it is in one). */
export const split = (tree: Tree, id: PaneId, fresh: PaneId, side: Direction): Tree =>
  normal(
    swapNode(tree, id, node => ({
      type: 'split',
      direction: axisOf(side),
      children: side === 'left' || side === 'up' ? [fresh, node] : [node, fresh],
      splitPercentages: [50, 50],
    })),
  )!
/** Adds `fresh` as a tab behind `id`, and shows it. */
export const addTab = (tree: Tree, id: PaneId, fresh: PaneId): Tree =>
  swapNode(tree, id, node => {
    const tabs = leaves(node)
    const place = tabs.indexOf(id) + 1
    return {
      type: 'tabs',
      tabs: [...tabs.slice(0, place), fresh, ...tabs.slice(place)],
      activeTabIndex: place,
    }
  })
/** Puts a tab at another place of its group; the one shown stays the one shown. */
export const placeTab = (tree: Tree, id: PaneId, to: number): Tree =>
  swapNode(tree, id, node => {
    if (!isTabs(node)) return node
    const shown = node.tabs[node.activeTabIndex]!
    const rest = node.tabs.filter(tab => tab !== id)
    const place = clamp(to, 0, rest.length)
    const tabs = [...rest.slice(0, place), id, ...rest.slice(place)]
    return String(tabs) === String(node.tabs)
      ? node
      : { ...node, tabs, activeTabIndex: tabs.indexOf(shown) }
  })
export const remove = (tree: Tree | null, id: PaneId): Tree | null => {
  const without = (node: Tree): Tree | null => {
    if (isSplit(node)) {
      const share = shares(node)
      const kept = node.children.flatMap((child, i) => {
        const left = without(child)
        return left === null ? [] : [{ left, share: share[i]! }]
      })
      if (kept.length === 0) return null
      return {
        ...node,
        children: kept.map(({ left }) => left),
        splitPercentages: kept.map(part => part.share),
      }
    }
    if (isTabs(node)) {
      const place = node.tabs.indexOf(id)
      if (place < 0) return node
      return {
        ...node,
        tabs: node.tabs.filter(tab => tab !== id),
        activeTabIndex:
          node.activeTabIndex > place || node.activeTabIndex === node.tabs.length - 1
            ? Math.max(0, node.activeTabIndex - 1)
            : node.activeTabIndex,
      }
    }
    return node === id ? null : node
  }
  return tree === null ? null : normal(without(tree))
}
/** Shows `id` where it is a tab behind others. */
export const show = (tree: Tree, id: PaneId): Tree =>
  swapNode(tree, id, node =>
    isTabs(node) && node.tabs[node.activeTabIndex] !== id
      ? { ...node, activeTabIndex: node.tabs.indexOf(id) }
      : node,
  )
/** The same places with other panes in them. */
export const renamed = (tree: Tree, to: (id: PaneId) => PaneId): Tree => {
  if (isSplit(tree)) return { ...tree, children: tree.children.map(child => renamed(child, to)) }
  return isTabs(tree) ? { ...tree, tabs: tree.tabs.map(to) } : to(tree)
}
/** The two trade places. */
export const swap = (tree: Tree, a: PaneId, b: PaneId): Tree =>
  renamed(tree, id => ({ [a]: b, [b]: a })[id] ?? id)
/** All splits in equal parts. */
export const equalise = (node: Tree): Tree =>
  isSplit(node)
    ? {
        ...node,
        children: node.children.map(equalise),
        splitPercentages: node.children.map(() => 100 / node.children.length),
      }
    : node

const overlap = (a: number, aSize: number, b: number, bSize: number) =>
  Math.min(a + aSize, b + bSize) - Math.max(a, b)
/** How far one box stands from another on its side; 0 where they touch. */
const gaps: Record<Direction, (from: Box, to: Box) => number> = {
  left: (from, to) => from.left - (to.left + to.width),
  right: (from, to) => to.left - (from.left + from.width),
  up: (from, to) => from.top - (to.top + to.height),
  down: (from, to) => to.top - (from.top + from.height),
}
/**
 * The visible pane next to `id` on that side: touching it, sharing the longest edge, topmost or
 * leftmost among equals.
 */
export const neighbour = (tree: Tree | null, id: PaneId, side: Direction): PaneId | undefined => {
  const all = boxes(tree)
  const from = all[id]
  if (!from) return undefined
  const touching = Object.entries(all).flatMap(([other, box]) => {
    const gap = gaps[side](from, box)
    const edge =
      axisOf(side) === 'row'
        ? overlap(from.top, from.height, box.top, box.height)
        : overlap(from.left, from.width, box.left, box.width)
    return other !== id && Math.abs(gap) < 0.01 && edge > 0.01 ? [{ other, edge }] : []
  })
  return touching.sort((a, b) => b.edge - a.edge)[0]?.other
}
/**
 * Moves a pane past its neighbour on that side, or to that edge of the workspace when it has none.
 */
export const move = (tree: Tree, id: PaneId, side: Direction): Tree => {
  const next = neighbour(tree, id, side)
  if (next !== undefined) return swap(tree, id, next)
  const rest = remove(tree, id)
  if (rest === null) return tree
  return normal({
    type: 'split',
    direction: axisOf(side),
    children: side === 'left' || side === 'up' ? [id, rest] : [rest, id],
    splitPercentages: [50, 50],
  })!
}
/**
 * Makes a pane wider, narrower, taller or shorter: `step` in percent of the split nearest to it in
 * that direction.
 */
export const resize = (tree: Tree, id: PaneId, direction: 'row' | 'column', step: number): Tree => {
  const near = (node: Tree, path: MosaicPath): { path: MosaicPath; index: number } | undefined => {
    if (!isSplit(node)) return undefined
    const index = node.children.findIndex(child => leaves(child).includes(id))
    if (index < 0) return undefined
    return (
      near(node.children[index]!, [...path, index]) ??
      (node.direction === direction ? { path, index } : undefined)
    )
  }
  const found = near(tree, [])
  if (!found) return tree
  return at(tree, found.path, node => {
    if (!isSplit(node)) return node
    const last = found.index === node.children.length - 1
    const now = shares(node)
    const [mine, theirs] = last ? [found.index, found.index - 1] : [found.index, found.index + 1]
    const both = now[mine]! + now[theirs]!
    const least = Math.min(both / 2, SMALLEST)
    const size = clamp(now[mine]! + step, least, both - least)
    return { ...node, splitPercentages: now.with(mine, size).with(theirs, both - size) }
  })
}

/** Stored tabs hold at least one pane, and one of them is in front. */
const areTabs = ({ tabs, activeTabIndex: active }: Partial<Tabs>): boolean =>
  Array.isArray(tabs) &&
  tabs.length > 0 &&
  Number.isInteger(active) &&
  active! >= 0 &&
  active! < tabs.length
const areShares = (of: unknown, n: number): boolean =>
  Array.isArray(of) && of.length === n && of.every(part => Number.isFinite(part) && part >= 0)
/** A stored split has a direction and children, and no other number of shares than of children. */
const divides = ({ direction, children, splitPercentages: share }: Partial<Split>): boolean =>
  (direction === 'row' || direction === 'column') &&
  Array.isArray(children) &&
  children.length > 0 &&
  (share === undefined || areShares(share, children.length))
/** Whether a stored value is a tree: known shapes, no pane twice, as many shares as children. */
export const isTree = (value: unknown): value is Tree => {
  const seen = new Set<string>()
  const fits = (node: unknown, depth: number): boolean => {
    if (depth > PANES_MAX) return false
    if (typeof node === 'string') return node !== '' && !seen.has(node) && (seen.add(node), true)
    if (typeof node !== 'object' || node === null) return false
    const of = node as Partial<Split> & Partial<Tabs>
    const { type } = of as { type: unknown }
    if (type === 'tabs')
      return areTabs(of) && of.tabs!.every(tab => typeof tab === 'string' && fits(tab, depth + 1))
    return type === 'split' && divides(of) && of.children!.every(child => fits(child, depth + 1))
  }
  return fits(value, 0)
}
