import { lengthOf, plainLine, type Text } from '#src/domain/text.ts'

/** What an attribute of a customer holds. */
export const attrTypes = {
  text: ['文本', 'Text'],
  number: ['数字', 'Number'],
  date: ['日期', 'Date'],
  choice: ['单选', 'Single choice'],
} as const satisfies Record<string, Text>
export type AttrType = keyof typeof attrTypes
export const attrStates = {
  enabled: ['启用', 'Enabled'],
  disabled: ['已停用', 'Disabled'],
} as const satisfies Record<string, Text>
type AttrState = keyof typeof attrStates

/** A value keeps the key of its choice, so that the label may change. */
export type AttrOption = { key: string; label: string }
/** These fields of a definition decide which values are right. */
export type AttrDef = {
  id: number
  label: string
  type: AttrType
  options: readonly AttrOption[]
  status: AttrState
}

/** Attributes that may be in use at a time. */
export const ATTRS_MOST = 40
export const ATTR_OPTIONS_MOST = 30
const ATTR_LABEL_MAX = 20
export const ATTR_TEXT_MAX = 200
/** A key of an attribute or of a choice: what values are kept by. */
const attrKey = /^[a-z][a-z0-9_]{0,29}$/

/** A label as labels are compared: full-width as half-width, lower case, single spaces. */
export const foldedLabel = (label: string): string =>
  plainLine(label.normalize('NFKC')).replace(/\s+/g, ' ').toLowerCase()

const labelFault = (label: string): Text | undefined => {
  if (foldedLabel(label) === '') return ['请填写名称', 'Give it a name']
  return lengthOf(label) > ATTR_LABEL_MAX
    ? ['名称最多 20 个字', 'A name has at most 20 characters']
    : undefined
}
const optionsFault = (options: readonly AttrOption[]): Text | undefined => {
  if (options.length === 0) return ['单选属性至少要有 1 个选项', 'Give at least one choice']
  if (options.length > ATTR_OPTIONS_MOST) return ['最多 30 个选项', 'At most 30 choices']
  if (options.some(one => !attrKey.test(one.key)))
    return [
      '选项编码以小写字母开头，只含小写字母、数字和下划线，最多 30 位',
      'The key of a choice is up to 30 small letters, digits and underscores, a letter first',
    ]
  for (const { label } of options) {
    const fault = labelFault(label)
    if (fault) return fault
  }
  const isDoubled =
    new Set(options.map(one => one.key)).size < options.length ||
    new Set(options.map(one => foldedLabel(one.label))).size < options.length
  return isDoubled ? ['选项不能重名', 'Two choices are the same'] : undefined
}
/** What is wrong with a definition, or undefined. */
export const attrFault = (of: {
  key: string
  label: string
  type: AttrType
  options: readonly AttrOption[]
}): Text | undefined => {
  if (!attrKey.test(of.key))
    return [
      '编码以小写字母开头，只含小写字母、数字和下划线，最多 30 位',
      'A key is up to 30 small letters, digits and underscores, a letter first',
    ]
  const fault = labelFault(of.label)
  if (fault) return fault
  if (of.type === 'choice') return optionsFault(of.options)
  return of.options.length === 0
    ? undefined
    : ['只有单选属性有选项', 'Only an attribute of one choice has choices']
}
/**
 * What speaks against changing a definition, or undefined. An attribute that customers have values
 * of keeps its type and the choices that they chose; its names may change.
 */
export const attrChangeFault = (
  was: Pick<AttrDef, 'type' | 'options'>,
  to: Pick<AttrDef, 'type' | 'options'>,
  used: { values: number; choices: ReadonlySet<string> },
): Text | undefined => {
  if (used.values === 0) return undefined
  if (was.type !== to.type)
    return [
      '已有客户填写，不能修改类型；请停用后新建',
      'Customers have values of it: switch it off, and make another one',
    ]
  const kept = new Set(to.options.map(one => one.key))
  const lost = was.options.find(one => used.choices.has(one.key) && !kept.has(one.key))
  return lost
    ? [
        `选项“${lost.label}”已有客户使用，不能删除，可以改名`,
        `Customers have the choice ${lost.label}: it may be renamed, and not taken away`,
      ]
    : undefined
}

const NUMBER = /^-?\d{1,12}(?:\.\d{1,4})?$/
const DAY_OF = /^(\d{4})-(\d{2})-(\d{2})$/
/** A number as it is kept: half-width, without zeros that say nothing. */
const plainNumber = (typed: string): string | undefined => {
  const text = typed.normalize('NFKC').replaceAll(',', '').trim()
  return NUMBER.test(text) ? String(Number(text)) : undefined
}
/** A day of the calendar between 1900 and 2100 as it is kept: `2026-03-09`. */
const plainDay = (typed: string): string | undefined => {
  const text = typed
    .normalize('NFKC')
    .trim()
    .replace(/[/.年月]/g, '-')
    .replace(/日$/, '')
    .replace(/-(\d)(?=-|$)/g, '-0$1')
  const [, year, month, day] = DAY_OF.exec(text) ?? []
  if (year === undefined || Number(year) < 1900 || Number(year) > 2100) return undefined
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return at.toISOString().startsWith(`${year}-${month}-${day}`) ? text : undefined
}
const said = {
  text: ['最多 200 个字', 'At most 200 characters'],
  number: [
    '请填写数字，整数最多 12 位、小数最多 4 位',
    'Enter a number: up to 12 digits, and 4 behind the point',
  ],
  date: ['请填写日期，如 2026-03-09', 'Enter a date such as 2026-03-09'],
  choice: ['没有这个选项，请重新选择', 'There is no such choice: choose again'],
} as const satisfies Record<AttrType, Text>
/**
 * A value as it is kept (`value`; empty takes it away), or what is wrong with it. A choice is taken
 * by its key or by its label.
 */
export const attrValue = (
  of: Pick<AttrDef, 'type' | 'options'>,
  typed: string,
): { value: string } | { fault: Text } => {
  const text = plainLine(typed)
  if (text === '') return { value: '' }
  const kept: Readonly<Record<AttrType, () => string | undefined>> = {
    text: () => (lengthOf(text) <= ATTR_TEXT_MAX ? text : undefined),
    number: () => plainNumber(text),
    date: () => plainDay(text),
    choice: () =>
      of.options.find(one => one.key === text || foldedLabel(one.label) === foldedLabel(text))?.key,
  }
  const value = kept[of.type]()
  return value === undefined ? { fault: said[of.type] } : { value }
}
/** A kept value as it is read; a choice that is no more is shown by its key. */
export const attrShown = (of: Pick<AttrDef, 'type' | 'options'>, value: string): string =>
  of.type === 'choice' ? (of.options.find(one => one.key === value)?.label ?? value) : value
/** What the value of an attribute is called in a form, and in what is wrong with it. */
export const attrField = (attr_id: number): string => `attr_${attr_id}`
