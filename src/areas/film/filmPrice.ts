import type { FilmTerms } from './filmSettings.ts'

/** The price that a campaign sells a seat at, and whose campaign it is. */
export type PullPrice = {
  price_cents: number
  activity_id: number
  distributor_id: number | null
}
/** Points that pay a part of an order: how many, and what they are worth (cents). */
export type PointsPart = { n: number; cents: number }
/**
 * What points pay of an order of `total_cents`: one cent at least is left to be paid in money, and no
 * point is taken that pays nothing.
 */
export const pointsPaying = (asked: PointsPart | undefined, total_cents: number): PointsPart => {
  const cents = Math.min(asked?.cents ?? 0, total_cents - 1)
  if (!asked || cents < 1) return { n: 0, cents: 0 }
  return { n: Math.ceil((asked.n * cents) / asked.cents), cents }
}
/**
 * What a seat is sold at (cents), and what of its price the house pays: the provider's price with
 * the mark-up, less the city's subsidy, never below the least that the provider allows. A campaign
 * has a price of its own: the house pays all that is missing.
 */
export const seatPriceOf = (
  show: { cost_cents: number; floor_cents: number },
  terms: Pick<FilmTerms, 'markup_bp' | 'subsidy_cents'>,
  pull?: Pick<PullPrice, 'price_cents'>,
): { sale_cents: number; subsidy_cents: number } => {
  const full = Math.round((show.cost_cents * (10_000 + terms.markup_bp)) / 10_000)
  const usual = Math.max(show.floor_cents, full - terms.subsidy_cents, 1)
  const sale_cents = pull ? Math.min(pull.price_cents, usual) : usual
  return { sale_cents, subsidy_cents: Math.max(0, full - sale_cents) }
}
