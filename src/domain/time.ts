/** Unix seconds now. */
export const unixNow = (): number => Math.floor(Date.now() / 1000)

/**
 * The platform's day is Shanghai's, which has no daylight saving time: a fixed offset in seconds.
 */
const SHANGHAI = 8 * 3600

/** Unix seconds of the Shanghai midnight that began the day of `at`. */
export const dayStart = (at: number): number =>
  Math.floor((at + SHANGHAI) / 86400) * 86400 - SHANGHAI

// A file of a million rows has three times a row, all of a few hundred days.
const dates = new Map<number, string>()
const DATES_MAX = 4000
const dateOfDay = (day: number): string => {
  const known = dates.get(day)
  if (known !== undefined) return known
  const text = new Date(day * 86_400_000).toISOString().slice(0, 10)
  if (dates.size >= DATES_MAX) dates.clear()
  dates.set(day, text)
  return text
}
const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))

/** `YYYY-MM-DD HH:mm:ss` in Shanghai (specification, section 5). */
export const timeFull = (at: number): string => {
  const local = Math.floor(at) + SHANGHAI
  const day = Math.floor(local / 86_400)
  const second = local - day * 86_400
  return `${dateOfDay(day)} ${two[Math.floor(second / 3600)]}:${two[Math.floor(second / 60) % 60]}:${two[second % 60]}`
}

/** `YYYY-MM-DD` in Shanghai. */
export const dateOf = (at: number): string =>
  dateOfDay(Math.floor((Math.floor(at) + SHANGHAI) / 86_400))
