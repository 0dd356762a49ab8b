import { and, desc, eq } from 'drizzle-orm'
import { policiesFor } from '#src/areas/afterSalePolicy/policies.server.ts'
import { policyAtFirst } from '#src/areas/afterSalePolicy/policy.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { order_item } from './order.table.ts'
import type { Order, OrderItem } from './orderFacts.server.ts'
import { rulesFor } from './orderRules.ts'
import { order_log } from './trail.table.ts'

/** Kinds of order whose goods may be sent back; codes have a promise instead (`promiseOf`). */
const periodKinds = ['elist', 'raise', 'points', 'goods', 'combo', 'roll_buy'] as const
type PeriodKind = (typeof periodKinds)[number]
const hasPeriod = (kind: Order['kind']): kind is PeriodKind =>
  (periodKinds as readonly string[]).includes(kind)
/**
 * What an item keeps of the policy of the day of sale: its version and its days. A later policy, or
 * another place in the tree, never changes them.
 */
export const keptPolicy = async (
  tx: Db,
  kind: Order['kind'],
  category_ids: readonly number[],
): Promise<
  (category_id: number) => { policy_id: number | null; days: { after_sale_days?: number } }
> => {
  if (!hasPeriod(kind)) return () => ({ policy_id: null, days: {} })
  const policyOf = await policiesFor(tx, category_ids)
  return category_id => {
    const policy = policyOf(category_id)
    return {
      policy_id: policy?.id ?? null,
      days: { after_sale_days: (policy ?? policyAtFirst).no_reason_days },
    }
  }
}
/**
 * When goods of an order were last received: by the buyer, by staff or by the clock. A courier's
 * word that they are there is not yet that.
 */
export const receivedAt = async (tx: Db, order_id: number): Promise<number | null> =>
  (
    await tx
      .select({ at: order_log.at })
      .from(order_log)
      .where(and(eq(order_log.order_id, order_id), eq(order_log.event, 'receive')))
      .orderBy(desc(order_log.id))
      .limit(1)
  )[0]?.at ?? null

type Period = Pick<Order, 'kind' | 'finished_at' | 'fulfil_state'>
/** When the period of an order began, unix seconds; null as long as its goods were not received. */
const beganAt = (row: Period, received_at: number | null): number | null => {
  if (row.kind === 'combo') return received_at
  return row.fulfil_state === 'finished' ? row.finished_at : null
}
/**
 * Until when each item that was received may be asked back, unix seconds by item id. It names no
 * item of an order that was not received, nor of a kind that knows no such period. Goods of a
 * bundle are received before its codes are used; codes of kinds that promise what becomes of unused
 * ones have that promise instead (`promiseOf`).
 */
export const afterSaleEnds = (
  row: Period,
  of: {
    received_at: number | null
    items: readonly Pick<OrderItem, 'id' | 'fulfil' | 'received_qty' | 'snapshot'>[]
  },
): ReadonlyMap<number, number> => {
  const { kind } = row
  if (!hasPeriod(kind)) return new Map()
  const at = beganAt(row, of.received_at)
  if (at === null) return new Map()
  const promised = rulesFor(kind).includes('refund_policy')
  const items = of.items.filter(
    item => (kind !== 'combo' || item.received_qty > 0) && !(promised && item.fulfil === 'code'),
  )
  return new Map(items.map(item => [item.id, at + keptDays(item) * DAY]))
}
/** The days of an item's period, as it was sold. */
export const keptDays = ({ snapshot }: Pick<OrderItem, 'snapshot'>): number =>
  (snapshot['after_sale_days'] as number | undefined) ?? policyAtFirst.no_reason_days
/** Reads what `afterSaleEnds` needs and answers it. */
export const afterSaleUntil = async (
  tx: Db,
  row: Period & Pick<Order, 'id'>,
): Promise<ReadonlyMap<number, number>> => {
  const received_at = row.kind === 'combo' ? await receivedAt(tx, row.id) : null
  if (!hasPeriod(row.kind) || beganAt(row, received_at) === null) return new Map()
  const items = await tx.select().from(order_item).where(eq(order_item.order_id, row.id))
  return afterSaleEnds(row, { received_at, items })
}
