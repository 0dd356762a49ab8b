import { eq } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { member } from './member.table.ts'
import { benefitsOf } from './member.ts'

type Standing = Parameters<typeof benefitsOf>[0]
/** The same refusal of a member who was read already. */
export const refuseBenefits = (row: Standing): void => {
  const may = benefitsOf(row)
  if (may !== true) throw ruled(row.benefits_frozen ? 'benefits_frozen' : 'member_off', may)
}
/**
 * Refuses a member who gets no points, coupons or member prices just now: benefits that staff froze,
 * or an account that is banned, closed or merged. Throws 404 for a member who is not there.
 */
export const refuseFrozenBenefits = async (tx: Db, member_id: number): Promise<void> => {
  const [row] = await tx
    .select({
      account_state: member.account_state,
      benefits_frozen: member.benefits_frozen,
    })
    .from(member)
    .where(eq(member.id, member_id))
  if (!row) throw missing()
  refuseBenefits(row)
}
