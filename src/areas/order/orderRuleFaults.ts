import { divisions, provinces } from '#src/areas/place/divisions.ts'
import { isArea } from '#src/areas/shipping/freight.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { phoneFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import type { ConfigScope } from './configScope.ts'
import { fieldAt, units, type RuleField } from './orderRuleFields.ts'
import { rulesFor, type OrderRules, type RuleName, type Sender } from './orderRules.ts'

type Kind = RuleField['kind']
type FieldOf<K extends Kind> = Extract<RuleField, { kind: K }>
type Bounded = RuleField & { min: number; max: number }

const whole = (value: unknown, { min, max }: { min: number; max: number }): value is number =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max
const shownAs: Partial<Record<Kind, (n: number) => string>> = { money: yuan, percent }
const unitOf = (field: Bounded): Text => {
  if (field.kind === 'number') return field.unit
  if (field.kind === 'money') return ['元', 'yuan']
  return field.kind === 'days' ? units.d : ['', '']
}
const bounds = (field: Bounded): Text => {
  const shown = shownAs[field.kind] ?? String
  const [zh, en] = unitOf(field)
  return [
    `须为 ${shown(field.min)}–${shown(field.max)} ${zh}`.trim(),
    `From ${shown(field.min)} to ${shown(field.max)} ${en}`.trim(),
  ]
}
const hasTwice = (values: readonly unknown[]): boolean => new Set(values).size < values.length

const daysFault = (days: readonly number[], field: FieldOf<'days'>): Text | undefined => {
  if (days.length > field.most) return [`最多 ${field.most} 次`, `At most ${field.most}`]
  if (hasTwice(days)) return ['有重复的天数', 'A day stands twice']
  return days.every(day => whole(day, field)) ? undefined : bounds(field)
}
const areasFault = (codes: readonly string[]): Text | undefined => {
  const unknown = codes.filter(code => !isArea(code)).slice(0, 5)
  if (unknown.length > 0)
    return [
      `没有这些地区：${unknown.join('、')}`,
      `There are no such places: ${unknown.join(', ')}`,
    ]
  return provinces.every(one => codes.includes(one.adcode))
    ? ['不能全国都不配送', 'Something must be delivered somewhere']
    : undefined
}
const senderFault = (sender: Sender): Text | undefined => {
  if (sender.name.trim() === '') return ['请填写寄件人姓名', 'Name the sender']
  const phone = phoneFault(sender.phone)
  if (phone) return phone
  if (!divisions.has(sender.area))
    return ['请填写寄件城市，如「杭州」', 'Name the city, such as 杭州']
  return sender.address.trim() === '' ? ['请填写寄件地址', 'Write the address'] : undefined
}
const sendersFault = (
  senders: readonly Sender[],
  { most }: FieldOf<'senders'>,
): Text | undefined => {
  if (senders.length > most) return [`最多 ${most} 个寄件人`, `At most ${most}`]
  for (const [at, sender] of senders.entries()) {
    const fault = senderFault(sender)
    if (fault) return [`第 ${at + 1} 个：${fault[0]}`, `No. ${at + 1}: ${fault[1]}`]
  }
  return senders.length > 0 && senders.filter(one => one.is_default).length !== 1
    ? ['须有且只有一个默认寄件人', 'One of them is the default']
    : undefined
}
/** What is wrong with a value of each kind of rule. */
const faultOf: { [K in Kind]: (value: unknown, field: FieldOf<K>) => Text | undefined } = {
  number: (value, field) =>
    (value === null && field.none) || whole(value, field) ? undefined : bounds(field),
  money: (value, field) => (whole(value, field) ? undefined : bounds(field)),
  percent: (value, field) => (whole(value, field) && value % 100 === 0 ? undefined : bounds(field)),
  choice: (value, { options }) =>
    Object.hasOwn(options, String(value)) ? undefined : ['请选择一项', 'Choose one'],
  flag: value => (typeof value === 'boolean' ? undefined : ['请选择是或否', 'Yes or no']),
  days: (value, field) => daysFault(value as number[], field),
  areas: value => areasFault(value as string[]),
  senders: (value, field) => sendersFault(value as Sender[], field),
}
/** What is wrong with one rule by itself, or undefined. */
export const ruleFault = (name: RuleName, value: unknown): Text | undefined => {
  const field = fieldAt(name)
  return (faultOf[field.kind] as (value: unknown, field: RuleField) => Text | undefined)(
    value,
    field,
  )
}

export type RuleFaults = Partial<Record<RuleName, Text>>
/**
 * What is wrong with the rules of a kind, each at its field: its bounds, and what holds between
 * them. `by` is whoever saves over the rules `was`: nobody raises what is agreed to by itself above
 * what they might agree to.
 */
export const rulesFaults = (
  scope: ConfigScope,
  rules: OrderRules,
  by?: { refund_limit_cents: number; was: OrderRules },
): RuleFaults => {
  const names = rulesFor(scope)
  const faults: RuleFaults = {}
  for (const name of names) {
    const fault = ruleFault(name, rules[name])
    if (fault) faults[name] = fault
  }
  if (names.includes('platform_reverse_h')) {
    if (rules.merchant_reverse_h > rules.platform_reverse_h)
      faults.merchant_reverse_h ??= [
        `不能长于平台撤销时限（${rules.platform_reverse_h} 小时）`,
        `Not longer than the platform’s ${rules.platform_reverse_h} h`,
      ]
    if (rules.platform_reverse_h > rules.hold_days * 24)
      faults.platform_reverse_h ??= [
        `不能长于结算冻结期（${rules.hold_days} 天 = ${rules.hold_days * 24} 小时）`,
        `Not longer than money is on hold (${rules.hold_days} d = ${rules.hold_days * 24} h)`,
      ]
  }
  if (
    by &&
    names.includes('auto_approve_limit_cents') &&
    rules.auto_approve_limit_cents > by.refund_limit_cents &&
    rules.auto_approve_limit_cents !== by.was.auto_approve_limit_cents
  )
    faults.auto_approve_limit_cents ??= [
      `不能高于你的退款额度 ${yuan(by.refund_limit_cents)} 元`,
      `Not above your own refund limit, ¥${yuan(by.refund_limit_cents)}`,
    ]
  return faults
}
