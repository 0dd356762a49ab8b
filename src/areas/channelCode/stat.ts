import type { Text } from '#src/domain/text.ts'

/** What figures of codes are told for. */
export const channelBy = {
  code: ['按活码', 'By code'],
  group: ['按分组', 'By group'],
  mall: ['按商场', 'By mall'],
  staff: ['按成员', 'By member'],
  day: ['按日', 'By day'],
} as const satisfies Record<string, Text>
export type ChannelBy = keyof typeof channelBy
/** The longest range that is told, and the longest that is counted anew at once, in days. */
export const CHANNEL_DAYS = 366
export const REBUILD_DAYS = 92
/** Orders count for the last code by which the buyer added somebody within so many days before. */
export const TOUCH_DAYS = 30
export const KEPT_DAYS = 7

/** Sums that add up over rows. */
export type ChannelSums = {
  scans: number
  /** Re-adds among them. */
  adds: number
  re_adds: number
  /** Dated by the loss. */
  lost: number
  lost_same_day: number
  /** Adds of days that are seven days ago, and those of them that were not lost since. */
  due_7d: number
  kept_7d: number
  backup_used: number
  bound: number
  first_orders: number
  orders: number
  paid_cents: number
  cost_cents: number
}
const noSums: ChannelSums = {
  scans: 0,
  adds: 0,
  re_adds: 0,
  lost: 0,
  lost_same_day: 0,
  due_7d: 0,
  kept_7d: 0,
  backup_used: 0,
  bound: 0,
  first_orders: 0,
  orders: 0,
  paid_cents: 0,
  cost_cents: 0,
}
/** Adds the sums of rows up. */
export const addChannel = (all: readonly ChannelSums[]): ChannelSums =>
  all.reduce(
    (sum, one) =>
      Object.fromEntries(
        (Object.keys(noSums) as (keyof ChannelSums)[]).map(key => [key, sum[key] + one[key]]),
      ) as ChannelSums,
    noSums,
  )
const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part * 10_000) / whole)
/** Rates of sums in basis points, money in cents; null where there is nothing to divide by. */
export const channelRates = (of: ChannelSums) => ({
  net: of.adds - of.lost,
  add_bp: share(of.adds, of.scans),
  retained_bp: share(of.kept_7d, of.due_7d),
  bound_bp: share(of.bound, of.adds),
  first_bp: share(of.first_orders, of.adds),
  lost_bp: share(of.lost, of.adds),
  cost_per_add: of.adds === 0 || of.cost_cents === 0 ? null : Math.round(of.cost_cents / of.adds),
  /** What was paid for each yuan spent, in basis points. */
  roi_bp: share(of.paid_cents, of.cost_cents),
})
