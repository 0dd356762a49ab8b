import { divisions } from '#src/areas/place/divisions.ts'
import { areaWords } from '#src/areas/shipping/freight.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { joined, joinedNames, semicolon, unjoined, type Text } from '#src/domain/text.ts'
import type { ConfigScope } from './configScope.ts'
import { fieldAt, type RuleField } from './orderRuleFields.ts'
import { sectionsOf, type OrderRules, type RuleName, type Sender } from './orderRules.ts'

type Kind = RuleField['kind']
const both = (zh: string, en = zh): Text => [zh, en]
const none: Text = ['无', 'None']
const senderWords = ({ name, phone, area, address, customer_no, is_default }: Sender): Text => {
  const place = `${divisions.get(area)?.city_name ?? ''}${address}`
  const [head, account] = [`${name} ${phone} ${place}`, customer_no]
  return [
    `${head}${account && `（${account}）`}${is_default ? '，默认' : ''}`,
    `${head}${account && ` (${account})`}${is_default ? ', default' : ''}`,
  ]
}
const wordsOf: {
  [K in Kind]: (value: never, field: Extract<RuleField, { kind: K }>) => Text
} = {
  number: (value: number | null, { unit, none: empty }) =>
    value === null ? (empty ?? both('—')) : both(`${value} ${unit[0]}`, `${value} ${unit[1]}`),
  money: (value: number) => both(`${yuan(value)} 元`, `¥${yuan(value)}`),
  percent: (value: number) => both(percent(value)),
  choice: (value: string, { options }) => options[value] ?? both(value),
  flag: (value: boolean) => (value ? ['是', 'Yes'] : ['否', 'No']),
  days: (days: number[]) =>
    days.length === 0
      ? ['不提醒', 'None']
      : both(`提前 ${days.join('、')} 天`, `${days.join(', ')} days before`),
  areas: (codes: string[]) => (codes.length === 0 ? none : both(areaWords(codes))),
  senders: (senders: Sender[]) =>
    senders.length === 0
      ? none
      : unjoined(
          joinedNames(
            senders.map(of => joined(senderWords(of))),
            semicolon,
          ),
        ),
}
/** A rule's value in business words. */
export const ruleWords = (name: RuleName, value: OrderRules[RuleName]): Text => {
  const field = fieldAt(name)
  return (wordsOf[field.kind] as (value: unknown, field: RuleField) => Text)(value, field)
}
/**
 * Whether two values of a rule are the same: the database keeps an object's keys in an order of its
 * own.
 */
export const sameRule = (a: unknown, b: unknown): boolean => ordered(a) === ordered(b)
const ordered = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
export type RuleChange = {
  field: RuleName
  title: Text
  before: Text
  after: Text
  refund: boolean
}
/**
 * What differs between two sets of rules of a kind, in business words and in the order of the form.
 */
export const rulesDiff = (
  scope: ConfigScope,
  before: OrderRules,
  after: OrderRules,
): RuleChange[] =>
  sectionsOf(scope)
    .flatMap(one => one.fields)
    .filter(name => !sameRule(before[name], after[name]))
    .map(name => ({
      field: name,
      title: fieldAt(name).title,
      before: ruleWords(name, before[name]),
      after: ruleWords(name, after[name]),
      refund: fieldAt(name).refund === true,
    }))
