import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  hoursFault,
  hoursFrom,
  hoursWords,
  withoutPast,
  type HolidayLine,
  type StoreHours,
  type WeekLine,
} from '#src/areas/merchant/storeHours.ts'
import { DAY, dateOf } from '#src/domain/time.ts'

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
// Steps of half an hour keep the minute-by-minute count below small.
const span = fc
  .tuple(fc.integer({ min: 0, max: 47 }), fc.integer({ min: 0, max: 47 }))
  .filter(([from, to]) => from !== to)
  .map(([from, to]) => ({ from: clock(from * 30), to: clock(to * 30) }))
const line: fc.Arbitrary<WeekLine> = fc
  .tuple(fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), span)
  .map(([weekdays, times]) => ({ weekdays, ...times }))
const half = (at: string) => (Number(at.slice(0, 2)) * 60 + Number(at.slice(3))) / 30
/** How many lines cover each half hour of a ring of days. */
const covered = (lines: readonly { day: number; from: string; to: string }[], days: number) => {
  const counts = Array.from({ length: days * 48 }, () => 0)
  for (const { day, from, to } of lines) {
    const [begin, end] = [half(from), half(to)]
    const length = end > begin ? end - begin : end - begin + 48
    for (let at = 0; at < length; at++) counts[(day * 48 + begin + at) % (days * 48)]! += 1
  }
  return Math.max(...counts)
}
const week = (lines: WeekLine[]): StoreHours => ({ week: lines, holidays: [] })

describe('the hours of a week', () => {
  it('are sound exactly where no minute stands in two lines, midnight and Sunday included', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), lines => {
        const single = lines.flatMap(({ weekdays, from, to }) =>
          weekdays.map(day => ({ day: day - 1, from, to })),
        )
        const isOnce = single.length === 0 || covered(single, 7) <= 1
        expect(hoursFault(week(lines)) === undefined).toBe(isOnce)
      }),
    )
  })
  it('may go past midnight, and then meet what the next day begins with', () => {
    const late = { weekdays: [5], from: '18:00', to: '02:00' }
    expect(hoursFault(week([late]))).toBeUndefined()
    expect(hoursFault(week([late, { weekdays: [6], from: '02:00', to: '10:00' }]))).toBeUndefined()
    expect(hoursFault(week([late, { weekdays: [6], from: '01:30', to: '10:00' }]))?.[0]).toBe(
      '周六的营业时间有重叠',
    )
    const sunday = { weekdays: [7], from: '20:00', to: '03:00' }
    expect(hoursFault(week([sunday, { weekdays: [1], from: '02:00', to: '05:00' }]))).toBeDefined()
  })
  it('may be two spans of a day, and all day', () => {
    expect(
      hoursFault(
        week([
          { weekdays: [1, 2], from: '10:00', to: '14:00' },
          { weekdays: [1], from: '17:00', to: '22:00' },
        ]),
      ),
    ).toBeUndefined()
    expect(
      hoursFault(week([{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }])),
    ).toBeUndefined()
  })
  it('are refused half written', () => {
    for (const wrong of [
      { weekdays: [], from: '10:00', to: '22:00' },
      { weekdays: [1], from: '', to: '' },
      { weekdays: [1], from: '9:00', to: '22:00' },
      { weekdays: [1], from: '10:00', to: '10:00' },
      { weekdays: [1], from: '24:00', to: '02:00' },
      { weekdays: [1], from: '10:00', to: '25:00' },
    ])
      expect(hoursFault(week([wrong])), JSON.stringify(wrong)).toBeDefined()
  })
})

const holidays = (lines: HolidayLine[]): StoreHours => ({ week: [], holidays: lines })
describe('the hours of holidays', () => {
  const day = fc.integer({ min: 0, max: 3 })
  it('are sound exactly where no minute stands in two lines', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(day, span), { maxLength: 4 }), found => {
        const lines = found.map(([n, times]) => ({ date: `2026-10-0${n + 1}`, ...times }))
        const single = found.map(([n, times]) => ({ day: n, ...times }))
        // A fifth day takes what goes past the last midnight, so that the ring does not close.
        const isOnce = single.length === 0 || covered(single, 5) <= 1
        expect(hoursFault(holidays(lines)) === undefined).toBe(isOnce)
      }),
    )
  })
  it('say closed once or when it opens, never both', () => {
    const closed = { date: '2026-10-01', from: '', to: '' }
    const opens = { date: '2026-10-01', from: '10:00', to: '22:00' }
    expect(hoursFault(holidays([closed]))).toBeUndefined()
    expect(hoursFault(holidays([closed, closed]))).toBeDefined()
    expect(hoursFault(holidays([closed, opens]))?.[0]).toContain('2026-10-01')
    expect(hoursFault(holidays([{ ...opens, date: '2026-02-30' }]))).toBeDefined()
    expect(hoursFault(holidays([{ ...opens, to: '' }]))).toBeDefined()
  })
  it('are dropped once they are over', () => {
    const now = 1_780_000_000
    const lines = [-1, 0, 1].map(n => ({ date: dateOf(now + n * DAY), from: '', to: '' }))
    expect(withoutPast(holidays(lines), now).holidays).toEqual(lines.slice(1))
  })
})

describe('hours in words', () => {
  it('put the lines of the same days together', () => {
    expect(
      hoursWords({
        week: [
          { weekdays: [1, 2, 3, 4, 5], from: '17:00', to: '22:00' },
          { weekdays: [6, 7], from: '10:00', to: '01:00' },
          { weekdays: [1, 2, 3, 4, 5], from: '10:00', to: '14:00' },
        ],
        holidays: [{ date: '2026-10-01', from: '', to: '' }],
      }),
    ).toBe('周一至周五 10:00-14:00、17:00-22:00；周六、周日 10:00-次日 01:00；2026-10-01 休息')
  })
  it('are read back where they are simple', () => {
    for (const words of ['10:00-22:00', '18:00-02:00', '24 小时']) {
      const read = hoursFrom(words)
      expect(hoursFault(read)).toBeUndefined()
      expect(read.week).toHaveLength(1)
    }
    expect(hoursWords(hoursFrom('10:00-22:00'))).toBe('10:00-22:00')
    expect(hoursFrom('看心情').week).toEqual([])
  })
})
