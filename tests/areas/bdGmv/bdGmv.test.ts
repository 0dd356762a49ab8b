import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addedUp,
  discountOf,
  lastPeriods,
  lockFault,
  MOST_MONTHS,
  nameOf,
  NOBODY,
  noSums,
  periodBefore,
  periodFault,
  periodNamed,
  placesOf,
} from '#src/areas/bdGmv/bdGmv.ts'
import { DAY, timeFull } from '#src/domain/time.ts'

const moment = fc.integer({ min: 1_500_000_000, max: 2_000_000_000 })
const kind = fc.constantFrom('month' as const, 'week' as const)

describe('a period', () => {
  it('holds the moment that it is named for, and begins where the one before ends', () => {
    fc.assert(
      fc.property(kind, moment, (of, at) => {
        const name = nameOf(of, at)
        const period = periodNamed(name)!
        expect(period.kind).toBe(of)
        expect(period.from <= at && at < period.until).toBe(true)
        expect(periodNamed(periodBefore(name))!.until).toBe(period.from)
        expect(timeFull(period.from)).toContain('00:00')
        if (of === 'week') expect(period.until - period.from).toBe(7 * DAY)
      }),
    )
  })
  it('is a month or the week of a Monday, and nothing else', () => {
    const read = ['202611', '2026-11-23', '2026-11-24', '202613', '2026-02-30', 'x'].map(
      name => periodNamed(name)?.kind,
    )
    expect(read).toEqual(['month', 'week', undefined, undefined, undefined, undefined])
  })
  it('is asked for within the last twelve months, and not before it begins', () => {
    fc.assert(
      fc.property(moment, now => {
        const months = lastPeriods('month', now)
        expect(new Set(months).size).toBe(MOST_MONTHS)
        expect(months.filter(name => periodFault(name, now) !== undefined)).toEqual([])
        expect(periodFault(periodBefore(months.at(-1)!), now)).toBeDefined()
        expect(periodFault(nameOf('month', now + 40 * DAY), now)).toBeDefined()
        const locked = months.filter(name => lockFault(Number(name), now) === undefined)
        expect(locked).toEqual(months.slice(1))
      }),
    )
  })
})
describe('results', () => {
  it('have places by their net, equal ones the same, and stores of nobody none', () => {
    const places = placesOf([
      { id: 1, net_cents: 10 },
      { id: 2, net_cents: 30 },
      { id: 3, net_cents: 10 },
      { id: NOBODY, net_cents: 99 },
    ])
    expect([...places]).toEqual([
      [1, 2],
      [2, 1],
      [3, 2],
    ])
  })
  it('add up, and a discount is a share of what was asked', () => {
    const one = { ...noSums, paid_cents: 90, discount_cents: 10, list_cents: 100 }
    expect(addedUp([one, one]).paid_cents).toBe(180)
    expect([discountOf(one), discountOf(noSums)]).toEqual([1000, null])
  })
})
