import {
  LAYOUT_VERSION,
  PANES_MAX,
  readTree,
  writeTree,
  type Layout,
  type LayoutNode,
  type LayoutPane,
} from '#src/areas/workbench/layout.ts'
import type { Text } from '#src/domain/text.ts'
import { layoutState } from '#src/modules/workbench/contract.ts'
import { pathOf, searchOf } from '../address.ts'
import { pageAt, spelled } from '../registry.ts'
import { leaves, type PaneId, type Tree } from './tree.ts'
import { fresh, revive, type PaneState, type Workspace } from './workspace.ts'

/**
 * What a page remembers, of rows above all, is nobody else's: only its address goes with a layout.
 */
const paneOf = ({ at, channel }: PaneState): LayoutPane => ({
  at: spelled(at),
  ...(channel !== undefined && { channel }),
})
const numbered = (tree: Tree, number: (id: PaneId) => number): LayoutNode => {
  if (typeof tree === 'string') return number(tree)
  if (tree.type === 'tabs')
    return { type: 'tabs', tabs: tree.tabs.map(number), activeTabIndex: tree.activeTabIndex }
  return {
    type: 'split',
    direction: tree.direction,
    children: tree.children.map(child => numbered(child, number)),
    splitPercentages: tree.splitPercentages ?? tree.children.map(() => 100 / tree.children.length),
  }
}
/** What stands now, as it is saved and sent. */
export const layoutOf = ({
  tree,
  byId,
  focused,
  maximised,
}: Pick<Workspace, 'tree' | 'byId' | 'focused' | 'maximised'>): Layout => {
  const ids = leaves(tree)
  return {
    v: LAYOUT_VERSION,
    panes: ids.map(id => paneOf(byId[id]!)),
    tree: tree === null ? '.' : writeTree(numbered(tree, id => ids.indexOf(id))),
    focus: Math.max(0, ids.indexOf(focused ?? '')),
    maximised: maximised !== null,
  }
}

const rubbish: Text = [
  '布局内容无法识别，可能已损坏；请重新保存或索取',
  'The layout can not be read, it may be damaged: save it again or ask for another',
]
const newer: Text = [
  '布局由更新的版本保存，请刷新页面后再打开',
  'The layout was saved by a newer version: reload the page, then open it',
]
const treeOf = (node: LayoutNode, id: (n: number) => PaneId): Tree => {
  if (typeof node === 'number') return id(node)
  return node.type === 'tabs'
    ? { ...node, tabs: node.tabs.map(id) }
    : { ...node, children: node.children.map(child => treeOf(child, id)) }
}
const versionOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (value as { v?: unknown }).v : undefined

/**
 * A stored layout of any version as a workspace, or why it can't be one. Version 1 is what browsers
 * kept before layouts were saved: a workspace as it is. Pages that are gone, or not for this
 * person, stay: their pane says so, and the others stand.
 */
export const workspaceOf = (value: unknown): { workspace: Workspace } | { fault: Text } => {
  const v = versionOf(value)
  if (v === undefined || v === 1) {
    const whole = revive(value)
    return whole && leaves(whole.tree).length <= PANES_MAX
      ? { workspace: whole }
      : { fault: rubbish }
  }
  if (typeof v === 'number' && v > LAYOUT_VERSION) return { fault: newer }
  const read = layoutState.safeParse(value)
  const placed = read.success ? readTree(read.data.tree) : undefined
  if (!read.success || !placed) return { fault: rubbish }
  const id = (n: number): PaneId => `p${n + 1}`
  const { panes, focus, maximised } = read.data
  const whole = revive({
    tree: treeOf(placed.tree, id),
    focused: id(focus),
    maximised: maximised ? id(focus) : null,
    byId: Object.fromEntries(panes.map(({ at, channel }, n) => [id(n), { ...fresh(at), channel }])),
  })
  return whole ? { workspace: whole } : { fault: rubbish }
}

/** Where a list has been paged to is where one is, not what the layout is. */
const asked = (at: string) =>
  [...new URLSearchParams(searchOf(at))]
    .filter(([key]) => key !== 'page')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .join('&')
const rounded = (node: LayoutNode): LayoutNode => {
  if (typeof node === 'number') return node
  return node.type === 'tabs'
    ? { ...node, activeTabIndex: 0 }
    : {
        ...node,
        children: node.children.map(rounded),
        splitPercentages: node.splitPercentages.map(Math.round),
      }
}
const shape = (tree: string) => {
  const read = readTree(tree)
  return read && writeTree(rounded(read.tree))
}
const samePane = (a: LayoutPane, b: LayoutPane): boolean => {
  if (a.channel !== b.channel) return false
  const [one, other] = [pageAt(a.at), pageAt(b.at)]
  // A linked page of one record shows another with every row: that is its work.
  if (a.channel !== undefined && one?.menu === false && other?.menu === false) return true
  return pathOf(spelled(a.at)) === pathOf(spelled(b.at)) && asked(a.at) === asked(b.at)
}
/**
 * Whether what stands is no longer what was saved: where panes are, what they show and by which
 * filters. Which one has the focus, which tab is in front and which page of a list is open are no
 * drift.
 */
export const drifted = (now: Layout, saved: Layout): boolean =>
  now.panes.length !== saved.panes.length ||
  shape(now.tree) !== shape(saved.tree) ||
  now.panes.some((pane, i) => !samePane(pane, saved.panes[i]!))
