import type { Text } from '#src/domain/text.ts'
import { SHANGHAI } from '#src/domain/time.ts'

/** How points are earned, and what they are worth. */
export const pointsRules = {
  profile: ['完善资料', 'Completing the profile'],
  clocked: ['签到打卡', 'Sign-in and check-in'],
  buy: ['消费送积分', 'Spending'],
  comment: ['评价送积分', 'Reviews'],
  rate: ['积分比例', 'Rate'],
} as const satisfies Record<string, Text>
export type PointsRuleKind = keyof typeof pointsRules
export const ruleStates = {
  draft: ['草稿', 'Draft'],
  waiting: ['待复核', 'Pending review'],
  on: ['启用', 'On'],
  off: ['停用', 'Off'],
} as const satisfies Record<string, Text>
export type PointsRuleState = keyof typeof ruleStates

/** What a rate is by its state and the time: which one is in force is read, never written. */
export const rateStates = {
  live: ['生效中', 'In force'],
  waiting: ['待复核', 'Pending review'],
  scheduled: ['待生效', 'Begins later'],
  past: ['已过期', 'Past'],
  rejected: ['已驳回', 'Rejected'],
} as const satisfies Record<string, Text>
export type RateState = keyof typeof rateStates
type RateTimes = { status: PointsRuleState; effective_at: number | null; until: number | null }
/** What a rate is at a time; `until` is when the next one begins. */
export const rateState = ({ status, effective_at, until }: RateTimes, now: number): RateState => {
  if (status === 'waiting') return 'waiting'
  if (status !== 'on' || effective_at === null) return 'rejected'
  if (effective_at > now) return 'scheduled'
  return until === null || until > now ? 'live' : 'past'
}
/** Whether a person may decide about a rate that waits, or why not. */
export const mayDecideRate = (
  { state, maker_id }: { state: RateState; maker_id: number | null },
  me: number,
): true | Text => {
  if (state !== 'waiting') return ['没有待复核的变更', 'Nothing of it waits for approval']
  return (
    maker_id !== me || [
      '申请人不能复核自己的变更，请由另一人处理',
      'You asked for it: another person decides',
    ]
  )
}
/** What is wrong with multipliers: each of a level, of cards and of a day stands once. */
export const multiplierFault = (all: readonly Multiplier[]): Text | undefined => {
  const keys = all.map(one => JSON.stringify({ ...one, times_bp: 0 }))
  return new Set(keys).size === keys.length
    ? undefined
    : ['同一等级、会员卡或日期只能设一个倍率', 'A level, the card or a day has one multiplier']
}
/**
 * Pairs as somebody types them, such as `4=1.2，5=1.3`: a number, and a multiplier from 0.5 to 10 in
 * basis points. Undefined where it is anything else.
 */
export const timesPairs = (typed: string, most: number): [number, number][] | undefined => {
  const parts = typed
    .normalize('NFKC')
    .split(/[,;、\s]+/)
    .filter(Boolean)
  const pairs = parts.map((part): [number, number] | undefined => {
    const found = /^(\d{1,2})[=:](\d{1,2}(?:\.\d{1,2})?)$/.exec(part)
    if (!found) return undefined
    const [n, times_bp] = [Number(found[1]), Math.round(Number(found[2]) * 10_000)]
    return n <= most && times_bp >= TIMES_MIN && times_bp <= TIMES_MAX ? [n, times_bp] : undefined
  })
  return pairs.includes(undefined) ? undefined : (pairs as [number, number][])
}

/** The least and most that a multiplier is, in basis points: 0.5 and 10 times. */
export const TIMES_MIN = 5000
export const TIMES_MAX = 100_000
const HUNDRED = 100
/** More points for a level, for who paid for a card, or on a day of each month (basis points). */
export type Multiplier =
  | { by: 'level'; level: number; times_bp: number }
  | { by: 'vip'; times_bp: number }
  | { by: 'monthday'; day: number; times_bp: number }
/** How long points are good for: so many months, or to the end of a year after so many years. */
export type Validity = { by: 'rolling'; months: number } | { by: 'year_end'; years: number }
export type RateConfig = {
  /** Hundredths of a point that one yuan earns: 100 is a point a yuan. */
  earn_hundredths: number
  /** Points that make up for one yuan of an order. */
  offset_points: number
  /** How much of an order points may pay, in basis points. */
  offset_share_bp: number
  validity: Validity
  multipliers: Multiplier[]
}
/** The kinds of orders whose payment may earn points. */
export const earningKinds = [
  'bulks',
  'roll_buy',
  'voucher',
  'goods',
  'elist',
  'film',
  'vip_card',
  'visitor',
  'combo',
  'raise',
] as const
export type BuyConfig = {
  kinds: (typeof earningKinds)[number][]
  /** When an order earns: as soon as it is paid, or once it was redeemed or received. */
  at: 'paid' | 'used'
  /** What earns nothing: categories with all below them, and stores. */
  exclude: Record<ExcludeScope, number[]>
}
/** What can be excluded from earning; e-commerce has a tree of categories of its own. */
export const excludeScopes = {
  shop_category: ['经营分类', 'Categories of stores'],
  e_category: ['电商分类', 'E-commerce categories'],
  store: ['门店', 'Stores'],
} as const satisfies Record<string, Text>
export type ExcludeScope = keyof typeof excludeScopes
type Span = { mids: readonly number[]; start_at: number | null; end_at: number | null }
/**
 * Whether two rules of a kind hold for the same mall at the same time; one of a mall’s own stands
 * beside the one for all others.
 */
export const overlaps = (a: Span, b: Span): boolean => {
  const sameMalls =
    a.mids.length === 0 || b.mids.length === 0
      ? a.mids.length === b.mids.length
      : a.mids.some(id => b.mids.includes(id))
  return (
    sameMalls &&
    (a.start_at ?? 0) < (b.end_at ?? Infinity) &&
    (b.start_at ?? 0) < (a.end_at ?? Infinity)
  )
}

export const rateAtFirst: RateConfig = {
  earn_hundredths: HUNDRED,
  offset_points: HUNDRED,
  offset_share_bp: 3000,
  validity: { by: 'rolling', months: 12 },
  multipliers: [],
}

const monthOf = (at: number) => {
  const day = new Date((at + SHANGHAI) * 1000)
  return { year: day.getUTCFullYear(), month: day.getUTCMonth(), date: day.getUTCDate() }
}
/** Midnight in Shanghai (unix seconds) of a day of the calendar; months are counted from 0. */
const midnight = (year: number, month: number, date: number): number =>
  Date.UTC(year, month, date) / 1000 - SHANGHAI
/**
 * When points that come in now end (unix seconds): at the midnight after their last day, which is the
 * same day of a later month, or its last; or at the end of a year.
 */
export const expiryOf = (how: Validity, now: number): number => {
  const { year, month, date } = monthOf(now)
  if (how.by === 'year_end') return midnight(year + how.years + 1, 0, 1)
  const last = new Date(Date.UTC(year, month + how.months + 1, 0)).getUTCDate()
  return midnight(year, month + how.months, Math.min(date, last) + 1)
}

/** What decides about multipliers: the member's level and card, and the day it is. */
export type Buyer = { level: number; vip: boolean; at: number }
/** The highest multiplier that applies, in basis points; they are never multiplied together. */
export const timesFor = (all: readonly Multiplier[], who: Buyer): number => {
  const { date } = monthOf(who.at)
  const fits = (one: Multiplier): boolean => {
    if (one.by === 'level') return one.level === who.level
    return one.by === 'vip' ? who.vip : one.day === date
  }
  const found = all.filter(fits).map(one => one.times_bp)
  return found.length === 0 ? 10_000 : Math.max(...found)
}
/** Points that so many cents earn at a rate, rounded down once. */
export const pointsFor = (rate: RateConfig, cents: number, times: number): number =>
  cents <= 0
    ? 0
    : Number((BigInt(cents) * BigInt(rate.earn_hundredths) * BigInt(times)) / 100_000_000n)
