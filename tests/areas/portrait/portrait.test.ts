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
          if (isFew(all[at]!)) expect(cell).toMatchObject({ n: null, tenths: null })
          if (several) expect(cell.hidden).toBe(isFew(all[at]!) ? 'few' : null)
          if (cell.hidden === 'few') expect(isFew(all[at]!)).toBe(true)
          if (cell.hidden === null) expect(cell.n).toBe(all[at])
          else expect([cell.n, cell.tenths]).toEqual([null, null])
        })
      }),
    )
  })
  it('nor found out by the sum and what is told beside them, whoever knows the rule', () => {
    const told = new Map<string, number[][]>()
    const values = Array.from({ length: 25 }, (_, n) => n)
    for (const a of values)
      for (const b of values)
        for (const c of values) {
          const cells = cellsOf([a, b, c])
          const key = JSON.stringify([a + b + c, cells.map(one => one.hidden ?? one.n)])
          told.set(key, [...(told.get(key) ?? []), [a, b, c]])
        }
    for (const ways of told.values())
      for (const at of [0, 1, 2]) {
        const own = ways[0]!
        const sum = own.reduce((x, y) => x + y, 0)
        // The size of the audience itself tells of fewer; the list holds not all ways of more.
        if (sum < 10 || sum >= values.length) continue
        if (ways.some(way => isFew(way[at]!)))
          expect([own, new Set(ways.map(way => way[at])).size > 1]).toEqual([own, true])
      }
  })
  it('and no more is hidden than the smallest number beside them, where that is enough', () => {
    const hidden = (all: number[]) => cellsOf(all).map(cell => cell.hidden)
    expect(hidden([3, 900, 40, 0])).toEqual(['few', null, 'beside', null])
    expect(hidden([60, 900])).toEqual([null, null])
    expect(hidden([2, 3])).toEqual(['few', 'few'])
    expect(hidden([1, 1])).toEqual(['beside', 'beside'])
    expect(hidden([1, 5])).toEqual(['beside', 'beside'])
  })
})
describe('dimensions', () => {
  it('have keys that an address may bear, and bars that are never empty', () => {
    for (const key of [...Object.keys(dimensions), attrDimension(7)])
      expect(key).toMatch(dimensionKey)
    for (const words of Object.values(bars)) expect(Object.keys(words)).not.toContain('')
  })
})
