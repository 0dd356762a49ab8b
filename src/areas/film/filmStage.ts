import type { FilmStage, TicketState } from './film.ts'

/** What says where an order stands. */
export type StageFacts = {
  pay_state: 'unpaid' | 'part_paid' | 'paid' | 'closed'
  refund_state: 'none' | 'refunding' | 'part_refunded' | 'refunded'
  frozen: boolean
  ticket_state: TicketState
  /** All of its settlement lines that did not go back are settled, and there are some. */
  settled: boolean
}
/**
 * Where an order stands: the first that fits, so each stands in exactly one place (invariant 25 of
 * domain B). `filmStage` (filmStage.server.ts) is the same for the database.
 */
export const filmStageOf = (of: StageFacts): FilmStage => {
  if (of.pay_state === 'closed') return 'cancelled'
  if (of.pay_state === 'unpaid') return 'pending_payment'
  if (of.refund_state === 'refunded') return 'refunded'
  if (of.frozen) return 'freezing'
  if (of.refund_state === 'refunding') return 'refunding'
  if (of.ticket_state !== 'issued') return 'pending_tickets'
  return of.settled ? 'settled' : 'ticketed'
}
