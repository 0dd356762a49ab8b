import { DAY, SHANGHAI } from '#src/domain/time.ts'

export const DAY_MINUTES = 24 * 60
export const WEEK_MINUTES = 7 * DAY_MINUTES

/**
 * 班次: on which days (1 Monday to 7 Sunday) from which minute of the day to which, Beijing time. An
 * overnight shift begins on its day and ends on the next; `to_min` may then be before `from_min`.
 */
export type Shift = {
  weekdays: readonly number[]
  from_min: number
  to_min: number
  overnight: boolean
  userids: readonly string[]
}
/** Minutes of a week from Monday 00:00, `to` not included; `to` may lie behind the week's end. */
export type Span = { from: number; to: number }

/** The minute of the week at a time in unix seconds, in Beijing. */
export const weekMinuteOf = (at: number): number => {
  const local = at + SHANGHAI
  // The first of January 1970 was a Thursday.
  const weekday = (Math.floor(local / DAY) + 3) % 7
  return weekday * DAY_MINUTES + Math.floor((local % DAY) / 60)
}
/** The spans of a week that a shift covers, one a day. */
const spansOf = ({ weekdays, from_min, to_min, overnight }: Shift): Span[] => {
  const length = overnight ? DAY_MINUTES - from_min + to_min : to_min - from_min
  return weekdays.map(day => {
    const from = (day - 1) * DAY_MINUTES + from_min
    return { from, to: from + length }
  })
}
/** Whether a minute of the week lies in a span, also one that goes on into the next week. */
const covers = ({ from, to }: Span, minute: number): boolean =>
  (from <= minute && minute < to) || (from <= minute + WEEK_MINUTES && minute + WEEK_MINUTES < to)
/** The people on duty at a minute of the week. */
export const onDuty = (shifts: readonly Shift[], minute: number): ReadonlySet<string> =>
  new Set(
    shifts.flatMap(shift =>
      spansOf(shift).some(span => covers(span, minute)) ? shift.userids : [],
    ),
  )
/** Spans cut at the end of the week, in their order. */
const unrolled = (spans: readonly Span[]): Span[] =>
  spans
    .flatMap(({ from, to }) =>
      to <= WEEK_MINUTES
        ? [{ from, to }]
        : [
            { from, to: WEEK_MINUTES },
            { from: 0, to: to - WEEK_MINUTES },
          ],
    )
    .sort((a, b) => a.from - b.from)
/** The parts of a week in which nobody is on duty, in their order. */
export const gapsOf = (shifts: readonly Shift[]): Span[] => {
  const gaps: Span[] = []
  let covered = 0
  const taken = unrolled(shifts.filter(one => one.userids.length > 0).flatMap(spansOf))
  for (const { from, to } of taken) {
    if (from > covered) gaps.push({ from: covered, to: from })
    covered = Math.max(covered, to)
  }
  if (covered < WEEK_MINUTES) gaps.push({ from: covered, to: WEEK_MINUTES })
  return gaps
}
/** The first of somebody's shifts that lies over another of theirs, by their places in the list. */
export const overlapOf = (
  shifts: readonly Shift[],
): { userid: string; first: number; second: number } | undefined => {
  const people = new Set(shifts.flatMap(one => one.userids))
  for (const userid of people) {
    const theirs = shifts
      .flatMap((shift, at) =>
        shift.userids.includes(userid)
          ? unrolled(spansOf(shift)).map(span => ({ ...span, at }))
          : [],
      )
      .sort((a, b) => a.from - b.from)
    const clash = theirs.findIndex((one, n) => n > 0 && one.from < theirs[n - 1]!.to)
    if (clash > 0) {
      const [first, second] = [theirs[clash - 1]!.at, theirs[clash]!.at].sort((a, b) => a - b)
      return { userid, first: first!, second: second! }
    }
  }
  return undefined
}
