import { and, eq } from 'drizzle-orm'
import { joined, unjoined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { order } from './order.table.ts'
import { statusOf } from './order.ts'
import { noteOrder, type Actor, type Order } from './orderFacts.server.ts'
import { canFreeze } from './orderVerbs.ts'

/** The holder-up of an order: a risk hit, a member of staff, or a payment in dispute. */
type FrozenBy = NonNullable<Order['frozen_by']>

type Step = {
  order_id: number
  by: FrozenBy
  hit_id?: number
  /** The member of staff; the system where a rule did it by itself. */ actor: Actor
  reason: string
  now: number
}
const reasonOfHit = (reason: string, hit_id: number): string => {
  const [zh, en] = unjoined(reason)
  return joined([`${zh}（风控命中 ${hit_id}）`, `${en} (risk hit ${hit_id})`])
}
/** Both stand in the order's own log, with who and why. */
const note = (
  tx: Db,
  event: 'freeze' | 'unfreeze',
  { before, after }: { before: Order; after: Order },
  of: Step,
) =>
  noteOrder(tx, {
    order_id: before.id,
    event,
    actor: of.actor,
    at: of.now,
    from: before.status,
    to: after.status,
    memo: of.hit_id === undefined ? of.reason : reasonOfHit(of.reason, of.hit_id),
    data: { by: of.by, ...(of.hit_id !== undefined && { hit_id: of.hit_id }) },
  })

/**
 * Holds an order up: from here on nothing of it is redeemed, shipped, refunded or settled. Waits
 * for whoever changes the order at the moment; refuses what is over, unpaid or frozen by somebody
 * already.
 */
export const freezeOrder = async (tx: Db, of: Step): Promise<Order> => {
  const [row] = await tx.select().from(order).where(eq(order.id, of.order_id)).for('update')
  if (!row) throw missing()
  const may = canFreeze(row)
  if (may !== true)
    throw ruled(row.frozen ? 'frozen' : 'not_freezable', may, {}, { order_id: row.id })
  const [after] = await tx
    .update(order)
    .set({
      frozen: true,
      frozen_by: of.by,
      freeze_reason: of.reason,
      freeze_hit_id: of.hit_id ?? null,
      status: statusOf({ ...row, frozen: true }),
      version: row.version + 1,
      updated_at: of.now,
    })
    .where(eq(order.id, row.id))
    .returning()
  await note(tx, 'freeze', { before: row, after: after! }, of)
  return after!
}

/**
 * Gives an order free that `by` froze (for `risk` the very hit); undefined, and nothing done, where
 * it is not frozen or somebody else holds it.
 */
export const unfreezeOrder = async (tx: Db, of: Step): Promise<Order | undefined> => {
  const [row] = await tx
    .select()
    .from(order)
    .where(
      and(
        eq(order.id, of.order_id),
        eq(order.frozen, true),
        eq(order.frozen_by, of.by),
        of.hit_id === undefined ? undefined : eq(order.freeze_hit_id, of.hit_id),
      ),
    )
    .for('update')
  if (!row) return undefined
  const [after] = await tx
    .update(order)
    .set({
      frozen: false,
      frozen_by: null,
      freeze_reason: null,
      freeze_hit_id: null,
      status: statusOf({ ...row, frozen: false }),
      version: row.version + 1,
      updated_at: of.now,
    })
    .where(eq(order.id, row.id))
    .returning()
  await note(tx, 'unfreeze', { before: row, after: after! }, of)
  return after
}
