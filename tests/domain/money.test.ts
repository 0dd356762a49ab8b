import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { centsOf, percent, shares, yuan } from '#src/domain/money.ts'

describe('yuan', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [123456, '1,234.56'],
    [100_000_000, '1,000,000.00'],
    [-1999, '-19.99'],
  ])('%i cents read %s', (cents, text) => expect(yuan(cents)).toBe(text))
  test('what it writes, centsOf reads back', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), cents => {
        expect(centsOf(yuan(cents))).toBe(cents)
      }),
    ))
})
describe('centsOf', () => {
  test.each([
    ['1', 100],
    ['1.5', 150],
    ['１２．３４', 1234],
    ['¥1,234.50', 123450],
    [' 0.07 ', 7],
  ])('reads %s', (typed, cents) => expect(centsOf(typed)).toBe(cents))
  test.each(['', '1.005', '1e3', '-1', 'abc', '1.2.3', '999999999999'])('refuses %j', typed =>
    expect(centsOf(typed)).toBeUndefined(),
  )
})
describe('shares', () => {
  test('sum to the total exactly, none off its exact share by a cent or more', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 40 }),
        (total, weights) => {
          const parts = shares(total, weights)
          expect(parts.reduce((a, b) => a + b, 0)).toBe(total)
          const sum = weights.reduce((a, b) => a + b, 0)
          if (sum > 0)
            parts.forEach((part, i) =>
              expect(Math.abs(part - (total * weights[i]!) / sum)).toBeLessThan(1),
            )
        },
      ),
    ))
})
test('basis points read as percent', () =>
  expect([percent(1250), percent(10_000), percent(5)]).toEqual(['12.5%', '100%', '0.05%']))
