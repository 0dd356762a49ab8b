import dayjs, { type Dayjs } from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat.js'
import isoWeek from 'dayjs/plugin/isoWeek.js'
import utc from 'dayjs/plugin/utc.js'
import { SHANGHAI } from './time.ts'

dayjs.extend(utc)
dayjs.extend(customParseFormat)
dayjs.extend(isoWeek)

/** What a calendar counts in; an `isoWeek` begins on its Monday. */
export type CalendarUnit = 'day' | 'isoWeek' | 'month'

/** The calendar of Shanghai at a moment, whatever zone the machine is in: its fields are UTC's. */
const wallAt = (at: number): Dayjs => dayjs.utc((at + SHANGHAI) * 1000)
const momentOf = (wall: Dayjs): number => wall.unix() - SHANGHAI

/** Unix seconds of the Shanghai midnight that began the day, week or month of `at`. */
export const unitStart = (at: number, unit: CalendarUnit): number =>
  momentOf(wallAt(at).startOf(unit))
/** Unix seconds of the Shanghai midnight at which the day, week or month of `at` ends. */
export const unitEnd = (at: number, unit: CalendarUnit): number =>
  momentOf(
    wallAt(at)
      .startOf(unit)
      .add(1, unit === 'isoWeek' ? 'week' : unit),
  )
/** The day of the week in Shanghai: Monday is 1, Sunday 7. */
export const weekdayOf = (at: number): number => wallAt(at).isoWeekday()
/** A moment in Shanghai in a form of dayjs (`YYYYMM`). */
export const written = (at: number, form: string): string => wallAt(at).format(form)
/**
 * The moment (unix seconds) that a text of a form of dayjs names in Shanghai, a day its midnight;
 * undefined where the text has another form, or no calendar has the day.
 */
export const momentNamed = (text: string, form = 'YYYY-MM-DD'): number | undefined => {
  const wall = dayjs.utc(text, form, true)
  return wall.isValid() ? momentOf(wall) : undefined
}
