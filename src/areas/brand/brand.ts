import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

/** The place of a brand that nobody has given one. */
export const LAST = 1_000_000
/** So many brands are recommended in one city at most. */
export const RECOMMENDED_MOST = 30
/** An authorisation that ends within so long is told of. */
export const EXPIRES_SOON_S = 30 * DAY

export const brandStates = {
  on: ['启用', 'On'],
  off: ['停用', 'Off'],
  merged: ['已合并', 'Merged'],
} as const satisfies Record<string, Text>

export const authorisations = {
  soon: ['30 天内到期', 'Ends within 30 days'],
  ended: ['已到期', 'Ended'],
  valid: ['有效', 'Valid'],
  none: ['无需授权', 'None needed'],
} as const satisfies Record<string, Text>
export type Authorisation = keyof typeof authorisations

/** How a brand's authorisation stands at a moment; one without an end stays valid. */
export const authorisationAt = (
  {
    auth_category_ids,
    auth_end_at,
  }: { auth_category_ids: readonly number[] | null; auth_end_at: number | null },
  now: number,
): Authorisation => {
  if (auth_category_ids === null) return 'none'
  if (auth_end_at === null) return 'valid'
  if (auth_end_at <= now) return 'ended'
  return auth_end_at <= now + EXPIRES_SOON_S ? 'soon' : 'valid'
}
/** The letter that a name is filed under, from its reading in letters. */
export const initialOf = (latin: string): string => {
  const letter = latin.normalize('NFKC').charAt(0).toUpperCase()
  return /^[A-Z]$/.test(letter) ? letter : '#'
}

type Recommended = { id: number; city_ids: readonly number[] }
/**
 * The first city in which one brand more would be one too many; 0 where that is so in every city.
 * A brand of no city stands in all of them.
 */
export const crowdedCity = (
  all: readonly Recommended[],
  one: Recommended,
  most = RECOMMENDED_MOST,
): number | undefined => {
  const others = all.filter(({ id }) => id !== one.id)
  const everywhere = others.filter(({ city_ids }) => city_ids.length === 0).length
  const inCity = (city: number) =>
    everywhere + others.filter(({ city_ids }) => city_ids.includes(city)).length
  if (one.city_ids.length > 0) return one.city_ids.find(city => inCity(city) >= most)
  if (everywhere >= most) return 0
  return others.flatMap(({ city_ids }) => [...city_ids]).find(city => inCity(city) >= most)
}
