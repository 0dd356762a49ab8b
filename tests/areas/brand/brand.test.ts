import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { authorisationAt, crowdedCity, initialOf } from '#src/areas/brand/brand.ts'

const DAY = 86_400
const now = 1_795_000_000

describe('an authorisation', () => {
  it.each([
    ['none', null, null],
    ['valid', [1], null],
    ['valid', [1], now + 31 * DAY],
    ['soon', [1], now + 30 * DAY],
    ['soon', [1], now + 1],
    ['ended', [1], now],
  ] as const)('is %s for %j until %s', (state, auth_category_ids, auth_end_at) => {
    expect(authorisationAt({ auth_category_ids, auth_end_at }, now)).toBe(state)
  })
})

describe('the letter of a name', () => {
  it.each([
    ['haidilao', 'H'],
    ['ｔea', 'T'],
    ['7eleven', '#'],
    ['', '#'],
  ])('of %s is %s', (latin, letter) => {
    expect(initialOf(latin)).toBe(letter)
  })
})

describe('recommended brands', () => {
  const MOST = 3
  const cities = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 4 })
  /** How many of them a person in a city sees. */
  const seenIn = (all: readonly { city_ids: readonly number[] }[], city: number) =>
    all.filter(({ city_ids }) => city_ids.length === 0 || city_ids.includes(city)).length

  it('are never more in a city than may be, and are refused only where they would be', () => {
    fc.assert(
      fc.property(fc.array(cities, { maxLength: 30 }), wanted => {
        const all: { id: number; city_ids: number[] }[] = []
        for (const [id, city_ids] of wanted.entries()) {
          const crowded = crowdedCity(all, { id, city_ids }, MOST)
          // A city that no brand names stands for the rest of the country.
          const everywhere = [1, 2, 3, 4, 9]
          const places = city_ids.length > 0 ? city_ids : everywhere
          const isFull = places.some(city => seenIn(all, city) >= MOST)
          expect(crowded !== undefined).toBe(isFull)
          if (crowded === undefined) all.push({ id, city_ids })
          for (const city of everywhere) expect(seenIn(all, city)).toBeLessThanOrEqual(MOST)
        }
      }),
    )
  })
  it('that are recommended already take no second place', () => {
    const all = [1, 2, 3].map(id => ({ id, city_ids: [1] }))
    expect(crowdedCity(all, { id: 3, city_ids: [1] }, MOST)).toBeUndefined()
    expect(crowdedCity(all, { id: 4, city_ids: [1] }, MOST)).toBe(1)
  })
})
