import type { Text } from '#src/domain/text.ts'
/**
 * A layout as it is kept on the server and travels in links: the panes in reading order, and the
 * tree that places them. Flat, so that a schema can bound it. A pane's address holds its filters,
 * and the view that its columns come from.
 *
 * The tree is a few signs: `.` is the next pane, `r(50.,50c(30.,70t1(3)))` a row of a pane and a
 * column of a pane and of three tabs whose second is shown.
 */
export type LayoutPane = { at: string; channel?: number | undefined }
export type Layout = {
  v: typeof LAYOUT_VERSION
  panes: LayoutPane[]
  tree: string
  /** Which pane had the focus. */ focus: number
  maximised: boolean
}
export const LAYOUT_VERSION = 2
/** What panes are linked on: those of one channel follow each other. */
export const CHANNELS = [1, 2, 3, 4, 5, 6] as const
/** Panes of one layout, the tabs among them. */
export const PANES_MAX = 48
/** Every split but the deepest holds a pane beside what it splits further. */
const DEPTH_MAX = PANES_MAX

/**
 * The tree with its panes by number; the shapes are those of the pane library, so that either is
 * the other.
 */
export type LayoutNode =
  | number
  | {
      type: 'split'
      direction: 'row' | 'column'
      children: LayoutNode[]
      splitPercentages: number[]
    }
  | { type: 'tabs'; tabs: number[]; activeTabIndex: number }

export const writeTree = (node: LayoutNode): string => {
  if (typeof node === 'number') return '.'
  if (node.type === 'tabs') return `t${node.activeTabIndex}(${node.tabs.length})`
  return `${node.direction[0]}(${node.children.map((child, i) => `${node.splitPercentages[i]}${writeTree(child)}`).join(',')})`
}

/**
 * The tree that a text stands for, its panes numbered in reading order; undefined for a text that
 * is none.
 */
export const readTree = (text: string): { tree: LayoutNode; panes: number } | undefined => {
  let at = 0
  let panes = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  const node = (depth: number): LayoutNode | undefined => {
    if (depth > DEPTH_MAX || panes > PANES_MAX) return undefined
    if (take(/\./y)) return panes++
    const tabs = take(/t\d{1,2}\(\d{1,2}\)/y)?.match(/\d+/g)
    if (tabs) {
      const [shown, n] = tabs.map(Number) as [number, number]
      if (n < 1 || shown >= n) return undefined
      return { type: 'tabs', tabs: Array.from({ length: n }, () => panes++), activeTabIndex: shown }
    }
    const direction = take(/[rc]\(/y)
    if (!direction) return undefined
    const children: LayoutNode[] = []
    const splitPercentages: number[] = []
    do {
      const share = take(/\d{1,3}(\.\d{1,40}(?!\d))?(e-\d{1,3})?/y)
      // In `50.` the point is the pane.
      const child = share === undefined ? undefined : node(depth + 1)
      if (child === undefined || Number(share) > 100) return undefined
      children.push(child)
      splitPercentages.push(Number(share))
    } while (take(/,/y))
    return take(/\)/y)
      ? {
          type: 'split',
          direction: direction === 'r(' ? 'row' : 'column',
          children,
          splitPercentages,
        }
      : undefined
  }
  const tree = node(0)
  return tree !== undefined && at === text.length && panes <= PANES_MAX
    ? { tree, panes }
    : undefined
}

/**
 * What is wrong with a layout whose fields have the right shapes: which field, in both languages.
 */
export const layoutFault = ({
  tree,
  panes,
  focus,
}: Pick<Layout, 'tree' | 'panes' | 'focus'>):
  | { field: 'tree' | 'focus'; message: Text }
  | undefined => {
  const read = readTree(tree)
  if (!read)
    return {
      field: 'tree',
      message: [
        '窗格的排列无法识别，请重新生成布局',
        'The arrangement can not be read, make the layout again',
      ],
    }
  if (read.panes !== panes.length)
    return {
      field: 'tree',
      message: [
        `排列中有 ${read.panes} 个窗格，但给出了 ${panes.length} 个`,
        `${read.panes} panes are placed, ${panes.length} are given`,
      ],
    }
  return focus < panes.length
    ? undefined
    : { field: 'focus', message: ['聚焦的窗格不在布局里', 'The focused pane is not in the layout'] }
}

/** The pages of a layout without what was asked of them: what the log keeps. */
export const pathsOf = (panes: readonly LayoutPane[]): string[] =>
  panes.map(({ at }) => at.split(/[?#]/, 1)[0]!)
