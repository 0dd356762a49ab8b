import { nowMs } from './clock.ts'

/** Seconds of an hour. */
export const HOUR = 3600
/** Seconds of a day. */
export const DAY = 24 * HOUR

/** The last moment (unix seconds) that is taken or answered: the end of the century. */
export const UNIX_MOST = 4_102_444_800

/** Unix seconds now, by the server's clock. */
export const unixNow = (): number => Math.floor(nowMs() / 1000)

/**
 * The platform's day is Shanghai's, which has no daylight saving time: a fixed offset in seconds.
 */
export const SHANGHAI = 8 * HOUR

/** Unix seconds of the Shanghai midnight that began the day of `at`. */
export const dayStart = (at: number): number => Math.floor((at + SHANGHAI) / DAY) * DAY - SHANGHAI

/** How many hours a day has. */
export const HOURS = DAY / HOUR
/** The hours of a day: 0 to 23. */
export const hoursOfDay: readonly number[] = Array.from({ length: HOURS }, (_, hour) => hour)
/** The hours of the day of `at` that have begun, the first of them 0. */
export const hoursBegun = (at: number): readonly number[] =>
  hoursOfDay.slice(0, Math.floor((at - dayStart(at)) / HOUR) + 1)

// A file of a million rows has three times a row, all of a few hundred days.
const dates = new Map<number, string>()
const DATES_MAX = 4000
const dateOfDay = (day: number): string => {
  const known = dates.get(day)
  if (known !== undefined) return known
  const text = new Date(day * DAY * 1000).toISOString().slice(0, 10)
  if (dates.size >= DATES_MAX) dates.clear()
  dates.set(day, text)
  return text
}
const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))

/** `YYYY-MM-DD HH:mm:ss` in Shanghai (specification, section 5). */
export const timeFull = (at: number): string => {
  const local = Math.floor(at) + SHANGHAI
  const day = Math.floor(local / DAY)
  const second = local - day * DAY
  return `${dateOfDay(day)} ${two[Math.floor(second / HOUR)]}:${two[Math.floor(second / 60) % 60]}:${two[second % 60]}`
}

/** `YYYY-MM-DD` in Shanghai. */
export const dateOf = (at: number): string =>
  dateOfDay(Math.floor((Math.floor(at) + SHANGHAI) / DAY))
