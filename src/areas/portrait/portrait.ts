import { memberLevels } from '#src/areas/member/levels.ts'
import { genders } from '#src/areas/member/member.ts'
import { addWays } from '#src/areas/wecom/wecom.ts'
import { shares } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'

/** What people of an audience are told apart by. */
export const dimensions = {
  gender: ['性别', 'Gender'],
  age: ['年龄段', 'Age'],
  city: ['城市', 'City'],
  mall: ['常去商场', 'Favourite mall'],
  channel: ['添加渠道', 'Added by'],
  level: ['会员等级', 'Level'],
  rfm: ['RFM 分组', 'RFM'],
  category: ['品类偏好', 'Category'],
  price: ['价格带', 'Price band'],
  hours: ['活跃时段', 'Active hours'],
  stage: ['生命周期', 'Lifecycle'],
  tag: ['标签', 'Tags'],
} as const satisfies Record<string, Text>
export type Dimension = keyof typeof dimensions
/** A dimension of the house, or an attribute of one choice that staff note: `attr:3`. */
export const attrDimension = (id: number): string => `attr:${id}`
export const dimensionKey = /^(?:attr:[1-9]\d{0,8}|[a-z]{3,8})$/

type Words = Readonly<Record<string, Text>>
/** The bars of dimensions that are known beforehand, in their order. */
export const bars: Readonly<Partial<Record<Dimension, Words>>> = {
  gender: { male: genders.male, female: genders.female },
  age: {
    '0': ['18 岁以下', 'Under 18'],
    '18': ['18–24 岁', '18–24'],
    '25': ['25–34 岁', '25–34'],
    '35': ['35–44 岁', '35–44'],
    '45': ['45–54 岁', '45–54'],
    '55': ['55 岁以上', '55 and over'],
  },
  channel: addWays,
  level: { '0': ['V0', 'V0'], ...memberLevels },
  // Recent within 90 days, 3 orders or more, 500 yuan paid or more: each yes (1) or no (0).
  rfm: {
    '111': ['重要价值', 'Champions'],
    '011': ['重要唤回', 'At risk'],
    '101': ['重要深耕', 'Big and new'],
    '001': ['重要挽留', 'Big and gone'],
    '110': ['潜力客户', 'Loyal, small'],
    '100': ['新客户', 'New, small'],
    '010': ['一般维持', 'Once loyal'],
    '000': ['低价值', 'Hibernating'],
  },
  price: {
    '0': ['50 元以下', 'Below 50'],
    '50': ['50–100 元', '50–100'],
    '100': ['100–300 元', '100–300'],
    '300': ['300–1000 元', '300–1,000'],
    '1000': ['1000 元以上', '1,000 and over'],
  },
  hours: {
    '0': ['0–6 点', '0–6 h'],
    '6': ['6–11 点', '6–11 h'],
    '11': ['11–14 点', '11–14 h'],
    '14': ['14–18 点', '14–18 h'],
    '18': ['18–22 点', '18–22 h'],
    '22': ['22–24 点', '22–24 h'],
  },
  stage: {
    new: ['新客', 'New'],
    first: ['首单', 'First order'],
    repeat: ['复购', 'Repeat'],
    asleep: ['沉睡', 'Asleep'],
    gone: ['流失', 'Gone'],
  },
}
/** The bar of those of whom it is not known, and what it is called. */
export const UNKNOWN = 'none'
export const unknownBar: Text = ['未知', 'Unknown']

/** People of several tags stand in several bars. */
export const isSeveral = (dimension: string): boolean => dimension === 'tag'

/** A cell of fewer people tells no number. */
const FEW = 5
export const isFew = (n: number): boolean => n > 0 && n < FEW
/**
 * Tenths of a percent of each number, by largest remainder: they come to 1000, that is 100.0 %,
 * wherever there is anybody.
 */
export const tenthsOf = (numbers: readonly number[]): number[] =>
  numbers.every(n => n === 0) ? numbers.map(() => 0) : shares(1000, numbers)
/** Why a cell tells no number: it is of few people, or would tell how many those are. */
export const hiddenWhy = {
  few: ['不足 5 人', 'Fewer than 5'],
  beside: ['为保护少数人而隐藏', 'Hidden to protect the few beside it'],
} as const satisfies Record<string, Text>
type Hidden = keyof typeof hiddenWhy
/** Said of the numbers of a large audience. */
export const sampledWords: Text = ['按 {n} 人抽样估算', 'estimated from {n} people']
/** Said of the number of people itself, where so many are too many to count. */
export const estimatedWords: Text = ['总人数为估算', 'the total is an estimate']
/** A cell's number as it is shown; `—` where there is none. */
export const shownOf = (cell: Cell | null): string => {
  if (cell?.hidden === 'few') return `<${FEW}`
  return cell?.n == null ? '—' : String(cell.n)
}
export type Cell = { n: number | null; tenths: number | null; hidden: Hidden | null }
const sumOf = (numbers: readonly number[]): number => numbers.reduce((x, y) => x + y, 0)
/** Whether `k` numbers from 1 to 4 have several ways to come to a sum between two others. */
const isOpen = (k: number, least: number, most: number): boolean =>
  Math.max(k, least) < Math.min((FEW - 1) * k, most)
/**
 * Says which numbers of a dimension are hidden. The sum less all other numbers would give away a
 * number of fewer than five people, so the smallest other number is hidden too. Where that still
 * leaves a single solution, all numbers are hidden.
 */
const hiddenOf = (numbers: readonly number[]): (Hidden | null)[] => {
  const few = numbers.filter(isFew)
  const [cover, next = Infinity] = numbers.filter(n => n >= FEW).sort((x, y) => x - y)
  const hidden = sumOf(few) + (cover ?? 0)
  const open =
    cover === undefined
      ? few.length > 1 && few.length < hidden && hidden < few.length * (FEW - 1)
      : isOpen(few.length, hidden - (next - 1), hidden - FEW)
  const at = cover === undefined || few.length === 0 ? -1 : numbers.indexOf(cover)
  return numbers.map((n, place) => {
    if (n === 0 || few.length === 0) return null
    if (!open || place === at) return 'beside'
    return isFew(n) ? 'few' : null
  })
}
/**
 * Cells as they may be shown: those that are hidden tell neither number nor share. Shares of several
 * bars a person are of `people`; they come to no sum, so nothing is found out by it.
 */
export const cellsOf = (numbers: readonly number[], several?: { people: number }): Cell[] => {
  const tenths = several
    ? numbers.map(n => (several.people === 0 ? 0 : Math.round((1000 * n) / several.people)))
    : tenthsOf(numbers)
  const hidden = several ? numbers.map(n => (isFew(n) ? 'few' : null)) : hiddenOf(numbers)
  return numbers.map((n, at) =>
    hidden[at]
      ? { n: null, tenths: null, hidden: hidden[at] }
      : { n, tenths: tenths[at]!, hidden: null },
  )
}
