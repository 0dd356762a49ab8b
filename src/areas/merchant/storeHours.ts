import { momentNamed } from '#src/domain/calendar.ts'
import { comma, say, semicolon, type Lang, type Text } from '#src/domain/text.ts'
import { DAY, dateOf } from '#src/domain/time.ts'

/** From when until when, as `HH:mm`; an end before its beginning is on the next day. */
type Span = { from: string; to: string }
/** On some weekdays (1 Monday); a weekday may stand in several lines. */
export type WeekLine = Span & { weekdays: number[] }
/** On one day instead of its weekday's lines; closed all day where both times are empty. */
export type HolidayLine = Span & { date: string }
export type StoreHours = { week: WeekLine[]; holidays: HolidayLine[] }
export const noHours: StoreHours = { week: [], holidays: [] }
export const WEEK_LINES_MOST = 14
export const HOLIDAY_LINES_MOST = 60

const DAY_MINUTES = 1440
const WEEK_MINUTES = 7 * DAY_MINUTES
const FORM = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/
const minutes = (at: string): number => Number(at.slice(0, 2)) * 60 + Number(at.slice(3))
/** How long a span is; one that ends before it begins goes on past midnight. */
const lasts = ({ from, to }: Span): number => {
  const length = minutes(to) - minutes(from)
  return length > 0 ? length : length + DAY_MINUTES
}
const isSound = ({ from, to }: Span): boolean =>
  FORM.test(from) && FORM.test(to) && from !== '24:00' && from !== to
/** The number of a day since 1970. */
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / (DAY * 1000)
const isDay = (date: string): boolean => momentNamed(date) !== undefined

type Piece = { at: number; end: number }
/** The day on which two pieces share a minute; undefined where none do. */
const clash = (pieces: readonly Piece[]): number | undefined => {
  const sorted = pieces.toSorted((a, b) => a.at - b.at)
  let end = -Infinity
  for (const piece of sorted) {
    if (piece.at < end) return Math.floor(piece.at / DAY_MINUTES)
    end = Math.max(end, piece.end)
  }
  return undefined
}
/** The lines of a week as pieces of it: what goes past Sunday's midnight comes back on Monday. */
const weekPieces = (week: readonly WeekLine[]): Piece[] =>
  week.flatMap(line =>
    line.weekdays.flatMap(day => {
      const at = (day - 1) * DAY_MINUTES + minutes(line.from)
      const end = at + lasts(line)
      return end > WEEK_MINUTES
        ? [
            { at, end: WEEK_MINUTES },
            { at: 0, end: end - WEEK_MINUTES },
          ]
        : [{ at, end }]
    }),
  )
const isClosedLine = ({ from, to }: Span): boolean => from === '' && to === ''
const holidayPieces = (lines: readonly HolidayLine[]): Piece[] =>
  lines
    .filter(line => !isClosedLine(line))
    .map(line => {
      const at = dayOf(line.date) * DAY_MINUTES + minutes(line.from)
      return { at, end: at + lasts(line) }
    })

export const weekdayNames: readonly Text[] = [
  ['周一', 'Mon'],
  ['周二', 'Tue'],
  ['周三', 'Wed'],
  ['周四', 'Thu'],
  ['周五', 'Fri'],
  ['周六', 'Sat'],
  ['周日', 'Sun'],
]
const weekFault = (week: readonly WeekLine[]): Text | undefined => {
  if (week.some(line => line.weekdays.length === 0 || !isSound(line)))
    return ['每行须选星期，并填写 HH:mm 的起止时间', 'Each line has weekdays, and times as HH:mm']
  const day = clash(weekPieces(week))
  if (day === undefined) return undefined
  const [zh, en] = weekdayNames[day]!
  return [`${zh}的营业时间有重叠`, `Hours overlap on ${en}`]
}
const holidayFault = (lines: readonly HolidayLine[]): Text | undefined => {
  if (lines.some(line => !isDay(line.date) || !(isClosedLine(line) || isSound(line))))
    return [
      '节假日须填写日期，以及 HH:mm 的起止时间或全天休息',
      'A holiday has a date, and times as HH:mm or none',
    ]
  const closed = lines.filter(isClosedLine).map(line => line.date)
  const both = closed.find(
    (date, at) => lines.filter(one => one.date === date).length > 1 || closed.indexOf(date) !== at,
  )
  const day = clash(holidayPieces(lines))
  const date = both ?? (day === undefined ? undefined : dateOf(day * DAY))
  return date === undefined ? undefined : [`${date} 的营业时间有重叠`, `Hours overlap on ${date}`]
}
/**
 * What is wrong with opening hours, or undefined: every line is whole, and no minute stands in two of
 * them. A span may go past midnight, and then meets the next day's.
 */
export const hoursFault = ({ week, holidays }: StoreHours): Text | undefined =>
  weekFault(week) ?? holidayFault(holidays)

/** True of hours that say when a store is open, and are sound. */
export const areHours = (of: StoreHours): boolean =>
  of.week.length > 0 && hoursFault(of) === undefined

/** Without the holidays that are over: they say nothing any more. */
export const withoutPast = ({ week, holidays }: StoreHours, now: number): StoreHours => ({
  week,
  holidays: holidays.filter(line => !isDay(line.date) || line.date >= dateOf(now)),
})

const runs = (days: readonly number[]): [number, number][] => {
  const found: [number, number][] = []
  for (const day of days.toSorted((a, b) => a - b)) {
    const last = found.at(-1)
    if (last && last[1] === day - 1) last[1] = day
    else found.push([day, day])
  }
  return found
}
const daysIn = (days: readonly number[], lang: Lang): string =>
  runs(days)
    .flatMap(([from, to]) => {
      const [first, last] = [say(weekdayNames[from - 1]!, lang), say(weekdayNames[to - 1]!, lang)]
      if (to === from) return [first]
      return to === from + 1
        ? [first, last]
        : [say(['{a}至{b}', '{a}–{b}'], lang, { a: first, b: last })]
    })
    .join(say(comma, lang))
const spanIn = (of: Span, lang: Lang): string => {
  if (isClosedLine(of)) return say(['休息', 'closed'], lang)
  if (of.from === '00:00' && of.to === '24:00') return say(['24 小时', '24 h'], lang)
  const next = minutes(of.to) <= minutes(of.from)
  return `${of.from}-${next ? say(['次日 ', 'next day '], lang) : ''}${of.to}`
}
/** Hours in words, as customers read them: lines of the same days together. */
export const hoursWords = ({ week, holidays }: StoreHours, lang: Lang = 'zh'): string => {
  const together = new Map<string, { days: number[]; spans: string[] }>()
  for (const line of week.toSorted((a, b) => a.from.localeCompare(b.from))) {
    const days = line.weekdays.toSorted((a, b) => a - b)
    const key = days.join()
    const known = together.get(key) ?? { days, spans: [] }
    known.spans.push(spanIn(line, lang))
    together.set(key, known)
  }
  const between = say(comma, lang)
  const weekly = [...together.values()]
    .toSorted((a, b) => (a.days[0] ?? 0) - (b.days[0] ?? 0))
    .map(({ days, spans }) =>
      days.length === 7 ? spans.join(between) : `${daysIn(days, lang)} ${spans.join(between)}`,
    )
  const special = holidays
    .toSorted((a, b) => a.date.localeCompare(b.date) || a.from.localeCompare(b.from))
    .map(line => `${line.date} ${spanIn(line, lang)}`)
  return [...weekly, ...special].join(say(semicolon, lang))
}
const everyDay = [1, 2, 3, 4, 5, 6, 7]
/** The hours that simple words say, such as `10:00-22:00`; none where they say something else. */
export const hoursFrom = (words: string): StoreHours => {
  const plain = words.normalize('NFKC').replace(/\s/g, '')
  if (plain === '24小时')
    return { week: [{ weekdays: everyDay, from: '00:00', to: '24:00' }], holidays: [] }
  const [, from, to] = /^(\d\d:\d\d)[-–~](\d\d:\d\d)$/.exec(plain) ?? []
  const line = { weekdays: everyDay, from: from ?? '', to: to ?? '' }
  return isSound(line) ? { week: [line], holidays: [] } : noHours
}
