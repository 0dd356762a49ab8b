import { earningKinds } from '#src/areas/pointsRule/rule.ts'
import type { Db } from '#src/server/call/implement.ts'
import { points_due } from './points.table.ts'

type Look = {
  id: number
  kind: string
  member_id: number | null
  pay_state: string
  fulfil_state: string
  refunded_cents: number
}
const kinds: readonly string[] = earningKinds
/** Whether an order may earn other points now than before. */
const isOther = (before: Look, after: Look): boolean =>
  after.member_id !== null &&
  kinds.includes(after.kind) &&
  (before.pay_state !== after.pay_state ||
    before.fulfil_state !== after.fulfil_state ||
    before.refunded_cents !== after.refunded_cents)
/**
 * Notes orders whose points are to be settled anew. Whoever changes an order waits for no member:
 * the clock books them (`settleDue`).
 */
export const askPoints = async (
  tx: Db,
  changed: readonly { before: Look; after: Look }[],
  now: number,
): Promise<void> => {
  const rows = changed
    .filter(one => isOther(one.before, one.after))
    .map(one => ({ order_id: one.after.id, at: now }))
  if (rows.length > 0) await tx.insert(points_due).values(rows).onConflictDoNothing()
}
