import type { Hours } from '#src/areas/mall/mall.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart, SHANGHAI } from '#src/domain/time.ts'

/** How a member showed up: by a tap a day, by staff afterwards, or at a mall. */
export const signKinds = {
  daily: ['每日签到', 'Daily sign-in'],
  makeup: ['补签', 'Made up'],
  spot: ['到店打卡', 'Check-in'],
} as const satisfies Record<string, Text>
export type SignKind = keyof typeof signKinds
/** How far from a mall's pin a check-in may be, in metres: the least and the most that is set. */
export const RADIUS_MIN = 50
export const RADIUS_MAX = 2000
/** How many days back staff may make up for. */
const MAKEUP_DAYS = 30
/** A device that so many members used within 30 days is looked at. */
export const SHARED_DEVICE = 3
/** Faster than this between two spots, in metres a second, nobody was at both. */
export const TRAVEL_MPS = 60
/** What is conspicuous about a record. */
export const oddities = {
  device: ['多人同设备', 'Shared device'],
  travel: ['短时跨店', 'Too fast between malls'],
} as const satisfies Record<string, Text>

const minutes = (text: string): number => {
  const [hour, minute] = text.split(':')
  return Number(hour) * 60 + Number(minute)
}
/**
 * Whether it is open at a time (unix seconds): hours of the day before that end past midnight count
 * too. No hours at all: always open.
 */
export const isOpenAt = (hours: readonly Hours[], at: number): boolean => {
  if (hours.length === 0) return true
  const day = Math.floor((at + SHANGHAI) / DAY)
  // The first of January 1970 was a Thursday; Monday is 1.
  const weekday = ((day + 3) % 7) + 1
  const before = weekday === 1 ? 7 : weekday - 1
  const minute = Math.floor((at - dayStart(at)) / 60)
  return hours.some(({ weekdays, from, to }) => {
    const [begin, end] = [minutes(from), minutes(to)]
    const past = end <= begin
    if (weekdays.includes(weekday) && minute >= begin && (past || minute < end)) return true
    return past && weekdays.includes(before) && minute < end
  })
}
type Opening = { open_from: string | null; open_to: string | null; open_hours: readonly Hours[] }
/** The hours of a spot: its own on every day, else those of its mall. */
export const hoursOfSpot = (of: Opening): readonly Hours[] =>
  of.open_from === null || of.open_to === null
    ? of.open_hours
    : [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: of.open_from, to: of.open_to }]
const HOURS = /^([01]\d|2[0-3]):[0-5]\d$/
/** What is wrong with the hours of a spot: both or none, as `HH:mm`. */
export const openingFault = (of: {
  open_from: string | null
  open_to: string | null
}): Text | undefined => {
  if (of.open_from === null && of.open_to === null) return undefined
  if (of.open_from === null || of.open_to === null)
    return ['开放起止时间须同时填写', 'Give both hours, or none']
  if (!HOURS.test(of.open_from) || !HOURS.test(of.open_to) || of.open_from === of.open_to)
    return ['请按 HH:mm 填写，且起止不同', 'As HH:mm, and not the same twice']
  return undefined
}
/** Why a day (its Shanghai midnight) can't be made up for now, or undefined. */
export const makeUpFault = (day: number, now: number): Text | undefined => {
  const today = dayStart(now)
  if (day >= today) return ['只能补过去的日期', 'Past days only']
  return day < today - MAKEUP_DAYS * DAY
    ? [`只能补最近 ${MAKEUP_DAYS} 天`, `Of the last ${MAKEUP_DAYS} days only`]
    : undefined
}
/** Whether a record can be voided, or why not. */
export const mayVoid = ({ is_void }: { is_void: boolean }): true | Text =>
  !is_void || ['已作废', 'It is void already']
/** How many days the month of a day has, and its first midnight (unix seconds). */
export const monthOf = (day: number): { from: number; days: number } => {
  const date = new Date((day + SHANGHAI) * 1000)
  const begin = (more: number) =>
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + more, 1) / 1000 - SHANGHAI
  return { from: begin(0), days: (begin(1) - begin(0)) / DAY }
}
/** What the mini-program is told of a sign-in or a check-in. */
export const signStates = ['done', 'already', 'far', 'closed', 'off', 'none'] as const
export type SignState = (typeof signStates)[number]
