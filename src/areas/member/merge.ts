import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

/** A merge can be taken back for so long (seconds). */
export const UNMERGE_WITHIN = 7 * DAY
/** True, or why a merge can't be taken back now; null: nothing was merged that stands. */
export const unmergeMay = (
  { merged_at }: { merged_at: number | null },
  now: number,
): true | Text => {
  if (merged_at === null) return ['没有可撤销的合并', 'There is no merge to take back']
  return (
    now <= merged_at + UNMERGE_WITHIN || [
      '合并已超过 7 天，不能撤销',
      'The merge is more than 7 days old',
    ]
  )
}

/** What keeps two members from being merged on one person's word. */
export type MergeStanding = {
  /** What is left on the balance (cents). */
  balance_cents: number
  /** Withdrawals that wait or are under way. */
  withdrawals: number
  /** Sanctions in force. */
  sanctions: number
}
/**
 * Whether a merge of these members needs the approval of another person: two of them or more have a
 * balance, or any has an open withdrawal or a sanction in force.
 */
export const asksSecond = (all: readonly MergeStanding[]): boolean =>
  all.filter(one => one.balance_cents > 0).length > 1 ||
  all.some(one => one.withdrawals > 0 || one.sanctions > 0)
/** The number of a merge in the ledgers. */
export const mergeNo = (id: number): string => `MG${id}`
