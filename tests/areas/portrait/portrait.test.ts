import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  attrDimension,
  bars,
  cellsOf,
  dimensionKey,
  dimensions,
  isFew,
  tenthsOf,
} from '#src/areas/portrait/portrait.ts'

const numbers = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.nat(1_000_000)), {
  minLength: 1,
  maxLength: 40,
})
describe('shares', () => {
  it('come to 100.0 % wherever there is anybody, each next to what it is exactly', () => {
    fc.assert(
      fc.property(numbers, all => {
        const sum = all.reduce((x, y) => x + y, 0)
        const tenths = tenthsOf(all)
        expect(tenths.reduce((x, y) => x + y, 0)).toBe(sum === 0 ? 0 : 1000)
        tenths.forEach((of, at) => {
          if (sum > 0) expect(Math.abs(of - (1000 * all[at]!) / sum)).toBeLessThan(1)
        })
      }),
    )
  })
  it('and numbers of fewer than five people are not told', () => {
    fc.assert(
      fc.property(numbers, fc.boolean(), (all, several) => {
        cellsOf(all, several ? { people: 2_000_000 } : undefined).forEach((cell, at) => {
          const few = all[at]! > 0 && all[at]! < 5
          expect(isFew(all[at]!)).toBe(few)
          expect([cell.n === null, cell.tenths === null]).toEqual([few, few])
          if (!few) expect(cell.n).toBe(all[at])
        })
      }),
    )
  })
})
describe('dimensions', () => {
  it('have keys that an address may bear, and bars that are never empty', () => {
    for (const key of [...Object.keys(dimensions), attrDimension(7)])
      expect(key).toMatch(dimensionKey)
    for (const words of Object.values(bars)) expect(Object.keys(words)).not.toContain('')
  })
})
