import {
  accountStates,
  agoBands,
  growthBands,
  memberTabs,
  pointsBands,
} from '#src/areas/member/member.ts'
import type { MemberFilters } from '#src/areas/member/members.server.ts'
import type { Text } from '#src/domain/text.ts'
import type { Rule, RuleNode } from './rule.ts'
import type { FieldKey } from './ruleFields.ts'

type Condition = Omit<RuleNode, 'key' | 'parent'>
const picks = (is: FieldKey, pick: string): Condition => ({
  is,
  not: false,
  op: 'any',
  picks: [pick],
})
const ids = (is: FieldKey, id: number): Condition => ({ is, not: false, op: 'any', ids: [id] })
/** A band begins with a number and ends before another; a rule names the last number too. */
const between = (is: FieldKey, { from, below }: { from?: number; below?: number }): Condition => ({
  is,
  not: false,
  op: 'between',
  ...(from !== undefined && { from }),
  ...(below !== undefined && { to: below - 1 }),
})
const ago = (
  is: FieldKey,
  { within, before }: { within?: number; before?: number; never?: true },
): Condition => {
  const days = within ?? before
  if (days === undefined) return { is, not: false, op: 'never' }
  return { is, not: false, op: within === undefined ? 'before' : 'within', days }
}
/** What each filter of the members' list says; nothing where a rule can't say it. */
const conditionsOf = (of: MemberFilters): Condition[] => [
  ...(of.level === undefined ? [] : [picks('level', String(of.level))]),
  ...(of.vip ? [picks('vip', of.vip)] : []),
  ...(of.quick === 'vip' ? [picks('vip', 'now')] : []),
  ...(of.register_source ? [picks('source', of.register_source)] : []),
  ...(of.city_id === undefined ? [] : [ids('city', of.city_id)]),
  ...(of.tag_id === undefined ? [] : [ids('member_tag', of.tag_id)]),
  ...(of.points ? [between('points', pointsBands[of.points])] : []),
  ...(of.growth ? [between('growth', growthBands[of.growth])] : []),
  ...(of.ordered ? [ago('last_order', agoBands[of.ordered])] : []),
  ...(of.visited ? [ago('last_visit', agoBands[of.visited])] : []),
]
/** Filters that no rule can say, by their names. */
const unsaid = (of: MemberFilters): Text[] => [
  ...(of.keyword ? [['关键词', 'keyword'] as const] : []),
  ...(of.account_state ? [accountStates[of.account_state]] : []),
  ...(of.quick && of.quick !== 'vip' ? [memberTabs[of.quick]] : []),
  ...(of.member_id === undefined ? [] : [['指定会员', 'one member'] as const]),
]
/** The rule of the members that a list shows by its filters, and those that it can't say. */
export const ruleOfMembers = (of: MemberFilters): { rule: Rule; unsaid: Text[] } => ({
  rule: {
    joins: 'all',
    nodes: conditionsOf(of).map((one, at) => ({ key: at + 1, parent: null, ...one })),
  },
  unsaid: unsaid(of),
})
