import { ask, type Ask, type Asks } from '#commands/command.ts'
import type { ConfigScope } from '#src/areas/order/configScope.ts'
import { ruleFault, rulesFaults } from '#src/areas/order/orderRuleFaults.ts'
import { ruleFields, type RuleField } from '#src/areas/order/orderRuleFields.ts'
import { rulesFor, type OrderRules, type RuleName } from '#src/areas/order/orderRules.ts'
import { bpOf, percent, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import type { ConfigRow } from '../contract/config.ts'

export type Answers = Readonly<Record<string, unknown>>
/**
 * Rules that the form itself asks for; where nothing is delivered and who sends have questions of
 * their own.
 */
export const isAsked = (name: RuleName) => !['areas', 'senders'].includes(ruleFields[name].kind)

/** A rule's value as its answer says it: a rate is asked in percent, days are chosen as words. */
const ruleFrom = (field: RuleField, answer: unknown): unknown => {
  if (field.kind === 'percent') return bpOf(answer as number)
  if (field.kind === 'days')
    return ((answer as string[] | undefined) ?? []).map(Number).sort((a, b) => b - a)
  return answer ?? null
}
/** The answer that says a rule's value, as `ruleFrom` reads it. */
export const answerFrom = (field: RuleField, value: unknown): unknown => {
  if (field.kind === 'percent') return (value as number) / 100
  if (field.kind === 'days') return (value as number[]).map(String)
  return value ?? undefined
}
/** The rules that the answers of a form say, over those it began from. */
export const rulesFrom = (kind: ConfigScope, base: OrderRules, answers: Answers): OrderRules => ({
  ...base,
  ...Object.fromEntries(
    rulesFor(kind)
      .filter(isAsked)
      .map(name => [name, ruleFrom(ruleFields[name], answers[name])]),
  ),
})
const days = [30, 15, 10, 7, 5, 3, 2, 1]
/** The bounds of a rate, which is asked in percent. */
const inPercent = ({ min, max }: { min: number; max: number }) => ({
  min: min / 100,
  max: max / 100,
  places: 2 as const,
})
const range = (field: RuleField & { min: number; max: number }): Text => {
  if (field.kind === 'money')
    return [`${yuan(field.min)}–${yuan(field.max)} 元`, `¥${yuan(field.min)}–${yuan(field.max)}`]
  const told = field.kind === 'percent' ? percent : String
  const words = `${told(field.min)}–${told(field.max)}`
  return [words, words]
}
const joined = (a: Text, b: Text | undefined): Text =>
  b ? [`${a[0]}。${b[0]}`, `${a[1]}. ${b[1]}`] : a
const withUnit = (title: Text, unit: Text): Text => [
  `${title[0]}（${unit[0]}）`,
  `${title[1]} (${unit[1]})`,
]

type Check = (_: unknown, answers: Answers) => Text | undefined
/** The question that asks for a rule, by the kind of its value. */
const askFor = (name: RuleName, was: OrderRules, check: Check): Ask => {
  const field: RuleField = ruleFields[name]
  const initial =
    <T>(of: (value: never) => T) =>
    (rows: readonly ConfigRow[]): T | undefined => {
      const value = rows[0]?.fields[name]
      return value === null || value === undefined ? undefined : of(value as never)
    }
  const of = { label: field.title, check, ...(field.hint && { hint: field.hint }) }
  switch (field.kind) {
    case 'number':
      return ask.number({
        ...of,
        label: withUnit(field.title, field.unit),
        hint: joined(range(field), field.hint),
        min: field.min,
        max: field.max,
        optional: field.none !== undefined,
        initial: initial((n: number) => n),
      })
    case 'money':
      return ask.money({
        ...of,
        hint: joined(range(field), field.hint),
        min: field.min,
        max: field.max,
        initial: initial((n: number) => n),
      })
    case 'percent':
      return ask.number({
        ...of,
        label: withUnit(field.title, ['%', '%']),
        hint: joined(range(field), field.hint),
        ...inPercent(field),
        initial: initial((n: number) => n / 100),
      })
    case 'flag':
      return ask.flag({ label: field.title, initial: initial((on: boolean) => on) })
    case 'days':
      return ask.choices({
        ...of,
        optional: true,
        options: Object.fromEntries(
          [...new Set([...days, ...was.remind_days])]
            .sort((a, b) => b - a)
            .map(day => [`${day}`, [`${day} 天`, `${day} d`]]),
        ),
        initial: initial((all: number[]) => all.map(String)),
      })
    default:
      return ask.choice({
        ...of,
        options: (field as RuleField & { kind: 'choice' }).options,
        initial: initial((value: string) => value),
      })
  }
}
/**
 * The questions of a kind's form, from the table of rules; what holds between rules is checked as
 * the server checks it.
 */
export const asksFor = (kind: ConfigScope, was: OrderRules, refund_limit_cents: number): Asks =>
  Object.fromEntries(
    rulesFor(kind)
      .filter(isAsked)
      .map((name): [string, Ask] => {
        const check = (_: unknown, answers: Answers): Text | undefined => {
          const rules = rulesFrom(kind, was, answers)
          return (
            ruleFault(name, rules[name]) ??
            rulesFaults(kind, rules, { refund_limit_cents, was })[name]
          )
        }
        return [name, askFor(name, was, check)]
      }),
  )
