import type { FileFilters } from '#src/areas/wecom/customerFiles.ts'
import type { Text } from '#src/domain/text.ts'
import type { Rule, RuleNode } from './rule.ts'

type Condition = Omit<RuleNode, 'key' | 'parent'>
/** What each filter of the customers' list says of a member; nothing where a rule can't say it. */
const conditionsOf = (of: FileFilters): Condition[] => {
  const all: Condition[] = []
  if (of.staff_id !== undefined)
    all.push({ is: 'adviser', not: false, op: 'any', ids: [of.staff_id] })
  if (of.tag_ids && of.tag_ids.length > 0)
    all.push({
      is: 'wecom_tag',
      not: of.tags_how === 'none',
      op: of.tags_how === 'all' ? 'all' : 'any',
      ids: [...of.tag_ids],
    })
  if (of.add_way !== undefined)
    all.push({ is: 'add_way', not: false, op: 'any', picks: [of.add_way] })
  if (of.rel === 'following') all.push({ is: 'friend', not: false, op: 'any', picks: ['friend'] })
  return all
}
const isLost = ({ rel }: FileFilters): boolean => rel !== undefined && rel !== 'following'
/** Filters that no rule can say, by their names. */
const unsaid = (of: FileFilters): Text[] => [
  ...(of.keyword ? [['关键词', 'keyword'] as const] : []),
  ...(of.mid === undefined ? [] : [['商场', 'mall'] as const]),
  ...(of.code_id === undefined ? [] : [['活码', 'code'] as const]),
  ...(of.from === undefined && of.to === undefined ? [] : [['添加时间', 'date'] as const]),
  ...(isLost(of) ? [['流失方', 'who ended it'] as const] : []),
  ...(of.id === undefined && of.member_id === undefined
    ? []
    : [['指定客户', 'one customer'] as const]),
]
/**
 * The rule of the members that a list of customers shows, and the filters that it can't say: with
 * some of them only a fixed list will do. Without a filter it is all that were ever added.
 */
export const ruleOfFilters = (of: FileFilters): { rule: Rule; unsaid: Text[] } => {
  const conditions = conditionsOf(of)
  const all =
    conditions.length > 0
      ? conditions
      : [{ is: 'friend' as const, not: false, op: 'any' as const, picks: ['friend', 'lost'] }]
  return {
    rule: {
      joins: 'all',
      nodes: all.map((one, at) => ({ key: at + 1, parent: null, ...one })),
    },
    unsaid: unsaid(of),
  }
}
/** How the people of a list are kept as a segment. */
export const segmentAs = {
  rule: ['规则分群（随客户变化）', 'A rule that follows the customers'],
  static: ['静态名单（当前这些人）', 'A fixed list of who they are now'],
} as const satisfies Record<string, Text>
