import type { Text } from '#src/domain/text.ts'
import {
  fieldOf,
  opsOf,
  ruleFields,
  ruleOrderKinds,
  type FieldKey,
  type RefKind,
  type RuleOp,
} from './ruleFields.ts'

/**
 * A node of a rule: a group (`all` or `any` of what is below it), or a condition (`is`: its field).
 * `not` turns either round. Days are whole, money is in cents.
 */
export type RuleNode = {
  key: number
  /** The group that it stands in; null: at the top. */
  parent: number | null
  is: 'all' | 'any' | FieldKey
  not: boolean
  op?: RuleOp | undefined
  picks?: string[] | undefined
  ids?: number[] | undefined
  from?: number | undefined
  to?: number | undefined
  days?: number | undefined
  /** Only orders of these malls count. */
  malls?: number[] | undefined
}
/**
 * The people that a segment means: all of its nodes hold of them, or any does. Without nodes that is
 * everybody.
 */
export type Rule = { joins: 'all' | 'any'; nodes: RuleNode[] }
export const RULE_LEVELS = 3
export const RULE_CONDITIONS = 30
export const RULE_IDS = 50
const RULE_DAYS = 3650
/** Cents; a rule asks for no more than a hundred million yuan. */
export const RULE_CENTS = 10_000_000_000

export const isGroup = (
  node: Pick<RuleNode, 'is'>,
): node is { is: 'all' | 'any' } & Pick<RuleNode, 'is'> => node.is === 'all' || node.is === 'any'
export const conditionsOf = ({ nodes }: Rule): readonly RuleNode[] =>
  nodes.filter(node => !isGroup(node))
/** What stands directly in a group, or at the top. */
export const below = ({ nodes }: Pick<Rule, 'nodes'>, key: number | null): readonly RuleNode[] =>
  nodes.filter(node => node.parent === key)
/** How deep a node stands: 1 at the top; 0 where it stands in a circle or nowhere. */
export const levelOf = ({ nodes }: Pick<Rule, 'nodes'>, key: number): number => {
  let level = 0
  let at: number | null = key
  while (at !== null) {
    const node = nodes.find(one => one.key === at)
    if (!node || ++level > nodes.length) return 0
    at = node.parent
  }
  return level
}

const between = (node: RuleNode, most: number): Text | undefined => {
  const { from, to } = node
  if (from === undefined && to === undefined)
    return ['请填写下限或上限', 'Give a lower or upper bound']
  if ([from ?? 0, to ?? 0].some(n => !Number.isInteger(n) || n < 0 || n > most))
    return ['数值超出范围', 'A bound is out of range']
  return from !== undefined && to !== undefined && from > to
    ? ['下限不能大于上限', 'The lower bound is above the upper one']
    : undefined
}
const someIds = (ids: readonly number[] | undefined): Text | undefined => {
  if (!ids || ids.length === 0) return ['请至少选择一项', 'Choose at least one']
  return ids.length > RULE_IDS || new Set(ids).size < ids.length
    ? ['每个条件最多 50 项，不能重复', 'At most 50 in a condition, each once']
    : undefined
}
const someDays = (days: number | undefined): Text | undefined =>
  days !== undefined && Number.isInteger(days) && days >= 1 && days <= RULE_DAYS
    ? undefined
    : ['天数须为 1–3650', '1 to 3650 days']
const somePicks = (picks: readonly string[] | undefined, options: object): Text | undefined => {
  if (!picks || picks.length === 0) return ['请至少选择一项', 'Choose at least one']
  return picks.every(pick => Object.hasOwn(options, pick)) && new Set(picks).size === picks.length
    ? undefined
    : ['选项不存在', 'There is no such choice']
}
const ordersFault = (node: RuleNode, most: number): Text | undefined =>
  someDays(node.days) ??
  (node.malls && node.malls.length > 0 ? someIds(node.malls) : undefined) ??
  (node.picks && node.picks.length > 0 ? somePicks(node.picks, ruleOrderKinds) : undefined) ??
  between(node, most)
/** What is wrong with a condition, or undefined. */
export const conditionFault = (node: RuleNode): Text | undefined => {
  if (isGroup(node)) return undefined
  const key = node.is as FieldKey
  if (!Object.hasOwn(ruleFields, key)) return ['没有这个条件', 'There is no such condition']
  const of = fieldOf(key)
  if (!opsOf(key).includes(node.op ?? 'between')) return ['请选择比较方式', 'Say how it compares']
  if (of.kind === 'picks') return somePicks(node.picks, of.options)
  if (of.kind === 'refs') return someIds(node.ids)
  if (of.kind === 'ago') return node.op === 'never' ? undefined : someDays(node.days)
  if (of.kind === 'number') return between(node, of.most)
  if (of.kind === 'money') return between(node, RULE_CENTS)
  return ordersFault(node, of.counts === 'money' ? RULE_CENTS : 1_000_000)
}
/**
 * What is wrong with a rule as a whole, or undefined: levels, how many conditions, groups without
 * anything in them, and the first condition that is not whole.
 */
export const ruleFault = (rule: Rule): Text | undefined => {
  const { nodes } = rule
  if (new Set(nodes.map(node => node.key)).size < nodes.length)
    return ['规则节点重复', 'A node stands twice in the rule']
  for (const node of nodes) {
    const level = levelOf(rule, node.key)
    if (level === 0) return ['规则节点没有上级', 'A node stands nowhere']
    if (level > RULE_LEVELS || (isGroup(node) && level >= RULE_LEVELS))
      return ['条件组最多嵌套 3 层', 'Groups can nest 3 levels deep']
    const above = nodes.find(one => one.key === node.parent)
    if (above && !isGroup(above))
      return ['条件下面不能再有条件', 'Nothing stands below a condition']
    if (isGroup(node) && below(rule, node.key).length === 0)
      return ['有条件组是空的，请添加条件或删除该组', 'A group is empty: fill it or delete it']
  }
  if (conditionsOf(rule).length > RULE_CONDITIONS)
    return ['一个分群最多 30 个条件', 'Thirty conditions at most']
  for (const node of nodes) {
    const fault = conditionFault(node)
    if (fault) return fault
  }
  return undefined
}

/** The rows that a rule names: a tag, a mall or another segment among them may go. */
export const refsOf = (rule: Rule): { kind: RefKind; id: number }[] => {
  const found = new Map<string, { kind: RefKind; id: number }>()
  const add = (kind: RefKind, ids: readonly number[] = []) =>
    ids.forEach(id => found.set(`${kind}:${id}`, { kind, id }))
  for (const node of conditionsOf(rule)) {
    const of = fieldOf(node.is as FieldKey)
    if (of.kind === 'refs') add(of.of, node.ids)
    if (of.kind === 'orders') add('mall', node.malls)
  }
  return [...found.values()]
}
/**
 * Whether a segment would lead back to itself, through what it is made of and what it leaves out.
 * `links` answers the segments that one names.
 */
export const leadsBack = (
  id: number,
  first: readonly number[],
  links: (id: number) => readonly number[],
): boolean => {
  const seen = new Set<number>()
  const todo = [...first]
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    if (at === id) return true
    if (seen.has(at)) continue
    seen.add(at)
    todo.push(...links(at))
  }
  return false
}
