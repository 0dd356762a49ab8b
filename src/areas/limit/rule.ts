import { unitEnd, unitStart } from '#src/domain/calendar.ts'
import type { Text } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'

/** The things that a rule may be about. */
export const limitScopes = {
  product: ['商品', 'Products'],
  store: ['门店', 'Stores'],
  category: ['类目', 'Categories'],
  mall: ['商场', 'Malls'],
  activity: ['活动', 'Activities'],
  all: ['不限范围', 'Everything'],
} as const satisfies Record<string, Text>
export type LimitScope = keyof typeof limitScopes

/** The activity by which something is bought, for a rule about activities. */
export const limitWays = {
  group: ['拼团', 'Group price'],
  live: ['直播间', 'Live room'],
  raise: ['众筹', 'Crowd presale'],
  combo: ['组合', 'Combo'],
} as const satisfies Record<string, Text>
export type LimitWay = keyof typeof limitWays

const productKinds = {
  bulks: ['团购', 'Group-buys'],
  card: ['卡券', 'Cards'],
  voucher: ['代金券', 'Vouchers'],
  goods: ['到店商品', 'Store goods'],
  elist: ['电商', 'Shipped goods'],
} as const satisfies Record<string, Text>
const anyKind = { all: ['全部类型', 'All kinds'] } as const satisfies Record<string, Text>
export const limitKinds = { ...productKinds, ...anyKind }
export type LimitKind = keyof typeof limitKinds
/** The kinds that a limit may be about: e-cards stand beside the kinds of products. */
export const limitedKinds = {
  ...productKinds,
  ecard: ['电子卡', 'E-cards'],
  ...anyKind,
} as const satisfies Record<string, Text>
export type LimitedKind = keyof typeof limitedKinds

/** The ways by which purchases are added up. */
export const limitDimensions = {
  member: ['会员', 'Member'],
  phone: ['手机号', 'Phone'],
  device: ['设备', 'Device'],
  receiver: ['收货人', 'Receiver'],
  payer: ['付款人', 'Payer'],
} as const satisfies Record<string, Text>
export type LimitDimension = keyof typeof limitDimensions
const each: Readonly<Record<LimitDimension, Text>> = {
  member: ['每位会员', 'member'],
  phone: ['每个手机号', 'phone'],
  device: ['每台设备', 'device'],
  receiver: ['每位收货人', 'receiver'],
  payer: ['每位付款人', 'payer'],
}

/** The times for which purchases are added up. */
export const limitWindows = {
  order: ['每单', 'Per order'],
  day: ['每天', 'Per day'],
  week: ['每周', 'Per week'],
  month: ['每月', 'Per month'],
  life: ['有效期内', 'In total'],
} as const satisfies Record<string, Text>
export type LimitWindow = keyof typeof limitWindows

/** Levels of members for which a rule may say a quantity of their own. */
export const limitLevels = ['1', '2', '3', '4', '5'] as const
export const QTY_MOST = 100_000
export const SCOPES_MOST = 200
export const EXEMPT_DAYS_MOST = 365
/** So many members of one rule may be exempt at a time. */
export const EXEMPT_MOST = 500

/** A member whom a rule does not hold, and until when (unix seconds). */
export type Exempt = { member_id: number; until: number; reason: string; by: number }
/** The terms of a rule; `per` is its window. */
export type LimitTerms = {
  name: string
  scope_kind: LimitScope
  scope_ids: readonly number[]
  ways: readonly LimitWay[]
  product_kind: LimitedKind
  dimension: LimitDimension
  per: LimitWindow
  qty: number
  level_qty: Readonly<Record<string, number>>
  start_at: number
  end_at: number
}
/** A purchase of one product, where and how. `categories` are its own and those above it. */
export type LimitLine = {
  /** For an e-card it is 0, and `card_id` names the card. */
  product_id: number
  card_id?: number
  title: string
  kind: Exclude<LimitedKind, 'all'>
  categories: readonly number[]
  store_id: number
  mall_id: number
  city_id: number
  ways: readonly LimitWay[]
  qty: number
}

/** Whether a rule is about a line. */
export const covers = (
  of: Pick<LimitTerms, 'scope_kind' | 'scope_ids' | 'ways' | 'product_kind'>,
  line: LimitLine,
): boolean => {
  if (of.product_kind !== 'all' && of.product_kind !== line.kind) return false
  switch (of.scope_kind) {
    case 'product':
      // A rule about cards names cards; what any other names are products.
      return of.scope_ids.includes(
        of.product_kind === 'ecard' ? (line.card_id ?? 0) : line.product_id,
      )
    case 'store':
      return of.scope_ids.includes(line.store_id)
    case 'mall':
      return of.scope_ids.includes(line.mall_id)
    case 'category':
      return line.categories.some(id => of.scope_ids.includes(id))
    case 'activity':
      return line.ways.some(way => of.ways.includes(way))
    case 'all':
      return true
  }
}

/** How many a member of a level may buy; a level without a quantity of its own has the rule's. */
export const limitFor = (of: Pick<LimitTerms, 'qty' | 'level_qty'>, level: number): number =>
  of.level_qty[String(level)] ?? of.qty

/** Until when a rule does not hold a member; undefined where it does. */
export const exemptUntil = (
  exempt: readonly Exempt[],
  member_id: number | null,
  now: number,
): number | undefined => exempt.find(one => one.member_id === member_id && one.until > now)?.until

/** The window of a moment as the counting row knows it: purchases of one key are added up. */
export const windowKey = (per: LimitWindow, at: number): string => {
  switch (per) {
    case 'order':
      return 'order'
    case 'day':
      return dateOf(at)
    case 'week':
      return `W${dateOf(unitStart(at, 'isoWeek'))}`
    case 'month':
      return dateOf(at).slice(0, 7)
    case 'life':
      return 'life'
  }
}
/** When a window that runs now begins anew (unix seconds); that of an order or a life never does. */
export const windowEnd = (per: LimitWindow, at: number): number | undefined => {
  switch (per) {
    case 'day':
      return unitEnd(at, 'day')
    case 'week':
      return unitEnd(at, 'isoWeek')
    case 'month':
      return unitEnd(at, 'month')
    case 'order':
    case 'life':
      return undefined
  }
}

/** How much of a rule is left: never below nothing, also where the limit was lowered since. */
export const leftOf = (limit: number, had: number): number => Math.max(0, limit - had)
type Stop = { left: number; limit: number; place: number }
/** The rule that decides among those that stop a purchase: the tightest, then the first in order. */
export const tightest = <S extends Stop>(stops: readonly S[]): S | undefined =>
  stops.toSorted((a, b) => a.left - b.left || a.limit - b.limit || a.place - b.place)[0]

type Counting = Pick<LimitTerms, 'dimension' | 'per'>
/** What a rule says in a sentence, for a limit of `limit` pieces. */
export const limitSentence = ({ dimension, per }: Counting, limit: number): Text => {
  const [zh, en] = each[dimension]
  const [when, time] = limitWindows[per]
  return [`${zh}${when}限购 ${limit} 件`, `${limit} per ${en}, ${time.toLowerCase()}`]
}
/** From when more may be bought; of a rule that only ends, until when it holds. */
const untilText = (of: Counting & { end_at: number }, now: number): Text => {
  const end = windowEnd(of.per, now)
  if (end !== undefined) return [`，${dateOf(end)} 起可再购`, `; more from ${dateOf(end)}`]
  if (of.per === 'order') return ['', '']
  return [`，限购至 ${dateOf(of.end_at)}`, `; valid until ${dateOf(of.end_at)}`]
}
/** Why a purchase is stopped: what, by which rule, how many are bought, how many more may be. */
export const stopText = (
  of: Pick<LimitTerms, 'name' | 'dimension' | 'per' | 'end_at'>,
  { limit, had, left, now }: { limit: number; had: number; left: number; now: number },
): Text => {
  if (limit === 0)
    return [`「{title}」暂不可购买（${of.name}）`, `“{title}” is not for sale now (${of.name})`]
  const [zh, en] = limitSentence(of, limit)
  const [until, til] = untilText(of, now)
  return [
    `「{title}」超出限购“${of.name}”：${zh}，已购 ${had} 件，还可购 ${left} 件${until}`,
    `“{title}” is beyond “${of.name}”: ${en}; ${had} bought, ${left} more may be${til}`,
  ]
}

/** Whether a scope names e-cards. */
export const namesCards = (of: Pick<LimitTerms, 'scope_kind' | 'product_kind'>): boolean =>
  of.scope_kind === 'product' && of.product_kind === 'ecard'
const scopeFault = (of: Omit<LimitTerms, 'name'>): Text | undefined => {
  if (of.scope_kind === 'all') return undefined
  if (of.scope_kind === 'activity')
    return of.ways.length > 0 ? undefined : ['请至少选择一种活动', 'Choose an activity at least']
  return of.scope_ids.length > 0 ? undefined : ['请至少选择一项', 'Choose one at least']
}
/** Whether a rule, or one of its levels, lets nothing be bought. */
const sellsNothing = (of: Pick<LimitTerms, 'qty' | 'level_qty'>): boolean =>
  of.qty === 0 || Object.values(of.level_qty).includes(0)
/** The faults of a rule, by field. `zero_ok`: its writer said that nothing be sold. */
export const limitFaults = (
  of: Omit<LimitTerms, 'name'>,
  zero_ok: boolean,
): Readonly<Record<string, Text | undefined>> => ({
  [of.scope_kind === 'activity' ? 'ways' : 'scope_ids']: scopeFault(of),
  scope_kind:
    of.product_kind === 'ecard' && (of.scope_kind === 'category' || of.scope_kind === 'activity')
      ? [
          '电子卡没有类目与活动，请按商品、门店或商场限购',
          'E-cards have no category and no activity: limit them by card, store or mall',
        ]
      : undefined,
  product_kind:
    of.scope_kind === 'category' && of.product_kind === 'all'
      ? ['按类目限购须选定商品类型', 'A rule by category is about one kind of product']
      : undefined,
  end_at: of.end_at <= of.start_at ? ['结束须晚于开始', 'Must be after the start'] : undefined,
  zero_ok:
    sellsNothing(of) && !zero_ok
      ? ['限购 0 件即不可购买，请勾选确认', '0 means not for sale: confirm it']
      : undefined,
})
