import type { Text } from '#src/domain/text.ts'
import { holdsAt, overlap, type Hours } from './hours.ts'
import { welcomeScopes, type WelcomeScope, type WelcomeState } from './welcome.ts'

/** What a rule says, as far as it decides whether it wins. */
export type WelcomeRule = {
  id: number
  /** The rule whose hours this one takes over; null for a rule of its own. */
  base_id: number | null
  scope: WelcomeScope
  /** The one that holds where no other does. */
  is_default: boolean
  status: WelcomeState
  /** 1 to 999, the smallest first. */
  priority: number
  hours: readonly Hours[]
  /** Userids of its advisers, where it is for advisers. */
  userids: readonly string[]
  /** Ids of its departments, where it is for some: those of its mall, or its own. */
  department_ids: readonly number[]
}
/** A new friend: by which code, of whom, and when (unix seconds). */
export type WelcomeCase = {
  /** The code that was scanned, with the rule that it names; null where there was none. */
  code: { welcome_id: number | null } | null
  userid: string
  /** Departments of the adviser with all those above them. */
  departments: readonly number[]
  at: number
}
/** Why a rule did not win, or that it did. */
export const verdicts = {
  wins: ['命中', 'Wins'],
  off: ['未启用', 'It is off'],
  base_off: ['所属欢迎语未启用', 'Its message is off'],
  other_code: ['不是这个活码的欢迎语', 'For another code'],
  other_staff: ['不包含这位员工', 'Not for this adviser'],
  other_department: ['不包含员工所在部门', 'Not for the adviser’s departments'],
  other_hours: ['不在生效时段内', 'Not at this time'],
  wider: ['适用范围更宽，让位给更精确的规则', 'A narrower rule comes first'],
  windowed: ['由它的分时段内容代替', 'Its message of these hours takes over'],
  lower: ['同范围内优先级靠后', 'Another of its scope comes first'],
  older: ['优先级相同，先建的规则优先', 'Same priority: the older rule comes first'],
} as const satisfies Record<string, Text>
export type Verdict = keyof typeof verdicts

const scopes = Object.keys(welcomeScopes) as WelcomeScope[]
const rankOf = ({ scope }: Pick<WelcomeRule, 'scope'>): number => scopes.indexOf(scope)
type Ranked = Pick<WelcomeRule, 'scope' | 'is_default' | 'priority' | 'id' | 'base_id'>
const firstOf = ({ id, base_id }: Ranked): number => base_id ?? id
/**
 * The order in which rules win: by scope, then priority, then age; the default comes last. The
 * messages of a rule's hours stand right before the rule.
 */
export const inOrder = (a: Ranked, b: Ranked): number =>
  rankOf(a) - rankOf(b) ||
  Number(a.is_default) - Number(b.is_default) ||
  a.priority - b.priority ||
  firstOf(a) - firstOf(b) ||
  Number(a.base_id === null) - Number(b.base_id === null) ||
  a.id - b.id

/** Why a rule is not for this friend at all; undefined where it is. `on` holds those that are on. */
const besideIt = (
  rule: WelcomeRule,
  of: WelcomeCase,
  on: ReadonlySet<number>,
): Verdict | undefined => {
  if (rule.status !== 'enabled') return 'off'
  if (rule.base_id !== null && !on.has(rule.base_id)) return 'base_off'
  const named = of.code?.welcome_id ?? null
  if (rule.scope === 'code' && (named === null || (rule.base_id ?? rule.id) !== named))
    return 'other_code'
  if (rule.scope === 'staff' && !rule.userids.includes(of.userid)) return 'other_staff'
  if (rule.scope === 'department' && !rule.department_ids.some(id => of.departments.includes(id)))
    return 'other_department'
  return holdsAt(rule.hours, of.at) ? undefined : 'other_hours'
}
const lostTo = (rule: WelcomeRule, winner: WelcomeRule): Verdict => {
  if (winner.base_id === rule.id && rule.scope === winner.scope) return 'windowed'
  if (rule.scope !== winner.scope || rule.is_default) return 'wider'
  return rule.priority === winner.priority ? 'older' : 'lower'
}
/**
 * The one rule that a new friend is welcomed by, and what is to be said of each rule, in the order
 * in which they win. Without any that is for this friend, the winner is undefined.
 */
export const winningWelcome = <R extends WelcomeRule>(
  rules: readonly R[],
  of: WelcomeCase,
): { winner: R | undefined; verdicts: { rule: R; verdict: Verdict }[] } => {
  const ordered = rules.toSorted(inOrder)
  const on = new Set(ordered.flatMap(rule => (rule.status === 'enabled' ? rule.id : [])))
  const beside = new Map(ordered.map(rule => [rule.id, besideIt(rule, of, on)]))
  const winner = ordered.find(rule => beside.get(rule.id) === undefined)
  return {
    winner,
    verdicts: ordered.map(rule => {
      if (rule === winner) return { rule, verdict: 'wins' }
      return { rule, verdict: beside.get(rule.id) ?? lostTo(rule, winner!) }
    }),
  }
}

/** A message of a rule's hours takes over in them: that is no clash with the rule itself. */
const takesOver = (a: WelcomeRule, b: WelcomeRule): boolean =>
  a.base_id === b.id || b.base_id === a.id
const shared = <T>(a: readonly T[], b: readonly T[]): boolean => a.some(one => b.includes(one))
/** Whether two rules may be for the same friend: same scope, and a target in common. */
const sameTarget = (a: WelcomeRule, b: WelcomeRule): boolean => {
  if (a.scope !== b.scope) return false
  if (a.scope === 'staff') return shared(a.userids, b.userids)
  if (a.scope === 'department') return shared(a.department_ids, b.department_ids)
  return a.scope === 'default' || (a.base_id ?? a.id) === (b.base_id ?? b.id)
}
/**
 * The first of the other rules that are on which holds at the same time, for the same people and
 * with the same priority: then only age would decide. Undefined where there is none.
 */
export const clashOf = <R extends WelcomeRule>(
  rule: WelcomeRule,
  others: readonly R[],
): R | undefined =>
  others.find(
    other =>
      other.id !== rule.id &&
      other.is_default === rule.is_default &&
      other.status === 'enabled' &&
      other.priority === rule.priority &&
      !takesOver(rule, other) &&
      sameTarget(rule, other) &&
      overlap(rule.hours, other.hours),
  )
