import type { Business } from '#src/areas/ledger/ledger.ts'

/** What a film owner's balance did between two requests, in cents; each part from 0 but adjustments. */
export type Statement = {
  /** When the request before was made; null for the first. */
  from_at: number | null
  opening_cents: number
  income_cents: number
  refunds_cents: number
  fee_cents: number
  adjust_cents: number
  /** Requests that were refused or failed since, given back. */
  back_cents: number
  withdrawn_cents: number
  closing_cents: number
  difference_cents: number
  lines_difference_cents: number
}
/** Which part of a statement a business is: what is none of the others is an adjustment. */
export const partOfBusiness = (
  biz: Business,
): 'income' | 'refunds' | 'withdrawn' | 'back' | 'adjust' => {
  if (biz === 'settle') return 'income'
  if (biz === 'refund') return 'refunds'
  if (biz === 'withdraw_apply') return 'withdrawn'
  return biz === 'withdraw_back' ? 'back' : 'adjust'
}
/** opening + income - refunds - fees ± adjustments + given back - withdrawn (domain B). */
export const balanced = (
  of: Omit<Statement, 'from_at' | 'closing_cents' | 'difference_cents' | 'lines_difference_cents'>,
): number =>
  of.opening_cents +
  of.income_cents -
  of.refunds_cents -
  of.fee_cents +
  of.adjust_cents +
  of.back_cents -
  of.withdrawn_cents
