import { CHANNEL_DAYS } from '#src/areas/channelCode/stat.ts'
import { DAY, dateOf, dayStart, UNIX_MOST } from '#src/domain/time.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'

const USUAL_DAYS = 30
/** The first whole day that unix seconds count, and the end of the last that a contract takes. */
const FIRST = dayStart(DAY)
const LAST = dayStart(UNIX_MOST)
/** The beginning of the day of a moment, or of the first day there is. */
export const dayFrom = (at: number): number => Math.max(FIRST, dayStart(at))
/** Whole days, 30 of them unless said otherwise; 422 for more than 366. */
export const rangeOf = (
  { from, to }: { from?: number | undefined; to?: number | undefined },
  now: number,
): { from: number; to: number } => {
  const end = Math.min(dayStart(to ?? now) + DAY, LAST)
  const begin = dayFrom(from ?? end - USUAL_DAYS * DAY)
  if (end <= begin) throw invalid({ from: ['开始须早于结束', 'It has to begin before it ends'] })
  if (end - begin > CHANNEL_DAYS * DAY)
    throw ruled('too_long', ['时间范围最长 366 天', 'A range is 366 days at most'])
  return { from: begin, to: end }
}
/** Whether a range holds today, which still goes on. */
export const isPartial = ({ to }: { to: number }, now: number): boolean => to > dayStart(now)
/** The beginning of a day that is named (unix seconds); undefined where there is no such day. */
export const startOf = (day: string): number | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const at = Date.parse(`${day}T00:00:00+08:00`) / 1000
  return Number.isNaN(at) || dateOf(at) !== day ? undefined : at
}
/** A day of today or before, or 400. */
export const needDay = (day: string, now: number): void => {
  const at = startOf(day)
  if (at === undefined || at > now)
    throw invalid({ day: ['请填写今天或之前的日期，如 2026-03-01', 'Today or a day before it'] })
}
