import type { GivenCard } from './card.ts'
import type { Membership } from './membership.ts'

/** The rewards of a success: grants of coupons, and the number its points are booked under. */
export type Granted = {
  coupons: string[]
  points: number
  points_no: string | null
  /** The prize that waits to be handed over. */
  goods?: string
  /** Days of a plan, by the number of their period. */
  membership?: Membership & { order_no: string }
  /** An e-card, by the code that is the member's. */
  card?: Required<GivenCard> & { code_id: number }
  cost_cents: number
}
