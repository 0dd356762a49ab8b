/** A stretch of time, its end not included; null is open on that side. Unix seconds. */
export type Period = { start_at: number | null; end_at: number | null }

const startOf = (of: Period): number => of.start_at ?? -Infinity
const endOf = (of: Period): number => of.end_at ?? Infinity
export const isLive = (of: Period, now: number): boolean => startOf(of) <= now && now < endOf(of)
export const hasEnded = (of: Period, now: number): boolean => endOf(of) <= now
export const overlap = (a: Period, b: Period): boolean =>
  startOf(a) < endOf(b) && startOf(b) < endOf(a)

/** The most of `periods` that run at one moment within `during`. */
export const mostAtOnce = (periods: readonly Period[], during: Period): number => {
  const among = periods.filter(one => overlap(one, during))
  // The number only grows where one begins: it is enough to look there, and where `during` begins.
  const moments = [startOf(during), ...among.map(startOf).filter(at => at >= startOf(during))]
  return Math.max(
    0,
    ...moments.map(at => among.filter(one => startOf(one) <= at && at < endOf(one)).length),
  )
}
