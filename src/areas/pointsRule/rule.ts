import { z } from 'zod'
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
  waiting: ['待复核', 'Waits for approval'],
  on: ['启用', 'On'],
  off: ['停用', 'Off'],
} as const satisfies Record<string, Text>
export type PointsRuleState = keyof typeof ruleStates

/** The least and most that a multiplier is, in basis points: 0.5 and 10 times. */
export const TIMES_MIN = 5000
export const TIMES_MAX = 100_000
const times_bp = z.int().min(TIMES_MIN).max(TIMES_MAX)
const HUNDRED = 100
export const multiplier = z.discriminatedUnion('by', [
  z.object({ by: z.literal('level'), level: z.int().min(0).max(5), times_bp }),
  z.object({ by: z.literal('vip'), times_bp }),
  z.object({ by: z.literal('monthday'), day: z.int().min(1).max(31), times_bp }),
])
export type Multiplier = z.infer<typeof multiplier>
/** How long points are good for: so many months, or to the end of a year after so many years. */
export const validity = z.discriminatedUnion('by', [
  z.object({ by: z.literal('rolling'), months: z.int().min(1).max(60) }),
  z.object({ by: z.literal('year_end'), years: z.int().min(0).max(4) }),
])
export type Validity = z.infer<typeof validity>
export const rateConfig = z.object({
  /** Hundredths of a point that one yuan earns: 100 is a point a yuan. */
  earn_hundredths: z.int().min(1).max(10_000),
  /** Points that make up for one yuan of an order. */
  offset_points: z.int().min(1).max(100_000),
  /** How much of an order points may pay, in basis points. */
  offset_share_bp: z.int().min(0).max(10_000),
  validity,
  multipliers: z.array(multiplier).max(20),
})
export type RateConfig = z.infer<typeof rateConfig>

/** Which paid business earns points, by the kind of its order. */
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
export const buyConfig = z.object({
  kinds: z.array(z.enum(earningKinds)).max(20),
  /** When an order earns: as soon as it is paid, or once it was redeemed or received. */
  at: z.enum(['paid', 'used']),
  exclude: z.object({
    category_ids: z.array(z.int().positive()).max(200),
    store_ids: z.array(z.int().positive()).max(200),
  }),
  /** Flash sales and orders that cost nothing but freight earn nothing unless this says so. */
  flash: z.boolean(),
})
export type BuyConfig = z.infer<typeof buyConfig>

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
