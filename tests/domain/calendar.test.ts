import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { momentNamed, unitEnd, unitStart, weekdayOf, written } from '#src/domain/calendar.ts'
import { DAY, dateOf, dayStart, timeFull } from '#src/domain/time.ts'

const time = fc.integer({ min: 0, max: 4_102_444_799 })
/** Friday. */
const at = momentNamed('2026-11-20 15:30', 'YYYY-MM-DD HH:mm')!

describe('a day, a week and a month of Shanghai', () => {
  test('begin and end at its midnights', () => {
    const span = (unit: 'day' | 'isoWeek' | 'month') => [
      timeFull(unitStart(at, unit)),
      timeFull(unitEnd(at, unit)),
    ]
    expect(span('day')).toEqual(['2026-11-20 00:00:00', '2026-11-21 00:00:00'])
    expect(span('isoWeek')).toEqual(['2026-11-16 00:00:00', '2026-11-23 00:00:00'])
    expect(span('month')).toEqual(['2026-11-01 00:00:00', '2026-12-01 00:00:00'])
  })
  test('are those that the arithmetic of days says, at any moment', () =>
    fc.assert(
      fc.property(time, moment => {
        expect(unitStart(moment, 'day')).toBe(dayStart(moment))
        const monday = unitStart(moment, 'isoWeek')
        expect(weekdayOf(monday)).toBe(1)
        expect(monday + (weekdayOf(moment) - 1) * DAY).toBe(dayStart(moment))
        expect(dateOf(unitStart(moment, 'month'))).toBe(`${written(moment, 'YYYY-MM')}-01`)
        expect(dateOf(unitEnd(moment, 'month') - DAY).slice(0, 7)).toBe(written(moment, 'YYYY-MM'))
      }),
    ))
})

test('a Monday is the first day of a week, a Sunday its seventh', () => {
  expect(weekdayOf(momentNamed('2026-11-16')!)).toBe(1)
  expect(weekdayOf(momentNamed('2026-11-22')! + DAY - 1)).toBe(7)
})
test('a day is named as it is written', () =>
  fc.assert(
    fc.property(time, moment => {
      expect(momentNamed(dateOf(moment))).toBe(dayStart(moment))
    }),
  ))
test.each(['2026-02-30', '2026-13-01', '2026-2-3', '20261120', '2026-11-20 08:00', 'today', ''])(
  '%j names no day',
  text => expect(momentNamed(text)).toBeUndefined(),
)
test('a month and a day without a zero are named by their own forms', () => {
  expect(momentNamed('202611', 'YYYYMM')).toBe(momentNamed('2026-11-01'))
  expect(momentNamed('202613', 'YYYYMM')).toBeUndefined()
  expect(momentNamed('2026-1-5', 'YYYY-M-D')).toBe(momentNamed('2026-01-05'))
})
