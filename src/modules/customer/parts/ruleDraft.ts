import {
  below,
  isGroup,
  levelOf,
  RULE_LEVELS,
  type Rule,
  type RuleNode,
} from '#src/areas/segment/rule.ts'

/** A rule that is being written, with what it leaves out and what its rows are called. */
export type RuleDraft = {
  /** The segment that is changed, as it was read; null for a new one. */
  held: { id: number; version: number } | null
  name: string
  rule: Rule
  exclude_ids: number[]
  names: Readonly<Record<string, string>>
}
export const emptyDraft: RuleDraft = {
  held: null,
  name: '',
  rule: { joins: 'all', nodes: [] },
  exclude_ids: [],
  names: {},
}
/** The top of the rule in its tree, which is no node of it. */
export const TOP = 0
/** A line of the tree: the top, or a node under it. */
export type RuleLine = { key: number; parent: number | null; node: RuleNode | null }
export const linesOf = (rule: Rule): RuleLine[] => [
  { key: TOP, parent: null, node: null },
  ...rule.nodes.map(node => ({ key: node.key, parent: node.parent ?? TOP, node })),
]
const nextKey = ({ nodes }: Rule): number => Math.max(0, ...nodes.map(node => node.key)) + 1
/** The group that something new goes into: the focused one, or that of the focused condition. */
const groupAt = (rule: Rule, key: number): number | null => {
  const node = rule.nodes.find(one => one.key === key)
  if (!node) return null
  return isGroup(node) ? node.key : node.parent
}
/** Puts a condition where the focus is; answers the rule and the key of what is new. */
export const withCondition = (
  rule: Rule,
  at: number,
  of: Omit<RuleNode, 'key' | 'parent'>,
): { rule: Rule; key: number } => {
  const key = nextKey(rule)
  const node = { ...of, key, parent: groupAt(rule, at) } as RuleNode
  return { rule: { ...rule, nodes: [...rule.nodes, node] }, key }
}
/**
 * Puts a group where the focus is; a condition in focus goes into it. Undefined where groups would go
 * too deep.
 */
export const withGroup = (rule: Rule, at: number): { rule: Rule; key: number } | undefined => {
  const focused = rule.nodes.find(one => one.key === at)
  const parent = focused && !isGroup(focused) ? focused.parent : groupAt(rule, at)
  const level = parent === null ? 1 : levelOf(rule, parent) + 1
  if (level >= RULE_LEVELS) return undefined
  const key = nextKey(rule)
  const above = rule.nodes.find(one => one.key === parent)?.is ?? rule.joins
  const group: RuleNode = { key, parent, is: above === 'all' ? 'any' : 'all', not: false }
  const nodes = rule.nodes.map(node =>
    focused && !isGroup(focused) && node.key === at ? { ...node, parent: key } : node,
  )
  return { rule: { ...rule, nodes: [...nodes, group] }, key }
}
export const changed = (rule: Rule, key: number, of: Partial<RuleNode>): Rule => ({
  ...rule,
  nodes: rule.nodes.map(node => (node.key === key ? { ...node, ...of } : node)),
})
/** A condition in the place of another: nothing of what was asked before stays. */
export const replaced = (rule: Rule, key: number, of: Omit<RuleNode, 'key' | 'parent'>): Rule => ({
  ...rule,
  nodes: rule.nodes.map(node =>
    node.key === key ? ({ ...of, key, parent: node.parent } as RuleNode) : node,
  ),
})
/** Turns and to or, and back, of the group that the focus is in. */
export const joinedOtherwise = (rule: Rule, at: number): Rule => {
  const key = groupAt(rule, at)
  const other = (how: 'all' | 'any') => (how === 'all' ? ('any' as const) : ('all' as const))
  if (key === null) return { ...rule, joins: other(rule.joins) }
  const group = rule.nodes.find(node => node.key === key)!
  return changed(rule, key, { is: other(group.is as 'all' | 'any') })
}
/** The rule without a node and all that is below it. */
export const without = (rule: Rule, key: number): Rule => {
  const gone = new Set<number>()
  const walk = (at: number) => {
    gone.add(at)
    below(rule, at).forEach(node => walk(node.key))
  }
  walk(key)
  return { ...rule, nodes: rule.nodes.filter(node => !gone.has(node.key)) }
}
/** Puts a node under a group as child number `at`; undefined where it may not stand there. */
export const placedAt = (
  rule: Rule,
  key: number,
  { parent, at }: { parent: number | null; at: number },
): Rule | undefined => {
  // Beside the top there is nothing.
  if (parent === null) return undefined
  const to = parent === TOP ? null : parent
  const group = rule.nodes.find(node => node.key === to)
  if (to !== null && (!group || !isGroup(group))) return undefined
  const node = rule.nodes.find(one => one.key === key)
  if (!node) return undefined
  const rest = rule.nodes.filter(one => one.key !== key)
  const siblings = rest.filter(one => one.parent === to)
  const before = siblings[at]
  const where = before ? rest.indexOf(before) : rest.length
  const next = {
    ...rule,
    nodes: [...rest.slice(0, where), { ...node, parent: to }, ...rest.slice(where)],
  }
  const isSound = next.nodes.every(one => {
    const level = levelOf(next, one.key)
    return level > 0 && level <= RULE_LEVELS && !(isGroup(one) && level >= RULE_LEVELS)
  })
  return isSound ? next : undefined
}
