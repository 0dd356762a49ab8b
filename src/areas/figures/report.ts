import type { SendState } from '#src/areas/notice/warning.ts'
import { unitStart, weekdayOf, written, type CalendarUnit } from '#src/domain/calendar.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'

export const reportTemplates = {
  trade: ['交易日报', 'Trade'],
  verify: ['核销报表', 'Redemptions'],
  refund: ['退款报表', 'Refunds'],
  store_rank: ['门店排行', 'Store ranking'],
  audit: ['审核效率', 'Audits'],
  settle: ['结算报表', 'Settlement'],
} as const satisfies Record<string, Text>
export type ReportTemplate = keyof typeof reportTemplates
const reportEvery = {
  daily: ['每天', 'Daily'],
  weekly: ['每周', 'Weekly'],
  monthly: ['每月', 'Monthly'],
} as const satisfies Record<string, Text>
export type ReportEvery = keyof typeof reportEvery

/** How a report stands, by all of its receivers. */
export const runStates = {
  sending: ['发送中', 'Sending'],
  ok: ['成功', 'Sent'],
  partial: ['部分送达', 'Partly sent'],
  failed: ['失败', 'Failed'],
} as const satisfies Record<string, Text>
export type RunState = keyof typeof runStates
/** A run is done when every receiver is, and a success only when every channel answered. */
export const runStateOf = (sends: readonly { state: SendState }[]): RunState => {
  if (sends.some(one => one.state === 'waiting')) return 'sending'
  const reached = sends.filter(one => one.state === 'sent').length
  if (reached === 0) return 'failed'
  return reached === sends.length ? 'ok' : 'partial'
}

const pattern =
  /^(?:(daily)|(weekly) ([1-7])|(monthly) ([1-9]|1\d|2[0-8])) ((?:[01]\d|2[0-3]):[0-5]\d)$/
/**
 * When a report goes out: `daily 09:00`, `weekly 1 09:00` (Monday is 1), `monthly 1 09:00` (the 1st
 * to the 28th), Shanghai time; undefined for anything else.
 */
export const scheduleOf = (
  text: string,
): { every: ReportEvery; day: number; minute: number } | undefined => {
  const found = pattern.exec(text.trim())
  if (!found) return undefined
  const [, daily, weekly, weekday, monthly, monthday, time] = found
  return {
    every: (daily ?? weekly ?? monthly) as ReportEvery,
    day: Number(weekday ?? monthday ?? 0),
    minute: Number(time!.slice(0, 2)) * 60 + Number(time!.slice(3)),
  }
}
const units = { daily: 'day', weekly: 'isoWeek', monthly: 'month' } as const satisfies Record<
  ReportEvery,
  CalendarUnit
>
/** Whether a schedule goes out on the day that begins at `start`. */
const isItsDay = (every: ReportEvery, day: number, start: number): boolean => {
  if (every === 'daily') return true
  return every === 'weekly' ? weekdayOf(start) === day : Number(written(start, 'D')) === day
}
/** The first moment after `after` at which a schedule is due; unix seconds. */
export const nextRun = (schedule: string, after: number): number => {
  const { every, day, minute } = scheduleOf(schedule)!
  for (let start = dayStart(after); ; start += DAY) {
    const at = start + minute * 60
    if (at > after && isItsDay(every, day, start)) return at
  }
}
/**
 * The whole days that a report of this rhythm is about when it goes out at a moment: yesterday, the
 * last week from Monday to Sunday, the last month.
 */
export const reportPeriod = (every: ReportEvery, at: number): { from: string; to: string } => {
  const last = unitStart(at, units[every]) - DAY
  return { from: dateOf(unitStart(last, units[every])), to: dateOf(last) }
}
