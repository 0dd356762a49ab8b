import type { Text } from '#src/domain/text.ts'

/** What figures of referrals are told for. */
export const pullStatBy = {
  campaign: ['按活动', 'By campaign'],
  promoter: ['按推广人', 'By promoter'],
  mall: ['按商场', 'By mall'],
  day: ['按日', 'By day'],
} as const satisfies Record<string, Text>
export type PullStatBy = keyof typeof pullStatBy
export const PULL_STAT_DAYS = 396

/** Counts of records that add up over rows. A record counts for its scan’s day and its one promoter. */
export type PullSums = {
  scans: number
  registered: number
  ticketed: number
  valid: number
  second: number
  /** Valid and not paid yet (cents), and what was paid. */
  due_cents: number
  paid_cents: number
  flagged: number
}
const noPulls: PullSums = {
  scans: 0,
  registered: 0,
  ticketed: 0,
  valid: 0,
  second: 0,
  due_cents: 0,
  paid_cents: 0,
  flagged: 0,
}
export const addPulls = (all: readonly PullSums[]): PullSums =>
  all.reduce(
    (sum, one) =>
      Object.fromEntries(
        (Object.keys(noPulls) as (keyof PullSums)[]).map(key => [key, sum[key] + one[key]]),
      ) as PullSums,
    noPulls,
  )
/** What a buyer who stayed costs (cents), and which share of records looks made up. */
export const pullRates = (of: PullSums) => ({
  cost_cents: of.valid === 0 ? null : Math.round((of.due_cents + of.paid_cents) / of.valid),
  flagged_bp: of.scans === 0 ? null : Math.round((of.flagged * 10_000) / of.scans),
})
