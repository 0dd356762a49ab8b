import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bucketOf,
  compareModes,
  comparedWith,
  daysIn,
  daysOf,
  orderBuckets,
  periodProblem,
  refundRate,
  statusesOf,
  type CompareMode,
  type OrderBucket,
} from '#src/areas/figures/overview.ts'
import { orderStatuses, type OrderStatus } from '#src/areas/order/order.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { dateOf } from '#src/domain/time.ts'

const now = momentNamed('2026-11-20')! + 40_000

describe('buckets', () => {
  test('are a partition of all statuses', () => {
    const all = (Object.keys(orderBuckets) as OrderBucket[]).flatMap(statusesOf)
    expect([...all].sort()).toEqual((Object.keys(orderStatuses) as OrderStatus[]).sort())
    expect(new Set(all).size).toBe(all.length)
    expect(statusesOf('settled')).toEqual(['finished', 'expired'])
    expect(bucketOf.refunding).toBe('pending_tickets')
  })
})
describe('a period', () => {
  test.each([
    [{ from: '2026-02-30', to: '2026-03-01' }, 'from'],
    [{ from: '2026-3-1', to: '2026-03-02' }, 'from'],
    [{ from: '2026-03-01', to: 'x' }, 'to'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'to'],
    [{ from: '2025-11-19', to: '2026-11-20' }, 'to'],
    [{ from: '2026-11-20', to: '2026-11-21' }, 'to'],
  ] as const)('%j is refused at %s', (period, field) =>
    expect(periodProblem(period, now)?.field).toBe(field),
  )
  test('of a day, and of 366 days, may be asked for', () => {
    expect(periodProblem({ from: '2026-11-20', to: '2026-11-20' }, now)).toBeUndefined()
    expect(periodProblem({ from: '2025-11-20', to: '2026-11-20' }, now)).toBeUndefined()
  })
  test('has as many days as it says, and is compared with one of the same length before it', () => {
    const day = fc
      .integer({ min: momentNamed('2024-01-01')!, max: momentNamed('2026-11-01')! })
      .map(dateOf)
    fc.assert(
      fc.property(
        day,
        fc.integer({ min: 0, max: 365 }),
        fc.constantFrom(...(Object.keys(compareModes) as CompareMode[])),
        (from, length, mode) => {
          const period = { from, to: dateOf(momentNamed(from)! + length * 86_400) }
          expect(daysOf(period)).toHaveLength(length + 1)
          expect(daysOf(period).at(-1)).toBe(period.to)
          const other = comparedWith(period, mode)
          if (mode === 'none') {
            expect(other).toBeUndefined()
            return
          }
          expect(daysIn(other!)).toBe(daysIn(period))
          expect(other!.from < period.from).toBe(true)
          // The same weekdays, where weekdays are what is compared.
          if (mode === 'last_week' || mode === 'last_year')
            expect((momentNamed(period.from)! - momentNamed(other!.from)!) % (7 * 86_400)).toBe(0)
        },
      ),
    )
  })
})
test('a rate without sales is none, not zero and not endless', () =>
  expect([refundRate(500, 0), refundRate(500, 10_000), refundRate(0, 10_000)]).toEqual([
    undefined,
    500,
    0,
  ]))
