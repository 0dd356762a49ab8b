import { RULE_CENTS, type RuleNode } from '#src/areas/segment/rule.ts'
import {
  fieldOf,
  ruleFields,
  ruleOps,
  ruleOrderKinds,
  type FieldKey,
  type RefKind,
} from '#src/areas/segment/ruleFields.ts'
import { refKey } from '#src/areas/segment/sentence.ts'
import type { Text } from '#src/domain/text.ts'
import { groups as calls } from '#src/modules/customer/contract/groups.ts'
import { ask, type Ask } from '../command.ts'

/** What the questions about a condition begin with: the condition, and what its rows are called. */
export type Asked = { node?: RuleNode; names: Readonly<Record<string, string>> }
type Answers = Readonly<Record<string, unknown>>
type On = readonly (Asked | undefined)[]

const keys = Object.keys(ruleFields) as FieldKey[]
const fields = Object.fromEntries(keys.map(key => [key, fieldOf(key).words])) as Readonly<
  Record<FieldKey, Text>
>
const fieldIn = (of: Answers) =>
  typeof of['field'] === 'string' && of['field'] !== ''
    ? fieldOf(of['field'] as FieldKey)
    : undefined
const kindOf = (of: Answers) => fieldIn(of)?.kind
const isOf = (key: FieldKey) => (of: Answers) => of['field'] === key
const isAgo = (of: Answers) => kindOf(of) === 'ago'
const isSeveral = (of: Answers): boolean => {
  const field = fieldIn(of)
  return field?.kind === 'refs' && field.several
}
/** A sum of money, rather than a number. */
const isMoney = (of: Answers): boolean => {
  const field = fieldIn(of)
  return field?.kind === 'money' || (field?.kind === 'orders' && field.counts === 'money')
}
const isNumber = (of: Answers): boolean =>
  kindOf(of) === 'number' || (kindOf(of) === 'orders' && !isMoney(of))
const nodeOf = (rows: On): RuleNode | undefined => rows[0]?.node
const own = (rows: On, key: FieldKey): RuleNode | undefined => {
  const node = nodeOf(rows)
  return node?.is === key ? node : undefined
}
const finds: Readonly<Record<RefKind, (typeof calls)['malls']>> = {
  city: calls.cities,
  mall: calls.malls,
  member_tag: calls.memberTags,
  wecom_tag: calls.wecomTags,
  staff: calls.staff,
  chat: calls.chats,
  segment: calls.segments,
}
const namesOf = (rows: On, kind: RefKind, ids: readonly number[] = []) =>
  Object.fromEntries(ids.map(id => [id, rows[0]?.names[refKey(kind, id)] ?? `#${id}`]))
const refs = (key: FieldKey, kind: RefKind): Ask<number[]> =>
  ask.entities({
    label: fields[key],
    max: 50,
    find: finds[kind],
    labelOf: (of: { name: string }) => of.name,
    initial: (rows: On) => own(rows, key)?.ids,
    named: (rows: On) => namesOf(rows, kind, own(rows, key)?.ids),
    shown: isOf(key),
  })
const picks = (key: FieldKey, options: Readonly<Record<string, Text>>): Ask<string[]> =>
  ask.choices({
    label: fields[key],
    options,
    initial: (rows: On) => own(rows, key)?.picks,
    shown: isOf(key),
  })
/** Each field that chooses has a question, and only the question of the chosen field is asked. */
const choosing = Object.fromEntries(
  keys.flatMap((key): [string, Ask][] => {
    const of = fieldOf(key)
    if (of.kind === 'picks') return [[key, picks(key, of.options)]]
    return of.kind === 'refs' ? [[key, refs(key, of.of)]] : []
  }),
) as Readonly<Record<string, Ask>>
const one = (words: Text, bound: 'from' | 'to', money: boolean): Ask<number> => {
  const of = {
    label: words,
    min: 0,
    optional: true,
    initial: (rows: On) => {
      const node = nodeOf(rows)
      return node && isMoney({ field: node.is }) === money ? node[bound] : undefined
    },
  }
  return money
    ? ask.money({ ...of, max: RULE_CENTS, shown: isMoney })
    : ask.number({ ...of, max: 100_000_000, shown: isNumber })
}
const ago = { within: ruleOps.within, before: ruleOps.before, never: ruleOps.never }
/** The questions about one condition. */
export const conditionAsks = {
  field: ask.choice({
    label: ['条件', 'Condition'],
    options: fields,
    initial: (rows: On) => nodeOf(rows)?.is as FieldKey | undefined,
  }),
  several: ask.choice({
    label: ['匹配方式', 'How'],
    options: { any: ruleOps.any, all: ruleOps.all },
    initial: (rows: On) => (nodeOf(rows)?.op === 'all' ? 'all' : 'any'),
    shown: isSeveral,
  }),
  ago: ask.choice({
    label: ['时间', 'When'],
    options: ago,
    initial: (rows: On) => {
      const op = nodeOf(rows)?.op
      return op === 'before' || op === 'never' ? op : 'within'
    },
    shown: isAgo,
  }),
  days: ask.number({
    label: ['天数 N', 'N days'],
    min: 1,
    max: 3650,
    initial: (rows: On) => nodeOf(rows)?.days ?? 30,
    shown: of => (isAgo(of) && of['ago'] !== 'never') || kindOf(of) === 'orders',
  }),
  ...choosing,
  from: one(['不少于', 'At least'], 'from', false),
  to: one(['不超过', 'At most'], 'to', false),
  from_yuan: one(['金额不少于', 'At least'], 'from', true),
  to_yuan: one(['金额不超过', 'At most'], 'to', true),
  malls: ask.entities({
    label: ['限定商场', 'At these malls'],
    max: 50,
    optional: true,
    find: calls.malls,
    labelOf: (of: { name: string }) => of.name,
    initial: (rows: On) => nodeOf(rows)?.malls,
    named: (rows: On) => namesOf(rows, 'mall', nodeOf(rows)?.malls),
    shown: of => kindOf(of) === 'orders',
  }),
  kinds: ask.choices({
    label: ['限定订单类型', 'Of these kinds'],
    options: ruleOrderKinds,
    optional: true,
    initial: (rows: On) =>
      nodeOf(rows) && kindOf({ field: nodeOf(rows)!.is }) === 'orders'
        ? nodeOf(rows)?.picks
        : undefined,
    shown: of => kindOf(of) === 'orders',
  }),
  not: ask.flag({
    label: ['取反：不满足时命中', 'Not: those of whom it does not hold'],
    initial: (rows: On) => nodeOf(rows)?.not ?? false,
  }),
}
type Said = {
  several?: 'any' | 'all'
  ago?: 'within' | 'before' | 'never'
  days?: number
  from?: number
  to?: number
  from_yuan?: number
  to_yuan?: number
  malls?: number[]
  kinds?: string[]
}
const daysBack = (key: FieldKey, { ago: how = 'within', days = 30 }: Said) => {
  // Nobody has never joined.
  const op = key === 'registered' && how === 'never' ? 'within' : how
  return op === 'never' ? { op } : { op, days }
}
const ordered = ({ days = 30, malls = [], kinds = [] }: Said) => ({
  days,
  ...(malls.length > 0 && { malls }),
  ...(kinds.length > 0 && { picks: kinds }),
})
/** The answers say all of a node but where it stands. */
export const conditionOf = (of: Answers): Omit<RuleNode, 'key' | 'parent'> => {
  const key = of['field'] as FieldKey
  const said = of as Said
  const field = fieldOf(key)
  const base = { is: key, not: of['not'] === true }
  if (field.kind === 'picks') return { ...base, op: 'any', picks: of[key] as string[] }
  if (field.kind === 'refs')
    return {
      ...base,
      op: field.several ? (said.several ?? 'any') : 'any',
      ids: of[key] as number[],
    }
  if (field.kind === 'ago') return { ...base, ...daysBack(key, said) }
  const [from, to] = isMoney(of) ? [said.from_yuan, said.to_yuan] : [said.from, said.to]
  return {
    ...base,
    op: 'between',
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(field.kind === 'orders' && ordered(said)),
  }
}
