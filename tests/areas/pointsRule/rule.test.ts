import { describe, expect, it } from 'vitest'
import {
  expiryOf,
  pointsFor,
  rateAtFirst,
  rateState,
  timesFor,
  timesPairs,
} from '#src/areas/pointsRule/rule.ts'
import { timeFull } from '#src/domain/time.ts'

const at = (text: string) => Date.parse(`${text}+08:00`) / 1000
describe('points end', () => {
  it.each([
    [{ by: 'rolling', months: 12 } as const, '2026-03-15T23:59:59', '2027-03-16 00:00:00'],
    [{ by: 'rolling', months: 1 } as const, '2026-01-31T00:00:00', '2026-03-01 00:00:00'],
    [{ by: 'rolling', months: 1 } as const, '2028-01-31T12:00:00', '2028-03-01 00:00:00'],
    [{ by: 'rolling', months: 2 } as const, '2026-12-31T12:00:00', '2027-03-01 00:00:00'],
    [{ by: 'year_end', years: 0 } as const, '2026-12-31T23:59:59', '2027-01-01 00:00:00'],
    [{ by: 'year_end', years: 1 } as const, '2026-01-01T00:00:00', '2028-01-01 00:00:00'],
  ])('by %o, earned at %s, at %s', (how, earned, ends) => {
    expect(timeFull(expiryOf(how, at(earned)))).toBe(ends)
  })
})
describe('multipliers', () => {
  const all = [
    { by: 'level', level: 3, times_bp: 15_000 },
    { by: 'vip', times_bp: 20_000 },
    { by: 'monthday', day: 8, times_bp: 30_000 },
    { by: 'level', level: 0, times_bp: 5_000 },
  ] as const
  it.each([
    [{ level: 3, vip: true, at: at('2026-03-08T00:00:00') }, 30_000],
    [{ level: 3, vip: true, at: at('2026-03-09T00:00:00') }, 20_000],
    [{ level: 3, vip: false, at: at('2026-03-07T23:59:59') }, 15_000],
    [{ level: 1, vip: false, at: at('2026-03-09T00:00:00') }, 10_000],
    [{ level: 0, vip: false, at: at('2026-03-09T00:00:00') }, 5_000],
  ])('of %o: the highest alone, %d', (who, times) => {
    expect(timesFor(all, who)).toBe(times)
  })
})
it('points of an order are rounded down once, and nothing paid earns none', () => {
  const rate = { ...rateAtFirst, earn_hundredths: 150 }
  expect([
    pointsFor(rate, 0, 10_000),
    pointsFor(rate, -5, 10_000),
    pointsFor(rate, 66, 10_000),
    pointsFor(rate, 67, 10_000),
    pointsFor(rate, 19_99, 10_000),
    pointsFor(rate, 19_99, 15_000),
    pointsFor(rate, 10_000_000_00, 100_000),
  ]).toEqual([0, 0, 0, 1, 29, 44, 150_000_000])
})
it.each([
  ['', []],
  [
    '4=1.2，5=1.3',
    [
      [4, 12_000],
      [5, 13_000],
    ],
  ],
  [
    '4:1.25 5=10',
    [
      [4, 12_500],
      [5, 100_000],
    ],
  ],
  ['6=1.2', undefined],
  ['4=0.4', undefined],
  ['4=10.1', undefined],
  ['V4=2', undefined],
])('multipliers typed as "%s"', (typed, pairs) => {
  expect(timesPairs(typed, 5)).toEqual(pairs)
})
it('which rate is in force is read by time', () => {
  const on = { status: 'on', effective_at: 100, until: 200 } as const
  expect([
    rateState(on, 99),
    rateState(on, 100),
    rateState(on, 200),
    rateState({ ...on, until: null }, 999),
    rateState({ ...on, status: 'waiting' }, 150),
    rateState({ ...on, status: 'draft' }, 150),
  ]).toEqual(['scheduled', 'live', 'past', 'live', 'waiting', 'rejected'])
})
