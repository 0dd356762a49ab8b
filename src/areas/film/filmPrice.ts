import type { FilmTerms } from './filmSettings.ts'

/** The price that a campaign sells a seat at, and whose campaign it is. */
export type PullPrice = {
  price_cents: number
  activity_id: number
  distributor_id: number | null
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
