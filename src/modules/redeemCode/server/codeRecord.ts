/** Codes as the desk reads and changes them. */
import { eq } from 'drizzle-orm'
import { codesFound, type FoundCode } from '#src/areas/redeemCode/redeem.server.ts'
import { redeem_code } from '#src/areas/redeemCode/redeemCode.table.ts'
import { unknownCode } from '#src/areas/redeemCode/redeemCode.ts'
import { maskedCode } from '#src/areas/secret/secretCode.ts'
import type { Db } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'

export const codes = record(redeem_code, {
  object: 'redeem_code',
  label: row => maskedCode(row.tail),
  keys: ['state', 'end_at', 'member_id'],
  places: 'all',
  // Neither its hash nor its sealed text leaves in a refusal.
  told: ({ id, tail, state, end_at, member_id, version }) => ({
    id,
    masked: maskedCode(tail),
    state,
    end_at,
    member_id,
    version,
  }),
})
/** A code with its batch, by its id; 422 for one that there is not. */
export const byId = async (tx: Db, id: number): Promise<FoundCode> => {
  const [row] = await tx
    .select({ hash: redeem_code.code_hash })
    .from(redeem_code)
    .where(eq(redeem_code.id, id))
  const [found] = row ? await codesFound(tx, [row.hash]) : []
  if (!found) throw ruled('unknown', unknownCode.text)
  return found
}
