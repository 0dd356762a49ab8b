import { onDuty, overlapOf, weekMinuteOf, type Shift } from '#src/areas/channelCode/duty.ts'
import type { Text } from '#src/domain/text.ts'

/**
 * When a rule holds: on which days (1 Monday to 7 Sunday) from which minute of the day to which,
 * Beijing time. One that ends no later than it begins goes on into the next day.
 */
export type Hours = { weekdays: number[]; from_min: number; to_min: number }

const who = 'rule'
const shiftOf = ({ weekdays, from_min, to_min }: Hours): Shift => ({
  weekdays,
  from_min,
  to_min,
  overnight: to_min <= from_min,
  userids: [who],
})
const always: readonly Hours[] = [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from_min: 0, to_min: 24 * 60 }]
/** A rule without hours holds at any time. */
const spread = (hours: readonly Hours[]) => (hours.length === 0 ? always : hours).map(shiftOf)

/** Whether a rule with these hours holds at a time, in unix seconds. */
export const holdsAt = (hours: readonly Hours[], at: number): boolean =>
  onDuty(spread(hours), weekMinuteOf(at)).has(who)
/** Whether two rules, or parts of one, hold at the same time of some week. */
export const overlap = (a: readonly Hours[], b: readonly Hours[]): boolean =>
  overlapOf([...spread(a), ...spread(b)]) !== undefined

const names: readonly Text[] = [
  ['周一', 'Mon'],
  ['周二', 'Tue'],
  ['周三', 'Wed'],
  ['周四', 'Thu'],
  ['周五', 'Fri'],
  ['周六', 'Sat'],
  ['周日', 'Sun'],
]
/** Sets of days that have a name; every other set is told day by day. */
const sets: Readonly<Record<string, Text>> = {
  '1,2,3,4,5,6,7': ['每天', 'Daily'],
  '1,2,3,4,5': ['工作日', 'Mon–Fri'],
  '6,7': ['周末', 'Sat–Sun'],
}
const daysOf = (weekdays: readonly number[]): Text => {
  const days = weekdays.toSorted((a, b) => a - b)
  const named = sets[days.join(',')]
  if (named) return named
  const words = days.map(day => names[day - 1]!)
  return [words.map(([zh]) => zh).join('、'), words.map(([, en]) => en).join(', ')]
}
/** A minute of the day as a clock shows it: 570 is 09:30, 1440 is 24:00. */
export const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
/** The minute of the day that a clock shows; undefined where it is no time of a day. */
export const minuteOf = (clock: string): number | undefined => {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(clock.trim()) ?? []
  const at = Number(hour) * 60 + Number(minute)
  return Number.isInteger(at) && Number(minute) < 60 && at <= 24 * 60 ? at : undefined
}
const spanText = ({ weekdays, from_min, to_min }: Hours): Text => {
  const [zh, en] = daysOf(weekdays)
  const isNext = to_min <= from_min
  const from = clockOf(from_min)
  return [
    `${zh} ${from}–${isNext ? '次日 ' : ''}${clockOf(to_min)}`,
    `${en} ${from}–${clockOf(to_min)}${isNext ? ' next day' : ''}`,
  ]
}
/** The hours of a rule in words; one without any holds always. */
export const hoursText = (hours: readonly Hours[]): Text => {
  if (hours.length === 0) return ['全天', 'Any time']
  const all = hours.map(spanText)
  return [all.map(([zh]) => zh).join('；'), all.map(([, en]) => en).join('; ')]
}
