import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateOf, dayStart, timeFull } from '#src/domain/time.ts'
import { unixOf } from '#src/kit/asks.ts'

const time = fc.integer({ min: 0, max: 4_102_444_799 })
test('a time reads as Shanghai’s clock shows it, wherever the server stands', () => {
  expect(timeFull(0)).toBe('1970-01-01 08:00:00')
  expect(timeFull(1_763_596_800)).toBe('2025-11-20 08:00:00')
})
test('a day begins at Shanghai’s midnight and lasts 86,400 seconds', () =>
  fc.assert(
    fc.property(time, at => {
      const start = dayStart(at)
      expect(timeFull(start).slice(11)).toBe('00:00:00')
      expect(at - start).toBeGreaterThanOrEqual(0)
      expect(at - start).toBeLessThan(86_400)
      expect(dateOf(start)).toBe(dateOf(at))
    }),
  ))
test('a typed time is the moment it names', () =>
  fc.assert(
    fc.property(time, at => {
      const minute = at - (at % 60)
      expect(unixOf(timeFull(minute).slice(0, 16))).toBe(minute)
    }),
  ))
test.each(['2026-02-30 08:00', '2026-13-01', '2026-11-20 24:00', '2026-11-20 08:61', '大后天', ''])(
  '%j is no time',
  typed => expect(unixOf(typed)).toBeUndefined(),
)
test('full-width digits count as digits', () =>
  expect(unixOf('２０２６－１１－２０ ０８：００')).toBe(unixOf('2026-11-20 08:00')))
