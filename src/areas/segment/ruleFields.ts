import { memberLevels } from '#src/areas/member/levels.ts'
import { genders, registerSources, vipBands } from '#src/areas/member/member.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import { addWays } from '#src/areas/wecom/wecom.ts'
import type { Text } from '#src/domain/text.ts'

/** Whether a member is a friend in WeCom. */
const friendStates = {
  friend: ['已是企微好友', 'WeCom friend'],
  lost: ['好友已流失', 'Lost friend'],
  none: ['从未添加', 'Never added'],
} as const satisfies Record<string, Text>
const months = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [String(at + 1), [`${at + 1} 月`, `Month ${at + 1}`]]),
) as Readonly<Record<string, Text>>
const levels: Readonly<Record<string, Text>> = { 0: ['V0', 'V0'], ...memberLevels }

/** What ids of a condition stand for. */
const refKinds = {
  city: ['城市', 'City'],
  mall: ['商场', 'Mall'],
  member_tag: ['会员标签', 'Member tag'],
  wecom_tag: ['企微标签', 'WeCom tag'],
  staff: ['企微成员', 'Adviser'],
  chat: ['客户群', 'Group chat'],
  segment: ['分群', 'Segment'],
} as const satisfies Record<string, Text>
export type RefKind = keyof typeof refKinds

/**
 * What is asked of a field: one of some words (`picks`), rows that it has (`refs`), a number between
 * bounds, an amount in cents, how long ago something was, or what was ordered within some days.
 */
type FieldOf = { words: Text } & (
  | { kind: 'picks'; options: Readonly<Record<string, Text>> }
  | { kind: 'refs'; of: RefKind; several: boolean }
  | { kind: 'number'; unit: Text; most: number }
  | { kind: 'money' }
  | { kind: 'ago' }
  | { kind: 'orders'; counts: 'number' | 'money' }
)
/** What the rule of a segment may ask of a member. */
export const ruleFields = {
  level: { words: ['会员等级', 'Level'], kind: 'picks', options: levels },
  vip: { words: ['付费会员', 'Paid membership'], kind: 'picks', options: vipBands },
  gender: { words: ['性别', 'Gender'], kind: 'picks', options: genders },
  age: { words: ['年龄', 'Age'], kind: 'number', unit: ['岁', 'years'], most: 120 },
  birth_month: { words: ['生日月份', 'Month of birth'], kind: 'picks', options: months },
  city: { words: ['所在城市', 'City'], kind: 'refs', of: 'city', several: false },
  registered: { words: ['注册时间', 'Joined'], kind: 'ago' },
  source: { words: ['注册来源', 'Source'], kind: 'picks', options: registerSources },
  growth: {
    words: ['成长值', 'Growth'],
    kind: 'number',
    unit: ['', ''],
    most: 100_000_000,
  },
  points: {
    words: ['可用积分', 'Points'],
    kind: 'number',
    unit: ['分', 'points'],
    most: 100_000_000,
  },
  member_tag: { words: ['会员标签', 'Member tag'], kind: 'refs', of: 'member_tag', several: true },
  paid: { words: ['累计实付', 'Total paid'], kind: 'money' },
  order_count: {
    words: ['累计订单', 'Total orders'],
    kind: 'number',
    unit: ['笔', 'orders'],
    most: 1_000_000,
  },
  orders: { words: ['近期订单数', 'Orders lately'], kind: 'orders', counts: 'number' },
  spent: { words: ['近期实付', 'Paid lately'], kind: 'orders', counts: 'money' },
  last_order: { words: ['最近下单', 'Last order'], kind: 'ago' },
  last_use: { words: ['最近核销', 'Last redemption'], kind: 'ago' },
  last_visit: { words: ['最近访问', 'Last visit'], kind: 'ago' },
  friend: { words: ['企微好友', 'WeCom friend'], kind: 'picks', options: friendStates },
  wecom_tag: { words: ['企微标签', 'WeCom tag'], kind: 'refs', of: 'wecom_tag', several: true },
  add_way: { words: ['企微添加方式', 'Added in WeCom by'], kind: 'picks', options: addWays },
  adviser: { words: ['跟进成员', 'Adviser'], kind: 'refs', of: 'staff', several: true },
  chat: { words: ['所在客户群', 'Group chat'], kind: 'refs', of: 'chat', several: true },
  segment: { words: ['所属分群', 'Segment'], kind: 'refs', of: 'segment', several: true },
} as const satisfies Record<string, FieldOf>
export type FieldKey = keyof typeof ruleFields
/** A field with what is asked of it. */
export const fieldOf = (key: FieldKey): FieldOf => ruleFields[key]
/** Kinds of orders that a condition may be of. */
export const ruleOrderKinds: Readonly<Record<string, Text>> = orderKinds

/** How a condition compares, by the kind of its field. */
export const ruleOps = {
  any: ['含任一', 'any of'],
  all: ['同时含', 'all of'],
  within: ['在最近 N 天内', 'within N days'],
  before: ['早于 N 天前', 'over N days ago'],
  never: ['从未', 'never'],
  between: ['在区间内', 'between'],
} as const satisfies Record<string, Text>
export type RuleOp = keyof typeof ruleOps
/** The ways in which a field may be compared; the first is the usual one. */
export const opsOf = (key: FieldKey): readonly RuleOp[] => {
  const of = fieldOf(key)
  if (of.kind === 'ago')
    return key === 'registered' ? ['within', 'before'] : ['within', 'before', 'never']
  if (of.kind === 'refs') return of.several ? ['any', 'all'] : ['any']
  return of.kind === 'picks' ? ['any'] : ['between']
}
