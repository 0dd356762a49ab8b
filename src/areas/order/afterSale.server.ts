import { and, desc, eq, sql } from 'drizzle-orm'
import { grouped } from '#src/domain/grouped.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { configScopes, type ConfigScope } from './configScope.ts'
import { order_item } from './order.table.ts'
import { rulesOf, type Order, type OrderItem } from './orderFacts.server.ts'
import { afterSaleDays, rulesFor, type OrderRules } from './orderRules.ts'
import { order_log } from './trail.table.ts'

/**
 * The after-sale days of categories: each by its own policy, or by the nearest above it that has
 * one, or that some rules name.
 */
export const daysByCategory = async (
  db: Db,
  rules: Pick<OrderRules, 'after_sale_days' | 'after_sale_by_category'>,
  category_ids: readonly number[],
): Promise<Map<number, number>> => {
  if (category_ids.length === 0) return new Map()
  const { rows } = await db.execute<{ leaf: number; id: number; days: number | null }>(sql`
    with recursive up as (select c.id leaf, c.id, c.parent_id, c.return_policy, 0 depth from e_category c where c.id in ${[...new Set(category_ids)]} union all select up.leaf, c.id, c.parent_id, c.return_policy, up.depth + 1 from up join e_category c on c.id = up.parent_id where up.depth < 9)
    select leaf, id, (return_policy->>'days')::int days from up order by leaf, depth`)
  const paths = grouped(rows, row => row.leaf)
  // A category’s own policy counts before what the rules say of it.
  const own = rows.flatMap(({ id, days }) =>
    days === null ? [] : [{ category_id: id, name: '', days, exempt: false }],
  )
  const all = { ...rules, after_sale_by_category: [...own, ...rules.after_sale_by_category] }
  return new Map(
    category_ids.map(id => [
      id,
      afterSaleDays(
        all,
        (paths.get(id) ?? []).map(row => row.id),
      ),
    ]),
  )
}
/**
 * What an item keeps of its after-sale period when it is ordered: its days, where the rules of its
 * kind know of any. A later rule, or another place in the tree, never changes them.
 */
export const keptDays = async (
  tx: Db,
  kind: Order['kind'],
  rules: OrderRules,
  category_ids: readonly number[],
): Promise<(category_id: number) => { after_sale_days?: number }> => {
  if (!hasPeriod(kind) || !rulesFor(kind).includes('after_sale_by_category')) return () => ({})
  const days = await daysByCategory(tx, rules, category_ids)
  return category_id => ({ after_sale_days: days.get(category_id)! })
}
/** Whether the rules of a kind know an after-sale period. */
const hasPeriod = (kind: Order['kind']): kind is Order['kind'] & ConfigScope =>
  Object.hasOwn(configScopes, kind) && rulesFor(kind as ConfigScope).includes('after_sale_days')
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
 * item of an order that was not received, nor of a kind whose rules know no such period. Goods of a
 * bundle are received before its codes are used; codes of kinds that promise what becomes of unused
 * ones have that promise instead (`promiseOf`).
 */
export const afterSaleEnds = (
  row: Period,
  of: {
    rules: Pick<OrderRules, 'after_sale_days'>
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
  const daysOf = (item: Pick<OrderItem, 'snapshot'>) =>
    (item.snapshot['after_sale_days'] as number | undefined) ?? of.rules.after_sale_days
  return new Map(items.map(item => [item.id, at + daysOf(item) * DAY]))
}
/** Reads what `afterSaleEnds` needs and answers it. */
export const afterSaleUntil = async (
  tx: Db,
  row: Period & Pick<Order, 'id' | 'config_version'>,
): Promise<ReadonlyMap<number, number>> => {
  const received_at = row.kind === 'combo' ? await receivedAt(tx, row.id) : null
  if (!hasPeriod(row.kind) || beganAt(row, received_at) === null) return new Map()
  const items = await tx.select().from(order_item).where(eq(order_item.order_id, row.id))
  return afterSaleEnds(row, { rules: await rulesOf(tx, row), received_at, items })
}
