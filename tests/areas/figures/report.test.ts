import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextRun, reportPeriod, scheduleOf } from '#src/areas/figures/report.ts'
import { timeFull } from '#src/domain/time.ts'

const at = (text: string) => Date.parse(`${text}+08:00`) / 1000
test('a schedule is daily at the least often said, and each has its form', () => {
  expect(scheduleOf('daily 09:00')).toEqual({ every: 'daily', day: 0, minute: 540 })
  expect(scheduleOf('weekly 1 08:30')).toEqual({ every: 'weekly', day: 1, minute: 510 })
  expect(scheduleOf('monthly 28 23:59')).toEqual({ every: 'monthly', day: 28, minute: 1439 })
  for (const wrong of ['hourly', 'daily 24:00', 'weekly 8 09:00', 'monthly 29 09:00', 'daily', ''])
    expect([wrong, scheduleOf(wrong)]).toEqual([wrong, undefined])
})
test('the next time is the first that fits, strictly after', () => {
  expect(timeFull(nextRun('daily 09:00', at('2026-11-20T09:00:00')))).toBe('2026-11-21 09:00:00')
  expect(timeFull(nextRun('daily 09:00', at('2026-11-20T08:59:59')))).toBe('2026-11-20 09:00:00')
  expect(timeFull(nextRun('weekly 1 08:30', at('2026-11-20T12:00:00')))).toBe('2026-11-23 08:30:00')
  expect(timeFull(nextRun('monthly 1 10:00', at('2026-11-20T12:00:00')))).toBe(
    '2026-12-01 10:00:00',
  )
})
test('a report is about whole days that have ended', () => {
  expect(reportPeriod('daily', at('2026-11-20T09:00:00'))).toEqual({
    from: '2026-11-19',
    to: '2026-11-19',
  })
  expect(reportPeriod('weekly', at('2026-11-20T09:00:00'))).toEqual({
    from: '2026-11-09',
    to: '2026-11-15',
  })
  expect(reportPeriod('weekly', at('2026-11-16T00:00:00'))).toEqual({
    from: '2026-11-09',
    to: '2026-11-15',
  })
  expect(reportPeriod('monthly', at('2026-03-01T09:00:00'))).toEqual({
    from: '2026-02-01',
    to: '2026-02-28',
  })
})
test('two runs of one schedule never tell of the same period', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('daily 09:00', 'weekly 3 09:00', 'monthly 15 09:00'),
      fc.integer({ min: at('2024-01-01T00:00:00'), max: at('2027-01-01T00:00:00') }),
      (schedule, from) => {
        const first = nextRun(schedule, from)
        const second = nextRun(schedule, first)
        const { every } = scheduleOf(schedule)!
        expect(reportPeriod(every, first).to < reportPeriod(every, second).from).toBe(true)
      },
    ),
  )
})
